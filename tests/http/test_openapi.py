"""The description of the API and the API say the same."""

import json
import re
import unittest

import jsonschema

from serving import ROOT, DemoTest

COCKADE = "white-cockade-1"

# For each operation requests that between them show every field of its answer.
EXAMPLES = {
    "collection": [("/api/v1/collection", {})],
    "systems": [("/api/v1/systems", {})],
    "readQuery": [("/api/v1/query", {"q": "%G-2$xFC@3/4 ''4Ag8BA*/"}), ("/api/v1/query", {"q": "X:1\nK:D\nDEF"})],
    "search": [("/api/v1/search", {"id": COCKADE, "fold_duplicates": 1, "k": 50}),
               ("/api/v1/search", {"q": "c d es fis b", "k": 3}), ("/api/v1/search", {"q": "CDEFG", "system": "P3", "k": 3})],
    "melody": [("/api/v1/melodies/" + COCKADE, {})],
    "features": [("/api/v1/melodies/" + COCKADE + "/features", {})],
    "compare": [("/api/v1/compare", {"q": "CDEFGAG", "with": COCKADE})],
    "funnel": [("/api/v1/funnel", {"steps": "keep: notes > 5", "ids": 2})],
    "health": [("/health", {})],
}

# A value for each argument; with it the server must not say that it does not know the argument.
VALUES = {"q": "CDEFG", "query": "CDEFG", "id": COCKADE, "voice": "0", "system": "shapeh", "set": "pitch:0.5", "k": "5", "offset": "0",
          "text": "the", "where": "notes > 3", "with": COCKADE, "with_voice": "0", "steps": "keep: notes > 5", "ids": "1",
          "anchored": "1", "ignore_repeated": "1", "fold_octaves": "1", "graces": "1", "fold": "1", "min_notes": "3"}


