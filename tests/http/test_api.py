"""What the API answers."""

import csv
import gzip
import io
import json
import subprocess
import tempfile
import time
import unittest
import zipfile

from serving import PROGRAM, ROOT, DemoTest, Server

COCKADE = "white-cockade-1"


def program(*arguments):
    return subprocess.run([PROGRAM, *arguments], check=True, capture_output=True, text=True).stdout


class Search(DemoTest):
    def search(self, **arguments):
        answer = self.server.get("/api/v1/search", arguments)
        self.assertEqual(answer.status, 200, answer.body)
        return answer.json()

    def test_gives_the_list_the_program_gives(self):
        for system in ["shapeh", "time", "P3", "rrf:shapeh+time"]:
            told = json.loads(program("search", "--db", self.db, "--id", COCKADE, "--system", system, "-k", "15",
                                      "--format", "json"))
            served = self.search(id=COCKADE, system=system, k=15)
            self.assertEqual([(h["id"], h["score"]) for h in served["hits"]],
                             [(h["id"], h["score"]) for h in told["hits"]], system)
            self.assertEqual(served["compared"], told["compared"])
            self.assertTrue(served["complete"])

    def test_switches_mean_what_they_mean_for_the_program(self):
        for name, option in [("anchored", "--anchored"), ("ignore_repeated", "--ignore-repeated"),
                             ("fold_octaves", "--fold-octaves"), ("graces", "--graces")]:
            told = json.loads(program("search", "--db", self.db, "--query", "''4C'BAG/AB''CD/", option, "--format",
                                      "json"))
            served = self.search(q="''4C'BAG/AB''CD/", k=10, **{name: 1})
            self.assertEqual([(h["id"], h["score"]) for h in served["hits"]],
                             [(h["id"], h["score"]) for h in told["hits"]], name)

    def test_pages_are_parts_of_one_list(self):
        whole = [h["id"] for h in self.search(id=COCKADE, k=30)["hits"]]
        self.assertEqual(len(whole), 30)
        parts = []
        for offset in [0, 10, 20]:
            page = self.search(id=COCKADE, k=10, offset=offset)
            self.assertEqual([h["rank"] for h in page["hits"]], list(range(offset + 1, offset + 11)))
            parts += [h["id"] for h in page["hits"]]
        self.assertEqual(parts, whole)
        self.assertEqual(self.search(id=COCKADE, k=10, offset=10000)["hits"], [])

    def test_the_melody_asked_about_is_not_a_hit(self):
        self.assertNotIn(COCKADE, [h["id"] for h in self.search(id=COCKADE, k=50)["hits"]])

    def test_a_melody_typed_exactly_is_found_first_and_matches_all_over(self):
        pae = self.server.get("/api/v1/melodies/" + COCKADE).json()["voices"][0]["pae"]
        first = self.search(q=pae, k=1)
        hit = first["hits"][0]
        self.assertEqual(hit["id"], COCKADE)
        self.assertEqual(hit["matched"]["query"], list(range(len(first["query"]["notes"]))))
        self.assertEqual(hit["matched"]["document"], list(range(len(hit["notes"]))))
        for i in hit["matched"]["document"]:
            self.assertIn(f'xml:id="n{i}"', hit["mei"])

    def test_text_and_facets_narrow_the_search(self):
        everything = self.search(id=COCKADE, k=1)
        value = everything["facets"]["time"][0]
        narrowed = self.search(id=COCKADE, k=200, time=value["value"])
        self.assertEqual(narrowed["relevant"]["count"], value["count"], "facets count what resembles the query")
        self.assertEqual(narrowed["facets"]["time"], everything["facets"]["time"],
                         "choosing a time leaves the counts of times as they are")
        self.assertLess(sum(v["count"] for v in narrowed["facets"]["clef"]),
                        sum(v["count"] for v in everything["facets"]["clef"]))
        with_text = self.search(id="white-cockade-2", text="cockade", k=50)
        self.assertTrue(with_text["hits"])
        for hit in with_text["hits"]:
            self.assertIn("cockade", (hit["title"] + hit["id"] + hit["source"]).lower())

    def test_a_condition_in_sql_narrows_the_search(self):
        some = self.search(id=COCKADE, where="notes < 25", k=200)
        self.assertTrue(some["hits"])
        self.assertTrue(all(len(h["notes"]) < 25 for h in some["hits"]))
        told = self.problem(self.server.get("/api/v1/search", {"id": COCKADE, "where": "notes < ("}), 422,
                            "sql-malformed")
        self.assertGreater(told["column"], 0)
        self.problem(self.server.get("/api/v1/search", {"id": COCKADE, "where": "load_extension('x')"}), 422,
                     "sql-forbidden")

    def test_lists_come_as_csv_and_trec_too(self):
        hits = self.search(id=COCKADE, k=5)["hits"]
        told = self.server.get("/api/v1/search", {"id": COCKADE, "k": 5}, Accept="text/csv")
        self.assertEqual(told.type(), "text/csv")
        rows = list(csv.DictReader(io.StringIO(told.body.decode())))
        self.assertEqual([(r["id"], float(r["score"])) for r in rows], [(h["id"], h["score"]) for h in hits])
        trec = self.server.get("/api/v1/search", {"id": COCKADE, "k": 5, "format": "trec"}).body.decode().splitlines()
        self.assertEqual([line.split()[:4] for line in trec],
                         [[COCKADE, "Q0", h["id"], str(h["rank"])] for h in hits])

    def test_lists_without_room_for_counts_have_them_in_a_header(self):
        for extra in ({}, {"where": "composer is not null", "min_notes": 12, "anchored": 1}):
            asked = {"id": COCKADE, "k": 5, **extra}
            data = self.search(**asked)
            counts = ", ".join(f"{name}={data[name]}" for name in
                               ("compared", "not_reached", "too_short", "filtered_out"))
            for path, form in (("search", "csv"), ("search", "trec"), ("export", "csv"), ("export", "jsonl")):
                told = self.server.get(f"/api/v1/{path}", {**asked, "format": form})
                self.assertEqual(told.headers["rondo-counts"], counts + ", complete=true")
        self.assertGreater(data["filtered_out"], 0)

    def test_the_address_of_the_page_gives_json_when_asked_to(self):
        page = self.server.get("/", {"q": "CDEC"}, Accept="text/html,application/xhtml+xml,*/*;q=0.8")
        self.assertEqual(page.type(), "text/html")
        data = self.server.get("/", {"q": "'4CDEC/CDEC"}, Accept="application/json")
        self.assertEqual(data.type(), "application/json")
        self.assertTrue(data.json()["hits"])
        own = self.server.get("/", {"q": "'4CDEC/CDEC", "view": "wide"}, Accept="application/json")
        self.assertEqual(own.status, 200, "the page may have arguments of its own")

    def test_export_is_streamed_and_complete(self):
        hits = self.search(id=COCKADE, k=200)["hits"]
        told = self.server.get("/api/v1/export", {"id": COCKADE, "k": 10000, "format": "jsonl"})
        self.assertEqual(told.headers["transfer-encoding"], "chunked")
        lines = [json.loads(line) for line in told.body.decode().splitlines()]
        self.assertGreater(len(lines), 200)
        self.assertEqual([line["id"] for line in lines[:200]], [h["id"] for h in hits])
        self.assertEqual([line["rank"] for line in lines], list(range(1, len(lines) + 1)))
        rows = list(csv.DictReader(io.StringIO(self.server.get("/api/v1/export", {"id": COCKADE}).body.decode())))
        self.assertEqual([r["id"] for r in rows], [line["id"] for line in lines[:1000]])

    def test_duplicates_are_folded_on_demand(self):
        folded = self.search(id=COCKADE, k=50, fold_duplicates=1)
        plain = {h["id"] for h in self.search(id=COCKADE, k=200)["hits"]}
        for hit in folded["hits"]:
            for other in hit["duplicates"]:
                self.assertIn(other, plain)
                self.assertNotIn(other, [h["id"] for h in folded["hits"]])


