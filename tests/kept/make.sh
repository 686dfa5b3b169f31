#!/bin/sh
# Makes a small collection, its index and a study with this version of the program, to be kept for the versions after it:
#
#     tests/kept/make.sh build/rondo tests/kept/NUMBER
#
# To be run once for each version of a file format, never again for an old one: later versions must open what earlier
# ones have written. tests/cli/kept_test.cpp opens all of them.
set -eu
rondo=$(realpath "$1")
mkdir -p "$2"
cd "$2"
rm -f collection.db*
"$rondo" generate --count 12 --seed 5 >melodies.jsonl
"$rondo" import melodies.jsonl --db collection.db >/dev/null 2>&1
ids=$(sqlite3 collection.db 'SELECT id FROM piece ORDER BY key LIMIT 1')
"$rondo" candidates make kept --db collection.db --like "$ids" --system shapeh --top 4 >/dev/null
"$rondo" study create kept --db collection.db --candidates kept --seed 7 >/dev/null
{
  printf 'participant,query,candidate,rank\n'
  for who in one two; do
    sqlite3 collection.db.studies "SELECT '$who,$ids,' || id || ',' || number FROM candidate WHERE number <= 3 ORDER BY number"
  done
} >votes.csv
"$rondo" study import votes.csv --study kept --db collection.db >/dev/null
for file in collection.db collection.db.studies; do
  sqlite3 "$file" 'PRAGMA wal_checkpoint(TRUNCATE)' >/dev/null
  rm -f "$file-wal" "$file-shm"
done
{
  "$rondo" export --db collection.db --format jsonl
  "$rondo" search --db collection.db --id "$ids" -k 5 --system shapeh --format csv
  "$rondo" truth build --db collection.db --study kept --as qrels
} >expected.txt
rm -f melodies.jsonl votes.csv collection.db-* collection.db.studies-*
