"""How the server speaks HTTP, and what it does with clients that do not."""

import concurrent.futures
import gzip
import os
import signal
import socket
import subprocess
import tempfile
import time
import unittest
import urllib.parse

from serving import PROGRAM, DemoTest, Server, import_demo

SEARCH = "/api/v1/search?" + urllib.parse.urlencode({"q": "'4CDEC/CDEC/EFG", "k": 5})


class Answers(DemoTest):
    options = ("--log",)

    def test_have_tags_that_save_the_work(self):
        for path in ["/api/v1/collection", "/api/v1/systems", SEARCH, "/api/v1/openapi.json"]:
            first = self.server.ask(path)
            tag = first.headers["etag"]
            again = self.server.ask(path, If_None_Match=f'"other", {tag}')
            self.assertEqual((again.status, again.body), (304, b""), path)
            self.assertEqual(again.headers["etag"], tag)
            self.assertEqual(self.server.ask(path, If_None_Match='"other"').status, 200)
        self.assertTrue(self.server.ask(SEARCH).headers["etag"].startswith("W/"),
                        "two answers differ in the time they took")
        self.assertNotEqual(self.server.ask("/api/v1/collection").headers["etag"],
                            self.server.ask("/api/v1/systems").headers["etag"])
        self.assertNotIn("etag", self.server.ask("/api/v1/search").headers, "errors have none")

    def test_to_head_are_those_to_get_without_a_body(self):
        for path in ["/", "/health", "/api/v1/systems", "/api/v1/nothing"]:
            get = self.server.ask(path, Accept="*/*")
            head = self.server.ask(path, "HEAD", Accept="*/*")
            self.assertEqual((head.status, head.body), (get.status, b""), path)
            self.assertEqual(head.headers["content-length"], str(len(get.body)), path)
            self.assertEqual(head.headers["content-type"], get.headers["content-type"])

    def test_are_compressed_for_those_who_can_read_it(self):
        plain = self.server.ask("/api/v1/systems")
        small = self.server.ask("/api/v1/systems", Accept_Encoding="br, gzip")
        self.assertEqual(small.headers["content-encoding"], "gzip")
        self.assertEqual(gzip.decompress(small.body), plain.body)
        self.assertLess(len(small.body), len(plain.body) / 2)
        self.assertNotEqual(small.headers["etag"], plain.headers["etag"], "other bytes, another tag")
        self.assertIn("Accept-Encoding", plain.headers["vary"])
        tag = small.headers["etag"]
        self.assertEqual(self.server.ask("/api/v1/systems", Accept_Encoding="gzip", If_None_Match=tag).status, 304)
        self.assertNotIn("content-encoding", self.server.ask("/api/v1/systems", Accept_Encoding="gzip;q=0").headers)

    def test_keep_browsers_safe(self):
        page = self.server.ask("/", Accept="text/html")
        policy = page.headers["content-security-policy"]
        for part in ["default-src 'none'", "'wasm-unsafe-eval'", "worker-src 'self' blob:", "frame-ancestors 'none'"]:
            self.assertIn(part, policy)
        self.assertNotIn("'unsafe-eval'", policy)
        for path in ["/", "/api/v1/systems", "/api/v1/nothing", "/nothing.js"]:
            headers = self.server.ask(path).headers
            self.assertEqual(headers["x-content-type-options"], "nosniff")
            self.assertIn("frame-ancestors 'none'", headers["content-security-policy"])
            self.assertEqual(headers["referrer-policy"], "no-referrer")
            self.assertNotIn("access-control-allow-origin", headers)

    def test_come_over_one_connection(self):
        connection = self.server.connect()
        connection.connect()
        port = connection.sock.getsockname()
        for path in ["/health", "/api/v1/nothing", SEARCH, "/api/v1/export?q=CDECDEC", "/health"]:
            connection.request("GET", path)
            connection.getresponse().read()
            self.assertEqual(connection.sock.getsockname(), port)
        connection.close()

    def test_to_pipelined_requests_come_in_order(self):
        asked = b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n" \
                b"GET /nothing HTTP/1.1\r\nHost: localhost\r\n\r\n" \
                b"GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
        told = self.server.raw(asked)
        lines = [line for line in told.split(b"\r\n") if b"HTTP/1.1 " in line]
        self.assertEqual([line[-40:].split(b"HTTP/1.1 ")[1][:3] for line in lines], [b"200", b"404", b"200"])

    def test_to_old_clients_end_with_the_connection(self):
        told = self.server.raw(b"GET /api/v1/export?q=CDECDEC HTTP/1.0\r\nHost: localhost\r\n\r\n")
        self.assertTrue(told.startswith(b"HTTP/1.0 200"), told[:80])
        self.assertNotIn(b"chunked", told)

    def test_wait_for_no_body_that_was_announced(self):
        asked = b"POST /api/v1/query HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nConnection: close\r\n" \
                b"Content-Length: 5\r\n\r\n"
        with socket.create_connection(("127.0.0.1", self.server.port), timeout=10) as plain:
            plain.sendall(asked)
            self.assertTrue(plain.recv(1000).startswith(b"HTTP/1.1 100"))
            plain.sendall(b"CDEFG")
            self.assertTrue(plain.recv(1000).startswith(b"HTTP/1.1 200"))

    def test_take_bodies_in_chunks(self):
        head = b"POST /api/v1/query HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n"
        told = self.server.raw(head + b"3\r\nCDE\r\n2\r\nFG\r\n0\r\n\r\n")
        self.assertTrue(told.startswith(b"HTTP/1.1 200"), told[:200])

    def test_tell_how_the_server_is(self):
        self.assertEqual(self.server.ask("/health").json()["status"], "ok")
        self.server.ask(SEARCH)
        text = self.server.ask("/metrics").body.decode()
        for line in text.splitlines():
            self.assertRegex(line, r'^(#.*|[a-z_]+(\{[a-z]+="[^"]*"\})? [0-9.e+-]+)$')
        self.assertRegex(text, r"rondo_searches_total [1-9]")

    def test_to_options_name_the_methods(self):
        told = self.server.ask("/api/v1/query", "OPTIONS", Origin="http://example.org")
        self.assertEqual((told.status, told.headers["allow"]), (204, "GET, HEAD, POST, OPTIONS"))
        self.assertNotIn("access-control-allow-methods", told.headers)

    def test_come_to_many_clients_at_once(self):
        queries = ["CDEC" + "CDEFGAB"[i % 7] * 2 + "EDC" for i in range(512)]

        def ask(q):
            # A server may refuse for a moment; it says when to come back.
            for _ in range(20):
                answer = self.server.get("/api/v1/search", {"q": q, "k": 10})
                if answer.status != 503:
                    break
                time.sleep(int(answer.headers["retry-after"]))
            return answer.status

        with concurrent.futures.ThreadPoolExecutor(64) as pool:
            self.assertEqual(set(pool.map(ask, queries)), {200})


