#!/usr/bin/env python3
"""Makes the demonstration study: real candidates from the demonstration collection, votes of people who do not exist.

usage: tools/simulate_study.py [RONDO] > data/demo/study.json

The same program and collection give the same file: everything random here comes from one seed. A simulated person
feels how far each candidate is from the query (its family's variants near, in the order of their numbers; what only a
retrieval system found far), errs by a normal distribution, ranks what feels near enough and leaves the rest unranked.
"""

import json
import pathlib
import random
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
RONDO = sys.argv[1] if len(sys.argv) > 1 else str(ROOT / "build" / "rondo")
FAMILIES = ["roslin-castle", "white-cockade", "ah-vous-dirai-je", "la-folia", "ode-to-joy", "amazing-grace",
            "god-save-the-king", "minuet-in-g"]
PEOPLE = 35
SEED = 2005
LETTERS = "23456789abcdefghijkmnpqrstuvwxyz"
INSTRUMENTS = ["piano", "voice", "violin", "guitar", "flute", "cello", "organ", "recorder", "clarinet"]
DAY = "2026-01-15T10:00:00.000Z"

INSTRUCTIONS = """Order the melodies by how much they resemble the one at the top, the most similar first. Leave below the line what does not resemble it.

Transpositions count as identical. Another clef or notation that sounds the same counts as identical. Where lengths differ, compare only the part that both have.
"""


def rondo(*arguments):
    return subprocess.run([RONDO, *arguments], check=True, capture_output=True, text=True).stdout


def draft(folder):
    """The study without its people, from a collection made for the purpose."""
    db = folder + "/demo.db"
    rondo("import", str(ROOT / "data" / "demo"), "--db", db)
    for family in FAMILIES:
        rondo("candidates", "make", family, "--db", db, "--like", family + "-1", "--system", "shapeh,time,P3", "--top", "9",
              "--title", family.replace("-", " "))
    pathlib.Path(folder + "/instructions.txt").write_text(INSTRUCTIONS)
    pathlib.Path(folder + "/consent.txt").write_text("Nobody took part in this study: its votes are simulated.\n")
    rondo("study", "create", "demo", "--db", db, "--candidates", ",".join(FAMILIES), "--simulated", "--plant-query",
          "--seed", str(SEED), "--title", "SIMULATED VOTES: eight families of the demonstration collection",
          "--instructions", folder + "/instructions.txt", "--consent", folder + "/consent.txt")
    return json.loads(rondo("study", "export", "demo", "--db", db))


def distances(query, chance):
    """How far each candidate truly is, by code."""
    family = query["melody"]["id"].rsplit("-", 1)[0]
    far = {}
    for place, candidate in enumerate(query["candidates"]):
        name, _, number = candidate["melody"]["id"].rpartition("-")
        if candidate["planted"]:
            far[candidate["code"]] = 0.0
        elif name == family:
            far[candidate["code"]] = 0.5 + 0.8 * (int(number) - 1)
        else:
            far[candidate["code"]] = 6.5 + 0.25 * place + chance.uniform(0, 4)
    return far


def ranking(far, person):
    """Care is how little a person errs, patience how far a melody may be and still be ranked."""
    felt = {code: distance + person["chance"].gauss(0, person["care"] * (0.55 + 0.09 * distance))
            for code, distance in far.items()}
    return [[code] for code in sorted(felt, key=felt.get) if felt[code] < person["patience"]]


def main():
    chance = random.Random(SEED)
    with tempfile.TemporaryDirectory(prefix="rondo-simulated-") as folder:
        study = draft(folder)
        study.update(state="closed", created=DAY)
        for query in study["queries"]:
            for candidate in query["candidates"]:
                candidate["code"] = "".join(chance.choice(LETTERS) for _ in range(8))
        far = [distances(query, chance) for query in study["queries"]]
        for number in range(1, PEOPLE + 1):
            person = {"chance": chance, "care": chance.uniform(0.5, 1.6), "patience": chance.uniform(5.5, 9.5)}
            answers = []
            for index, query in enumerate(study["queries"]):
                if chance.random() < 0.08:  # did not come so far
                    continue
                answers.append({"query": index + 1, "version": 1, "ranking": ranking(far[index], person), "done": True,
                                "saved": DAY})
            study["participants"].append({
                "number": number, "label": f"simulated {number}", "origin": "simulated", "joined": DAY, "last_seen": DAY,
                "consented": DAY, "answers": answers,
                "background": {"years": round(min(55, chance.gammavariate(3, 5)), 0),
                               "instruments": chance.sample(INSTRUMENTS, chance.randint(1, 3)), "remarks": ""}})
        pathlib.Path(folder + "/study.json").write_text(json.dumps(study))
        # In and out again, so that the file is laid out as the program does it, and is known to be read.
        db = folder + "/again.db"
        rondo("import", str(ROOT / "data" / "demo" / "folk.pae"), "--db", db)
        rondo("study", "import", folder + "/study.json", "--db", db)
        sys.stdout.write(rondo("study", "export", "demo", "--db", db))


if __name__ == "__main__":
    main()
