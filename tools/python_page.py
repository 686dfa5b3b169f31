#!/usr/bin/python3
"""Writes docs/python.md from the module and its stub: PYTHONPATH=build/python tools/python_page.py > docs/python.md.

With --check it only compares the page with what it would write.
"""

import ast
import inspect
import pathlib
import re
import sys

import rondo

SOURCE = pathlib.Path(__file__).resolve().parents[1]
HEAD = '''# Python

Written by `tools/python_page.py > docs/python.md` from the docstrings; a test fails if they differ, and runs every
example. `./dev wheel` makes a wheel, `./dev package` a Debian package (`python3-rondo`); both are for Python 3.11 and
numpy as Debian 12 has them. In a checkout, `./dev build` puts the module into `build/python`:

    PYTHONPATH=build/python python3 -c "import rondo; print(rondo.__version__)"

Functions that may take long release the GIL, use all cores unless `threads` is given, and can be interrupted with
Ctrl-C. Arrays are numpy arrays, passed without a copy. A melody can be a `Melody` or a text with notes in any notation
of [queries.md](queries.md); if something was guessed, there is a `UserWarning`. In a notebook, melodies and alignments
are shown as staves (engraved by Verovio if its package is installed), hits as tables; `docs/notebook.ipynb` is an
example. Errors caused by input, disk or collection are a `rondo.Error`; arguments of a wrong type or value are a
`TypeError` or `ValueError`, as usual in Python. Runs and truths are plain dicts of dicts, as in the packages ranx and
ir_measures.

'''
ORDER = [
    ("Melodies", ["read", "convert", "read_query", "Query", "Melody", "features"]),
    ("Comparing", ["systems", "similarity", "scores", "matrix", "align", "Alignment", "Step"]),
    ("Collections", ["Collection", "Hits", "Hit", "Line"]),
    ("Concordances", ["concordances", "Concordances"]),
    ("Evaluation", ["measures", "evaluate", "compare", "read_run", "write_run", "read_truth", "write_truth",
                    "truth_from_labels", "truth_from_votes", "Truth"]),
    ("Errors", ["Error"]),
]


def text_of(value):
    """A docstring without the signature that the compiled part puts in front."""
    text = inspect.getdoc(value) or ""
    if "Overloaded function." in text:
        text = re.split(r"\n\d+\. \w+\(.*", text)[1].strip()
    return re.sub(r"\A\w+\(.*\) -> .*\n\n?", "", text).strip()


def markdown_of(text):
    """Examples become code, double backticks single ones."""
    out, example = [], False
    for line in text.replace("``", "`").splitlines():
        if line.startswith(">>> "):
            example = True
        elif not line:
            example = False
        out.append(f"    {line}" if example else line)
    return re.sub(r"(?m)^(?!    )(.+)\n(    >>>)", r"\1\n\n\2", "\n".join(out))


def signature(node):
    text = ast.unparse(node)
    text = re.sub(r"\.\.\.$", "", text.split("def ", 1)[1].strip()).strip().rstrip(":")
    text = text.replace("(self, ", "(").replace("(self)", "()")
    text = re.sub(r"Union\[([^=]*?), None\]=None", r"\1=None", text)
    text = re.sub(r"\b_(?=[A-Z])", "", text)  # names of the stub alone
    return text.replace("npt.", "").replace("np.", "")


def stub():
    tree = ast.parse((pathlib.Path(rondo.__file__).with_name("__init__.pyi")).read_text())
    functions = {n.name: n for n in reversed(tree.body) if isinstance(n, ast.FunctionDef)}  # of overloads the first
    classes = {n.name: n for n in tree.body if isinstance(n, ast.ClassDef)}
    return functions, classes


def class_section(name, node):
    value = getattr(rondo, name)
    out = f"### {name}\n\n"
    methods = [n for n in node.body if isinstance(n, ast.FunctionDef)]
    for method in methods:
        if method.name == "__init__":
            out += f"`{signature(method).replace('__init__(', name + '(').replace(' -> None', '')}`\n\n"
    out += markdown_of(text_of(value)) + "\n\n"
    properties = [m for m in methods if any(isinstance(d, ast.Name) and d.id == "property" for d in m.decorator_list)]
    if properties:
        out += "| attribute | what |\n| --- | --- |\n"
        for method in properties:
            out += f"| `{method.name}` | {' '.join(text_of(getattr(value, method.name)).split())} |\n"
        out += "\n"
    for method in methods:
        if method in properties or method.name.startswith("__"):
            continue
        out += f"#### {name}.{method.name}\n\n`{signature(method)}`\n\n{markdown_of(text_of(getattr(value, method.name)))}\n\n"
    return out


def page():
    functions, classes = stub()
    out = HEAD
    for title, names in ORDER:
        out += f"## {title}\n\n"
        for name in names:
            if name in classes:
                out += class_section(name, classes[name])
            else:
                out += f"### {name}\n\n`{signature(functions[name])}`\n\n{markdown_of(text_of(getattr(rondo, name)))}\n\n"
    missing = set(rondo.__all__) - {name for _, names in ORDER for name in names}
    if missing:
        sys.exit(f"tools/python_page.py: put these into ORDER: {', '.join(sorted(missing))}")
    return out.rstrip("\n") + "\n"


if __name__ == "__main__":
    if "--check" in sys.argv:
        if (SOURCE / "docs/python.md").read_text() != page():
            sys.exit("docs/python.md is out of date: PYTHONPATH=build/python tools/python_page.py > docs/python.md")
    else:
        sys.stdout.write(page())
