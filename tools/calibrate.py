#!/usr/bin/env python3
"""What a score of the system rondo says about whether a hit is the same tune: fits the calibration and measures it.

Five melodies of each family of MTC-ANN, mixed with unrelated ones, are the collections; every melody of MTC-ANN is a
query, under nine conditions (whole, beginnings, without rhythm, longer than what is found) in collections of several
sizes. A hit is right if it is of the query's family, or the query itself. The numbers are fitted on twelve families and
measured on the thirteenth, each in turn.

  tools/calibrate.py                     prints the numbers for src/similarity/systems/rondo.cpp and how good they are

The hits are gathered once and stay in build/quality; tools/quality.py puts what this measures into docs/quality.md.
Needs numpy and the Python package of this tree (PYTHONPATH=build/python).
"""

import argparse
import json
import sys
import tempfile
from fractions import Fraction
from pathlib import Path

import numpy
import quality
import rondo

SEED = 3
HITS = 200  # of each query
SAMPLE = 500  # melodies that tell how a query's scores are spread, as in src/search/score_spread.cpp
DOCUMENTS = 5  # of each family
LEAST, HIGH_SCORE = 0.03, 0.7  # as in src/similarity/calibration.cpp
BINS = [0, 0.05, 0.2, 0.5, 0.8, 0.95, 1.0001]


def first(count):
    return lambda notes: notes[:count]


def whole(notes):
    return notes


def from_the_start(notes):
    start = Fraction(notes[0][0])
    return [[str(Fraction(onset) - start), duration, pitch] for onset, duration, pitch in notes]


def windows(melodies):
    """Twenty notes from everywhere: more melodies than there are beginnings."""
    return [from_the_start(notes[at : at + 20]) for notes in melodies for at in range(0, max(1, len(notes) - 19), 5)]


# A name, what of a melody is asked, what of it is in the collection, and whether the others are windows.
CONDITIONS = [
    ("20 notes in 20", first(20), first(20), False),
    ("20 notes in 20, more", first(20), first(20), True),
    ("20 without rhythm in 20", lambda notes: quality.in_quarters(notes[:20]), first(20), True),
    ("12 notes in 20", first(12), first(20), True),
    ("8 notes in 20", first(8), first(20), True),
    ("12 notes in whole songs", first(12), whole, False),
    ("8 notes in whole songs", first(8), whole, False),
    ("whole songs in whole songs", whole, whole, False),
    ("30 notes in 12", first(30), first(12), True),
]
SIZES = {False: [10**6, 2000, 150], True: [10**6, 20000, 2000, 150]}


def gather():
    """Rows of condition, melodies, query, right, score, median, 95th percentile, rank."""
    generator = numpy.random.default_rng(SEED)
    songs = [json.loads(line) for line in quality.DATA.open()]
    families = numpy.array([song["family"] for song in songs])
    notes = [quality.notes_of(song) for song in songs]
    others = quality.unrelated(quality.Rondo(quality.HOME / "build" / "rondo"))
    windowed = windows(others)
    kept = set()
    for family in sorted(set(families)):
        members = numpy.flatnonzero(families == family)
        kept |= set(generator.choice(members, min(DOCUMENTS, len(members)), replace=False).tolist())
    rows = []
    for number, (name, asked, stored, in_windows) in enumerate(CONDITIONS):
        pool = windowed if in_windows else others
        for size in SIZES[in_windows]:
            chosen = generator.permutation(len(pool))[:size]
            documents = [(f"m{i}", stored(notes[i])) for i in sorted(kept)]
            documents += [(f"o{i}", stored(pool[i])) for i in chosen]
            queries = [(str(i), asked(one)) for i, one in enumerate(notes)]
            with tempfile.TemporaryDirectory() as folder:
                rows += hits_of(Path(folder), number, queries, documents, families, generator)
            print(f"{name}, {len(documents)} melodies", file=sys.stderr, flush=True)
    return numpy.array(rows, dtype=float)


def read(path, items):
    path.write_text("".join(json.dumps({"id": name, "notes": notes}) + "\n" for name, notes in items))
    return list(rondo.read(path))


