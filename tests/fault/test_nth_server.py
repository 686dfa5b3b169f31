"""The n-th failure, as in test_nth.py, where there is a server: when it starts, and in the middle of an answer. A vote or
a decision that the server acknowledged is there; any other is there or not; and the next one is answered as if nothing
had been.

One run again: python3 tests/fault/test_nth_server.py start|vote|decision KIND N [ERROR]
"""

import http.client
import json
import random
import re
import select
import signal
import subprocess
import sys
import tempfile
import unittest

import faults
from faults import KINDS, PROGRAM, Bench, check, contents, decisions_in, studies, vote_in, wrong_end
from serving import Answer
from studying import Client, Participant, Researcher
from test_nth import ERRORS, chosen


class Served:
    """A server under the shim, over the bench's collection."""

    def __init__(self, bench):
        self.bench = bench
        self.process = subprocess.Popen([PROGRAM, "serve", "--db", "c.db", "--port", "0", "--threads", "1"],
                                        cwd=bench.work, env=bench.environment(), stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True, errors="replace")
        ready, _, _ = select.select([self.process.stdout], [], [], faults.PATIENCE)
        line = self.process.stdout.readline() if ready else ""
        self.hangs = not ready
        found = re.search(r"http://[^/]*:(\d+)/", line)
        self.port = int(found.group(1)) if found else None

    def connect(self, timeout=faults.PATIENCE):
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)

    def ask(self, path):
        connection = self.connect()
        try:
            connection.request("GET", path)
            return Answer(connection.getresponse())
        finally:
            connection.close()

    def stop(self):
        """The exit code and what was said."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        try:
            _, said = self.process.communicate(timeout=faults.PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            _, said = self.process.communicate()
            return None, said
        return self.process.returncode, said


class Start:
    def __init__(self, folder):
        self.bench = Bench(folder)
        faults.make_collection(self.bench)
        self.bench.keep()
        self.old = self.state()
        self.runs = 0
        self.bench.control.arm(2)
        served = Served(self.bench)
        self.bench.control.disarm()
        assert served.ask("/health").status == 200
        assert served.stop()[0] == 0
        self.counts = self.bench.control.counts()

    def state(self):
        return contents(self.bench.at("c.db")), studies(self.bench.at("c.db"))

    def problems(self, kind, n, error, show=False):
        self.runs += 1
        self.bench.reset()
        self.bench.control.arm(2, kind, n, *error)
        served = Served(self.bench)
        self.bench.control.disarm()
        found = []
        silent = None
        if served.port is not None:
            try:
                health = served.ask("/health")
                if health.status not in (200, 503):
                    found.append(f"/health answers {health.status}")
            except (OSError, http.client.HTTPException) as problem:
                silent = f"/health: {problem}"
        elif served.hangs:
            served.process.kill()
            found.append("it hangs")
        code, said = served.stop()
        if show:
            print(f"exit {code}, {self.bench.control.failed()} failed\n{said}")
        found += wrong_end(code, said) if not served.hangs else []
        if silent and code == 0:  # it may have ended, but not without saying so
            found.append(silent)
        if self.state() != self.old:
            found.append("the collection or its studies changed")
        return found + check(self.bench)


class Asking:
    """A server that goes on, and one kind of request."""

    def __init__(self, folder):
        self.bench = Bench(folder)
        faults.make_collection(self.bench)
        self.ended = []
        self.runs = 0
        self.chance = random.Random(4)
        self.begin()
        self.counts = {}
        for _ in range(3):  # the first request fills caches
            self.bench.control.arm(1)
            answer = self.send()
            self.bench.control.disarm()
            assert answer is not None and answer.status == 200, answer and answer.body
            self.counts = self.bench.control.counts()

    def begin(self):
        self.bench.control.disarm()
        self.served = Served(self.bench)
        assert self.served.port is not None, self.served.stop()
        self.meet()

    def end(self):
        self.leave()
        code, said = self.served.stop()
        return wrong_end(code, said)

    def once(self, client, method, path, body):
        """No answer: None."""
        try:
            return client.ask_once(method, path, body, True)
        except (OSError, http.client.HTTPException):
            return None

    def problems(self, kind, n, error, show=False):
        self.runs += 1
        old = self.state()
        self.bench.control.arm(1, kind, n, *error)
        answer = self.send()
        self.bench.control.disarm()
        state = self.state()
        found = []
        if show:
            print(f"{self.bench.control.failed()} failed; answer: {answer and (answer.status, answer.body)}")
        if state not in (old, self.wanted):
            found.append(f"a third state: {state}, neither {old} nor {self.wanted}")
        if answer is not None and answer.status == 200 and state != self.wanted:
            found.append("acknowledged, but not there")
        if answer is not None and answer.status != 200 and "code" not in json.loads(answer.body):
            found.append(f"an answer without a code: {answer.body}")
        try:
            self.served.process.wait(0.3 if answer is None else 0)
        except subprocess.TimeoutExpired:
            pass
        if self.served.process.poll() is not None:
            code, said = self.served.stop()
            self.ended.append(n)
            found += wrong_end(code, said) + ([] if code == 1 else [f"the server ended with {code}"])
            if show:
                print(f"the server ended: {code}\n{said}")
            self.leave()
            self.begin()
        again = self.send()
        if again is None or again.status != 200 or self.state() != self.wanted:
            found.append(f"the next request is answered {again and (again.status, again.body)}")
            self.end()
            self.begin()
        if kind != "memory" or n % 20 == 0:
            found += check(self.bench)
        return found


class Vote(Asking):
    def meet(self):
        self.person = Participant(self.served, "votes", self.bench.codes[0]).join().agree()
        self.candidates = [one["code"] for one in self.person.task(1)["candidates"]]

    def leave(self):
        self.person.close()

    def state(self):
        return vote_in(self.bench.at("c.db"), 1)

    def send(self):
        known = self.state()
        version = json.loads(known)[0] if known != "none" else 0
        ranking = [[one] for one in self.chance.sample(self.candidates, self.chance.randint(1, len(self.candidates)))]
        self.wanted = json.dumps([version + 1, ranking, False])
        return self.once(self.person, "PUT", self.person.at("/queries/1/ranking"),
                         {"version": version, "save": f"{self.runs}-{self.chance.random()}", "ranking": ranking,
                          "done": False})


class Decision(Asking):
    def meet(self):
        self.editor = Researcher(self.served, self.bench.token)

    def leave(self):
        self.editor.close()

    def state(self):
        return decisions_in(self.bench.at("c.db"))

    def send(self):
        note = str(self.chance.random())
        self.wanted = json.dumps({**json.loads(self.state()), "joy-to-the-world": ["accepted", note]}, sort_keys=True)
        return self.once(self.editor, "PUT", "/api/v1/concordances/decisions", {
            "a": {"id": faults.SET, "voice": 0}, "b": {"id": "joy-to-the-world", "voice": 0},
            "decision": "accepted", "note": note})


PARTS = {"start": Start, "vote": Vote, "decision": Decision}  # tests/CMakeLists.txt reads the names


class Servers(unittest.TestCase):
    def attempt(self, name):
        with tempfile.TemporaryDirectory(prefix="rondo-nth-") as folder:
            tester = PARTS[name](folder)
            failures = []
            for kind in KINDS:
                for n, errors in chosen(kind, tester.counts[kind]):
                    for error in errors:
                        found = tester.problems(kind, n, ERRORS[kind][error])
                        if found:
                            failures.append(f"test_nth_server.py {name} {kind} {n} {error}: {'; '.join(found)}")
            ended = getattr(tester, "ended", [])
            if name != "start":
                self.assertEqual(tester.end(), [])
            print(f"{name}: {tester.runs} runs; the server ended in {len(ended)}; calls without a failure: {tester.counts}")
            self.assertEqual(failures, [], f"{len(failures)} of {tester.runs}\n" + "\n".join(failures))


for one in PARTS:
    setattr(Servers, f"test_{one}", lambda self, one=one: self.attempt(one))


if __name__ == "__main__":
    if len(sys.argv) >= 4 and sys.argv[1] in PARTS:
        _, name, kind, n, *rest = sys.argv
        with tempfile.TemporaryDirectory(prefix="rondo-nth-") as folder:
            tester = PARTS[name](folder)
            for error in rest or ERRORS[kind]:
                print(f"{name} {kind} {n} {error}:", tester.problems(kind, int(n), ERRORS[kind][error], show=True) or "fine")
            if name != "start":
                tester.end()
    else:
        unittest.main()