class Errors(DemoTest):
    def ask(self, path="/api/v1/search", **arguments):
        return self.server.get(path, arguments)

    def test_point_at_the_column(self):
        told = self.problem(self.ask("/api/v1/query", q='  {"clef": "G-2", "data": '), 422, "pae-json")
        self.assertIn("detail", told)
        odd = self.ask("/api/v1/query", q=" '4CDEZFG").json()["warnings"]
        self.assertEqual([(w["code"], w["column"]) for w in odd], [("pae-unknown-sign", 7)])
        below = self.ask("/api/v1/query", q="@clef:G-2\n@data:CDE*FG").json()["warnings"]
        self.assertEqual([w["column"] for w in below], [10 + 6 + 4])

    def test_have_stable_codes(self):
        self.problem(self.ask(), 422, "query-missing")
        self.problem(self.ask(q="what is this?"), 422, "query-unread")
        self.problem(self.ask(q="C", system="shapeh"), 422, "query-short")
        self.problem(self.ask(q="CDEF", system="nonsense"), 400, "system-unknown")
        self.problem(self.ask(q="CDEF", set="pitch"), 400, "parameter-malformed")
        self.problem(self.ask(q="CDEF", set="pitch:1e999"), 400, "parameter-malformed")
        self.problem(self.ask(q="CDEF", system="spline", set="pitch:99"), 400, "parameter-out-of-range")
        self.problem(self.ask(q="CDEF", set="pitch:1"), 400, "parameter-unknown")
        self.problem(self.ask(q="CDEF", k=0), 400, "argument-number")
        self.problem(self.ask(q="CDEF", k=201), 400, "argument-number")
        self.problem(self.ask(q="CDEF", offset=-1), 400, "argument-number")
        self.problem(self.ask(q="CDEF", anchored="yes"), 400, "argument-switch")
        self.problem(self.ask(q="CDEF", limit=5), 400, "argument-unknown")
        self.problem(self.ask(q="CDEF", id="x"), 400, "argument-both")
        self.problem(self.ask(id="no such id"), 404, "piece-missing")
        self.problem(self.ask(id=COCKADE, voice=7), 404, "voice-missing")
        self.problem(self.ask(q="CDEF", format="xml"), 400, "argument-format")
        self.problem(self.ask(q="CDEF", text='""'), 422, "text-query")
        self.problem(self.ask("/api/v1/nothing"), 404, "path-unknown")
        self.problem(self.ask("/api/v1/melodies/nothing"), 404, "piece-missing")
        self.problem(self.server.ask("/api/v1/search", "DELETE"), 405, "method-unknown")
        self.problem(self.server.ask("/api/v1/evaluate"), 405, "method-unknown")
        self.problem(self.server.ask("/api/v1/search?q=%ff"), 400, "target-malformed")
        self.problem(self.server.ask("/api/v1/search?q=%zz"), 400, "target-malformed")
        self.problem(self.server.get("/api/v1/search", {"q": "CDEF"}, Accept="image/png"), 406, "not-acceptable")


