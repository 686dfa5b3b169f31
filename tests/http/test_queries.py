"""How queries come in: what is read of a text, long melodies, links, pages for people and data for programs."""

import json
import unittest
import urllib.parse

from serving import DemoTest, Server

COCKADE = "white-cockade-1"
BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"


class Reading(DemoTest):
    def search(self, **arguments):
        answer = self.server.get("/api/v1/search", arguments)
        self.assertEqual(answer.status, 200, answer.body)
        return answer.json()

    def test_the_answer_says_what_was_read_and_why(self):
        query = self.search(q="C4 D4 Eb4 F4", k=1)["query"]
        self.assertEqual(query["read"]["kind"], "note-names")
        self.assertIn("octave", query["read"]["because"])
        self.assertFalse(query["read"]["rhythm"])
        self.assertEqual(len(query["notes"]), 4)
        self.assertEqual(query["warnings"], [])

    def test_a_guess_is_a_warning(self):
        codes = [w["code"] for w in self.search(q="G A B C", k=1)["query"]["warnings"]]
        self.assertEqual(codes, ["query-octaves"])

    def test_the_same_melody_in_other_words_finds_the_same(self):
        lists = [[h["id"] for h in self.search(q=q, k=10)["hits"]]
                 for q in ["C4 D4 E4 C4 G4", "do re mi do sol", "1 2 3 1 5", "+2 +2 -4 +7", "60 62 64 60 67", "CDECG"]]
        for other in lists[1:]:
            self.assertEqual(other, lists[0])

    def test_a_contour_is_compared_by_contour(self):
        answer = self.search(q="*UUDDR", k=3)
        self.assertEqual(answer["system"], "contour")
        self.assertFalse(answer["query"]["read"]["pitches"])
        self.assertEqual([w["code"] for w in answer["query"]["warnings"]], ["query-system"])
        self.problem(self.server.get("/api/v1/search", {"q": "*UUD", "system": "rondo"}), 422, "query-contour-system")

    def test_melodies_with_unknown_notes_are_found_where_all_others_are(self):
        found = self.server.get("/api/v1/search", {"q": "C4 ? E4 C4"}).json()
        self.assertEqual(found["system"], "pattern")
        self.assertEqual(found["query"]["read"]["unknown"], [{"before": 1, "notes": 1, "more": False}])
        self.assertIn("query-system", [warning["code"] for warning in found["query"]["warnings"]])
        self.assertTrue(found["hits"])
        for hit in found["hits"]:
            self.assertEqual(hit["score"], 1)
            keys = [note["midi"] for note in hit["notes"]]
            first, *others = hit["matched"]["document"]
            self.assertEqual([place - first for place in others], [2, 3], "one note lies between")
            self.assertEqual([keys[place] - keys[first] for place in others], [4, 0])

    def test_a_system_that_takes_no_unknown_notes_says_so(self):
        told = self.problem(self.server.get("/api/v1/search", {"q": "C4 ? E4", "system": "rondo"}), 422,
                            "query-wildcards")
        self.assertIn("choose pattern", told["hint"])

    def test_a_name_of_a_file_is_no_melody(self):
        self.problem(self.server.get("/api/v1/search", {"q": "tune.abc"}), 422, "query-path")

    def test_of_an_upload_with_many_tunes_the_first_is_taken_and_said(self):
        told = self.server.ask("/api/v1/query", "POST", b"X:1\nT:A\nK:G\nGABc|\n\nX:2\nT:B\nK:G\ncBAG|\n").json()
        self.assertEqual(told["format"], "abc")
        self.assertEqual([w["code"] for w in told["warnings"]], ["query-first-melody"])

    def test_of_an_upload_any_piece_can_be_chosen(self):
        tunes = b"X:1\nT:A\nK:G\nGABc|\n\nX:2\nT:B\nK:G\ncBAG|\n"
        second = self.server.ask("/api/v1/query?piece=1", "POST", tunes).json()
        self.assertEqual((second["pieces"], second["piece"], second["more_pieces"]), (["A", "B"], 1, False))
        self.assertEqual((second["title"], [n["midi"] for n in second["notes"]]), ("B", [72, 71, 69, 67]))
        self.assertEqual(second["warnings"], [])
        self.problem(self.server.ask("/api/v1/query?piece=2", "POST", tunes), 404, "piece-missing")
        self.problem(self.server.ask("/api/v1/query?piece=x", "POST", tunes), 400, "argument-number")

    def test_of_several_voices_the_melody_is_taken(self):
        duet = b'X:1\nL:1/4\nK:C\nV:1 name="Bass"\nV:2 name="Melody"\n[V:1] C,E,G,C,|\n[V:2] cdef|\n'
        told = self.server.ask("/api/v1/query", "POST", duet).json()
        self.assertEqual((told["voice"], [n["midi"] for n in told["notes"]]), (1, [72, 74, 76, 77]))
        self.assertEqual([w["code"] for w in told["warnings"]], ["query-voice"])

    def test_a_plus_sign_in_a_mixture_may_be_written_as_it_is(self):
        plain = self.server.ask("/api/v1/search?q=C4+D4+E4+C4&system=rrf:shapeh+time&k=3")
        self.assertEqual(plain.status, 200, plain.body)
        self.assertEqual(plain.json()["system"], "rrf:shapeh+time")
        coded = self.server.get("/api/v1/search", {"q": "C4 D4 E4 C4", "system": "rrf:shapeh+time", "k": 3})
        self.assertEqual([h["id"] for h in plain.json()["hits"]], [h["id"] for h in coded.json()["hits"]])


