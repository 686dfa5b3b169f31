"""The description of the API and what it says of studies are the same."""

import json
import tempfile
import unittest

import jsonschema

from serving import ROOT, Server, import_demo
from studying import Client, Participant, Researcher, make_sets, run

SETS = ["white-cockade-1", "greensleeves-1"]


class Description(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.description = json.loads((ROOT / "src" / "server" / "openapi.json").read_text())
        cls.folder = tempfile.TemporaryDirectory(prefix="rondo-described-")
        db = import_demo(cls.folder.name)
        make_sets(db, SETS, top=6)
        token = run("study", "token", "--db", db).strip()
        cls.server = Server(db)
        cls.researcher = Researcher(cls.server, token)
        cls.made = cls.researcher.make_study("said", SETS)
        cls.researcher.open("said")
        cls.person = Participant(cls.server, "said", cls.researcher.invite("said", 1)[0]["code"]).join()
        cls.person.agree(years=3, instruments=["lute"], remarks="")
        codes = [c["code"] for c in cls.person.task(1)["candidates"]]
        cls.person.save(1, 0, [[codes[0]], [codes[1]]], done=True)
        cls.person.save(2, 0, [], done=True)

    @classmethod
    def tearDownClass(cls):
        cls.researcher.close()
        cls.person.close()
        code = cls.server.stop()
        cls.folder.cleanup()
        assert code == 0, cls.server.log

    def check(self, value, name):
        schema = {"$ref": "#/components/schemas/" + name, "components": self.description["components"]}
        jsonschema.Draft202012Validator(schema).validate(value)

    def test_the_researchers_answers_match(self):
        get = self.researcher.get
        self.check(self.made, "Study")
        self.check(get("/api/v1/me").json(), "Me")
        self.check(get("/api/v1/studies").json(), "Studies")
        self.check(get("/api/v1/studies/said").json(), "Study")
        self.check(get(f"/api/v1/candidates/{SETS[0]}").json(), "Candidates")
        some = get(f"/api/v1/candidates/{SETS[0]}").json()["candidates"][0]["id"]
        self.check(self.researcher.ask("PUT", f"/api/v1/candidates/{SETS[0]}/picks", {"ids": [some], "pick": "keep"}).json(),
                   "Picked")
        for rule in ["paper", "all", "any", "previous"]:
            self.check(get(f"/api/v1/studies/said/truth?rule={rule}&threshold=0.5").json(), "StudyResults")
        self.check(get("/api/v1/studies/said/votes?format=json").json(), "Votes")
        self.check(get("/api/v1/studies/said/audit").json(), "Audit")
        link = self.researcher.ask("POST", "/api/v1/studies/said/open-link", {"enabled": True}).json()
        self.check(link, "OpenLink")
        self.check({"invitations": self.researcher.invite("said", 1)}, "Invitations")
        self.check(Client(self.server).ask("POST", "/api/v1/study/said/join", {"link": link["path"].split("#")[1]}).json(),
                   "Joined")
        self.check(self.researcher.ask("POST", "/api/v1/studies/said/open-link", {"enabled": False}).json(), "OpenLink")
        study = get("/api/v1/studies/said/export").json()
        study["name"] = "said-again"
        answer = self.researcher.ask("POST", "/api/v1/studies/import", json.dumps(study))
        self.assertEqual(answer.status, 201, answer.body)
        self.check(answer.json(), "Imported")

    def test_the_participants_answers_match(self):
        self.check(self.person.me(), "Overview")
        self.check(self.person.get("/api/v1/me").json(), "Me")
        self.check(self.person.task(1), "Task")
        self.check(self.person.save(1, 1, []).json(), "Saved")
        conflict = self.person.save(1, 0, [])
        self.assertEqual(conflict.type(), "application/problem+json")
        self.check(conflict.json(), "Conflict")

    def test_every_argument_is_known_and_every_other_is_not(self):
        values = {"unfinished": 1, "min_votes": 2, "rule": "any", "threshold": "0.1", "format": "json", "complete": "1",
                  "offset": 1, "limit": 2}
        for path, methods in self.description["paths"].items():
            operation = methods.get("get", {})
            if operation.get("security") != [{"researcher": []}, {"token": []}] or "/concordances" in path:
                continue  # test_concordances has those
            address = path.replace("{name}", SETS[0] if "/candidates/" in path else "said")
            for argument in operation.get("parameters", []):
                if argument["in"] == "query":
                    answer = self.researcher.get(f"{address}?{argument['name']}={values[argument['name']]}")
                    self.assertIn(answer.status, (200, 501), (address, answer.body[:200]))  # 501: built without pages
            if any(argument["in"] == "query" for argument in operation.get("parameters", [])):
                self.assertEqual(self.researcher.get(address + "?no_such_argument=1").status, 400)

    def test_what_needs_somebody_is_refused_to_nobody(self):
        for path, methods in self.description["paths"].items():
            for method, operation in methods.items():
                if "security" not in operation:
                    continue
                address = path.replace("{name}", "said").replace("{number}", "1")
                body = None if method == "get" else "{}"
                answer = Client(self.server).ask(method.upper(), address, body)
                self.assertEqual(answer.status, 401, (method, path, answer.body[:200]))


if __name__ == "__main__":
    unittest.main()
