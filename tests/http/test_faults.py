"""What goes wrong around the server: missing permissions, a clock that jumps, an address that everybody reaches, commands
killed at any moment, copies made under load."""

import glob
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import tempfile
import threading
import time
import unittest

from serving import PROGRAM, ROOT, Server, import_demo
from studying import Client, Participant, Researcher, make_sets, run

SET = "white-cockade-1"


def make_study(db, people=1):
    """A study of one query, open; gives the token and the codes of the people."""
    make_sets(db, [SET], top=6)
    token = run("study", "token", "--db", db).strip()
    with Server(db) as server:
        researcher = Researcher(server, token)
        researcher.make_study("faults", [SET])
        researcher.open("faults")
        codes = [one["code"] for one in researcher.invite("faults", people)]
        researcher.close()
    return token, codes


@unittest.skipUnless(os.geteuid() == 0 and shutil.which("setpriv"), "needs root, to become somebody else")
class Permissions(unittest.TestCase):
    """Everything belongs to root; who asks is nobody."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="rondo-rights-")
        os.chmod(self.folder.name, 0o755)
        self.program = os.path.join(self.folder.name, "rondo")
        shutil.copy(PROGRAM, self.program)
        self.db = import_demo(self.folder.name)
        self.token, self.codes = make_study(self.db)
        for name in os.listdir(self.folder.name):
            if name != "rondo":
                os.chmod(os.path.join(self.folder.name, name), 0o644)
        self.nobody = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"]

    def tearDown(self):
        self.folder.cleanup()

    def ask(self, *arguments):
        return subprocess.run([*self.nobody, self.program, *arguments], capture_output=True, text=True,
                              cwd=self.folder.name)

    def refused(self, answer, *words):
        self.assertEqual(answer.returncode, 1, answer)
        for word in words:
            self.assertIn(word, answer.stderr + answer.stdout)

    def test_what_may_be_read_is_searched_and_served(self):
        found = self.ask("search", "--db", self.db, "--id", SET, "-k", "2")
        self.assertEqual(found.returncode, 0, found)
        with Server(self.db, launcher=self.nobody) as server:
            self.assertEqual(server.get("/api/v1/search", {"id": SET, "k": 2}).status, 200)
        self.refused(self.ask("import", str(ROOT / "data" / "demo"), "--db", self.db), "may only be read", "permissions")
        self.refused(self.ask("index", "--db", self.db, "--rebuild"), "Permission denied")
        self.refused(self.ask("backup", self.db, os.path.join(self.folder.name, "copy.db")), "cannot")
        self.assertEqual(glob.glob(os.path.join(self.folder.name, "copy*")), [], "nothing is left behind")

    def test_a_collection_that_may_not_be_read_is_refused_with_the_reason(self):
        os.chmod(self.db, 0o600)
        for command in ["search --query CDEFG --db", "check", "export --db", "serve --port 0 --db"]:
            self.refused(self.ask(*command.split(), self.db), "Permission denied", self.db)

    def test_an_index_that_may_not_be_read_only_costs_time(self):
        os.chmod(self.db + ".index", 0o600)
        mine = subprocess.run([PROGRAM, "search", "--db", self.db, "--id", SET, "-k", "9", "--format", "json"],
                              capture_output=True, text=True, check=True)
        others = self.ask("search", "--db", self.db, "--id", SET, "-k", "9", "--format", "json")
        self.assertEqual(json.loads(mine.stdout)["hits"], json.loads(others.stdout)["hits"])
        with Server(self.db, launcher=self.nobody) as server:
            self.assertEqual(server.get("/api/v1/search", {"id": SET, "k": 2}).status, 200)

    def test_check_does_not_call_damaged_what_it_could_not_read(self):
        os.chmod(self.db + ".studies", 0o600)
        checked = self.ask("check", self.db, "--format", "json")
        self.assertEqual(checked.returncode, 1, checked)
        verdict = json.loads(checked.stdout)
        self.assertEqual(verdict["findings"], [])
        self.assertFalse(verdict["sound"])
        self.assertIn("Permission denied", verdict["not_checked"][0])
        self.assertNotIn("damaged", self.ask("check", self.db).stdout)

    def test_a_participant_is_not_told_that_the_code_is_wrong(self):
        for mode, code in [(0o600, "store-unreadable"), (0o644, "store-read-only")]:
            os.chmod(self.db + ".studies", mode)
            with Server(self.db, launcher=self.nobody) as server:
                for _ in range(12):  # and nobody is locked out for it
                    person = Client(server)
                    answer = person.ask("POST", "/api/v1/study/faults/join", {"code": self.codes[0]})
                    person.close()
                    self.assertEqual((answer.status, answer.json()["code"]), (500, code))
                    self.assertNotIn(self.folder.name.encode(), answer.body)
                self.assertEqual(server.ask("/health").status, 200)
        with Server(self.db) as server:
            Participant(server, "faults", self.codes[0]).join().agree().close()


class Exposed(unittest.TestCase):
    """Somebody lets everybody in, and has made no token."""

    def test_without_a_token_nobody_can_make_or_see_studies(self):
        with tempfile.TemporaryDirectory(prefix="rondo-open-") as folder:
            db = import_demo(folder)
            for studies in [False, True]:
                if studies:  # a file of studies, still without a token
                    make_sets(db, [SET], top=4)
                    run("study", "create", "hidden", "--db", db, "--candidates", SET)
                with Server(db, "--host", "0.0.0.0") as server:
                    for token in ["", "x", "null", "0" * 52]:
                        client = Client(server)
                        answer = client.ask("POST", "/api/v1/login", {"token": token})
                        self.assertIn(answer.status, [400, 401, 404, 429], answer.body)
                        self.assertEqual(client.cookies, {})
                        client.close()
                    for method, path in [("GET", "/api/v1/studies"), ("POST", "/api/v1/studies"),
                                         ("GET", "/api/v1/studies/hidden"), ("PATCH", "/api/v1/studies/hidden"),
                                         ("GET", "/api/v1/studies/hidden/export"),
                                         ("POST", "/api/v1/studies/hidden/invitations")]:
                        for headers in [{}, {"Authorization": "Bearer "}, {"Authorization": "Bearer x"},
                                        {"Cookie": "rondo-researcher="}]:
                            answer = server.ask(path, method, body=b"{}" if method != "GET" else None, **headers)
                            self.assertIn(answer.status, [401, 403, 429], (method, path, headers, answer.body))
                    self.assertEqual(server.get("/api/v1/search", {"id": SET, "k": 2}).status, 200)
                    server.stop()
                    self.assertIn("Everybody who can reach this machine may search", server.log)
                with Server(db, "--host", "0.0.0.0", "--studies-only") as server:
                    self.assertIn(server.get("/api/v1/search", {"id": SET, "k": 2}).status, [401, 403])


def fake_clock():
    found = glob.glob("/usr/lib/*/faketime/libfaketimeMT.so.1")
    return found[0] if found else None


@unittest.skipUnless(fake_clock(), "needs libfaketime")
class Clock(unittest.TestCase):
    """Only the calendar jumps; durations are measured with a clock that cannot."""

    def test_that_jumps_costs_a_login_at_most(self):
        with tempfile.TemporaryDirectory(prefix="rondo-clock-") as folder:
            db = import_demo(folder)
            token, codes = make_study(db)
            now = pathlib.Path(folder) / "now"
            launcher = ["env", f"LD_PRELOAD={fake_clock()}", f"FAKETIME_TIMESTAMP_FILE={now}", "FAKETIME_NO_CACHE=1",
                        "FAKETIME_DONT_FAKE_MONOTONIC=1", "DONT_FAKE_MONOTONIC=1"]
            now.write_text("+0\n")
            with Server(db, "--time-limit", "20", launcher=launcher) as server:
                person = Participant(server, "faults", codes[0]).join().agree()
                melodies = [c["code"] for c in person.task(1)["candidates"]]
                version = 0
                for number, jump in enumerate(["+0", "-400d", "+4000d", "-4000d", "+1d", "+0"]):
                    now.write_text(jump + "\n")
                    date = server.ask("/health").headers.get("date")
                    order = random.Random(number).sample(melodies, len(melodies))
                    answer = person.save(1, version, [[c] for c in order])
                    if answer.status == 401:  # the session has ended by this calendar: the code is still good
                        person.close()
                        person = Participant(server, "faults", codes[0]).join()
                        answer = person.save(1, version, [[c] for c in order])
                    self.assertEqual(answer.status, 200, (jump, date, answer.body))
                    version += 1
                    task = person.task(1)
                    self.assertEqual((task["version"], task["ranking"]), (version, [[c] for c in order]))
                    found = server.get("/api/v1/search", {"id": SET, "k": 3}).json()
                    self.assertTrue(found["complete"], f"a jump of {jump} does not use up the time limit")
                    self.assertEqual(Client(server).ask("POST", "/api/v1/login", {"token": "wrong"}).status, 401)
                person.close()
                researcher = Researcher(server, token)
                export = researcher.get("/api/v1/studies/faults/export").json()
                researcher.close()
                moves = [move["version"] for p in export["participants"] for move in p["moves"]]
                self.assertEqual(moves, sorted(moves), "the order of moves does not come from the calendar")
                self.assertEqual(moves[-1], version)


class Killed(unittest.TestCase):
    def kill_at_any_moment(self, command, rounds, seed):
        """Runs the command to its end once, then kills it in each of the rounds. Gives how many were hit."""
        started = time.monotonic()
        subprocess.run(command, capture_output=True)
        longest = time.monotonic() - started
        chance = random.Random(seed)
        hit = 0
        for _ in range(rounds):
            process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(chance.uniform(0, longest))
            process.kill()
            hit += process.wait() == -signal.SIGKILL
            yield hit

    def test_truth_building_leaves_the_study_and_the_older_files_whole(self):
        with tempfile.TemporaryDirectory(prefix="rondo-killed-") as folder:
            db = import_demo(folder)
            run("study", "import", str(ROOT / "data" / "demo" / "study.json"), "--db", db)
            tables, figures = os.path.join(folder, "tables.html"), os.path.join(folder, "figures.csv")
            command = [PROGRAM, "truth", "build", "--db", db, "--study", "demo", "--tables", tables, "--figures", figures]
            truth = run(*command[1:])
            whole = {name: pathlib.Path(name).read_bytes() for name in [tables, figures]}
            hit = 0
            for hit in self.kill_at_any_moment(command, 25, 3):
                for name, content in whole.items():
                    self.assertEqual(pathlib.Path(name).read_bytes(), content, name)
            self.assertGreater(hit, 5, "too few were killed in time to prove anything")
            self.assertEqual(run(*command[1:]), truth)
            self.assertEqual(glob.glob(os.path.join(folder, "*.part")), [], "the next run clears what was left")
            self.assertIn("no damage", run("check", db))

    def test_check_goes_on_where_it_was_killed(self):
        with tempfile.TemporaryDirectory(prefix="rondo-killed-") as folder:
            db = import_demo(folder)
            before = run("export", "--db", db, "--format", "jsonl")
            good = os.path.join(folder, "good.db")
            # What can be rebuilt is damaged: features, the full text, the index.
            spoil = "UPDATE feature SET range = range + 1 WHERE rowid % 3 = 0; DELETE FROM feature WHERE rowid % 7 = 0"
            subprocess.run(["sqlite3", db, spoil], check=True)
            os.truncate(db + ".index", 5000)
            # The checksums of these pages are wrong, too: a backup would refuse them.
            shutil.copy(db, good)
            process_hit = 0
            for process_hit in self.kill_at_any_moment([PROGRAM, "check", db], 20, 4):
                if process_hit % 4 == 3:  # damaged again
                    for companion in ("-wal", "-shm"):
                        pathlib.Path(db + companion).unlink(missing_ok=True)
                    shutil.copy(good, db)
            self.assertGreater(process_hit, 3, "too few were killed in time to prove anything")
            run("check", db)
            self.assertIn("no damage", run("check", db))
            self.assertEqual(run("export", "--db", db, "--format", "jsonl"), before)


class UnderLoad(unittest.TestCase):
    """Copies and checks while people search and vote."""

    def test_every_backup_has_what_was_acknowledged_before_it_began(self):
        with tempfile.TemporaryDirectory(prefix="rondo-load-") as folder:
            db = import_demo(folder)
            token, codes = make_study(db, people=3)
            stop = threading.Event()
            acknowledged = {}  # of each person the last version
            failures = []

            def vote(server, code):
                person = Participant(server, "faults", code).join().agree()
                melodies = [c["code"] for c in person.task(1)["candidates"]]
                chance = random.Random(code)
                version = 0
                while not stop.is_set():
                    order = [[c] for c in chance.sample(melodies, len(melodies))]
                    answer = person.save(1, version, order)
                    if answer.status != 200:
                        failures.append(("vote", answer.status, answer.body))
                        break
                    version += 1
                    acknowledged[code] = version
                person.close()

            def search(server):
                while not stop.is_set():
                    answer = server.get("/api/v1/search", {"id": SET, "k": 5})
                    if answer.status not in (200, 503):
                        failures.append(("search", answer.status, answer.body))

            with Server(db) as server:
                threads = [threading.Thread(target=vote, args=(server, code)) for code in codes]
                threads += [threading.Thread(target=search, args=(server,)) for _ in range(2)]
                for thread in threads:
                    thread.start()
                deadline = time.monotonic() + 60
                while len(acknowledged) < len(codes) and not failures and time.monotonic() < deadline:
                    time.sleep(0.05)
                chance = random.Random(2)
                try:
                    for number in range(6):
                        copy = os.path.join(folder, f"copy-{number}.db")
                        killed = subprocess.Popen([PROGRAM, "backup", db, copy], stdout=subprocess.DEVNULL)
                        time.sleep(chance.uniform(0, 0.1))
                        killed.kill()
                        killed.wait()
                        for name in glob.glob(copy + "*"):
                            os.remove(name)
                        before = dict(acknowledged)
                        run("backup", db, copy)
                        self.assertIn("no damage", run("check", "--dry-run", copy))
                        self.assertIn("no damage", run("check", db))
                        export = json.loads(run("study", "export", "faults", "--db", copy))
                        there = sorted(max((m["version"] for m in p["moves"]), default=0) for p in export["participants"])
                        for least, version in zip(sorted(before.values()), there):
                            self.assertGreaterEqual(version, least)
                finally:
                    stop.set()
                    for thread in threads:
                        thread.join()
                self.assertEqual(failures, [])
                self.assertEqual(server.stop(), 0, server.log)


if __name__ == "__main__":
    unittest.main()
