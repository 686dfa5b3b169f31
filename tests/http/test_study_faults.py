"""Nothing that a participant was told is saved is ever lost: servers killed at any moment, and a disk that is full."""

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

import serving
from serving import Server, import_demo
from studying import Participant, Researcher, make_sets, run

SETS = ["white-cockade-1", "greensleeves-1", "roslin-castle-1"]


class Worker(threading.Thread):
    """Moves candidates about until the server is gone. Remembers what was acknowledged, and the one save of each query
    whose answer never came."""

    def __init__(self, person, seed, acknowledged):
        super().__init__()
        self.person = person
        self.random = random.Random(seed)
        self.acknowledged = acknowledged  # of each query: (version, ranking, done)
        self.under_way = {}
        self.saves = {}
        self.refusals = []

    def run(self):
        try:
            codes = {n: [c["code"] for c in self.person.task(n)["candidates"]] for n in range(1, len(SETS) + 1)}
            while True:
                n = self.random.randint(1, len(SETS))
                ranking = [[c] for c in self.random.sample(codes[n], self.random.randint(0, len(codes[n])))]
                version = self.acknowledged.get(n, (0, [], False))[0]
                done = self.random.random() < 0.5
                save = f"{self.person.code}-{n}-{version}-{self.random.random()}"
                self.under_way[n] = (version + 1, ranking, done)
                answer = self.person.save(n, version, ranking, done, save)
                if answer.status != 200:
                    self.refusals.append((answer.status, answer.body))
                    return
                assert answer.json()["version"] == version + 1
                self.acknowledged[n] = self.under_way.pop(n)
                self.saves[save] = self.acknowledged[n]
        except (OSError, AssertionError, serving.http.client.HTTPException) as gone:
            self.gone = gone
        finally:
            self.person.close()


class Killed(unittest.TestCase):
    def test_what_was_acknowledged_is_there_whenever_the_server_was_killed(self):
        chance = random.Random(8)
        with tempfile.TemporaryDirectory(prefix="rondo-killed-") as folder:
            db = import_demo(folder)
            make_sets(db, SETS, top=8)
            token = run("study", "token", "--db", db).strip()
            server = Server(db)
            self.addCleanup(lambda: server.process.kill())  # whichever it is by then
            researcher = Researcher(server, token)
            researcher.make_study("killed", SETS)
            researcher.open("killed")
            codes = [i["code"] for i in researcher.invite("killed", 6)]
            researcher.close()
            for code in codes:
                Participant(server, "killed", code).join().agree().close()
            known = {code: {} for code in codes}
            saves = {}
            total = 0
            for round_number in range(8):
                workers = [Worker(Participant(server, "killed", code).join(), f"{round_number}/{code}", known[code])
                           for code in codes]
                for worker in workers:
                    worker.start()
                time.sleep(chance.uniform(0.05, 1.5))
                # A server that is busy or checked at every step needs longer to get anything done.
                patience = time.monotonic() + 30
                while sum(len(w.saves) for w in workers) < 8 and time.monotonic() < patience:
                    time.sleep(0.02)
                server.process.send_signal(signal.SIGKILL)
                server.stop()
                for worker in workers:
                    worker.join()
                    self.assertEqual(worker.refusals, [])
                    saves.update(worker.saves)
                    total += len(worker.saves)
                server = Server(db)
                for worker in workers:
                    again = Participant(server, "killed", worker.person.code).join()
                    for n in range(1, len(SETS) + 1):
                        task = again.task(n)
                        there = (task["version"], task["ranking"], task["done"])
                        allowed = [worker.acknowledged.get(n, (0, [], False))]
                        if n in worker.under_way:
                            allowed.append(worker.under_way[n])  # committed, but the answer did not come through
                        self.assertIn(there, allowed)
                        worker.acknowledged[n] = there
                    again.close()
            self.assertGreater(total, 50, "the people got nothing done; the test proves nothing")
            researcher = Researcher(server, token)
            export = researcher.get("/api/v1/studies/killed/export").json()
            moves = {m["save"]: (m["version"], m["ranking"], m["done"]) for p in export["participants"]
                     for m in p["moves"]}
            for save, what in saves.items():
                self.assertEqual(moves.get(save), what)
            researcher.close()
            self.assertEqual(server.stop(), 0, server.log)
            check = subprocess.run(["sqlite3", db + ".studies", "PRAGMA integrity_check; PRAGMA foreign_key_check"],
                                   capture_output=True, text=True)
            self.assertEqual(check.stdout.strip(), "ok")


def can_mount():
    return subprocess.run(["unshare", "-m", "sh", "-c", "mount -t tmpfs none /mnt"], capture_output=True).returncode == 0


class FullDisk(unittest.TestCase):
    @unittest.skipUnless(shutil.which("unshare") and can_mount(), "needs the right to mount a small disk")
    def test_a_full_disk_is_told_and_loses_nothing(self):
        with tempfile.TemporaryDirectory(prefix="rondo-full-") as folder:
            db = import_demo(folder)
            make_sets(db, SETS, top=8)
            token = run("study", "token", "--db", db).strip()
            files = [str(p) for p in pathlib.Path(folder).iterdir()]
            disk = pathlib.Path(folder) / "disk"
            disk.mkdir()
            rescued = pathlib.Path(folder) / "rescued"
            rescued.mkdir()
            size = sum(os.path.getsize(f) for f in files) // 1024 + 900
            # The small disk is the server's own: nobody else sees it. When the server has ended it is copied out.
            script = pathlib.Path(folder) / "on_small_disk.sh"
            script.write_text(f"mount -t tmpfs -o size={size}k none {disk} && cp {' '.join(files)} {disk} || exit 2\n"
                              f"trap '' INT TERM\n( trap - INT TERM; exec \"$@\" )\ncode=$?\n"
                              f"cp {disk}/* {rescued}\nexit $code\n")
            server = Server(str(disk / pathlib.Path(db).name), launcher=["unshare", "-m", "sh", str(script)])
            researcher = Researcher(server, token)
            researcher.make_study("full", SETS)
            researcher.open("full")
            code = researcher.invite("full", 1)[0]["code"]
            person = Participant(server, "full", code).join().agree()
            worker = Worker(person, 1, {})
            worker.run()
            self.assertEqual(len(worker.refusals), 1, getattr(worker, "gone", None))
            status, body = worker.refusals[0]
            self.assertEqual(status, 507, body)
            self.assertIn(b"disk-full", body)
            self.assertGreater(len(worker.saves), 5)
            again = Participant(server, "full", code)
            again.cookies, again.csrf = person.cookies, person.csrf
            for n, (version, ranking, done) in worker.acknowledged.items():
                task = again.task(n)
                self.assertEqual((task["version"], task["ranking"], task["done"]), (version, ranking, done))
            again.close()
            researcher.close()
            os.killpg(server.process.pid, signal.SIGTERM)
            self.assertEqual(server.process.wait(30), 0)
            server.process.stdout.close()
            server.process.stderr.close()
            export = json.loads(run("study", "export", "full", "--db", str(rescued / pathlib.Path(db).name)))
            moves = {m["save"]: (m["version"], m["ranking"], m["done"]) for p in export["participants"]
                     for m in p["moves"]}
            self.assertEqual(moves, worker.saves)


if __name__ == "__main__":
    unittest.main()
