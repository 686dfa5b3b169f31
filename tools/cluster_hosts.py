#!/usr/bin/python3
"""docs/scale.md, "On real hosts" and "Backup and restore", done on this machine with the real parts (./dev cluster hosts).

Two shards of two hosts each under Patroni with three etcd, two coordinators, pgbouncer in front, backups with pgbackrest. A
host is an address of the loopback network. The files of postgresql/cluster and the commands of docs/scale.md are taken as
they are, with names replaced by addresses and folders by temporary ones. Takes some four minutes; not a part of the tests.
"""

import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests/postgresql"))

import psycopg2  # noqa: E402
from server import BIN, Installation, become, incipits, skip  # noqa: E402

FILES = ROOT / "postgresql/cluster"
SECRET = "only-for-this-trial"
SHARDS = {"s0": ("s0a", "s0b"), "s1": ("s1a", "s1b")}
HOSTS = {"s0a": "127.0.10.1", "s0b": "127.0.10.2", "s1a": "127.0.11.1", "s1b": "127.0.11.2", "c0": "127.0.12.1",
         "c1": "127.0.12.2", "e0": "127.0.13.1", "e1": "127.0.13.2", "e2": "127.0.13.3", "b0": "127.0.14.1"}
COUNT = 2000
QUERIES = [("'4CDEC", "rondo"), ("''8C'BAG4FE", "shapeh"), ("4'DEF2G", "time"), ("'4CDEC", "P3")]

for needed in ("/usr/bin/patroni", "/usr/bin/etcd", "/usr/sbin/pgbouncer", "/usr/bin/pgbackrest"):
    if not pathlib.Path(needed).exists():
        skip(f"{needed} is not installed: patroni etcd-server pgbouncer pgbackrest postgresql-15-plproxy")
if os.getuid() != 0:
    skip("must be run as root, to run the servers as the user postgres")


def say(text):
    print(f"\n== {text}", flush=True)


def wait(what, holds, seconds=180):
    started = time.monotonic()
    while True:
        try:
            value = holds()
            if value:
                return value
        except (OSError, psycopg2.Error, KeyError, ValueError):
            pass
        if time.monotonic() - started > seconds:
            raise RuntimeError(f"{what}: not within {seconds} s")
        time.sleep(0.1)


def printed(marker):
    """The block of docs/scale.md with this text in it."""
    blocks, block = [], []
    for line in (ROOT / "docs/scale.md").read_text(encoding="utf-8").splitlines() + ["end"]:
        if line.startswith("    ") or (not line.strip() and block):
            block.append(line)
        elif block:
            blocks.append("\n".join(block))
            block = []
    found = [one for one in blocks if marker in one]
    assert len(found) == 1, (marker, len(found))
    lines = found[0].splitlines()
    indent = min(len(line) - len(line.lstrip()) for line in lines if line.strip())
    return "\n".join(line[indent:] for line in lines).strip() + "\n"


