"""docs/python.md says what the docstrings say, and a wheel holds a package that works."""

import os
import pathlib
import subprocess
import sys
import unittest
import zipfile

import rondo
from case import SOURCE, Case

BUILT = pathlib.Path(rondo.__file__).parents[1]


class Page(Case):
    def test_it_is_what_the_docstrings_say(self):
        done = subprocess.run([sys.executable, "-B", SOURCE / "tools/python_page.py", "--check"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_a_wheel_is_made_by_one_command_and_imports(self):
        made = subprocess.run(
            [SOURCE / "packaging/make_wheel.sh", BUILT, rondo.__version__, self.folder],
            capture_output=True,
            text=True,
        )
        self.assertEqual(made.returncode, 0, made.stderr)
        wheel = pathlib.Path(made.stdout.strip())
        self.assertRegex(wheel.name, rf"^rondo-{rondo.__version__}-cp311-cp311-linux_\w+\.whl$")
        with zipfile.ZipFile(wheel) as archive:
            self.assertIsNone(archive.testzip())
            names = archive.namelist()
            listed = archive.read(f"rondo-{rondo.__version__}.dist-info/RECORD").decode().splitlines()
            self.assertEqual([line.split(",")[0] for line in listed], names)
            archive.extractall(self.folder / "site")
        environment = dict(os.environ, PYTHONPATH=str(self.folder / "site"))
        found = subprocess.run(
            [sys.executable, "-c", "import rondo; print(rondo.__file__)"],
            env=environment,
            cwd=self.folder,
            capture_output=True,
            text=True,
        )
        self.assertIn(str(self.folder), found.stdout, found.stderr)


if __name__ == "__main__":
    unittest.main()
