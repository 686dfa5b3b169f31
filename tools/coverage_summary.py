#!/usr/bin/env python3
"""Lines covered by the tests, by room, from a build with --coverage: coverage_summary.py BUILD_FOLDER"""

import gzip
import json
import pathlib
import subprocess
import sys
import tempfile
from collections import defaultdict


def main(folder: str) -> int:
    build = pathlib.Path(folder).resolve()
    source = pathlib.Path(__file__).resolve().parent.parent
    data = sorted(build.rglob("*.gcda"))
    if not data:
        print(f"no coverage data below {build}: run the tests of the coverage preset first", file=sys.stderr)
        return 1
    lines = defaultdict(dict)  # file -> line -> covered
    with tempfile.TemporaryDirectory() as scratch:
        for one in data:
            subprocess.run(["gcov", "--json-format", str(one)], cwd=scratch, check=True, stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL)
            for made in pathlib.Path(scratch).glob("*.gcov.json.gz"):
                for entry in json.load(gzip.open(made))["files"]:
                    path = (build / entry["file"]).resolve()
                    if not path.is_relative_to(source / "src") and not path.is_relative_to(source / "include"):
                        continue
                    for line in entry["lines"]:
                        known = lines[path].get(line["line_number"], False)
                        lines[path][line["line_number"]] = known or line["count"] > 0
                made.unlink()
    rooms = defaultdict(lambda: [0, 0])
    for path, found in lines.items():
        room = path.relative_to(source).parts[-2 if path.is_relative_to(source / "include") else 1]
        rooms[room][0] += sum(found.values())
        rooms[room][1] += len(found)
    for room, (covered, total) in sorted(rooms.items()):
        print(f"{room:<12} {covered:>6} of {total:>6} lines  {100 * covered / total:5.1f} %")
    covered = sum(c for c, _ in rooms.values())
    total = sum(t for _, t in rooms.values())
    print(f"{'all':<12} {covered:>6} of {total:>6} lines  {100 * covered / total:5.1f} %")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]) if len(sys.argv) == 2 else 2)