class HostileClients(DemoTest):
    def status(self, data):
        told = self.server.raw(data)
        return int(told.split(b" ", 2)[1]) if told.startswith(b"HTTP/1.") else None

    def tearDown(self):
        self.assertEqual(self.server.ask("/health").status, 200, "the server lives")

    def test_cannot_leave_the_files_of_the_app(self):
        for path in ["/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/..%2f..%2fetc/passwd", "//etc/passwd",
                     "/assets/../../../etc/passwd", "/etc/passwd%00.html", "/\\..\\..\\etc\\passwd", "/./index.html/.."]:
            told = self.server.raw(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
            self.assertNotIn(b"root:", told)
            self.assertIn(told.split(b" ", 2)[1], [b"400", b"404"], path)

    def test_that_send_too_much_are_refused(self):
        long_path = b"GET /?q=" + b"C" * 9000 + b" HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
        self.assertEqual(self.status(long_path), 414)
        self.assertEqual(self.status(b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"x" * 20000 + b"\r\n\r\n"), 431)
        many = b"".join(b"X-%d: y\r\n" % i for i in range(5000))
        self.assertEqual(self.status(b"GET / HTTP/1.1\r\nHost: localhost\r\n" + many + b"\r\n"), 431)
        post = b"POST /api/v1/query HTTP/1.1\r\nHost: localhost\r\n"
        self.assertEqual(self.status(post + b"Content-Length: 5000000\r\n\r\nabc"), 413)
        self.assertEqual(self.status(post + b"Content-Length: 18446744073709551615\r\n\r\nabc"), 413)
        chunk = b"100000\r\n" + b"x" * 0x100000 + b"\r\n"
        self.assertEqual(self.status(post + b"Transfer-Encoding: chunked\r\n\r\n" + chunk * 5), 413)
        self.assertEqual(self.status(b"GET /health HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n\r\nabc"), 413)

    def test_that_send_nonsense_are_told_so(self):
        for data in [b"\r\n\r\nnonsense\r\n\r\n", b"GET\r\n\r\n", b"GET / HTTP/1.1\r\nHost localhost\r\n\r\n",
                     b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" * 10, b"GET / HTTP/1.1\r\n\r\n",
                     b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
                     b"GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: x\r\n\r\n",
                     b"GET nothing HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
                     b"GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n"]:
            self.assertEqual(self.status(data), 400, data)
        self.assertIn(self.status(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), [400, 505])
        self.assertEqual(self.status(b"BREW / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"), 501)

    def test_under_a_foreign_name_are_refused(self):
        # A page elsewhere may let a name of its own point here; it must not read what only this machine may.
        self.problem(self.server.ask("/api/v1/collection", Host="evil.example"), 421, "host-unknown")
        self.assertEqual(self.server.ask("/api/v1/collection", Host=f"localhost:{self.server.port}").status, 200)

    def test_that_ask_for_odd_things_get_no_server_error(self):
        for q in ["\u0001\u0002", "\ufffd" * 100, "(" * 4000, "{" * 2000, "'" * 4000, "9" * 1000 + "C", "8({CDE};3)" * 400,
                  "!" * 500 + "f" * 500, "CDE" * 2500, "%G-2$xFCGDAEB@9/1 C", "X:1\nK:C\n" + "[CEG]" * 800,
                  "**kern\n" + "4c\n" * 1500, "[" * 3000, '{"data":' * 500, "<?xml version='1.0'?><mei>", "\ud7ff"]:
            for path in ["/api/v1/query", "/api/v1/search"]:
                status = self.server.get(path, {"q": q}).status
                self.assertIn(status, [200, 400, 414, 422], (path, q[:40]))
        for arguments in [{"text": '"'}, {"text": "a" * 3000}, {"where": "1; DROP TABLE piece"}, {"century": "x" * 99},
                          {"set": ":"}, {"set": "a=b:c"}, {"system": "rrf:" + "(" * 50}, {"system": "rrf:" + "+".join(["shapeh"] * 99)}]:
            status = self.server.get("/api/v1/search", {"q": "CDEFG", **arguments}).status
            self.assertIn(status, [200, 400, 422], arguments)


class SlowClients(unittest.TestCase):
    def test_are_let_go_and_hold_up_nobody(self):
        with tempfile.TemporaryDirectory(prefix="rondo-http-") as folder, Server(import_demo(folder)) as server:
            slow = []
            for _ in range(50):
                plain = socket.create_connection(("127.0.0.1", server.port), timeout=40)
                plain.sendall(b"GET /health HTTP/1.1\r\nHo")
                slow.append(plain)
            started = time.monotonic()
            self.assertEqual(server.ask(SEARCH).status, 200)
            self.assertLess(time.monotonic() - started, 10)
            # The headers must be there within 15 s, however slowly they drip.
            first = slow[0]
            try:
                while time.monotonic() - started < 30:
                    first.sendall(b"x")
                    time.sleep(1)
                self.fail("a client that drips was kept for 30 s")
            except OSError:
                pass
            for plain in slow:
                plain.close()

    def test_above_the_limit_are_told_to_come_back(self):
        with tempfile.TemporaryDirectory(prefix="rondo-http-") as folder, \
                Server(import_demo(folder), "--connections", "4") as server:
            held = [socket.create_connection(("127.0.0.1", server.port), timeout=10) for _ in range(4)]
            time.sleep(0.3)
            told = server.ask("/health")
            self.assertEqual((told.status, told.json()["code"]), (503, "server-full"))
            self.assertIn("retry-after", told.headers)
            for plain in held:
                plain.close()
            time.sleep(0.3)
            self.assertEqual(server.ask("/health").status, 200)


class Ending(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="rondo-http-")
        self.db = import_demo(self.folder.name)

    def tearDown(self):
        self.folder.cleanup()

    def test_on_a_signal_is_quick_and_clean(self):
        for how in [signal.SIGTERM, signal.SIGINT]:
            server = Server(self.db)
            idle = server.connect()
            idle.request("GET", "/health")
            idle.getresponse().read()
            started = time.monotonic()
            self.assertEqual(server.stop(how), 0)
            self.assertLess(time.monotonic() - started, 8, "a silent client must not hold up the end")
            idle.close()

    def test_lets_requests_under_way_finish(self):
        server = Server(self.db)
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            asked = [pool.submit(server.get, "/api/v1/search", {"q": "CDECDECEFG" * 4, "system": "EMD", "k": 20})
                     for _ in range(4)]
            time.sleep(0.3)
            os.kill(server.process.pid, signal.SIGTERM)
            for one in asked:
                self.assertEqual(one.result().status, 200)
        server.process.wait(15)  # a second signal would end it at once
        self.assertEqual(server.stop(), 0)

    def test_by_force_harms_nothing(self):
        server = Server(self.db)
        server.ask(SEARCH)
        self.assertEqual(server.stop(signal.SIGKILL), -signal.SIGKILL)
        with Server(self.db) as again:
            self.assertEqual(again.ask(SEARCH).status, 200)


class Options(unittest.TestCase):
    def test_cors_opens_one_origin_and_no_other(self):
        with tempfile.TemporaryDirectory(prefix="rondo-http-") as folder, \
                Server(import_demo(folder), "--cors", "https://music.example") as server:
            told = server.ask("/api/v1/systems", Origin="https://music.example")
            self.assertEqual(told.headers["access-control-allow-origin"], "https://music.example")
            self.assertIn("Origin", told.headers["vary"])
            self.assertNotIn("access-control-allow-origin",
                             server.ask("/api/v1/systems", Origin="https://evil.example").headers)
            asked = server.ask("/api/v1/query", "OPTIONS", Origin="https://music.example")
            self.assertIn("POST", asked.headers["access-control-allow-methods"])

    def test_a_time_limit_gives_what_there_is(self):
        with tempfile.TemporaryDirectory(prefix="rondo-http-") as folder, \
                Server(import_demo(folder), "--time-limit", "0.01") as server:
            slow = {"q": "CDECDECEFGCDECDECEFG" * 3, "system": "EMD", "k": 20}
            told = server.get("/api/v1/search", slow)
            for _ in range(20):
                if told.status == 200:
                    break
                told = server.get("/api/v1/search", slow)
            self.assertEqual(told.status, 200)
            if not told.json()["complete"]:
                self.assertEqual(told.headers["cache-control"], "no-store")
                self.assertNotIn("etag", told.headers)

    def test_a_port_in_use_is_told(self):
        with tempfile.TemporaryDirectory(prefix="rondo-http-") as folder:
            db = import_demo(folder)
            with Server(db) as server:
                second = subprocess.run([PROGRAM, "serve", "--db", db, "--port", str(server.port)], capture_output=True,
                                        text=True, timeout=20)
                self.assertEqual(second.returncode, 1)
                self.assertIn("in use", second.stderr)


if __name__ == "__main__":
    unittest.main()
