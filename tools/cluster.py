#!/usr/bin/python3
"""Two shards with a replica each and a coordinator on this machine, to try it out (./dev cluster). Everything lies in a
temporary folder and ends with the script. docs/scale.md says how to do the same on real hosts.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests/postgresql"))

from server import PROGRAM, SHARE, Installation, skip  # noqa: E402

if not (SHARE / "extension/plproxy.control").exists():
    skip("postgresql-15-plproxy is not installed")

from cluster import DATABASE, Cluster  # noqa: E402

QUERY = "'4CDEC/CDEC/"


def say(text):
    print(f"\n== {text}", flush=True)


def demo_rows():
    """Every voice of the demonstration collection: id, title, melody as JSON."""
    with tempfile.TemporaryDirectory() as folder:
        db = folder + "/demo.db"
        subprocess.run([PROGRAM, "import", str(ROOT / "data/demo"), "--db", db], check=True, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)
        text = subprocess.run([PROGRAM, "export", "--db", db, "--format", "jsonl"], check=True, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, text=True).stdout
    for line in text.splitlines():
        piece = json.loads(line)
        yield piece["id"], piece.get("title", ""), line


def search(cluster):
    sql = cluster.sql()
    started = time.monotonic()
    rows = sql.run("SELECT rank, id, title, distance, missing FROM search(%s, 'rondo', 5)", QUERY)
    took = 1000 * (time.monotonic() - started)
    print(f"SELECT * FROM search('{QUERY}', 'rondo', 5)   -- {took:.0f} ms")
    for rank, id, title, distance, missing in rows:
        print(f"  {rank}  {id:24} {title[:34]:34} {distance:8.4f}" + (f"   missing shards: {missing}" if missing else ""))
    sql.close()
    return rows


def main():
    installation = Installation()
    cluster = None
    try:
        say("two shards with a replica each, and a coordinator")
        cluster = Cluster(installation)
        for shard in cluster.shards:
            print(f"  {shard.name}: primary {shard.primary.socket}, replica {shard.replica.socket}")
        print(f"  coordinator {cluster.coordinator.socket}   psql -h {cluster.coordinator.socket} -U tester {DATABASE}")
        say("the demonstration collection, each melody to the shard that its id names")
        cluster.load(demo_rows())
        sql = cluster.sql()
        print("  melodies on the shards:", sql.column("SELECT counts()"))
        sql.close()
        say("a search over both")
        before = search(cluster)
        say("the primary of shard s0 is killed")
        killed = time.monotonic()
        cluster.shards[0].primary.kill()
        say("the same search: the replica answers")
        after = search(cluster)
        print("  the same list" if before == after else "  ANOTHER LIST")
        say("the replica is promoted (this script does it by itself; on real hosts Patroni does)")
        cluster.shards[0].promote()
        sql = cluster.sql()
        number = next(n for n in range(100) if sql.one("SELECT hashtext(%s) & 1", f"after-{n}") == 0)
        sql.run("SELECT put(%s, 'Written to s0 after the failover', %s)", f"after-{number}", QUERY)
        print(f"  writes are accepted again {time.monotonic() - killed:.1f} s after the primary was killed")
        sql.close()
        search(cluster)
        say("the last server of shard s0 is killed: the answer says which shard it misses")
        cluster.shards[0].replica.kill()
        search(cluster)
        return 0 if before == after else 1
    finally:
        if cluster is not None:
            cluster.stop()
        installation.close()


if __name__ == "__main__":
    os.chdir(ROOT)
    sys.exit(main())
