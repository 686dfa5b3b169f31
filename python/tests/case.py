"""What the tests of the Python module share: a folder of their own, with the demonstration data in reach."""

import os
import pathlib
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ.get("RONDO_SOURCE_DIR", pathlib.Path(__file__).resolve().parents[2]))
DEMO = SOURCE / "data" / "demo"


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="rondo-python-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def assertFails(self, code, call, *args, **kwargs):
        import rondo

        with self.assertRaises(rondo.Error) as caught:
            call(*args, **kwargs)
        self.assertEqual(caught.exception.code, code, str(caught.exception))
        return caught.exception
