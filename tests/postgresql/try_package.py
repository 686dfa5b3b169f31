"""The extension as it is packaged: created, and asked once. Run by tests/install/packages.sh."""

import subprocess

import server

with server.running() as one:
    sql = server.Sql(one)
    sql.run("CREATE EXTENSION rondo; CREATE TABLE t (id text, m melody)")
    version = subprocess.run([server.PROGRAM, "--version"], check=True, stdout=subprocess.PIPE, text=True).stdout.split()[1]
    assert sql.one("SELECT extversion FROM pg_extension WHERE extname = 'rondo'") == version
    sql.run("INSERT INTO t VALUES ('near', $$'4CDEC$$), ('far', $$'4CGCG$$); CREATE INDEX ON t USING rondo (m)")
    sql.run("SET enable_seqscan = off")
    assert sql.column("SELECT id FROM t ORDER BY m <-> melody_query($$'4CDEC$$) LIMIT 1") == ["near"]
    sql.run("DROP EXTENSION rondo CASCADE")
    sql.close()