class LongMelodies(DemoTest):
    def post(self, body, kind="application/json"):
        return self.server.ask("/api/v1/search", "POST", body, Content_Type=kind)

    def test_a_melody_of_any_length_is_searched_by_post(self):
        notes = "C4 D4 E4 C4 " * 1000
        self.assertIn(self.server.get("/api/v1/search", {"q": notes}).status, (414, 431))
        answer = self.post(json.dumps({"q": notes, "k": 3}))
        self.assertEqual(answer.status, 200, answer.body)
        self.assertEqual(len(answer.json()["hits"]), 3)
        self.assertIn("query-cut", [w["code"] for w in answer.json()["query"]["warnings"]])

    def test_a_link_stands_for_the_melody(self):
        notes = "C4 D4 E4 C4 " * 200
        posted = self.post(json.dumps({"q": notes, "k": 5})).json()
        link = posted["query"]["link"]
        self.assertLess(len(link), 20)
        linked = self.server.get("/api/v1/search", {"m": link, "k": 5}).json()
        # Not the probabilities: a server that has much to do may leave them out.
        self.assertEqual([(h["id"], h["score"]) for h in linked["hits"]], [(h["id"], h["score"]) for h in posted["hits"]])
        self.assertEqual(linked["query"]["link"], link)
        self.assertEqual(self.post(json.dumps({"q": notes})).json()["query"]["link"], link, "the same melody, the same link")
        self.assertEqual(self.server.get("/api/v1/export", {"m": link, "k": 2}).status, 200)
        self.assertEqual(self.server.get("/api/v1/compare", {"m": link, "with": COCKADE}).status, 200)
        read = self.server.get("/api/v1/query", {"m": link}).json()
        self.assertEqual((read["text"], read["read"]["kind"]), (notes, "note-names"))

    def test_a_link_outlives_the_server(self):
        link = self.post(json.dumps({"q": "E4 D4 C4 D4 E4 E4 E4"})).json()["query"]["link"]
        with Server(self.db) as other:
            self.assertEqual(other.get("/api/v1/search", {"m": link, "k": 1}).status, 200)

    def test_an_unknown_link_is_not_found(self):
        self.problem(self.server.get("/api/v1/search", {"m": "nosuchlink"}), 404, "link-unknown")

    def test_a_form_is_taken_as_well(self):
        body = urllib.parse.urlencode({"q": "C4 D4 E4 C4", "k": "2"})
        answer = self.post(body, "application/x-www-form-urlencoded")
        self.assertEqual(answer.status, 200, answer.body)
        self.assertEqual(len(answer.json()["hits"]), 2)

    def test_wrong_bodies_are_told_apart(self):
        self.problem(self.post(json.dumps({"q": "CDE"}), "text/plain"), 415, "body-type")
        self.problem(self.post("{"), 400, "body-not-json")
        self.problem(self.post("[]"), 400, "body-not-json")
        self.problem(self.post(json.dumps({"q": {"a": 1}})), 400, "body-not-json")
        self.problem(self.post(json.dumps({"q": "CDEC", "nosuch": 1})), 400, "argument-unknown")

    def test_a_short_address_needs_no_link(self):
        self.assertIsNone(self.server.get("/api/v1/search", {"q": "C4 D4 E4"}).json()["query"]["link"])


