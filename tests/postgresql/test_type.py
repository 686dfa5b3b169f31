"""The type melody and its functions, in a server of the tests' own."""

import json
import os
import random
import unittest

import server
from server import Sql

import psycopg2

setUpModule_context = None
SERVER = None


def setUpModule():
    global SERVER, setUpModule_context  # pylint: disable=global-statement
    setUpModule_context = server.running()
    SERVER = setUpModule_context.__enter__()  # pylint: disable=unnecessary-dunder-call
    sql = Sql(SERVER)
    sql.run("CREATE EXTENSION rondo")
    sql.close()


def tearDownModule():
    setUpModule_context.__exit__(None, None, None)


class TypeTest(unittest.TestCase):
    def setUp(self):
        self.sql = Sql(SERVER)
        self.addCleanup(self.sql.close)

    def fails(self, text, *values):
        with self.assertRaises(psycopg2.Error) as caught:
            self.sql.run(text, *values)
        return caught.exception

    def test_plaine_and_easie_comes_out_as_it_went_in(self):
        for line in ("%G-2@3/4$xF 4'DEF/2.G//", "%C-1 2'C4DE", "%G-2@c$bBE '8{CDEF}4G-/"):
            out = self.sql.one("SELECT %s::melody::text", line)
            self.assertTrue(out.startswith("%"), out)
            self.assertTrue(self.sql.one("SELECT %s::melody = %s::melody", line, out))

    def test_bare_notation_and_json_are_read(self):
        self.assertTrue(self.sql.one(
            """SELECT melody_chromatic('''4CDEC'::melody) = melody_chromatic('{"pae": "''4CDEC"}'::melody)"""))
        self.assertEqual(self.sql.one("""SELECT melody_notes('{"notes": [["0", "1/4", 60], ["1/4", "1/4", 62]]}')"""), 2)

    def test_every_melody_survives_text_and_binary(self):
        self.sql.run("CREATE TEMP TABLE made (id text, m melody)")
        rows = server.incipits(500)
        with self.sql.connection.cursor() as cursor:
            for row in rows:
                cursor.execute("INSERT INTO made VALUES (%s, %s)", row)
        # JSON of Rondo is lossless, so what it was read from is the reference.
        self.assertEqual(self.sql.one("SELECT count(*) FROM made WHERE m::text::melody <> m"), 0)
        self.assertEqual(self.sql.one("SELECT count(*) FROM made WHERE melody(melody_packed(m)) <> m"), 0)
        self.assertEqual(self.sql.one("SELECT count(*) FROM made WHERE m::json::melody <> m"), 0)
        for name, line in rows[:50]:
            notes = json.loads(line)["notes"]
            stored = json.loads(self.sql.one("SELECT melody_json(m)::text FROM made WHERE id = %s", name))["notes"]
            self.assertEqual(notes, stored)

    def test_binary_copy_gives_the_same_table(self):
        import io  # pylint: disable=import-outside-toplevel

        self.sql.run("CREATE TEMP TABLE a (m melody); CREATE TEMP TABLE b (m melody)")
        with self.sql.connection.cursor() as cursor:
            for _, line in server.incipits(100):
                cursor.execute("INSERT INTO a VALUES (%s)", (line,))
            data = io.BytesIO()
            cursor.copy_expert("COPY a TO STDOUT (FORMAT binary)", data)
            data.seek(0)
            cursor.copy_expert("COPY b FROM STDIN (FORMAT binary)", data)
        self.assertEqual(self.sql.one("SELECT count(*) FROM a"), 100)
        self.assertEqual(self.sql.run("SELECT m::text FROM a EXCEPT ALL SELECT m::text FROM b"), [])

    def test_bad_input_is_an_error_with_code_place_and_hint(self):
        error = self.fails("SELECT ''::melody")
        self.assertEqual(error.pgcode, "22P02")
        self.assertIn("[melody-empty]", error.diag.message_detail)
        self.assertTrue(error.diag.message_hint)
        error = self.fails("""SELECT '{"notes": [["0", "1/4", 600]]}'::melody""")
        self.assertIn("[jsonl-value]", error.diag.message_detail)
        self.assertIn("notes[0]", error.diag.message_primary)
        error = self.fails("SELECT melody_query('''4CDEC', system => 'none')")
        self.assertEqual(error.pgcode, "22023")
        self.assertIn("[system-unknown]", error.diag.message_detail)
        error = self.fails("SELECT melody_query('''4C', system => 'shapeh')")
        self.assertIn("[query-short]", error.diag.message_detail)
        error = self.fails("SELECT melody_query('''4CDEC', system => 'rrf')")
        self.assertIn("[system-mixture]", error.diag.message_detail)
        error = self.fails(r"SELECT '\x00ff'::bytea::melody")
        self.assertEqual(error.pgcode, "22P03")

    def test_what_is_left_out_of_a_text_is_a_warning_with_code_and_place(self):
        notices = self.sql.connection.notices
        for text, code, place in (("SELECT $$%%G-2 4'CDEQ/C$$::melody", "pae-unknown-sign", "column"),
                                  ("SELECT melody($$'4C((D)$$)", "pae-group-unclosed", "column 4"),
                                  ("SELECT melody_query($$'4CDEC?$$, 'rondo')", "pae-unknown-sign", "column 7"),
                                  ("""SELECT '{"pae": "''4CDEQ"}'::melody""", "pae-unknown-sign", "column 6")):
            notices.clear()
            self.sql.run(text.replace("%%", "%"))
            self.assertEqual(len(notices), 1, notices)
            self.assertRegex(notices[0], f"(?s)^WARNING: .*DETAIL: .*{place}.* \\[{code}\\]")
        notices.clear()
        self.sql.run("SELECT $$'4CDEC$$::melody::text::melody, melody_query('c d e f'), melody_from(melody_midi($$'4CDEC$$))")
        self.assertEqual(notices, [])

    def test_formats_are_written_and_read_again(self):
        melody = "%G-2@3/4$xF 4'DEF/2.G/"
        intervals = self.sql.one("SELECT melody_chromatic(%s)", melody)
        for name in ("abc", "kern", "mei", "musicxml"):
            again = self.sql.one(f"SELECT melody_chromatic(melody_from(convert_to(melody_{name}(%s), 'UTF8'), %s))",
                                 melody, name)
            self.assertEqual(again, intervals, name)
        again = self.sql.one("SELECT melody_chromatic(melody_from(melody_midi(%s)))", melody)
        self.assertEqual(again, intervals)
        self.assertIn("[voice-missing]", self.fails("SELECT melody_from(melody_midi(%s), voice => 7)",
                                                    melody).diag.message_detail)

    def test_features_serve_generated_columns_and_indexes(self):
        self.sql.run("""CREATE TEMP TABLE f (m melody, range int GENERATED ALWAYS AS (melody_range(m)) STORED,
                                             contour text GENERATED ALWAYS AS (melody_contour(m)) STORED)""")
        self.sql.run("INSERT INTO f (m) VALUES ('''4CDEC'), ('''4CG''''C')")
        self.sql.run("CREATE INDEX ON f (melody_notes(m)); CREATE INDEX ON f USING hash (m); CREATE UNIQUE INDEX ON f (m)")
        self.assertEqual(self.sql.run("SELECT range, contour FROM f ORDER BY range"), [(4, "UUD"), (12, "UU")])
        self.assertEqual(self.fails("INSERT INTO f (m) VALUES ('''4CDEC')").pgcode, "23505")
        features = self.sql.one("SELECT melody_features('''4CDEC')")
        self.assertEqual((features["range"], features["notes"], features["diatonic"]), (4, 4, [1, 1, -2]))

    def test_scores_are_those_of_the_program(self):
        import subprocess  # pylint: disable=import-outside-toplevel

        a, b = "'4CDECCDEC", "'4DExFDDExFG"
        for row in json.loads(subprocess.run([server.PROGRAM, "compare", a, b, "--format", "json"], check=True,
                                             stdout=subprocess.PIPE, text=True).stdout):
            try:
                mine = self.sql.one("SELECT melody_score(%s, %s, %s)", row["system"], a, b)
            except psycopg2.Error as error:
                self.assertIn("[system-mixture]", error.diag.message_detail)
                continue
            if row["comparable"] and row["system"] not in ("P1", "P2", "P3"):
                self.assertEqual(mine, row["score"], row["system"])
                explained = self.sql.one("SELECT melody_explain(%s, %s, %s)", row["system"], a, b)
                self.assertEqual(explained["score"], row["score"])
                self.assertEqual(explained["alignment"], row["alignment"])

    def test_settings_change_scores_and_are_checked(self):
        plain = self.sql.one("SELECT melody_score('rondo', '''4CDEC', '''4CEDC')")
        changed = self.sql.one("SELECT melody_score('rondo', '''4CDEC', '''4CEDC', '{near=0.5}')")
        self.assertNotEqual(plain, changed)
        self.assertIn("[parameter-", self.fails("SELECT melody_score('rondo', '''4CDEC', '''4CDEC', '{no=1}')").diag.message_detail)

    def test_a_query_survives_text_and_binary(self):
        query = self.sql.one("SELECT melody_query('4CDEC', 'shapeh')::text")
        self.assertEqual(json.loads(query)["system"], "shapeh")
        self.assertEqual(self.sql.one("SELECT %s::melodyquery::text", query), query)
        self.assertEqual(self.sql.one("SELECT ('''4CDEC'::melody <-> %s) IS NOT NULL", query), True)

    def test_too_short_melodies_have_no_distance(self):
        self.assertIsNone(self.sql.one("SELECT '''4C'::melody <-> melody_query('''4CDEC', 'shapeh')"))

    def test_a_dump_can_be_restored(self):
        self.sql.run("CREATE DATABASE dumped")
        one = Sql(SERVER, "dumped")
        one.run("CREATE EXTENSION rondo; CREATE TABLE t (id int, m melody); CREATE INDEX t_m ON t USING rondo (m)")
        with one.connection.cursor() as cursor:
            for number, (_, line) in enumerate(server.incipits(50)):
                cursor.execute("INSERT INTO t VALUES (%s, %s)", (number, line))
        before = one.run("SELECT id, m::text FROM t ORDER BY id")
        one.close()
        installation = SERVER.installation
        installation.run("pg_dump", "-h", SERVER.socket, "-U", "tester", "-Fc", "-f", "dump", "dumped")
        self.sql.run("CREATE DATABASE restored")
        installation.run("pg_restore", "-h", SERVER.socket, "-U", "tester", "-d", "restored", "dump")
        two = Sql(SERVER, "restored")
        self.addCleanup(two.close)
        self.assertEqual(two.run("SELECT id, m::text FROM t ORDER BY id"), before)
        self.assertEqual(two.run("SELECT * FROM rondo_index_check('t_m')"), [])
        two.run("SET enable_seqscan = off")
        self.assertEqual(len(two.run("SELECT id FROM t ORDER BY m <-> melody_query('''4CDEC') LIMIT 10")), 10)


