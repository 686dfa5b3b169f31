"""Many machines: shards, replicas, deadlines. What a cluster answers equals what one table with all melodies gives."""

import pathlib
import sys
import threading
import time
import unittest

from cluster import DATABASE, QUICK, Cluster
from server import SHARE, Installation, Server, Sql, incipits, skip

if not (SHARE / "extension/plproxy.control").exists():
    skip("postgresql-15-plproxy is not installed")

COUNT = 200
DEADLINE = 2
QUERIES = ["'4CDEC", "''8C'BAG4FE"]
ASKED = [("rondo", 10), ("shapeh", 1), ("shapeh", 50), ("time", 10), ("P3", 10)]


class ClusterTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.installation = Installation()
        cls.cluster = Cluster(cls.installation, deadline=DEADLINE)
        cls.rows = [(id, "title of " + id, line) for id, line in incipits(COUNT, seed=21)]
        # Equals on different shards: only the id decides between them.
        cls.rows += [("twin-" + str(number), "twin", cls.rows[0][2]) for number in range(8)]
        cls.cluster.load(cls.rows)
        cls.whole = Server(cls.installation, "whole", settings=QUICK)
        sql = Sql(cls.whole)
        sql.run("CREATE ROLE rondo_search; CREATE ROLE rondo_write")
        sql.run(f"CREATE DATABASE {DATABASE}")
        sql.close()
        sql = Sql(cls.whole, DATABASE)
        sql.run((pathlib.Path(__file__).parents[2] / "postgresql/cluster/shard.sql").read_text(encoding="utf-8"))
        for row in cls.rows:
            sql.run("SELECT shard_put(%s, %s, %s)", *row)
        sql.run("SELECT rondo_statistics_reset('incipit_melody')")
        cls.whole_sql = sql

    @classmethod
    def tearDownClass(cls):
        cls.whole_sql.close()
        cls.cluster.stop()
        cls.whole.stop()
        cls.installation.close()

    def expected(self, query, system, k):
        return self.whole_sql.run("SELECT id, title, distance FROM shard_search(%s, %s, %s)", query, system, k)

    def check_same(self, sql):
        for query in QUERIES:
            for system, k in ASKED:
                rows = sql.run("SELECT rank, id, title, distance, missing FROM search(%s, %s, %s)", query, system, k)
                self.assertEqual([row[1:4] for row in rows], self.expected(query, system, k), (query, system, k))
                self.assertEqual([row[0] for row in rows], list(range(1, len(rows) + 1)))
                self.assertTrue(all(row[4] == [] for row in rows))

    def test_1_the_best_of_all_shards_are_the_best_of_one_table(self):
        sql = self.cluster.sql()
        counts = sql.column("SELECT counts()")
        self.assertEqual(sum(counts), len(self.rows))
        self.assertTrue(all(count > COUNT / 4 for count in counts), "melodies lie on both shards")
        self.check_same(sql)
        whole = Sql(self.whole, DATABASE)
        melody = whole.one("SELECT melody_pae(melody) FROM incipit WHERE id = 'twin-0'")
        whole.close()
        self.assertEqual([row[1:4] for row in sql.run("SELECT rank, id, title, distance FROM search(%s, 'shapeh', 20)", melody)],
                         self.expected(melody, "shapeh", 20))
        sql.close()

    def test_1_the_list_of_a_shard_is_that_of_comparing_every_row(self):
        rare = "'8C,,xF''4bB,2.E''6xD,,4G"
        sql = self.whole_sql
        every = {}
        sql.run("SET enable_indexscan = off")
        for query in (*QUERIES, rare):
            for system, k in (*ASKED, ("shapeh", 1000), *([] if query == QUERIES[0] else [("ngr5", 10), ("ngr5", 0)])):
                every[query, system, k] = sql.run(
                    "SELECT id, title, distance, tie, difference FROM (SELECT id, title, melody <-> q AS distance,"
                    " melody_tie(melody, q) AS tie, melody_length_difference(melody, q) AS difference"
                    " FROM incipit, melody_query(%s, %s) q) e WHERE distance IS NOT NULL"
                    ' ORDER BY distance, tie, difference, id COLLATE "C" LIMIT %s', query, system, k)
        sql.run("RESET enable_indexscan; SET enable_seqscan = off")
        for (query, system, k), rows in every.items():
            found = sql.run("SELECT id, title, distance, tie, difference FROM shard_search(%s, %s, %s)", query, system, k)
            self.assertEqual(found, rows, (query, system, k))
        sql.connection.autocommit = False
        looked = "SELECT idx_tup_fetch FROM pg_stat_xact_user_tables WHERE relname = 'incipit'"
        before = sql.one(looked)
        self.assertLess(len(sql.run("SELECT id FROM shard_search(%s, 'ngr5', 10)", rare)), 10)
        self.assertLessEqual(sql.one(looked) - before, 10, "rows that are not ranked are not looked at")
        sql.connection.rollback()
        sql.connection.autocommit = True
        sql.run("RESET enable_seqscan")

    def test_1_lists_made_with_different_statistics_are_not_merged_in_silence(self):
        sql = self.cluster.sql()

        def warnings(system):
            sql.connection.notices.clear()
            sql.run("SELECT * FROM search(%s, %s, 50)", QUERIES[0], system)
            return [one for one in sql.connection.notices if "different statistics" in one]

        shard = Sql(self.cluster.shards[0].primary, DATABASE)
        self.assertEqual(warnings("shapeh"), [])
        version = shard.one("SELECT statistics_version FROM rondo_index_info('incipit_melody')")
        self.assertTrue(shard.run("SELECT * FROM shard_statistics()"))
        self.assertEqual(shard.one("SELECT statistics_version FROM rondo_index_info('incipit_melody')"), version,
                         "counting leaves what searches use as it is")
        shard.run("SELECT rondo_statistics_reset('incipit_melody')")
        self.assertEqual(len(warnings("shapeh")), 1)
        self.assertEqual(warnings("time"), [], "its scores do not depend on statistics")
        sql.run("SELECT share_statistics()")
        self.assertEqual(warnings("shapeh"), [])
        self.check_same(sql)
        shard.close()
        sql.close()

    def test_2_searching_cannot_write_and_bad_queries_are_errors_of_the_caller(self):
        sql = Sql(self.cluster.shards[0].primary, DATABASE)
        sql.run("SET ROLE rondo_search")
        with self.assertRaisesRegex(Exception, "permission denied"):
            sql.run("SELECT shard_put('a', 'b', $$'4C$$)")
        sql.close()
        sql = self.cluster.sql()
        for query, system in (("", "rondo"), ("'4CDEC", "no such system"), ("%%%", "shapeh")):
            with self.assertRaisesRegex(Exception, r"(?s)\["):
                sql.run("SELECT * FROM search(%s, %s)", query, system)
        sql.run("SET ROLE rondo_search")
        self.assertTrue(sql.run("SELECT * FROM search($$'4CDEC$$)"))
        with self.assertRaisesRegex(Exception, "permission denied"):
            sql.run("SELECT put('a', 'b', $$'4CDEC$$)")
        sql.close()

    def test_3_a_shard_that_is_too_slow_is_named_and_the_others_answer(self):
        slow = self.cluster.shards[1]
        blocker = Sql(slow.primary, DATABASE)
        blocker.connection.autocommit = False
        blocker.run("LOCK TABLE incipit IN ACCESS EXCLUSIVE MODE")
        sql = self.cluster.sql()
        started = time.monotonic()
        rows = sql.run("SELECT id, missing FROM search($$'4CDEC$$, 'time', 5)")
        took = time.monotonic() - started
        self.assertEqual(len(rows), 5)
        self.assertTrue(all(row[1] == [1] for row in rows), rows)
        self.assertGreaterEqual(took, DEADLINE, "it waited for the slow shard as long as it may take")
        own = {row[0] for row in Sql(self.cluster.shards[0].primary, DATABASE).run("SELECT id FROM incipit")}
        self.assertTrue({row[0] for row in rows} <= own)
        blocker.connection.rollback()
        blocker.close()
        self.check_same(sql)
        sql.close()

    def test_4_a_primary_is_killed_under_load(self):
        shard = self.cluster.shards[0]
        acknowledged, failed, stop = [], [], threading.Event()

        def write():
            sql = self.cluster.sql()
            for number in range(100_000):
                if stop.is_set():
                    break
                row = (f"load-{number}", "written under load", self.rows[number % COUNT][2])
                try:
                    sql.run("SELECT put(%s, %s, %s)", *row)
                    acknowledged.append(row)
                except Exception:  # pylint: disable=broad-except
                    failed.append(number)
                    time.sleep(0.02)
            sql.close()

        writer = threading.Thread(target=write)
        writer.start()
        try:
            end = time.monotonic() + 60
            while len(acknowledged) < 60 and time.monotonic() < end:
                time.sleep(0.01)
            shard.primary.kill()
            killed = time.monotonic()
            # The replica answers in place of the primary, before anything is promoted.
            sql = self.cluster.sql()
            rows = sql.run("SELECT id, missing FROM search($$'4CDEC$$, 'time', 5)")
            self.assertEqual([row[1] for row in rows], [[]] * 5)
            searched = time.monotonic() - killed
            shard.promote()
            before = len(acknowledged)
            end = time.monotonic() + 60
            written = None
            while time.monotonic() < end:
                if any(row[0] for row in acknowledged[before:] if self.on_shard(row[0], 0)):
                    written = time.monotonic() - killed
                    break
                time.sleep(0.02)
            self.assertIsNotNone(written, "writing goes on at the promoted replica")
        finally:
            stop.set()
            writer.join()
        print(f"complete searches {searched:.2f} s after the primary was killed, writes {written:.2f} s; "
              f"{len(acknowledged)} rows acknowledged, {len(failed)} refused", file=sys.stderr)
        there = set()
        for server in (shard.replica, self.cluster.shards[1].primary):
            own = Sql(server, DATABASE)
            there |= {row[0] for row in own.run("SELECT id FROM incipit")}
            self.assertEqual(own.column("SELECT rondo_index_check('incipit_melody')"), [])
            own.close()
        self.assertEqual([row[0] for row in acknowledged if row[0] not in there], [], "no acknowledged row is lost")
        whole = Sql(self.whole, DATABASE)
        for row in acknowledged:
            whole.run("SELECT shard_put(%s, %s, %s)", *row)
        # A row that was refused may be there or not: nobody was told that it is.
        for id in there - {row[0] for row in acknowledged} - {row[0] for row in self.rows}:
            number = int(id.split("-")[1])
            whole.run("SELECT shard_put(%s, %s, %s)", id, "written under load", self.rows[number % COUNT][2])
        whole.run("SELECT rondo_statistics_reset('incipit_melody')")
        whole.close()
        sql.run("SELECT share_statistics()")
        self.check_same(sql)
        sql.close()

    def test_5_a_shard_that_is_gone_is_named(self):
        self.cluster.shards[0].replica.kill()
        sql = self.cluster.sql()
        rows = sql.run("SELECT id, missing FROM search($$'4CDEC$$, 'time', 5)")
        self.assertEqual([row[1] for row in rows], [[0]] * 5)
        for server in self.cluster.shards[1].servers():
            server.kill()
        self.assertEqual(sql.run("SELECT id, missing FROM search($$'4CDEC$$, 'time', 5)"), [(None, [0, 1])])
        for server in (self.cluster.shards[0].replica, self.cluster.shards[1].primary):
            server.start()
        rows = sql.run("SELECT id, missing FROM search($$'4CDEC$$, 'time', 5)")
        self.assertEqual([row[1] for row in rows], [[]] * 5, "it is asked again when it is there again")
        sql.close()

    def on_shard(self, id, number):
        if not hasattr(self, "hasher"):
            self.hasher = Sql(self.whole)
        return self.hasher.one("SELECT hashtext(%s) & 1", id) == number


if __name__ == "__main__":
    unittest.main()
