"""The run of concordances over HTTP: start, progress, cancel, groups, decisions; after a restart too."""

import contextlib
import csv
import io
import json
import pathlib
import shutil
import sqlite3
import tempfile
import time
import unittest

import jsonschema

from serving import ROOT, Server
from studying import Client, Researcher, run

PATH = "/api/v1/concordances"
PATIENCE = 120  # seconds


class Editor(Researcher):
    """With a connection for each request: the server closes those that are silent while a command runs here."""

    def ask(self, *arguments, **options):
        self.close()
        return super().ask(*arguments, **options)


class Concordances(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.description = json.loads((ROOT / "src" / "server" / "openapi.json").read_text())
        cls.folder = tempfile.TemporaryDirectory(prefix="rondo-concordances-")
        cls.addClassCleanup(cls.folder.cleanup)
        cls.original = pathlib.Path(cls.folder.name) / "original.db"
        run("import", str(ROOT / "data" / "demo"), "--db", str(cls.original))

    def setUp(self):
        folder = pathlib.Path(tempfile.mkdtemp(dir=self.folder.name))
        self.db = folder / "music.db"
        shutil.copy(self.original, self.db)
        self.token = run("study", "token", "--db", str(self.db)).split()[-1]
        self.start()

    def start(self):
        self.server = Server(str(self.db))
        self.addCleanup(self.server.stop)
        self.editor = Editor(self.server, self.token)

    def check(self, value, name):
        schema = {"$ref": "#/components/schemas/" + name, "components": self.description["components"]}
        jsonschema.Draft202012Validator(schema).validate(value)

    def status(self):
        answer = self.editor.get(PATH)
        self.assertEqual(answer.status, 200, answer.body)
        self.check(answer.json(), "ConcordanceRun")
        return answer.json()

    def wait(self, *states):
        """Until the run is in one of these states."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            status = self.status()
            if status["state"] in states:
                return status
            self.assertIn(status["state"], ("running", "loading"), status)
            time.sleep(0.05)
        self.fail("the run did not end")

    def find(self, **options):
        answer = self.editor.ask("POST", PATH, options)
        self.assertEqual(answer.status, 202, answer.body)
        self.check(answer.json(), "ConcordanceRun")
        return self.wait("done")

    def groups(self, **arguments):
        text = "&".join(f"{name}={value}" for name, value in arguments.items())
        answer = self.editor.get(f"{PATH}/groups?{text}")
        self.assertEqual(answer.status, 200, answer.body)
        self.check(answer.json(), "ConcordanceGroups")
        return answer.json()

    def export(self, kind):
        answer = self.editor.get(f"{PATH}/export?format={kind}")
        self.assertEqual(answer.status, 200, answer.body)
        return answer.body.decode()

    def code(self, answer, status):
        self.assertEqual(answer.status, status, answer.body)
        return answer.json()["code"]

    def test_only_the_editor_starts_and_decides(self):
        for method, path in (("POST", ""), ("POST", "/cancel"), ("PUT", "/decisions")):
            answer = Client(self.server).ask(method, PATH + path, "{}")
            self.assertEqual(self.code(answer, 401), "login-needed")
        answer = self.editor.ask("POST", PATH, {}, csrf=False)
        self.assertEqual(self.code(answer, 403), "csrf-wrong")

    def test_whoever_may_search_may_read(self):
        def read(path):
            return Client(self.server).ask("GET", PATH + path)

        self.assertEqual(read("").json()["state"], "none")
        self.assertEqual(self.code(read("/groups"), 404), "concordances-missing")
        self.find(min_score=0.9)
        self.assertEqual(read("").json(), self.status())
        for path in ("/groups?k=3", "/export?format=groups", "/export?format=decisions"):
            answer = read(path)
            self.assertEqual((answer.status, answer.body), (200, self.editor.get(PATH + path).body))
        # Why a run failed may name files of this machine.
        self.assertEqual(self.editor.ask("POST", PATH, {"since": "tomorrow"}).status, 202)
        why = self.wait("failed")["error"]
        self.assertIn("tomorrow", why["detail"])
        told = read("").json()
        self.check(told, "ConcordanceRun")
        self.assertEqual(told["error"]["code"], why["code"])
        self.assertNotIn("tomorrow", json.dumps(told["error"]))

    def test_finds_what_the_command_finds(self):
        self.assertEqual(self.status()["state"], "none")
        self.assertEqual(self.code(self.editor.get(PATH + "/groups"), 404), "concordances-missing")
        status = self.find(min_probability=0.5)
        self.assertEqual(status["options"]["min_probability"], 0.5)
        out = self.db.with_name("found.csv")
        run("concordances", "--db", str(self.db), "--min-probability", "0.5", "--out", str(out))
        self.assertEqual(self.export("pairs"), out.read_text())
        self.assertGreater(status["result"]["groups"], 10)
        for kind in ("groups", "json", "html", "turtle", "marcxml"):
            self.assertGreater(len(self.export(kind)), 1000)
        self.assertEqual(self.code(self.editor.get(PATH + "/export?format=x"), 400), "argument-format")

    def test_groups_come_in_pages_and_filtered(self):
        groups = self.find(min_score=0.5)["result"]["groups"]
        first = self.groups(k=3)
        self.assertEqual((first["total"], len(first["groups"])), (groups, 3))
        rest = self.groups(k=50, offset=3)["groups"]
        self.assertEqual([g["number"] for g in first["groups"] + rest], list(range(1, groups + 1))[: 3 + len(rest)])
        for group in first["groups"]:
            self.assertEqual(sum(m["centre"] for m in group["members"]), 1)
            self.assertTrue(all(m["staff"].startswith("<svg") for m in group["members"]))
        for name in ("libraries", "centuries", "composers"):
            chosen = self.groups(k=50, **{name: 1})
            self.assertTrue(all(group[name] for group in chosen["groups"]))
            self.assertLess(chosen["total"], groups)
        word = first["groups"][0]["members"][0]["id"].upper()
        self.assertIn(1, [group["number"] for group in self.groups(text=word)["groups"]])
        self.assertEqual(self.groups(text="nothing-has-this")["total"], 0)
        self.assertEqual(self.code(self.editor.get(PATH + "/groups?no_such_argument=1"), 400), "argument-unknown")

    def test_decisions_are_kept_exported_and_taken_back(self):
        self.find(min_score=0.5)
        group = self.groups(k=1)["groups"][0]
        centre = next(m for m in group["members"] if m["centre"])
        others = [m for m in group["members"] if not m["centre"]]
        name = lambda m: {"id": m["id"], "voice": m["voice"]}
        open_groups = self.groups(undecided=1)["total"]
        for member in others:
            answer = self.editor.ask("PUT", PATH + "/decisions", {"a": name(member), "b": name(centre),
                                                                  "decision": "rejected", "note": "andere Weise; später"})
            self.assertEqual(answer.status, 200, answer.body)
            self.check(answer.json(), "ConcordanceDecided")
        self.assertEqual(self.groups(undecided=1)["total"], open_groups - 1)
        self.server.stop()
        self.start()
        self.wait("done")
        shown = self.groups(k=1)["groups"][0]["members"]
        self.assertEqual({m["decision"]["note"] for m in shown if not m["centre"]}, {"andere Weise; später"})
        rows = list(csv.DictReader(io.StringIO(self.export("decisions"))))
        self.assertEqual(len(rows), len(others))
        self.assertIn("rejected", {row["decision"] for row in csv.DictReader(io.StringIO(self.export("pairs")))})
        first_voices = {"a": {"id": centre["id"]}, "b": {"id": others[0]["id"]}, "decision": "accepted"}
        self.assertEqual(self.editor.ask("PUT", PATH + "/decisions", first_voices).status, 200, "a voice left out is the first")
        taken_back = {"a": name(centre), "b": name(others[0]), "decision": "open"}
        self.assertIsNone(self.editor.ask("PUT", PATH + "/decisions", taken_back).json()["decision"])
        self.assertEqual(self.groups(undecided=1)["total"], open_groups)
        for wrong, code in (({**taken_back, "decision": "perhaps"}, "decision-unknown"),
                            ({**taken_back, "b": name(centre)}, "decision-melodies"),
                            ({**taken_back, "note": "n" * 5000}, "decision-note")):
            self.assertEqual(self.code(self.editor.ask("PUT", PATH + "/decisions", wrong), 422), code)
        missing = {**taken_back, "b": {"id": "nobody", "voice": 0}}
        self.assertEqual(self.code(self.editor.ask("PUT", PATH + "/decisions", missing), 404), "piece-missing")

    def test_a_run_is_cancelled_and_goes_on_where_it_was(self):
        self.assertEqual(self.code(self.editor.ask("POST", PATH + "/cancel", {}), 409), "concordances-not-running")
        many = self.db.with_name("many.jsonl")
        many.write_text(run("generate", "--count", "1500", "--seed", "2"))
        run("import", str(many), "--db", str(self.db))
        options = {"min_score": 0.45}
        self.assertEqual(self.editor.ask("POST", PATH, options).status, 202)
        again = self.editor.ask("POST", PATH, options)
        if again.status != 202:  # it may have ended by now
            self.assertEqual(self.code(again, 409), "concordances-running")
        answer = self.editor.ask("POST", PATH + "/cancel", {})
        self.assertIn(answer.status, (200, 409))
        state = self.wait("cancelled", "done")["state"]
        # The server ends while the run is under way, and the next one goes on with it.
        self.assertEqual(self.editor.ask("POST", PATH, options).status, 202)
        self.server.stop()
        self.start()
        done = self.wait("done")
        self.assertEqual(done["options"]["min_score"], 0.45)
        self.assertGreater(done["result"]["pairs"], 100, state)

    def test_a_changed_collection_makes_the_result_outdated(self):
        self.find(min_score=0.9)
        # A piece that is gone is noticed at once, anything else when the result is read again.
        gone = self.groups(k=1)["groups"][0]["members"][0]["id"]
        with contextlib.closing(sqlite3.connect(self.db)) as database:
            database.execute("PRAGMA foreign_keys = ON")
            database.execute("DELETE FROM piece WHERE id = ?", (gone,))
            database.commit()
        self.assertEqual(self.code(self.editor.get(PATH + "/groups"), 409), "concordances-outdated")
        self.server.stop()
        more = self.db.with_name("more.jsonl")
        more.write_text(run("generate", "--count", "3"))
        run("import", str(more), "--db", str(self.db))
        self.start()
        failed = self.wait("failed")
        self.assertEqual(failed["error"]["code"], "concordances-outdated")
        self.find(min_score=0.9)

    def test_options_that_make_no_sense_are_refused(self):
        for options in ({"min_score": "x"}, {"min_probability": 1}, {"k": 1.5}, {"either": 1}, {"since": 3}, {"what": 1}):
            self.assertEqual(self.code(self.editor.ask("POST", PATH, options), 422), "concordances-options", options)
        self.assertEqual(self.editor.ask("POST", PATH, {"since": "tomorrow"}).status, 202)
        self.assertEqual(self.wait("failed")["error"]["code"], "since-malformed")


if __name__ == "__main__":
    unittest.main()
