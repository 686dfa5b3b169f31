#!/usr/bin/env python3
"""A study of the size of the paper, from the invitation to printed tables, with votes of people who do not exist.

    tools/paper_study.py FOLDER [--rondo PROGRAM] [--people 35] [--candidates 50] [--seed 2005] [--no-pdf]

Typke and others (2005) had 35 participants, 11 queries and about 50 candidates for each; few judged every query. This
script does what a researcher would do, step by step, and leaves everything in FOLDER:

 1. a collection: the demonstration collection and generated melodies around it      collection.db
 2. candidates for eleven queries: what several systems find, about 50 each
 3. a study of them, marked as simulated, and its invitations                        codes.json
 4. the server; every participant joins with a code, agrees, tells of experience, and ranks queries in the order that
    the server gives, saving after each few moves. Most stop before the last query; some leave a ranking unfinished
    (it must not count); one hands in whatever comes first
 5. the careless one is left out with a reason; one other withdraws, and the data are deleted
 6. the study is closed; votes, truth, figures and tables are written               votes.csv, truth.json,
                                                          figures.csv, figures.json, figures.tex, tables.html
 7. the tables are printed, where Chromium is installed                             tables.pdf

Everything random comes from the seed, except the codes that the server makes up.
"""

import argparse
import http.client
import json
import pathlib
import random
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
FAMILIES = ["roslin-castle", "white-cockade", "greensleeves", "ah-vous-dirai-je", "la-folia", "ode-to-joy", "amazing-grace",
            "minuet-in-g", "innsbruck", "god-save-the-king", "frere-jacques"]
INSTRUMENTS = ["piano", "voice", "violin", "guitar", "flute", "cello", "organ", "recorder", "clarinet"]


