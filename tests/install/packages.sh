#!/bin/sh
# The Debian packages have what they promise, and what is in them works from where it is unpacked.
#   packages.sh BUILD SOURCE
set -eu
build=$1 source=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fail() { echo "packages: $*" >&2; exit 1; }

wanted="rondo librondo-dev"
[ -z "$(find "$build/python/rondo" -name '_rondo*.so' 2>/dev/null)" ] || wanted="$wanted python3-rondo"
[ ! -e "$build/postgresql/rondo.so" ] || wanted="$wanted postgresql-15-rondo"
# What is in them is looked at, not how small they are.
# shellcheck disable=SC2086  # a list of names
RONDO_DEB_COMPRESSION=none "$source/packaging/make_debs.sh" "$build" "$folder/debs" $wanted >/dev/null

for package in $wanted; do
  deb=$(ls "$folder/debs/${package}"_*.deb)
  dpkg-deb -x "$deb" "$folder/$package"
  dpkg-deb -e "$deb" "$folder/$package/DEBIAN"
  (cd "$folder/$package" && md5sum --quiet -c DEBIAN/md5sums) || fail "$package: sums"
  [ -e "$folder/$package/usr/share/doc/$package/copyright" ] || fail "$package: no copyright"
  ! dpkg-deb -c "$deb" | grep -v 'root/root' || fail "$package: files that are not root's"
  ! grep -rlq "$source/src" "$folder/$package" || fail "$package: names the folder it was built in"
done

root=$folder/rondo
program=$root/usr/bin/rondo
[ "$("$program" --version)" = "$("$build/rondo" --version)" ]
dpkg-deb -f "$folder"/debs/rondo_*.deb Depends | grep -q 'libsqlite3-0' || fail "rondo: dependencies"
"$program" import "$root/usr/share/doc/rondo/examples/demo" --db "$folder/demo.db" >/dev/null 2>&1
"$program" search --db "$folder/demo.db" --id white-cockade-1 -k 1 --format csv 2>/dev/null | grep -q white-cockade-2 ||
  fail "rondo: search"
commands=$(grep -c "^## " "$source/docs/commands.md")
pages=$(find "$root/usr/share/man/man1" -name 'rondo-*.1.gz' | wc -l)
[ "$commands" = "$pages" ] || fail "$commands commands but $pages manual pages"
for file in usr/share/bash-completion/completions/rondo usr/share/zsh/vendor-completions/_rondo \
  usr/share/fish/vendor_completions.d/rondo.fish lib/systemd/system/rondo.service etc/default/rondo; do
  [ -s "$root/$file" ] || fail "rondo: no $file"
done
grep -qx /etc/default/rondo "$root/DEBIAN/conffiles" || fail "rondo: conffiles"
if command -v systemd-analyze >/dev/null; then
  # Judged as it stands in the package, with the program at its place in there.
  sed "s|/usr/bin/rondo|$program|" "$root/lib/systemd/system/rondo.service" >"$folder/rondo.service"
  systemd-analyze verify --man=no "$folder/rondo.service" 2>&1 | grep -F rondo.service | grep -v 'rondo.service: Unit' && fail unit
fi

root=$folder/librondo-dev
for file in usr/lib/librondo.a usr/lib/cmake/rondo/rondoConfig.cmake usr/include/rondo/search/service.h; do
  [ -s "$root/$file" ] || fail "librondo-dev: no $file"
done

case $wanted in
  *python3-rondo*)
    modules=$folder/python3-rondo/usr/lib/python3/dist-packages
    PYTHONPATH=$modules /usr/bin/python3 -B -c '
import rondo, importlib.metadata as meta
assert meta.version("rondo") == rondo.__version__, "versions"
assert rondo.similarity("\x274CDEC", "\x274CDEC", "shapeh") > 0
' || fail "python3-rondo: import"
    dpkg-deb -f "$folder"/debs/python3-rondo_*.deb Depends | grep -q 'python3-numpy' || fail "python3-rondo: dependencies"
    ;;
esac

case $wanted in
  *postgresql-15-rondo*)
    root=$folder/postgresql-15-rondo
    dpkg-deb -f "$folder"/debs/postgresql-15-rondo_*.deb Depends | grep -q 'postgresql-15' ||
      fail "postgresql-15-rondo: dependencies"
    # In a server of its own that has nothing but what is in the package.
    RONDO_PROGRAM=$build/rondo RONDO_EXTENSION=$root/usr/lib/postgresql/15/lib/rondo.so \
      RONDO_EXTENSION_SQL=$root/usr/share/postgresql/15/extension \
      /usr/bin/python3 -B "$source/tests/postgresql/try_package.py" || [ $? = 77 ] || fail "postgresql-15-rondo: does not work"
    ;;
esac
