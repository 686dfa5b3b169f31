"""The stub says what the module has: names, arguments, defaults."""

import ast
import inspect
import pathlib
import re
import unittest

import rondo

STUB = pathlib.Path(rondo.__file__).with_name("__init__.pyi")


def arguments_of(function):
    given = function.args
    return [a.arg for a in given.posonlyargs + given.args] + ([given.vararg.arg] if given.vararg else []) + [
        a.arg for a in given.kwonlyargs
    ]


def defaults_of(function):
    given = function.args
    pairs = list(zip(reversed(given.args), reversed(given.defaults))) + list(zip(given.kwonlyargs, given.kw_defaults))
    return {a.arg: ast.literal_eval(d) for a, d in pairs if d is not None}


def described(value):
    """Arguments and defaults that pybind11 writes into the first line of a docstring; None where it wrote none."""
    match = re.match(r"\w+\((.*)\) ->", value.__doc__ or "")
    if not match:
        return None
    names, defaults = [], {}
    for part in re.split(r", (?=\*|\w+:|\w+=)", match.group(1)):
        name = re.match(r"\**(\w+)", part)
        if name:
            names.append(name.group(1))
            default = re.search(r" = (.*)$", part)
            if default:
                defaults[name.group(1)] = ast.literal_eval(default.group(1))
    return names, defaults


class Stubs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.tree = ast.parse(STUB.read_text())
        cls.functions = [n for n in cls.tree.body if isinstance(n, ast.FunctionDef)]
        cls.classes = [n for n in cls.tree.body if isinstance(n, ast.ClassDef)]

    def test_the_same_names_are_public(self):
        names = {node.name for node in self.functions + self.classes}
        self.assertEqual(names, set(rondo.__all__))

    def test_classes_have_the_same_members(self):
        for node in self.classes:
            declared = {n.name for n in node.body if isinstance(n, ast.FunctionDef)}
            declared |= {n.target.id for n in node.body if isinstance(n, ast.AnnAssign)}
            there = {n for n in vars(getattr(rondo, node.name)) if not n.startswith("_")}
            if node.name in ("Truth", "Hits"):  # a dict and a list with attributes of their own
                there |= set(vars(getattr(rondo, node.name)()))
            with self.subTest(node.name):
                self.assertEqual({n for n in declared if not n.startswith("_")}, there)

    def test_functions_have_the_same_arguments_and_defaults(self):
        checked = 0
        scopes = [(rondo, self.functions)]
        scopes += [(getattr(rondo, n.name), [f for f in n.body if isinstance(f, ast.FunctionDef)]) for n in self.classes]
        for scope, functions in scopes:
            first = {}
            for function in functions:
                first.setdefault(function.name, function)  # of overloads the first has the defaults
            for function in first.values():
                value = inspect.getattr_static(scope, function.name, None)
                value = getattr(value, "__func__", value)
                found = None if isinstance(value, property) else described(value)
                if found is None or function.name.startswith("__") or "Overloaded" in (value.__doc__ or ""):
                    continue
                with self.subTest(function.name):
                    names = [n for n in arguments_of(function) if n not in ("self",)]
                    self.assertEqual([n for n in found[0] if n not in ("self", "args")], [n for n in names if n != "paths"])
                    self.assertEqual(found[1], defaults_of(function))
                    checked += 1
        self.assertGreater(checked, 20)

    def test_it_says_that_it_has_types(self):
        self.assertTrue(STUB.with_name("py.typed").exists())


if __name__ == "__main__":
    unittest.main()
