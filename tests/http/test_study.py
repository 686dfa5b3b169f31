"""A study through the API, from the candidates to the truth: 35 people, 11 queries, an order that was planted and must
come out; and the orders that each of them saw."""

import concurrent.futures
import json
import random
import subprocess
import tempfile
import unittest

from serving import PROGRAM, ROOT, Server, import_demo
from studying import Participant, Researcher, make_sets, run

QUERIES = ["roslin-castle-1", "white-cockade-1", "greensleeves-1", "ah-vous-dirai-je-1", "la-folia-1", "ode-to-joy-1",
           "amazing-grace-1", "minuet-in-g-1", "innsbruck-1", "god-save-the-king-1", "frere-jacques-1"]
PEOPLE = 35
MASK = (1 << 64) - 1


class Random:
    """xoshiro256**, seeded by SplitMix64: another hand's version of what the server shuffles with."""

    def __init__(self, seed):
        self.state = []
        for _ in range(4):
            seed = (seed + 0x9E3779B97F4A7C15) & MASK
            z = seed
            z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
            z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
            self.state.append(z ^ (z >> 31))

    def next(self):
        def turn(x, k):
            return ((x << k) | (x >> (64 - k))) & MASK
        s = self.state
        result = (turn((s[1] * 5) & MASK, 7) * 9) & MASK
        moved = (s[1] << 17) & MASK
        s[2] ^= s[0]
        s[3] ^= s[1]
        s[1] ^= s[2]
        s[0] ^= s[3]
        s[2] ^= moved
        s[3] = turn(s[3], 45)
        return result

    def below(self, bound):
        while True:
            drawn = self.next()
            if drawn >= (1 << 64) % bound:
                return drawn % bound


def order(seed, participant, purpose, count):
    person = (Random(seed).next() + participant) & MASK
    chance = Random((Random(person).next() + purpose) & MASK)
    out = list(range(count))
    for left in range(count, 1, -1):
        other = chance.below(left)
        out[left - 1], out[other] = out[other], out[left - 1]
    return out


