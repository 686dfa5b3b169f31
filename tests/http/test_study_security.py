"""Who may see and do what in studies."""

import json
import sqlite3
import tempfile
import unittest

from serving import Server, import_demo
from studying import Client, Participant, Researcher, make_sets, run

SETS = ["white-cockade-1", "greensleeves-1"]


class Secured(unittest.TestCase):
    options = ()

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="rondo-secured-")
        cls.db = import_demo(cls.folder.name)
        make_sets(cls.db, SETS, top=8)
        cls.token = run("study", "token", "--db", cls.db).strip()

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def setUp(self):
        # A server for each test: limits and sessions of one are not those of another.
        self.server = Server(self.db, *self.options)
        self.researcher = Researcher(self.server, self.token)
        self.name = self.id().rsplit(".", 1)[1].replace("_", "-")[:60]
        self.researcher.make_study(self.name, SETS, title="A study", consent="I agree.")
        self.researcher.open(self.name)

    def tearDown(self):
        self.researcher.close()
        self.assertEqual(self.server.stop(), 0, self.server.log)

    def people(self, count, agree=True):
        people = [Participant(self.server, self.name, i["code"]).join() for i in self.researcher.invite(self.name, count)]
        for person in people:
            self.addCleanup(person.close)
            if agree:
                person.agree(years=1, instruments=[], remarks="")
        return people

    def code(self, answer, status, code):
        self.assertEqual(answer.status, status, answer.body[:300])
        self.assertEqual(answer.json()["code"], code)


class Metadata(Secured):
    def test_nothing_a_participant_can_fetch_tells_what_a_melody_is(self):
        person, = self.people(1)
        study = self.researcher.get(f"/api/v1/studies/{self.name}/export").json()
        secrets = set()
        for query in study["queries"]:
            secrets.add(query["label"])
            for melody in [query["melody"]] + [c["melody"] for c in query["candidates"]]:
                secrets.update(melody.get(field, "") for field in ("id", "title", "composer", "source", "voice", "year"))
        secrets = {text for text in secrets if len(text) > 3}
        self.assertGreater(len(secrets), 15)
        task = person.task(1)
        bodies = [person.get(person.at()).body, person.get("/api/v1/me").body]
        bodies += [person.get(person.at(f"/queries/{n}")).body for n in (1, 2, 3)]
        bodies.append(person.save(1, 0, [[task["candidates"][0]["code"]]]).body)
        bodies.append(person.save(1, 0, [[task["candidates"][1]["code"]]]).body)
        bodies.append(person.save(1, 1, [["nobody"]]).body)
        for path in ["search?q=CDEFG", "melodies/white-cockade-1", "melodies/white-cockade-1/features", "export?q=CDEFG",
                     "collection", "funnel?steps=keep:%20notes>5", "compare?q=CDEFG&with=white-cockade-1", "systems",
                     "studies", f"studies/{self.name}", f"studies/{self.name}/truth", f"studies/{self.name}/votes",
                     f"studies/{self.name}/export", f"studies/{self.name}/audit", f"studies/{self.name}/tables.html",
                     f"studies/{self.name}/truth.txt"]:
            answer = person.get("/api/v1/" + path)
            self.assertIn(answer.status, (401, 403), path)
            bodies.append(answer.body)
        bodies.append(person.get("/?q=CDEFG", Accept="application/json").body)
        for body in bodies:
            text = body.decode()
            for secret in secrets:
                self.assertNotIn(secret, text)
            # JSON writes some letters otherwise.
            self.assertNotIn(json.dumps(self.name).strip('"') + '"', text.replace(f'"study":"{self.name}"', ""))

    def test_the_collection_is_closed_to_participants_and_open_again_when_they_leave(self):
        person, = self.people(1)
        self.code(person.get("/api/v1/search?q=CDEFG"), 403, "participants-not")
        self.code(person.get("/?q=CDEFG", Accept="application/json"), 403, "participants-not")
        tag = Client(self.server).get("/api/v1/collection").headers["etag"]
        self.code(person.get("/api/v1/collection", If_None_Match=tag), 403, "participants-not")
        self.assertEqual(person.ask("POST", person.at("/leave")).status, 204)
        self.assertEqual(person.cookies, {})
        self.assertEqual(person.get("/api/v1/search?q=CDEFG").status, 200)

    def test_codes_of_candidates_say_nothing_and_differ_between_studies(self):
        person, = self.people(1)
        codes = {c["code"] for c in person.task(1)["candidates"]}
        for code in codes:
            self.assertRegex(code, "^[a-z2-9]{8}$")


