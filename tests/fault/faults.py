"""A small collection with a study and decisions, and the program run over it with a system that fails: for the tests
beside this file. shim.c explains how calls are made to fail.

The program is named by RONDO_PROGRAM, the library by RONDO_FAULT_SHIM; without them those of build/ are taken.
"""

import hashlib
import json
import mmap
import os
import pathlib
import re
import shutil
import signal
import sqlite3
import struct
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("RONDO_PROGRAM", str(ROOT / "build" / "rondo"))
SHIM = os.environ.get("RONDO_FAULT_SHIM", str(ROOT / "build" / "tests" / "librondo_fault_shim.so"))
sys.path.append(str(ROOT / "tests" / "http"))

KINDS = ["memory", "write", "sync", "rename", "open", "resize", "map", "unlink"]  # as in shim.c
HEAD = struct.Struct("<IIQIIQ")
COUNTS = struct.Struct(f"<{len(KINDS)}Q")
PATIENCE = 20  # seconds after which a command hangs; a whole one takes 0.05


class Control:
    """The memory shared with the shim."""

    def __init__(self, path):
        self.path = path
        with open(path, "wb") as file:
            file.write(bytes(4096))
        with open(path, "r+b") as file:
            self.map = mmap.mmap(file.fileno(), 4096)

    def arm(self, when, kind=None, n=0, error=0, sticky=False):
        """when: 1 now, 2 when main begins, 0 never."""
        number = KINDS.index(kind) if kind else 0
        self.map[HEAD.size:HEAD.size + COUNTS.size] = bytes(COUNTS.size)
        self.map[4:HEAD.size] = HEAD.pack(0, number, n, error, sticky, 0)[4:]
        self.map[0:4] = struct.pack("<I", when)

    def disarm(self):
        self.map[0:4] = bytes(4)

    def failed(self):
        return HEAD.unpack(self.map[:HEAD.size])[5]

    def counts(self):
        return dict(zip(KINDS, COUNTS.unpack(self.map[HEAD.size:HEAD.size + COUNTS.size])))


class Bench:
    """A folder `work` that is made afresh from the folder `kept` for every run."""

    def __init__(self, folder):
        self.kept = os.path.join(folder, "kept")
        self.work = os.path.join(folder, "work")
        self.log = os.path.join(folder, "log")
        self.control = Control(os.path.join(folder, "control"))
        os.mkdir(self.work)

    def at(self, name):
        return os.path.join(self.work, name)

    def reset(self):
        shutil.rmtree(self.work, ignore_errors=True)
        shutil.copytree(self.kept, self.work)

    def keep(self):
        shutil.rmtree(self.kept, ignore_errors=True)
        shutil.copytree(self.work, self.kept)

    def environment(self, log=False):
        out = {**os.environ, "LD_PRELOAD": SHIM, "RONDO_FAULT_CONTROL": self.control.path,
               "RONDO_FAULT_FOLDER": self.work}
        if log:
            out["RONDO_FAULT_LOG"] = self.log
        return out

    def run(self, arguments, log=False):
        """The exit code (negative: a signal; None: it hung), standard output and error."""
        process = subprocess.Popen([PROGRAM, *arguments], cwd=self.work, env=self.environment(log),
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace")
        try:
            out, error = process.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            out, error = process.communicate()
            return None, out, error
        return process.returncode, out, error


def wrong_end(code, said):
    """What is wrong with how a process ended."""
    if code is None:
        return ["it hangs"]
    # Here the C library itself gives up: a thread_local object of a class has to be registered, which takes memory.
    if code == -signal.SIGABRT and "failed to register TLS destructor" in said:
        return []
    if code < 0:
        return [f"it ended by {signal.Signals(-code).name}: {said[-200:]}"]
    return [] if code == 0 or said.strip() else [f"exit {code} without a word"]


def plainly(*arguments, **options):
    """The program without any fault; it must succeed."""
    done = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=60, **options)
    assert done.returncode == 0, (arguments, done)
    return done.stdout


def first_records(name, count):
    text = (ROOT / "data" / "demo" / name).read_text()
    return "\n\n".join(text.strip().split("\n\n")[:count]) + "\n"


SET = "abide-with-me"


