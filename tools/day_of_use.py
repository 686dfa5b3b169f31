#!/usr/bin/env python3
"""A day of light use in ten minutes: whether a server that runs for long keeps memory, descriptors and threads.

    tools/day_of_use.py [--minutes 10] [--count 20000] [--program build/rondo]

People search, page, look at melodies, vote, hang up in the middle and send nonsense, some 25,000 requests in all; every
hour (a 24th of the time) a backup is made, every sixth the collection is imported anew with other titles, so that the
server makes a new snapshot, and once a day it is told to open its files again. Prints the state at every hour, and fails
if the last six hours need more than the six after the first three by 5 % of memory or by an open file, or if connections
or threads are left when everybody has gone.
"""

import argparse
import os
import pathlib
import random
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--count", type=int, default=20000, help="melodies of the collection")
    parser.add_argument("--rate", type=float, default=40, help="requests a second")
    parser.add_argument("--program", default=str(ROOT / "build" / "rondo"))
    return parser.parse_args()


class Person(threading.Thread):
    """Does something at its pace until the day is over."""

    def __init__(self, day, number):
        super().__init__(daemon=True)
        self.day = day
        self.chance = random.Random(number)
        self.answers = {}

    def run(self):
        pause = self.day.people / self.day.rate
        while not self.day.over.wait(self.chance.uniform(0, 2 * pause)):
            try:
                status = self.act()
            except (OSError, self.day.http.HTTPException) as problem:
                status = type(problem).__name__
            self.answers[status] = self.answers.get(status, 0) + 1

    def act(self):
        server, chance, ids = self.day.server, self.chance, self.day.ids
        what = chance.random()
        if what < 0.45:
            system = chance.choice(["shapeh", "shapeh", "time", "contour", "P2", "combsum"])
            return server.get("/api/v1/search", {"id": chance.choice(ids), "system": system, "k": 10}).status
        if what < 0.6:
            notes = "".join(chance.choice("CDEFGAB") for _ in range(6))
            return server.get("/api/v1/search", {"q": notes, "where": f"range > {chance.randint(0, 12)}"}).status
        if what < 0.8:
            return server.ask("/api/v1/melodies/" + self.day.quote(chance.choice(ids))).status
        if what < 0.9:
            return server.ask(chance.choice(["/", "/health", "/metrics", "/api/v1/systems", "/api/v1/collection"])).status
        if what < 0.93:
            return server.get("/api/v1/export", {"id": chance.choice(ids), "k": 200}).status
        if what < 0.96:  # hangs up while the answer is made
            with socket.create_connection(("127.0.0.1", server.port)) as plain:
                target = f"/api/v1/search?system=EMD&id={self.day.quote(chance.choice(ids))}"
                plain.sendall(f"GET {target} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
            return "hung up"
        server.raw(chance.choice([b"GET / HTTP/9\r\n\r\n", b"\x16\x03\x01\x00\r\n\r\n", b"POST / HTTP/1.1\r\n\r\n"]))
        return "nonsense"


class Voter(Person):
    def __init__(self, day, number, code):
        super().__init__(day, number)
        self.seat = day.participant(day.server, "day", code).join().agree()
        self.codes = [c["code"] for c in self.seat.task(1)["candidates"]]
        self.version = 0

    def act(self):
        order = [[c] for c in self.chance.sample(self.codes, len(self.codes))]
        answer = self.seat.save(1, self.version, order)
        self.version += answer.status == 200
        return f"vote {answer.status}"


class Day:
    def __init__(self, options):
        os.environ["RONDO_PROGRAM"] = options.program
        sys.path.insert(0, str(ROOT / "tests" / "http"))
        import http.client
        import urllib.parse

        import serving
        import studying

        self.http = http.client
        self.quote = lambda text: urllib.parse.quote(text, safe="")
        self.serving, self.participant, self.researcher = serving, studying.Participant, studying.Researcher
        self.make_sets, self.run_program = studying.make_sets, studying.run
        self.options = options
        self.over = threading.Event()
        self.rate = options.rate
        self.people = 24

    def write(self, folder, title):
        made = pathlib.Path(folder) / "tunes.jsonl"
        text = self.run_program("generate", "--count", str(self.options.count), "--seed", "9", "--format", "jsonl")
        made.write_text(text.replace('"title":"', f'"title":"{title} '))
        return str(made)

    def state(self):
        pid = self.server.process.pid
        with open(f"/proc/{pid}/statm") as statm:
            megabytes = int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6
        kinds = []
        for name in os.listdir(f"/proc/{pid}/fd"):
            try:
                kinds.append(os.readlink(f"/proc/{pid}/fd/{name}").startswith("socket:"))
            except FileNotFoundError:
                pass  # closed meanwhile
        return megabytes, kinds.count(False), kinds.count(True), len(os.listdir(f"/proc/{pid}/task"))

    def work_of_the_hour(self, folder, hour):
        copy = os.path.join(folder, f"copy-{hour}.db")
        self.run_program("backup", self.db, copy)
        for name in pathlib.Path(folder).glob("copy-*"):
            name.unlink()
        if hour % 6 == 3:
            self.run_program("import", self.write(folder, f"Hour {hour}"), "--db", self.db, "--reread")
        if hour == 12:
            self.server.process.send_signal(signal.SIGHUP)

    def live(self, folder):
        self.db = os.path.join(folder, "tunes.db")
        self.run_program("import", self.write(folder, "First"), "--db", self.db)
        self.ids = self.run_program("export", "--db", self.db, "--format", "csv").splitlines()
        self.ids = [line.split(",")[0] for line in self.ids[1:2001]]
        self.make_sets(self.db, [self.ids[0]], top=8)
        token = self.run_program("study", "token", "--db", self.db).strip()
        self.server = self.serving.Server(self.db)
        researcher = self.researcher(self.server, token)
        researcher.make_study("day", [self.ids[0]])
        researcher.open("day")
        people = [Voter(self, n, one["code"]) for n, one in enumerate(researcher.invite("day", 4))]
        people += [Person(self, n) for n in range(4, self.people)]
        researcher.close()
        for person in people:
            person.start()
        before = self.state()
        states = []
        hour_length = self.options.minutes * 60 / 24
        started = time.monotonic()
        print("hour  megabytes  files  sockets  threads", flush=True)
        for hour in range(24):
            self.work_of_the_hour(folder, hour)
            time.sleep(max(0, started + (hour + 1) * hour_length - time.monotonic()))
            states.append(self.state())
            megabytes, files, sockets, threads = states[-1]
            print(f"{hour + 1:4}  {megabytes:9.1f}  {files:5}  {sockets:7}  {threads:7}", flush=True)
        self.over.set()
        for person in people:
            person.join()
            if isinstance(person, Voter):
                person.seat.close()
        deadline = time.monotonic() + 60  # connections are noticed to be gone by and by
        after = self.state()
        while (after[2] > before[2] or after[3] > before[3]) and time.monotonic() < deadline:
            time.sleep(0.5)
            after = self.state()
        answers = {}
        for person in people:
            for status, count in person.answers.items():
                answers[status] = answers.get(status, 0) + count
        print(f"{sum(answers.values())} requests:", ", ".join(f"{k}: {v}" for k, v in sorted(answers.items(), key=str)))
        code = self.server.stop()
        return self.verdict(states, before, after, answers, code)

    def verdict(self, states, before, after, answers, code):
        early = [statistics.median(s[i] for s in states[3:9]) for i in range(2)]
        late = [statistics.median(s[i] for s in states[-6:]) for i in range(2)]
        growth = 100 * (late[0] / early[0] - 1)
        print(f"memory {early[0]:.1f} -> {late[0]:.1f} MB ({growth:+.1f} %), files {early[1]:g} -> {late[1]:g}; before and after: "
              f"sockets {before[2]} -> {after[2]}, threads {before[3]} -> {after[3]}; the server ended with {code}")
        bad = [status for status in answers if isinstance(status, int) and status >= 500 and status != 503]
        left = after[2] > before[2] or after[3] > before[3]
        fine = growth <= 5 and late[1] <= early[1] + 1 and not left and code == 0 and not bad
        print("fine" if fine else f"NOT fine {bad}")
        return 0 if fine else 1


def main():
    options = arguments()
    with tempfile.TemporaryDirectory(prefix="rondo-day-") as folder:
        return Day(options).live(folder)


if __name__ == "__main__":
    sys.exit(main())
