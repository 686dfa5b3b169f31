#!/usr/bin/python3
"""What the extension of PostgreSQL costs, beside the library itself, in one run on one machine.

    tools/postgresql_bench.py [COUNT] [--out FILE] [--skip PART,...]       (100,000 generated incipits)

For the run of a million: a quiet machine with 8 GB of memory and 10 GB in /tmp, `tools/postgresql_bench.py 1000000 --skip
mirror`, some fifteen minutes. Writes a table in Markdown, to a file too if one is named. The server is a temporary one with the
extension of build/, the library is the Python module of build/python.

Like is compared with like: both sides search with one thread, in one process that lives on and has searched before, the
same queries for the same number of hits, in turns, so that what disturbs one side disturbs the other. Both must find the
same scores, or there is no table.
"""

import argparse
import contextlib
import io
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests/postgresql"))
sys.path.insert(0, os.environ.get("RONDO_MODULE", str(ROOT / "build/python")))

import cluster  # pylint: disable=wrong-import-position
import server  # pylint: disable=wrong-import-position

import rondo  # pylint: disable=wrong-import-position

SETTINGS = ["shared_buffers = 1GB", "max_wal_size = 8GB", "jit = off", "max_parallel_workers_per_gather = 0",
            "max_parallel_maintenance_workers = 0"]
SMALL = ["shared_buffers = 512MB", *SETTINGS[1:]]
SYSTEMS = ("shapeh", "time", "P2", "ngr5", "rondo")
ASKED = 24  # queries
HITS = 10
NOTES = 12  # of a query, at most
PARTS = ("search", "shards", "inserts", "overhead", "trigrams", "mirror")

OPTIONS = argparse.ArgumentParser(description="the extension of PostgreSQL beside the library")
OPTIONS.add_argument("count", nargs="?", type=int, default=100_000)
OPTIONS.add_argument("--out", help="the table is written to this file too")
OPTIONS.add_argument("--repeats", type=int, default=5, help="of each query")
OPTIONS.add_argument("--skip", default="", help=f"parts that are left out: {', '.join(PARTS)}")
OPTIONS = OPTIONS.parse_args()
COUNT = OPTIONS.count
REPEATS = OPTIONS.repeats
SKIPPED = [part for part in OPTIONS.skip.split(",") if part]
assert set(SKIPPED) <= set(PARTS), SKIPPED
START = time.monotonic()


def say(text):
    print(f"{time.monotonic() - START:7.1f} s  {text}", file=sys.stderr, flush=True)


def seconds(work):
    start = time.monotonic()
    work()
    return time.monotonic() - start


def busy(process):
    """Seconds of processor time that a process has used, all of its threads."""
    if process == os.getpid():
        return time.process_time()  # the library searches in a thread that ends with the search
    total = 0
    for thread in pathlib.Path(f"/proc/{process}/task").iterdir():
        with contextlib.suppress(OSError):
            total += int((thread / "schedstat").read_text().split()[0])
    return total / 1e9


def generated(count, seed):
    return subprocess.run([server.PROGRAM, "generate", "--count", str(count), "--seed", str(seed)], check=True,
                          stdout=subprocess.PIPE, text=True).stdout.splitlines()


