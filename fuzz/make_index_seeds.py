#!/usr/bin/env python3
"""Makes the seeds of fuzz_index: segments cut out of small valid index files, each with a last byte that chooses a system.

Run after a change of the index format: fuzz/make_index_seeds.py [PROGRAM]. Seeds must stay under the 8,192 bytes that
`./dev fuzz` allows.
"""

import json
import pathlib
import struct
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
FOLDER = ROOT / "fuzz" / "seeds" / "index"
MAX_LENGTH = 8192

# Each is one collection: what a segment can hold that others lack.
ABC = {
    "one": "X:1\nT:one\nM:4/4\nL:1/4\nK:C\nCDEC|CDEC|EFG2|EFG2|\n",
    "rests": "X:1\nT:rests\nM:3/4\nL:1/8\nK:G\nG2zAB2|z2d2c2|B3zG2|A4z2|GABcde|\n",
    "meters": "X:1\nT:meters\nM:6/8\nL:1/8\nK:D\nd2f a2f|[M:2/4]d2A2|[M:5/8]FGABc|[M:6/8]d3 d3|\n",
    "voices": "X:1\nT:voices\nM:2/2\nL:1/4\nK:F\nV:1\nFGAB|c2A2|F4|\nV:2\nF,2C2|F,2F,2|F,4|\n",
    "chromatic": "X:1\nT:chromatic\nM:4/4\nL:1/16\nK:C\n" + "C^CD^DE^FG^GA_BBc^cd^de|" * 3 + "\n",
    "triplets": "X:1\nT:triplets\nM:4/4\nL:1/8\nK:Bb\n(3BcdB2(3fedc2|(3BAGF2B4|(5fedcBA2F4|\n",
}
GENERATED = {"one-generated": ("1", "5"), "two-generated": ("2", "1")}


def segments(index):
    """The segments that the superblock in force names; docs/index-format.md has the layout."""
    newest = max((struct.unpack_from("<QQQ", index, at + 16) for at in (0, 4096) if index[at:at + 8] == b"RONDOIDX"))
    toc = newest[1]
    samples, count = struct.unpack_from("<QQ", index, toc + 16)
    at = toc + 32 + 16 * samples
    for _ in range(count):
        offset, length, removed = struct.unpack_from("<QQQ", index, at)
        yield index[offset:offset + length]
        at += 24 + 8 * removed


def main():
    program = sys.argv[1] if len(sys.argv) > 1 else str(ROOT / "build" / "rondo")
    systems = len(json.loads(subprocess.run([program, "systems", "--format", "json"], check=True,
                                            capture_output=True).stdout))
    FOLDER.mkdir(parents=True, exist_ok=True)
    for old in FOLDER.iterdir():
        old.unlink()
    with tempfile.TemporaryDirectory(prefix="rondo-seeds-") as folder:
        sources = {}
        for name, text in ABC.items():
            sources[name] = pathlib.Path(folder) / f"{name}.abc"
            sources[name].write_text(text)
        for name, (count, seed) in GENERATED.items():
            sources[name] = pathlib.Path(folder) / f"{name}.jsonl"
            with open(sources[name], "wb") as out:
                subprocess.run([program, "generate", "--count", count, "--seed", seed, "--format", "jsonl"], check=True,
                               stdout=out)
        for number, (name, source) in enumerate(sources.items()):
            db = str(pathlib.Path(folder) / f"{name}.db")
            subprocess.run([program, "import", str(source), "--db", db], check=True, capture_output=True)
            subprocess.run([program, "index", "--db", db], check=True, capture_output=True)
            for segment in segments(pathlib.Path(db + ".index").read_bytes()):
                seed = segment + bytes([number * systems // len(sources)])
                if len(seed) > MAX_LENGTH:
                    raise SystemExit(f"{name}: {len(seed)} bytes are too many")
                (FOLDER / name).write_bytes(seed)
                print(f"{name}: {len(seed)} bytes")


if __name__ == "__main__":
    main()
