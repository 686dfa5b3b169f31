"""The n-th failure: a call of memory, or one that changes or opens a file, fails, and then the next, to the end. Every
run ends with an answer, `rondo check` finds no damage, and the collection, its studies and its decisions are what they
were or what they were to become, never a third.

RONDO_FAULT_DEEP=1 tries every n with every error (of allocations: every tenth n with the second error); otherwise every
n of the calls on files (from the 61st on every third) with one of the errors, and some dozens of allocations;
RONDO_FAULT_SEED chooses others. One run again, with its output:

    python3 tests/fault/test_nth.py OPERATION KIND N [ERROR]
"""

import errno
import os
import pathlib
import sys
import tempfile
import unittest

import faults
from faults import KINDS, Bench, check, contents, plainly, studies, wrong_end

DEEP = bool(os.environ.get("RONDO_FAULT_DEEP"))
SEED = int(os.environ.get("RONDO_FAULT_SEED", "1"))

# An error: its number (0: a short write), and whether everything after it fails as well.
ERRORS = {
    "memory": {"once": (errno.ENOMEM, False), "all": (errno.ENOMEM, True)},
    "write": {"full": (errno.ENOSPC, True), "short": (0, False), "disk": (errno.EIO, False),
              "interrupted": (errno.EINTR, False)},
    "sync": {"disk": (errno.EIO, False), "full": (errno.ENOSPC, True)},
    "rename": {"disk": (errno.EIO, False), "full": (errno.ENOSPC, True)},
    "open": {"files": (errno.EMFILE, False), "rights": (errno.EACCES, False), "full": (errno.ENOSPC, True)},
    "resize": {"full": (errno.ENOSPC, True), "disk": (errno.EIO, False)},
    "map": {"once": (errno.ENOMEM, False), "all": (errno.ENOMEM, True)},
    "unlink": {"disk": (errno.EIO, False)},
}


class Operation:
    """A command; what it needs; what may have changed when it ended."""

    name = ""
    arguments = ()
    db = "c.db"

    def prepare(self, bench):
        pass

    def state(self, bench):
        return contents(bench.at(self.db)), studies(bench.at(self.db))

    def acceptable(self, state, old, new):
        return state in (old, new)

    def check(self, bench):
        return check(bench, self.db) if os.path.exists(bench.at(self.db)) else []


class Import(Operation):
    name = "import"
    arguments = ("import", "old.pae", "--db", "c.db", "--report", "report.csv")


class Create(Operation):
    name = "create"
    arguments = ("import", "old.pae", "--db", "new/n.db")
    db = "new/n.db"

    def check(self, bench):
        if self.state(bench)[0] == "none":  # it can still be made
            plainly("import", "old.pae", "--db", "new/n.db", cwd=bench.work)
        return super().check(bench)


class Index(Operation):
    name = "index"
    arguments = ("index", "--db", "c.db", "--rebuild")


class Extend(Operation):
    name = "extend"
    arguments = ("index", "--db", "c.db")

    def prepare(self, bench):
        plainly("import", "old.pae", "--db", "c.db", "--no-index", cwd=bench.work)


class Backup(Operation):
    name = "backup"
    arguments = ("backup", "c.db", "copy.db")
    db = "copy.db"

    def acceptable(self, state, old, new):
        # The studies come first; without a collection they are not a copy.
        return state in (old, new) or state == (old[0], new[1])

    def check(self, bench):
        return check(bench) + (super().check(bench) if self.state(bench)[0] != "none" else [])


class Restore(Operation):
    name = "restore"
    arguments = ("backup", "--restore", "copy.db", "c.db")

    def prepare(self, bench):
        plainly("backup", "c.db", "copy.db", cwd=bench.work)
        plainly("import", "old.pae", "--db", "c.db", cwd=bench.work)
        plainly("study", "invite", "votes", "--count", "1", "--db", "c.db", cwd=bench.work)

    def acceptable(self, state, old, new):
        return state[0] in (old[0], new[0]) and state[1] in (old[1], new[1])


