"""A real server on a port of its own, over the demonstration collection, for the tests beside this file.

The program is named by the variable RONDO_PROGRAM; without it, build/rondo is taken.
"""

import http.client
import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import tempfile
import unittest
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("RONDO_PROGRAM", str(ROOT / "build" / "rondo"))


class Answer:
    def __init__(self, response):
        self.status = response.status
        self.headers = {name.lower(): value for name, value in response.getheaders()}
        self.body = response.read()

    def json(self):
        return json.loads(self.body)

    def type(self):
        return self.headers.get("content-type", "").split(";")[0]


class Server:
    """Starts `rondo serve` and ends it; use as `with Server(...) as server`. A launcher is a command that is given the
    server's as its arguments; both are then a process group of their own."""

    def __init__(self, db, *options, launcher=()):
        self.process = subprocess.Popen(
            [*launcher, PROGRAM, "serve", "--db", db, "--port", "0", *options], start_new_session=bool(launcher),
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        line = self.process.stdout.readline()
        found = re.search(r"http://([^/]*):(\d+)/", line)
        if not found:
            raise AssertionError(f"no address in {line!r}: {self.process.stderr.read()}")
        self.port = int(found.group(2))

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.stop()

    def stop(self, how=signal.SIGTERM, timeout=15):
        """Ends it and gives its exit code."""
        if self.process.poll() is None:
            self.process.send_signal(how)
        code = self.process.wait(timeout)
        if self.process.stderr.closed:
            return code
        self.log = self.process.stderr.read()
        self.process.stdout.close()
        self.process.stderr.close()
        return code

    def connect(self, timeout=30):
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)

    def ask(self, path, method="GET", body=None, **headers):
        connection = self.connect()
        try:
            names = {name.replace("_", "-"): value for name, value in headers.items()}
            connection.request(method, path, body=body, headers=names)
            return Answer(connection.getresponse())
        finally:
            connection.close()

    def get(self, path, arguments=(), **headers):
        pairs = arguments.items() if isinstance(arguments, dict) else arguments
        query = urllib.parse.urlencode(list(pairs))
        return self.ask(path + ("?" + query if query else ""), **headers)

    def raw(self, data, timeout=30):
        """Sends bytes as they are and gives all that comes back until the server closes."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=timeout) as plain:
            plain.sendall(data)
            received = b""
            while True:
                part = plain.recv(65536)
                if not part:
                    return received
                received += part


def import_demo(folder):
    db = str(pathlib.Path(folder) / "demo.db")
    subprocess.run([PROGRAM, "import", str(ROOT / "data" / "demo"), "--db", db], check=True, capture_output=True)
    return db


class DemoTest(unittest.TestCase):
    """Tests that share one server."""

    options = ()

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="rondo-http-")
        cls.db = import_demo(cls.folder.name)
        cls.server = Server(cls.db, *cls.options)

    @classmethod
    def tearDownClass(cls):
        code = cls.server.stop()
        cls.folder.cleanup()
        assert code == 0, f"the server ended with {code}: {cls.server.log}"

    def problem(self, answer, status, code):
        self.assertEqual(answer.status, status, answer.body)
        self.assertEqual(answer.type(), "application/problem+json")
        self.assertEqual(answer.json()["code"], code)
        self.assertEqual(answer.json()["status"], status)
        return answer.json()
