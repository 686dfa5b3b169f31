"""People who take part in studies, for the tests beside this file: the researcher, and participants with a browser's
memory of cookies."""

import http.client
import json
import subprocess
import time

from serving import PROGRAM, Answer


def run(*arguments, **options):
    return subprocess.run([PROGRAM, *arguments], check=True, capture_output=True, text=True, **options).stdout


def make_sets(db, queries, system="shapeh", top=12):
    """A set of candidates for each query, named after it."""
    for query in queries:
        run("candidates", "make", query, "--db", db, "--like", query, "--system", system, "--top", str(top))
    return list(queries)


class Client:
    """Keeps cookies and a connection, and sends the CSRF word with every write."""

    def __init__(self, server, **headers):
        self.server = server
        self.headers = headers
        self.cookies = {}
        self.csrf = None
        self.connection = None

    def ask(self, method, path, body=None, csrf=True, **headers):
        """Comes back when a busy server says so, as the pages do."""
        idle = self.connection is not None
        for _ in range(30):
            try:
                answer = self.ask_once(method, path, body, csrf, **headers)
            except http.client.RemoteDisconnected:
                if method != "GET" or not idle:
                    raise
                idle = False  # it was, for so long that the server closed the connection
                continue
            if answer.status != 503 or answer.json().get("code") != "server-busy":
                break
            time.sleep(float(answer.headers["retry-after"]))
        return answer

    def ask_once(self, method, path, body, csrf, **headers):
        sent = {name.replace("_", "-"): value for name, value in {**self.headers, **headers}.items()}
        if self.cookies:
            sent["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        if csrf and self.csrf and method != "GET":
            sent["X-Rondo-Csrf"] = self.csrf
        if body is not None and not isinstance(body, (bytes, str)):
            body = json.dumps(body)
            sent["Content-Type"] = "application/json"
        if self.connection is None:
            self.connection = self.server.connect()
        try:
            self.connection.request(method, path, body=body, headers=sent)
            response = self.connection.getresponse()
            told = response.headers.get_all("Set-Cookie") or []
            answer = Answer(response)
        except Exception:
            self.close()
            raise
        if response.will_close:
            self.close()
        for line in told:
            name, _, value = line.split(";")[0].partition("=")
            self.cookies.pop(name, None)
            if value:
                self.cookies[name] = value
        return answer

    def close(self):
        if self.connection is not None:
            self.connection.close()
        self.connection = None

    __del__ = close

    def get(self, path, **headers):
        return self.ask("GET", path, **headers)


class Researcher(Client):
    def __init__(self, server, token):
        super().__init__(server)
        answer = self.ask("POST", "/api/v1/login", {"token": token})
        assert answer.status == 200, answer.body
        self.csrf = answer.json()["csrf"]

    def make_study(self, name, sets, **settings):
        answer = self.ask("POST", "/api/v1/studies", {"name": name, "title": name, "candidate_sets": sets, **settings})
        assert answer.status == 201, answer.body
        return answer.json()

    def open(self, name):
        assert self.ask("PATCH", f"/api/v1/studies/{name}", {"state": "open"}).status == 200

    def invite(self, name, count):
        answer = self.ask("POST", f"/api/v1/studies/{name}/invitations", {"count": count})
        assert answer.status == 201, answer.body
        return answer.json()["invitations"]


class Participant(Client):
    def __init__(self, server, study, code):
        super().__init__(server)
        self.study = study
        self.code = code
        self.saves = 0

    def at(self, rest=""):
        return f"/api/v1/study/{self.study}/me{rest}"

    def join(self):
        answer = self.ask("POST", f"/api/v1/study/{self.study}/join", {"code": self.code})
        assert answer.status == 200, answer.body
        self.csrf = answer.json()["csrf"]
        return self

    def agree(self, **background):
        assert self.ask("PUT", self.at("/consent"), {"agreed": True}).status == 204
        if background:
            answer = self.ask("PUT", self.at("/background"), background)
            assert answer.status == 204, answer.body
        return self

    def me(self):
        return self.get(self.at()).json()

    def task(self, number):
        answer = self.get(self.at(f"/queries/{number}"))
        assert answer.status == 200, answer.body
        return answer.json()

    def save(self, number, version, ranking, done=False, save=None):
        self.saves += 1
        return self.ask("PUT", self.at(f"/queries/{number}/ranking"),
                        {"version": version, "save": save or f"{id(self)}-{self.saves}", "ranking": ranking, "done": done})