class Concordances(Operation):
    name = "concordances"
    arguments = ("concordances", "--db", "c.db", "--out", "out.csv", "--min-score", "0.01", "--min-notes", "2")

    def state(self, bench):
        out = pathlib.Path(bench.at("out.csv"))
        return out.read_text() if out.exists() else "none"

    def check(self, bench):
        # What was begun is continued.
        plainly(*self.arguments, cwd=bench.work)
        if self.state(bench) != self.new:
            return ["the same command does not end with the same result"]
        return super().check(bench)


COMMANDS = {one.name: one for one in [Import(), Create(), Index(), Extend(), Backup(), Restore(), Concordances()]}
PARTS = ["import", "create", "index", "extend", "backup", "restore", "concordances"]  # tests/CMakeLists.txt reads it


class Tester:
    """Runs one operation with one failure after the other."""

    def __init__(self, folder, operation):
        self.operation = operation
        self.bench = Bench(folder)
        faults.make_collection(self.bench)
        operation.prepare(self.bench)
        self.bench.keep()
        self.old = operation.state(self.bench)
        code, out, error = self.run()
        assert code == 0 and self.bench.control.failed() == 0, (code, out, error)
        self.counts = self.bench.control.counts()
        self.new = operation.state(self.bench)
        operation.new = self.new
        assert self.new != self.old or isinstance(operation, (Index, Extend))
        self.runs = 0

    def run(self, kind=None, n=0, error=(0, False)):
        self.bench.reset()
        self.bench.control.arm(2, kind, n, *error)
        return self.bench.run(self.operation.arguments)

    def problems(self, kind, n, error, show=False):
        """What is wrong after this failure."""
        self.runs += 1
        code, out, said = self.run(kind, n, error)
        self.reached = self.bench.control.failed() != 0
        if show:
            print(f"exit {code}, {self.bench.control.failed()} failed\n{out}{said}")
        found = wrong_end(code, said)
        state = self.operation.state(self.bench)
        if not self.operation.acceptable(state, self.old, self.new):
            found.append(f"a third state: {state}, neither {self.old} nor {self.new}")
        if code == 0 and state != self.new:
            found.append("success, but the state is the old one")
        try:
            found += self.operation.check(self.bench)
        except AssertionError as failed:
            found.append(str(failed))
        return found


def chosen(kind, count):
    """Which n are tried of `count`, each with the names of its errors."""
    errors = list(ERRORS[kind])
    if DEEP:
        for n in range(1, count + 1):
            yield n, errors if kind != "memory" or n % 10 == 0 else errors[:1]
        return
    if kind != "memory":
        for n in range(1, count + 1):
            # Long runs of writes are copies of pages, one like the other.
            if n <= 60 or (n + SEED) % 3 == 0:
                yield n, [errors[(n + SEED + n // 3) % len(errors)]]
        return
    # The first ones, then ever fewer: much is alike at the end of a long run.
    n, step = 1, 1.0
    while n <= count:
        yield n, [errors[(int(n) + SEED) % 10 == 0]]
        step *= 1.25
        n += max(1, int(step)) + (SEED + n) % 3


class Commands(unittest.TestCase):
    def attempt(self, name):
        with tempfile.TemporaryDirectory(prefix="rondo-nth-") as folder:
            tester = Tester(folder, COMMANDS[name])
            failures = []
            for kind in KINDS:
                for n, errors in chosen(kind, tester.counts[kind]):
                    for error in errors:
                        found = tester.problems(kind, n, ERRORS[kind][error])
                        if found:
                            failures.append(f"test_nth.py {name} {kind} {n} {error}: {'; '.join(found)}")
            print(f"{name}: {tester.runs} runs; calls without a failure: {tester.counts}")
            self.assertEqual(failures, [], f"{len(failures)} of {tester.runs}\n" + "\n".join(failures))


for one in PARTS:
    setattr(Commands, f"test_{one}", lambda self, one=one: self.attempt(one))


if __name__ == "__main__":
    if len(sys.argv) >= 4 and sys.argv[1] in COMMANDS:
        _, name, kind, n, *rest = sys.argv
        with tempfile.TemporaryDirectory(prefix="rondo-nth-") as folder:
            tester = Tester(folder, COMMANDS[name])
            for error in rest or ERRORS[kind]:
                print(f"{name} {kind} {n} {error}:", tester.problems(kind, int(n), ERRORS[kind][error], show=True) or "fine")
    else:
        unittest.main()