class Host:
    """An address, a folder in place of the host's own, and the processes that run there."""

    def __init__(self, trial, name):
        self.trial, self.name, self.address = trial, name, HOSTS[name]
        self.shard = name[:2] if name.startswith("s") else name
        self.folder = trial.work / name
        self.data = self.folder / "15" / self.shard
        for folder in (self.folder, self.folder / "15", self.folder / "run", self.folder / "log"):
            trial.installation.run("mkdir", "-p", folder)
        self.processes = {}
        self.environment = {
            **os.environ, "HOME": str(self.folder), "PATH": f"{trial.installation.bin}:/usr/sbin:/usr/bin:/bin",
            "PGBACKREST_CONFIG": str(self.folder / "pgbackrest.conf"), "PGBACKREST_LOG_PATH": str(self.folder / "log"),
            "PGBACKREST_LOCK_PATH": str(self.folder / "run"), "PGBACKREST_PG1_SOCKET_PATH": str(self.folder / "run"),
            "PGPASSWORD": SECRET, "PGOPTIONS": ""}

    def here(self, text):
        """What docs and files say, for this host of the trial."""
        for old, new in (("/usr/share/doc/postgresql-15-rondo/examples", str(FILES)),
                         ("/usr/lib/postgresql/15/bin", str(self.trial.installation.bin)),
                         ("/var/lib/pgbackrest", str(self.trial.work / "repository")), ("/var/lib/etcd", str(self.folder)),
                         ("/var/lib/postgresql", str(self.folder)), ("/var/run/postgresql", str(self.folder / "run")),
                         ("/var/log/postgresql", str(self.folder / "log")), ("/etc/pgbouncer", str(self.folder)),
                         ("/etc/patroni/config.yml", str(self.folder / "patroni.yml")), ("8GB", "64MB"), ("16GB", "1GB"),
                         ("1GB", "64MB")):
            text = text.replace(old, new)
        text = re.sub(r"\bSECRET\b", SECRET, text)
        text = re.sub(r"\bSHARD\b", self.shard, text)
        text = re.sub(r"\bADDRESS\b", self.address, text)
        text = re.sub(r"(?m)^(name: )HOST$", r"\g<1>" + self.name, text)
        text = re.sub(r"\bHOST\b", self.address, text)
        text = re.sub(r"(ETCD_NAME=)NAME\b", r"\g<1>" + self.name, text)
        text = re.sub(r"\bNAME\b", self.address, text)
        return re.sub(r"(?<=[=/,' ])([sce]\d[ab]?)(?=[:,' ]|$)(?!=)", lambda m: HOSTS.get(m.group(1), m.group(1)), text)

    def put(self, name, target=None):
        file = self.folder / (target or name)
        text = self.here((FILES / name).read_text(encoding="utf-8"))
        file.write_text(text, encoding="utf-8")
        os.chmod(file, 0o644)
        return file

    def start(self, name, *command, environment=None):
        log = open(self.folder / f"{name}.log", "a", encoding="utf-8")  # pylint: disable=consider-using-with
        self.processes[name] = subprocess.Popen([str(word) for word in command], stdout=log, stderr=log, cwd=self.folder,
                                                env={**self.environment, **(environment or {})},
                                                preexec_fn=become(self.trial.installation.who))

    def run(self, *command, input=None, check=True):
        done = subprocess.run([str(word) for word in command], cwd=self.folder, env=self.environment, text=True, input=input,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, preexec_fn=become(self.trial.installation.who),
                              check=False)
        if check and done.returncode != 0:
            raise RuntimeError(f"{self.name}: {' '.join(map(str, command))}\n{done.stdout}")
        return done.stdout

    def shell(self, text):
        return self.run("bash", "-euo", "pipefail", "-c", self.here(text))

    def psql(self, text, database="postgres", address=None):
        return self.run("psql", "-X", "-q", "-v", "ON_ERROR_STOP=1", "-h", address or self.address, "-U", "postgres", "-d", database,
                        input=self.here(text))

    def postgres(self):
        try:
            return int((self.data / "postmaster.pid").read_text().split()[0])
        except (OSError, ValueError, IndexError):
            return None

    def die(self):
        """The host of a database loses its power: Patroni and PostgreSQL end at once, without a word to anybody."""
        pids = []
        postgres = self.postgres()
        if "patroni" in self.processes:
            self.processes["patroni"].send_signal(signal.SIGKILL)
        if postgres is not None:
            children = subprocess.run(["ps", "-o", "pid=", "--ppid", str(postgres)], stdout=subprocess.PIPE, text=True, check=False)
            pids = [postgres, *map(int, children.stdout.split())]
        for pid in pids:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        for name in list(self.processes):
            self.processes.pop(name).wait()
        for pid in pids:
            while pathlib.Path(f"/proc/{pid}").exists():
                time.sleep(0.01)

    def start_patroni(self):
        self.start("patroni", "/usr/bin/patroni", self.folder / "patroni.yml")

    def stop(self, name):
        process = self.processes.pop(name, None)
        if process is not None and process.poll() is None:
            # PostgreSQL would wait for its clients otherwise.
            process.send_signal(signal.SIGINT if name == "postgres" else signal.SIGTERM)
            try:
                process.wait(60)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


