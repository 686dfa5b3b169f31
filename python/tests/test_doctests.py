"""Every example in a docstring gives what it shows."""

import doctest
import inspect
import os
import pathlib
import tempfile
import unittest

import rondo
from case import SOURCE


def documented():
    """(name, docstring) of the module, its public names and their members."""
    yield "rondo", rondo.__doc__
    for name in rondo.__all__:
        value = getattr(rondo, name)
        yield name, inspect.getdoc(value)
        if inspect.isclass(value):
            for member, inner in vars(value).items():
                if not member.startswith("_"):
                    yield f"{name}.{member}", inspect.getdoc(getattr(value, member))


class Doctests(unittest.TestCase):
    def test_everything_public_is_explained(self):
        for name, text in documented():
            with self.subTest(name):
                self.assertTrue(text and len(text) > 3, "no docstring")

    def test_examples_give_what_they_show(self):
        here = os.getcwd()
        examples = 0
        with tempfile.TemporaryDirectory() as folder:
            os.symlink(SOURCE / "data", pathlib.Path(folder) / "data")
            os.mkdir(pathlib.Path(folder) / "out")
            os.chdir(folder)
            try:
                for name, text in documented():
                    test = doctest.DocTestParser().get_doctest(text or "", {"rondo": rondo}, name, name, 0)
                    examples += len(test.examples)
                    report = []
                    failed, _ = doctest.DocTestRunner().run(test, out=report.append)
                    with self.subTest(name):
                        self.assertEqual(failed, 0, "".join(report))
            finally:
                os.chdir(here)
        self.assertGreater(examples, 30)


if __name__ == "__main__":
    unittest.main()
