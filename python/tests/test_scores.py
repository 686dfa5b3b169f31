"""Scores, matrices, alignments and features are those of the library."""

import json
import math
import os
import signal
import subprocess
import sys
import threading
import time
import unittest

import numpy as np

import rondo
from case import DEMO, Case

TUNES = rondo.read(DEMO)[:12]


class Scores(Case):
    def test_a_row_of_the_matrix_is_the_scores_of_its_query(self):
        for system in ("shapeh", "P3", "ngr5", "rrf"):
            with self.subTest(system):
                matrix = rondo.matrix(TUNES, system)
                self.assertEqual((matrix.shape, matrix.dtype, matrix.flags.c_contiguous), ((12, 12), np.float64, True))
                for i in (0, 7):
                    np.testing.assert_array_equal(matrix[i], rondo.scores(TUNES[i], TUNES, system))

    def test_threads_do_not_change_a_bit(self):
        one = rondo.matrix(TUNES, "time", threads=1)
        np.testing.assert_array_equal(one, rondo.matrix(TUNES, "time", threads=4))

    def test_mirrored_is_the_upper_half(self):
        whole, half = rondo.matrix(TUNES), rondo.matrix(TUNES, mirrored=True)
        np.testing.assert_array_equal(np.triu(whole), np.triu(half))
        np.testing.assert_array_equal(half, half.T)

    def test_every_system_compares_two_melodies(self):
        a = "'4CDECCDECEF2G4EF2G"
        b = "'4DExFDDExFD8.A3AB4A"
        for row in rondo.systems():
            with self.subTest(row["name"]):
                self.assertFalse(math.isnan(rondo.similarity(a, b, row["name"])))
                self.assertGreaterEqual(rondo.similarity(a, a, row["name"]), rondo.similarity(a, b, row["name"]))

    def test_too_short_is_not_a_number(self):
        self.assertTrue(math.isnan(rondo.similarity("'4CDECCDEC", "'4C", "shapeh")))
        self.assertTrue(np.isnan(rondo.scores("'4CDECCDEC", ["'4C", "'4CDECCDEC"])).tolist() == [True, False])

    def test_settings_reach_the_system(self):
        row = next(row for row in rondo.systems() if row["parameters"])
        name, parameter = row["name"], next(iter(row["parameters"]))
        self.assertFails("parameter-unknown", rondo.similarity, "'4CDEC", "'4CDEC", name, settings={"x": 1})
        lowest = row["parameters"][parameter]["lowest"]
        self.assertFails(
            "parameter-out-of-range", rondo.similarity, "'4CDEC", "'4CDEC", name, settings={parameter: lowest - 1}
        )

    def test_nothing_against_nothing(self):
        self.assertEqual(rondo.matrix([]).shape, (0, 0))
        self.assertEqual(rondo.scores("'4CDECCDEC", []).shape, (0,))
        with self.assertRaises(TypeError):
            rondo.scores("'4CDEC", [3])

    def test_other_threads_run_meanwhile(self):
        seen = []
        done = threading.Event()

        def watch():
            while not done.is_set():
                seen.append(1)
                time.sleep(0.001)

        watcher = threading.Thread(target=watch)
        watcher.start()
        rondo.matrix(rondo.read(DEMO)[:60], "EMD", threads=1)
        done.set()
        watcher.join()
        self.assertGreater(len(seen), 5)

    def test_ctrl_c_ends_a_long_matrix(self):
        # 40,000 pairs of an hour's worth of earth mover's distances: it would never end in time by itself.
        script = (
            "import rondo; tunes = [rondo.Melody([(i, 1, 60 + (i * k) % 12) for i in range(200)]) for k in range(1, 200)]\n"
            "print('go', flush=True)\n"
            "try:\n    rondo.matrix(tunes, 'EMD')\nexcept KeyboardInterrupt:\n    print('stopped')\n"
        )
        child = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
        self.assertEqual(child.stdout.readline(), "go\n")
        time.sleep(0.3)
        child.send_signal(signal.SIGINT)
        out, _ = child.communicate(timeout=60)
        self.assertEqual(out, "stopped\n")

    def test_an_alignment_names_notes_of_both(self):
        found = rondo.align("'4CDEFG", "'4CDEFG", "vk-pitch")
        self.assertEqual([(s.kind, s.a, s.b) for s in found.steps], [("match", slice(i, i + 1, 1), slice(i, i + 1, 1)) for i in range(5)])
        self.assertAlmostEqual(sum(step.score for step in found.steps), found.total)
        self.assertEqual(found.score, rondo.similarity("'4CDEFG", "'4CDEFG", "vk-pitch"))

    def test_features_of_many_are_columns_of_one_length(self):
        columns = rondo.features(TUNES)
        self.assertEqual(len({len(column) for column in columns.values()}), 1)
        self.assertEqual(columns["notes"].tolist()[0], rondo.features(TUNES[0])["notes"])
        # C E G E: a third up, a third up, a third down.
        one = rondo.features("'4CEGE")
        self.assertEqual(one["diatonic"].tolist(), [2, 2, -2])
        self.assertEqual((one["thirds"], one["range"], one["rhythm"]), (3, 7, "EEE"))
        self.assertEqual(len(rondo.features([])["id"]), 0)


if __name__ == "__main__":
    unittest.main()
