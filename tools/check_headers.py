#!/usr/bin/env python3
"""Compiles headers by themselves, without keeping anything: what a header needs, it includes.

Reads names of headers on standard input, one a line, relative to the repository. Most of the time goes into the same few
included headers, so these are precompiled. A header is compiled with one of them only if it includes it itself, which
therefore hides nothing that the header forgot to include.
"""

import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

COMPILER = ["clang++-16", "-std=c++20", "-fsyntax-only", "-Iinclude", "-Isrc"]
ROOTS = [pathlib.Path("include"), pathlib.Path("src")]
# The cost of headers of other libraries, in tenths of a second; those that are not listed cost one.
COSTS = {"nlohmann/json.hpp": 10, "regex": 6, "filesystem": 4, "functional": 3, "fmt/format.h": 4, "memory": 2, "string": 2}
PRECOMPILED = 24


def includes(text):
    return re.findall(r'^#include [<"]([^>"]+)[>"]', text, re.MULTILINE)


class Headers:
    def __init__(self):
        self.needs = {}  # name as included -> all that it includes, directly or not
        self.direct = {}

    def directly(self, name):
        if name not in self.direct:
            files = [root / name for root in ROOTS if (root / name).is_file()]
            self.direct[name] = includes(files[0].read_text()) if files else []
        return self.direct[name]

    def all_needs(self, name):
        if name not in self.needs:
            self.needs[name] = {name}  # ends a circle
            for other in self.directly(name):
                self.needs[name] |= self.all_needs(other)
        return self.needs[name]

    def cost(self, name):
        return sum(COSTS.get(other, 1) for other in self.all_needs(name))


def choose(headers, names):
    """The header to precompile for each name, where there is one that pays."""
    saved = {}
    for name in names:
        for other in headers.directly(name):
            saved[other] = saved.get(other, 0) + headers.cost(other)
    precompiled = sorted(saved, key=lambda other: headers.cost(other) - saved[other])[:PRECOMPILED]
    best = {}
    for name in names:
        own = [other for other in headers.directly(name) if other in precompiled]
        if own:
            best[name] = max(own, key=headers.cost)
    return best


def main():
    paths = [line.strip() for line in sys.stdin if line.strip()]
    as_included = {path: path.split("/", 1)[1] for path in paths}
    headers = Headers()
    best = choose(headers, as_included.values())
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        wrappers = {other: f"{folder}/{number}.h" for number, other in enumerate(sorted(set(best.values())))}

        def precompile(other):
            pathlib.Path(wrappers[other]).write_text(f"#include <{other}>\n")
            command = [word for word in COMPILER if word != "-fsyntax-only"]
            subprocess.run([*command, "-x", "c++-header", wrappers[other], "-o", wrappers[other] + ".pch"], check=False)

        def compiles(path):
            command = list(COMPILER)
            other = best.get(as_included[path])
            if other:
                command += ["-include-pch", wrappers[other] + ".pch"]
            done = subprocess.run([*command, "-x", "c++", "-"], input=f'#include "{path}"\n', capture_output=True, text=True)
            if done.returncode != 0:
                print(f"{path} does not compile by itself:\n{done.stderr}", file=sys.stderr)
            return done.returncode == 0

        list(pool.map(precompile, wrappers))
        good = list(pool.map(compiles, paths))
    print(f"{len(good)} headers by themselves, {good.count(False)} do not compile")
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
