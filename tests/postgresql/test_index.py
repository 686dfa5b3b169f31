"""The access method rondo: the same rows in the same order as without it, whatever happens to the table."""

import json
import random
import subprocess
import tempfile
import threading
import time
import unittest

import server
from server import Sql

import psycopg2

CONTEXT = None
SERVER = None
QUERIES = ["'4CDEC", "8'GFEDCDEF4G", "%G-2@3/4$xF 4'DEF/2.G//4''C'BA"]


def setUpModule():
    global SERVER, CONTEXT  # pylint: disable=global-statement
    CONTEXT = server.running(settings=["max_prepared_transactions = 2"])
    SERVER = CONTEXT.__enter__()  # pylint: disable=unnecessary-dunder-call
    sql = Sql(SERVER)
    sql.run("CREATE EXTENSION rondo")
    sql.close()


def tearDownModule():
    CONTEXT.__exit__(None, None, None)


def systems():
    rows = json.loads(subprocess.run([server.PROGRAM, "systems", "--format", "json"], check=True, stdout=subprocess.PIPE,
                                     text=True).stdout)
    return [row["name"] for row in rows]


def fill(sql, rows, table="t"):
    """Many in one statement, to save time; the index gets each by itself all the same."""
    for at in range(0, len(rows), 100):
        ids, lines = zip(*rows[at:at + 100])
        sql.run(f"INSERT INTO {table} SELECT id, melody(line) FROM unnest(%s::text[], %s::text[]) AS one (id, line)",
                list(ids), list(lines))


def ranked(query, rest=""):
    """A subquery through the index, to be sorted further: PostgreSQL 15 wants nothing but the distance in its ORDER BY."""
    return f"""(SELECT id, m <-> {query} AS distance, melody_tie(m, {query}) AS tie,
                melody_length_difference(m, {query}) AS difference, ctid AS place FROM t {rest} ORDER BY m <-> {query}) AS ranked"""