class Melodies(DemoTest):
    def test_are_downloaded_in_every_format_and_read_again(self):
        melody = self.server.get("/api/v1/melodies/" + COCKADE).json()
        notes = [n["midi"] for n in melody["voices"][0]["notes"]]
        for ending in melody["downloads"]:
            file = self.server.get(f"/api/v1/melodies/{COCKADE}.{ending}")
            self.assertEqual(file.status, 200, ending)
            self.assertIn(f'filename="{COCKADE}.{ending}"', file.headers["content-disposition"])
            again = self.server.ask("/api/v1/query", "POST", file.body).json()
            self.assertEqual([n["midi"] for n in again["notes"]], notes, ending)

    def test_have_features(self):
        told = json.loads(program("features", COCKADE, "--db", self.db, "--format", "json"))
        self.assertEqual(self.server.get(f"/api/v1/melodies/{COCKADE}/features").json(), told)

    def test_are_compared_step_by_step(self):
        told = self.server.get("/api/v1/compare", {"id": COCKADE, "with": "white-cockade-2"}).json()
        self.assertAlmostEqual(sum(step["score"] for step in told["steps"]), told["total"], places=9)
        found = self.server.get("/api/v1/search", {"id": COCKADE, "k": 200}).json()["hits"]
        score = [h["score"] for h in found if h["id"] == "white-cockade-2"][0]
        self.assertEqual(told["score"], score)
        self.assertEqual(len(told["query"]["line"]), len(told["query"]["notes"]))

    def test_are_uploaded_in_archives_too(self):
        tune = b"X:1\nT:A scale\nK:G\nGABc|\n"
        plain = self.server.ask("/api/v1/query", "POST", tune).json()
        self.assertEqual((plain["title"], plain["format"], len(plain["notes"])), ("A scale", "abc", 4))
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w") as archive:
            archive.writestr("tune.abc", tune)
        for data in [gzip.compress(tune), packed.getvalue()]:
            self.assertEqual(self.server.ask("/api/v1/query", "POST", data).json()["notes"], plain["notes"])
        bomb = gzip.compress(b"X:1\nK:C\n" + b"% " * (60 << 20))
        self.assertLess(len(bomb), 4 << 20)
        self.assertEqual(self.server.ask("/api/v1/query", "POST", bomb).status, 422)
        self.assertEqual(self.server.ask("/api/v1/query", "POST", b"\0\1\2\3").status, 422)
        self.assertEqual(self.server.ask("/api/v1/query", "POST", b"").status, 422)

    def test_are_converted_from_any_format_to_any(self):
        tune = b"X:1\nT:A scale\nL:1/4\nK:G\nGABc|defg|\n"
        notes = self.server.ask("/api/v1/query", "POST", tune).json()["notes"]
        for name in ["pae", "midi", "kern", "abc", "esac", "musicxml", "mei", "jsonl"]:
            file = self.server.ask("/api/v1/convert?as=" + name, "POST", tune)
            self.assertEqual(file.status, 200, name)
            self.assertIn("filename=", file.headers["content-disposition"])
            again = self.server.ask("/api/v1/query", "POST", file.body).json()
            self.assertEqual([n["midi"] for n in again["notes"]], [n["midi"] for n in notes], name)
            back = self.server.ask("/api/v1/convert?as=abc", "POST", file.body)
            self.assertIn(b"G A B c", back.body.replace(b"GABc", b"G A B c"), name)

    def test_are_converted_alone_where_only_the_melody_is_asked_for(self):
        duet = b'X:1\nL:1/4\nV:1 name="Bass"\nV:2 name="Melody"\nK:C\nV:1\nC,2|G,2|\nV:2\nce|dB|\n'
        self.assertEqual(self.server.ask("/api/v1/convert?as=esac", "POST", duet).status, 422)
        alone = self.server.ask("/api/v1/convert?as=esac&voices=melody", "POST", duet)
        self.assertEqual(alone.status, 200, alone.body)
        self.assertIn(b"MEL[+1+3  +27", alone.body)

    def test_that_cannot_be_converted_are_problems(self):
        ask = lambda target, body: self.server.ask("/api/v1/convert" + target, "POST", body)
        tune = b"X:1\nK:C\nCDEF|\n"
        for target, body, status, code in [
            ("?as=cuneiform", tune, 400, "argument-format"),
            ("", tune, 400, "argument-format"),
            ("?as=marc", tune, 400, "argument-format"),
            ("?as=abc&voices=some", tune, 400, "argument-voices"),
            ("?as=abc&else=1", tune, 400, "argument-unknown"),
            ("?as=abc", b"\0\1\2\3", 422, "format-unknown"),
            ("?as=abc", b"", 422, "query-empty"),
        ]:
            answer = ask(target, body)
            self.assertEqual((answer.status, answer.json()["code"]), (status, code), target)

    def test_are_filtered_step_by_step(self):
        told = self.server.get("/api/v1/funnel", {"steps": "step: short\nkeep: notes < 30\n", "ids": 3})
        self.assertEqual(told.status, 200, told.body)
        step = told.json()["steps"][0]
        self.assertEqual(step["before"] - step["excluded"], step["left"])
        self.assertEqual(len(told.json()["melodies"]), min(3, step["left"]))
        self.assertEqual(self.server.get("/api/v1/funnel", {"steps": ""}).status, 422)

    def test_runs_are_evaluated(self):
        truth = "q 0 a 1\nq 0 b 1\n"
        run = "q Q0 a 1 3.0 x\nq Q0 c 2 2.0 x\nq Q0 b 3 1.0 x\n"
        body = json.dumps({"truth": truth, "runs": [{"name": "mine", "text": run}], "measures": ["AP", "P@1"]})
        told = self.server.ask("/api/v1/evaluate", "POST", body)
        self.assertEqual(told.status, 200, told.body)
        # AP: (1/1 + 2/3) / 2
        self.assertIn("0.8333333333333", told.body.decode())
        self.assertIn("mine", told.body.decode())
        for wrong in ["", "[]", "{}", '{"truth": 1, "runs": []}', '{"truth": "x", "runs": [1]}']:
            self.problem(self.server.ask("/api/v1/evaluate", "POST", wrong), 400, "body-not-json")
        broken = json.dumps({"truth": truth, "runs": [{"name": "mine", "text": "nonsense"}]})
        self.problem(self.server.ask("/api/v1/evaluate", "POST", broken), 422, "run-columns")


