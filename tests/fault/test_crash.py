"""Torn writes: the power fails at any moment of an import, votes, decisions, a backup and more, and of what was not
synced any subset of sectors survives. What is there afterwards is sound, and everything that was acknowledged is in it.

RONDO_FAULT_SEEDS=N tries N seeds. One crash again: RONDO_FAULT_SEED=S with RONDO_FAULT_SEEDS=1. No two logs of a server
are alike, so a failure also keeps the folder as the crash left it, and names it.
"""

import contextlib
import os
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import unittest

import crash
import faults
from faults import Bench, check, contents, decisions_in, first_records, people_in, studies, vote_in
from serving import Server
from studying import Participant, Researcher

SEEDS = int(os.environ.get("RONDO_FAULT_SEEDS", "500"))
FIRST = int(os.environ.get("RONDO_FAULT_SEED", "1"))


class History:
    """The states of one thing, each with the moments at which it was asked for and acknowledged, as offsets in the log."""

    def __init__(self, look):
        self.look = look
        self.states = []

    def add(self, asked, acknowledged, state):
        self.states.append((asked, acknowledged, state))

    def allowed(self, moment):
        known = max(i for i, (_, acknowledged, _) in enumerate(self.states) if acknowledged <= moment)
        return [state for asked, _, state in self.states[known:] if asked <= moment]


READER = """
import sqlite3, sys
database = sqlite3.connect(sys.argv[1], isolation_level=None)
database.execute("BEGIN")
database.execute("SELECT count(*) FROM piece").fetchone()
print("reading", flush=True)
sys.stdin.read()
"""


# Its journal has a block for each melody.
PAIRS = ["concordances", "--db", "c.db", "--out", "pairs.csv", "--min-score", "0.01", "--min-notes", "2"]