class IndexTest(unittest.TestCase):
    def setUp(self):
        self.sql = Sql(SERVER)
        self.addCleanup(self.sql.close)
        self.sql.run("DROP TABLE IF EXISTS t; CREATE TABLE t (id text PRIMARY KEY, m melody)")

    def plan(self, text):
        return "\n".join(self.sql.column("EXPLAIN " + text))

    def both_ways(self, text):
        """The rows of a statement through the index and without it."""
        self.sql.run("SET enable_indexscan = off; SET enable_seqscan = on")
        self.assertNotIn("Index Scan using t_m", self.plan(text))
        without = self.sql.run(text)
        self.sql.run("SET enable_indexscan = on; SET enable_seqscan = off")
        self.assertIn("Index Scan using t_m", self.plan(text))
        with_index = self.sql.run(text)
        self.sql.run("RESET enable_indexscan; RESET enable_seqscan")
        return with_index, without

    def check_same(self, names=("rondo", "shapeh", "P3"), queries=tuple(QUERIES[:2]), rest=""):
        self.assertEqual(self.sql.run("SELECT * FROM rondo_index_check('t_m')"), [])
        for name in names:
            for query in queries:
                q = f"melody_query($q${query}$q$, '{name}')"
                # All that decides on the order; the place of a row comes last in the index too.
                one, other = self.both_ways(f"SELECT id, distance FROM {ranked(q, rest)} ORDER BY distance, tie, difference, place")
                self.assertEqual(one, other, f"{name} {query}")
                # The index by itself: distances ascend, nothing is missing.
                alone, _ = self.both_ways(f"SELECT id, m <-> {q} FROM t {rest} ORDER BY m <-> {q}")
                self.assertEqual([row[1] for row in alone], [row[1] for row in other])
                self.assertEqual(sorted(row[0] for row in alone), sorted(row[0] for row in other))

    def make(self, rows=300):
        fill(self.sql, server.incipits(rows))
        self.sql.run("""INSERT INTO t VALUES ('null', NULL), ('rest', '%%G-2 2-'), ('short', '''4C'),
                        ('chord', '''4C^E^G/D^F/E/C'), ('same', '''4CDEC'), ('same again', '''4CDEC'), ('high', '''''4CDEC')""")
        self.sql.run("CREATE INDEX t_m ON t USING rondo (m)")

    def test_every_system_gives_the_rows_of_an_exhaustive_scan_in_their_order(self):
        self.make()
        names = []
        for name in systems():
            try:
                self.sql.run("SELECT melody_query('''4CDEFGABC', %s)", name)
                names.append(name)
            except psycopg2.Error as error:
                self.assertIn("[system-mixture]", error.diag.message_detail)
        self.assertGreater(len(names), 15)
        self.check_same(names, ["'4CDEFGABC"])
        self.check_same(["rondo", "shapeh"], QUERIES)

    def test_the_scan_goes_on_as_long_as_rows_are_wanted(self):
        self.make()
        q = "melody_query('''4CDEC', 'shapeh')"
        one, other = self.both_ways(f"""SELECT id FROM {ranked(q, "WHERE melody_range(m) = 7")}
                                        ORDER BY distance, tie, difference, place LIMIT 20""")
        self.assertEqual(one, other)
        self.assertEqual(len(one), 20)
        self.sql.run("SET rondo.first_hits = 1")
        self.check_same(["shapeh"], QUERIES[:1])
        with self.sql.connection.cursor() as cursor:
            self.sql.connection.autocommit = False
            cursor.execute("SET LOCAL enable_seqscan = off")
            cursor.execute(f"DECLARE c CURSOR FOR SELECT m <-> {q} FROM t ORDER BY m <-> {q}")
            read = []
            for _ in range(500):
                cursor.execute("FETCH 7 FROM c")
                part = cursor.fetchall()
                if not part:
                    break
                read += [row[0] for row in part]
            self.sql.connection.rollback()
            self.sql.connection.autocommit = True
        self.assertEqual(len(read), 307)
        known = [value for value in read if value is not None]
        self.assertEqual(known, sorted(known))
        self.assertEqual(read[len(known):], [None] * (len(read) - len(known)))

    def test_two_distances_order_one_after_the_other(self):
        self.make()
        a, b = "melody_query('''4CDEC', 'contour')", "melody_query('''4CDEC', 'rhythm')"
        one, other = self.both_ways(f"SELECT m <-> {a}, m <-> {b} FROM t ORDER BY m <-> {a}, m <-> {b}")
        self.assertEqual(one, other)

    def test_a_null_query_and_joins_are_right(self):
        self.make(50)
        self.sql.run("SET enable_seqscan = off")
        self.assertEqual(len(self.sql.run("SELECT id FROM t ORDER BY m <-> NULL::melodyquery")), 57)
        rows = self.sql.run("""SELECT q.id, (SELECT id FROM t WHERE t.id <> q.id ORDER BY t.m <-> melody_query(q.m, 'shapeh') LIMIT 1)
                               FROM t q WHERE melody_notes(q.m) > 8 ORDER BY 1""")
        self.sql.run("SET enable_seqscan = on; SET enable_indexscan = off")
        self.assertGreater(len(rows), 20)

    def test_prepared_statements_use_the_statistics_of_the_index(self):
        self.make()
        self.sql.run("SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off")
        self.sql.run("PREPARE p (melodyquery) AS SELECT id, m <-> $1 FROM t ORDER BY m <-> $1 LIMIT 20")
        generic = self.sql.run("EXECUTE p (melody_query('''4CDEC', 'shapeh'))")
        direct = self.sql.run("SELECT id, m <-> melody_query('''4CDEC', 'shapeh') FROM t"
                              " ORDER BY m <-> melody_query('''4CDEC', 'shapeh') LIMIT 20")
        self.assertEqual(generic, direct)

    def test_inserts_updates_deletes_and_vacuums_keep_the_order(self):
        self.make(200)
        self.sql.run("SET rondo.pending_limit = '64kB'")
        rng = random.Random(3)
        more = server.incipits(2600)[200:]
        for step in range(8):
            part = more[step * 300:(step + 1) * 300]
            fill(self.sql, part)
            gone = rng.sample([row[0] for row in part], 60)
            self.sql.run("DELETE FROM t WHERE id = ANY (%s)", gone)
            self.sql.run("UPDATE t SET m = '''4CDEC' WHERE id = %s", part[0][0])
            if step % 3 == 1:
                self.sql.run("VACUUM t")
            if step % 4 == 3:
                self.check_same(["shapeh"], QUERIES[:1])
        self.sql.run("DELETE FROM t WHERE ctid IN (SELECT ctid FROM t TABLESAMPLE BERNOULLI (60) REPEATABLE (1))")
        self.sql.run("VACUUM t")
        self.check_same()
        info = self.sql.run("SELECT segments, rows - removed + pending FROM rondo_index_info('t_m')")[0]
        self.assertEqual(info[1], self.sql.one("SELECT count(*) FROM t"))
        self.assertLess(info[0], 12)

    def test_places_of_rows_that_are_used_again_are_not_mixed_up(self):
        self.make(100)
        q = "melody_query('''4CDEC', 'rondo')"
        self.both_ways(f"SELECT id FROM t ORDER BY m <-> {q} LIMIT 3")  # this process has read the index
        other = Sql(SERVER)
        self.addCleanup(other.close)
        other.run("DELETE FROM t WHERE id <> 'null'")
        other.run("VACUUM t")
        fill(other, server.incipits(90, seed=5))
        self.check_same(["rondo", "P3"])

    def test_long_melodies_are_indexed(self):
        long_pae = "'4" + "CDEFGAB''C'BAGFED/" * 600
        self.sql.run("INSERT INTO t VALUES ('long', %s), ('short', '''4CDEC')", long_pae)
        self.sql.run("CREATE INDEX t_m ON t USING rondo (m)")
        self.sql.run("INSERT INTO t VALUES ('long too', %s)", long_pae)
        self.assertGreater(self.sql.one("SELECT length(melody_packed(m)) FROM t WHERE id = 'long'"), 4000)
        self.check_same(["contour", "P3"], QUERIES[:1])
        self.sql.run("DELETE FROM t WHERE id = 'long'")
        self.sql.run("VACUUM t")
        self.check_same(["contour", "P3"], QUERIES[:1])

    def test_what_a_transaction_did_is_seen_by_itself_alone(self):
        self.make(50)
        other = Sql(SERVER)
        self.addCleanup(other.close)
        other.connection.autocommit = False
        other.run("INSERT INTO t VALUES ('mine', '''4CDEC')")
        text = "SELECT id FROM t WHERE id = 'mine' ORDER BY m <-> melody_query('''4CDEC')"
        for one in (self.sql, other):
            one.run("SET enable_seqscan = off; SET enable_bitmapscan = off")
        self.assertEqual(self.sql.run("SELECT count(*) FROM (SELECT id FROM t ORDER BY m <-> melody_query('''4CDEC')) x"),
                         [(57,)])
        self.assertEqual(other.run("SELECT count(*) FROM (SELECT id FROM t ORDER BY m <-> melody_query('''4CDEC')) x"),
                         [(58,)])
        other.connection.rollback()
        self.assertEqual(self.sql.run(text), [])
        self.sql.run("VACUUM t")
        self.check_same(["rondo"])

    def test_concurrent_builds_and_reindexing(self):
        fill(self.sql, server.incipits(150))
        self.sql.run("CREATE INDEX CONCURRENTLY t_m ON t USING rondo (m)")
        self.check_same(["rondo"])
        fill(self.sql, server.incipits(200)[150:])
        self.sql.run("REINDEX INDEX CONCURRENTLY t_m")
        self.check_same(["rondo"])
        self.sql.run("VACUUM FULL t")
        self.check_same(["rondo"])
        self.sql.run("TRUNCATE t")
        self.check_same(["rondo"])

    def test_indexes_of_several_segments(self):
        self.sql.run("SET maintenance_work_mem = '1MB'")
        self.sql.run("DROP TABLE t; CREATE TABLE t (id text, m melody)")
        fill(self.sql, server.incipits(3000))
        self.sql.run("CREATE INDEX t_m ON t USING rondo (m)")
        self.assertGreater(self.sql.one("SELECT segments FROM rondo_index_info('t_m')"), 1)
        self.check_same(["rondo", "shapeh"], QUERIES[:1])

    def test_a_build_is_not_limited_by_the_number_of_segments(self):
        fill(self.sql, server.incipits(300))
        self.sql.run("CREATE TABLE source AS SELECT m FROM t; DROP TABLE t; CREATE TABLE t AS"
                     " SELECT n || 'x' AS id, m FROM source, generate_series(1, 340) n; DROP TABLE source")
        self.sql.run("SET maintenance_work_mem = '1MB'; CREATE INDEX t_m ON t USING rondo (m); RESET maintenance_work_mem")
        self.assertLess(self.sql.one("SELECT segments FROM rondo_index_info('t_m')"), 48)
        self.assertEqual(self.sql.one("SELECT rows FROM rondo_index_info('t_m')"), 102_000)
        self.assertEqual(self.sql.run("SELECT * FROM rondo_index_check('t_m')"), [])
        q = "melody_query($$'4CDEC$$, 'time')"
        found = self.sql.column(f"SELECT m <-> {q} FROM t ORDER BY m <-> {q} LIMIT 800")
        self.assertEqual((len(found), found), (800, sorted(found)))

    def test_merging_keeps_to_the_memory_of_maintenance(self):
        rows = server.incipits(2000)

        def segments(memory):
            self.sql.run("DROP INDEX IF EXISTS t_m; TRUNCATE t; CREATE INDEX t_m ON t USING rondo (m)")
            self.sql.run(f"SET maintenance_work_mem = '{memory}'; SET rondo.pending_limit = '64kB'")
            self.sql.run("INSERT INTO t SELECT id, melody(line) FROM unnest(%s, %s) one (id, line)", *map(list, zip(*rows)))
            self.sql.run("VACUUM t")
            self.assertEqual(self.sql.column("SELECT rondo_index_check('t_m')"), [])
            return self.sql.one("SELECT segments FROM rondo_index_info('t_m')")

        self.assertGreater(segments("1MB"), segments("64MB"))
        self.sql.run("RESET maintenance_work_mem; RESET rondo.pending_limit")
        self.check_same(["shapeh"])

    def test_temporary_and_unlogged_tables(self):
        for kind in ("TEMP", "UNLOGGED"):
            self.sql.run(f"DROP TABLE t; CREATE {kind} TABLE t (id text, m melody); CREATE INDEX t_m ON t USING rondo (m)")
            fill(self.sql, server.incipits(60))
            self.check_same(["shapeh"])
            self.sql.run("VACUUM t")
            self.check_same(["shapeh"])

    def test_partial_indexes_and_unknown_options(self):
        fill(self.sql, server.incipits(80))
        self.sql.run("CREATE INDEX t_m ON t USING rondo (m) WHERE melody_notes(m) > 10")
        self.check_same(["rondo"], rest="WHERE melody_notes(m) > 10")
        with self.assertRaises(psycopg2.Error) as caught:
            self.sql.run("CREATE INDEX ON t USING rondo (m) WITH (fast = on)")
        self.assertEqual(caught.exception.pgcode, "22023")

    def test_processes_that_share_nothing_give_the_same(self):
        self.make(100)
        text = "SELECT id FROM t ORDER BY m <-> melody_query('''4CDEC', 'shapeh')"
        self.sql.run("SET enable_seqscan = off")
        before = self.sql.run(text)
        self.sql.run("ALTER SYSTEM SET rondo.cache_size = 0")
        self.sql.run("SELECT pg_reload_conf()")
        try:
            other = Sql(SERVER)
            self.addCleanup(other.close)
            other.run("SET enable_seqscan = off")
            self.assertEqual(other.run(text), before)
        finally:
            self.sql.run("ALTER SYSTEM RESET rondo.cache_size")
            self.sql.run("SELECT pg_reload_conf()")

    def test_shared_files_are_made_once_and_never_trusted(self):
        self.make(100)
        text = "SELECT id FROM t ORDER BY m <-> melody_query('''4CDEC', 'shapeh')"
        self.sql.run("SET enable_seqscan = off")
        before = self.sql.run(text)
        folder = SERVER.data / "base/pgsql_tmp"
        files = [file for file in folder.iterdir() if file.name.startswith("pgsql_tmp_rondo_")]
        self.assertTrue(files)
        for file in files:
            data = bytearray(file.read_bytes())
            data[len(data) // 2] ^= 0xFF
            copy = file.with_suffix(".new")
            copy.write_bytes(bytes(data))
            copy.rename(file)  # processes that have mapped the old one keep it
        other = Sql(SERVER)
        self.addCleanup(other.close)
        other.run("SET enable_seqscan = off")
        self.assertEqual(other.run(text), before)

    def test_a_process_forgets_indexes_that_it_no_longer_uses(self):
        # More than it keeps; each is read again where it was forgotten.
        for number in range(40):
            self.sql.run(f"CREATE TEMP TABLE many{number} (m melody); CREATE INDEX ON many{number} USING rondo (m)")
            self.sql.run(f"INSERT INTO many{number} VALUES ('''4CDEC'), (melody('''4C' || repeat('D', {number + 1})))")
        self.sql.run("SET enable_seqscan = off")
        for number in list(range(40)) * 2:
            found = self.sql.column(f"SELECT melody_notes(m) FROM many{number} ORDER BY m <-> melody_query('''4CDEC')")
            self.assertEqual(found, [4, number + 2])

    def test_a_long_search_is_cancelled(self):
        self.sql.run("CREATE TABLE IF NOT EXISTS long_ones AS SELECT n AS id, melody(repeat('''8CDEFGABGFEDEFGAG', 40)) AS m"
                     " FROM generate_series(1, 400) n")
        self.sql.run("CREATE INDEX IF NOT EXISTS long_m ON long_ones USING rondo (m); SET enable_seqscan = off")
        q = "melody_query(melody(repeat('''8CDEFGABGFEDEFGAG', 40)), 'GAR')"
        for setting in ("enable_seqscan", "enable_indexscan"):
            self.sql.run(f"SET enable_seqscan = on; SET enable_indexscan = on; SET {setting} = off; SET statement_timeout = '200ms'")
            start = time.monotonic()
            with self.assertRaises(psycopg2.errors.QueryCanceled):
                for _ in range(1000):
                    self.sql.run(f"SELECT id FROM long_ones ORDER BY m <-> {q} LIMIT 400")
            self.assertLess(time.monotonic() - start, 60)
            self.sql.run("RESET statement_timeout")

    def test_writers_and_readers_at_the_same_time(self):
        self.make(100)
        rows = server.incipits(1300)[100:]
        failures = []

        def write(number):
            sql = Sql(SERVER)
            try:
                sql.run("SET rondo.pending_limit = '64kB'")
                for at, row in enumerate(rows[number * 300:(number + 1) * 300]):
                    sql.run("INSERT INTO t VALUES (%s, %s)", *row)
                    if at % 5 == 4:
                        sql.run("DELETE FROM t WHERE id = %s", row[0])
                    if at % 100 == 99:
                        sql.run("VACUUM t")
            except Exception as error:  # pylint: disable=broad-except
                failures.append(repr(error))
            finally:
                sql.close()

        def read():
            sql = Sql(SERVER)
            try:
                sql.run("SET enable_seqscan = off")
                for _ in range(60):
                    # One snapshot for both: the index must give every row that it shows, once.
                    sql.connection.autocommit = False
                    sql.run("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
                    ids = sql.column("SELECT id FROM t ORDER BY m <-> melody_query('''4CDEC', 'contour')")
                    sql.run("SET LOCAL enable_indexscan = off")
                    all_ids = sql.column("SELECT id FROM t")
                    sql.connection.commit()
                    sql.connection.autocommit = True
                    if sorted(ids) != sorted(all_ids):
                        failures.append(f"{len(ids)} rows instead of {len(all_ids)}")
            except Exception as error:  # pylint: disable=broad-except
                failures.append(repr(error))
            finally:
                sql.close()

        threads = [threading.Thread(target=write, args=(i,)) for i in range(4)] + [threading.Thread(target=read) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(failures, [])
        self.check_same()
        self.sql.run("VACUUM t")
        self.check_same()


class StatisticsTest(unittest.TestCase):
    def setUp(self):
        self.sql = Sql(SERVER)
        self.addCleanup(self.sql.close)
        self.sql.run("DROP TABLE IF EXISTS t, shard1, shard2; CREATE TABLE t (id text PRIMARY KEY, m melody)")

    def test_lists_are_those_of_the_program(self):
        rows = server.incipits(400)
        fill(self.sql, rows)
        self.sql.run("CREATE INDEX t_m ON t USING rondo (m); SET enable_seqscan = off")
        with tempfile.TemporaryDirectory() as folder:
            with open(f"{folder}/made.jsonl", "w", encoding="utf-8") as file:
                file.writelines(line + "\n" for _, line in rows)
            subprocess.run([server.PROGRAM, "import", f"{folder}/made.jsonl", "--db", f"{folder}/c.db"], check=True,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            for name in ("shapeh", "rondo", "P3", "2011-pitch"):
                text = subprocess.run([server.PROGRAM, "search", "--db", f"{folder}/c.db", "--query", "'4CDEFG", "--system", name,
                                       "-k", "50", "--format", "json"], check=True, stdout=subprocess.PIPE, text=True).stdout
                hits = json.loads(text)["hits"]
                q = f"melody_query('''4CDEFG', '{name}')"
                mine = self.sql.run(f"""SELECT id, -distance FROM {ranked(q)} WHERE distance IS NOT NULL
                                        ORDER BY distance, tie, difference, id COLLATE "C" LIMIT 50""")
                self.assertEqual(mine, [(hit["id"], hit["score"]) for hit in hits], name)

    def test_scores_on_shards_equal_those_of_one_machine(self):
        rows = server.incipits(300)
        fill(self.sql, rows)
        self.sql.run("""CREATE TABLE shard1 AS SELECT * FROM t WHERE hashtext(id) % 2 = 0;
                        CREATE TABLE shard2 AS SELECT * FROM t WHERE hashtext(id) % 2 <> 0""")
        for table in ("t", "shard1", "shard2"):
            self.sql.run(f"CREATE INDEX {table}_m ON {table} USING rondo (m)")
        text = """SELECT id, m <-> melody_query('''4CDEC', 'shapeh') FROM {0} ORDER BY m <-> melody_query('''4CDEC', 'shapeh'),
                  melody_length_difference(m, melody_query('''4CDEC', 'shapeh')), id COLLATE "C" LIMIT 20"""
        whole = self.sql.run(text.format("t"))

        def merged():
            every = self.sql.run(text.format("shard1")) + self.sql.run(text.format("shard2"))
            return sorted(row[1] for row in every)[:20]

        self.assertNotEqual(merged(), [row[1] for row in whole])
        self.sql.run("""DO $$ DECLARE w bigint[]; n bigint[]; BEGIN
            SELECT array_agg(melody_window), array_agg(occurrences) INTO w, n FROM
              (SELECT melody_window, sum(occurrences)::bigint AS occurrences FROM
                (SELECT * FROM rondo_statistics('shard1_m') UNION ALL SELECT * FROM rondo_statistics('shard2_m')) x
               GROUP BY 1) y;
            PERFORM rondo_statistics_set('shard1_m', w, n); PERFORM rondo_statistics_set('shard2_m', w, n); END $$""")
        self.assertEqual(merged(), [row[1] for row in whole])
        # Given statistics stay what they are until they are reset.
        self.sql.run("DELETE FROM shard1 WHERE id < '9000000100'")
        self.sql.run("VACUUM shard1")
        self.assertEqual(self.sql.one("SELECT statistics_given FROM rondo_index_info('shard1_m')"), True)
        version = self.sql.one("SELECT statistics_version FROM rondo_index_info('shard1_m')")
        self.sql.run("SELECT rondo_statistics_reset('shard1_m')")
        self.assertEqual(self.sql.run("SELECT statistics_given, statistics_version FROM rondo_index_info('shard1_m')"),
                         [(False, version + 1)])

    def test_a_process_notices_that_an_index_was_made_anew(self):
        rows = server.incipits(900)
        fill(self.sql, rows[:200])
        self.sql.run("CREATE INDEX t_m ON t USING rondo (m); SET enable_seqscan = off")
        q = "melody_query($$'4CDEC$$, 'shapeh')"
        text = f"SELECT m <-> {q}, rondo_statistics_sum('t_m') FROM t ORDER BY m <-> {q} LIMIT 20"
        for statement in ("REINDEX INDEX t_m", "VACUUM FULL t"):
            before = self.sql.run(text)  # from now on this process has these statistics
            other = Sql(SERVER)
            fill(other, rows[200:550] if "REINDEX" in statement else rows[550:])
            other.run(statement)
            other.run("SET enable_seqscan = off")
            self.assertNotEqual(other.run(text), before)
            self.assertEqual(self.sql.run(text), other.run(text), statement)
            other.close()

    def test_one_statement_uses_one_version_of_the_statistics(self):
        fill(self.sql, server.incipits(200))
        self.sql.run("CREATE INDEX t_m ON t USING rondo (m); SET enable_seqscan = off")
        windows = self.sql.run("SELECT melody_window, occurrences FROM rondo_statistics('t_m')")
        stop = threading.Event()

        def change():
            other = Sql(SERVER)
            factor = 1
            while not stop.is_set():
                factor = 1001 - factor
                other.run("SELECT rondo_statistics_set('t_m', %s, %s)", [row[0] for row in windows],
                          [row[1] * (factor if at % 2 else 1) for at, row in enumerate(windows)])
            other.close()

        thread = threading.Thread(target=change)
        thread.start()
        try:
            for _ in range(8):
                # The scan has begun when the first row is slept on, and it is compared again to be shown.
                distances = self.sql.column("""SELECT m <-> melody_query('''4CDEC', 'shapeh') FROM t
                    WHERE pg_sleep(0.01) IS NOT NULL ORDER BY m <-> melody_query('''4CDEC', 'shapeh') LIMIT 30""")
                known = [one for one in distances if one is not None]
                self.assertEqual(known, sorted(known))
        finally:
            stop.set()
            thread.join()

    def test_statistics_of_others_cannot_be_set(self):
        self.sql.run("CREATE INDEX t_m ON t USING rondo (m)")
        self.sql.run("DO $$ BEGIN CREATE ROLE reader; EXCEPTION WHEN duplicate_object THEN NULL; END $$; SET ROLE reader")
        with self.assertRaises(psycopg2.errors.InsufficientPrivilege):
            self.sql.run("SELECT rondo_statistics_set('t_m', '{}', '{}')")
        with self.assertRaises(psycopg2.errors.InsufficientPrivilege):
            self.sql.run("SELECT * FROM rondo_statistics('t_m')")
        self.sql.run("RESET ROLE; SET default_transaction_read_only = on")
        with self.assertRaises(psycopg2.errors.ReadOnlySqlTransaction):
            self.sql.run("SELECT rondo_statistics_set('t_m', '{}', '{}')")
        self.sql.run("RESET default_transaction_read_only")

    def test_statistics_serve_only_those_who_may_read_what_they_count(self):
        fill(self.sql, server.incipits(200))
        self.sql.run("""CREATE INDEX t_m ON t USING rondo (m); DROP TABLE IF EXISTS own; DROP VIEW IF EXISTS seen;
                        CREATE TABLE own AS SELECT * FROM t LIMIT 50; CREATE VIEW seen AS SELECT id, m FROM t;
                        DO $$ BEGIN CREATE ROLE reader; EXCEPTION WHEN duplicate_object THEN NULL; END $$;
                        GRANT SELECT ON own, seen TO reader""")
        self.addCleanup(self.sql.run, "RESET ROLE; DROP VIEW seen; DROP TABLE own")
        oid = self.sql.one("SELECT 't_m'::regclass::oid")
        plain = "melody_query($$'4CDEC$$, 'shapeh')"
        named = "melody_query($$'4CDEC$$, 'shapeh', statistics => 't_m')"
        forged = f"""$${{"melody": "'4CDEC", "system": "shapeh", "statistics": {oid}}}$$::melodyquery"""
        bound = f"melody_query_bind({plain}, {oid})"
        right = self.sql.run(f"SELECT id, m <-> {named} FROM own ORDER BY 2, 1 LIMIT 5")
        shown = sorted(self.sql.run(f"SELECT id, m <-> {plain} FROM t ORDER BY m <-> {plain} LIMIT 5"))
        for index in ("", "CREATE INDEX own_m ON own USING rondo (m);"):
            self.sql.run(f"RESET ROLE; {index} SET ROLE reader; SET plan_cache_mode = force_generic_plan")
            self.sql.run("PREPARE p (melodyquery) AS SELECT m <-> $1, melody_tie(m, $1) FROM own ORDER BY m <-> $1 LIMIT 5")
            for query in (named, forged, bound):
                for text in (f"SELECT m <-> {query} FROM own", f"SELECT melody_tie(m, {query}) FROM own",
                             f"SELECT melody_length_difference(m, {query}) FROM own", f"SELECT $$'4CDEC$$::melody <-> {query}",
                             f"SELECT id FROM own ORDER BY m <-> {query} LIMIT 3", f"EXECUTE p ({query})",
                             f"SELECT m <-> q FROM own, (SELECT {query} AS q OFFSET 0) x"):
                    for setting in ("enable_seqscan", "enable_indexscan"):
                        self.sql.run(f"SET enable_seqscan = on; SET enable_indexscan = on; SET {setting} = off")
                        with self.assertRaises(psycopg2.errors.InsufficientPrivilege, msg=text):
                            self.sql.run(text)
            self.assertEqual(len(self.sql.run(f"EXECUTE p ({plain})")), 5)
            self.sql.run("DEALLOCATE p")
            # A view shows the table to whom its owner lets see it, and the table's own statistics are a part of that.
            for setting in ("enable_seqscan", "enable_indexscan"):
                self.sql.run(f"SET enable_seqscan = on; SET enable_indexscan = on; SET {setting} = off")
                for text in (f"SELECT id, m <-> {plain} FROM seen ORDER BY m <-> {plain} LIMIT 5",
                             f"SELECT id, m <-> q FROM seen, (SELECT {plain} AS q OFFSET 0) x ORDER BY m <-> q LIMIT 5"):
                    self.assertEqual(sorted(self.sql.run(text)), shown)  # equal distances come in any order
        # The right to read the column is enough.
        self.sql.run("RESET ROLE; RESET plan_cache_mode; GRANT SELECT (m) ON t TO reader; SET ROLE reader")
        for query in (named, forged, bound):
            self.assertEqual(self.sql.run(f"SELECT id, m <-> {query} FROM own ORDER BY 2, 1 LIMIT 5"), right)

    def test_only_the_leader_of_a_parallel_statement_compares(self):
        fill(self.sql, server.incipits(400))
        self.sql.run("""INSERT INTO t SELECT id || n, m FROM t, generate_series(1, 20) n; ANALYZE t;
                        SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0; SET min_parallel_table_scan_size = 0;
                        SET max_parallel_workers_per_gather = 2; SET force_parallel_mode = on""")
        q = "melody_query($$'4CDEC$$, 'shapeh')"
        for text in (f"SELECT min(m <-> {q}) FROM t", f"SELECT id FROM t ORDER BY m <-> {q} LIMIT 5",
                     f"SELECT count(*) FROM t WHERE melody_tie(m, {q}) > 5"):
            plan = "\n".join(self.sql.column("EXPLAIN (VERBOSE, COSTS OFF) " + text))
            for line in plan.partition("Gather")[2].splitlines()[2:]:
                self.assertNotRegex(line, "<->|melody_tie", plan)
        self.assertIn("Gather", "\n".join(self.sql.column("EXPLAIN SELECT max(melody_range(m)) FROM t")))

    def test_the_statement_of_the_documentation_uses_the_index(self):
        fill(self.sql, server.incipits(100))
        self.sql.run("ALTER TABLE t RENAME m TO melody; CREATE INDEX t_m ON t USING rondo (melody); SET enable_seqscan = off")
        page = (server.ROOT / "docs/postgresql.md").read_text(encoding="utf-8")
        start = page.index("    SELECT id FROM (SELECT id, melody <-> q")
        statement = page[start:page.index(";", start)].replace("incipit", "t")
        self.assertIn("Index Scan using t_m", str(self.sql.run("EXPLAIN " + statement)))
        self.assertEqual(len(self.sql.run(statement)), 10)


class ReplicaTest(unittest.TestCase):
    def test_a_replica_gives_the_results_of_its_primary(self):
        sql = Sql(SERVER)
        self.addCleanup(sql.close)
        sql.run("DROP TABLE IF EXISTS t; CREATE TABLE t (id text PRIMARY KEY, m melody)")
        fill(sql, server.incipits(200))
        sql.run("CREATE INDEX t_m ON t USING rondo (m)")
        replica = server.Server(SERVER.installation, "replica", copy_of=SERVER)
        self.addCleanup(replica.stop)
        there = Sql(replica)
        self.addCleanup(there.close)

        def caught_up():
            end = time.monotonic() + 120
            position = sql.one("SELECT pg_current_wal_insert_lsn()")
            sql.run("SELECT pg_switch_wal()")  # what no commit has flushed yet is sent too
            while not there.one("SELECT pg_last_wal_replay_lsn() >= %s", position):
                self.assertLess(time.monotonic(), end)
                time.sleep(0.05)

        text = "SELECT id, m <-> melody_query('''4CDEC', '{0}') FROM t ORDER BY m <-> melody_query('''4CDEC', '{0}')"
        for one in (sql, there):
            one.run("SET enable_seqscan = off")
        sql.run("SET rondo.pending_limit = '64kB'")
        for step in range(4):
            caught_up()
            for name in ("shapeh", "rondo"):
                self.assertEqual(there.run(text.format(name)), sql.run(text.format(name)))
            self.assertEqual(there.run("SELECT * FROM rondo_index_check('t_m')"), [])
            fill(sql, server.incipits(1400)[200 + step * 300:500 + step * 300])
            sql.run("DELETE FROM t WHERE hashtext(id) %% 5 = %s", step)
            if step % 2:
                sql.run("VACUUM t")


if __name__ == "__main__":
    unittest.main()