class Server:
    """`rondo serve` on a port of its own."""

    def __init__(self, program, db):
        self.process = subprocess.Popen([program, "serve", "--db", db, "--port", "0", "--studies-only"],
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        found = re.search(r"http://([^/]*):(\d+)/", self.process.stdout.readline())
        if not found:
            sys.exit("the server did not start")
        self.port = int(found.group(2))

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.process.terminate()
        self.process.wait(30)
        self.process.stdout.close()


class Person:
    """A participant with a browser: a code, cookies, and the word that every write carries."""

    def __init__(self, server, study, code):
        self.connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=120)
        self.study = study
        self.cookies = {}
        self.csrf = ""
        self.saves = 0
        self.csrf = self.ask("POST", f"/api/v1/study/{study}/join", {"code": code})["csrf"]

    def ask(self, method, path, body=None):
        headers = {"Content-Type": "application/json"}
        if self.cookies:
            headers["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        if self.csrf and method != "GET":
            headers["X-Rondo-Csrf"] = self.csrf
        self.connection.request(method, path, body=None if body is None else json.dumps(body), headers=headers)
        response = self.connection.getresponse()
        for line in response.headers.get_all("Set-Cookie") or []:
            name, _, value = line.split(";")[0].partition("=")
            self.cookies[name] = value
        text = response.read()
        if response.status >= 400:
            sys.exit(f"{method} {path}: {response.status} {text.decode()}")
        return json.loads(text) if text else None

    def at(self, rest=""):
        return f"/api/v1/study/{self.study}/me{rest}"

    def save(self, query, version, ranking, done):
        self.saves += 1
        self.ask("PUT", self.at(f"/queries/{query}/ranking"),
                 {"version": version, "save": f"save-{self.saves}", "ranking": ranking, "done": done})


def gather(rondo, folder, options):
    """Steps 1 to 3: the collection, the candidates, the study."""
    db = str(folder / "collection.db")
    rondo("import", str(ROOT / "data" / "demo"), "--db", db)
    (folder / "generated.jsonl").write_text(rondo("generate", "--count", "500", "--seed", str(options.seed)))
    rondo("import", str(folder / "generated.jsonl"), "--db", db)
    for family in FAMILIES:
        rondo("candidates", "make", family, "--db", db, "--like", family + "-1", "--system", "shapeh,time,P3", "--top",
              str(max(3, options.candidates * 2 // 5)), "--title", family.replace("-", " "))
    (folder / "instructions.txt").write_text(
        "Order the melodies by how much they resemble the one at the top. Leave below the line what does not resemble it.\n"
        "Transpositions count as identical. Where lengths differ, compare only the part that both have.\n")
    (folder / "consent.txt").write_text(
        "Stored are: your rankings and when you changed them, the years of experience and the instruments that you tell, "
        "and a label by which the researcher knows you, if there is one. You may withdraw; then all of this is deleted.\n")
    rondo("study", "create", "paper", "--db", db, "--candidates", ",".join(FAMILIES), "--simulated", "--plant-query", "--seed",
          str(options.seed), "--title", "SIMULATED VOTES: a study of the paper's size", "--instructions",
          str(folder / "instructions.txt"), "--consent", str(folder / "consent.txt"))
    codes = rondo("study", "invite", "paper", "--db", db, "--count", str(options.people), "--format", "json")
    (folder / "codes.json").write_text(codes)
    rondo("study", "open", "paper", "--db", db)
    return db, json.loads(codes)


def distances(study, chance):
    """How far each candidate truly is from its query, by code: variants of the tune near, the rest far."""
    far = {}
    for query in study["queries"]:
        family = query["melody"]["id"].rsplit("-", 1)[0]
        for place, candidate in enumerate(query["candidates"]):
            name, _, number = candidate["melody"]["id"].rpartition("-")
            if candidate["planted"]:
                far[candidate["code"]] = 0.0
            elif name == family and number.isdigit():
                far[candidate["code"]] = 0.5 + 0.8 * (int(number) - 1)
            else:
                far[candidate["code"]] = 6 + 0.1 * place + chance.uniform(0, 4)
    return far


def take_part(person, far, chance, careless):
    """Step 4 for one participant."""
    person.ask("PUT", person.at("/consent"), {"agreed": True})
    person.ask("PUT", person.at("/background"),
               {"years": round(min(55, chance.gammavariate(3, 5))), "instruments": chance.sample(INSTRUMENTS, chance.randint(1, 3)),
                "remarks": ""})
    care, patience = chance.uniform(0.5, 1.6), chance.uniform(6, 9.5)
    queries = person.ask("GET", person.at())["queries"]
    reached = len(queries) if chance.random() < 0.4 else chance.randint(4, len(queries) - 1)
    for number in range(1, reached + 1):
        codes = [candidate["code"] for candidate in person.ask("GET", person.at(f"/queries/{number}"))["candidates"]]
        felt = {code: far[code] + chance.gauss(0, care * (0.55 + 0.09 * far[code])) for code in codes}
        ranked = codes[:5] if careless else [code for code in sorted(codes, key=felt.get) if felt[code] < patience]
        ranking = [[code] for code in ranked]
        half = ranking[: max(1, len(ranking) // 2)]
        person.save(number, 0, half, False)
        stopped = number == reached and reached < len(queries) and chance.random() < 0.5
        if not stopped:
            person.save(number, 1, ranking, True)


def print_tables(folder):
    """Step 7: the page as PDF; the program that prints waits until all staves are engraved."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if not chromium:
        print("no Chromium: open tables.html and print it", file=sys.stderr)
        return
    subprocess.run([chromium, "--headless=new", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=600000",
                    "--no-pdf-header-footer", f"--print-to-pdf={folder / 'tables.pdf'}", (folder / "tables.html").as_uri()],
                   check=True, capture_output=True)


def main():
    parser = argparse.ArgumentParser(description="A study of the paper's size with simulated participants.")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--rondo", default=str(ROOT / "build" / "rondo"))
    parser.add_argument("--people", type=int, default=35)
    parser.add_argument("--candidates", type=int, default=50)
    parser.add_argument("--seed", type=int, default=2005)
    parser.add_argument("--no-pdf", action="store_true")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)

    def rondo(*arguments):
        done = subprocess.run([options.rondo, *arguments], capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"rondo {' '.join(arguments)}: {done.stderr}")
        return done.stdout

    folder = options.folder
    db, codes = gather(rondo, folder, options)
    chance = random.Random(options.seed)
    far = distances(json.loads(rondo("study", "export", "paper", "--db", db)), chance)
    people = codes["invitations"] if isinstance(codes, dict) else codes
    careless = people[2]["number"]
    with Server(options.rondo, db) as server:
        for invitation in people:
            take_part(Person(server, "paper", invitation["code"]), far, chance, invitation["number"] == careless)
    rondo("study", "leave-out", "paper", "--db", db, "--participant", str(careless), "--reason", "put the first five melodies on top")
    print(rondo("study", "withdraw", "paper", "--db", db, "--participant", str(people[-1]["number"])), end="")
    rondo("study", "close", "paper", "--db", db)
    (folder / "votes.csv").write_text(rondo("study", "export", "paper", "--db", db, "--format", "csv"))
    (folder / "study.json").write_text(rondo("study", "export", "paper", "--db", db))
    for form in ("json", "csv", "tex"):
        truth = rondo("truth", "build", "--db", db, "--study", "paper", "--format", "json", "--figures",
                      str(folder / f"figures.{form}"), "--tables", str(folder / "tables.html"))
    (folder / "truth.json").write_text(truth)
    if not options.no_pdf:
        print_tables(folder)
    print(f"everything is in {folder}")


if __name__ == "__main__":
    main()