class Words(DemoTest):
    def search(self, **arguments):
        answer = self.server.get("/api/v1/search", arguments)
        self.assertEqual(answer.status, 200, answer.body)
        return answer.json()

    def test_words_alone_list_pieces(self):
        found = self.search(text="cockade ", k=50)
        self.assertIsNone(found["query"])
        self.assertIsNone(found["system"])
        self.assertGreater(found["total"], 1)
        self.assertEqual(len(found["hits"]), found["total"])
        for hit in found["hits"]:
            self.assertIsNone(hit["score"])
            self.assertTrue(hit["notes"])

    def test_the_last_word_may_be_the_beginning_of_one(self):
        whole = {h["id"] for h in self.search(text="cockade ", k=50)["hits"]}
        self.assertLessEqual(whole, {h["id"] for h in self.search(text="cocka", k=50)["hits"]})
        self.assertEqual(self.search(text="cocka ")["total"], 0, "a blank ends the word")

    def test_pages_of_words_are_parts_of_one_list(self):
        whole = [h["id"] for h in self.search(text="the", k=200)["hits"]]
        parts, offset = [], 0
        while True:
            page = [h["id"] for h in self.search(text="the", k=7, offset=offset)["hits"]]
            if not page:
                break
            parts += page
            offset += 7
        self.assertEqual(parts, whole)

    def test_facets_alone_list_pieces_too_and_are_counted_under_the_words(self):
        value = self.search(text="the")["facets"]["time"][0]
        narrowed = self.search(text="the", time=value["value"], k=200)
        self.assertEqual(narrowed["total"], value["count"])
        self.assertGreater(self.search(time=value["value"])["total"], 0)

    def test_lists_are_sorted_by_title_and_year(self):
        titles = [h["title"].lower().lstrip("'\"(") for h in self.search(text="the", sort="title", k=200)["hits"]]
        self.assertEqual(titles, sorted(titles))
        self.assertEqual({h["id"] for h in self.search(text="the", sort="year", k=200)["hits"]},
                         {h["id"] for h in self.search(text="the", k=200)["hits"]})
        self.problem(self.server.get("/api/v1/search", {"text": "the", "sort": "colour"}), 400, "argument-sort")

    def test_a_list_of_a_melody_is_sorted_among_what_resembles_it(self):
        plain = self.search(id=COCKADE, k=200)
        count = plain["relevant"]["count"]
        self.assertGreater(count, 0)
        best = {h["id"] for h in plain["hits"][:count]}
        by_title = self.search(id=COCKADE, k=200, sort="title")["hits"]
        self.assertEqual({h["id"] for h in by_title[:count]}, best)

    def test_facets_count_what_resembles_the_query(self):
        found = self.search(id=COCKADE, k=1)
        relevant = found["relevant"]
        self.assertLess(relevant["count"], found["total"], "not the whole collection resembles a melody")
        counted = sum(v["count"] for v in found["facets"]["clef"])
        self.assertLessEqual(counted, relevant["count"])

    def test_a_melody_resembles_itself(self):
        pae = self.server.get("/api/v1/melodies/" + COCKADE).json()["voices"][0]["pae"]
        found = self.search(q=pae, k=1)
        self.assertGreaterEqual(found["hits"][0]["score"], found["relevant"]["cut"])

    def test_pages_go_on_to_the_end(self):
        found = self.search(id=COCKADE, k=200)
        last = self.search(id=COCKADE, k=200, offset=found["total"] - 1)
        self.assertEqual(len(last["hits"]), 1)
        self.assertEqual(self.search(id=COCKADE, offset=9999999)["hits"], [])

    def test_nothing_at_all_is_still_an_error(self):
        self.problem(self.server.get("/api/v1/search", {"k": 5}), 422, "query-missing")


class PagesAndData(DemoTest):
    def test_any_address_gives_a_browser_the_app(self):
        for path in ["/", "/melody/" + COCKADE, "/melody/a.b", "/nothing/here", "/api/v1/nothing", "/x.html"]:
            answer = self.server.ask(path, Accept=BROWSER)
            self.assertEqual(answer.type(), "text/html", path)
            self.assertIn(answer.status, (200, 404))

    def test_a_program_is_told_in_json(self):
        for path in ["/nothing/here", "/api/v1/nothing"]:
            self.problem(self.server.ask(path, Accept="*/*"), 404, "path-unknown")
            self.problem(self.server.ask(path, Accept="application/json"), 404, "path-unknown")

    def test_a_melody_comes_in_the_type_that_is_asked_for(self):
        path = "/api/v1/melodies/" + COCKADE
        self.assertEqual(self.server.ask(path).type(), "application/json")
        self.assertEqual(self.server.ask(path, Accept=BROWSER).type(), "application/json")
        midi = self.server.ask(path, Accept="audio/midi")
        self.assertEqual(midi.type(), "audio/midi")
        self.assertTrue(midi.body.startswith(b"MThd"))
        mei = self.server.ask(path, Accept="application/mei+xml")
        self.assertEqual(mei.type(), "application/mei+xml")
        self.assertIn(b"<mei", mei.body)
        self.assertIn("Accept", mei.headers["vary"])
        self.problem(self.server.ask(path, Accept="image/png"), 406, "not-acceptable")
        self.assertEqual(self.server.ask(path + ".abc", Accept="image/png").type(), "text/vnd.abc", "its ending says it")


if __name__ == "__main__":
    unittest.main()
