"""A small world: every melody of up to three notes over four pitches and two durations, and some longer ones. The extension
ranks them as `rondo search` does, with every system that it offers, through its index and without: equal lists to the last
bit, ties included. tests/unit/search/small_world_test.cpp does the same on the other routes.

RONDO_SMALL_WORLD, if set, tries every query with every system, which takes an hour.
"""

import itertools
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

import server
from server import Sql

import psycopg2

PITCHES = [60, 62, 65, 72]
DURATIONS = [(1, 4), (1, 8)]
QUERIES_OF_A_SYSTEM = 4


def melody(name, notes):
    """A line of JSON; notes are pairs of a pitch and a duration."""
    at = 0  # in eighths
    rows = []
    for pitch, (number, parts) in notes:
        rows.append([f"{at}/8", f"{number}/{parts}", pitch])
        at += 8 * number // parts
    return json.dumps({"id": name, "notes": rows})


def world():
    """Lines of JSON, in the byte order of their ids: PostgreSQL breaks the last ties by the place of a row."""
    kinds = list(itertools.product(PITCHES, DURATIONS))
    of_four = itertools.product(kinds, repeat=4)
    melodies = [notes for length in (1, 2, 3) for notes in itertools.product(kinds, repeat=length)]
    melodies += list(of_four)[::11]
    # Some systems compare windows of six notes.
    melodies += [[(pitch, DURATIONS[0]) for pitch in pitches] for pitches in itertools.product((60, 67), repeat=6)]
    # Ids in another order than melodies: 389 has no factor in common with their number.
    melodies = [melodies[number * 389 % len(melodies)] for number in range(len(melodies))]
    return [(f"m{number:05}", notes) for number, notes in enumerate(melodies)]


class SmallWorldTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.context = server.running()
        running = cls.context.__enter__()  # pylint: disable=unnecessary-dunder-call
        cls.addClassCleanup(cls.context.__exit__, None, None, None)
        temporary = tempfile.TemporaryDirectory()  # pylint: disable=consider-using-with
        cls.addClassCleanup(temporary.cleanup)
        cls.folder = pathlib.Path(temporary.name)
        cls.world = world()
        cls.sql = Sql(running)
        cls.addClassCleanup(cls.sql.close)
        cls.sql.run("CREATE EXTENSION rondo; CREATE TABLE t (id text PRIMARY KEY, m melody)")
        names = [name for name, _ in cls.world]
        lines = [melody(name, notes) for name, notes in cls.world]
        cls.sql.run("INSERT INTO t SELECT id, melody(line) FROM unnest(%s::text[], %s::text[]) AS one (id, line)", names, lines)
        cls.sql.run("CREATE INDEX t_m ON t USING rondo (m); ANALYZE t; SET rondo.first_hits = 2000")
        source = cls.folder / "world.jsonl"
        source.write_text("\n".join(lines) + "\n", encoding="utf-8")
        cls.db = str(cls.folder / "world.db")
        subprocess.run([server.PROGRAM, "import", source, "--db", cls.db], check=True, capture_output=True)

    def offered(self, name):
        """Whether the extension has the system, and the fewest notes that it needs."""
        try:
            self.sql.run("SELECT melody_query('''4CDEFGABC', %s)", name)
            return True
        except psycopg2.Error as error:
            self.assertIn("[system-mixture]", error.diag.message_detail)
            return False

    def of_program(self, system, queries):
        """The lists of `rondo search`: for each query pairs of an id and a distance."""
        file = self.folder / "queries.jsonl"
        file.write_text("".join(melody(f"query {number}", notes) + "\n" for number, notes in enumerate(queries)), encoding="utf-8")
        text = subprocess.run([server.PROGRAM, "search", "--db", self.db, "--batch", file, "--system", system, "-k",
                               str(len(self.world)), "--format", "json"], check=True, capture_output=True, text=True).stdout
        return [[(hit["id"], -hit["score"]) for hit in answer["hits"]] for answer in json.loads(text)]

    def of_extension(self, system, notes, through_index):
        self.sql.run(f"SET enable_indexscan = {'on' if through_index else 'off'}; SET enable_seqscan = "
                     f"{'off' if through_index else 'on'}")
        # The query is a constant, so that the index is used.
        query = f"melody_query($q${melody('query', notes)}$q$::melody, '{system}')"
        ranked = f"""SELECT id, m <-> {query} AS distance, melody_tie(m, {query}) AS tie,
                            melody_length_difference(m, {query}) AS difference FROM t ORDER BY m <-> {query}"""
        plan = "\n".join(self.sql.column("EXPLAIN " + ranked))
        self.assertEqual("Index Scan using t_m" in plan, through_index, plan)
        return self.sql.run(f"""SELECT id, distance FROM ({ranked}) AS ranked WHERE distance IS NOT NULL
                                ORDER BY distance, tie, difference, id COLLATE "C" """)

    def test_every_system_has_the_lists_of_the_program(self):
        systems = json.loads(subprocess.run([server.PROGRAM, "systems", "--format", "json"], check=True,
                                            stdout=subprocess.PIPE, text=True).stdout)
        shortest = {row["name"]: row["shortest"] for row in systems}
        names = [row["name"] for row in systems if self.offered(row["name"])]
        self.assertGreater(len(names), 25)
        compared = 0
        for number, name in enumerate(names):
            queries = [notes for _, notes in self.world if len(notes) >= shortest[name]]
            if "RONDO_SMALL_WORLD" not in os.environ:
                queries = queries[number::len(queries) // QUERIES_OF_A_SYSTEM][:QUERIES_OF_A_SYSTEM]
            lists = self.of_program(name, queries)
            self.assertEqual(len(lists), len(queries))
            for notes, expected in zip(queries, lists):
                for through_index in (True, False):
                    self.assertEqual(self.of_extension(name, notes, through_index), expected, f"{name}, {notes}, {through_index}")
                    compared += len(expected)
        self.assertGreater(compared, 1000)


if __name__ == "__main__":
    unittest.main()
