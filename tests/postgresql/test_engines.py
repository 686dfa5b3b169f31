"""A collection in a file and one on a PostgreSQL server: every command gives the same output, to the last byte."""

import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

from server import EXTENSION, PROGRAM, ROOT, Installation, Server, Sql

sys.path.insert(0, str(ROOT / "tests/http"))
sys.path.insert(0, str(pathlib.Path(EXTENSION).resolve().parents[1] / "python"))

import serving  # noqa: E402

try:
    import rondo
except ImportError:
    rondo = None

DEMO = str(ROOT / "data/demo")
STEPS = str(ROOT / "data/examples/white-cockade.steps")
ID = "white-cockade-1"


class Engine:
    """Where a collection lies, and a folder for the mirrors of one machine."""

    def __init__(self, folder, name, db):
        self.db = db
        self.folder = pathlib.Path(folder) / name
        self.folder.mkdir(exist_ok=True)
        self.environment = {**os.environ, "RONDO_MIRRORS": str(self.folder / "mirrors")}

    def run(self, *words, check=True, input=None):
        done = subprocess.run([PROGRAM, *map(str, words)], env=self.environment, cwd=self.folder, input=input,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
        if check and done.returncode != 0:
            raise AssertionError(f"{words}: {done.stderr}")
        return done

    def out(self, command, *words):
        return self.run(command, *words, "--db", self.db).stdout

    def fails(self, *words):
        done = self.run(*words, check=False)
        assert done.returncode == 1, done
        return done.stderr


def scrubbed(text, *names):
    """Without the members that are moments or durations."""

    def clean(value):
        if isinstance(value, dict):
            return {key: clean(one) for key, one in value.items() if key not in names}
        return [clean(one) for one in value] if isinstance(value, list) else value

    return clean(json.loads(text))


class Engines(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.installation = Installation()
        cls.server = Server(cls.installation)
        cls.folder = tempfile.TemporaryDirectory()
        cls.file = Engine(cls.folder.name, "file", str(pathlib.Path(cls.folder.name) / "music.db"))
        cls.made = pathlib.Path(cls.folder.name) / "made.jsonl"
        cls.made.write_text(subprocess.run([PROGRAM, "generate", "--count", "1500", "--seed", "3"], check=True,
                                           stdout=subprocess.PIPE, text=True).stdout, encoding="utf-8")
        cls.polyphonic = pathlib.Path(cls.folder.name) / "two.abc"
        cls.polyphonic.write_text("X:1\nT:Two voices\nM:4/4\nL:1/4\nK:C\nV:1\nCDEC|[CE]GEC|\nV:2\nC,E,G,C|GECG|\n",
                                  encoding="utf-8")
        cls.odd = pathlib.Path(cls.folder.name) / os.fsdecode(b"caf\xe9 \\x41.abc")
        cls.odd.write_bytes(b"X:1\nT:A name that is not UTF-8\nM:4/4\nL:1/4\nK:C\nCDEC|EFG2|\n")
        cls.database("shared")
        cls.pg = cls.engine("pg", "shared")
        for engine in (cls.file, cls.pg):
            for path in (DEMO, cls.made, cls.polyphonic, cls.odd):
                engine.run("import", path, "--db", engine.db)

    @classmethod
    def tearDownClass(cls):
        cls.server.stop()
        cls.installation.close()
        cls.folder.cleanup()

    @classmethod
    def database(cls, name):
        sql = Sql(cls.server)
        sql.run(f"CREATE DATABASE {name}")
        sql.close()

    @classmethod
    def engine(cls, machine, database, server=None, user="tester"):
        return Engine(cls.folder.name, machine,
                      f"postgresql://{user}@/{database}?host={(server or cls.server).socket}")

    def same(self, *words, scrub=()):
        outputs = [engine.out(*words) for engine in (self.file, self.pg)]
        if scrub:
            outputs = [scrubbed(text, *scrub) for text in outputs]
        self.assertEqual(outputs[0], outputs[1], words)
        self.assertTrue(outputs[0], words)
        return outputs[0]

    def test_what_is_shown_and_exported_is_the_same(self):
        for form in ("jsonl", "csv"):
            self.same("export", "--format", form)
        self.same("export", "--format", "pae", "--where", "title NOT LIKE 'Two voices'")
        self.same("export", "--format", "csv", "--where", "range < 10 AND title LIKE '%the%'")
        for form in ("pae", "json", "mei", "abc", "kern"):
            self.same("show", ID, "--as", form)
        self.same("features", ID)
        self.same("features", ID, "--format", "json")

    def test_searches_give_the_same_lists(self):
        systems = json.loads(self.file.run("systems", "--format", "json").stdout)
        for number, system in enumerate(row["name"] for row in systems):
            if number % 3 == 0 or system in ("rondo", "shapeh", "P3"):
                self.same("search", "--id", ID, "--system", system, "--format", "trec")
        for options in (["--anchored"], ["--ignore-repeated"], ["--fold"], ["--where", "notes > 12"], ["--text", "the"],
                        ["--explain"], ["--system", "combsum:shapeh+time"], ["--system", "rondo", "--expand"]):
            # How many had to be scored depends on which of several threads was first.
            self.same("search", "--id", ID, "-k", "20", "--format", "json", *options,
                      scrub=("milliseconds", "seconds", "scored"))
        self.same("search", "--query", "'4CDEC/CDEC/", "--format", "csv")

    def test_batches_filters_and_concordances_are_the_same(self):
        for engine in (self.file, self.pg):
            engine.run("run", "--db", engine.db, "--queries", DEMO, "--system", "shapeh,rondo", "-k", "10", "--out", "all.run")
            engine.run("concordances", "--db", engine.db, "--min-score", "0.5", "--out", "groups.csv",
                       "--format", "groups")
        for name in ("all.shapeh.run", "all.rondo.run"):
            self.assertEqual((self.file.folder / name).read_bytes(), (self.pg.folder / name).read_bytes())
        groups = [(engine.folder / "groups.csv").read_text(encoding="utf-8") for engine in (self.file, self.pg)]
        self.assertEqual(groups[0], groups[1])
        self.assertGreater(groups[0].count("\n"), 5)
        self.same("filter", "--steps", STEPS, "--ids")
        self.same("filter", "--where", "has_intervals(intervals, 'fifth up, third down')", "--where", "thirds > 2", "--ids")

    def test_candidates_are_kept_on_the_server(self):
        for engine in (self.file, self.pg):
            engine.run("candidates", "make", "cockade", "--db", engine.db, "--steps", STEPS, "--system", "P2,P3", "--top", "5")
            engine.run("candidates", "pick", "cockade", "--db", engine.db, "--exclude", "fuchs-du-hast")
        made = self.same("candidates", "export", "cockade", scrub=("made",))
        elsewhere = self.engine("candidates-reader", "shared")
        self.assertEqual(scrubbed(elsewhere.out("candidates", "export", "cockade"), "made"), made)
        for engine in (self.file, self.pg):
            engine.run("candidates", "remove", "cockade", "--db", engine.db)
        self.assertEqual(elsewhere.out("candidates", "list"), self.file.out("candidates", "list"))
        self.assertNotIn("cockade", elsewhere.out("candidates", "list"))

    def test_the_web_server_and_python_give_the_same_lists(self):
        lists = []
        for engine in (self.file, self.pg):
            os.environ["RONDO_MIRRORS"] = engine.environment["RONDO_MIRRORS"]
            with serving.Server(engine.db) as server:
                answer = server.get("/api/v1/search", {"id": ID, "system": "shapeh", "k": 20}).json()
                lists.append([(hit["id"], hit["voice"], hit["score"], hit["title"]) for hit in answer["hits"]])
            if rondo is not None:
                tunes = rondo.Collection(engine.db)
                hits = tunes.search(id=ID, system="shapeh", k=20)
                self.assertEqual([(hit.id, hit.voice, hit.score) for hit in hits], [one[:3] for one in lists[-1]])
                tunes.close()
        self.assertEqual(lists[0], lists[1])

    def test_another_machine_gets_what_was_changed_and_only_that(self):
        self.database("changing")
        writer = self.engine("writer", "changing")
        reader = self.engine("reader", "changing")
        twin = Engine(self.folder.name, "twin", str(pathlib.Path(self.folder.name) / "twin.db"))
        lines = self.made.read_text(encoding="utf-8").splitlines()
        source = pathlib.Path(self.folder.name) / "changing.jsonl"

        def step(text):
            source.write_text("\n".join(text) + "\n", encoding="utf-8")
            for engine in (writer, twin):
                engine.run("import", source, "--db", engine.db)
            for form in ("jsonl", "csv"):
                self.assertEqual(reader.out("export", "--format", form), twin.out("export", "--format", form))
            for query in (["--text", "changed"], ["--system", "shapeh"]):
                words = ["search", "--id", json.loads(text[0])["id"], "--format", "trec", *query]
                self.assertEqual(reader.out(*words), twin.out(*words))
            reader.run("check", reader.db, "--dry-run")

        step(lines[:200])
        changed = [json.dumps({**json.loads(line), "title": "Changed", "notes": json.loads(other)["notes"]})
                   if number % 7 == 0 else line for number, (line, other) in enumerate(zip(lines[:200], lines[200:400]))]
        step(changed)
        step(changed + lines[400:450])
        if rondo is not None:
            for engine in (writer, twin):
                os.environ["RONDO_MIRRORS"] = engine.environment["RONDO_MIRRORS"]
                tunes = rondo.Collection(engine.db, "write")
                for id in tunes.ids()[::9]:
                    self.assertTrue(tunes.remove(id))
                tunes.close()
            self.assertEqual(reader.out("export", "--format", "csv"), twin.out("export", "--format", "csv"))
        sql = Sql(self.server, "changing")
        self.assertEqual(sql.one("SELECT count(*) FROM rondo.piece"), reader.out("export", "--format", "csv").count("\n") - 1)
        self.assertEqual(sql.column("SELECT rondo_index_check('rondo.voice_melody')"), [])
        sql.close()

    def test_two_machines_may_write_at_once(self):
        self.database("crowd")
        lines = self.made.read_text(encoding="utf-8").splitlines()
        machines = []
        for number in range(2):
            machine = self.engine(f"crowd-{number}", "crowd")
            (machine.folder / "part.jsonl").write_text("\n".join(lines[number * 600:number * 600 + 600]) + "\n")
            machines.append(machine)
        machines[0].run("import", DEMO, "--db", machines[0].db)
        threads = [threading.Thread(target=machine.run, args=("import", "part.jsonl", "--db", machine.db))
                   for machine in machines]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        exports = [set(machine.out("export", "--format", "jsonl").splitlines()) for machine in machines]
        self.assertEqual(exports[0], exports[1])
        ids = {json.loads(line)["id"] for line in exports[0]}
        self.assertTrue({json.loads(line)["id"] for line in lines[:1200]} <= ids)
        for machine in machines:
            machine.run("check", machine.db)

    def test_an_import_that_was_killed_is_completed_by_the_same_command(self):
        self.database("killed")
        machine = self.engine("killed", "killed")
        text = subprocess.run([PROGRAM, "generate", "--count", "12000", "--seed", "9"], check=True, stdout=subprocess.PIPE,
                              text=True).stdout
        (machine.folder / "many.jsonl").write_text(text)
        process = subprocess.Popen([PROGRAM, "import", "many.jsonl", "--db", machine.db], env=machine.environment,
                                   cwd=machine.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        sql = Sql(self.server, "killed")
        end = time.monotonic() + 60
        while time.monotonic() < end and process.poll() is None:
            made = sql.one("SELECT to_regclass('rondo.state') IS NOT NULL")
            if made and sql.one("SELECT count(*) FROM rondo.piece") > 0:
                break
            time.sleep(0.01)
        process.send_signal(signal.SIGKILL)
        process.wait()
        machine.run("import", "many.jsonl", "--db", machine.db)
        self.assertEqual(sql.one("SELECT count(*) FROM rondo.piece"), 12000)
        other = self.engine("killed-reader", "killed")
        self.assertEqual(other.out("export", "--format", "csv"), machine.out("export", "--format", "csv"))
        sql.close()

    def test_a_reader_needs_no_more_than_to_read(self):
        sql = Sql(self.server, "shared")
        sql.run("CREATE ROLE visitor LOGIN; GRANT USAGE ON SCHEMA rondo TO visitor;"
                "GRANT SELECT ON ALL TABLES IN SCHEMA rondo TO visitor; CREATE ROLE stranger LOGIN")
        visitor = self.engine("visitor", "shared", user="visitor")
        words = ["search", "--id", ID, "--format", "trec"]
        self.assertEqual(visitor.out(*words), self.file.out(*words))
        self.assertIn("ask the owner of the database", visitor.fails("import", self.polyphonic, "--db", visitor.db, "--reread"))
        stranger = self.engine("stranger", "shared", user="stranger")
        self.assertIn("ask the owner of the database", stranger.fails("search", "--id", ID, "--db", stranger.db))
        sql.close()

    def test_a_replica_serves_readers_and_refuses_writers(self):
        replica = Server(self.installation, "replica", copy_of=self.server)
        try:
            reader = self.engine("replica-reader", "shared", replica)
            words = ["search", "--id", ID, "--format", "trec"]
            self.assertEqual(reader.out(*words), self.file.out(*words))
            self.assertIn("name the primary", reader.fails("import", DEMO, "--db", reader.db))
        finally:
            replica.stop()

    def test_what_cannot_be_opened_is_said(self):
        self.database("bare")
        bare = self.engine("bare", "bare")
        self.assertIn("there is no collection in this database", bare.fails("search", "--id", ID, "--db", bare.db))
        missing = self.engine("missing", "nowhere")
        self.assertIn("create the database first", missing.fails("search", "--id", ID, "--db", missing.db))
        said = bare.fails("search", "--id", ID, "--db", "postgresql://me:secret@127.0.0.1:1/music")
        self.assertIn("check the address", said)
        self.assertNotIn("secret", said)
        self.assertIn("studies lie beside the file", bare.fails("study", "status", "--db", self.pg.db))

    def test_a_server_set_back_to_an_earlier_state_gets_a_new_mirror(self):
        self.database("before")
        machine = self.engine("set-back", "before")
        machine.run("import", self.polyphonic, "--db", machine.db)
        sql = Sql(self.server)
        sql.run("CREATE DATABASE earlier TEMPLATE before")
        machine.run("import", DEMO, "--db", machine.db)
        sql.run("ALTER DATABASE before RENAME TO later")
        sql.run("ALTER DATABASE earlier RENAME TO before")
        sql.close()
        self.assertEqual(machine.out("export", "--format", "csv").count("\n"), 2)
        # As many changes as before, but others.
        machine.run("import", self.made, "--db", machine.db)
        fresh = self.engine("set-back-reader", "before")
        self.assertEqual(machine.out("export", "--format", "jsonl"), fresh.out("export", "--format", "jsonl"))

    def test_a_backup_is_restored_to_the_moment_before_a_mistake(self):
        work = self.installation.work
        self.installation.run("mkdir", work / "archive")
        server = Server(self.installation, "archived", settings=(
            "fsync = off", "archive_mode = on", f"archive_command = 'cp %p {work}/archive/%f'"))
        restored = None
        try:
            sql = Sql(server)
            sql.run("CREATE DATABASE music")
            sql.close()
            machine = self.engine("archived", "music", server)
            machine.run("import", self.polyphonic, "--db", machine.db)
            self.installation.run("pg_basebackup", "-D", work / "backup", "-h", server.socket, "-U", "tester",
                                  "--checkpoint=fast", "--no-sync")
            machine.run("import", DEMO, "--db", machine.db)
            wanted = machine.out("export", "--format", "jsonl")
            sql = Sql(server, "music")
            sql.run("SELECT pg_create_restore_point('before-the-mistake')")
            sql.run("DELETE FROM rondo.piece WHERE key % 2 = 0")
            sql.run("SELECT pg_switch_wal()")
            sql.close()
            server.stop()
            self.installation.run("touch", work / "backup/recovery.signal")
            restored = Server(self.installation, "restored", prepared=work / "backup", settings=(
                "archive_mode = off", f"restore_command = 'cp {work}/archive/%f %p'",
                "recovery_target_name = 'before-the-mistake'", "recovery_target_action = promote"))
            sql = Sql(restored, "music")
            end = time.monotonic() + 60
            while sql.one("SELECT pg_is_in_recovery()"):
                self.assertLess(time.monotonic(), end, "recovery does not end")
                time.sleep(0.05)
            self.assertEqual(sql.column("SELECT rondo_index_check('rondo.voice_melody')"), [])
            sql.close()
            # On another machine and on this one, whose mirror is still right; and both may write again.
            for name in ("archived-reader", "archived"):
                again = self.engine(name, "music", restored)
                self.assertEqual(again.out("export", "--format", "jsonl"), wanted)
            again.run("import", self.made, "--db", again.db)
        finally:
            server.stop()
            if restored is not None:
                restored.stop()

    def test_a_running_web_server_follows_through_stops_and_a_restored_backup(self):
        own = Server(self.installation, "following", settings=("fsync = off",))
        sql = Sql(own)
        sql.run("CREATE DATABASE followed")
        sql.close()
        machine = self.engine("followed", "followed", own)
        writer = self.engine("followed-writer", "followed", own)
        writer.run("import", self.polyphonic, "--db", writer.db)
        own.stop()
        self.installation.run("cp", "-r", own.data, self.installation.work / "earlier")
        own.start()
        os.environ["RONDO_MIRRORS"] = machine.environment["RONDO_MIRRORS"]

        def wait(what, holds):
            end = time.monotonic() + 60
            while not holds():
                self.assertLess(time.monotonic(), end, what)
                time.sleep(0.2)

        def found(id):
            hits = server.get("/api/v1/search", {"id": id, "k": 5}).json().get("hits", [])
            return [(hit["id"], hit["score"]) for hit in hits]

        with serving.Server(machine.db) as server:
            self.assertEqual(server.get("/health").json()["mirror"]["current"], True)
            self.assertEqual(server.get(f"/api/v1/melodies/{ID}").status, 404)
            writer.run("import", DEMO, "--db", writer.db)
            wait("the change arrives", lambda: server.get(f"/api/v1/melodies/{ID}").status == 200)
            wait("and is searched", lambda: len(found(ID)) == 5)
            before = found(ID)
            own.stop()
            wait("the error is shown", lambda: server.get("/health").json()["status"] == "behind")
            health = server.get("/health").json()["mirror"]
            self.assertEqual((health["current"], health["code"]), (False, "store-unreachable"))
            self.assertIn(b"rondo_mirror_failures_total ", server.get("/metrics").body)
            self.assertEqual(found(ID), before, "what was there is served meanwhile")
            own.start()
            wait("it recovers", lambda: server.get("/health").json()["status"] == "ok")
            self.assertNotIn("code", server.get("/health").json()["mirror"])
            writer.run("import", self.made, "--db", writer.db)
            made = json.loads(self.made.read_text(encoding="utf-8").splitlines()[0])["id"]
            wait("later changes arrive", lambda: server.get(f"/api/v1/melodies/{made}").status == 200)
            own.stop()
            self.installation.run("rm", "-r", own.data)
            self.installation.run("mv", self.installation.work / "earlier", own.data)
            own.start()
            wait("what the server no longer has is gone", lambda: server.get(f"/api/v1/melodies/{ID}").status == 404)
            wait("and not found any more", lambda: found(ID) == [] and server.get("/health").json()["melodies"] == 1)
            wait("health is good again", lambda: server.get("/health").json()["status"] == "ok")
            server.stop()
            for said in ("cannot be updated", "[store-unreachable]", "follows the server again", "restored to"):
                self.assertIn(said, server.log)
        own.stop()

    def test_sql_on_the_server_finds_the_same(self):
        sql = Sql(self.server, "shared")
        sql.run("SET search_path = rondo, public")
        best = sql.column("""SELECT id FROM melodies, melody_query((SELECT melody FROM melodies WHERE id = %s), 'time') q
                             WHERE id <> %s ORDER BY melody <-> q LIMIT 1""", ID, ID)
        told = self.file.out("search", "--id", ID, "--system", "time", "--format", "trec", "-k", "1").split()
        self.assertEqual(best, told[2:3])
        sql.close()


if __name__ == "__main__":
    unittest.main()