class WholeStudy(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="rondo-study-")
        cls.db = import_demo(cls.folder.name)
        sets = make_sets(cls.db, QUERIES)
        token = run("study", "token", "--db", cls.db).strip()
        cls.server = Server(cls.db)
        cls.researcher = Researcher(cls.server, token)
        cls.researcher.make_study("eleven", sets, consent="I take part.", instructions="Rank.", plant_query=True)
        cls.researcher.open("eleven")
        cls.invitations = cls.researcher.invite("eleven", PEOPLE)
        cls.study = cls.researcher.get("/api/v1/studies/eleven/export").json()
        # What the people would say if they never erred: the query itself, then by id.
        cls.planted = []
        for query in cls.study["queries"]:
            ids = {c["code"]: c["melody"]["id"] for c in query["candidates"]}
            cls.planted.append(sorted(ids, key=lambda code: (ids[code] != query["melody"]["id"], ids[code])))
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            list(pool.map(cls.take_part, cls.invitations))

    @classmethod
    def tearDownClass(cls):
        cls.researcher.close()
        code = cls.server.stop()
        cls.folder.cleanup()
        assert code == 0, cls.server.log

    @classmethod
    def take_part(cls, invitation):
        number = invitation["number"]
        person = Participant(cls.server, "eleven", invitation["code"]).join()
        person.agree(years=number, instruments=["voice"] if number % 2 else ["voice", "viola"], remarks="")
        chance = random.Random(number)
        for place, index in enumerate(order(cls.study["seed"], number, 0, len(QUERIES)), 1):
            task = person.task(place)
            planted = cls.planted[index]
            assert sorted(c["code"] for c in task["candidates"]) == sorted(planted), "the order of queries is another"
            felt = {code: rank + chance.gauss(0, 0.6) for rank, code in enumerate(planted)}
            ranked = sorted(felt, key=felt.get)[:chance.randint(5, 8)]
            version = task["version"]
            for step in (ranked[:2], ranked):
                answer = person.save(place, version, [[code] for code in step], done=step is ranked)
                assert answer.status == 200, answer.body
                version = answer.json()["version"]
        person.close()

    def results(self, **arguments):
        query = "&".join(f"{k}={v}" for k, v in arguments.items())
        answer = self.researcher.get("/api/v1/studies/eleven/truth?" + query)
        self.assertEqual(answer.status, 200, answer.body[:300])
        return answer.json()

    def test_everybody_is_finished(self):
        study = self.researcher.get("/api/v1/studies/eleven").json()
        self.assertEqual(len(study["participants"]), PEOPLE)
        for one in study["participants"]:
            self.assertTrue(one["finished"])
            self.assertTrue(one["consented"])
            self.assertTrue(all(5 <= n <= 8 for n in one["ranked"]))
        listed = self.researcher.get("/api/v1/studies").json()["studies"][0]
        self.assertEqual((listed["participants"], listed["finished"], listed["votes"]), (PEOPLE, PEOPLE, PEOPLE * 11))

    def test_the_planted_order_is_found_again(self):
        for index, query in enumerate(self.results()["queries"]):
            ids = {c["code"]: c["melody"]["id"] for c in self.study["queries"][index]["candidates"]}
            place = {ids[code]: rank for rank, code in enumerate(self.planted[index])}
            self.assertEqual(query["votes"], PEOPLE)
            ranked = [c for c in query["candidates"] if c["group"] > 0]
            # Five places are ranked by everybody: these are known for certain, and in groups of their own.
            self.assertEqual([place[c["id"]] for c in ranked[:5]], [0, 1, 2, 3, 4])
            self.assertGreaterEqual(query["groups"], 5)
            for above, below in zip(ranked[:5], ranked[1:5]):
                self.assertLess(above["group"], below["group"])
            self.assertGreater(query["agreement"]["kendall_w"], 0.7)
            self.assertGreater(query["agreement"]["mean_tau"], 0.6)
            for candidate in query["candidates"]:
                self.assertEqual(len(candidate["ranks"]), candidate["votes"])
                self.assertEqual(candidate["group"] == 0, candidate["votes"] == 0)

    def test_a_threshold_of_nothing_makes_one_group(self):
        self.assertEqual({q["groups"] for q in self.results(threshold=0)["queries"]}, {1})
        for rule in ["all", "any", "previous"]:
            for query in self.results(rule=rule)["queries"]:
                self.assertEqual(query["consistency"]["pairs"],
                                 sum(len(c["p"]) for c in query["candidates"]))
        for wrong in ["rule=best", "threshold=2", "threshold=x", "what=1"]:
            self.assertEqual(self.researcher.get("/api/v1/studies/eleven/truth?" + wrong).status, 400)

    def test_experience_is_told(self):
        experience = self.results()["experience"]
        self.assertEqual(experience["years"], list(range(1, PEOPLE + 1)))
        self.assertEqual(experience["instruments"], [{"name": "voice", "count": 35}, {"name": "viola", "count": 17}])

    def test_the_program_gives_the_same_truth_byte_for_byte(self):
        for rule in ["paper", "all", "any", "previous"]:
            for form in ["groups", "qrels", "json"]:
                told = run("truth", "build", "--db", self.db, "--study", "eleven", "--rule", rule, "--format", form)
                served = self.researcher.get(f"/api/v1/studies/eleven/truth.txt?rule={rule}&format={form}")
                self.assertEqual(served.body.decode(), told)

    def test_the_truth_is_what_evaluate_takes(self):
        truth = self.folder.name + "/truth.json"
        with open(truth, "w") as file:
            file.write(run("truth", "build", "--db", self.db, "--study", "eleven", "--format", "json"))
        run("run", "--db", self.db, "--queries", str(ROOT / "data" / "demo"), "--system", "shapeh", "-k", "20", "--out",
            self.folder.name + "/it.run")
        told = subprocess.run([PROGRAM, "evaluate", "--truth", truth, self.folder.name + "/it.run", "-m", "ADR"],
                              capture_output=True, text=True)
        self.assertEqual(told.returncode, 0, told.stderr)
        self.assertIn("ADR", told.stdout)

    def test_the_study_gives_the_same_truth_elsewhere(self):
        text = self.researcher.get("/api/v1/studies/eleven/export").body
        with tempfile.TemporaryDirectory(prefix="rondo-elsewhere-") as folder:
            db = import_demo(folder)
            with open(folder + "/study.json", "wb") as file:
                file.write(text)
            run("study", "import", folder + "/study.json", "--db", db)
            self.assertEqual(run("study", "export", "eleven", "--db", db).encode(), text)
            self.assertEqual(run("truth", "build", "--db", db, "--study", "eleven"),
                             run("truth", "build", "--db", self.db, "--study", "eleven"))

    def test_votes_alone_give_the_same_groups(self):
        votes = self.folder.name + "/votes.csv"
        with open(votes, "wb") as file:
            file.write(self.researcher.get("/api/v1/studies/eleven/votes", Accept="text/csv").body)

        folded = {(q["melody"]["id"], f["id"]) for q in self.study["queries"] for c in q["candidates"]
                  for f in c["folded"]}

        def groups(text):
            """Of each query the groups in order, without those that only the study knows of."""
            found = {}
            for query, _, document, group in (line.split() for line in text.splitlines()):
                if group != "0" and (query, document) not in folded:
                    found.setdefault(query, {}).setdefault(int(group), set()).add(document)
            return {query: [names for _, names in sorted(piles.items())] for query, piles in found.items()}
        self.assertEqual(groups(run("truth", "build", "--votes", votes)),
                         groups(run("truth", "build", "--db", self.db, "--study", "eleven")))
        as_json = self.researcher.get("/api/v1/studies/eleven/votes?format=json").json()["votes"]
        self.assertEqual(len(as_json), len(open(votes).readlines()) - 1)

    def test_votes_go_into_another_study_of_the_same_candidates(self):
        study = json.loads(self.researcher.get("/api/v1/studies/eleven/export").body)
        study.update(name="again", participants=[])
        answer = self.researcher.ask("POST", "/api/v1/studies/import", json.dumps(study))
        self.assertEqual(answer.status, 201, answer.body)
        votes = self.researcher.get("/api/v1/studies/eleven/votes", Accept="text/csv").body
        for _ in range(2):  # a second time changes nothing
            answer = self.researcher.ask("POST", "/api/v1/studies/import?study=again", votes)
            self.assertEqual(answer.status, 201, answer.body)
        self.assertEqual(run("truth", "build", "--db", self.db, "--study", "again"),
                         run("truth", "build", "--db", self.db, "--study", "eleven"))

    def test_candidates_come_in_everybodys_own_order(self):
        seen = set()
        for invitation in self.invitations[:4]:
            person = Participant(self.server, "eleven", invitation["code"]).join()
            places = order(self.study["seed"], invitation["number"], 0, 11)
            for place in (1, 11):
                candidates = self.study["queries"][places[place - 1]]["candidates"]
                expected = [candidates[i]["code"] for i in
                            order(self.study["seed"], invitation["number"], places[place - 1] + 1, len(candidates))]
                self.assertEqual([c["code"] for c in person.task(place)["candidates"]], expected)
            seen.add(tuple(places))
            person.close()
        self.assertEqual(len(seen), 4)

    def test_what_the_researcher_did_is_logged(self):
        whats = [line["what"] for line in self.researcher.get("/api/v1/studies/eleven/audit").json()["audit"]]
        for what in ["create", "change", "invite", "export"]:
            self.assertIn(what, whats)


if __name__ == "__main__":
    unittest.main()
