#!/usr/bin/env python3
"""How well every system finds the tune families of MTC-ANN: writes the table of docs/quality.md.

Every melody is a query and the others of its family are what it should find, under three conditions: whole melodies,
the first phrase of each, its first twenty notes. Rondo does all the work; this script only cuts the melodies, calls it
and puts the numbers into a table. No note of the collection is written anywhere but into a temporary folder.

  tools/mtc_ann_quality.py                       every system; prints the page
  tools/mtc_ann_quality.py --out docs/quality.md writes it
  tools/mtc_ann_quality.py --system shapeh,P3    only these
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from fractions import Fraction
from pathlib import Path

HOME = Path(__file__).resolve().parent.parent
SHARED = Path(os.environ.get("RONDO_DATA", HOME.parent / "shared" / "data"))
DATA = SHARED / "mtc-ann" / "mtc-ann-dev.jsonl"
ESSEN = SHARED / "essen-abc"
EXPANDED = "rondo --expand"  # its first hits ordered anew by how they resemble each other
DEEPEST = 1000  # what comes later counts as not found

# What is harder: a name, a heading, how many notes remain of a query and of a melody it is looked for among, whether
# the query keeps its rhythm. All among the melodies of the Essen collection as well, cut alike.
HARD = [
    ("distractors", "first 20", 20, 20, True),
    ("quiet", "first 20, no rhythm", 20, 20, False),
    ("in-whole", "first 12 in whole songs", 12, None, True),
]

# What the melodies are cut to: a name, a heading, and how many notes remain.
CONDITIONS = [
    ("whole", "whole melodies", lambda song: len(song["midipitch"])),
    ("phrase", "first phrase", lambda song: song["phrase"].count(song["phrase"][0])),
    ("twenty", "first 20 notes", lambda song: 20),
]


def notes_of(song):
    """[onset, duration, pitch] in whole notes. The collection says how long a note is in quarters and where it begins
    in ticks of a length of its own: that of the longest duration per tick, which a note without a rest behind it has."""
    quarters = [Fraction(d) for d in song["duration_quarters"]]
    ticks = song["onset_tick"]
    per_tick = [q / (b - a) for q, a, b in zip(quarters, ticks, ticks[1:]) if b > a]
    tick = max(per_tick, default=Fraction(1)) / 4
    return [[str(t * tick), str(q / 4), p] for t, q, p in zip(ticks, quarters, song["midipitch"])]


class Rondo:
    def __init__(self, program):
        self.program = program

    def __call__(self, *arguments):
        done = subprocess.run([self.program, *map(str, arguments)], capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"rondo {' '.join(map(str, arguments))}\n{done.stderr}")
        return done.stdout


def unrelated(rondo):
    """The notes of the melodies of the Essen collection."""
    with tempfile.TemporaryDirectory() as folder:
        collection = Path(folder) / "essen.db"
        rondo("import", ESSEN, "--db", collection)
        return [json.loads(line)["notes"] for line in rondo("export", "--db", collection).split("\n") if line]


def in_quarters(notes):
    """The same pitches, all equally long."""
    return [[f"{i}/4", "1/4", note[2]] for i, note in enumerate(notes)]


def measure(rondo, songs, cut, systems, folder, others=(), query_cut=None, rhythm=True):
    """For each system (mean average precision, its interval, seconds). Queries are the melodies unless they are cut
    otherwise or lose their rhythm."""
    melodies, collection, truth = folder / "melodies.jsonl", folder / "melodies.db", folder / "families.json"
    with melodies.open("w") as out:
        for song in songs:
            piece = {"id": song["id"], "family": song["family"], "notes": notes_of(song)[: cut(song)]}
            out.write(json.dumps(piece) + "\n")
    rondo("import", melodies, "--db", collection)
    if others:
        more = folder / "others.jsonl"
        more.write_text("".join(json.dumps({"id": f"other{i}", "notes": notes[: cut(None)]}) + "\n"
                                for i, notes in enumerate(others)))
        rondo("import", more, "--db", collection)
    if query_cut or not rhythm:
        melodies = folder / "queries.jsonl"
        with melodies.open("w") as out:
            for song in songs:
                notes = notes_of(song)[:query_cut]
                out.write(json.dumps({"id": song["id"], "notes": notes if rhythm else in_quarters(notes)}) + "\n")
    truth.write_text(rondo("truth", "from-labels", "--db", collection, "--field", "family", "--as", "json"))
    rondo("run", "--db", collection, "--queries", melodies, "--system", "shapeh", "--out", folder / "index.warm")
    found = {}
    for system in systems:
        run = folder / f"{system}.run"
        start = time.monotonic()
        rondo("run", "--db", collection, "--queries", melodies, "--system", *system.split(), "-k",
              min(DEEPEST, len(songs) + len(others)), "--out", run, "--threads", 1)
        seconds = time.monotonic() - start
        compared = json.loads(rondo("evaluate", "--truth", truth, run, "-m", "AP", "--compare", "--ties-as-written",
                                    "--format", "json"))
        figures = compared[0]["systems"][0]
        found[system] = (figures["mean"], figures["interval"], seconds)
        print(f"  {system}: {figures['mean']:.3f} in {seconds:.1f} s", file=sys.stderr, flush=True)
    return found


def hard_table(hard, tuned):
    """The harder conditions as Markdown, the best system for the first of them first."""
    lines = ["", "## Among unrelated melodies", "",
             "The same queries among 8,500 melodies of the Essen folk song collection besides, cut alike, which count as",
             "wrong though a few may be relatives: first twenty notes; the same as equal quarters, the melodies with their",
             "rhythm; first twelve notes in whole songs.", "",
             "| system | " + " | ".join(heading for _, heading, _, _, _ in HARD) + " |",
             "| --- |" + " ---: |" * len(HARD)]
    for system in sorted(hard[HARD[0][0]], key=lambda s: -hard[HARD[0][0]][s][0]):
        cells = [system + ("*" if system in tuned else "")]
        for name, *_ in HARD:
            mean, (low, high), _ = hard[name][system]
            cells.append(f"{mean:.3f} ({low:.3f} to {high:.3f})")
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def page(songs, rows, measured):
    """The page as Markdown, the best system for whole melodies first."""
    families = len({song["family"] for song in songs})
    tuned = tuned_systems(rows)
    lines = [
        "# Quality: the tune families of MTC-ANN",
        "",
        f"{len(songs)} Dutch folk song melodies that experts sorted into {families} tune families (MTC-ANN 2.0.1, Meertens",
        "Institute). Every melody is a query; right answers are the other members of its family. Mean average precision",
        "over all queries, with its 95% bootstrap interval, each melody whole, its first phrase only, and its first twenty",
        "notes only; queries are cut like the melodies they are looked for among. Equal scores stay in the order each",
        "system's own rules give them.",
        "",
        "Every system has its standard parameters, and none was changed for this page. Some have met these melodies before,",
        "as their notes in [systems.md](systems.md) say, or are made of one that has; they are marked with a star, and their",
        f"figures are no forecast for other melodies: {', '.join(tuned)}. The intervals treat queries as independent of each",
        "other, though those of one family are not: take them as too narrow.",
        "",
        "Seconds: all queries, one thread, starting the program and reading its index included, on a machine that had other",
        "work too; they tell orders of magnitude ([benchmarks.md](benchmarks.md) has the speeds).",
        "",
        "shapetime ranks anew as many melodies as it is asked for: here all of them, so it is time itself.",
        "",
        "`tools/mtc_ann_quality.py --out docs/quality.md` makes this page anew where the collection is at hand.",
        "",
        "| system | " + " | ".join(f"{heading} | seconds" for _, heading, _ in CONDITIONS) + " |",
        "| --- |" + " ---: | ---: |" * len(CONDITIONS),
    ]
    for system in sorted(measured["whole"], key=lambda s: -measured["whole"][s][0]):
        cells = [system + ("*" if system in tuned else "")]
        for name, _, _ in CONDITIONS:
            mean, (low, high), seconds = measured[name][system]
            cells += [f"{mean:.3f} ({low:.3f} to {high:.3f})", f"{seconds:.1f}"]
        lines.append("| " + " | ".join(cells) + " |")
    lines += ["", "In order of the other two conditions:", ""]
    for name, heading, _ in CONDITIONS[1:]:
        best = sorted(measured[name], key=lambda s: -measured[name][s][0])
        lines.append(f"- {heading}: " + ", ".join(f"{s} {measured[name][s][0]:.3f}" for s in best) + ".")
    return "\n".join(lines) + "\n"


def tuned_systems(rows):
    """Those whose row names this collection, and the mixtures they are part of."""
    tuned = [row["name"] for row in rows if "MTC-ANN" in row.get("evidence_note", "")]
    mixed = [row["name"] for row in rows if set(row.get("standard_parts", "").split("+")) & set(tuned)]
    tuned.append(EXPANDED)
    return tuned + [name for name in mixed if name not in tuned]


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--rondo", default=HOME / "build" / "rondo", help="the program")
    options.add_argument("--data", type=Path, default=DATA, help="mtc-ann-dev.jsonl")
    options.add_argument("--system", help="only these, with commas between")
    options.add_argument("--quick", action="store_true", help="without the melodies of the Essen collection")
    options.add_argument("--out", type=Path, help="where the page goes; else it is printed")
    given = options.parse_args()
    if not given.data.exists():
        sys.exit(f"{given.data} is not there; name it with --data, or its folder's parent with RONDO_DATA")
    rondo = Rondo(given.rondo)
    rows = json.loads(rondo("systems", "--format", "json"))
    systems = given.system.split(",") if given.system else [row["name"] for row in rows] + [EXPANDED]
    songs = [json.loads(line) for line in given.data.open()]
    measured = {}
    for name, heading, cut in CONDITIONS:
        print(f"{heading}:", file=sys.stderr)
        with tempfile.TemporaryDirectory() as folder:
            measured[name] = measure(rondo, songs, cut, systems, Path(folder))
    text = page(songs, rows, measured)
    if not given.quick:
        others = unrelated(rondo)
        hard = {}
        for name, heading, queries, documents, rhythm in HARD:
            print(f"{heading}, {len(others)} others:", file=sys.stderr)
            with tempfile.TemporaryDirectory() as folder:
                hard[name] = measure(rondo, songs, lambda song: documents, systems, Path(folder), others, queries, rhythm)
        text += hard_table(hard, tuned_systems(rows))
    if given.out:
        given.out.write_text(text)
    else:
        print(text, end="")


if __name__ == "__main__":
    main()
