"""What one client may cost the others: memory, time, connections, disk."""

import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import socket
import subprocess
import tempfile
import time
import unittest

from serving import PROGRAM, ROOT, DemoTest, Server, import_demo
from studying import run

SEARCH = {"q": "'4CDEC/CDEC/EFG", "k": 3}


def peak_memory(server):
    """MB."""
    status = pathlib.Path(f"/proc/{server.process.pid}/status").read_text()
    return int(re.search(r"VmHWM:\s+(\d+)", status).group(1)) / 1024


class Framing(DemoTest):
    HEAD = b"POST /api/v1/query HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"

    def flood(self, first, again, most):
        """What is answered, and how many bytes were sent until then."""
        with socket.create_connection(("127.0.0.1", self.server.port), timeout=20) as plain:
            plain.sendall(self.HEAD + first)
            sent = 0
            try:
                while sent < most:
                    plain.sendall(again)
                    sent += len(again)
            except OSError:
                pass
            try:
                return plain.recv(2000), sent
            except OSError:
                return b"", sent

    def test_of_a_body_takes_no_memory(self):
        before = peak_memory(self.server)
        line = b"0" * 65536
        for first, again in [(b"1;", line), (b"", line), (b"0\r\n", b"X: " + line + b"\r\n"),
                             (b"", (b"1;" + b"x" * 4000 + b"\r\nx\r\n") * 16)]:
            most = 64 << 20
            answer, sent = self.flood(first, again, most)
            self.assertLess(sent, most, "the server has closed the connection")
            self.assertTrue(answer == b"" or b"framing-too-long" in answer, answer)
        self.assertLess(peak_memory(self.server) - before, 20)

    def test_trailers_do_not_become_headers(self):
        body = b"8\r\nCDECCDEC\r\n0\r\nAccept-Encoding: gzip\r\n\r\n"
        told = self.server.raw(self.HEAD.replace(b"Host", b"Connection: close\r\nHost") + body)
        self.assertTrue(told.startswith(b"HTTP/1.1 200"), told[:200])
        self.assertNotIn(b"gzip", told)


class Bodies(DemoTest):
    def test_nested_deeply_are_refused_with_the_place(self):
        before = peak_memory(self.server)
        bomb = b"[" * (4 << 20)
        for body in [bomb, b'{"truth": "", "runs": ' + bomb, b"[" + b"[]," * (1 << 20) + b"1]"]:
            told = self.problem(self.server.ask("/api/v1/evaluate", "POST", body), 400, "body-not-json")
            self.assertEqual(told["line"], 1)
            self.assertGreater(told["column"], 60)
        self.assertLess(peak_memory(self.server) - before, 60)

    def test_text_in_a_body_is_read_by_the_same_rules(self):
        body = json.dumps({"truth": '{"q": ' + "[" * (1 << 20), "runs": [{"name": "a", "text": "1 Q0 a 1 1 a"}]})
        told = self.server.ask("/api/v1/evaluate", "POST", body.encode())
        self.assertEqual(told.status, 422, told.body)
        self.assertIn("nested", told.json()["detail"])


class Evaluating(DemoTest):
    options = ("--time-limit", "30")

    def evaluate(self, queries, measures, documents=1, server=None, **more):
        truth = {f"q{i}": [["a", "b"], ["c"]] for i in range(queries)}
        text = "".join(f"q{i} Q0 d{d} {d + 1} {1 / (d + 1)} x\n" for i in range(queries) for d in range(documents))
        body = {"truth": json.dumps(truth), "runs": [{"name": "r", "text": text}], "measures": measures, **more}
        return (server or self.server).ask("/api/v1/evaluate", "POST", json.dumps(body).encode())

    def test_ends_at_the_time_limit(self):  # 299 measures took 45 s
        with Server(self.db, "--time-limit", "0.05") as server:
            answer = self.evaluate(2000, [f"nDCG@{k}" for k in range(1, 300)], documents=100, server=server)
        self.problem(answer, 503, "server-time")
        self.assertIn("--time-limit", answer.json()["hint"])

    def test_gives_no_result_without_limit(self):
        before = peak_memory(self.server)
        answer = self.evaluate(8000, ["ADR"] + [f"P@{k}" for k in range(1, 100)], per_query=True)
        self.problem(answer, 422, "result-too-large")
        self.assertLess(peak_memory(self.server) - before, 300)
        self.assertEqual(self.evaluate(3, ["ADR"], per_query=True).status, 200)


class Sorting(unittest.TestCase):
    def test_ends_at_the_time_limit_and_takes_little_disk(self):
        with tempfile.TemporaryDirectory(prefix="rondo-http-") as folder:
            db = import_demo(folder)
            sort = ("(SELECT count(*) FROM (SELECT row_number() OVER (ORDER BY a.chromatic || b.chromatic || c.key) AS n "
                    "FROM feature_text a, feature_text b, piece c)) > 0")
            with Server(db, "--time-limit", "1") as server:
                answer = server.get("/api/v1/funnel", {"steps": "keep: " + sort})
                self.assertIn(answer.json()["code"], ["sql-timeout", "sql-space"], answer.body)
                with Server(db, "--time-limit", "30") as patient:
                    answer = patient.get("/api/v1/funnel", {"steps": "keep: " + sort})
                    self.assertEqual(answer.json()["code"], "sql-space", answer.body)
                    self.assertEqual(answer.status, 422)


