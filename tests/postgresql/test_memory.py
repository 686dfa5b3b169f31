"""The memory limit of the extension: counted, kept to, and an error like any other."""

import os
import random
import subprocess
import unittest

import server
from server import Sql
from test_index import fill, systems

import psycopg2

CONTEXT = None
SERVER = None
SEARCH = "SELECT id FROM t ORDER BY m <-> melody_query($$'4CDECGABC$$, '{0}') LIMIT {1}"
LONG = "(SELECT melody('''4' || string_agg(substr('CDEFGAB', 1 + n * n %% 7, 1), '')) FROM generate_series(1, {0}) n)"


def setUpModule():
    global SERVER, CONTEXT  # pylint: disable=global-statement
    CONTEXT = server.running()
    SERVER = CONTEXT.__enter__()  # pylint: disable=unnecessary-dunder-call
    sql = Sql(SERVER)
    sql.run("CREATE EXTENSION rondo; CREATE TABLE t (id text PRIMARY KEY, m melody)")
    fill(sql, server.incipits(3000))
    sql.run("CREATE INDEX t_m ON t USING rondo (m); ANALYZE t")
    sql.close()


def tearDownModule():
    CONTEXT.__exit__(None, None, None)


class MemoryTest(unittest.TestCase):
    def setUp(self):
        self.sql = Sql(SERVER)
        self.addCleanup(self.sql.close)
        self.sql.run("SET enable_seqscan = off")
        self.process = self.sql.one("SELECT pg_backend_pid()")

    def used(self):
        return self.sql.one("SELECT used FROM rondo_memory()")

    def refused(self, text, sql=None):
        with self.assertRaises(psycopg2.errors.OutOfMemory) as caught:
            (sql or self.sql).run(text)
        error = caught.exception
        self.assertEqual(error.pgcode, "53200")
        self.assertIn("rondo.memory_limit", error.diag.message_detail)
        self.assertIn("rondo.memory_limit", error.diag.message_hint)
        return error

    def test_the_module_uses_allocation_functions_of_its_own_and_shows_them_to_nobody(self):
        needed = subprocess.run(["readelf", "-d", server.EXTENSION], check=True, stdout=subprocess.PIPE, text=True).stdout
        for name in ("libstdc++", "libfmt", "libpugixml"):
            self.assertNotIn(name, needed, "what it allocates would not be counted")
        symbols = subprocess.run(["nm", "-D", server.EXTENSION], check=True, stdout=subprocess.PIPE, text=True).stdout
        self.assertIn("_PG_init", symbols)
        self.assertNotRegex(symbols, r" [A-Za-z] _Z(n|d|St|NS)")

    def test_what_functions_take_is_given_back(self):
        statements = ["SELECT melody_{0}(m) FROM t LIMIT 20".format(name) for name in
                      ("pae", "abc", "kern", "mei", "musicxml", "midi", "json", "features", "contour", "range")]
        statements += ["SELECT m::text::melody, m::json::melody, melody_from(melody_midi(m)) FROM t LIMIT 20",
                       "SELECT melody_from(convert_to(melody_mei(m), 'UTF8')) FROM t LIMIT 20",
                       "SELECT melody_score('rondo', m, m), melody_explain('shapeh', m, m) FROM t LIMIT 20",
                       "SELECT melody_query(m, 'shapeh')::text::melodyquery FROM t LIMIT 20",
                       "SELECT count(*) FROM rondo_statistics('t_m')", SEARCH.format("shapeh", 30), SEARCH.format("P3", 30)]
        bad = ["SELECT 'Q'::melody", "SELECT melody_query('''4CDEC', 'no such system with a long name')",
               "SELECT $$%s$$::melody" % ('{"notes": [["0", "1/4", 600]], "more": "' + "x" * 3000 + '"}')]
        for statement in statements + bad:
            seen = []
            for _ in range(12):
                try:
                    self.sql.run(statement)
                except psycopg2.DataError:
                    self.assertIn(statement, bad)
                seen.append(self.used())
            # What is counted is what malloc gave, and that can be sixteen bytes more where the rest of a free piece would
            # have been too small to be kept: so what is held from call to call need not be the same number each time.
            # What is not given back adds up.
            self.assertLessEqual(max(seen[6:]), max(seen[:6]) + 16, (statement, seen))

    def test_a_search_counts_and_has_one_thread(self):
        before = self.used()
        for name in systems():
            try:
                self.sql.run(SEARCH.format(name, 200))
            except psycopg2.Error as error:
                self.assertIn("[system-mixture]", error.diag.message_detail)
        used, peak, limit = self.sql.run("SELECT * FROM rondo_memory()")[0]
        self.assertGreater(used, before)
        self.assertGreater(peak, used)
        self.assertEqual(limit, 1 << 30)
        with open(f"/proc/{self.process}/status", encoding="utf-8") as file:
            status = file.read()
        self.assertIn("Threads:\t1\n", status, "an exception in another thread would end the server")

    def test_beyond_the_limit_is_an_error_and_the_statement_works_with_more(self):
        long = LONG.format(3000).replace("%%", "%")
        for statement in (SEARCH.format("shapeh", 10), SEARCH.format("rondo", 2000), SEARCH.format("P2", 10),
                          "SELECT melody_json(m)::text FROM t LIMIT 3", "SELECT melody_pae(m)::melody FROM t LIMIT 3",
                          f"SELECT melody_score('GAR', {long}, {long})", f"SELECT melody_explain('rondo', {long}, {long})::text",
                          "SELECT sum(occurrences) FROM rondo_statistics_count('t_m')"):
            self.sql.run("RESET rondo.memory_limit")
            right = self.sql.run(statement)
            self.sql.run("SET rondo.memory_limit = '1kB'")
            self.refused(statement)
            for kilobytes in (50, 500, 5000, 50_000, 500_000):
                self.sql.run(f"SET rondo.memory_limit = {self.used() // 1024 + kilobytes}")
                try:
                    found = self.sql.run(statement)
                    break
                except psycopg2.errors.OutOfMemory:
                    pass
            self.assertEqual(found, right, statement)
        self.assertEqual(self.sql.one("SELECT pg_backend_pid()"), self.process)

    def test_the_limit_holds(self):
        for limit in (2, 4, 8, 16):
            sql = Sql(SERVER)
            sql.run(f"SET enable_seqscan = off; SELECT rondo_memory(); SET rondo.memory_limit = '{limit}MB'")
            for name in ("shapeh", "P2", "rondo", "GAR"):
                try:
                    sql.run(SEARCH.format(name, 1000))
                    sql.run(f"SELECT melody_score('{name}', {LONG.format(2000)}, m) FROM t LIMIT 3".replace("%%", "%"))
                except psycopg2.errors.OutOfMemory:
                    pass
            # What malloc rounds up comes on top.
            self.assertLess(sql.one("SELECT peak FROM rondo_memory()"), (limit << 20) * 1.01)
            sql.close()

    def test_an_error_in_a_block_leaves_the_rest_of_the_statement_intact(self):
        self.sql.run("""CREATE FUNCTION pg_temp.tried(kilobytes integer) RETURNS text LANGUAGE plpgsql AS $$
            DECLARE one record; found text := '';
            BEGIN
              FOR one IN SELECT id FROM t ORDER BY m <-> melody_query('''4CDEC', 'shapeh') LIMIT 100 LOOP
                found := found || ' ' || one.id;
                IF kilobytes > 0 THEN
                  PERFORM set_config('rondo.memory_limit', kilobytes::text, true);
                  BEGIN
                    PERFORM id FROM t ORDER BY m <-> melody_query('''4CDEF', 'shapel') LIMIT 3;
                    RAISE 'not refused';
                  EXCEPTION WHEN out_of_memory THEN NULL;
                  END;
                  PERFORM set_config('rondo.memory_limit', '-1', true);
                END IF;
              END LOOP;
              RETURN found;
            END $$""")
        whole = self.sql.one("SELECT pg_temp.tried(0)")
        self.assertEqual(len(whole.split()), 100)
        self.assertEqual(self.sql.one("SELECT pg_temp.tried(1)"), whole)

    def test_building_keeps_to_the_limit_by_making_more_segments(self):
        self.sql.run("CREATE TEMP TABLE many AS SELECT m FROM t, generate_series(1, 10); SET maintenance_work_mem = '1GB'")
        self.sql.run("CREATE INDEX many_m ON many USING rondo (m)")
        self.assertEqual(self.sql.one("SELECT segments FROM rondo_index_info('many_m')"), 1)
        self.sql.run("DROP INDEX many_m")
        sql = Sql(SERVER)
        self.addCleanup(sql.close)
        sql.run("CREATE TEMP TABLE many AS SELECT m FROM t, generate_series(1, 10); SET maintenance_work_mem = '1GB'")
        sql.run("SELECT rondo_memory(); SET rondo.memory_limit = '12MB'")
        # Without shared files all segments must be in memory at the end, when windows are counted.
        sql.run("CREATE TABLE shared AS SELECT m FROM many; CREATE INDEX shared_m ON shared USING rondo (m)")
        self.addCleanup(self.sql.run, "DROP TABLE shared")
        self.assertGreater(sql.one("SELECT segments FROM rondo_index_info('shared_m')"), 1)
        self.assertEqual(sql.run("SELECT rondo_index_check('shared_m')"), [])
        self.assertLess(sql.one("SELECT peak FROM rondo_memory()"), 12.1 * (1 << 20))

    def test_only_a_superuser_may_raise_the_limit(self):
        self.sql.run("DO $$ BEGIN CREATE ROLE limited LOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$")
        kilobytes = self.used() // 1024 + 100
        self.sql.run(f"GRANT SELECT ON t TO limited; ALTER ROLE limited SET rondo.memory_limit = '{kilobytes}kB'")
        one = psycopg2.connect(host=str(SERVER.socket), user="limited", dbname="postgres")
        self.addCleanup(one.close)
        one.autocommit = True
        cursor = one.cursor()
        # The module is not loaded yet, so PostgreSQL takes any value for now.
        cursor.execute("SET rondo.memory_limit = -1")
        cursor.execute("SELECT memory_limit FROM rondo_memory()")
        self.assertEqual(cursor.fetchall(), [(kilobytes * 1024,)])
        for text in ("SET rondo.memory_limit = -1", "SET rondo.memory_limit = '2GB'",
                     "SELECT set_config('rondo.memory_limit', '2GB', true)"):
            with self.assertRaises(psycopg2.errors.InsufficientPrivilege):
                cursor.execute(text)
        with self.assertRaises(psycopg2.errors.OutOfMemory):
            cursor.execute("SET enable_seqscan = off; " + SEARCH.format("rondo", 3000))
        self.sql.run("GRANT SET ON PARAMETER rondo.memory_limit TO limited")
        cursor.execute("SET rondo.memory_limit = -1")
        cursor.execute(SEARCH.format("rondo", 3000))
        self.assertEqual(len(cursor.fetchall()), 3000)
        self.sql.run("REVOKE SET ON PARAMETER rondo.memory_limit FROM limited")

    def test_an_index_that_does_not_fit_is_refused_with_a_hint_at_the_cache(self):
        self.used()  # loads the module, which defines the setting
        self.sql.run("ALTER SYSTEM SET rondo.cache_size = 0")
        self.sql.run("SELECT pg_reload_conf()")
        try:
            sql = Sql(SERVER)
            self.addCleanup(sql.close)
            sql.run("SELECT rondo_memory(); SET enable_seqscan = off")
            sql.run(f"SET rondo.memory_limit = {sql.one('SELECT used FROM rondo_memory()') // 1024 + 300}")
            self.assertIn("rondo.cache_size", self.refused(SEARCH.format("shapeh", 10), sql).diag.message_hint)
            sql.run("RESET rondo.memory_limit")
            self.assertEqual(sql.run(SEARCH.format("shapeh", 10)), self.sql.run(SEARCH.format("shapeh", 10)))
        finally:
            self.sql.run("ALTER SYSTEM RESET rondo.cache_size")
            self.sql.run("SELECT pg_reload_conf()")


