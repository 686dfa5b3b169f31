#!/bin/sh
# What ./dev counts, by which CI judges: no test passes by a second try or by being skipped.
#   totals.sh SOURCE UNIT_EVALUATION
set -eu
source=$1 program=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fail() { echo "totals: $*" >&2; cat "$folder/out" >&2; exit 1; }

# A folder of tests for ctest; those called flaky fail the first time.
begin() { rm -rf "$folder/build" && mkdir "$folder/build"; }
add() {
  printf 'add_test(%s sh -c "%s")\nset_tests_properties(%s PROPERTIES LABELS %s SKIP_RETURN_CODE 77)\n' "$1" "$3" "$1" "$2" \
    >>"$folder/build/CTestTestfile.cmake"
}
flaky() { add "$1" "$2" "test -e '$folder/build/$1' || { touch '$folder/build/$1'; exit 1; }"; }
# ends STATUS LINE: what ./dev says last of these tests
ends() {
  status=0
  "$source/dev" ctest "$folder/build" >"$folder/out" 2>&1 || status=$?
  [ "$(tail -n 1 "$folder/out")" = "$2" ] || fail "the last line is not '$2'"
  [ "$status" = "$1" ] || fail "ends with $status, not $1"
}
says() { grep -qx "$1" "$folder/out" || fail "no line '$1'"; }

begin
add one unit true
add two http true
ends 0 "2 passed, 0 failed"

# Skipped is not passed: a whole test, or some cases within one.
begin
add one unit true
add absent http 'exit 77'
add python http 'echo \"OK (skipped=2)\"'
ends 0 "2 passed, 0 failed, 3 skipped"

# A second try is counted apart, and only some kinds of tests have one.
begin
add one unit true
flaky once http
ends 0 "1 passed, 0 failed"
says "passed at the second try: 1"
begin
add one unit true
flaky once unit
ends 1 "1 passed, 1 failed"
begin
flaky once http
add never http false
ends 1 "0 passed, 1 failed"
says "passed at the second try: 1"
! grep -q 'never.*passed alone' "$folder/out" || fail "what fails twice did not pass"

# More than three are not chance.
begin
add one unit true
for name in a b c; do flaky $name browser; done
ends 0 "1 passed, 0 failed"
flaky d http
rm -f "$folder/build/a" "$folder/build/b" "$folder/build/c"
ends 1 "1 passed, 4 failed"
says "passed at the second try: 4"

# Where real music is missing, a test skips; where it must be there, it fails, and says what allows it to skip.
unset CI RONDO_NEED_DATA RONDO_WITHOUT_DATA
music() { env RONDO_DATA="$folder/none" "$@" "$program" --gtest_filter='Mirex2005.Table2ComesOutAgain' >"$folder/out" 2>&1; }
music && grep -q 'SKIPPED ] 1 test' "$folder/out" || fail "does not skip"
! music CI=true || fail "passes in CI without music"
! music RONDO_NEED_DATA=1 && grep -q 'RONDO_WITHOUT_DATA=1' "$folder/out" || fail "does not say what allows it"
music CI=true RONDO_WITHOUT_DATA=1 || fail "is not allowed to skip"
