"""One search for everyone: the command line, the server and Python give the same list, to the last digit.

Over 20,000 melodies, every system with a query of its own, fusions with other parts, and every option.
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import unittest
import warnings

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "http"))

import rondo  # noqa: E402
from serving import PROGRAM, Server  # noqa: E402

COUNT = 20_000
FUSIONS = ["rrf:shapeh+time", "rrf:shapeh+P3+ngr5", "combsum:shapel+P2", "combmnz:(rrf:time+contour)+GAR"]
OPTIONS = [
    {"anchored": True},
    {"ignore_repeated": True},
    {"fold_octaves": True},
    {"graces": True},
    {"fold": True},
    {"anchored": True, "ignore_repeated": True, "fold_octaves": True},
    {"where": "notes > 15 AND range < 14"},
    {"text": "aria"},
    {"min_notes": 16},
]

# Every option of a search in the three entrances, side by side. They have one name, in Python and over HTTP with _ instead
# of -; where one of them has none, or more, this says why.
SIDE_BY_SIDE = [
    # command line, HTTP, Python
    ("query", ("query", "q"), "query"),
    ("id", "id", "id"),
    ("k", "k", "k"),
    ("system", "system", "system"),
    ("set", "set", ("set", "settings")),
    ("where", "where", "where"),
    ("text", "text", "text"),
    ("min-notes", "min_notes", "min_notes"),
    ("anchored", "anchored", "anchored"),
    ("anywhere", None, None),  # anchored=0, anchored=False
    ("fold", ("fold", "fold_duplicates"), "fold"),
    ("expand", "expand", "expand"),
    ("ignore-repeated", "ignore_repeated", "ignore_repeated"),
    ("fold-octaves", "fold_octaves", "fold_octaves"),
    ("graces", "graces", "graces"),
    ("threads", None, "threads"),  # a server decides itself
    ("format", "format", None),  # Python has objects
    ("explain", None, None),  # /api/v1/compare; Collection.align
    ("batch", None, None),  # many queries: many requests over HTTP, a loop in Python
    ("device", None, None),  # `serve` has it for all requests
    ("time-limit", None, None),  # the server has its own; a function of Python can be interrupted
    ("db", None, None),  # the server's; the object's
    ("help", None, None),
    (None, "m", None),  # a link, for addresses
    (None, "voice", None),  # of the piece that id names
    (None, ("offset", "sort"), None),  # pages of a list
    (None, ("composer", "key", "time", "clef", "century", "library"), None),  # filters of the page; elsewhere where
]


def command_line(db, id, system, k, options):
    words = [PROGRAM, "search", "--db", db, "--id", id, "--system", system, "-k", str(k), "--format", "json"]
    for name, value in options.items():
        words += ["--" + name.replace("_", "-")] + ([] if value is True else [str(value)])
    answer = json.loads(subprocess.run(words, check=True, capture_output=True).stdout)
    return answer, [(hit["id"], hit["voice"], hit["score"], hit["probability"]) for hit in answer["hits"]]


def over_http(server, id, system, k, options):
    arguments = {"id": id, "system": system, "k": k}
    for name, value in options.items():
        arguments[name] = "true" if value is True else value
    deadline = time.monotonic() + 120
    while True:
        answer = server.get("/api/v1/search", arguments)
        preparing = answer.status == 503 and answer.json()["code"] == "search-preparing"
        if not preparing or time.monotonic() > deadline:
            break
        time.sleep(0.2)  # what it needs is being made, and it says so
    if answer.status != 200:
        raise AssertionError(answer.body)
    found = answer.json()
    return found, [(hit["id"], hit["voice"], hit["score"], hit["probability"]) for hit in found["hits"]]


class Entrances(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.db = cls.folder.name + "/c.db"
        made = cls.folder.name + "/generated.xml"
        with open(made, "wb") as out:
            subprocess.run([PROGRAM, "generate", "--count", str(COUNT), "--seed", "5"], stdout=out, check=True)
        subprocess.run([PROGRAM, "import", made, "--db", cls.db], check=True, capture_output=True)
        cls.server = Server(cls.db, "--time-limit", "60")
        cls.tunes = rondo.Collection(cls.db)
        cls.ids = cls.tunes.ids()

    @classmethod
    def tearDownClass(cls):
        cls.tunes.close()
        cls.server.stop(timeout=60)
        cls.folder.cleanup()

    def compare(self, number, system, k, options):
        id = self.ids[number * 997 % len(self.ids)]
        with self.subTest(id=id, system=system, options=options):
            answer, from_program = command_line(self.db, id, system, k, options)
            found, from_server = over_http(self.server, id, system, k, options)
            hits = self.tunes.search(id=id, system=system, k=k, **options)
            from_python = [(hit.id, hit.voice, hit.score, hit.probability) for hit in hits]
            self.assertTrue(answer["complete"] and found["complete"])
            self.assertEqual(from_program, from_server)
            self.assertEqual(from_program, from_python)
            counts = ["compared", "not_reached", "too_short", "filtered_out"]
            self.assertEqual([answer[name] for name in counts], [found[name] for name in counts])
            self.assertEqual(sum(answer[name] for name in counts), COUNT - 1, "every melody is counted once")
            return from_program

    def test_every_system(self):
        names = [system["name"] for system in rondo.systems()]
        self.assertGreater(len(names), 30)
        for number, system in enumerate(names + FUSIONS):
            hits = self.compare(number, system, 10, {})
            self.assertTrue(hits or system == "P1" or system.startswith("pattern"), "these alone may find nothing")

    def test_every_option(self):
        for number, options in enumerate(OPTIONS):
            for system in ["shapeh", "P2", "combsum:shapeh+time"]:
                self.compare(100 + number, system, 25, options)

    def test_options_have_one_name(self):
        def column(number):
            cells = [row[number] for row in SIDE_BY_SIDE if row[number] is not None]
            return sorted(name for cell in cells for name in ([cell] if isinstance(cell, str) else cell))

        told = subprocess.run([PROGRAM, "search", "--help"], check=True, capture_output=True, text=True).stdout
        options = set(re.findall(r"(?<![\w-])--([a-z][a-z-]*)", told.partition("Options:")[2].partition("Example")[0]))
        self.assertEqual(sorted(options | {"k"}), column(0))
        document = self.server.get("/api/v1/openapi.json").json()
        search = document["paths"]["/api/v1/search"]
        self.assertEqual(sorted(one["name"] for one in search["get"]["parameters"]), column(1))
        posted = search["post"]["requestBody"]["content"]["application/json"]["schema"]["properties"]
        self.assertEqual(sorted(posted), column(1))
        signature = rondo.Collection.search.__doc__.splitlines()[0]
        self.assertEqual(sorted(set(re.findall(r"(\w+): ", signature)) - {"self"}), column(2))
        for row in SIDE_BY_SIDE:
            if row[0] is None:
                continue
            for cell in row[1:]:
                names = [cell] if isinstance(cell, str) else cell or ()
                self.assertTrue(not names or row[0].replace("-", "_") in names, row)

    def test_other_names_mean_the_same(self):
        id = self.ids[12]
        plain = self.server.get("/api/v1/search", {"id": id, "k": 30, "fold": 1}).json()["hits"]
        self.assertEqual(self.server.get("/api/v1/search", {"id": id, "k": 30, "fold_duplicates": 1}).json()["hits"], plain)
        text = "C4 D4 E4 C4 G4"
        found = [self.server.get("/api/v1/search", {name: text}).json()["hits"] for name in ("q", "query")]
        self.assertEqual(found[0], found[1])
        both = self.server.get("/api/v1/search", {"q": text, "query": text})
        self.assertEqual((both.status, both.json()["code"]), (400, "argument-both"))
        lists = [self.tunes.search(id=id, system="rondo", **{name: {"gap": 0.5}}) for name in ("set", "settings")]
        self.assertEqual([hit.score for hit in lists[0]], [hit.score for hit in lists[1]])

    def test_neighbours(self):
        for number in range(4):
            plain = self.compare(200 + number, "rondo", 100, {})
            expanded = self.compare(200 + number, "rondo", 100, {"expand": True})
            self.assertNotEqual(plain, expanded)
            self.assertEqual(sorted(plain), sorted(expanded), "the same hits with the same scores")
            few = self.compare(200 + number, "rondo", 7, {"expand": True, "anchored": True})
            self.assertEqual(len(few), 7)

    def test_a_text_is_read_alike_everywhere(self):
        for text in ["C4 D4 Eb4 F#4 G4", "do re mi fa sol", "5 5 6 5 1 7", "+2 +2 -4 +7", "*UUDDRU", "B A C H",
                     "'4C8DE2C", "CDEF|G2A2", "4c 8d 8e 2c"]:
            with self.subTest(text=text):
                words = [PROGRAM, "search", "--db", self.db, "--query", text, "-k", "5", "--format", "json"]
                told = json.loads(subprocess.run(words, check=True, capture_output=True).stdout)
                served = self.server.get("/api/v1/search", {"q": text, "k": 5}).json()
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    hits = self.tunes.search(text, k=5)
                read = rondo.read_query(text)
                self.assertEqual(told["query"]["read"], served["query"]["read"])
                self.assertEqual(told["query"]["read"]["kind"], read.kind)
                self.assertEqual(told["query"]["read"]["because"], read.because)
                self.assertEqual([w["code"] for w in told["query"]["warnings"]],
                                 [w["code"] for w in served["query"]["warnings"]])
                self.assertEqual(told["query"]["notes"], served["query"]["notes"])
                self.assertEqual(told["system"], served["system"])
                lists = [[(h["id"], h["score"]) for h in answer["hits"]] for answer in (told, served)]
                self.assertEqual(lists[0], lists[1])
                self.assertEqual(lists[0], [(hit.id, hit.score) for hit in hits])


if __name__ == "__main__":
    unittest.main()