class Trial:
    def __init__(self):
        self.installation = Installation()
        for name in ("pg_rewind", "pg_isready", "pg_waldump"):
            shutil.copy(BIN / name, self.installation.bin / name)
        self.work = self.installation.work
        self.installation.run("mkdir", self.work / "repository")
        self.hosts = {name: Host(self, name) for name in HOSTS}
        self.figures = []

    def figure(self, what, value):
        self.figures.append((what, value))
        print(f"   {what}: {value}", flush=True)

    def close(self):
        for host in self.hosts.values():
            for name in list(host.processes):
                if name != "etcd":
                    host.stop(name)
        for host in self.hosts.values():
            host.stop("etcd")
        for host in self.hosts.values():
            if host.postgres() is not None:
                host.run("pg_ctl", "-D", host.data, "-m", "immediate", "stop", check=False)
        self.installation.close()

    # ---- the parts --------------------------------------------------------------------------------------------------

    def members(self, shard):
        for name in SHARDS[shard]:
            try:
                with urllib.request.urlopen(f"http://{HOSTS[name]}:8008/cluster", timeout=2) as answer:
                    return {one["name"]: one for one in json.load(answer)["members"]}
            except OSError:
                continue
        return {}

    def primary(self, shard):
        for name, member in self.members(shard).items():
            if member["role"] == "leader" and member["state"] == "running":
                return self.hosts[name]
        return None

    def healthy(self, shard):
        members = self.members(shard).values()
        return sorted(one["role"] for one in members if one["state"] in ("running", "streaming")) == ["leader", "sync_standby"]

    def start_parts(self):
        for name in ("e0", "e1", "e2"):
            host = self.hosts[name]
            variables = dict(line.split("=", 1) for line in host.put("etcd").read_text().splitlines() if line.startswith("ETCD"))
            host.start("etcd", "/usr/bin/etcd", environment=variables)
        for names in SHARDS.values():
            for name in names:
                self.hosts[name].put("patroni.yml")
                self.hosts[name].put("pgbackrest.conf")
            # The first host makes the shard, the second copies it.
            self.hosts[names[0]].start_patroni()
        for shard, names in SHARDS.items():
            wait(f"{shard} has a primary", lambda shard=shard: self.primary(shard))
            self.hosts[names[1]].start_patroni()
        for shard in SHARDS:
            wait(f"{shard} has a synchronous replica", lambda shard=shard: self.healthy(shard))
            self.primary(shard).psql(printed("ALTER ROLE rondo_search SET statement_timeout"))
        for name in ("c0", "c1"):
            host = self.hosts[name]
            host.run("initdb", "-D", host.data, "-U", "postgres", "--auth=trust", "--encoding=UTF8", "--locale=C")
            with open(host.data / "postgresql.conf", "a", encoding="utf-8") as file:
                file.write(f"listen_addresses = '{host.address}'\nunix_socket_directories = '{host.folder}/run'\nshared_buffers = 32MB\n")
            host.run("psql", "--version")
            host.start("postgres", self.installation.bin / "postgres", "-D", host.data)
            wait(f"{name} answers", lambda host=host: host.run("psql", "-h", host.folder / "run", "-U", "postgres", "-c", "SELECT 1", check=False)
                 .count("1 row"))
            host.psql(f"ALTER ROLE postgres PASSWORD '{SECRET}'", address=host.folder / "run")
            (host.data / "pg_hba.conf").write_text("local all postgres peer\nhost all all samenet scram-sha-256\n")
            host.run("pg_ctl", "-D", host.data, "reload")
            host.psql(printed("CREATE SERVER search_shards"))
        bouncer = self.hosts["b0"]
        bouncer.put("pgbouncer.ini")
        (bouncer.folder / "userlist.txt").write_text(f'"rondo_search" "{SECRET}"\n')
        bouncer.start("pgbouncer", "/usr/sbin/pgbouncer", bouncer.folder / "pgbouncer.ini")

    # ---- asking -----------------------------------------------------------------------------------------------------

    def connect(self, host, user="postgres", port=5432, database="music"):
        connection = psycopg2.connect(host=HOSTS[host], port=port, user=user, password=SECRET, dbname=database, connect_timeout=5)
        connection.autocommit = True
        return connection

    def ask(self, connection, text, *values):
        with connection.cursor() as cursor:
            cursor.execute(text, values or None)
            return cursor.fetchall() if cursor.description else []

    def search(self, connection, query, system):
        rows = self.ask(connection, "SELECT id, title, distance, missing FROM search(%s, %s, 10)", query, system)
        return [row[:3] for row in rows], rows[0][3] if rows else []

    def check_exact(self, what):
        """What the cluster gives through pgbouncer equals what one table with all melodies gives."""
        connection = self.connect("b0", "rondo_search", 6432)
        whole = self.connect("c1", database="whole")
        for query, system in QUERIES:
            found, missing = self.search(connection, query, system)
            expected = self.ask(whole, "SELECT id, title, distance FROM shard_search(%s, %s, 10)", query, system)
            assert missing == [] and found == expected, (what, query, system, missing, found, expected)
        connection.close()
        whole.close()
        print(f"   {what}: searches complete and exact", flush=True)

    def check_indexes(self):
        for shard in SHARDS:
            connection = self.connect(self.primary(shard).name)
            assert self.ask(connection, "SELECT rondo_index_check('incipit_melody')") == [], shard
            connection.close()
        print("   rondo_index_check() on both shards: no fault", flush=True)

    def set_whole(self, rows):
        connection = self.connect("c1", database="whole")
        self.ask(connection, "TRUNCATE incipit")
        with connection.cursor() as cursor:
            for row in rows:
                cursor.execute("SELECT shard_put(%s, %s, %s)", row)
        self.ask(connection, "SELECT rondo_statistics_reset('incipit_melody')")
        connection.close()

    def load(self):
        self.rows = [(id, "title of " + id, line) for id, line in incipits(COUNT, seed=24)]
        self.hosts["c1"].psql("CREATE ROLE rondo_write; CREATE DATABASE whole;\n\\c whole\n\\i /usr/share/doc/postgresql-15-rondo/examples/shard.sql\n")
        self.set_whole(self.rows)
        connection = self.connect("c0")
        for row in self.rows:
            self.ask(connection, "SELECT put(%s, %s, %s)", *row)
        self.ask(connection, "SELECT share_statistics()")
        connection.close()

    # ---- what is tried ----------------------------------------------------------------------------------------------

    def failover(self):
        shard, old = "s0", self.primary("s0")
        stop = threading.Event()
        written, refused, answers = [], [], []

        def write():
            connection = None
            number = 0
            while not stop.is_set():
                row = (f"load-{number}", "written under load", self.rows[number % COUNT][2])
                number += 1
                try:
                    connection = connection or self.connect("c1")
                    self.ask(connection, "SELECT put(%s, %s, %s)", *row)
                    written.append((time.monotonic(), row))
                except psycopg2.Error:
                    refused.append((time.monotonic(), row))
                    time.sleep(0.1)

        def search():
            connection = None
            while not stop.is_set():
                try:
                    connection = connection or self.connect("b0", "rondo_search", 6432)
                    _, missing = self.search(connection, *QUERIES[2])
                    answers.append((time.monotonic(), "incomplete" if missing else "complete"))
                except psycopg2.Error:
                    connection = None
                    answers.append((time.monotonic(), "error"))
                time.sleep(0.02)

        threads = [threading.Thread(target=work) for work in (write, search)]
        for thread in threads:
            thread.start()
        try:
            wait("some rows are written", lambda: len(written) > 200)
            killed = time.monotonic()
            old.die()
            new = wait("the replica is promoted", lambda: (found := self.primary(shard)) is not None and found is not old and found)
            promoted = time.monotonic()

            def to_shard():
                with hashing.cursor() as cursor:
                    for moment, row in written:
                        if refused and moment > refused[0][0]:
                            cursor.execute("SELECT hashtext(%s) & 1", (row[0],))
                            if cursor.fetchone()[0] == 0:
                                return moment
                return None

            hashing = self.connect("c1")
            wrote = wait("the shard takes writes again", to_shard)
            time.sleep(2)
        finally:
            stop.set()
            for thread in threads:
                thread.join()
        after = [answer for answer in answers if answer[0] > killed]
        bad = [moment for moment, how in after if how != "complete"]
        self.figure("searches complete again after the primary was killed", f"{max(bad) - killed if bad else after[0][0] - killed:.1f} s"
                    f" ({len(bad)} of {len(after)} answers incomplete or refused)")
        self.figure("Patroni (ttl 30 s) has promoted the replica after", f"{promoted - killed:.1f} s")
        self.figure("writes to that shard again after", f"{wrote - killed:.1f} s")
        there = set()
        for name in SHARDS:
            connection = self.connect(self.primary(name).name)
            there |= {row[0] for row in self.ask(connection, "SELECT id FROM incipit")}
            connection.close()
        lost = [row[0] for _, row in written if row[0] not in there]
        assert lost == [], lost
        self.figure("rows acknowledged under load, lost", f"{len(written)}, {len(lost)} ({len(refused)} refused)")
        # A row that was refused may be there: nobody was told that it is not.
        self.rows += [row for row in (row for _, row in (*written, *refused)) if row[0] in there]
        self.set_whole(self.rows)
        connection = self.connect("c1")
        self.ask(connection, "SELECT share_statistics()")
        connection.close()
        assert new is not None
        self.check_exact("with one host less")
        self.check_indexes()
        started = time.monotonic()
        old.start_patroni()
        wait("the killed host is the replica", lambda: self.healthy(shard), 300)
        self.figure("the killed host is a synchronous replica again after", f"{time.monotonic() - started:.1f} s")
        self.check_exact("with the old primary as a replica")

    def lose_a_coordinator(self):
        connection = self.connect("b0", "rondo_search", 6432)
        self.search(connection, *QUERIES[0])
        self.hosts["c0"].die()
        killed = time.monotonic()

        def answered():
            nonlocal connection
            try:
                return self.search(connection, *QUERIES[0])[1] == []
            except psycopg2.Error:
                connection = self.connect("b0", "rondo_search", 6432)
                return False

        wait("the other coordinator answers", answered)
        self.figure("searches again after a coordinator was killed", f"{time.monotonic() - killed:.1f} s")

    def restore(self):
        for shard in SHARDS:
            self.primary(shard).shell(printed("stanza-create").replace("s0", shard))
        # Rows after the base backups, which only the archived log has.
        late = [(f"late-{number}", "after the backup", self.rows[number][2]) for number in range(200)]
        connection = self.connect("c1")
        for row in late:
            self.ask(connection, "SELECT put(%s, %s, %s)", *row)
        self.ask(connection, "SELECT share_statistics()")
        self.rows += late
        self.set_whole(self.rows)
        time.sleep(1)
        moment = self.ask(connection, "SELECT to_char(now(), 'YYYY-MM-DD HH24:MI:SS.US+00')")[0][0]
        time.sleep(1)
        connection.close()
        for shard in SHARDS:
            connection = self.connect(self.primary(shard).name)
            self.ask(connection, "DELETE FROM incipit WHERE hashtext(id) % 3 = 0")
            self.ask(connection, "SELECT pg_switch_wal()")
            connection.close()
        connection = self.connect("b0", "rondo_search", 6432)
        counted = sum(row[0] for row in self.ask(connection, "SELECT counts()"))
        connection.close()
        assert counted < len(self.rows), "the mistake was made"
        started = time.monotonic()
        commands = printed("--type=time").splitlines()
        for shard, names in SHARDS.items():
            for line in commands:
                line = line.replace("s0", shard).replace("2026-11-16 12:00:00+00", moment).split("   #")[0].strip()
                where, command = line.split("$ ", 1)
                for name in names if where == "both" else names[:1] if where.endswith("a") else names[1:]:
                    host = self.hosts[name]
                    if command == "systemctl stop patroni":
                        host.stop("patroni")
                    elif command == "systemctl start patroni":
                        host.start_patroni()
                        wait(f"{name} runs", lambda name=name, shard=shard: self.members(shard)[name]["state"] in ("running", "streaming"))
                    else:
                        host.shell(command)
        for shard in SHARDS:
            wait(f"{shard} is whole", lambda shard=shard: self.healthy(shard))
        self.figure("both shards restored to a moment, replicas copied anew", f"{time.monotonic() - started:.0f} s")
        self.check_indexes()
        self.check_exact("after the restore")


def main():
    trial = Trial()
    try:
        say("three etcd, two shards of two hosts under Patroni, two coordinators, pgbouncer")
        started = time.monotonic()
        trial.start_parts()
        trial.figure("all parts started", f"{time.monotonic() - started:.0f} s")
        say(f"{COUNT} melodies")
        trial.load()
        trial.check_exact("at first")
        say("the host of a primary dies under load")
        trial.failover()
        say("a backup of each shard, a mistake, the moment before it")
        trial.restore()
        say("a coordinator dies")
        trial.lose_a_coordinator()
        say("figures")
        for what, value in trial.figures:
            print(f"| {what} | {value} |")
    except BaseException:
        if os.environ.get("KEEP"):
            print(f"kept: {trial.installation.folder}", file=sys.stderr)
            trial.installation.close = lambda: None
        raise
    finally:
        trial.close()


if __name__ == "__main__":
    main()
