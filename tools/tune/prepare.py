#!/usr/bin/env python3
"""Writes the melodies that tools/tune/tune.cpp reads: one line a melody, numbers only.

  tools/tune/prepare.py --out FOLDER

FOLDER/melodies.txt then has a line for each melody of MTC-ANN and of the Essen collection: family number (0: none),
notes of the first phrase (0: unknown), number of notes, then pitch, onset and duration of every note, times in ticks of
1/960 whole note. The melodies come from ../shared/data (or RONDO_DATA) and are written nowhere else.
"""

import argparse
import json
import os
import subprocess
import tempfile
from fractions import Fraction
from pathlib import Path

HOME = Path(__file__).resolve().parent.parent.parent
DATA = Path(os.environ.get("RONDO_DATA", HOME.parent / "shared" / "data"))
TICKS = 960


def mtc_songs():
    for line in (DATA / "mtc-ann" / "mtc-ann-dev.jsonl").open():
        song = json.loads(line)
        quarters = [Fraction(d) for d in song["duration_quarters"]]
        ticks = song["onset_tick"]
        per_tick = [q / (b - a) for q, a, b in zip(quarters, ticks, ticks[1:]) if b > a]
        tick = max(per_tick, default=Fraction(1)) / 4
        notes = [(p, t * tick, q / 4) for t, q, p in zip(ticks, quarters, song["midipitch"])]
        yield song["family"], song["phrase"].count(song["phrase"][0]), notes


def essen_songs(rondo):
    with tempfile.TemporaryDirectory() as folder:
        collection = Path(folder) / "essen.db"
        subprocess.run([rondo, "import", DATA / "essen-abc", "--db", collection], check=True, capture_output=True)
        exported = subprocess.run([rondo, "export", "--db", collection], check=True, capture_output=True, text=True)
    for line in exported.stdout.split("\n"):
        if not line:
            continue
        song = json.loads(line)
        notes, seen = [], set()
        for onset, duration, pitch in (n[:3] for n in song.get("notes", [])):
            onset, duration = Fraction(onset), Fraction(duration)
            if duration > 0 and onset not in seen:
                seen.add(onset)
                notes.append((pitch, onset, duration))
        if len(notes) >= 8:
            yield notes


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--rondo", default=HOME / "build" / "rondo", help="the program")
    options.add_argument("--out", type=Path, required=True)
    given = options.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    families = {}
    with (given.out / "melodies.txt").open("w") as out:

        def write(family, phrase, notes):
            numbers = [family, phrase, len(notes)]
            for pitch, onset, duration in notes:
                numbers += [pitch, round(onset * TICKS), round(duration * TICKS)]
            out.write(" ".join(map(str, numbers)) + "\n")

        for family, phrase, notes in mtc_songs():
            write(families.setdefault(family, len(families) + 1), phrase, notes)
        for notes in essen_songs(given.rondo):
            write(0, 0, notes)


if __name__ == "__main__":
    main()
