"""A PostgreSQL server of the tests' own, with the extension of this build, in a temporary folder.

PostgreSQL 15 finds extensions beside its own programs only. So the programs are copied into a tree of their own, with
links to all else and the extension added: CREATE EXTENSION works, and nothing is installed on the machine.
"""

import contextlib
import ctypes
import json
import os
import pathlib
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXTENSION = os.environ.get("RONDO_EXTENSION", str(ROOT / "build/postgresql/rondo.so"))
# Where the scripts of the extension lie; the sources have the control file one folder up.
SCRIPTS = pathlib.Path(os.environ.get("RONDO_EXTENSION_SQL", ROOT / "postgresql/sql"))
PROGRAM = os.environ.get("RONDO_PROGRAM", str(ROOT / "build/rondo"))
BIN = pathlib.Path("/usr/lib/postgresql/15/bin")
SHARE = pathlib.Path("/usr/share/postgresql/15")


def skip(why):
    print(f"skipped: {why}")
    sys.exit(77)


try:
    import psycopg2
except ImportError:
    skip("python3-psycopg2 is not installed")
if not (BIN / "postgres").exists():
    skip("postgresql-15 is not installed")


def user():
    """Whom the server runs as: PostgreSQL refuses to be root."""
    if os.getuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        with contextlib.suppress(KeyError):
            return pwd.getpwnam(name)
    return None


def become(who):
    def change():
        if who is not None:
            os.setgroups([])
            os.setgid(who.pw_gid)
            os.setuid(who.pw_uid)
        # A server ends with the test that started it, even if that is killed.
        ctypes.CDLL(None).prctl(1, signal.SIGINT)

    return change


