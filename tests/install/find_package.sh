#!/bin/sh
# Another project finds the installed library, builds against it and gives the answers of the program itself.
#   find_package.sh BUILD SOURCE PROGRAM
set -eu
build=$1 source=$2 program=$3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

cmake --install "$build" --prefix "$folder/usr" --component dev >/dev/null
[ ! -e "$folder/usr/bin" ] || { echo "the library brings a program along" >&2; exit 1; }
cmake -S "$source/examples/find-melody" -B "$folder/build" -G Ninja -DCMAKE_PREFIX_PATH="$folder/usr" \
  -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS="-Wall -Wextra -Werror" >/dev/null
cmake --build "$folder/build" >"$folder/log" || { cat "$folder/log" >&2; exit 1; }
"$folder/build/find-melody" "$source/data/demo" "'4CDEC/CDEC" | awk '{print $2}' >"$folder/found"

"$program" import "$source/data/demo" --db "$folder/demo.db" >/dev/null 2>&1
"$program" search --db "$folder/demo.db" --query "'4CDEC/CDEC" -k 5 --format csv 2>/dev/null |
  tail -n +2 | cut -d, -f3 >"$folder/expected"
[ -s "$folder/expected" ]
diff "$folder/expected" "$folder/found"
