#!/usr/bin/env python3
"""How well every system finds tune families, as a whole and in pieces: makes docs/quality.md.

Every melody of MTC-ANN is a query and the others of its family are what it should find: whole, cut, out of the middle,
without rhythm, with wrong notes, alone and among the melodies of the Essen collection. Rondo does all the work; this
script only cuts the melodies, calls it and puts the numbers into tables. No note of a collection is written anywhere
but into a temporary folder.

  tools/quality.py                         every system; prints the page
  tools/quality.py --out docs/quality.md   writes it
  tools/quality.py --system rondo,P3       only these

It takes hours. What was measured stays in build/quality and is not measured again, so that it can be stopped at any
moment; after a change of a system, --again NAME measures that one anew. Needs numpy and PYTHONPATH=build/python.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Callable

HOME = Path(__file__).resolve().parent.parent
SHARED = Path(os.environ.get("RONDO_DATA", HOME.parent / "shared" / "data"))
DATA = SHARED / "mtc-ann" / "mtc-ann-dev.jsonl"
ESSEN = SHARED / "essen-abc"
EXPANDED = "rondo --expand"  # its first hits ordered anew by how they resemble each other
DEEPEST = 1000  # what comes later counts as not found
SLOW = ("EMD", "PTD")  # half an hour for a condition with the Essen melodies: they are measured in one of those only
RESAMPLES = 2000
SEED = 1


def notes_of(song):
    """[onset, duration, pitch] in whole notes. The collection says how long a note is in quarters and where it begins
    in ticks of a length of its own: that of the longest duration per tick, which a note without a rest behind it has."""
    quarters = [Fraction(d) for d in song["duration_quarters"]]
    ticks = song["onset_tick"]
    per_tick = [q / (b - a) for q, a, b in zip(quarters, ticks, ticks[1:]) if b > a]
    tick = max(per_tick, default=Fraction(1)) / 4
    return [[str(t * tick), str(q / 4), p] for t, q, p in zip(ticks, quarters, song["midipitch"])]


def in_quarters(notes):
    """The same pitches, all equally long."""
    return [[f"{i}/4", "1/4", note[2]] for i, note in enumerate(notes)]


def phrase(song, number):
    """The notes of a phrase, counted from 0; of a song with fewer its last."""
    names = list(dict.fromkeys(song["phrase"]))
    name = names[min(number, len(names) - 1)]
    return [note for note, of in zip(notes_of(song), song["phrase"]) if of == name]


def with_wrong_notes(song, count):
    """The first twenty notes, so many of them, never the same twice, off by one to four semitones."""
    generator = random.Random(f"{SEED} {song['id']} {count}")
    notes = notes_of(song)[:20]
    for place in generator.sample(range(len(notes)), count):
        onset, duration, pitch = notes[place]
        notes[place] = [onset, duration, pitch + generator.choice([-4, -3, -2, -1, 1, 2, 3, 4])]
    return notes


@dataclass
class Condition:
    name: str
    heading: str
    query: Callable  # song -> notes
    document: Callable  # notes of a song or of another melody -> what of them is in the collection
    among_others: bool = True


def first(count):
    return lambda notes: notes[:count]


def first_of(count):
    return lambda song: notes_of(song)[:count]


ALONE = [
    Condition("whole", "whole melodies", notes_of, lambda notes: notes, False),
    Condition("phrase", "first phrase", lambda song: phrase(song, 0), None, False),  # documents are cut like queries
    Condition("twenty", "first 20 notes", first_of(20), first(20), False),
]
AMONG_OTHERS = [
    Condition("library", "first 20 notes", first_of(20), first(20)),
    Condition("quiet", "the same without rhythm", lambda song: in_quarters(notes_of(song)[:20]), first(20)),
    Condition("fragment", "first 12 in whole songs", first_of(12), lambda notes: notes),
    Condition("quotation", "second phrase in whole songs", lambda song: phrase(song, 1), lambda notes: notes),
]
MISTAKES = [
    Condition(f"wrong-{count}", f"{count} wrong", lambda song, count=count: with_wrong_notes(song, count), first(20))
    for count in (1, 2, 4)
]


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


class Measurer:
    """Average precision of every query, by condition and system; each measured once."""

    def __init__(self, rondo, songs, kept, again, kept_only):
        self.rondo, self.songs, self.kept, self.again, self.kept_only = rondo, songs, kept, again, kept_only
        self.others = None

    def __call__(self, condition, systems):
        found, missing = {}, []
        for system in systems:
            path = self.path(condition, system)
            if path.exists() and system not in self.again:
                found[system] = json.loads(path.read_text())
            else:
                missing.append(system)
        if missing and not self.kept_only:
            with tempfile.TemporaryDirectory() as folder:
                self.measure(condition, missing, Path(folder), found)
        return found

    def path(self, condition, system):
        return self.kept / f"{condition.name} {system}.json"

    def measure(self, condition, systems, folder, found):
        print(f"{condition.name}:", file=sys.stderr)
        melodies, collection, truth = folder / "melodies.jsonl", folder / "melodies.db", folder / "families.json"
        queries = folder / "queries.jsonl"
        cut = condition.document
        with melodies.open("w") as out:
            for song in self.songs:
                notes = cut(notes_of(song)) if cut else condition.query(song)
                out.write(json.dumps({"id": song["id"], "family": song["family"], "notes": notes}) + "\n")
            for i, notes in enumerate(self.unrelated() if condition.among_others else []):
                out.write(json.dumps({"id": f"other{i}", "notes": cut(notes)}) + "\n")
        with queries.open("w") as out:
            for song in self.songs:
                out.write(json.dumps({"id": song["id"], "notes": condition.query(song)}) + "\n")
        self.rondo("import", melodies, "--db", collection)
        truth.write_text(self.rondo("truth", "from-labels", "--db", collection, "--field", "family", "--as", "json"))
        for system in systems:
            run = folder / "list.run"
            # A query that one of the systems cannot take, being too short for it, finds nothing.
            self.rondo("run", "--db", collection, "--queries", queries, "--system", *system.split(), "-k", DEEPEST,
                       "--out", run, "--threads", 1)
            if run.stat().st_size == 0:  # P1 finds all or nothing
                self.keep(condition, system, {song["id"]: 0.0 for song in self.songs}, found)
                continue
            measured = json.loads(self.rondo("evaluate", "--truth", truth, run, "-m", "AP", "-q", "--ties-as-written",
                                             "--format", "json"))
            self.keep(condition, system, values_of(measured), found)

    def keep(self, condition, system, values, found):
        found[system] = values
        self.path(condition, system).write_text(json.dumps(values))
        print(f"  {system}: {sum(values.values()) / len(values):.3f}", file=sys.stderr, flush=True)

    def unrelated(self):
        if self.others is None:
            self.others = unrelated(self.rondo)
        return self.others


def values_of(measured):
    """{query: average precision} of what `evaluate -q --format json` says."""
    run = measured["runs"][0]
    return {query: 0.0 for query in run["missing"]} | {query: of["AP"] for query, of in run["per_query"].items()}


def interval(values, families):
    """95 %, by drawing families, for the queries of one family are not independent of each other."""
    by_family = {}
    for query, value in values.items():
        by_family.setdefault(families[query], []).append(value)
    lists = [by_family[name] for name in sorted(by_family)]
    generator = random.Random(SEED)
    means = []
    for _ in range(RESAMPLES):
        drawn = [value for _ in lists for value in generator.choice(lists)]
        means.append(sum(drawn) / len(drawn))
    means.sort()
    return means[RESAMPLES * 25 // 1000], means[RESAMPLES * 975 // 1000]


def table(measured, conditions, families, tuned):
    """The best system for the first condition first."""
    lines = ["| system | " + " | ".join(condition.heading for condition in conditions) + " |",
             "| --- |" + " ---: |" * len(conditions)]

    def mean(system, condition):
        values = measured[condition.name][system].values()
        return sum(values) / len(values)

    for system in sorted(measured[conditions[0].name], key=lambda system: -mean(system, conditions[0])):
        cells = [system + ("*" if system in tuned else "")]
        for condition in conditions:
            if system not in measured[condition.name]:
                cells.append("")
                continue
            low, high = interval(measured[condition.name][system], families)
            cells.append(f"{mean(system, condition):.3f} ({low:.2f} to {high:.2f})")
        lines.append("| " + " | ".join(cells) + " |")
    return lines


def tuned_systems(rows):
    """Those whose row names this collection, and the mixtures they are part of."""
    tuned = [row["name"] for row in rows if "MTC-ANN" in row.get("evidence_note", "")]
    mixed = [row["name"] for row in rows if set(row.get("standard_parts", "").split("+")) & set(tuned)]
    tuned.append(EXPANDED)
    return tuned + [name for name in mixed if name not in tuned]


def page(songs, rows, measured, others):
    families = {song["id"]: song["family"] for song in songs}
    tuned = tuned_systems(rows)
    lines = [
        "# Quality: which system finds the tune",
        "",
        f"{len(songs)} Dutch folk song melodies that experts sorted into {len(set(families.values()))} tune families "
        "(MTC-ANN 2.0.1, Meertens Institute). Every",
        "melody is a query; the relevant melodies are the other members of its family. The tables show the mean average",
        "precision over all queries; hits after the first thousand count as not found. Ties are broken by each system's own",
        "rules.",
        "",
        "In brackets: 95% bootstrap interval, resampling whole families, because the queries of one family are not independent.",
        "There are few families, so the intervals are wide and only approximate. Systems are compared on the same queries, so a",
        "difference between two systems can be significant although their intervals overlap: `rondo evaluate --compare` tests",
        "that.",
        "",
        "Every system has its standard parameters; none was changed for this page. A star marks systems that were tuned on",
        "these melodies, as their notes in [systems.md](systems.md) say, or that have such a system as a part; their figures",
        f"do not predict the results for other melodies: {', '.join(tuned)}.",
        "",
        "shapetime re-ranks as many melodies as were requested: in the first table all of them, so its result is that of time.",
        "Empty cells were not measured.",
        "",
        "`tools/quality.py --out docs/quality.md` generates this page if the collections are available.",
        "",
        "## Equal cuts, no other melodies",
        "",
        "Queries and melodies of the collection are truncated in the same way.",
        "",
        *table(measured, ALONE, families, tuned),
    ]
    if others:
        lines += [
            "",
            "## Among unrelated melodies",
            "",
            f"The same queries in a collection that also has {others:,} melodies of the Essen folk song collection, "
            "truncated in the same",
            "way, which count as not relevant although a few may be related. Columns: the first twenty notes; the same as equal",
            "quarters, searched among melodies with rhythm; the first twelve notes, searched in whole songs; a quotation, the",
            "second phrase, searched in whole songs. EMD and PTD, which take half an hour per column, were measured in the first",
            "only.",
            "",
            *table(measured, AMONG_OTHERS, families, tuned),
            "",
            "## Mistakes",
            "",
            "The first twenty notes, of which one, two or four are wrong by one to four semitones, among the same melodies.",
            "",
            *table(measured, MISTAKES, families, tuned),
            "",
            "## Which parts a fusion should have",
            "",
            "All sets of two and three out of seventeen systems, and sets of four built around the best of these, were compared",
            "with combsum and 800 unrelated melodies, by the mean over seven of the conditions above (whole, first phrase, first 20,",
            "without rhythm, first 12, quotation, two wrong). time+GAR+vk-pitch has .641; with vk-phrase added .646, but worse",
            "results for fragments; the parts used until November 2026, time+GAR+GAM+ngr5, .590. In each of five folds over",
            "families there is a gain for fragments, quotations, queries without rhythm and mistakes; for equal cuts the difference",
            "is small and may be negative. The best set with rondo as a part is GAR+rondo+time with .692; rondo alone has .710, so",
            "the fusions do not include it.",
            "",
            "## Scores standardised per document",
            "",
            "Scores could be standardised by the distribution of each document's scores over all queries. Subtracting half of the",
            "document's mean improves rondo by .006 to .009 for equal cuts and worsens it by .006 to .009 for fragments,",
            "quotations, mistakes and queries without rhythm; dividing by the standard deviation as well changes it by .004, .008",
            "and -.002 for equal cuts, and worsens it by .09 to .20 elsewhere. So scores are not standardised.",
        ]
    return "\n".join(lines) + "\n"


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--rondo", default=HOME / "build" / "rondo", help="the program")
    options.add_argument("--data", type=Path, default=DATA, help="mtc-ann-dev.jsonl")
    options.add_argument("--system", help="only these, with commas between")
    options.add_argument("--quick", action="store_true", help="without the melodies of the Essen collection")
    options.add_argument("--kept", type=Path, default=HOME / "build" / "quality", help="where what was measured stays")
    options.add_argument("--again", default="", help="systems to measure anew, with commas between")
    options.add_argument("--kept-only", action="store_true", help="a page of what was measured; the rest stays empty")
    options.add_argument("--out", type=Path, help="where the page goes; else it is printed")
    given = options.parse_args()
    if not given.data.exists():
        sys.exit(f"{given.data} is not there; name it with --data, or its folder's parent with RONDO_DATA")
    rondo = Rondo(given.rondo)
    rows = json.loads(rondo("systems", "--format", "json"))
    systems = given.system.split(",") if given.system else [row["name"] for row in rows] + [EXPANDED]
    songs = [json.loads(line) for line in given.data.open()]
    given.kept.mkdir(parents=True, exist_ok=True)
    measurer = Measurer(rondo, songs, given.kept, given.again.split(","), given.kept_only)
    conditions = ALONE + ([] if given.quick else AMONG_OTHERS + MISTAKES)
    measured = {condition.name: measurer(condition, [name for name in systems if name not in SLOW])
                for condition in conditions}
    for condition in ALONE + AMONG_OTHERS[:1]:
        if condition in conditions:
            measured[condition.name] |= measurer(condition, [name for name in systems if name in SLOW])
    text = page(songs, rows, measured, 0 if given.quick else len(measurer.unrelated()))
    if not given.quick:
        import calibrate  # needs numpy and the Python package of this tree

        families = calibrate.numpy.array([song["family"] for song in songs])
        section, diagram = calibrate.section(calibrate.hits(given.kept / "hits.npy"), families)
        text += "\n" + "\n".join(section) + "\n"
        if given.out:
            (given.out.parent / "images" / "reliability.svg").write_text(diagram)
    if given.out:
        given.out.write_text(text)
    else:
        print(text, end="")


if __name__ == "__main__":
    main()