class Sessions(Secured):
    def test_cookies_are_for_the_server_alone(self):
        answer = Client(self.server).ask("POST", "/api/v1/login", {"token": self.token})
        cookie = answer.headers["set-cookie"]
        for word in ["HttpOnly", "SameSite=Strict", "Path=/", "Max-Age="]:
            self.assertIn(word, cookie)
        self.assertNotIn("Secure", cookie, "plain http would lose it")
        self.assertEqual(answer.headers["cache-control"], "no-store")
        with sqlite3.connect(self.db + ".studies") as file:
            kept = b"".join(row[0] for row in file.execute("SELECT hash FROM session"))
        self.assertNotIn(cookie.split("=")[1].split(";")[0].encode(), kept)

    def test_a_write_wants_the_word_of_its_session(self):
        person, = self.people(1)
        path = person.at("/queries/1/ranking")
        body = {"version": 0, "save": "s", "ranking": [], "done": True}
        self.code(person.ask("PUT", path, body, csrf=False), 403, "csrf-wrong")
        self.code(person.ask("PUT", path, body, csrf=False, X_Rondo_Csrf="x" * 26), 403, "csrf-wrong")
        self.code(person.ask("PUT", path, body, csrf=False, X_Rondo_Csrf=self.researcher.csrf), 403, "csrf-wrong")
        self.code(self.researcher.ask("PATCH", f"/api/v1/studies/{self.name}", {"state": "closed"}, csrf=False), 403,
                  "csrf-wrong")
        self.code(self.researcher.ask("POST", "/api/v1/logout", csrf=False), 403, "csrf-wrong")
        self.assertEqual(person.task(1)["version"], 0)
        self.assertEqual(person.ask("PUT", path, body).status, 200)

    def test_pages_of_other_sites_can_write_nothing(self):
        person, = self.people(1)
        path = person.at("/queries/1/ranking")
        body = {"version": 0, "save": "s", "ranking": [], "done": True}
        for origin in ["https://evil.example", "null", f"http://127.0.0.1:{self.server.port + 1}", "http://localhost"]:
            self.code(person.ask("PUT", path, body, Origin=origin), 403, "origin-foreign")
            self.code(Client(self.server).ask("POST", "/api/v1/login", {"token": self.token}, Origin=origin), 403,
                      "origin-foreign")
            self.code(Client(self.server).ask("POST", f"/api/v1/study/{self.name}/join", {"code": person.code},
                                              Origin=origin), 403, "origin-foreign")
        self.assertEqual(person.ask("PUT", path, body, Origin=f"http://127.0.0.1:{self.server.port}").status, 200)

    def test_the_token_works_by_itself_and_needs_no_word(self):
        client = Client(self.server, Authorization="Bearer " + self.token)
        self.assertEqual(client.get("/api/v1/studies").status, 200)
        self.assertEqual(client.ask("PATCH", f"/api/v1/studies/{self.name}", {"title": "B"}).status, 200)
        self.assertEqual(client.get("/api/v1/me").json()["role"], "researcher")
        self.code(Client(self.server, Authorization="Bearer wrong").get("/api/v1/studies"), 401, "token-wrong")

    def test_without_a_credential_nothing_of_a_study_is_told(self):
        stranger = Client(self.server)
        for path in ["", f"/{self.name}", f"/{self.name}/truth", f"/{self.name}/export", "/none"]:
            self.code(stranger.get("/api/v1/studies" + path), 401, "login-needed")
        for path in ["me", "me/queries/1"]:
            self.code(stranger.get(f"/api/v1/study/{self.name}/{path}"), 401, "join-needed")
        self.assertEqual(stranger.get("/api/v1/me").json(), {"role": "visitor"})
        for name in [self.name, "none"]:
            self.code(stranger.ask("POST", f"/api/v1/study/{name}/join", {"code": "aaaa-bbbb-cccc-dddd"}), 403,
                      "code-unknown")

    def test_logging_out_ends_the_session_for_good(self):
        stolen = dict(self.researcher.cookies)
        self.assertEqual(self.researcher.ask("POST", "/api/v1/logout").status, 204)
        self.assertEqual(self.researcher.cookies, {})
        thief = Client(self.server)
        thief.cookies = stolen
        self.code(thief.get("/api/v1/studies"), 401, "login-needed")

    def test_a_new_token_ends_what_the_old_one_opened(self):
        type(self).token = run("study", "token", "--db", self.db).strip()
        self.code(self.researcher.get("/api/v1/studies"), 401, "login-needed")
        self.assertEqual(Researcher(self.server, self.token).get("/api/v1/studies").status, 200)


