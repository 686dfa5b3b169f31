#!/usr/bin/env python3
"""Mutation testing: small faults are put into sources of similarity, evaluation and study, one at a time, and the unit
tests of the module must notice.

    ./dev build && tools/mutate.py --count 200 --jobs 8

A mutant that no test notices either shows a missing test or changes nothing that matters; tests/mutants.tsv lists the
latter, with the reason. The program prints the others, and ends with 1 if they are more than --survivors. Which mutants
are tried follows from --seed alone.

Only the mutated source is compiled: the library of the build is taken apart once, so that each source of the three modules
is an object of its own, and the test program is linked with the mutated one.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import random
import re
import shlex
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
MODULES = ["similarity", "evaluation", "study"]
EXPLAINED = ROOT / "tests/mutants.tsv"

# Comments, literals and preprocessor lines are left alone.
HIDDEN = re.compile(r'//[^\n]*|/\*.*?\*/|R"\((?:.|\n)*?\)"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'|^[ \t]*#[^\n]*', re.M | re.S)
# Formatted sources have spaces around binary operators, and only around these.
SWAPS = {" < ": [" <= ", " > "], " <= ": [" < "], " > ": [" >= ", " < "], " >= ": [" > "], " == ": [" != "], " != ": [" == "],
         " + ": [" - "], " - ": [" + "], " * ": [" / "], " / ": [" * "], " % ": [" * "], " += ": [" -= "], " -= ": [" += "],
         " && ": [" || "], " || ": [" && "], "std::min(": ["std::max("], "std::max(": ["std::min("], "(!": ["("],
         "true": ["false"], "false": ["true"], "++": ["--"]}
OPERATORS = re.compile("|".join(re.escape(text) if not text.isalpha() else rf"\b{text}\b" for text in sorted(SWAPS, key=len, reverse=True)))
NUMBERS = re.compile(r"(?<![\w.])(\d+\.\d+|\d+)(?=(?:U|UL|L)?\b)(?![\w.]*')")
STATEMENT = re.compile(r"^[ ]+(?!return\b|delete\b|throw\b|using\b|assert\b|static_assert\b|else\b|case\b|default\b)"
                       r"(?:(?:\+\+|--)?[\w.\[\]()>-]+ ?(?:[-+*/|&]?= [^=]|\+\+|--)|[\w.:\[\]>-]+\().*;$")


class Mutant:
    def __init__(self, file, text, begin, end, new):
        self.file, self.begin, self.end, self.new = file, begin, end, new
        self.number = text.count("\n", 0, begin) + 1
        line_begin = text.rfind("\n", 0, begin) + 1
        line_end = text.find("\n", begin)
        self.line = text[line_begin:line_end].strip()
        self.changed = (text[line_begin:begin] + new + text[end:max(end, line_end)]).strip()
        self.key = (str(file), self.line, self.changed)

    def source(self, text):
        return text[:self.begin] + self.new + text[self.end:]


def mutants_of(file):
    text = (ROOT / file).read_text(encoding="utf-8")
    hidden = bytearray(len(text))
    for found in HIDDEN.finditer(text):
        hidden[found.start():found.end()] = b"\1" * (found.end() - found.start())
    out = []

    def add(begin, end, new):
        if not any(hidden[begin:end]):
            out.append(Mutant(file, text, begin, end, new))

    for found in OPERATORS.finditer(text):
        for new in SWAPS[found.group()]:
            add(found.start(), found.end(), new)
    for found in NUMBERS.finditer(text):
        number = found.group(1)
        add(found.start(1), found.end(1), str(float(number) * 1.5 + (0.5 if float(number) == 0 else 0)) if "." in number else str(int(number) + 1))
    before = ";"
    at = 0
    for line in text.splitlines(keepends=True):
        bare = re.sub(r"//.*", "", line).rstrip()
        if STATEMENT.match(bare) and before in "{};":
            begin = at + len(line) - len(line.lstrip())
            add(begin, at + len(bare), ";")
        if bare:
            before = bare[-1]
        at += len(line)
    return out


class Build:
    """Objects of single sources, and the rest of the library."""

    def __init__(self, folder, objects):
        self.folder, self.objects = folder, objects
        self.commands = {}  # source -> words without source and output
        self.part = {}  # source -> the object of the library that it is joined to
        for command in json.loads((folder / "compile_commands.json").read_text()):
            part = re.search(r"rondo_core\.dir/Unity/(unity_\w+)\.cxx$", command["file"])
            if not part or part.group(1).split("_")[1] not in MODULES:
                continue
            words = [word for word in shlex.split(command["command"]) if not word.endswith("ccache") and word != "-Werror"]
            at = words.index("-o")
            words = words[:at] + words[at + 4:]  # -o OBJECT -c SOURCE
            for name in re.findall(r'^#include "(.*)"', pathlib.Path(command["file"]).read_text(), re.M):
                source = pathlib.Path(name).relative_to(ROOT)
                self.commands[source] = words
                self.part[source] = pathlib.Path(command["file"]).name + ".o"
        self.rest = objects / "rest.a"
        self.apart = objects / "apart.a"
        self.libraries = []

    def object_of(self, source):
        return self.objects / (str(source).replace("/", "_") + ".o")

    def compile(self, command, source, output):
        return subprocess.run([*command, "-o", output, "-c", source], cwd=self.folder, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, check=False).returncode == 0

    def take_apart(self, wanted, pool):
        """The parts of the library that have these sources."""
        parts = {self.part[source] for source in wanted}
        sources = [source for source in self.commands if self.part[source] in parts]
        self.objects.mkdir(parents=True, exist_ok=True)
        library = self.folder / "librondo.a"

        def one(source):
            output = self.object_of(source)
            if not output.exists() or output.stat().st_mtime < max((ROOT / source).stat().st_mtime, library.stat().st_mtime):
                return self.compile(self.commands[source], ROOT / source, output)
            return True

        if not all(pool.map(one, sources)):
            sys.exit("mutate: a source does not compile by itself: see tools/check_sources.py")
        self.rest.write_bytes(library.read_bytes())
        subprocess.run(["ar", "d", self.rest, *sorted(parts)], check=True)
        self.apart.unlink(missing_ok=True)
        subprocess.run(["ar", "rcs", self.apart, *map(self.object_of, sources)], check=True)
        # How the build links: the libraries of other projects.
        for line in (self.folder / "build.ninja").read_text().splitlines():
            if "LINK_LIBRARIES = " in line and "gmock" in line:
                self.libraries = [word for word in line.split("=", 1)[1].split() if not word.endswith("librondo.a")]

    def link(self, module, output, first=()):
        tests = sorted((self.folder / f"tests/CMakeFiles/unit_{module}.dir").rglob("*.o"))
        command = ["g++", "-o", output, *tests, *first, "-Wl,--start-group", self.apart, self.rest, "-Wl,--end-group", *self.libraries]
        if subprocess.run(["which", "mold"], stdout=subprocess.DEVNULL, check=False).returncode == 0:
            command.insert(1, "-fuse-ld=mold")
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, check=False)
        if done.returncode != 0 and not first:
            sys.exit(f"mutate: unit_{module} cannot be linked:\n{done.stderr[-2000:]}")
        return done.returncode == 0


def passes(program, limit):
    """Whether all tests pass within the time."""
    environment = {**os.environ, "GTEST_FAIL_FAST": "1", "GTEST_BRIEF": "1"}
    with tempfile.TemporaryDirectory() as folder:
        process = subprocess.Popen([program], cwd=folder, env=environment, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL, start_new_session=True)
        try:
            return process.wait(limit) == 0
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, 9)
            process.wait()
            return False


def explained():
    if not EXPLAINED.exists():
        return set()
    rows = [line.split("\t") for line in EXPLAINED.read_text(encoding="utf-8").splitlines() if line and line[0] != "#"]
    return {tuple(row[:3]) for row in rows if len(row) == 4 and row[3]}


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    options.add_argument("--build", type=pathlib.Path, default=ROOT / "build", help="a release build with tests")
    options.add_argument("--count", type=int, default=2000, help="how many mutants")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    options.add_argument("--only", default="", help="a part of the path of the sources to mutate")
    options.add_argument("--survivors", type=int, default=0, help="how many may survive unexplained")
    options.add_argument("--line", default="", help="a part of the lines to mutate")
    given = options.parse_args()

    build = Build(given.build.resolve(), given.build.resolve() / "mutants")
    every = [mutant for source in sorted(build.commands) if given.only in str(source) for mutant in mutants_of(source)
             if given.line in mutant.line]
    chosen = random.Random(given.seed).sample(every, min(given.count, len(every)))
    known = explained()
    counts = {"killed": 0, "not compiled": 0, "same code": 0, "explained": 0, "survived": 0}
    lock = threading.Lock()
    limits = {}

    with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool, tempfile.TemporaryDirectory() as scratch:
        build.take_apart({mutant.file for mutant in chosen}, pool)
        for module in sorted({str(mutant.file).split("/")[1] for mutant in chosen}):
            program = f"{scratch}/{module}"
            build.link(module, program)
            begin = time.monotonic()
            if not passes(program, 3600):
                sys.exit(f"mutate: unit_{module} fails without a mutant")
            limits[module] = 30 + 10 * (time.monotonic() - begin)

        def judge(number, mutant):
            if mutant.key in known:
                return "explained"
            module = str(mutant.file).split("/")[1]
            folder = pathlib.Path(scratch) / str(number)
            folder.mkdir()
            # Beside it lie the headers that a source includes by their bare name; the folder of the source is searched, too.
            source = folder / mutant.file.name
            source.write_text(mutant.source((ROOT / mutant.file).read_text(encoding="utf-8")), encoding="utf-8")
            output = folder / "mutant.o"
            command = [*build.commands[mutant.file], "-iquote", ROOT / mutant.file.parent, "-w"]
            program = folder / "tests"
            if not build.compile(command, source, output) or not build.link(module, program, [output]):
                return "not compiled"
            if output.read_bytes() == build.object_of(mutant.file).read_bytes():
                return "same code"
            verdict = "survived" if passes(program, limits[module]) else "killed"
            program.unlink()
            return verdict

        def one(pair):
            verdict = judge(*pair)
            with lock:
                counts[verdict] += 1
                if verdict == "survived":
                    mutant = pair[1]
                    print(f"{mutant.file}:{mutant.number}\t{mutant.line}\t{mutant.changed}", flush=True)

        list(pool.map(one, enumerate(chosen)))
    print(f"{len(chosen)} of {len(every)} mutants: " + ", ".join(f"{count} {verdict}" for verdict, count in counts.items()))
    return 1 if counts["survived"] > given.survivors else 0


if __name__ == "__main__":
    sys.exit(main())