def hits_of(folder, condition, queries, documents, families, generator):
    melodies = read(folder / "melodies.jsonl", documents)
    rows = []
    with rondo.Collection(folder / "melodies.db", "create") as collection:
        collection.import_files(folder / "melodies.jsonl")
        for query, melody in enumerate(read(folder / "queries.jsonl", queries)):
            sample = generator.permutation(len(melodies))[:SAMPLE]
            scores = numpy.array(rondo.scores(melody, [melodies[i] for i in sample], "rondo"))
            middle, high = numpy.quantile(scores[numpy.isfinite(scores)], [0.5, 0.95])
            for rank, hit in enumerate(collection.search(melody, k=HITS, system="rondo")):
                right = hit.id[0] == "m" and families[int(hit.id[1:])] == families[query]
                rows.append((condition, len(melodies), query, right, hit.score, middle, high, rank))
    return rows


def features(rows):
    condition, melodies, query, right, score, middle, high, rank = rows.T
    distinction = (score - middle) / numpy.maximum(high - middle, LEAST)
    high = numpy.maximum(score - HIGH_SCORE, 0)
    return numpy.stack([numpy.ones_like(score), score, high, distinction, numpy.log(melodies / 1000)], axis=1)


def fit(x, y):
    """Logistic regression by Newton's method, each step shortened until it helps."""
    weights = numpy.zeros(x.shape[1])
    little = 1e-2

    def loss(w):
        odds = x @ w
        return numpy.sum(numpy.logaddexp(0, odds) - y * odds) + little / 2 * (w @ w)

    now = loss(weights)
    for _ in range(100):
        p = probability(x, weights)
        gradient = x.T @ (y - p) - little * weights
        curvature = (x * (p * (1 - p) + 1e-6)[:, None]).T @ x + little * numpy.eye(len(weights))
        step = numpy.linalg.solve(curvature, gradient)
        while loss(weights + step) > now and numpy.abs(step).max() > 1e-9:
            step /= 2
        weights = weights + step
        before, now = now, loss(weights)
        if before - now < 1e-6:
            break
    return weights


def probability(x, weights):
    return 1 / (1 + numpy.exp(-numpy.clip(x @ weights, -40, 40)))


def cross_validated(rows, families):
    x, y, of = features(rows), rows[:, 3], families[rows[:, 2].astype(int)]
    p = numpy.zeros(len(y))
    for family in sorted(set(families)):
        held_out = of == family
        p[held_out] = probability(x[held_out], fit(x[~held_out], y[~held_out]))
    return p


def brier(p, y):
    return numpy.mean((p - y) ** 2)


def reliability(p, y):
    """(mean probability, share of right hits, hits) of each bin."""
    out = []
    for low, high in zip(BINS, BINS[1:]):
        inside = (p >= low) & (p < high)
        if inside.any():
            out.append((p[inside].mean(), y[inside].mean(), int(inside.sum())))
    return out


def diagram(p, y):
    """Reliability as SVG: for each tenth what was said against what was so, the area of a point by its hits."""
    size, edge = 320, 48
    bins = [(p >= k / 10) & (p < (k + 1) / 10 + (k == 9)) for k in range(10)]
    most = max(inside.sum() for inside in bins)

    def x(value):
        return edge + value * size

    def at(value):
        return edge / 2 + (1 - value) * size

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size + 2 * edge} {size + 1.75 * edge}" '
           f'width="{size + 2 * edge}" font-family="sans-serif" font-size="12">',
           "<title>Reliability of the probabilities</title>",
           f'<rect width="100%" height="100%" fill="#fff"/><path d="M{x(0)} {at(1)}V{at(0)}H{x(1)}" fill="none" stroke="#444"/>',
           f'<path d="M{x(0)} {at(0)}L{x(1)} {at(1)}" stroke="#999" stroke-dasharray="4 4"/>']
    for k in range(0, 11, 2):
        out.append(f'<text x="{x(k / 10)}" y="{at(0) + 16}" text-anchor="middle">{10 * k}%</text>')
        out.append(f'<text x="{x(0) - 6}" y="{at(k / 10) + 4}" text-anchor="end">{10 * k}%</text>')
    out.append(f'<text x="{x(0.5)}" y="{at(0) + 34}" text-anchor="middle">probability said</text>')
    out.append(f'<text transform="translate(12 {at(0.5)}) rotate(-90)" text-anchor="middle">share that was right</text>')
    for inside in bins:
        if inside.any():
            radius = 3 + 9 * float(numpy.sqrt(inside.sum() / most))
            out.append(f'<circle cx="{x(p[inside].mean()):.1f}" cy="{at(y[inside].mean()):.1f}" r="{radius:.1f}" '
                       f'fill="#1f5f99" fill-opacity="0.7"><title>{int(inside.sum())} hits</title></circle>')
    return "\n".join(out + ["</svg>"]) + "\n"