class Others(Secured):
    def test_nobody_reaches_anothers_answers(self):
        ann, bob = self.people(2)
        codes = [c["code"] for c in ann.task(1)["candidates"]]
        self.assertEqual(ann.save(1, 0, [[codes[0]]], done=True).status, 200)
        self.assertEqual(bob.me()["queries"], [{**q, "ranked": 0, "done": False} for q in ann.me()["queries"]])
        for n in (1, 2):
            self.assertEqual(bob.task(n)["ranking"], [])
        # Bob's cookie with Ann's word, and the other way round.
        self.code(bob.ask("PUT", bob.at("/queries/1/ranking"), {"version": 1, "save": "x", "ranking": []}, csrf=False,
                          X_Rondo_Csrf=ann.csrf), 403, "csrf-wrong")
        self.assertEqual(ann.task(1)["ranking"], [[codes[0]]])

    def test_a_session_opens_its_own_study_only(self):
        person, = self.people(1)
        self.researcher.make_study(self.name[:50] + "-2", SETS)
        self.researcher.open(self.name[:50] + "-2")
        self.code(person.get(f"/api/v1/study/{self.name[:50]}-2/me"), 401, "join-needed")

    def test_one_code_on_two_devices_never_overwrites_in_silence(self):
        phone, = self.people(1)
        desk = Participant(self.server, self.name, phone.code).join()
        self.addCleanup(desk.close)
        codes = [c["code"] for c in desk.task(1)["candidates"]]
        self.assertEqual(phone.save(1, 0, [[codes[0]]]).json()["version"], 1)
        late = desk.save(1, 0, [[codes[1]]], done=True)
        self.code(late, 409, "ranking-conflict")
        told = late.json()
        self.assertEqual((told["version"], told["ranking"], told["done"]), (1, [[codes[0]]], False))
        self.assertEqual(desk.save(1, 1, [[codes[1]], [codes[0]]]).json()["version"], 2)
        self.assertEqual(phone.task(1)["ranking"], [[codes[1]], [codes[0]]])

    def test_a_save_that_is_sent_again_is_the_same_save(self):
        person, = self.people(1)
        codes = [c["code"] for c in person.task(1)["candidates"]]
        first = person.save(1, 0, [[codes[0]]], save="once")
        self.assertEqual(person.save(1, 1, [[codes[1]]], save="then").json()["version"], 2)
        again = person.save(1, 0, [[codes[0]]], save="once")
        self.assertEqual((again.status, again.json()), (200, first.json()))
        self.assertEqual(person.task(1)["ranking"], [[codes[1]]])

    def test_bodies_that_are_no_rankings_are_told_so(self):
        person, = self.people(1)
        path = person.at("/queries/1/ranking")
        for body in ["", "[]", "{", '{"version":0}', '{"version":-1,"save":"a","ranking":[]}',
                     '{"version":0,"save":"a","ranking":[["x"]]}', '{"version":0,"save":"","ranking":[]}',
                     '{"version":0,"save":"a","ranking":{}}', b'{"version":0,"save":"\xff","ranking":[]}',
                     '{"version":0,"save":"a","ranking":' + "[" * 5000 + "]" * 5000 + "}"]:
            answer = person.ask("PUT", path, body)
            self.assertIn(answer.status, (400, 422), (body[:60], answer.body))
            self.assertEqual(answer.type(), "application/problem+json")
        self.assertEqual(person.ask("PUT", path, b"x" * 70_000).status, 413)
        self.assertEqual(person.get(person.at("/queries/x")).status, 404)

    def test_consent_comes_first(self):
        person, = self.people(1, agree=False)
        self.assertFalse(person.me()["consented"])
        self.code(person.get(person.at("/queries/1")), 403, "consent-missing")
        self.code(person.ask("PUT", person.at("/consent"), {"agreed": False}), 400, "body-not-json")
        person.agree()
        self.assertEqual(person.get(person.at("/queries/1")).status, 200)

    def test_an_ended_study_takes_nothing_more(self):
        person, = self.people(1)
        self.researcher.ask("PATCH", f"/api/v1/studies/{self.name}", {"state": "closed"})
        self.code(person.save(1, 0, []), 403, "study-closed")
        self.assertEqual(person.me()["study"]["state"], "closed")

    def test_the_open_link_lets_newcomers_in_who_can_come_back(self):
        answer = self.researcher.ask("POST", f"/api/v1/studies/{self.name}/open-link", {"enabled": True})
        path = answer.json()["path"]
        self.assertRegex(path, f"^/study/{self.name}#open-[a-z2-9]+$")
        joined = Client(self.server).ask("POST", f"/api/v1/study/{self.name}/join", {"link": path.split("#open-")[1]})
        self.assertEqual(joined.status, 200, joined.body)
        back = Participant(self.server, self.name, joined.json()["code"]).join()
        self.assertFalse(back.me()["consented"])
        back.close()
        self.researcher.ask("POST", f"/api/v1/studies/{self.name}/open-link", {"enabled": False})
        self.code(Client(self.server).ask("POST", f"/api/v1/study/{self.name}/join", {"link": path.split("#open-")[1]}),
                  403, "code-unknown")


