"""Melodies from files, bytes, lists and arrays."""

import pickle
import unittest
import warnings
from fractions import Fraction

import numpy as np

import rondo
from case import DEMO, Case


class Melodies(Case):
    def test_times_may_be_numbers_fractions_texts_and_floats(self):
        tune = rondo.Melody([(0, Fraction(1, 12), 60), ("1/12", 1 / 12, 62), (1 / 6, 0.333333, 64)])
        self.assertEqual(
            tune.notes,
            [
                (Fraction(0), Fraction(1, 12), 60),
                (Fraction(1, 12), Fraction(1, 12), 62),
                (Fraction(1, 6), Fraction(1, 3), 64),
            ],
        )

    def test_a_unit_turns_quarters_into_whole_notes(self):
        rows = np.array([[0, 1, 60], [1, 0.5, 62], [1.5, 0.5, 64]])
        tune = rondo.Melody(rows, unit="1/4")
        self.assertEqual(tune.onset.tolist(), [0, 0.25, 0.375])
        self.assertEqual(tune.duration.tolist(), [0.25, 0.125, 0.125])
        self.assertEqual(tune.pitch.dtype, np.int64)
        columns = rondo.Melody.from_arrays(rows[:, 0], rows[:, 1], rows[:, 2], unit=Fraction(1, 4))
        self.assertEqual(columns.notes, tune.notes)

    def test_what_no_melody_can_have_is_an_error(self):
        self.assertFails("melody-pitch", rondo.Melody, [(0, 1, 128)])
        self.assertFails("melody-pitch", rondo.Melody, [(0, 1, 60.5)])
        self.assertFails("melody-time", rondo.Melody, [(0, float("nan"), 60)])
        self.assertFails("melody-time", rondo.Melody, [(0, float("inf"), 60)])
        self.assertFails("melody-time", rondo.Melody, [(-1, 1, 60)])
        self.assertFails("melody-time", rondo.Melody, [(0, "a third", 60)])
        self.assertFails("melody-time", rondo.Melody, [(0, 10**30, 60)])
        self.assertFails("melody-time", rondo.Melody, [(0, 1, 60)], unit=0)
        with self.assertRaises(ValueError):
            rondo.Melody([(0, 1)])
        with self.assertRaises(ValueError):
            rondo.Melody(np.zeros((3, 2)))
        with self.assertRaises(ValueError):
            rondo.Melody.from_arrays([0, 1], [1, 1], [60])
        with self.assertRaises(TypeError):
            rondo.Melody(5)

    def test_no_notes_make_a_melody_that_cannot_be_compared(self):
        empty = rondo.Melody([])
        self.assertEqual((len(empty), empty.voices, empty.notes), (0, [], []))
        self.assertFails("melody-empty", rondo.similarity, empty, "'4CDEC")

    def test_any_format_is_converted_to_any(self):
        tune = b"X:1\nT:Tune\nL:1/4\nK:G\nGABc|defg|\n"
        expected = rondo.read(tune)[0].notes
        for name in ["pae", "midi", "kern", "abc", "esac", "musicxml", "mei", "jsonl"]:
            [text] = rondo.convert(tune, name)
            self.assertIsInstance(text, bytes if name == "midi" else str)
            data = text if isinstance(text, bytes) else text.encode()
            self.assertEqual(rondo.read(data)[0].notes, expected, name)
        two = rondo.convert(tune + b"\nX:2\nK:C\nCDEF|\n", "kern")
        self.assertEqual(len(two), 2)
        self.assertFails("format-unknown", rondo.convert, b"\0\1\2\3", "abc")
        with self.assertRaises(Exception):
            rondo.convert(tune, "cuneiform")

    def test_the_melody_of_several_voices_is_found(self):
        duet = b'X:1\nL:1/4\nV:1 name="Bass"\nV:2 name="Melody"\nK:C\nV:1\nC,2|G,2|\nV:2\nce|dB|\n'
        self.assertEqual(len(rondo.read(duet)[0].voices), 2)
        self.assertEqual([n[2] for n in rondo.read(duet, voices="melody")[0].notes], [72, 76, 74, 71])
        self.assertIn("MEL[+1+3  +27", rondo.convert(duet, "esac", voices="melody")[0])
        self.assertFails("argument-voices", rondo.read, duet, voices="some")

    def test_a_melody_survives_pickling(self):
        for tune in rondo.read(DEMO)[:5]:
            self.assertEqual(pickle.loads(pickle.dumps(tune)), tune)

    def test_every_format_that_is_written_reads_back(self):
        tune = rondo.Melody.from_pae("'4CDEC/8GAGF4EC", id="round")
        for name in ("pae", "abc", "kern", "mei", "jsonl", "midi"):
            with self.subTest(name):
                written = tune.write(name)
                self.assertIsInstance(written, bytes if name == "midi" else str)
                back = rondo.read(written if name == "midi" else written.encode())
                self.assertEqual(back[0].pitch.tolist(), tune.pitch.tolist())
                self.assertEqual(back[0].onset.tolist(), tune.onset.tolist())
        self.assertFails("format-unknown", tune.write, "wax cylinder")

    def test_arrays_are_the_callers_own(self):
        tune = rondo.Melody.from_pae("'4CDEC")
        tune.pitch[0] = 99
        self.assertEqual(tune.pitch[0], 60)

    def test_a_bad_record_costs_itself_and_warns(self):
        text = b'{"id": "good", "notes": [[0, 1, 60]]}\n{"id": "bad", "notes": [[0, 1, 900]]}\n'
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            self.assertEqual([tune.id for tune in rondo.read(text)], ["good"])
        self.assertEqual(len(caught), 1)
        self.assertIn("bad", str(caught[0].message))
        error = self.assertFails("jsonl-value", rondo.read, text, strict=True)
        self.assertIn("record bad", error.place)

    def test_what_is_not_music_is_an_error_with_its_place(self):
        self.assertFails("format-unknown", rondo.read, b"\x00\x01 nothing of the kind")
        self.assertFails("file-empty", rondo.read, b"")
        self.assertIn("nowhere", str(self.assertFails("file-not-found", rondo.read, self.folder / "nowhere.abc")))


if __name__ == "__main__":
    unittest.main()
