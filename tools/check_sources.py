#!/usr/bin/env python3
"""Compiles sources by themselves, without writing anything: what a source needs, it includes.

Other builds compile the sources of a folder together and with precompiled headers, which hides a forgotten include. Reads
names of sources on standard input, one a line, and the commands of a build that does neither (`cmake --preset debug`).
"""

import concurrent.futures
import json
import os
import pathlib
import shlex
import subprocess
import sys


def compiles(command):
    words = [word for word in shlex.split(command["command"]) if not word.endswith("ccache")]
    at = words.index("-o")
    words[at : at + 2] = ["-fsyntax-only"]
    done = subprocess.run(words, cwd=command["directory"], capture_output=True, text=True)
    if done.returncode != 0:
        print(f"{command['file']} does not compile by itself:\n{done.stderr}", file=sys.stderr)
    return done.returncode == 0


def main():
    build = pathlib.Path(sys.argv[1])
    wanted = {os.path.abspath(line.strip()) for line in sys.stdin}
    commands = [c for c in json.loads((build / "compile_commands.json").read_text()) if c["file"] in wanted]
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        good = list(pool.map(compiles, commands))
    print(f"{len(good)} sources by themselves, {good.count(False)} do not compile")
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
