"""What notebooks show, and the example notebook itself, cell by cell."""

import ast
import json
import os
import pathlib
import tempfile
import unittest
import xml.etree.ElementTree as ET

import rondo

SOURCE = pathlib.Path(os.environ["RONDO_SOURCE_DIR"])
SVG = "{http://www.w3.org/2000/svg}"


def shown(value):
    """As Jupyter chooses: SVG, HTML, else text."""
    for name in ("_repr_svg_", "_repr_html_"):
        made = getattr(value, name, lambda: None)()
        if made is not None:
            return made
    return repr(value)


class Staves(unittest.TestCase):
    def test_a_melody_is_a_staff_with_its_notes(self):
        svg = rondo._notebook.staff_svg(rondo.read_query("C4 Eb4 F#4 C6").melody)
        root = ET.fromstring(svg)
        heads = root.findall(f".//{SVG}ellipse")
        self.assertEqual([head.find(f"{SVG}title").text.split()[0] for head in heads], ["C4", "Eb4", "F#4", "C6"])
        heights = [float(head.get("cy")) for head in heads]
        self.assertEqual(heights, sorted(heights, reverse=True), "higher notes lie higher")
        # On a treble staff C4 lies two places below the lowest line, which is at 40.
        self.assertEqual(heights[0], 50)
        texts = [text.text for text in root.findall(f".//{SVG}text")]
        self.assertIn("\u266d", texts)
        self.assertIn("\u266f", texts)

    def test_low_melodies_have_a_bass_clef(self):
        self.assertIn(rondo._notebook._CLEFS[True], rondo._notebook.staff_svg(rondo.read_query("C2 D2 E2").melody))
        treble = rondo._notebook.staff_svg(rondo.read_query("C5 D5 E5").melody)
        self.assertIn(rondo._notebook._CLEFS[False], treble)
        self.assertNotRegex(treble, "&#x1D1|[\U0001D100-\U0001D1FF]", "few fonts have clefs: they are drawn")

    def test_lengths_are_to_be_seen(self):
        root = ET.fromstring(rondo._notebook.staff_svg(rondo.Melody.from_pae("'1C2D4E8F4.G")))
        heads = root.findall(f".//{SVG}ellipse")
        self.assertEqual([head.get("fill") == "none" for head in heads], [True, True, False, False, False])
        self.assertEqual(len(root.findall(f".//{SVG}circle")), 1, "a dot")

    def test_a_title_cannot_bring_markup_along(self):
        tune = rondo.Melody([(0, 1, 60)], id="x", title="<script>alert(1)</script>")
        self.assertNotIn("<script>", tune._repr_svg_())
        ET.fromstring(rondo._notebook.staff_svg(tune))

    def test_a_melody_without_notes_shows_as_text(self):
        empty = rondo.read(b'{"id": "none", "notes": []}\n')
        for melody in empty:
            self.assertIsNone(melody._repr_svg_())


class Tables(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.tunes = rondo.Collection(pathlib.Path(cls.folder.name) / "c.db", "create")
        cls.tunes.import_files(SOURCE / "data" / "demo")
        cls.hits = cls.tunes.search("C4 D4 E4 C4 C4 D4 E4 C4", k=3)

    @classmethod
    def tearDownClass(cls):
        cls.tunes.close()
        cls.folder.cleanup()

    def test_hits_are_a_list_that_shows_as_a_table(self):
        self.assertIsInstance(self.hits, list)
        self.assertEqual(self.hits._repr_html_().count("<tr>"), 4)
        self.assertIn(self.hits[0].id, self.hits[0]._repr_html_())

    def test_pandas_makes_real_columns_of_hits(self):
        try:
            import pandas
        except ImportError:
            self.skipTest("pandas is not installed")
        table = pandas.DataFrame(self.hits)
        self.assertEqual(list(table.columns),
                         ["rank", "score", "probability", "id", "voice", "title", "composer", "duplicates"])
        self.assertEqual(list(table["probability"]), [hit.probability for hit in self.hits])
        self.assertEqual(pandas.DataFrame(self.tunes.search("C4 D4 E4 C4", "shapeh", k=2))["probability"].isna().sum(), 2)
        self.assertEqual(list(table["id"]), [hit.id for hit in self.hits])
        self.assertEqual(table["score"].dtype, float)

    def test_an_alignment_shows_both_melodies(self):
        found = rondo.align("C4 D4 E4 C4", "C4 D4 F4 C4", "vk-pitch")
        self.assertEqual(found.a.spelling, ["C4", "D4", "E4", "C4"])
        html = found._repr_html_()
        self.assertEqual(html.count("<svg"), 2)
        self.assertIn(rondo._notebook._COLOURS["match"], html)

    def test_everything_has_a_repr_of_its_own(self):
        found = rondo.align("C4 D4 E4 C4", "C4 D4 F4 C4", "vk-pitch")
        for value in [self.tunes, self.hits[0], found, found.steps[0], rondo.read_query("CDE"), found.a]:
            self.assertNotIn("object at 0x", repr(value))


class Queries(unittest.TestCase):
    def test_a_guess_is_a_warning(self):
        with self.assertWarnsRegex(UserWarning, "octaves"):
            rondo.similarity("G A B C", "G4 A4 B4 C5")
        self.assertEqual(rondo.read_query("G A B C").melody.spelling, ["G4", "A4", "B4", "C5"])

    def test_what_cannot_be_read_is_an_error_with_a_hint(self):
        with self.assertRaises(rondo.Error) as caught:
            rondo.read_query("tune.abc")
        self.assertEqual(caught.exception.code, "query-path")


class Example(unittest.TestCase):
    def test_every_cell_of_the_notebook_runs(self):
        notebook = json.loads((SOURCE / "docs" / "notebook.ipynb").read_text())
        self.assertEqual(notebook["nbformat"], 4)
        names, shows = {"__name__": "__main__"}, []
        before = os.getcwd()
        with tempfile.TemporaryDirectory() as folder:
            os.symlink(SOURCE / "data", pathlib.Path(folder) / "data")
            os.mkdir(pathlib.Path(folder) / "out")
            os.chdir(folder)
            try:
                for cell in notebook["cells"]:
                    if cell["cell_type"] != "code":
                        continue
                    tree = ast.parse("".join(cell["source"]))
                    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
                    exec(compile(tree, "notebook", "exec"), names)
                    if last is not None:
                        shows.append(shown(eval(compile(ast.Expression(last.value), "notebook", "eval"), names)))
            finally:
                os.chdir(before)
        self.assertGreaterEqual(sum("<svg" in text for text in shows), 3)
        self.assertTrue(any("<table" in text for text in shows))


if __name__ == "__main__":
    unittest.main()