class Recorder:
    """Lives a few minutes in the life of a collection, and writes down what was acknowledged when."""

    def __init__(self, bench):
        self.bench = bench
        self.db = bench.at("c.db")
        self.copy = bench.at("copy.db")
        self.histories = {
            "collection": History(lambda: contents(self.db)),
            "copy": History(lambda: contents(self.copy)),
            "studies of the copy": History(lambda: studies(self.copy)),
            "restored": History(lambda: contents(bench.at("again.db"))),
            "studies of the restored": History(lambda: studies(bench.at("again.db"))),
            "people": History(lambda: people_in(self.db)),
            "decisions": History(lambda: decisions_in(self.db)),
            "vote 1": History(lambda: vote_in(self.db, 1)),
            "vote 2": History(lambda: vote_in(self.db, 2)),
        }
        with open(bench.log, "wb"):
            pass
        with open(bench.at("old.pae"), "w") as file:
            file.write(first_records("hymns.pae", 12))
        new = first_records("hymns.pae", 11).replace("@title:", "@title:The ", 1)
        with open(bench.at("new.pae"), "w") as file:
            file.write(new + "\n\n" + first_records("folk.pae", 3))
        self.kept = {}
        for name in os.listdir(bench.work):
            path = bench.at(name)
            with open(path, "rb") as file:
                self.kept[path] = (os.stat(path).st_ino, file.read())
        for history in self.histories.values():
            history.add(0, 0, history.look())

    def now(self):
        return os.path.getsize(self.bench.log)

    def run(self, *arguments, changes=()):
        asked = self.now()
        code, out, error = self.bench.run(arguments, log=True)
        assert code == 0, (arguments, out, error)
        acknowledged = self.now()
        for name in changes:
            history = self.histories[name]
            history.add(asked, acknowledged, history.look())
        return out

    def record(self):
        self.run("import", "old.pae", "--db", "c.db", changes=["collection"])
        self.run("candidates", "make", "set", "--db", "c.db", "--like", faults.SET, "--system", "shapeh", "--top", "5")
        self.run("study", "create", "votes", "--candidates", "set", "--db", "c.db")
        self.run("study", "open", "votes", "--db", "c.db")
        out = self.run("study", "invite", "votes", "--count", "2", "--db", "c.db", changes=["people"])
        self.codes = [word.split("#")[1] for word in out.split() if "#" in word]
        self.token = self.run("study", "token", "--db", "c.db").split()[-1]
        self.serve(1)
        with self.reader():
            self.run("import", "new.pae", "--db", "c.db", changes=["collection"])
        self.run("backup", "c.db", "copy.db", changes=["copy", "studies of the copy"])
        self.serve(2)
        self.run("index", "--db", "c.db", "--rebuild")
        self.run("backup", "--restore", "copy.db", "c.db", changes=["collection", "people", "vote 1", "vote 2"])
        self.run("backup", "--restore", "copy.db", "again.db", changes=["restored", "studies of the restored"])
        self.run(*PAIRS)

    @contextlib.contextmanager
    def reader(self):
        """Another process that reads an older state, so that nothing can be moved from the log into the file."""
        process = subprocess.Popen([sys.executable, "-c", READER, self.db], env=self.bench.environment(log=True),
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        try:
            assert process.stdout.readline() == b"reading\n"
            yield
        finally:
            process.communicate()

    def serve(self, seed):
        """Votes and decisions in turn."""
        chance = random.Random(seed)
        environment = self.bench.environment(log=True)
        server = Server(self.db, launcher=["env", *(f"{k}={environment[k]}" for k in environment if "FAULT" in k or k == "LD_PRELOAD")])
        try:
            researcher = Researcher(server, self.token)
            people = [Participant(server, "votes", code).join().agree() for code in self.codes]
            for turn in range(16):
                number = turn % 2
                person = people[number]
                task = person.task(1)
                ranking = [[one["code"]] for one in chance.sample(task["candidates"], chance.randint(1, 5))]
                asked = self.now()
                answer = person.save(1, task["version"], ranking, done=chance.random() < 0.5)
                assert answer.status == 200, answer.body
                acknowledged = self.now()
                history = self.histories[f"vote {number + 1}"]
                history.add(asked, acknowledged, history.look())
                asked = self.now()
                # Lines of all lengths: some cross from one sector into the next.
                answer = researcher.ask("PUT", "/api/v1/concordances/decisions", {
                    "a": {"id": faults.SET, "voice": 0}, "b": {"id": chance.choice(self.others()), "voice": 0},
                    "decision": chance.choice(["accepted", "rejected"]), "note": "n" * chance.randint(0, 700)})
                assert answer.status == 200, answer.body
                acknowledged = self.now()
                history = self.histories["decisions"]
                history.add(asked, acknowledged, history.look())
            for one in [researcher, *people]:
                one.close()
        finally:
            code = server.stop()
        assert code == 0, server.log

    def others(self):
        database = sqlite3.connect(self.db)
        try:
            return [row[0] for row in database.execute("SELECT id FROM piece WHERE id > ? ORDER BY id", (faults.SET,))]
        finally:
            database.close()


class Crashes(unittest.TestCase):
    def test_what_was_acknowledged_survives_a_crash_and_nothing_is_half(self):
        with tempfile.TemporaryDirectory(prefix="rondo-crash-") as folder:
            bench = Bench(folder)
            recorder = Recorder(bench)
            recorder.record()
            steps = crash.read_log(bench.log)
            final = {name: history.look() for name, history in recorder.histories.items()}
            self.assertTrue(all(len(h.states) > 1 for h in recorder.histories.values()))
            acknowledged = {a for history in recorder.histories.values() for _, a, _ in history.states}
            after = [number + 1 for number, step in enumerate(steps) if step.end in acknowledged]
            before = [number for number, step in enumerate(steps) if step.kind == "S"]
            moments = {}
            for seed in range(FIRST, FIRST + SEEDS):
                chance = random.Random(seed)
                # Any moment, or just after something was acknowledged, or just before something is synced.
                among = chance.choice([range(len(steps) + 1), after, before])
                moments.setdefault(among[int(chance.random() * len(among))], []).append((seed, chance))
            disk = crash.Disk(bench.work, recorder.kept)
            failures = []
            tried = 0
            end = 0
            for number in range(len(steps) + 1):
                for seed, chance in moments.get(number, []):
                    tried += 1
                    shutil.rmtree(bench.work)
                    os.mkdir(bench.work)
                    crash.write_files(disk.after_crash(chance), bench.work, bench.work)
                    shutil.copytree(bench.work, bench.kept)
                    found = self.look(recorder, end)
                    if found:
                        kept = f"/tmp/rondo-crash-{seed}"
                        shutil.rmtree(kept, ignore_errors=True)
                        shutil.copytree(bench.kept, kept)
                        failures.append(f"seed {seed}, step {number} of {len(steps)}: {'; '.join(found)} ({kept})")
                    shutil.rmtree(bench.kept)
                if number < len(steps):
                    disk.step(steps[number])
                    end = steps[number].end
            print(f"{tried} crashes at {len(moments)} of {len(steps)} steps; {len(failures)} failures")
            self.assertEqual(tried, SEEDS)
            self.assertEqual(failures, [], "\n".join(failures))
            # And the model itself: without a crash it says what is there.
            shutil.rmtree(bench.work)
            os.mkdir(bench.work)
            for file in disk.inodes.values():
                file.sync()
            for one in disk.name_steps:
                crash.change_name(disk.names, one)
            crash.write_files({name: file.synced for name, file in disk.names.items()}, bench.work, bench.work)
            self.assertEqual({name: history.look() for name, history in recorder.histories.items()}, final)

    def look(self, recorder, moment):
        found = []
        for name in ["c.db", "copy.db", "again.db"]:
            path = recorder.bench.at(name)
            if os.path.exists(path) and os.path.getsize(path) > 0:
                found += [f"check of {name}: {what}" for what in check(recorder.bench, name)
                          if "the file is empty" not in what]  # the program calls it no collection, as below
        if os.path.exists(recorder.bench.at("pairs.csv.journal")):  # what was begun can be continued
            done = subprocess.run([faults.PROGRAM, *PAIRS], cwd=recorder.bench.work, capture_output=True, text=True)
            if done.returncode != 0:
                found.append(f"concordances: {done.stderr}")
        for name, history in recorder.histories.items():
            try:
                state = history.look()
            except Exception as problem:
                state = f"{type(problem).__name__}: {problem}"
            if state not in history.allowed(moment):
                found.append(f"{name} is {str(state)[:200]}, not one of {str(history.allowed(moment))[:300]}")
        return found


if __name__ == "__main__":
    unittest.main()