def make_queries():
    """Half are the beginnings of melodies of the collection, half those of other melodies."""
    out = []
    known = generated(min(COUNT, 20_000), 7)
    for line in known[::len(known) // (ASKED // 2)][:ASKED // 2] + generated(ASKED // 2, 99):
        out.append(json.dumps({"notes": json.loads(line)["notes"][:NOTES]}))
    assert len(out) == ASKED
    return out


class Times:
    """Of one side: medians of each query, and the processor time of them all."""

    def __init__(self):
        self.walls = []
        self.processor = 0

    def median(self):
        return statistics.median(self.walls) * 1000


def in_turns(queries, sides, repeats=REPEATS, budget=300):
    """Asks each side each query in turns. A side is a function of a query, and the process that answers. Gives the times of
    each side. After `budget` seconds the remaining queries are left out."""
    times = [Times() for _ in sides]
    end = time.monotonic() + budget
    for query in queries:
        if time.monotonic() > end:
            break
        answers = [ask(query) for ask, _ in sides]  # warm
        walls = [[] for _ in sides]
        for _ in range(repeats):
            for number, (ask, process) in enumerate(sides):
                before = busy(process)
                walls[number].append(seconds(lambda ask=ask, query=query: ask(query)))
                times[number].processor += busy(process) - before
        for number, own in enumerate(walls):
            times[number].walls.append(statistics.median(own))
        assert all(answer == answers[0] for answer in answers), (query, answers)
    for one in times:
        one.processor /= repeats * len(one.walls)
    return times


def scores(values):
    """Rounded to what a text keeps of them."""
    return [round(value, 9) for value in values]


class Bench:
    def __init__(self, folder, one):
        self.folder, self.one = pathlib.Path(folder), one
        self.file = self.folder / "made.jsonl"
        self.collection = str(self.folder / "c.db")
        self.rows = []
        self.queries = make_queries()
        self.sql = server.Sql(one)
        self.process = self.sql.one("SELECT pg_backend_pid()")

    def row(self, what, program="", postgresql="", ratio="", target=""):
        self.rows.append((what, program, postgresql, ratio, target))
        say(" | ".join(self.rows[-1]))

    def program(self, *words):
        return subprocess.run([server.PROGRAM, *words], check=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True).stdout

    # ---- building ----------------------------------------------------------------------------------------------------

    def load(self):
        with open(self.file, "w", encoding="utf-8") as out:
            subprocess.run([server.PROGRAM, "generate", "--count", str(COUNT), "--seed", "7"], check=True, stdout=out)
        say("generated")
        if "search" not in SKIPPED:
            self.embedded_import = seconds(lambda: self.program("import", str(self.file), "--db", self.collection))
            say("imported")
        self.sql.run("CREATE EXTENSION rondo; CREATE EXTENSION pg_trgm; SET maintenance_work_mem = '1GB'")
        self.sql.run("CREATE TABLE t (id text, m melody); CREATE UNLOGGED TABLE raw (line text)")

        def fill():
            with self.sql.connection.cursor() as cursor, open(self.file, encoding="utf-8") as lines:
                cursor.copy_expert("COPY raw FROM STDIN (FORMAT csv, DELIMITER E'\\x01', QUOTE E'\\x02')", lines)
            self.sql.run("INSERT INTO t SELECT line::json ->> 'id', melody(line) FROM raw; DROP TABLE raw")

        took = seconds(fill)
        self.sql.run("VACUUM ANALYZE t")
        if "search" not in SKIPPED:
            self.row("import (program: with its index)", f"{self.embedded_import:.1f} s", f"{took:.1f} s (without index)")

    def build(self):
        """The index alone on both sides, from what is stored; the least of two, in turns."""
        theirs, mine, used = [], [], []
        for _ in range(2):
            # What was written before is not to be waited for by who comes next.
            self.sql.run("CHECKPOINT; DROP INDEX IF EXISTS t_m")
            os.sync()
            theirs.append(json.loads(self.program("index", "--db", self.collection, "--rebuild", "--format", "json"))["seconds"])
            before = busy(self.process)
            mine.append(seconds(lambda: self.sql.run("CREATE INDEX t_m ON t USING rondo (m)")))
            used.append(busy(self.process) - before)
        self.row("index build, from stored melodies", f"{min(theirs):.1f} s", f"{min(mine):.1f} s (processor {min(used):.1f} s)",
                 f"{min(mine) / min(theirs):.2f}", "at most 3")
        self.row("the same, peak of memory with maintenance_work_mem of 1 GB", "",
                 f"{self.sql.one('SELECT peak FROM rondo_memory()') / 1e6:.0f} MB")
        self.sql.run("ANALYZE t")
        sizes = self.sql.run("SELECT pg_relation_size('t'), pg_relation_size('t_m')")[0]
        self.row("bytes an incipit", f"{pathlib.Path(self.collection + '.index').stat().st_size / COUNT:.0f} (index)",
                 f"{sizes[1] / COUNT:.0f} (index), {sizes[0] / COUNT:.0f} (table)")

    # ---- searching ---------------------------------------------------------------------------------------------------

    def search(self):
        tunes = rondo.Collection(self.collection)

        # For some systems the library also estimates how probable a hit is, which takes as long as the search itself, but
        # not where settings are given, be they the usual ones. PostgreSQL does not, so like is compared without it.
        usual = {}
        for name in SYSTEMS:
            parameters = json.loads(self.program("systems", name, "--format", "json"))["parameters"]
            usual[name] = {one["name"]: one["default"] for one in parameters[:1]}

        def embedded(name, settings):
            def ask(query):
                return scores(hit.score for hit in tunes.search(melodies[query], name, HITS, threads=1, settings=settings))
            return ask, os.getpid()

        def inside(name):
            def ask(query):
                text = f"SELECT m <-> melody_query($q${query}$q$::melody, '{name}') FROM t " \
                       f"ORDER BY m <-> melody_query($q${query}$q$::melody, '{name}') LIMIT {HITS}"
                return scores(-row[0] for row in self.sql.run(text) if row[0] is not None)
            return ask, self.process

        melodies = {query: rondo.read(query.encode())[0] for query in self.queries}
        plan = str(self.sql.run("EXPLAIN SELECT id FROM t ORDER BY m <-> melody_query('''4CDEC') LIMIT 10"))
        assert "Index Scan using t_m" in plan, plan
        for name in SYSTEMS:
            theirs, mine = in_turns(self.queries, [embedded(name, usual[name]), inside(name)])
            limit = 1.5 * theirs.median() + 2
            self.row(f"search, `{name}`, {HITS} hits", f"{theirs.median():.1f} ms", f"{mine.median():.1f} ms",
                     f"{mine.median() / theirs.median():.2f}",
                     f"{'met' if mine.median() <= limit else 'MISSED'}: at most {limit:.1f} ms")
            self.row("  the same, processor time, mean", f"{theirs.processor * 1000:.1f} ms", f"{mine.processor * 1000:.1f} ms",
                     f"{mine.processor / theirs.processor:.2f}")
            if usual[name]:
                probable, = in_turns(self.queries, [embedded(name, {})], 2)
                self.row("  the same with the probability of each hit", f"{probable.median():.1f} ms")
        tunes.close()
        text = f"SELECT id FROM t ORDER BY m <-> melody_query($q${self.queries[0]}$q$::melody, 'shapeh') LIMIT {HITS}"
        firsts = []
        for _ in range(5):
            other = server.Sql(self.one)
            firsts.append(seconds(lambda other=other: other.run(text)) * 1000)
            other.close()
        self.row("first search of a connection", "", f"{statistics.median(firsts):.0f} ms")
        self.row("memory of a process that searches (`rondo_memory`), MB in use and peak", "", self.memory_of_searches())

    def memory_of_searches(self):
        """By system, each in a connection of its own, as the peak is that of a connection."""
        found = []
        for name in SYSTEMS:
            other = server.Sql(self.one)
            for query in self.queries[:4]:
                other.run(f"SELECT id FROM t ORDER BY m <-> melody_query($q${query}$q$::melody, '{name}') LIMIT {HITS}")
            used, peak = other.run("SELECT used, peak FROM rondo_memory()")[0]
            found.append(f"`{name}` {used / 1e6:.1f}, {peak / 1e6:.1f}")
            other.close()
        return "; ".join(found)

    # ---- writing -----------------------------------------------------------------------------------------------------

    def inserts(self):
        """Rows a second, committed by one connection: many in one statement, and each by itself; with the index, and with
        none at all."""
        many = min(COUNT, 100_000)
        few = 500
        self.sql.run(f"CREATE TABLE source AS SELECT row_number() OVER () AS n, id || 'x' AS id, m FROM t LIMIT {many};"
                     f"CREATE TABLE plain (id text, m melody)")
        found = {}
        for table in ("plain", "t"):
            before = busy(self.process)
            took = seconds(lambda table=table: self.sql.run(f"INSERT INTO {table} SELECT id, m FROM source"))
            found[table, "many"] = many / took
            found[table, "processor"] = (busy(self.process) - before) / many * 1e6
        texts = self.sql.column(f"SELECT melody_packed(m) FROM source WHERE n <= {few}")
        for table in ("plain", "t"):
            self.sql.run(f"PREPARE put_{table} (text, bytea) AS INSERT INTO {table} VALUES ($1, melody($2))")

            def each(table=table):
                for number, packed in enumerate(texts):
                    self.sql.run(f"EXECUTE put_{table} (%s, %s)", f"y{number}", packed)

            found[table, "each"] = few / seconds(each)
        self.row(f"rows inserted a second, {many:,} in one statement", "", f"{found['t', 'many']:,.0f}",
                 f"{found['plain', 'many']:,.0f} without index")
        self.row("  the same, processor time a row", "", f"{found['t', 'processor']:.1f} µs", f"{found['plain', 'processor']:.1f} µs without index")
        self.row("rows inserted a second, a transaction each", "", f"{found['t', 'each']:,.0f}",
                 f"{found['plain', 'each']:,.0f} without index")
        took = seconds(lambda: self.sql.run("VACUUM t"))
        self.row(f"vacuum after {many + few:,} rows more", "", f"{took:.1f} s")
        assert self.sql.column("SELECT rondo_index_check('t_m')") == []
        self.sql.run("DROP TABLE source, plain")

    def trigrams(self):
        """Another notion of likeness; what one would do without Rondo. Intervals become letters, for trigrams are those of
        letters within words: of the numbers that melody_chromatic gives each would be a word. GiST gives the best by itself;
        GIN must be given a threshold (pg_trgm.similarity_threshold, 0.3), and may find fewer."""
        self.sql.run("""CREATE FUNCTION letters(melody) RETURNS text LANGUAGE sql AS $$
            SELECT string_agg(chr(109 + greatest(-12, least(13, step::integer))), '' ORDER BY place)
            FROM json_array_elements_text(melody_features($1) -> 'chromatic') WITH ORDINALITY AS one (step, place) $$""")
        asked = [self.sql.one("SELECT letters(%s::melody)", query) for query in self.queries]
        self.sql.run("SET work_mem = '256MB'")

        def measure(kind, rows, text):
            self.sql.run(f"CREATE TABLE g AS SELECT id, letters(m) AS steps FROM t LIMIT {rows}")
            took = seconds(lambda: self.sql.run(f"CREATE INDEX g_steps ON g USING {kind} (steps {kind}_trgm_ops)"))
            self.sql.run("ANALYZE g; SET enable_seqscan = off")

            def ask(query):
                self.sql.run(text, *[query] * text.count("%s"))
                return True

            times, = in_turns(asked, [(ask, self.process)], 1, budget=30)
            size = self.sql.one("SELECT pg_relation_size('g_steps')")
            self.row(f"`pg_trgm` on intervals, {kind.upper()}, {rows:,} rows", "",
                     f"{times.median():.1f} ms (processor {times.processor * 1000:.1f} ms, {len(times.walls)} queries); build {took:.1f} s, {size / rows:.0f} bytes each")
            self.sql.run("DROP TABLE g; RESET enable_seqscan")

        measure("gist", COUNT, f"SELECT id FROM g ORDER BY steps <-> %s LIMIT {HITS}")
        measure("gin", COUNT, f"SELECT id FROM g WHERE steps %% %s ORDER BY steps <-> %s LIMIT {HITS}")

    # ---- many machines -----------------------------------------------------------------------------------------------

    def fill_shard(self, shard, shards, number):
        sql = server.Sql(shard.primary, cluster.DATABASE)
        source = server.Sql(self.one)
        sql.run("DROP INDEX incipit_melody")
        reading, writing = os.pipe()

        def send():
            with os.fdopen(writing, "wb") as out, source.connection.cursor() as cursor:
                cursor.copy_expert(f"COPY (SELECT id, '', m FROM t WHERE hashtext(id) & {shards - 1} = {number})"
                                   " TO STDOUT (FORMAT binary)", out)

        sender = threading.Thread(target=send)
        sender.start()
        with os.fdopen(reading, "rb") as data, sql.connection.cursor() as cursor:
            cursor.copy_expert("COPY incipit FROM STDIN (FORMAT binary)", data, size=1 << 20)
        sender.join()
        sql.run("SET maintenance_work_mem = '1GB'; CREATE INDEX incipit_melody ON incipit USING rondo (melody)")
        sql.run("VACUUM ANALYZE incipit")
        sql.close()
        source.close()

    def sharded(self):
        """A search over one shard and over two through the coordinator; and asking the one shard without a coordinator."""
        text = "SELECT distance FROM search(%s, %s, 10)"
        direct = "SELECT distance FROM shard_search(%s, %s, 10)"
        typed = {query: self.sql.one("SELECT melody_pae(%s::melody)", query) for query in self.queries}
        with contextlib.ExitStack() as stack:
            clusters = []
            for shards in (1, 2):
                installation = server.Installation()
                stack.callback(installation.close)
                many = cluster.Cluster(installation, shards, 60, replicas=False, settings=SMALL)
                stack.callback(many.stop)
                for number, shard in enumerate(many.shards):
                    self.fill_shard(shard, shards, number)
                sql = many.sql()
                stack.callback(sql.close)
                sql.run("SELECT share_statistics()")
                clusters.append((many, sql))
                say(f"{shards} shards filled")
            alone = server.Sql(clusters[0][0].shards[0].primary, cluster.DATABASE)
            stack.callback(alone.close)

            def side(sql, statement, name):
                process = sql.one("SELECT pg_backend_pid()")
                return lambda query: scores(row[0] for row in sql.run(statement, typed[query], name)), process

            for name in SYSTEMS:
                without, one, two = in_turns(self.queries, [side(alone, direct, name), side(clusters[0][1], text, name),
                                                            side(clusters[1][1], text, name)], 3)
                self.row(f"`{name}`: the shard itself; coordinator and one shard; and two", "",
                         f"{without.median():.1f} ms; {one.median():.1f} ms; {two.median():.1f} ms",
                         f"{two.median() / one.median():.2f} (two to one)")

    def overhead(self):
        """Where the shards have next to nothing to do: what the coordinator adds, and each shard."""
        for shards in (1, 2, 4, 8):
            installation = server.Installation()
            many = None
            try:
                many = cluster.Cluster(installation, shards, 60, replicas=False, settings=["max_wal_size = 1GB", "jit = off"])
                many.load([(id, "", line) for id, line in server.incipits(200)])
                sql = many.sql()
                alone = server.Sql(many.shards[0].primary, cluster.DATABASE)
                query = "'4CDECCDEC"

                def ask(one, function):
                    return lambda _: one.run(f"SELECT id FROM {function}(%s, 'time', 10)", query) and True

                direct, through = in_turns([0], [(ask(alone, "shard_search"), os.getpid()), (ask(sql, "search"), os.getpid())], 300)
                self.row(f"search of 200 incipits: a shard itself; coordinator and {shards} shard{'s' if shards > 1 else ''}", "",
                         f"{direct.median():.2f} ms; {through.median():.2f} ms", f"{through.median() - direct.median():.2f} ms more")
                alone.close()
                sql.close()
            finally:
                if many is not None:
                    many.stop()
                installation.close()

    def mirror(self):
        """A collection on a server: the import, what another machine fetches first, and a command when nothing has changed."""
        self.sql.run("CREATE DATABASE mirrored")
        address = f"postgresql://tester@/mirrored?host={self.one.socket}"
        took = []
        for machine, words in (("writer", ["import", str(self.file)]), ("reader", ["show", "no-such"]), ("reader", ["show", "no-such"])):
            environment = {**os.environ, "RONDO_MIRRORS": f"{self.folder}/{machine}"}
            took.append(seconds(lambda words=words, environment=environment: subprocess.run(
                [server.PROGRAM, *words, "--db", address], env=environment, check=False, stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL)))
        self.row("import, `--db postgresql://`", f"{self.embedded_import:.1f} s", f"{took[0]:.1f} s", f"{took[0] / self.embedded_import:.2f}")
        self.row("first fetch by another machine", "", f"{took[1]:.1f} s")
        self.row("opening a collection that has not changed", "", f"{took[2] * 1000:.0f} ms")

    def save(self):
        if OPTIONS.out:
            pathlib.Path(OPTIONS.out).write_text(self.table(), encoding="utf-8")

    def table(self):
        out = io.StringIO()
        print(f"{COUNT:,} generated incipits, one thread, {ASKED} queries of up to {NOTES} notes, median of the medians of {REPEATS} repeats;"
              f" {time.strftime('%d %B %Y')}, {os.getloadavg()[0]:.1f} processes in the last minute, {time.monotonic() - START:.0f} s in all.\n",
              file=out)
        print("| what | library | PostgreSQL | ratio | target |\n| --- | ---: | ---: | ---: | --- |", file=out)
        for row in self.rows:
            print("| " + " | ".join(row) + " |", file=out)
        return out.getvalue()


def main():
    with tempfile.TemporaryDirectory() as folder, server.running(settings=SETTINGS) as one:
        bench = Bench(folder, one)
        try:
            bench.load()
            if "search" not in SKIPPED:
                bench.build()
                bench.search()
                bench.save()
            # What takes longest and matters least comes last.
            for part, work in (("shards", bench.sharded), ("inserts", bench.inserts), ("overhead", bench.overhead),
                               ("trigrams", bench.trigrams), ("mirror", bench.mirror)):
                if part not in SKIPPED:
                    work()
                    bench.save()
        finally:
            # What was measured until a fault is not thrown away.
            bench.save()
            print(bench.table())
            bench.sql.close()


if __name__ == "__main__":
    main()