def make_collection(bench):
    """A dozen melodies with their index, a study of one query with two people, a decision, and what an import will
    read: one melody changed, one gone, three new."""
    os.makedirs(bench.work, exist_ok=True)
    old = first_records("hymns.pae", 12)
    pathlib.Path(bench.at("old.pae")).write_text(old)
    plainly("import", "old.pae", "--db", "c.db", cwd=bench.work)
    plainly("candidates", "make", "set", "--db", "c.db", "--like", SET, "--system", "shapeh", "--top", "5",
            cwd=bench.work)
    plainly("study", "create", "votes", "--candidates", "set", "--db", "c.db", cwd=bench.work)
    plainly("study", "open", "votes", "--db", "c.db", cwd=bench.work)
    invited = plainly("study", "invite", "votes", "--count", "2", "--db", "c.db", cwd=bench.work)
    bench.codes = re.findall(r"#(\S+)", invited)
    bench.token = plainly("study", "token", "--db", "c.db", cwd=bench.work).split()[-1]
    new = old.replace("@title:", "@title:The ", 1).split("\n\n")
    new = "\n\n".join(new[:-1]) + "\n\n" + first_records("folk.pae", 3)
    pathlib.Path(bench.at("old.pae")).write_text(new)


def contents(db):
    """A digest of all that a collection says; 'none' where there is no collection, or an empty one."""
    if not os.path.exists(db) or os.path.getsize(db) == 0:
        return "none"
    return digest(db, ["SELECT id, title, composer, source, library, shelfmark, uri, year, format FROM piece ORDER BY id",
                       "SELECT p.id, v.number, v.name, v.note_count, v.clef, v.key_signature, v.musical_key, v.time, "
                       "v.notes FROM voice v JOIN piece p ON p.key = v.piece ORDER BY p.id, v.number",
                       "SELECT p.id, f.position, f.name, f.value FROM piece_field f JOIN piece p ON p.key = f.piece "
                       "ORDER BY p.id, f.position"])


def studies(db):
    """The same for its studies."""
    if not os.path.exists(db + ".studies"):
        return "none"
    return digest(db + ".studies", ["SELECT * FROM study", "SELECT * FROM query", "SELECT * FROM candidate",
                                    "SELECT key, study, number, label, origin, consented FROM participant",
                                    "SELECT participant, query, version, ranking, done FROM answer"])


def decisions_in(db):
    """Pairs and verdicts, as far as lines are complete; the program's own check reads them with checksums."""
    try:
        with open(db + ".decisions", "rb") as file:
            text = file.read()
    except FileNotFoundError:
        return "{}"
    out = {}
    for line in text.split(b"\n")[:-1]:
        one = json.loads(line[17:])
        out[one["b"][0]] = [one["verdict"], one["note"]]
    return json.dumps(out, sort_keys=True)


def vote_in(db, person):
    if not os.path.exists(db + ".studies"):
        return "none"
    database = sqlite3.connect(db + ".studies")
    try:
        rows = database.execute("SELECT a.version, a.ranking, a.done FROM answer a JOIN participant p "
                                "ON p.key = a.participant WHERE p.number = ?", (person,)).fetchall()
    except sqlite3.OperationalError as missing:
        assert "no such table" in str(missing), missing
        return "none"
    finally:
        database.close()
    return json.dumps([rows[0][0], json.loads(rows[0][1]), bool(rows[0][2])]) if rows else "none"


def people_in(db):
    if not os.path.exists(db + ".studies"):
        return 0
    database = sqlite3.connect(db + ".studies")
    try:
        return database.execute("SELECT count(*) FROM participant").fetchone()[0]
    except sqlite3.OperationalError as missing:
        assert "no such table" in str(missing), missing
        return 0
    finally:
        database.close()


def digest(file, questions):
    database = sqlite3.connect(file, timeout=10)
    try:
        tables = {row[0] for row in database.execute("SELECT name FROM sqlite_schema")}
        if not tables & {"piece", "study"}:
            return "none"
        rows = [row for question in questions for row in database.execute(question)]
        return hashlib.sha256(repr(rows).encode()).hexdigest()[:16] if rows else "none"
    finally:
        database.close()


def check(bench, name="c.db"):
    """What `rondo check` finds, except that the index is behind: an error of an import or index may leave it so."""
    done = subprocess.run([PROGRAM, "check", bench.at(name), "--format", "json"], capture_output=True, text=True,
                          timeout=60)
    try:
        verdict = json.loads(done.stdout)
    except ValueError:
        return [f"exit {done.returncode}: {done.stdout}{done.stderr}"]
    found = [one["what"] for one in verdict["findings"]
             if not (one["repaired"] and one["what"].endswith("it is not up to date"))]
    return found + verdict["not_checked"]