class Changes(unittest.TestCase):
    def test_of_the_collection_are_seen_and_change_the_tags(self):
        with tempfile.TemporaryDirectory(prefix="rondo-http-") as folder:
            db = folder + "/c.db"
            program("import", str(ROOT / "data" / "demo" / "hymns.pae"), "--db", db)
            with Server(db) as server:
                before = server.get("/api/v1/collection")
                tag = before.headers["etag"]
                self.assertEqual(server.get("/api/v1/collection", If_None_Match=tag).status, 304)
                program("import", str(ROOT / "data" / "demo" / "families-1.pae"), "--db", db)
                until = time.monotonic() + 20
                while time.monotonic() < until:
                    after = server.get("/api/v1/collection", If_None_Match=tag)
                    if after.status == 200 and after.json()["pieces"] > before.json()["pieces"]:
                        break
                    time.sleep(0.1)
                self.assertGreater(after.json()["pieces"], before.json()["pieces"])
                self.assertNotEqual(after.headers["etag"], tag)
                found = server.get("/api/v1/search", {"id": COCKADE, "k": 200})
                self.assertEqual(found.status, 200, found.body)
                self.assertEqual(found.json()["compared"] + found.json()["too_short"], after.json()["pieces"] - 1)


if __name__ == "__main__":
    unittest.main()