class Connections(unittest.TestCase):
    def test_that_are_refused_shut_out_nobody(self):
        with tempfile.TemporaryDirectory(prefix="rondo-http-") as folder, \
                Server(import_demo(folder), "--connections", "64") as server:
            held = []
            for _ in range(3):  # far more than may linger
                for _ in range(100):
                    plain = socket.socket()
                    plain.bind(("127.0.0.2", 0))
                    plain.connect(("127.0.0.1", server.port))
                    held.append(plain)
                self.assertEqual(server.ask("/health").status, 200)
            for plain in held:
                plain.close()


class Tokens(unittest.TestCase):
    def test_wrong_ones_do_not_hold_up_cheap_requests(self):
        with tempfile.TemporaryDirectory(prefix="rondo-http-") as folder:
            db = import_demo(folder)
            token = re.search(r"\b[a-z0-9]{40,}\b", run("study", "token", "--db", db)).group(0)
            with Server(db) as server, concurrent.futures.ThreadPoolExecutor(40) as pool:
                def login(number):
                    # From many addresses, for of one few are let through to the check.
                    plain = socket.socket()
                    plain.bind((f"127.0.1.{number % 50 + 1}", 0))
                    plain.settimeout(60)
                    plain.connect(("127.0.0.1", server.port))
                    body = json.dumps({"token": f"{number:04}" + "x" * 48}).encode()
                    plain.sendall(b"POST /api/v1/login HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                                  b"Content-Length: %d\r\n\r\n" % len(body) + body)
                    status = int(plain.recv(65536).split(b" ", 2)[1])
                    plain.close()
                    return status

                tries = [pool.submit(login, number) for number in range(120)]
                slowest = 0
                while not all(one.done() for one in tries):
                    started = time.monotonic()
                    self.assertEqual(server.ask("/health").status, 200)
                    slowest = max(slowest, time.monotonic() - started)
                statuses = [one.result() for one in tries]
                self.assertLessEqual(set(statuses), {401, 429, 503}, statuses)
                self.assertIn(401, statuses, "some were checked")
                self.assertIn(503, statuses, "others were not kept waiting")
                right = server.ask("/api/v1/login", "POST", json.dumps({"token": token}).encode())
                self.assertIn(right.status, [200, 503], right.body)


class Addresses(DemoTest):
    def test_of_the_absolute_form_name_the_host(self):
        def status(target, host):
            told = self.server.raw(f"GET {target} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
            return int(told.split(b" ", 2)[1])

        self.assertEqual(status("http://localhost/api/v1/collection", "localhost"), 200)
        self.assertEqual(status("http://evil.example/api/v1/collection", "localhost"), 421)
        self.assertEqual(status("https://evil.example", "localhost"), 421)
        # The target goes before the header (RFC 9112, 3.2.2).
        self.assertEqual(status("http://localhost/api/v1/collection", "evil.example"), 200)
        for target in ["http://localhost:80@evil.example/", "http://localhost@evil.example/", "http://evil.example:80/"]:
            self.assertEqual(status(target, "localhost"), 421, target)
        for target in ["http:///api/v1/collection", "http://?x"]:
            self.assertEqual(status(target, "localhost"), 400, target)
        self.assertEqual(status("/health", "localhost:80@evil.example"), 421)

    def test_with_a_parameter_twice_are_refused(self):
        twice = self.server.ask("/api/v1/search?id=white-cockade-1&id=white-cockade-2&k=2")
        self.problem(twice, 400, "argument-repeated")
        self.problem(self.server.ask("/api/v1/funnel?steps=a&steps=b"), 400, "argument-repeated")
        lists = self.server.ask("/api/v1/search?id=white-cockade-1&composer=A&composer=B&set=pitch:0.5&set=duration:0.5"
                                "&system=time")
        self.assertNotEqual(lists.json().get("code"), "argument-repeated", lists.body)


class Health(unittest.TestCase):
    def test_fails_while_searches_fail_and_recovers_with_the_collection(self):
        with tempfile.TemporaryDirectory(prefix="rondo-http-") as folder:
            db = import_demo(folder)
            path = pathlib.Path(folder)
            good, other = path / "good.db", path / "other.db"
            shutil.copyfile(db, good)
            subprocess.run([PROGRAM, "import", str(ROOT / "data" / "demo" / "children.abc"), "--db", str(other)],
                           check=True, capture_output=True)

            def wait_for(what, seconds):
                until = time.monotonic() + seconds
                while time.monotonic() < until:
                    if what():
                        return True
                    time.sleep(0.2)
                return False

            with Server(db) as server:
                def search():
                    return server.get("/api/v1/search", SEARCH).status

                self.assertEqual((server.ask("/health").status, search()), (200, 200))
                # What is left of the larger file belongs to no collection.
                content = other.read_bytes()
                with open(db, "r+b") as live:
                    live.write(content[:len(content) // 2])
                    live.truncate(len(content) // 2)
                self.assertTrue(wait_for(lambda: server.ask("/health").status == 503, 20))
                told = server.ask("/health")
                self.assertEqual(told.status, 503)
                self.assertTrue(told.json()["code"].startswith("store-"), told.body)
                self.assertEqual(search(), 500)
                shutil.copyfile(good, path / "new.db")
                os.replace(path / "new.db", db)
                # Within five seconds, unless the machine is very busy.
                self.assertTrue(wait_for(lambda: server.ask("/health").status == 200 and search() == 200, 30))
                server.stop()
                self.assertIn("searches fail", server.log)
                self.assertIn("searches work again", server.log)


if __name__ == "__main__":
    unittest.main()
