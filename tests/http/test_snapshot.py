"""The server follows its collection: also when the file is replaced by another, as when a backup is restored."""

import os
import pathlib
import shutil
import subprocess
import tempfile
import time
import unittest

from serving import PROGRAM, Server


class Snapshots(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = pathlib.Path(self.folder.name)
        self.db = str(self.path / "tunes.db")
        self.make(self.db, 60)

    def tearDown(self):
        self.folder.cleanup()

    def make(self, db, count):
        made = str(self.path / "made.xml")
        with open(made, "wb") as out:
            subprocess.run([PROGRAM, "generate", "--count", str(count), "--seed", "3"], stdout=out, check=True)
        subprocess.run([PROGRAM, "import", made, "--db", db], check=True, capture_output=True)

    def wait_for(self, server, pieces):
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            if server.get("/api/v1/collection").json()["pieces"] == pieces:
                return
            time.sleep(0.1)
        self.fail(f"{pieces} pieces were never served")

    def test_a_replaced_collection_is_served(self):
        other = str(self.path / "other.db")
        self.make(other, 90)
        with Server(self.db) as server:
            self.wait_for(server, 60)
            before = server.get("/health").json()["snapshot"]
            os.replace(other, self.db)
            self.wait_for(server, 90)
            self.assertNotEqual(server.get("/health").json()["snapshot"], before)
            found = server.get("/api/v1/search", {"q": "CDEFGAG", "k": 5}).json()
            self.assertTrue(found["complete"])
            self.assertEqual(found["compared"] + found["too_short"], 90)

    def test_a_copied_collection_is_served(self):
        other = str(self.path / "other.db")
        self.make(other, 75)
        with Server(self.db) as server:
            self.wait_for(server, 60)
            shutil.copyfile(other, self.db + ".restored")
            os.replace(self.db + ".restored", self.db)
            shutil.copyfile(other + ".index", self.db + ".index")  # an index under the feet of the server
            self.wait_for(server, 75)
            self.assertEqual(server.get("/api/v1/search", {"q": "CDEFGAG", "k": 5}).status, 200)

    def test_a_deleted_collection_is_served_until_it_is_back(self):
        with Server(self.db) as server:
            self.wait_for(server, 60)
            os.rename(self.db, self.db + ".away")
            self.assertEqual(server.get("/api/v1/search", {"q": "CDEFGAG"}).status, 200)
            self.make(str(self.path / "new.db"), 80)
            os.replace(self.path / "new.db", self.db)
            self.wait_for(server, 80)

    def test_health_lists_what_is_prepared(self):
        with Server(self.db) as server:
            deadline = time.monotonic() + 60
            while time.monotonic() < deadline:
                prepared = {one["what"]: one["state"] for one in server.get("/health").json()["prepared"]}
                if "Orio" in prepared and "index of melodies with grace notes" in prepared and set(
                        prepared.values()) == {"ready"}:
                    return
                time.sleep(0.1)
            self.fail(f"not prepared: {prepared}")


if __name__ == "__main__":
    unittest.main()
