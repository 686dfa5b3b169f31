"""Runs and truths as dicts, measured."""

import unittest

import rondo
from case import DEMO, SOURCE, Case

ADR = SOURCE / "data" / "examples" / "adr"


class Evaluation(Case):
    def test_the_published_example_of_average_dynamic_recall(self):
        truth = rondo.read_truth(ADR / "truth.txt")
        values = rondo.evaluate(truth, rondo.read_run(ADR / "a.run"), ["ADR"], per_query=True)["ADR"]
        # Urbano et al.: recalls 1, 0.5, 1, 1, 0.8.
        self.assertAlmostEqual(values["groups"], (1 + 0.5 + 1 + 1 + 0.8) / 5)

    def test_groups_and_grades_mean_the_same(self):
        run = {"q": {"a": 4.0, "x": 3, "b": 2, "c": 1}}
        groups = rondo.evaluate({"q": [["a"], ["b", "c"]]}, run, "ADR,nDCG,AP")
        grades = rondo.evaluate({"q": {"a": 2, "b": 1, "c": 1}}, run, "ADR,nDCG,AP")
        self.assertEqual(groups, grades)
        # Precision after a: 1, after b: 2/3, after c: 3/4.
        self.assertAlmostEqual(groups["AP"], (1 + 2 / 3 + 3 / 4) / 3)

    def test_equal_scores_keep_the_order_of_the_run(self):
        # What Collection.run gives is what is measured: best first, also among equal scores.
        self.assertEqual(rondo.evaluate({"q": {"a": 1}}, {"q": {"a": 1, "z": 1}}, "RR"), {"RR": 1.0})
        self.assertEqual(rondo.evaluate({"q": {"a": 1}}, {"q": {"z": 1, "a": 1}}, "RR"), {"RR": 0.5})

    def test_a_query_that_is_not_answered_counts_as_nothing(self):
        truth = {"q": {"a": 1}, "r": {"b": 1}}
        self.assertEqual(rondo.evaluate(truth, {"q": {"a": 1}}, "AP"), {"AP": 0.5})
        self.assertFails("evaluation-no-common-query", rondo.evaluate, truth, {"s": {"a": 1}}, "AP")

    def test_files_round_trip(self):
        truth = rondo.Truth({"q": {"a": 2, "b": 1, "n": 0}}, complete=True, collection_size=9)
        rondo.write_truth(truth, self.folder / "t.json", "json")
        back = rondo.read_truth(self.folder / "t.json")
        self.assertEqual((back, back.complete, back.collection_size), (dict(truth), True, 9))
        rondo.write_truth(truth, self.folder / "t.txt")
        self.assertEqual((self.folder / "t.txt").read_text().splitlines()[0].split(), ["q", "0", "a", "1"])
        rondo.write_truth(truth, self.folder / "t.qrels", "qrels")
        self.assertEqual(rondo.read_truth(self.folder / "t.qrels", qrels=True), dict(truth))
        run = {"q": {"a": 1 / 3, "b": 0.1}}
        rondo.write_run(run, self.folder / "a.run", "mine")
        self.assertEqual(rondo.read_run(self.folder / "a.run"), run)

    def test_no_output_overwrites_a_collection(self):
        db = self.folder / "c.db"
        with rondo.Collection(str(db), "create") as tunes:
            tunes.import_files(str(DEMO / "folk.pae"))
        before = db.read_bytes()
        (self.folder / "a.run").symlink_to(db)
        for name in ["c.db", "a.run", "c.db.studies", "c.db-wal"]:
            self.assertFails("output-refused", rondo.write_run, {"q": {"a": 1}}, self.folder / name)
            self.assertFails("output-refused", rondo.write_truth, {"q": {"a": 1}}, self.folder / name)
            self.assertFails("output-refused", rondo.concordances, str(db), min_score=0.5, journal=self.folder / name)
        self.assertEqual(db.read_bytes(), before)

    def test_what_cannot_be_measured_is_an_error(self):
        self.assertFails("run-score", rondo.evaluate, {"q": {"a": 1}}, {"q": {"a": float("nan")}})
        self.assertFails("truth-grade", rondo.evaluate, {"q": {"a": float("nan")}}, {"q": {"a": 1}})
        self.assertFails("measure-unknown", rondo.evaluate, {"q": {"a": 1}}, {"q": {"a": 1}}, "nonsense")
        self.assertFails("file-unreadable", rondo.read_run, self.folder / "none.run")
        self.assertFails("write-failed", rondo.write_run, {}, self.folder / "none" / "a.run")
        with self.assertRaises(ValueError):
            rondo.write_truth({}, self.folder / "t", "wax")

    def test_votes_become_groups(self):
        # Everyone puts a before b, which exact rank sums of three against three call different: p = 2/20 < .25. On b and
        # c they do not agree: one group.
        orders = {"Ann": "abc", "Ben": "acb", "Cy": "abc"}
        votes = [(who, "q", song, rank) for who, order in orders.items() for rank, song in enumerate(order, 1)]
        self.assertEqual(rondo.truth_from_votes(votes), {"q": {"a": 2, "b": 1, "c": 1}})
        self.assertEqual(rondo.truth_from_votes(votes, threshold=0), {"q": {"a": 1, "b": 1, "c": 1}})
        self.assertFails("votes-twice", rondo.truth_from_votes, votes + votes[:1])
        self.assertFails("votes-rank", rondo.truth_from_votes, [("Ann", "q", "a", 0)])
        with self.assertRaises(ValueError):
            rondo.truth_from_votes(votes, rule="coin")

    def test_systems_are_compared_with_tests(self):
        truth = {f"q{i}": {"a": 1} for i in range(8)}
        good = {query: {"a": 2, "b": 1} for query in truth}
        bad = {query: {"b": 2, "a": 1} for query in truth}
        found = rondo.compare(truth, {"good": good, "bad": bad}, "RR")
        self.assertEqual([(row["name"], row["mean"]) for row in found["systems"]], [("good", 1.0), ("bad", 0.5)])
        # All of 2^8 sign patterns but two are less extreme.
        self.assertAlmostEqual(found["tests"][0]["randomization"]["p"], 2 / 256)


if __name__ == "__main__":
    unittest.main()