def section(rows, families):
    """The part of docs/quality.md, and its diagram."""
    p, y = cross_validated(rows, families), rows[:, 3]
    top = rows[:, 7] < 10
    share = y[top].mean()
    lines = [
        "## How certain a hit is",
        "",
        "With the system `rondo` and its standard parameters, each hit has the probability that it is the same tune. It is a",
        "logistic function of the score (steeper for high scores), of how far the score exceeds those of 500 other melodies of",
        "the collection, and of the size of the collection: the same score means less among a million melodies than among a",
        "thousand.",
        f"`tools/calibrate.py` fits its five numbers: {DOCUMENTS} melodies of each family among up to "
        f"{int(rows[:, 1].max()):,} others, every melody",
        "of MTC-ANN as a query under nine conditions. What follows was measured on families that the numbers were not fitted",
        "on, each family in turn.",
        "",
        f"Brier score of the first ten hits of every query: {brier(p[top], y[top]):.3f}; always predicting the average",
        f"({share:.2f}) has {share * (1 - share):.3f}.",
        "",
        "![Reliability diagram, predicted probability against the observed share: the points lie along the diagonal](images/reliability.svg)",
        "",
        "| predicted probability | hits | mean probability | share of correct hits |",
        "| --- | ---: | ---: | ---: |",
    ]
    for (low, high), (said, right, count) in zip(zip(BINS, BINS[1:]), reliability(p[top], y[top])):
        lines.append(f"| {low:.0%} to {min(high, 1):.0%} | {count:,} | {said:.2f} | {right:.2f} |")
    lines += [
        "",
        "By condition, in the largest collection of each (share of correct hits for each predicted probability):",
        "",
        "| condition | melodies | Brier | Brier of the average | " + " | ".join(
            f"{low:.0%} to {min(high, 1):.0%}" for low, high in zip(BINS, BINS[1:])) + " |",
        "| --- | ---: | ---: | ---: |" + " ---: |" * (len(BINS) - 1),
    ]
    for number, (name, *_) in enumerate(CONDITIONS):
        own = rows[:, 0] == number
        largest = rows[own, 1].max()
        these = own & top & (rows[:, 1] == largest)
        average = y[these].mean()
        cells = [name, f"{int(largest):,}", f"{brier(p[these], y[these]):.3f}", f"{average * (1 - average):.3f}"]
        for low, high in zip(BINS, BINS[1:]):
            inside = these & (p >= low) & (p < high)
            cells.append(f"{y[inside].mean():.2f}" if inside.sum() >= 10 else "")
        lines.append("| " + " | ".join(cells) + " |")
    lines += [
        "",
        "The families are Dutch folk songs with four or five relatives each in these collections. If a tune has fewer",
        "relatives, or a collection has many melodies that are similar for other reasons (dances over the same bass, chants),",
        "the probabilities are probably too high. Collections of more than about 60,000 melodies were not measured.",
    ]
    return lines, diagram(p[top], y[top])


def hits(kept):
    """Those that were kept, or new ones, kept."""
    if not kept.exists():
        numpy.save(kept, gather())
    return numpy.load(kept)


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--kept", type=Path, default=quality.HOME / "build" / "quality" / "hits.npy",
                         help="where the hits stay, so that they are gathered once")
    given = options.parse_args()
    families = numpy.array([json.loads(line)["family"] for line in quality.DATA.open()])
    rows = hits(given.kept)
    names = ["constant", "score", "high_score", "distinction", "size"]
    print(", ".join(f".{name} = {value:.3f}" for name, value in zip(names, fit(features(rows), rows[:, 3]))))
    print("\n".join(section(rows, families)[0]))


if __name__ == "__main__":
    main()