def random_text(rng):
    alphabet = "'\"{}[]%@$.,;:-+/|#xbnABCDEFG0123456789 ~()!=&ir\\\n\té♭\u0001"
    kind = rng.randrange(4)
    if kind == 0:
        return "".join(rng.choice(alphabet) for _ in range(rng.randrange(60)))
    base = rng.choice(["%G-2@3/4$xF 4'DEF/2.G//", '{"notes": [["0", "1/4", 60]]}', '{"pae": "\'4CDEC"}',
                       '{"melody": "\'4CDEC", "system": "shapeh", "settings": ["a=1"]}', "@clef:G-2\n@data:'4CDEC\n"])
    text = list(base)
    for _ in range(rng.randrange(1, 6)):
        at = rng.randrange(len(text) + 1)
        text[at:at + rng.randrange(3)] = [rng.choice(alphabet) for _ in range(rng.randrange(3))]
    return "".join(text) * rng.choice([1, 1, 1, 40])


def random_bytes(rng, packed):
    if rng.randrange(2):
        return bytes(rng.randrange(256) for _ in range(rng.randrange(80)))
    data = bytearray(packed)
    for _ in range(rng.randrange(1, 5)):
        if data:
            data[rng.randrange(len(data))] = rng.randrange(256)
    return bytes(data[: rng.randrange(len(data) + 1)])


