"""The types as a checker of types sees them, and tables made of what the module gives."""

import pathlib
import subprocess
import sys
import unittest

import rondo
from case import DEMO, Case

BUILT = str(pathlib.Path(rondo.__file__).parents[1])
try:
    import mypy  # noqa: F401
except ImportError:
    mypy = None
try:
    import pandas
except ImportError:
    pandas = None

# What pybind11's classes have and no stub can say: their metaclass, and a constructor that always refuses.
OF_PYBIND11 = """rondo.Alignment
rondo.Alignment.__init__
rondo.Collection
rondo.Hit
rondo.Hit.__init__
rondo.Line
rondo.Line.__init__
rondo.Melody
rondo.Query
rondo.Query.__init__
rondo.Step
rondo.Step.__init__
"""

RIGHT = """
import numpy as np
import numpy.typing as npt
import rondo

tune = rondo.Melody([(0, "1/4", 60), (0.25, 0.25, 62), (0.5, 0.25, 64)])
near: float = rondo.similarity(tune, "'4CDE", "shapeh", settings={"time": 0.5})
table: npt.NDArray[np.float64] = rondo.matrix([tune, tune])
with rondo.Collection("tunes.db") as tunes:
    ids: list[str] = [hit.id for hit in tunes.search(tune, k=3)]
"""
WRONG = """
import rondo

rondo.Collection("tunes.db", "append")
rondo.similarity(3, 4)
rondo.no_such_thing
"""


def python(*words, folder):
    environment = {"PYTHONPATH": BUILT, "MYPYPATH": BUILT, "PATH": "/usr/bin:/bin"}
    return subprocess.run([sys.executable, "-m", *words], cwd=folder, env=environment, capture_output=True, text=True)


@unittest.skipIf(mypy is None, "needs the Debian package mypy")
class Types(Case):
    def check(self, program):
        (self.folder / "program.py").write_text(program)
        return python("mypy", "--strict", "program.py", folder=self.folder)

    def test_the_stub_is_what_the_module_has(self):
        (self.folder / "allowed").write_text(OF_PYBIND11)
        done = python("mypy.stubtest", "rondo", "--allowlist", "allowed", folder=self.folder)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_a_right_program_passes(self):
        done = self.check(RIGHT)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_mistakes_are_found(self):
        done = self.check(WRONG)
        for word in ("append", '"similarity"', "no_such_thing"):
            self.assertIn(word, done.stdout)


@unittest.skipIf(pandas is None, "needs the Debian package python3-pandas")
class Tables(unittest.TestCase):
    def test_features_are_a_table(self):
        melodies = rondo.read(DEMO)
        table = pandas.DataFrame(rondo.features(melodies))
        self.assertEqual(len(table), len(melodies))
        self.assertEqual(list(table["id"]), [melody.id for melody in melodies])
        wide = table[table["range"] > 12]
        self.assertTrue(0 < len(wide) < len(table))
        self.assertTrue((table["highest"] - table["lowest"] == table["range"]).all())

    def test_a_run_is_a_table_of_queries_and_documents(self):
        table = pandas.DataFrame({"q1": {"a": 2.0, "b": 1.0}})
        self.assertEqual(rondo.evaluate({"q1": [["a"], ["b"]]}, table.to_dict())["ADR"], 1.0)


if __name__ == "__main__":
    unittest.main()
