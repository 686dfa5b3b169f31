"""A collection from Python: filled, asked, shared by threads."""

import subprocess
import threading
import unittest

import numpy

import rondo
from case import DEMO, Case


class Collections(Case):
    def setUp(self):
        super().setUp()
        self.path = self.folder / "demo.db"
        with rondo.Collection(self.path, "create") as tunes:
            self.summary = tunes.import_files(DEMO)

    def test_import_says_what_came_of_it(self):
        self.assertEqual(self.summary["skipped"], 0)
        seen = []
        with rondo.Collection(self.path, "write") as tunes:
            again = tunes.import_files(str(DEMO), progress=lambda *now: seen.append(now))
            self.assertEqual((again["added"], len(tunes)), (0, self.summary["added"]))
        self.assertTrue(all(len(now) == 3 for now in seen))

    def test_it_is_a_container_of_melodies(self):
        with rondo.Collection(self.path) as tunes:
            self.assertIn("white-cockade-1", tunes)
            self.assertNotIn("nothing", tunes)
            self.assertEqual(list(tunes), tunes.ids())
            self.assertEqual(tunes["white-cockade-1"].id, "white-cockade-1")
            self.assertFails("piece-missing", tunes.get, "nothing")
            few = tunes.ids(where="notes < 12")
            self.assertTrue(0 < len(few) < len(tunes))
            self.assertFails("sql-error", tunes.ids, where="nonsense = 3")

    def test_search_finds_what_scores_say(self):
        with rondo.Collection(self.path) as tunes:
            everything = [tunes[id] for id in tunes]
            query = tunes["white-cockade-1"]
            hits = tunes.search(query, "time", k=5)
            self.assertEqual([hit.rank for hit in hits], [1, 2, 3, 4, 5])
            scores = dict(zip(tunes.ids(), rondo.scores(query, everything, "time")))
            self.assertEqual([hit.score for hit in hits], sorted(scores.values(), reverse=True)[:5])
            alike = tunes.search(id="white-cockade-1", k=5)
            self.assertNotIn("white-cockade-1", [hit.id for hit in alike])
            short = tunes.search("'4CDECCDEC", where="notes < 15", k=100)
            self.assertTrue(all(len(tunes[hit.id]) < 15 or len(tunes[hit.id].voices) > 1 for hit in short))
            self.assertFails("query-short", tunes.search, "'4C")
            self.assertFails("system-unknown", tunes.search, "'4CDEC", "nonsense")
            with self.assertRaises(ValueError):
                tunes.search()
            with self.assertRaises(ValueError):
                tunes.search("'4CDEC", id="white-cockade-1")

    def test_a_function_is_a_system(self):
        def shared(query, document):
            if len(document) < 2:
                return None
            a, b = (set(map(int, numpy.diff(line.pitch))) for line in (query, document))
            return len(a & b) / len(a | b)

        with rondo.Collection(self.path) as tunes:
            query = tunes["white-cockade-1"]
            hits = tunes.search(query, shared, k=1000)
            self.assertEqual(hits[0].score, 1)
            self.assertEqual([hit.score for hit in hits], sorted((hit.score for hit in hits), reverse=True))
            some = hits[len(hits) // 2]
            steps = [set(map(int, numpy.diff([pitch for _, _, pitch in tune.notes]))) for tune in (query, tunes[some.id])]
            if len(tunes[some.id].voices) == 1:
                self.assertEqual(some.score, len(steps[0] & steps[1]) / len(steps[0] | steps[1]))
            few = tunes.search(query, shared, k=1000, where="notes < 15")
            self.assertTrue(0 < len(few) < len(hits))
            run = tunes.run([query], shared, k=3)
            self.assertNotIn("white-cockade-1", run["white-cockade-1"])
            with self.assertRaises(ZeroDivisionError):
                tunes.search(query, lambda query, document: 1 / 0)
            with self.assertRaises(RuntimeError):
                tunes.search(query, lambda query, document: "much")

    def test_a_change_is_found_at_once(self):
        tune = rondo.Melody.from_pae("'4C''C'C''C'C''C'D''D", id="leaps")
        with rondo.Collection(self.path, "write") as tunes:
            self.assertNotEqual(tunes.search(tune, k=1)[0].id, "leaps")
            with rondo.Collection(self.path, "write") as other:
                self.assertEqual(other.put(tune), "added")
                self.assertEqual(other.put(tune), "unchanged")
            self.assertEqual(tunes.search(tune, k=1)[0].id, "leaps")
            self.assertTrue(tunes.remove("leaps"))
            self.assertFalse(tunes.remove("leaps"))
            self.assertNotEqual(tunes.search(tune, k=1)[0].id, "leaps")
            self.assertFails("id-missing", tunes.put, rondo.Melody.from_pae("'4CDEC"))

    def test_opened_to_read_it_cannot_be_changed(self):
        with rondo.Collection(self.path) as tunes:
            self.assertFails("store-read-only", tunes.put, rondo.Melody.from_pae("'4CDEC", id="x"))
        self.assertFails("collection-closed", tunes.search, "'4CDECCDEC")
        self.assertFails("store-missing", rondo.Collection, self.folder / "none.db")
        with self.assertRaises(ValueError):
            rondo.Collection(self.path, "burn")

    def test_threads_share_it(self):
        with rondo.Collection(self.path) as tunes:
            expected = [hit.id for hit in tunes.search(id="white-cockade-1")]
            found = []
            threads = [
                threading.Thread(target=lambda: found.append([h.id for h in tunes.search(id="white-cockade-1")]))
                for _ in range(8)
            ]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            self.assertEqual(found, [expected] * 8)

    def test_a_run_answers_every_query_without_itself(self):
        with rondo.Collection(self.path) as tunes:
            queries = [tunes["white-cockade-1"], rondo.Melody.from_pae("'4CDECCDEC", id="typed")]
            run = tunes.run(queries, "shapeh", k=4)
            self.assertEqual(list(run), ["white-cockade-1", "typed"])
            self.assertEqual([len(answer) for answer in run.values()], [4, 4])
            self.assertNotIn("white-cockade-1", run["white-cockade-1"])
            self.assertIn("white-cockade-1", tunes.run(queries[:1], keep_self=True)["white-cockade-1"])

    def test_features_are_those_of_the_melodies(self):
        with rondo.Collection(self.path) as tunes:
            columns = tunes.features()
            self.assertEqual(set(columns["id"]), set(tunes))
            some = tunes.features(where="notes < 12")
            self.assertEqual(sorted(set(some["id"])), tunes.ids(where="notes < 12"))


if __name__ == "__main__":
    unittest.main()
