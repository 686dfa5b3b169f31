"""Votes from several devices at once, while the server is killed or stopped, are linearizable: there is one order of all
saves and reads of a ranking that fits every reply and the times of all of them. The real program, sockets and SQLite.

RONDO_KILLS=100 kills and stops it so often, for ./dev test deep.
"""

import http.client
import json
import math
import os
import random
import signal
import tempfile
import threading
import time
import unittest

from serving import Server, import_demo
from studying import Participant, Researcher, make_sets, run

KILLS = int(os.environ.get("RONDO_KILLS", "6"))
SETS = ["white-cockade-1", "greensleeves-1"]
PATIENCE = 0.5  # of a device, in seconds; a server that is stopped is stopped for longer


class Op:
    """A save or a read, from when it was sent until its reply; `reply` is None if none came. Replies: ("saved", VERSION),
    ("conflict", VERSION, RANKING), ("read", VERSION, RANKING)."""

    def __init__(self, start, end, kind, reply, name=None, basis=None, ranking=None):
        self.start = start
        self.end = math.inf if reply is None else end
        self.kind = kind
        self.reply = reply
        self.name = name
        self.basis = basis
        self.ranking = ranking


def apply(state, op):
    """The next state and the reply of a ranking that one client after the other uses. A state: version, ranking, and the
    saves that were applied, with their versions."""
    version, ranking, applied = state
    if op.kind == "read":
        return state, ("read", version, ranking)
    known = dict(applied).get(op.name)
    if known is not None:
        return state, ("saved", known)
    if op.basis != version:
        return state, ("conflict", version, ranking)
    return (version + 1, op.ranking, applied | {(op.name, version + 1)}), ("saved", version + 1)


def is_linearizable(history):
    """Looks for an order (Wing and Gong 1993), with a memory of what did not lead anywhere (Lowe 2017)."""
    ops = sorted((op for op in history if op.reply is not None or op.kind == "save"), key=lambda op: op.start)
    needed = sum(1 << i for i, op in enumerate(ops) if op.reply is not None)
    failed = set()
    stack = [(0, (0, "[]", frozenset()))]
    while stack:
        done, state = stack.pop()
        if done & needed == needed:
            return True
        if (done, state) in failed:
            continue
        failed.add((done, state))
        left = [i for i in range(len(ops)) if not done >> i & 1]
        first_end = min(ops[i].end for i in left)
        for i in left:
            if ops[i].start > first_end:
                break
            after, reply = apply(state, ops[i])
            if ops[i].reply is None:
                # Without a reply, only what it changes matters.
                if after != state:
                    stack.append((done | 1 << i, after))
            elif reply == ops[i].reply:
                stack.append((done | 1 << i, after))
    return False


class Checker(unittest.TestCase):
    """The checker finds what it is there for."""

    def save(self, start, end, name, basis, reply):
        return Op(start, end, "save", reply, name, basis, f"[{name}]")

    def read(self, start, end, version, name):
        return Op(start, end, "read", ("read", version, f"[{name}]"))

    def test_one_after_the_other(self):
        self.assertTrue(is_linearizable([self.save(0, 1, "a", 0, ("saved", 1)), self.read(2, 3, 1, "a"),
                                         self.save(4, 5, "b", 1, ("saved", 2)), self.read(6, 7, 2, "b")]))

    def test_a_lost_save(self):
        self.assertFalse(is_linearizable([self.save(0, 1, "a", 0, ("saved", 1)), self.read(2, 3, 0, "")]))

    def test_a_stale_read(self):
        self.assertFalse(is_linearizable([self.save(0, 1, "a", 0, ("saved", 1)), self.save(2, 3, "b", 1, ("saved", 2)),
                                          self.read(4, 5, 1, "a")]))

    def test_two_saves_on_the_same_basis(self):
        self.assertFalse(is_linearizable([self.save(0, 3, "a", 0, ("saved", 1)), self.save(1, 2, "b", 0, ("saved", 1))]))

    def test_a_save_without_reply_may_have_happened_or_not_but_not_both(self):
        lost = self.save(0, 1, "a", 0, None)
        self.assertTrue(is_linearizable([lost, self.read(2, 3, 1, "a")]))
        self.assertTrue(is_linearizable([lost, self.read(2, 3, 0, "")]))
        self.assertFalse(is_linearizable([lost, self.read(2, 3, 1, "a"), self.read(4, 5, 0, "")]))

    def test_a_save_that_is_sent_again(self):
        self.assertTrue(is_linearizable([self.save(0, 1, "a", 0, None), self.save(2, 3, "b", 1, ("saved", 2)),
                                         self.save(4, 5, "a", 0, ("saved", 1)), self.read(6, 7, 2, "b")]))
        self.assertFalse(is_linearizable([self.save(0, 1, "a", 0, ("saved", 1)), self.save(2, 3, "b", 1, ("saved", 2)),
                                          self.save(4, 5, "a", 0, ("saved", 1)), self.read(6, 7, 3, "a")]))


class Place:
    """Where the server is at the moment."""

    def __init__(self, db):
        self.db = db
        self.server = Server(db)
        self.changed = threading.Condition()
        self.ended = False
        self.done = 0  # ops with a reply

    def restart(self):
        self.server.process.send_signal(signal.SIGKILL)
        self.server.stop()
        fresh = Server(self.db)
        with self.changed:
            self.server = fresh
            self.changed.notify_all()

    def wait_for(self, replies):
        """Until so many more came; a minute without any is a server that hangs."""
        with self.changed:
            goal = self.done + replies
            while self.done < goal:
                before = self.done
                self.changed.wait(60)
                if self.done == before:
                    raise AssertionError("no reply for a minute")