class Limits(Secured):
    def test_wrong_tries_do_not_lock_out_the_right_ones(self):
        statuses = [Client(self.server).ask("POST", f"/api/v1/study/{self.name}/join", {"code": f"{i:04}-wrong"}).status
                    for i in range(40)]
        self.assertEqual(statuses[:10], [403] * 10)
        self.assertIn(429, statuses[10:], "somebody who guesses is told to wait")
        self.assertEqual(Client(self.server).ask("POST", "/api/v1/login", {"token": self.token}).status, 200)
        wrong = [Client(self.server).ask("POST", "/api/v1/login", {"token": f"{i:04}wrong"}).status for i in range(12)]
        self.assertTrue(set(wrong) <= {401, 429}, wrong)
        self.assertEqual(Client(self.server).ask("POST", "/api/v1/login", {"token": self.token}).status, 200)
        invited = self.researcher.ask("POST", f"/api/v1/studies/{self.name}/invitations", {"count": 1}).json()
        code = invited["invitations"][0]["code"]
        self.assertEqual(Participant(self.server, self.name, code).join().me()["consented"], False,
                         "the class behind the same address gets in")

    def test_wrong_tries_are_counted_and_right_ones_are_not(self):
        for _ in range(15):
            self.assertEqual(Client(self.server).ask("POST", "/api/v1/login", {"token": self.token}).status, 200)
        statuses = [Client(self.server).ask("POST", f"/api/v1/study/{self.name}/join", {"code": f"wrong-{i}"}).status
                    for i in range(14)]
        self.assertEqual(statuses[:10], [403] * 10)
        self.assertIn(429, statuses)
        answer = Client(self.server).ask("POST", f"/api/v1/study/{self.name}/join", {"code": "wrong-99"})
        self.code(answer, 429, "rate-limited")
        self.assertGreaterEqual(int(answer.headers["retry-after"]), 1)

    def test_behind_no_proxy_nobody_can_pretend_to_be_elsewhere(self):
        statuses = {Client(self.server, X_Forwarded_For=f"192.0.2.{i}").ask(
            "POST", f"/api/v1/study/{self.name}/join", {"code": "wrong"}).status for i in range(14)}
        self.assertEqual(statuses, {403, 429})


class BehindProxy(Secured):
    options = ("--behind-proxy", "--studies-only")

    def test_https_makes_cookies_secure_and_addresses_are_the_clients(self):
        client = Client(self.server, X_Forwarded_Proto="https")
        answer = client.ask("POST", "/api/v1/login", {"token": self.token})
        self.assertIn("; Secure", answer.headers["set-cookie"])
        for i in range(14):
            answer = Client(self.server, X_Forwarded_For=f"203.0.113.9, 192.0.2.{i}").ask(
                "POST", f"/api/v1/study/{self.name}/join", {"code": "wrong"})
            self.assertEqual(answer.status, 403)

    def test_with_studies_only_the_collection_is_the_researchers(self):
        self.code(Client(self.server).get("/api/v1/search?q=CDEFG"), 403, "collection-closed")
        self.code(Client(self.server).get("/?q=CDEFG", Accept="application/json"), 403, "collection-closed")
        self.code(Client(self.server).get("/api/v1/melodies/white-cockade-1"), 403, "collection-closed")
        self.assertEqual(self.researcher.get("/api/v1/search?q=CDEFG").status, 200)
        self.assertEqual(Client(self.server).get("/health").status, 200)


class Nothing(unittest.TestCase):
    def test_a_collection_without_studies_has_nobody_to_let_in(self):
        with tempfile.TemporaryDirectory(prefix="rondo-none-") as folder, Server(import_demo(folder)) as server:
            client = Client(server)
            self.assertEqual(client.ask("POST", "/api/v1/login", {"token": "x"}).status, 404)
            self.assertEqual(client.ask("POST", "/api/v1/study/x/join", {"code": "x"}).status, 403)
            client.cookies = {"rondo_participant": "x", "rondo_researcher": "y"}
            self.assertEqual(client.get("/api/v1/search?q=CDEFG").status, 200)
            self.assertEqual(client.get("/api/v1/studies").status, 401)
            client.close()


if __name__ == "__main__":
    unittest.main()