class Description(DemoTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.description = json.loads((ROOT / "src" / "server" / "openapi.json").read_text())

    def operations(self):
        for path, methods in self.description["paths"].items():
            for method, operation in methods.items():
                yield path, method.upper(), operation

    def schema(self, name):
        return {"$ref": "#/components/schemas/" + name, "components": self.description["components"]}

    def check(self, value, name):
        jsonschema.Draft202012Validator(self.schema(name)).validate(value)

    def test_is_served_as_it_is(self):
        self.assertEqual(self.server.ask("/api/v1/openapi.json").json(), self.description)

    def test_is_a_well_formed_description(self):
        self.assertTrue(self.description["openapi"].startswith("3.1"))
        names = [operation["operationId"] for _, _, operation in self.operations()]
        self.assertEqual(len(names), len(set(names)))
        text = json.dumps(self.description)
        for name in re.findall(r'"#/components/schemas/(\w+)"', text):
            self.assertIn(name, self.description["components"]["schemas"])
        for name, schema in self.description["components"]["schemas"].items():
            jsonschema.Draft202012Validator.check_schema(schema)
            self.assertIn(f'"#/components/schemas/{name}"', text, "nobody uses it")

    def test_names_every_path_there_is_and_no_other(self):
        routes = (ROOT / "src" / "server" / "routes.cpp").read_text()
        there = set(re.findall(r'(?:Route\{|study\()"(\w+)", "([^"]+)"', routes)) - {("GET", "/"), ("GET", "/*")}
        said = {(method, re.sub(r"\{\w+\}", "{}", path)) for path, method, _ in self.operations()}
        self.assertEqual(said, there)

    def test_answers_match_their_schemas_and_show_every_field(self):
        for path, method, operation in self.operations():
            if operation["operationId"] not in EXAMPLES:
                continue
            answers = []
            for address, arguments in EXAMPLES[operation["operationId"]]:
                answer = self.server.get(address, arguments)
                self.assertEqual(answer.status, 200, answer.body)
                self.assertIn(answer.type(), operation["responses"]["200"]["content"])
                answers.append(answer.json())
            name = operation["responses"]["200"]["content"]["application/json"]["schema"]["$ref"].rsplit("/", 1)[1]
            for answer in answers:
                self.check(answer, name)
            self.assertEqual(self.missing(name, answers), set(), path)

    def missing(self, name, answers):
        """Fields of a schema that none of the answers shows."""
        seen, unseen = set(), set()

        def walk(schema, values, where):
            if "$ref" in schema:
                return walk(self.description["components"]["schemas"][schema["$ref"].rsplit("/", 1)[1]], values, where)
            for field, inner in schema.get("properties", {}).items():
                there = [v[field] for v in values if isinstance(v, dict) and field in v]
                (seen if there else unseen).add(f"{where}.{field}")
                walk(inner, there, f"{where}.{field}")
            if "items" in schema:
                walk(schema["items"], [x for v in values if isinstance(v, list) for x in v], where + "[]")

        walk({"$ref": "/" + name}, answers, name)
        # What only some remarks have, and what the collection of these tests has none of. The mirror of a collection on a
        # PostgreSQL server is looked at in tests/postgresql/test_engines.py.
        rare = re.compile(r"(^Query\.text|^Health\.mirror.*|unknown\[\]\.\w+|\.line|\.hint|warnings\[\]\..*|\.grace|facets\.\w+\[\]\..*|fields\[\]\..*)$")
        return {field for field in unseen - seen if not rare.search(field)}

    def test_uploads_and_evaluations_match_too(self):
        self.check(self.server.ask("/api/v1/query", "POST", b"X:1\nT:A\nC:B\nK:G\nGABc|").json(), "Upload")
        task = {"truth": "q 0 a 1\n", "runs": [{"name": "n", "text": "q Q0 a 1 1 x\n"}], "measures": ["AP"],
                "per_query": True}
        self.check(task, "EvaluationTask")
        self.assertEqual(self.server.ask("/api/v1/evaluate", "POST", json.dumps(task)).status, 200)

    def test_every_argument_is_known_and_every_other_is_not(self):
        for path, method, operation in self.operations():
            arguments = [p for p in operation.get("parameters", []) if p["in"] == "query"]
            if method != "GET" or not arguments or "security" in operation or "/concordances" in path:
                continue  # test_study_api and test_concordances have the rest
            for argument in arguments:
                name = argument["name"]
                value = VALUES.get(name) or argument["schema"].get("enum", ["x"])[0]
                base = {} if name in ("q", "query", "id", "m") else {"q": "CDEFG"}
                if name == "m":
                    kept = self.server.ask("/api/v1/search", "POST", json.dumps({"q": "CDEFG"}),
                                           Content_Type="application/json")
                    value = kept.json()["query"]["link"]
                if path.endswith("/compare") and name != "with":
                    base["with"] = COCKADE
                if path.endswith("/funnel"):
                    base = {} if name == "steps" else {"steps": "keep: notes > 5"}
                if name == "set":
                    base["system"] = "spline"
                answer = self.server.get(path, {**base, name: value})
                self.assertEqual(answer.status, 200, (path, name, answer.body[:300]))
            answer = self.server.get(path, {"no_such_argument": "1"})
            self.problem(answer, 400, "argument-unknown")

    def test_numbers_have_the_limits_it_tells(self):
        for path, method, operation in self.operations():
            if "security" in operation or "/concordances" in path:
                continue
            for argument in operation.get("parameters", []):
                schema = argument["schema"]
                if "maximum" not in schema:
                    continue
                for wrong in [schema["maximum"] + 1, schema["minimum"] - 1, "x"]:
                    base = {"steps": "keep: notes > 5"} if path.endswith("funnel") else {"q": "CDEFG", "with": COCKADE}
                    if not path.endswith("compare"):
                        base.pop("with", None)
                    if method == "POST":
                        answer = self.server.ask(f"{path}?{argument['name']}={wrong}", "POST", b"CDEFG")
                    else:
                        answer = self.server.get(path, {**base, argument["name"]: wrong})
                    self.problem(answer, 400, "argument-number")

    def test_errors_match_the_problem_schema(self):
        for address in ["/api/v1/search", "/api/v1/search?q=C", "/api/v1/search?q=CDEF&where=(", "/api/v1/nothing",
                        "/api/v1/query?q=", "/api/v1/melodies/x", "/api/v1/compare?q=CDEF", "/api/v1/funnel?steps=keep"]:
            answer = self.server.ask(address)
            self.assertGreaterEqual(answer.status, 400)
            self.assertLess(answer.status, 500)
            self.check(answer.json(), "Problem")


if __name__ == "__main__":
    unittest.main()
