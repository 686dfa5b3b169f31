"""Whose votes count, who withdrew, and which candidates a researcher picked: through the API, as the page does it."""

import tempfile
import unittest

from serving import Server, import_demo
from studying import Client, Participant, Researcher, make_sets, run

SETS = ["white-cockade-1", "greensleeves-1"]


class People(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="rondo-people-")
        cls.db = import_demo(cls.folder.name)
        make_sets(cls.db, SETS, top=8)
        token = run("study", "token", "--db", cls.db).strip()
        cls.server = Server(cls.db)
        cls.researcher = Researcher(cls.server, token)

    @classmethod
    def tearDownClass(cls):
        cls.researcher.close()
        code = cls.server.stop()
        cls.folder.cleanup()
        assert code == 0, cls.server.log

    def study(self, name, people):
        """A study of the first set, whose participants all ranked two candidates and finished."""
        self.researcher.make_study(name, SETS[:1])
        self.researcher.open(name)
        codes = [one["code"] for one in self.researcher.invite(name, people)]
        return [self.voter(name, code) for code in codes]

    def voter(self, name, code, done=True):
        person = Participant(self.server, name, code).join().agree(years=5, remarks="none")
        self.addCleanup(person.close)
        shown = sorted(c["code"] for c in person.task(1)["candidates"])
        answer = person.save(1, 0, [[shown[0]], [shown[1]]], done=done)
        self.assertEqual(answer.status, 200, answer.body)
        return person

    def ask(self, method, path, body=None):
        return self.researcher.ask(method, "/api/v1" + path, body)

    def truth(self, name, **arguments):
        asked = "&".join(f"{key}={value}" for key, value in arguments.items())
        answer = self.ask("GET", f"/studies/{name}/truth?{asked}")
        self.assertEqual(answer.status, 200, answer.body)
        return answer.json()

    def test_somebody_left_out_counts_no_longer_and_the_reason_is_told(self):
        self.study("out", 3)
        self.assertEqual(self.truth("out")["queries"][0]["votes"], 3)
        answer = self.ask("POST", "/studies/out/left-out", {"participant": 2, "reason": "stopped after a minute"})
        self.assertEqual(answer.status, 200, answer.body)
        self.assertEqual([one["excluded"] for one in answer.json()["participants"]], ["", "stopped after a minute", ""])
        truth = self.truth("out")
        self.assertEqual(truth["queries"][0]["votes"], 2)
        self.assertEqual(truth["votes"]["left_out"], [{"number": 2, "reason": "stopped after a minute"}])
        self.assertIn("stopped after a minute", self.ask("GET", "/studies/out/tables.html").body.decode())
        self.assertIn("participant 2 left out", run_errors("truth", "build", "--db", self.db, "--study", "out"))
        self.assertEqual(self.ask("POST", "/studies/out/left-out", {"participant": 2, "reason": ""}).status, 200)
        self.assertEqual(self.truth("out")["queries"][0]["votes"], 3)
        self.assertEqual(self.truth("out")["votes"]["left_out"], [])

    def test_leaving_out_needs_a_participant_and_a_text(self):
        self.study("whom", 1)
        for body, status in [({"participant": 9, "reason": "x"}, 404), ({"reason": "x"}, 400), ({"participant": "1"}, 400),
                             ({"participant": 1, "reason": 5}, 400)]:
            self.assertEqual(self.ask("POST", "/studies/whom/left-out", body).status, status, body)
        self.assertEqual(self.ask("POST", "/studies/nowhere/left-out", {"participant": 1, "reason": "x"}).status, 404)
        self.assertEqual(Client(self.server).ask("POST", "/api/v1/studies/whom/left-out", {}).status, 401)

    def test_who_withdraws_leaves_a_receipt_and_no_trace_but_the_count(self):
        people = self.study("gone", 2)
        answer = self.ask("POST", "/studies/gone/withdrawals", {"participant": 1})
        self.assertEqual(answer.status, 201, answer.body)
        receipt = answer.json()
        self.assertEqual((receipt["study"], receipt["answers"], receipt["moves"]), ("gone", 1, 1))
        study = self.ask("GET", "/studies/gone").json()
        self.assertEqual([one["number"] for one in study["participants"]], [2])
        self.assertEqual(study["withdrawn"], 1)
        self.assertEqual(self.truth("gone")["queries"][0]["votes"], 1)
        self.assertEqual(self.truth("gone")["votes"]["withdrawn"], 1)
        self.assertEqual([one["number"] for one in self.ask("GET", "/studies/gone/export").json()["participants"]], [2])
        self.assertNotEqual(people[0].get(people[0].at()).status, 200, "the session has ended")
        again = Client(self.server).ask("POST", "/api/v1/study/gone/join", {"code": people[0].code})
        self.assertEqual(again.status, 403, "and the code is not known any more")
        self.assertEqual(self.ask("POST", "/studies/gone/withdrawals", {"participant": 1}).status, 404)
        self.assertEqual(Client(self.server).ask("POST", "/api/v1/studies/gone/withdrawals", {}).status, 401)

    def test_unfinished_rankings_count_only_where_asked(self):
        self.study("half", 2)
        self.voter("half", self.researcher.invite("half", 1)[0]["code"], done=False)
        self.assertEqual(self.truth("half")["queries"][0]["votes"], 2)
        self.assertFalse(self.truth("half")["votes"]["unfinished"])
        more = self.truth("half", unfinished=1)
        self.assertEqual(more["queries"][0]["votes"], 3)
        self.assertTrue(more["votes"]["unfinished"])

    def test_a_minimum_of_votes_is_applied_and_told(self):
        self.study("few", 2)
        grouped = lambda truth: sum(one["group"] > 0 for one in truth["queries"][0]["candidates"])
        self.assertGreater(grouped(self.truth("few")), 0)
        strict = self.truth("few", min_votes=3)
        self.assertEqual(grouped(strict), 0)
        self.assertEqual(strict["votes"]["minimum"], 3)
        self.assertEqual(self.ask("GET", "/studies/few/truth?min_votes=0").status, 400)

    def test_candidates_are_picked_and_a_study_shows_the_rest(self):
        path = f"/candidates/{SETS[1]}"
        page = self.ask("GET", path).json()
        ids = [one["id"] for one in page["candidates"]]
        self.assertEqual(page["query"]["id"], SETS[1])
        self.assertNotIn(SETS[1], ids, "on the query there is nothing to decide")
        self.assertTrue(all(one["mei"] and one["notes"] for one in page["candidates"]))
        # The system found the query itself first; ranks are those of its list.
        ranks = [one["found"][0]["rank"] for one in page["candidates"]]
        self.assertEqual(ranks, sorted(ranks))
        self.assertTrue(all(one["found"][0]["by"] == "shapeh" and 1 <= one["found"][0]["rank"] <= 8
                            for one in page["candidates"]))
        self.assertEqual(page["counts"]["undecided"], len(ids))
        self.assertEqual(self.ask("PUT", path + "/picks", {"ids": ids[:2], "pick": "keep"}).json()["counts"]["keep"], 2)
        answer = self.ask("PUT", path + "/picks", {"ids": [ids[2]], "pick": "drop"})
        self.assertEqual(answer.status, 200, answer.body)
        self.assertEqual(answer.json()["counts"]["drop"], 1)
        again = self.ask("GET", path + "?offset=1&limit=2").json()
        self.assertEqual([(one["id"], one["pick"]) for one in again["candidates"]],
                         [(ids[1], "keep"), (ids[2], "drop")])
        self.assertEqual(again["total"], len(ids))
        self.assertIn(ids[2], run("study", "pick", SETS[1], "--db", self.db))
        sets = {one["name"]: one for one in self.ask("GET", "/studies").json()["candidate_sets"]}
        self.assertEqual(sets[SETS[1]]["candidates"], len(ids) - 1)
        self.researcher.make_study("picked", [SETS[1]], plant_query=True)
        shown = [c["melody"]["id"] for c in self.ask("GET", "/studies/picked/export").json()["queries"][0]["candidates"]]
        self.assertNotIn(ids[2], shown)
        self.assertIn(ids[0], shown)
        for body in [{"ids": [], "pick": "keep"}, {"ids": ids, "pick": "maybe"}, {"pick": "keep"}]:
            self.assertEqual(self.ask("PUT", path + "/picks", body).status, 400, body)
        self.assertEqual(self.ask("PUT", path + "/picks", {"ids": ["nobody"], "pick": "keep"}).status, 422)
        self.assertEqual(self.ask("GET", "/candidates/none").status, 404)
        self.assertEqual(Client(self.server).get("/api/v1" + path).status, 401)


def run_errors(*arguments):
    import subprocess
    from serving import PROGRAM
    return subprocess.run([PROGRAM, *arguments], check=True, capture_output=True, text=True).stderr


if __name__ == "__main__":
    unittest.main()
