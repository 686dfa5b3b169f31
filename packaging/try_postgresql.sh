#!/bin/sh
# Installs the package postgresql-15-rondo on this machine and uses it as a newcomer would. For a root or container that
# may be thrown away; it must be run as root.
#   packaging/try_postgresql.sh [DEB]      without DEB the package is built first (./dev package)
set -eu
here=$(cd "$(dirname "$0")" && pwd)
fail() { echo "try_postgresql: $*" >&2; exit 1; }
[ "$(id -u)" = 0 ] || fail "must be run as root"
[ ! -e /usr/lib/postgresql/15/lib/rondo.so ] || fail "the package is installed already; take a fresh root"

deb=${1:-}
if [ -z "$deb" ]; then
  (cd "$here/.." && ./dev package postgresql-15-rondo)
  deb=$(ls "$here"/../out/packages/postgresql-15-rondo_*.deb)
fi

# Packages that are installed do not start services here.
printf '#!/bin/sh\nexit 101\n' >/usr/sbin/policy-rc.d
chmod 755 /usr/sbin/policy-rc.d
export DEBIAN_FRONTEND=noninteractive LANG=C.UTF-8
apt-get update -qq
# apt reads the file as a user without rights.
cp "$deb" /tmp/postgresql-15-rondo.deb
chmod 644 /tmp/postgresql-15-rondo.deb
apt-get install -y -qq --no-install-recommends /tmp/postgresql-15-rondo.deb >/dev/null
[ -e /usr/lib/postgresql/15/lib/rondo.so ] || fail "not installed"
! ldd /usr/lib/postgresql/15/lib/rondo.so | grep 'not found' || fail "a library is missing"

pg_lsclusters -h | grep -q '^15 *main' || pg_createcluster 15 main
pg_ctlcluster 15 main start
trap 'pg_ctlcluster 15 main stop || true' EXIT
psql() { su postgres -s /bin/sh -c "psql -X -q -A -t -v ON_ERROR_STOP=1 $1"; }

psql "-c 'CREATE DATABASE music'"
psql music <<'SQL' || fail "SQL"
CREATE EXTENSION rondo;
CREATE TABLE incipit (id text PRIMARY KEY, title text, melody melody);
-- 20,000 melodies of 8 to 27 notes, the same each time.
INSERT INTO incipit SELECT n::text, 'number ' || n,
    melody('''4' || (SELECT string_agg(substr('CDEFGAB', 1 + (n * 7919 + i * i * (n % 13 + 1)) % 7, 1), '')
                     FROM generate_series(1, 8 + n % 20) i))
  FROM generate_series(1, 20000) n;
INSERT INTO incipit VALUES ('wanted', 'the one to be found', '''4CDECCDECEFGEFG');
CREATE INDEX ON incipit USING rondo (melody);
ANALYZE incipit;
DO $$
DECLARE plan text := ''; line text; first text;
BEGIN
  FOR line IN EXPLAIN SELECT id FROM incipit ORDER BY melody <-> melody_query('''4CDECCDECEFGEFG', system => 'shapeh') LIMIT 10 LOOP
    plan := plan || line;
  END LOOP;
  ASSERT plan LIKE '%Index Scan using incipit_melody_idx%', plan;
  SELECT id INTO first FROM incipit ORDER BY melody <-> melody_query('''4CDECCDECEFGEFG', system => 'shapeh') LIMIT 1;
  ASSERT first = 'wanted', first;
  SELECT id INTO first FROM incipit ORDER BY melody <-> melody_query('''4CDECCDECEFGEFG') LIMIT 1;
  ASSERT first = 'wanted', first;
  ASSERT (SELECT count(*) FROM rondo_index_check('incipit_melody_idx')) = 0;
  ASSERT (SELECT used > 0 AND used <= peak AND memory_limit = 1073741824 FROM rondo_memory());
  PERFORM set_config('rondo.memory_limit', '1kB', true);
  BEGIN
    PERFORM melody('''4CDEC');
    RAISE 'the memory limit is not kept';
  EXCEPTION WHEN out_of_memory THEN NULL;
  END;
END $$;
SQL
# The index is in PostgreSQL's own files: it survives a restart.
pg_ctlcluster 15 main restart
first=$(psql music <<'SQL'
SELECT id FROM incipit ORDER BY melody <-> melody_query('''4CDECCDECEFGEFG') LIMIT 1;
SQL
)
[ "$first" = wanted ] || fail "after a restart: $first"
psql music <<'SQL'
DROP EXTENSION rondo CASCADE;
SQL
apt-get remove -y -qq postgresql-15-rondo >/dev/null
[ ! -e /usr/lib/postgresql/15/lib/rondo.so ] || fail "not removed"
echo "postgresql-15-rondo: installed, created, 20,001 melodies indexed and searched, removed"
