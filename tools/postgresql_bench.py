#!/usr/bin/python3
"""What the extension of PostgreSQL costs, beside the program itself, in one run on one machine.

    tools/postgresql_bench.py [COUNT]       (100,000 generated incipits)

For the run of a million: a quiet machine with 8 GB of memory and 10 GB in /tmp, `tools/postgresql_bench.py 1000000`, half an
hour. Prints a table in Markdown. The server is a temporary one with the extension of build/.
"""

import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tests/postgresql"))

import cluster  # pylint: disable=wrong-import-position
import server  # pylint: disable=wrong-import-position

COUNT = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
REPEATS = 7
SETTINGS = ["shared_buffers = 512MB", "max_wal_size = 4GB", "jit = off"]
SYSTEMS = ("shapeh", "time", "P3", "rondo")
QUERIES = ("'4CDECCDEC", "8'GFEDCDEF4G", "4'DEF2G4''C'BA", "'8CEGE4C2D", "4''C'BAG8FEDC")


def program(*arguments):
    return subprocess.run([server.PROGRAM, *arguments], check=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def seconds(work):
    start = time.monotonic()
    work()
    return time.monotonic() - start


def copy_lines(sql, file, table):
    with sql.connection.cursor() as cursor, open(file, encoding="utf-8") as lines:
        cursor.copy_expert(f"COPY {table} FROM STDIN (FORMAT csv, DELIMITER E'\\x01', QUOTE E'\\x02')", lines)


def mirrored(one, folder, file, embedded_import):
    """A collection on a server: the import, what another machine fetches first, and a command when nothing has changed."""
    sql = server.Sql(one)
    sql.run("CREATE DATABASE mirrored")
    sql.close()
    address = f"postgresql://tester@/mirrored?host={one.socket}"
    took = []
    for machine, words in (("writer", ["import", str(file), "--db", address]), ("reader", ["show", "no-such", "--db", address]),
                           ("reader", ["show", "no-such", "--db", address])):
        environment = {**os.environ, "RONDO_MIRRORS": f"{folder}/{machine}"}
        took.append(seconds(lambda words=words, environment=environment: subprocess.run(
            [server.PROGRAM, *words], env=environment, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)))
    return [("import, `--db postgresql://`", f"{embedded_import:.1f} s", f"{took[0]:.1f} s", f"{took[0] / embedded_import:.2f}"),
            ("first fetch by another machine", "", f"{took[1]:.1f} s", ""),
            ("opening a collection that has not changed", "", f"{took[2] * 1000:.0f} ms", "")]


def sharded(file):
    """Milliseconds of a search over one shard and over two, through the coordinator."""
    out = {}
    for shards in (1, 2):
        installation = server.Installation()
        many = None
        try:
            many = cluster.Cluster(installation, shards, 60, replicas=False, settings=SETTINGS)
            for number, shard in enumerate(many.shards):
                sql = server.Sql(shard.primary, cluster.DATABASE)
                sql.run("DROP INDEX incipit_melody; CREATE TABLE raw (line text)")
                copy_lines(sql, file, "raw")
                sql.run("INSERT INTO incipit SELECT line::json ->> 'id', '', melody(line) FROM raw"
                        f" WHERE hashtext(line::json ->> 'id') & {shards - 1} = {number}")
                sql.run("SET maintenance_work_mem = '1GB'; CREATE INDEX incipit_melody ON incipit USING rondo (melody); ANALYZE incipit")
                sql.close()
            sql = many.sql()
            sql.run("SELECT share_statistics()")
            for name in SYSTEMS:
                times = []
                for query in QUERIES:
                    sql.run("SELECT id FROM search(%s, %s, 10)", query, name)
                    times.append(min(seconds(lambda query=query, name=name: sql.run("SELECT id FROM search(%s, %s, 10)", query, name))
                                     * 1000 for _ in range(REPEATS)))
                out[shards, name] = statistics.median(times)
            sql.close()
        finally:
            if many is not None:
                many.stop()
            installation.close()
    return [(f"search, {name}: one shard, two shards", "", f"{out[1, name]:.1f} ms, {out[2, name]:.1f} ms",
             f"{out[2, name] / out[1, name]:.2f}") for name in SYSTEMS]


def overhead():
    """Milliseconds of a search through the coordinator where the shards have next to nothing to do: what each shard adds."""
    rows = []
    for shards in (1, 2, 4, 8):
        installation = server.Installation()
        many = None
        try:
            many = cluster.Cluster(installation, shards, 60, replicas=False, settings=SETTINGS[1:])
            many.load([(id, "", line) for id, line in server.incipits(200)])
            sql = many.sql()
            text = "SELECT id FROM search(%s, 'time', 10)"
            times = [seconds(lambda: sql.run(text, QUERIES[0])) * 1000 for _ in range(200)]
            rows.append((f"search of 200 incipits, {shards} shard{'s' if shards > 1 else ''}", "",
                         f"{min(times):.1f} ms, median {statistics.median(times):.1f} ms", ""))
            sql.close()
        finally:
            if many is not None:
                many.stop()
            installation.close()
    return rows


def main():
    rows = []
    with tempfile.TemporaryDirectory() as folder, \
            server.running(settings=SETTINGS) as one:
        file = pathlib.Path(folder) / "made.jsonl"
        with open(file, "w", encoding="utf-8") as out:
            subprocess.run([server.PROGRAM, "generate", "--count", str(COUNT), "--seed", "7"], check=True, stdout=out)
        collection = str(pathlib.Path(folder) / "c.db")
        embedded_import = seconds(lambda: program("import", str(file), "--db", collection))
        embedded_build = seconds(lambda: program("index", "--db", collection, "--rebuild"))

        sql = server.Sql(one)
        sql.run("CREATE EXTENSION rondo; CREATE EXTENSION pg_trgm; SET maintenance_work_mem = '1GB'")
        sql.run("CREATE TABLE t (id text, m melody); CREATE TABLE plain (id text, m melody); CREATE TABLE raw (line text)")
        copy_lines(sql, file, "raw")
        load = seconds(lambda: sql.run("INSERT INTO t SELECT line::json ->> 'id', melody(line) FROM raw"))
        build = seconds(lambda: sql.run("CREATE INDEX t_m ON t USING rondo (m)"))
        sql.run("ANALYZE t")
        rows.append(("import", f"{embedded_import:.1f} s", f"{load:.1f} s (text to table)", ""))
        rows.append(("index build", f"{embedded_build:.1f} s", f"{build:.1f} s", f"{build / embedded_build:.2f}"))

        for name in SYSTEMS:
            inside, embedded = [], []
            for query in QUERIES:
                text = f"SELECT id FROM t ORDER BY m <-> melody_query($q${query}$q$, '{name}') LIMIT 10"
                sql.run(text)
                # The least of several, on both sides: what other processes take away only adds time.
                inside.append(min(seconds(lambda text=text: sql.run(text)) * 1000 for _ in range(REPEATS)))
                times = []
                for _ in range(REPEATS):
                    told = program("search", "--db", collection, "--query", query, "--system", name, "--threads", "1", "-k", "10")
                    times.append(float(re.search(r"in ([0-9.]+) ms", told.stdout + told.stderr).group(1)))
                embedded.append(min(times))
            mine, theirs = statistics.median(inside), statistics.median(embedded)
            rows.append((f"search, {name}, 10 hits", f"{theirs:.1f} ms", f"{mine:.1f} ms", f"{mine / theirs:.2f}"))

        def first():
            other = server.Sql(one)
            other.run(f"SELECT id FROM t ORDER BY m <-> melody_query($q${QUERIES[0]}$q$, 'shapeh') LIMIT 10")
            other.close()

        rows.append(("first search of a connection", "", f"{seconds(first) * 1000:.0f} ms", ""))
        few = min(COUNT, 20_000)
        sql.run("CREATE INDEX plain_m ON plain (id)")
        bare = seconds(lambda: sql.run(f"INSERT INTO plain SELECT id || 'x', m FROM t LIMIT {few}"))
        with_index = seconds(lambda: sql.run(f"INSERT INTO t SELECT id || 'x', m FROM t LIMIT {few}"))
        rows.append(("rows inserted a second", "", f"{few / with_index:.0f}", f"{few / bare:.0f} without the index"))
        sql.run("SET work_mem = '256MB'; CREATE TABLE g AS SELECT id, melody_chromatic(m) AS steps FROM t")
        trigram_build = seconds(lambda: sql.run("CREATE INDEX g_steps ON g USING gist (steps gist_trgm_ops)"))
        rows.append(("pg_trgm on intervals: build", "", f"{trigram_build:.1f} s", ""))
        trigram = []
        for query in QUERIES:
            text = f"SELECT id FROM g ORDER BY steps <-> melody_chromatic($q${query}$q$) LIMIT 10"
            sql.run(text)
            trigram.append(seconds(lambda text=text: sql.run(text)) * 1000)
        rows.append(("pg_trgm on intervals: search", "", f"{statistics.median(trigram):.1f} ms", ""))
        sizes = sql.run("SELECT pg_relation_size('t'), pg_relation_size('t_m'), pg_relation_size('g_steps')")[0]
        rows.append(("bytes an incipit", f"{pathlib.Path(collection + '.index').stat().st_size / COUNT:.0f} (index)",
                     f"{sizes[1] / (COUNT + few):.0f} (index), {sizes[0] / (COUNT + few):.0f} (table)", ""))
        sql.close()
        rows += mirrored(one, folder, file, embedded_import)
        rows += sharded(file)
        rows += overhead()
    print(f"{COUNT} generated incipits, one thread; of searches the least of {REPEATS} repeats, median of {len(QUERIES)} queries.\n")
    print("| what | program | PostgreSQL | ratio |\n| --- | --- | --- | --- |")
    for row in rows:
        print("| " + " | ".join(row) + " |")
    print(json.dumps({"count": COUNT}), file=sys.stderr)


if __name__ == "__main__":
    main()
