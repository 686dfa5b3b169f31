"""Kills the server at random moments of building, inserting and vacuuming: after recovery the index is sound, no row that was
acknowledged is lost, and the index gives what an exhaustive scan gives."""

import os
import random
import threading
import time
import unittest

import server
from server import Sql

import psycopg2

KILLS = int(os.environ.get("RONDO_KILLS", "10"))
QUERY = "melody_query('''4CDEC', 'contour')"


class CrashTest(unittest.TestCase):
    def test_recovery_after_kills_at_random_moments(self):
        rng = random.Random(int(os.environ.get("RONDO_SEED", "24")))
        rows = server.incipits(4000)
        with server.running(settings=["max_wal_size = 64MB", "restart_after_crash = off"]) as primary:
            sql = Sql(primary)
            sql.run("CREATE EXTENSION rondo; CREATE TABLE t (id int PRIMARY KEY, m melody);"
                    "CREATE INDEX t_m ON t USING rondo (m)")
            sql.run("CREATE UNLOGGED TABLE u (id int, m melody); CREATE INDEX u_m ON u USING rondo (m)")
            sql.close()
            next_id = 0
            alive = set()
            for number in range(KILLS):
                confirmed = []
                removed = []
                unsure = []
                stop = threading.Event()

                def work(kind, first, seed):
                    choose = random.Random(seed)
                    try:
                        one = Sql(primary)
                        one.run("SET rondo.pending_limit = '64kB'; SET maintenance_work_mem = '1MB'")
                        at = first
                        while not stop.is_set():
                            if kind == "insert":
                                ids = list(range(at, at + 20))
                                unsure.extend(ids)
                                one.run("INSERT INTO t SELECT n, melody((%s::text[])[1 + n %% 200]) FROM unnest(%s) n",
                                        [rows[(at + i) % len(rows)][1] for i in range(200)], ids)
                                confirmed.extend(ids)
                                at += 20
                            elif kind == "delete":
                                victims = choose.sample(sorted(alive), min(len(alive), 30))
                                removed.extend(victims)
                                one.run("DELETE FROM t WHERE id = ANY (%s)", victims)
                            elif kind == "vacuum":
                                one.run("VACUUM t")
                            else:
                                one.run("REINDEX INDEX t_m")
                    except psycopg2.Error as error:
                        if not stop.is_set():
                            failures.append(f"{kind}: {error}")

                failures = []
                kinds = rng.choice([["insert", "vacuum", "delete"], ["insert", "insert", "vacuum"], ["insert", "reindex"],
                                    ["insert", "delete", "vacuum"]])
                threads = []
                for kind in kinds:
                    threads.append(threading.Thread(target=work, args=(kind, next_id, rng.random())))
                    next_id += 1_000_000 if kind == "insert" else 0
                for thread in threads:
                    thread.start()
                time.sleep(rng.uniform(0.05, 1.5))
                stop.set()
                primary.kill()
                for thread in threads:
                    thread.join()
                self.assertEqual(failures, [])
                primary.start()
                sql = Sql(primary)
                kept = set(sql.column("SELECT id FROM t"))
                self.assertEqual((alive | set(confirmed)) - set(removed) - kept, set(), "acknowledged rows are lost")
                self.assertEqual(kept - alive - set(unsure), set())
                alive = kept
                self.check(sql, number)
                # An unlogged table is empty after a crash, and its index is as good as new.
                self.assertEqual(sql.one("SELECT count(*) FROM u"), 0)
                sql.run("INSERT INTO u VALUES (1, $$'4CDEC$$); SET enable_seqscan = off")
                self.assertEqual(sql.column(f"SELECT id FROM u ORDER BY m <-> {QUERY}"), [1])
                self.assertEqual(sql.column("SELECT rondo_index_check('u_m')"), [])
                sql.close()
            sql = Sql(primary)
            sql.run("VACUUM t")
            self.check(sql, "the end")
            self.assertGreater(len(alive), 100)
            # What the crashes left is found and used again.
            size = sql.one("SELECT pg_relation_size('t_m')")
            sql.run("REINDEX INDEX t_m")
            print(f"{KILLS} kills, {len(alive)} rows, {size >> 10} kB before REINDEX,",
                  f"{sql.one('SELECT pg_relation_size(%s)', 't_m') >> 10} kB after it")
            sql.close()

    def test_a_damaged_index_is_reported_and_never_crashes_the_server(self):
        rng = random.Random(8)
        text = f"SELECT id FROM (SELECT id, m <-> {QUERY} AS d FROM t ORDER BY m <-> {QUERY}) x ORDER BY d, id"
        reported = 0
        with server.running() as primary:
            sql = Sql(primary)
            sql.run("CREATE EXTENSION rondo; CREATE TABLE source (id int, m melody)")
            for number, (_, line) in enumerate(server.incipits(400)):
                sql.run("INSERT INTO source VALUES (%s, %s)", number, line)
            for _ in range(int(os.environ.get("RONDO_DAMAGES", "8"))):
                sql.run("CREATE TABLE t AS SELECT * FROM source WHERE id < 300; CREATE INDEX t_m ON t USING rondo (m);"
                        "INSERT INTO t SELECT * FROM source WHERE id >= 300; SET enable_seqscan = off")
                sound = sql.run(text)
                path = primary.data / sql.one("SELECT pg_relation_filepath('t_m')")
                sql.close()
                primary.stop()
                data = bytearray(path.read_bytes())
                for _ in range(rng.choice([1, 1, 5, 200])):
                    data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
                path.write_bytes(bytes(data))
                primary.start()
                sql = Sql(primary)
                process = sql.one("SELECT pg_backend_pid()")
                sql.run("SET enable_seqscan = off; SET statement_timeout = '60s'")
                errors = []
                lists = []
                for statement in (text, "SELECT * FROM rondo_index_check('t_m')", "INSERT INTO t VALUES (-1, $$'4CDEC$$)",
                                  "DELETE FROM t WHERE id = 7", "VACUUM t", text):
                    try:
                        lists.append(sql.run(statement))
                    except psycopg2.Error as error:
                        errors.append(error.pgcode)
                self.assertNotIn(None, errors)
                self.assertEqual(sql.one("SELECT pg_backend_pid()"), process)
                if errors or lists[1]:
                    reported += 1
                else:
                    self.assertEqual(lists[0], sound)
                # Made anew, it is sound again.
                sql.run("REINDEX INDEX t_m")
                self.check(sql, "reindexed")
                sql.run("DROP TABLE t")
            sql.close()
        self.assertGreater(reported, 0)

    def check(self, sql, when):
        self.assertEqual(sql.run("SELECT * FROM rondo_index_check('t_m')"), [], when)
        text = f"SELECT id, distance FROM (SELECT id, m <-> {QUERY} AS distance FROM t ORDER BY m <-> {QUERY}) x ORDER BY distance, id"
        sql.run("SET enable_seqscan = off")
        self.assertIn("Index Scan using t_m", str(sql.run("EXPLAIN " + text)))
        with_index = sql.run(text)
        sql.run("SET enable_seqscan = on; SET enable_indexscan = off")
        self.assertEqual(with_index, sql.run(text), when)
        sql.run("RESET enable_indexscan")


if __name__ == "__main__":
    unittest.main()