class BadInputTest(unittest.TestCase):
    """Whatever a function is given, the server answers or says what is wrong; it does not end."""

    ROUNDS = int(os.environ.get("RONDO_ROUNDS", "400"))

    def test_every_function_withstands_random_values(self):
        sql = Sql(SERVER)
        self.addCleanup(sql.close)
        sql.run("SET statement_timeout = '20s'; CREATE TEMP TABLE t (m melody); CREATE INDEX t_bad ON t USING rondo (m)")
        functions = sql.run("""
            SELECT p.proname, p.proargtypes::regtype[]::text[], p.proretset FROM pg_proc p
            JOIN pg_depend d ON d.objid = p.oid AND d.deptype = 'e' AND d.classid = 'pg_proc'::regclass
            JOIN pg_extension e ON e.oid = d.refobjid AND e.extname = 'rondo'
            WHERE NOT 'internal'::regtype = ANY (p.proargtypes) ORDER BY 1, 2""")
        self.assertGreater(len(functions), 50)
        rng = random.Random(24)
        packed = bytes(sql.one("SELECT melody_packed('%G-2@3/4$xF 4''DEF/2.G//')"))
        systems = ["shapeh", "rondo", "P3", "time", "rrf", "", "Orio", "xyz", "rrf:shapeh+P3"]
        process = sql.one("SELECT pg_backend_pid()")

        def value(kind):
            if kind == "melody":
                return rng.choice(["%s::text::melody", "%s::bytea::melody"])
            if kind == "melodyquery":
                return "%s::text::melodyquery"
            if kind == "cstring":
                return "%s::cstring"
            if kind == "regclass":
                return "%s::oid::regclass"
            if kind.endswith("[]"):
                return f"%s::{kind}"
            return f"%s::{kind}"

        def content(expression):
            if "bytea" in expression:
                return psycopg2.Binary(random_bytes(rng, packed))
            if "oid" in expression:
                return rng.choice([0, 1, 1259, sql.oid, 4294967295])
            if "bigint[]" in expression or "text[]" in expression:
                return rng.choice(["{}", "{1}", "{4294967297,4294967298}", "{-1,7}", "{NULL}"])
            if "int" in expression:
                return rng.choice([0, 1, -1, 2147483647, 7])
            if "melodyquery" in expression or "cstring" in expression or rng.randrange(3):
                return random_text(rng).replace("\0", "")
            return rng.choice(systems)

        sql.oid = sql.one("SELECT 't_bad'::regclass::oid")
        good = 0
        for name, kinds, _ in functions:
            for _ in range(self.ROUNDS):
                expressions = [value(kind) for kind in kinds]
                values = [content(one) for one in expressions]
                try:
                    sql.run(f"SELECT {name}({', '.join(expressions)})", *values)
                    good += 1
                except psycopg2.Error as error:
                    self.assertNotIn(error.pgcode, (None, "XX000"), f"{name}{values}: {error}")
        self.assertGreater(good, 0)
        self.assertEqual(sql.one("SELECT pg_backend_pid()"), process)

    def test_random_binary_values_are_refused_or_stored(self):
        import io  # pylint: disable=import-outside-toplevel
        import struct  # pylint: disable=import-outside-toplevel

        sql = Sql(SERVER)
        self.addCleanup(sql.close)
        sql.run("CREATE TEMP TABLE b (m melody); CREATE TEMP TABLE q (m melodyquery)")
        packed = bytes(sql.one("SELECT melody_packed('%G-2@3/4$xF 4''DEF/2.G//')"))
        query = b"\x01\0\0\0\0\x05\0rondo\0\0" + packed
        rng = random.Random(7)
        for table, sample in (("b", packed), ("q", query)):
            for _ in range(self.ROUNDS):
                data = random_bytes(rng, sample)
                copy = b"PGCOPY\n\xff\r\n\0" + struct.pack(">iihi", 0, 0, 1, len(data)) + data + struct.pack(">h", -1)
                try:
                    with sql.connection.cursor() as cursor:
                        cursor.copy_expert(f"COPY {table} FROM STDIN (FORMAT binary)", io.BytesIO(copy))
                except psycopg2.Error as error:
                    self.assertNotIn(error.pgcode, (None, "XX000"), data)
        # What was accepted can be read.
        sql.run("SELECT m::text FROM b")
        sql.run("SELECT m::text FROM q")


if __name__ == "__main__":
    unittest.main()
