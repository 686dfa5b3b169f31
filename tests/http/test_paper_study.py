"""The study of the paper's size that tools/paper_study.py runs, and its truth worked out again in R."""

import csv
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

from serving import PROGRAM, ROOT


def counted_ranks(study):
    """(query, candidate, rank) of every vote that counts, from the exported study: finished, not left out."""
    for participant in study["participants"]:
        if participant.get("excluded"):
            continue
        for answer in participant["answers"]:
            if not answer["done"]:
                continue
            query = study["queries"][answer["query"] - 1]
            # A planted query has the id of its query: told apart by its code.
            names = {one["code"]: "planted" if one["planted"] else one["melody"]["id"] for one in query["candidates"]}
            place = 0
            for tier in answer["ranking"]:
                for code in tier:
                    yield query["melody"]["id"], names[code], place + (len(tier) + 1) / 2
                place += len(tier)


class PaperStudy(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory(prefix="rondo-paper-")
        cls.folder = pathlib.Path(cls.scratch.name)
        done = subprocess.run([sys.executable, "-B", str(ROOT / "tools" / "paper_study.py"), str(cls.folder), "--rondo", PROGRAM,
                               "--no-pdf"], capture_output=True, text=True)
        if done.returncode != 0:
            raise AssertionError(done.stderr)
        cls.said = done.stdout
        cls.study = json.loads((cls.folder / "study.json").read_text())

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    def test_it_has_the_size_of_the_paper(self):
        self.assertEqual(len(self.study["queries"]), 11)
        self.assertEqual(len(self.study["participants"]), 34, "35, of whom one withdrew")
        self.assertEqual(self.study["withdrawn"], 1)
        sizes = [len(query["candidates"]) for query in self.study["queries"]]
        self.assertTrue(all(30 <= size <= 70 for size in sizes), sizes)
        finished = [sum(answer["done"] for answer in one["answers"]) for one in self.study["participants"]]
        self.assertTrue(any(count < 11 for count in finished) and any(count == 11 for count in finished))
        self.assertIn("Receipt", self.said)

    def test_what_is_printed_is_there(self):
        with open(self.folder / "figures.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertGreater(len(rows), 11 * 5)
        self.assertIn("\\toprule", (self.folder / "figures.tex").read_text())
        figures = json.loads((self.folder / "figures.json").read_text())
        self.assertEqual(sum(len(query["candidates"]) for query in figures["queries"]), len(rows))
        self.assertIn("left_out", (self.folder / "tables.html").read_text())

    @unittest.skipUnless(shutil.which("Rscript"), "R is not installed")
    def test_r_finds_the_same_groups(self):
        ranks = self.folder / "ranks.tsv"
        with open(ranks, "w") as file:
            for query, candidate, rank in counted_ranks(self.study):
                print(query, candidate, rank, sep="\t", file=file)
        groups = self.folder / "groups.tsv"
        subprocess.run(["Rscript", str(ROOT / "tests" / "oracle" / "study_truth.R"), str(ranks), str(groups)], check=True)
        theirs = {}
        for line in groups.read_text().splitlines():
            query, candidate, group = line.split("\t")
            theirs.setdefault(query, {})[candidate] = int(group)
        ours = {}
        with open(self.folder / "figures.csv", newline="") as file:
            for row in csv.DictReader(file):
                candidate = "planted" if row["candidate"] == row["query"] else row["candidate"]
                ours.setdefault(row["query"], {})[candidate] = int(row["group"])
        self.assertEqual(ours, theirs)


if __name__ == "__main__":
    unittest.main()