class Installation:
    """Programs, libraries and the extension."""

    def __init__(self):
        self.who = user()
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="rondo-pg-"))
        os.chmod(self.folder, 0o755)
        self.bin = self.folder / "usr/lib/postgresql/15/bin"
        self.bin.mkdir(parents=True)
        for name in ("postgres", "initdb", "pg_ctl", "pg_basebackup", "pg_dump", "pg_restore", "psql", "pg_controldata"):
            shutil.copy(BIN / name, self.bin / name)
        library = self.bin.parent / "lib"
        library.mkdir()
        for file in (BIN.parent / "lib").iterdir():
            (library / file.name).symlink_to(file)
        with contextlib.suppress(FileNotFoundError):
            (library / "rondo.so").unlink()
        shutil.copy(EXTENSION, library / "rondo.so")
        share = self.folder / "usr/share/postgresql/15"
        share.mkdir(parents=True)
        for file in SHARE.iterdir():
            if file.name != "extension":
                (share / file.name).symlink_to(file)
        (share / "extension").mkdir()
        for file in (SHARE / "extension").iterdir():
            if not file.name.startswith("rondo"):
                (share / "extension" / file.name).symlink_to(file)
        control = SCRIPTS / "rondo.control"
        shutil.copy(control if control.exists() else SCRIPTS.parent / "rondo.control", share / "extension")
        for file in SCRIPTS.glob("rondo--*.sql"):
            shutil.copy(file, share / "extension")
        self.work = self.folder / "work"
        self.work.mkdir()
        if self.who is not None:
            os.chown(self.work, self.who.pw_uid, self.who.pw_gid)

    def fresh_data(self):
        """The folder of a server that has not been started yet; made once, for it takes seconds."""
        folder = self.work / "fresh"
        if not folder.exists():
            self.run("initdb", "-D", folder, "-U", "tester", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync")
        return folder

    def run(self, *command, check=True, **options):
        program = self.bin / command[0]
        return subprocess.run([str(program) if program.exists() else command[0], *map(str, command[1:])], check=check, text=True,
                              cwd=self.work, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              preexec_fn=become(self.who), **options)

    def close(self):
        shutil.rmtree(self.folder, ignore_errors=True)


class Server:
    """One server of an installation, reached through a socket in its own folder."""

    def __init__(self, installation, name="primary", settings=(), copy_of=None):
        self.installation = installation
        self.data = installation.work / name
        self.socket = installation.work / f"{name}-socket"
        self.process = None
        self.socket.mkdir()
        if installation.who is not None:
            os.chown(self.socket, installation.who.pw_uid, installation.who.pw_gid)
        if copy_of is None:
            installation.run("cp", "-r", installation.fresh_data(), self.data)
        else:
            installation.run("pg_basebackup", "-D", self.data, "-h", copy_of.socket, "-U", "tester", "--write-recovery-conf",
                             "--checkpoint=fast", "--no-sync")
        with open(self.data / "postgresql.conf", "a", encoding="utf-8") as file:
            for line in ("listen_addresses = ''", f"unix_socket_directories = '{self.socket}'", "shared_buffers = 32MB",
                         "max_connections = 30", "wal_level = replica", "autovacuum = off", "log_min_messages = warning",
                         "max_wal_senders = 4", "hot_standby = on", *settings):
                file.write(line + "\n")
        self.start()

    def start(self):
        self.log = open(self.data.parent / f"{self.data.name}.log", "a", encoding="utf-8")  # pylint: disable=consider-using-with
        self.process = subprocess.Popen([str(self.installation.bin / "postgres"), "-D", str(self.data)],
                                        stdout=self.log, stderr=self.log, cwd=self.installation.work,
                                        preexec_fn=become(self.installation.who))
        end = time.monotonic() + 120
        while True:
            try:
                self.connect("postgres").close()
                return
            except psycopg2.OperationalError:
                if self.process.poll() is not None or time.monotonic() > end:
                    raise RuntimeError("the server does not start:\n" + self.log_text()) from None
                time.sleep(0.05)

    def log_text(self):
        return (self.data.parent / f"{self.data.name}.log").read_text(encoding="utf-8", errors="replace")

    def connect(self, database="postgres", **options):
        connection = psycopg2.connect(host=str(self.socket), user="tester", dbname=database, **options)
        connection.autocommit = True
        return connection

    def kill(self):
        """As a power cut would, for the processes at least."""
        children = subprocess.run(["ps", "-o", "pid=", "--ppid", str(self.process.pid)], stdout=subprocess.PIPE, text=True,
                                  check=False).stdout.split()
        self.process.send_signal(signal.SIGKILL)
        for child in children:
            with contextlib.suppress(ProcessLookupError):
                os.kill(int(child), signal.SIGKILL)
        self.process.wait()
        self.log.close()
        # What the dead leave behind of shared memory is in use until the last of them is gone.
        for child in children:
            while pathlib.Path(f"/proc/{child}").exists():
                time.sleep(0.01)

    def stop(self):
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            try:
                self.process.wait(60)
            except subprocess.TimeoutExpired:
                self.kill()
        self.log.close()


@contextlib.contextmanager
def running(**options):
    """An installation with one server."""
    installation = Installation()
    server = None
    try:
        server = Server(installation, **options)
        yield server
    finally:
        if server is not None:
            server.stop()
        installation.close()


class Sql:
    """A connection with shortcuts."""

    def __init__(self, server, database="postgres"):
        self.connection = server.connect(database)

    def run(self, text, *values):
        with self.connection.cursor() as cursor:
            cursor.execute(text, values or None)
            return cursor.fetchall() if cursor.description else []

    def one(self, text, *values):
        rows = self.run(text, *values)
        assert len(rows) == 1 and len(rows[0]) == 1, rows
        return rows[0][0]

    def column(self, text, *values):
        return [row[0] for row in self.run(text, *values)]

    def close(self):
        self.connection.close()


_made = {}


def incipits(count, seed=1):
    """Pairs of an id and a melody as JSON, the same each time."""
    if (count, seed) not in _made:
        text = subprocess.run([PROGRAM, "generate", "--count", str(count), "--seed", str(seed)], check=True,
                              stdout=subprocess.PIPE, text=True).stdout
        _made[(count, seed)] = [(json.loads(line)["id"], line) for line in text.splitlines()]
    return _made[(count, seed)]
