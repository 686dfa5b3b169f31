#!/bin/sh
# Another project finds the installed library, builds the examples against it and gives the answers of the program itself.
#   find_package.sh BUILD SOURCE PROGRAM
set -eu
build=$1 source=$2 program=$3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

cmake --install "$build" --prefix "$folder/usr" --component dev >/dev/null
[ ! -e "$folder/usr/bin" ] || { echo "the library brings a program along" >&2; exit 1; }
# What is installed is the public face and no more.
(cd "$folder/usr/include" && find . -name '*.h' | sort) >"$folder/installed"
(cd "$source/include" && find . -name '*.h' | sort) | diff - "$folder/installed"

cmake -S "$source/examples" -B "$folder/build" -G Ninja -DCMAKE_PREFIX_PATH="$folder/usr" \
  -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS="-O0 -Wall -Wextra -Werror" >/dev/null
cmake --build "$folder/build" >"$folder/log" || { cat "$folder/log" >&2; exit 1; }

db=$folder/demo.db
notes="'4CDEC/CDEC"
ids() { awk '$1 ~ /^[0-9]+[.][0-9]+$/ {print $2}' "$1"; }
"$folder/build/find_melody" "$db" "$source/data/demo" "$notes" >"$folder/found"
"$program" search --db "$db" --query "$notes" -k 5 --format csv 2>/dev/null | tail -n +2 | cut -d, -f3 >"$folder/expected"
[ "$(wc -l <"$folder/expected")" = 5 ]
ids "$folder/found" | diff "$folder/expected" -
grep -q "notes" "$folder/found" || { echo "no explanation" >&2; exit 1; }

"$folder/build/own_system" "$db" "$notes" >"$folder/own"
[ "$(ids "$folder/own" | wc -l)" = 5 ]
awk 'NR > 1 && $1 > last { exit 1 } { last = $1 } $1 <= 0 || $1 > 1 { exit 1 }' "$folder/own"

"$folder/build/compare_systems" "$db" rondo contour >"$folder/means"
"$program" truth from-labels --db "$db" --field family --as json >"$folder/families.json" 2>/dev/null
"$program" export --db "$db" --where "piece IN (SELECT piece FROM piece_field WHERE name = 'family')" --format jsonl \
  >"$folder/queries.jsonl" 2>/dev/null
"$program" run --db "$db" --queries "$folder/queries.jsonl" --system rondo,contour -k 1000 --out "$folder/tunes.run" \
  >/dev/null 2>&1
"$program" evaluate --truth "$folder/families.json" "$folder/tunes.rondo.run" "$folder/tunes.contour.run" -m AP,RR,P@5 \
  >"$folder/evaluated" 2>/dev/null
for system in rondo contour; do
  expected=$(awk -v s="$system" '$1 == "measure" { for (i = 1; i <= NF; i++) if ($i == s) c = i } c && /^(AP|RR|P@5)/ { print $1, $c }' \
    "$folder/evaluated")
  means=$(awk -v s="$system" '$1 == s { for (i = 2; i < NF; i += 2) print $i, $(i + 1) }' "$folder/means")
  [ -n "$means" ] && [ "$means" = "$expected" ] ||
    { printf '%s: the example says\n%s\nthe program\n%s\n' "$system" "$means" "$expected" >&2; exit 1; }
done