class Device(threading.Thread):
    """One of a participant's devices: saves on what it knows, reads, and repeats what got no reply."""

    def __init__(self, place, person, codes, seed, history):
        super().__init__()
        self.place = place
        self.person = person  # cookies and the CSRF word
        self.codes = codes  # of each query
        self.random = random.Random(seed)
        self.name = seed
        self.history = history  # of each query, shared
        self.version = {n: 0 for n in codes}
        self.open = []  # saves without a reply
        self.saves = 0
        self.wrong = None

    def run(self):
        try:
            while not self.place.ended:
                self.once()
        except Exception as wrong:  # shown by the test
            self.wrong = wrong

    def once(self):
        n = self.random.choice(list(self.codes))
        path = self.person.at(f"/queries/{n}")
        if self.random.random() < 0.35:
            self.ask("GET", path, None, n, Op(0, 0, "read", None))
            return
        if self.open and self.random.random() < 0.4:
            n, name, basis, ranking = self.random.choice(self.open)
            path = self.person.at(f"/queries/{n}")
        else:
            self.saves += 1
            name = f"{self.name}-{self.saves}"
            basis = self.version[n]
            ranking = [[c] for c in self.random.sample(self.codes[n], self.random.randint(0, len(self.codes[n])))]
        save = (n, name, basis, ranking)
        body = {"version": basis, "save": name, "ranking": ranking, "done": False}
        got = self.ask("PUT", path + "/ranking", body, n, Op(0, 0, "save", None, name, basis, json.dumps(ranking)))
        if got and save in self.open:
            self.open.remove(save)
        elif got is None and save not in self.open:
            self.open.append(save)

    def ask(self, method, path, body, n, op):
        """True: a reply came. False: it was not sent. None: nobody knows."""
        server = self.place.server
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
        try:
            connection.connect()
        except OSError:
            with self.place.changed:
                if server is self.place.server and not self.place.ended:
                    self.place.changed.wait(0.1)
            return False
        headers = {"Cookie": "; ".join(f"{k}={v}" for k, v in self.person.cookies.items()),
                   "X-Rondo-Csrf": self.person.csrf, "Content-Type": "application/json"}
        op.start = time.monotonic()
        try:
            connection.request(method, path, body=None if body is None else json.dumps(body), headers=headers)
            response = connection.getresponse()
            status, told = response.status, response.read()
        except (OSError, http.client.HTTPException):
            self.history[n].append(op)
            return None
        finally:
            connection.close()
        op.end = time.monotonic()
        told = json.loads(told)
        if status == 503:
            return False  # busy: nothing was done
        if status == 200 and op.kind == "read":
            op.reply = ("read", told["version"], json.dumps(told["ranking"]))
        elif status == 200:
            op.reply = ("saved", told["version"])
        elif status == 409:
            op.reply = ("conflict", told["version"], json.dumps(told["ranking"]))
        else:
            raise AssertionError(f"{method} {path}: {status} {told}")
        self.version[n] = max(self.version[n], op.reply[1])
        self.history[n].append(op)
        with self.place.changed:
            self.place.done += 1
            self.place.changed.notify_all()
        return True


class Linearizable(unittest.TestCase):
    def test_votes_are_linearizable_while_the_server_is_killed_and_stopped(self):
        chance = random.Random(35)
        with tempfile.TemporaryDirectory(prefix="rondo-linearizable-") as folder:
            db = import_demo(folder)
            make_sets(db, SETS, top=4)
            token = run("study", "token", "--db", db).strip()
            place = Place(db)
            self.addCleanup(lambda: place.server.process.kill())
            researcher = Researcher(place.server, token)
            researcher.make_study("devices", SETS)
            researcher.open("devices")
            codes = [i["code"] for i in researcher.invite("devices", 2)]
            researcher.close()
            kills = 0
            while kills < KILLS:
                # Short histories, each from empty rankings, are checked in no time.
                kills += self.one_history(place, codes, chance, min(3, KILLS - kills))
                if kills < KILLS:
                    researcher = Researcher(place.server, token)
                    codes = [i["code"] for i in researcher.invite("devices", 2)]
                    researcher.close()
            self.assertEqual(place.server.stop(), 0, place.server.log)

    def one_history(self, place, codes, chance, kills):
        devices = []
        for code in codes:
            first = Participant(place.server, "devices", code).join().agree()
            shown = {n: [c["code"] for c in first.task(n)["candidates"]] for n in range(1, len(SETS) + 1)}
            first.close()
            history = {n: [] for n in shown}
            for device in range(3):
                person = Participant(place.server, "devices", code).join()
                person.close()
                devices.append(Device(place, person, shown, f"{code}/{device}", history))
        for device in devices:
            device.start()
        try:
            for i in range(kills):
                place.wait_for(chance.randint(20, 60))
                if i % 2 == 0:
                    place.restart()
                else:
                    place.server.process.send_signal(signal.SIGSTOP)
                    time.sleep(1.5 * PATIENCE)  # longer than the devices wait; what they sent may yet be done
                    place.server.process.send_signal(signal.SIGCONT)
            place.wait_for(30)
        finally:
            place.ended = True
            for device in devices:
                device.join()
            place.ended = False
        unknown = 0
        for device in devices:
            self.assertIsNone(device.wrong)
            for n, ops in device.history.items():
                unknown += sum(op.reply is None for op in ops)
                self.assertTrue(is_linearizable(ops), "\n".join(
                    f"{op.start:.4f} {op.end:.4f} {op.kind} {op.name} {op.basis} {op.ranking} -> {op.reply}"
                    for op in sorted(ops, key=lambda op: op.start)))
        self.assertGreater(unknown, 0, "no request was cut off; the test proves nothing")
        return kills


if __name__ == "__main__":
    unittest.main()
