"""More work than the server can do: some of it is refused at once, cheap requests are answered all along."""

import concurrent.futures
import os
import pathlib
import signal
import socket
import subprocess
import tempfile
import threading
import time
import unittest
import urllib.parse

from serving import PROGRAM, ROOT, Server, import_demo

# Takes as long as it may: the melodies to the power of five.
ENDLESS = "keep: (SELECT count(*) FROM feature a, feature b, feature c, feature d, feature e) > 1"
SLOW = "/api/v1/funnel?" + urllib.parse.urlencode({"steps": ENDLESS})
QUICK = "/api/v1/search?" + urllib.parse.urlencode({"q": "'4CDEC/CDEC/EFG", "k": 5})


class Overload(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="rondo-http-")
        cls.db = import_demo(cls.folder.name)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def metric(self, server, name):
        for line in server.ask("/metrics").body.decode().splitlines():
            if line.startswith(name + " "):
                return float(line.split()[1])
        self.fail(f"no metric {name}")

    def test_is_refused_at_once_with_the_time_to_come_back(self):
        with Server(self.db, "--threads", "1", "--time-limit", "3") as server, \
                concurrent.futures.ThreadPoolExecutor(16) as pool:
            first = server.ask(SLOW)
            self.assertEqual(first.json()["code"], "sql-timeout", "it ran to its limit, and is known to be slow now")
            started = time.monotonic()

            def ask():
                answer = server.ask(SLOW)
                return answer, time.monotonic() - started

            answers = [one.result() for one in [pool.submit(ask) for _ in range(16)]]
            self.assertEqual({answer.status for answer, _ in answers}, {503})
            # One is worked on and one waits; the others are told at once. (One more, where the first was taken late.)
            at_once = [answer for answer, seconds in answers
                       if answer.json()["code"] == "server-busy" and seconds < 2.5]
            self.assertGreaterEqual(len(at_once), 13, [(answer.json()["code"], seconds) for answer, seconds in answers])
            for answer, _ in answers:
                self.assertGreaterEqual(int(answer.headers["retry-after"]), 1)
            self.assertGreaterEqual(self.metric(server, "rondo_requests_refused_total"), 13)
            self.assertEqual(server.ask(QUICK).status, 200, "and it serves again")

    def test_leaves_cheap_requests_alone(self):
        with Server(self.db, "--threads", "1", "--time-limit", "20") as server:
            slow = socket.create_connection(("127.0.0.1", server.port))
            slow.sendall(f"GET {SLOW} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
            time.sleep(0.5)
            for path in ["/health", "/metrics", "/", "/api/v1/systems", "/api/v1/melodies/white-cockade-1"] * 3:
                self.assertEqual(server.ask(path).status, 200, path)
            slow.setblocking(False)
            with self.assertRaises(BlockingIOError, msg="the slow request is still at work"):
                slow.recv(1)
            slow.close()

    def test_time_counts_from_the_arrival(self):
        with Server(self.db, "--threads", "1", "--time-limit", "3") as server, \
                concurrent.futures.ThreadPoolExecutor(2) as pool:
            started = time.monotonic()
            asked = [pool.submit(server.ask, SLOW) for _ in range(2)]
            for one in asked:
                self.assertEqual(one.result().status, 503)
            # The second waited for the first: with a time of its own it would have taken six seconds.
            self.assertLess(time.monotonic() - started, 5.5)

    def test_who_waits_behind_a_request_that_takes_longer_than_expected_is_told_soon(self):
        with Server(self.db, "--threads", "1", "--time-limit", "100") as server:
            slow = []
            for _ in range(2):  # nothing is known of such requests yet: both threads are taken
                slow.append(socket.create_connection(("127.0.0.1", server.port)))
                slow[-1].sendall(f"GET {SLOW} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
            time.sleep(0.5)
            answer = server.ask(QUICK)
            self.assertEqual((answer.status, answer.json()["code"]), (503, "server-busy"))
            for plain in slow:
                plain.setblocking(False)
                with self.assertRaises(BlockingIOError, msg="the slow requests are still at work"):
                    plain.recv(1)
                plain.close()

    def test_a_slow_search_does_not_hold_up_quick_ones(self):
        with Server(self.db, "--threads", "1", "--time-limit", "3") as server:
            self.assertEqual(server.ask(SLOW).json()["code"], "sql-timeout", "such requests are known to be slow now")
            slow = socket.create_connection(("127.0.0.1", server.port))
            slow.sendall(f"GET {SLOW} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
            for _ in range(20):
                self.assertEqual(server.ask(QUICK).status, 200)
            slow.close()

    def test_a_condition_that_takes_too_long_leaves_all_not_reached(self):
        endless = {"where": ENDLESS.removeprefix("keep: ")}
        with Server(self.db, "--time-limit", "1") as server:
            size = server.get("/api/v1/collection", {}).json()["pieces"]
            asked = {"q": "'4CDEC/CDEC/EFG", "system": "shapeh"}
            told = server.get("/api/v1/search", {**asked, **endless})
            self.assertEqual(told.status, 200, told.body)
            data = told.json()
            self.assertEqual((data["complete"], data["hits"], data["compared"]), (False, [], 0))
            self.assertEqual(data["not_reached"] + data["too_short"] + data["filtered_out"], size)
            counts = server.get("/api/v1/search", {**asked, **endless, "format": "csv"}).headers["rondo-counts"]
            self.assertEqual(counts, f"compared=0, not_reached={data['not_reached']}, too_short={data['too_short']}, "
                             "filtered_out=0, complete=false")

    def test_a_client_that_hangs_up_frees_the_server(self):
        with Server(self.db, "--threads", "1", "--time-limit", "100") as server:
            for _ in range(4):
                slow = socket.create_connection(("127.0.0.1", server.port))
                slow.sendall(f"GET {SLOW} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
                time.sleep(0.3)
                slow.close()
            started = time.monotonic()
            status = 503
            while status == 503 and time.monotonic() - started < 30:
                status = server.ask(QUICK).status
            self.assertEqual(status, 200)
            self.assertLess(time.monotonic() - started, 30, "not after 100 s")
            self.assertGreaterEqual(self.metric(server, "rondo_requests_abandoned_total"), 1)

    def test_one_address_cannot_take_all_connections(self):
        with Server(self.db, "--connections", "64") as server:
            held = [socket.create_connection(("127.0.0.1", server.port), source_address=("127.0.0.2", 0))
                    for _ in range(40)]
            refused = 0
            for plain in reversed(held):  # the last ones are refused
                plain.settimeout(20 if refused < 24 else 0.5)
                try:
                    refused += b"server-full" in plain.recv(2000)
                except TimeoutError:
                    pass
            self.assertEqual(refused, 24, "16 for each address")
            self.assertEqual(server.ask("/health").status, 200)
            for plain in held:
                plain.close()

    def test_ends_within_five_seconds_whatever_runs(self):
        for how in [signal.SIGTERM, signal.SIGINT]:
            server = Server(self.db, "--threads", "2", "--time-limit", "100")
            slow = []
            for _ in range(3):
                slow.append(socket.create_connection(("127.0.0.1", server.port)))
                slow[-1].sendall(f"GET {SLOW} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
            time.sleep(0.5)
            started = time.monotonic()
            self.assertEqual(server.stop(how), 0)
            self.assertLess(time.monotonic() - started, 8)
            for plain in slow:
                plain.close()

    def test_a_hangup_signal_reloads_and_does_not_end(self):
        with tempfile.TemporaryDirectory(prefix="rondo-http-") as folder:
            db = import_demo(folder)
            other = str(pathlib.Path(folder) / "other.db")
            subprocess.run([PROGRAM, "import", str(ROOT / "data" / "demo"), "--db", other], check=True,
                           capture_output=True)
            with Server(db) as server:
                self.assertEqual(server.ask(QUICK).status, 200)
                for name in os.listdir(folder):
                    if name.startswith("other.db"):
                        os.replace(os.path.join(folder, name), os.path.join(folder, name.replace("other", "demo")))
                server.process.send_signal(signal.SIGHUP)
                time.sleep(0.3)
                self.assertEqual(server.ask(QUICK).status, 200)
                self.assertEqual(server.ask("/api/v1/melodies/white-cockade-1").status, 200)

    def test_light_use_leaves_no_memory_or_descriptors_behind(self):
        # One thread: each has caches of its own, which fill only once it has had its turn.
        with Server(self.db, "--threads", "1") as server:
            pid = server.process.pid

            def state():
                with open(f"/proc/{pid}/statm") as statm:
                    pages = int(statm.read().split()[1])
                return pages * 4096 / 1e6, len(os.listdir(f"/proc/{pid}/fd"))

            def use(rounds):
                for i in range(rounds):
                    server.get("/api/v1/search", {"q": "CDE" + "CDEFGAB"[i % 7] * 3, "k": 5})
                    server.ask("/health")
                    server.ask("/api/v1/melodies/white-cockade-1")
                    server.get("/api/v1/search", {"q": "CDEFG", "where": f"range > {i % 12}"})
                    server.raw(b"GET /nonsense HTTP/9\r\n\r\n")

            use(150)
            memory, descriptors = state()
            use(300)
            later_memory, later_descriptors = state()
            self.assertLessEqual(later_descriptors, descriptors + 2)
            self.assertLess(later_memory, memory + 10, "megabytes")


class Files(unittest.TestCase):
    def test_that_shrink_or_are_overwritten_under_the_server_do_not_end_it(self):
        with tempfile.TemporaryDirectory(prefix="rondo-http-") as folder:
            db = import_demo(folder)
            index = db + ".index"
            with Server(db) as server:
                before = server.ask(QUICK).json()["hits"]
                for damage in ["truncate", "copy", "garbage", "remove"]:
                    size = os.path.getsize(index) if os.path.exists(index) else 0
                    if damage == "truncate":
                        os.truncate(index, 4096)
                    elif damage == "copy":
                        with open(index, "wb") as out:
                            out.write(b"x" * 100)
                    elif damage == "garbage":
                        with open(index, "r+b") as out:
                            out.write(os.urandom(max(size, 10000)))
                    else:
                        os.remove(index)
                    for system in ["shapeh", "time", "P3", "EMD", "contour"]:
                        answer = server.get("/api/v1/search", {"q": "'4CDEC/CDEC/EFG", "k": 5, "system": system})
                        self.assertEqual(answer.status, 200, (damage, system))
                    self.assertEqual(server.ask(QUICK).json()["hits"], before, damage)


class Maintenance(unittest.TestCase):
    """All pairs of commands that write, at once, on one collection."""

    def commands(self, db, folder, number):
        demo = str(ROOT / "data" / "demo")
        return {
            "import": [PROGRAM, "import", demo, "--db", db, "--reread"],
            "import new": [PROGRAM, "import", str(pathlib.Path(folder) / "more.jsonl"), "--db", db, "--reread"],
            "index": [PROGRAM, "index", "--db", db],
            "rebuild": [PROGRAM, "index", "--db", db, "--rebuild"],
            "check": [PROGRAM, "check", db],
            "backup": [PROGRAM, "backup", db, os.path.join(folder, f"copy-{number}.db")],
            "restore": [PROGRAM, "backup", "--restore", os.path.join(folder, "good.db"), db],
        }

    def test_of_any_two_kinds_at_once_leaves_everything_whole(self):
        with tempfile.TemporaryDirectory(prefix="rondo-pairs-") as folder:
            db = import_demo(folder)
            with open(os.path.join(folder, "more.jsonl"), "wb") as more:
                more.write(subprocess.run([PROGRAM, "generate", "--count", "300", "--seed", "4", "--format", "jsonl"],
                                          check=True, capture_output=True).stdout)
            subprocess.run([PROGRAM, "backup", db, os.path.join(folder, "good.db")], check=True, capture_output=True)
            names = sorted(self.commands(db, folder, 0))
            number = 0
            for i, first in enumerate(names):
                for second in names[i:]:
                    number += 2
                    started = [subprocess.Popen(self.commands(db, folder, number)[first], stderr=subprocess.PIPE,
                                                stdout=subprocess.DEVNULL),
                               subprocess.Popen(self.commands(db, folder, number + 1)[second], stderr=subprocess.PIPE,
                                                stdout=subprocess.DEVNULL)]
                    for one in started:
                        _, told = one.communicate(timeout=120)
                        self.assertIn(one.returncode, [0, 1], (first, second, told))
                        self.assertNotIn(b"amaged", told, (first, second))
                    checked = subprocess.run([PROGRAM, "check", db], capture_output=True, text=True)
                    self.assertEqual(checked.returncode, 0, (first, second, checked.stdout, checked.stderr))
                    looked = subprocess.run([PROGRAM, "index", "--check", "--db", db], capture_output=True, text=True)
                    self.assertEqual(looked.returncode, 0, (first, second, looked.stderr))


if __name__ == "__main__":
    unittest.main()