class RandomLimitsTest(unittest.TestCase):
    """Whatever statement meets whatever limit: it succeeds, or it is refused and nothing has changed."""

    ROUNDS = int(os.environ.get("RONDO_ROUNDS", "400"))

    def test_random_statements_under_random_limits(self):
        sql = Sql(SERVER)
        self.addCleanup(sql.close)
        process = sql.one("SELECT pg_backend_pid()")
        rng = random.Random(int(os.environ.get("RONDO_SEED", "53200")))
        sql.run("DROP TABLE IF EXISTS r; CREATE TABLE r (id text, m melody); CREATE INDEX r_m ON r USING rondo (m)")
        sql.run("INSERT INTO r SELECT * FROM t LIMIT 500; SET rondo.pending_limit = '64kB'; SET enable_seqscan = off")
        names = [name for name in systems() if self.scores(sql, name)]
        rows = server.incipits(3000)

        def statement():
            name = rng.choice(names)
            length = rng.choice([12, 30, 300, 3000])
            long = LONG.format(length).replace("%%", "%")
            row = rng.choice(rows)[1].replace("'", "''")
            searched = rng.choice(["r", "t"])
            return rng.choice([
                SEARCH.format(name, rng.choice([1, 10, 100, 1000])).replace("FROM t", f"FROM {searched}"),
                SEARCH.format(name, 20).replace("FROM t", f"FROM {searched}"),
                f"SELECT m <-> melody_query({long}, '{name}') FROM {searched} LIMIT 20",
                f"SELECT count(*) FROM (SELECT id FROM r WHERE melody_range(m) > 7 ORDER BY m <-> melody_query('''4CDECGABC', '{name}')) x",
                f"SELECT melody_{rng.choice(['pae', 'abc', 'kern', 'mei', 'musicxml', 'midi', 'json', 'features', 'rhythm'])}({long})",
                f"SELECT '{row}'::melody::text",
                f"SELECT melody_from(convert_to(melody_{rng.choice(['abc', 'kern', 'mei', 'musicxml'])}({long}), 'UTF8'))",
                f"SELECT melody_score('{name}', {LONG.format(min(length, 300)).replace('%%', '%')}, '{row}')",
                f"SELECT melody_explain('{name}', {LONG.format(min(length, 300)).replace('%%', '%')}, '{row}')",
                f"SELECT melody_query({long}, '{name}')::text::melodyquery::text",
                f"INSERT INTO r SELECT * FROM t WHERE hashtext(id) % 20 = {rng.randrange(20)}",
                f"DELETE FROM r WHERE hashtext(id) % 20 = {rng.randrange(20)}",
                "VACUUM r", "VACUUM FULL r", "REINDEX INDEX r_m", "SELECT rondo_statistics_reset('r_m')",
                "SELECT count(*) FROM rondo_statistics_count('r_m')", "SELECT rondo_index_check('r_m')",
                "UPDATE r SET m = '''4CDEC' WHERE id IN (SELECT id FROM r LIMIT 5)",
            ])

        refused = done = 0
        for step in range(self.ROUNDS):
            text = statement()
            now = sql.one("SELECT used FROM rondo_memory()") // 1024
            sql.run(f"SET rondo.memory_limit = {rng.choice([0, now, now + int(10 ** rng.uniform(0, 5)), -1])}")
            try:
                sql.run(text)
                done += 1
            except psycopg2.Error as error:
                self.assertEqual(error.pgcode, "53200", f"{step}: {text}: {error}")
                refused += 1
                sql.run("SET rondo.memory_limit = -1")
                if rng.randrange(4) == 0:
                    sql.run(text)
        self.assertGreater(refused, self.ROUNDS // 10)
        self.assertGreater(done, self.ROUNDS // 4)
        self.assertEqual(sql.one("SELECT pg_backend_pid()"), process)
        # Refused again and again, nothing is lost. At first buffers grow that are kept for the next search.
        for _ in range(10):
            text = next(one for one in iter(statement, None) if one.startswith("SELECT"))
            more = int(10 ** rng.uniform(0, 4))
            seen = []
            for _ in range(6):
                sql.run(f"SET rondo.memory_limit = {self.released(sql) // 1024 + more}")
                try:
                    sql.run(text)
                except psycopg2.errors.OutOfMemory:
                    pass
                seen.append(self.released(sql))
            # What malloc rounds up varies by some hundred bytes.
            self.assertLess(seen[-1] - seen[3], 2000, (text, more, seen))
        self.assertEqual(sql.run("SELECT rondo_index_check('r_m')"), [])
        for name in ("shapeh", "rondo"):
            text = SEARCH.format(name, 100_000).replace("FROM t", "FROM r").replace("id FROM", f"m <-> melody_query($$'4CDECGABC$$, '{name}') FROM")
            sql.run("SET enable_seqscan = off; SET enable_indexscan = on")
            through_index = sql.run(text)
            sql.run("SET enable_seqscan = on; SET enable_indexscan = off")
            self.assertEqual(through_index, sql.run(text))

    @staticmethod
    def scores(sql, name):
        try:
            return sql.run("SELECT melody_query('''4CDECGABC', %s)", name)
        except psycopg2.Error:
            return False

    @staticmethod
    def released(sql):
        """Bytes in use when all that is kept to save time has been given up, but for the statistics of both indexes."""
        sql.run("SET rondo.memory_limit = -1; SET enable_seqscan = off")
        for table in ("t", "r"):
            sql.run(SEARCH.format("shapeh", 10).replace("FROM t", f"FROM {table}"))
        sql.run("SET rondo.memory_limit = 0")
        try:
            sql.run("SELECT '''4CDEC'::melody")
        except psycopg2.errors.OutOfMemory:
            pass
        sql.run("SET rondo.memory_limit = -1")
        return sql.one("SELECT used FROM rondo_memory()")


if __name__ == "__main__":
    unittest.main()
