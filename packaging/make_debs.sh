#!/bin/sh
# Makes Debian packages of what has been built.
#   make_debs.sh BUILD OUT [PACKAGE...]     PACKAGE: rondo, librondo-dev, python3-rondo, postgresql-15-rondo (all)
# RONDO_DEB_COMPRESSION names the compression of dpkg-deb (xz).
# Plain dpkg tools: dpkg-shlibdeps finds what the programs need, dpkg-gencontrol and dpkg-deb do the rest.
set -eu
build=$(cd "$1" && pwd)
mkdir -p "$2"
out=$(cd "$2" && pwd)
shift 2
here=$(cd "$(dirname "$0")" && pwd)
source=$(dirname "$here")
program=$build/rondo
version=$("$program" --version | cut -d' ' -f2)

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/debian"
cp "$here/debian/control" "$work/debian/"
# The time of the last commit, so that the same sources give the same packages.
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$source" log -1 --format=%ct 2>/dev/null || date +%s)}
export SOURCE_DATE_EPOCH
printf 'rondo (%s) bookworm; urgency=medium\n\n  * See docs/ for what is in it.\n\n -- The makers of Rondo <rondo@localhost>  %s\n' \
  "$version" "$(LC_ALL=C date -u -R -d "@$SOURCE_DATE_EPOCH")" >"$work/debian/changelog"
cd "$work"

# put FILE PATH: a file of the package at hand
put() { install -D -m "${3:-0644}" "$1" "$root/$2"; }

manual() { mkdir -p "$root/usr/share/man/man1" && gzip -9n >"$root/usr/share/man/man1/$1.1.gz"; }

stage_rondo() {
  DESTDIR=$root cmake --install "$build" --prefix /usr --component program >/dev/null
  strip --strip-unneeded "$root/usr/bin/rondo"
  "$program" help --man | manual rondo
  for name in $("$program" help | sed -n 's/^  \([a-z][a-z]*\) .*/\1/p' | grep -v '^help$'); do
    "$program" help --man "$name" | manual "rondo-$name"
  done
  for shell in bash zsh fish; do "$program" help --completion $shell >"$work/$shell"; done
  put "$work/bash" usr/share/bash-completion/completions/rondo
  put "$work/zsh" usr/share/zsh/vendor-completions/_rondo
  put "$work/fish" usr/share/fish/vendor_completions.d/rondo.fish
  put "$here/deploy/rondo.service" lib/systemd/system/rondo.service
  put "$here/deploy/default" etc/default/rondo
  put "$here/deploy/nginx.conf" usr/share/doc/rondo/examples/nginx.conf
  mkdir -p "$root/usr/share/doc/rondo/examples"
  cp -r "$source/data/demo" "$root/usr/share/doc/rondo/examples/demo"
}

stage_librondo_dev() {
  DESTDIR=$root cmake --install "$build" --prefix /usr --component dev >/dev/null
  strip --strip-debug "$root/usr/lib/librondo.a"
  mkdir -p "$root/usr/share/doc/librondo-dev/examples"
  cp -r "$source/examples/." "$root/usr/share/doc/librondo-dev/examples/"
}

stage_python3_rondo() {
  modules=$root/usr/lib/python3/dist-packages
  mkdir -p "$modules"
  "$here/make_wheel.sh" "$build/python" "$version" "$work" >/dev/null
  /usr/bin/python3 -m zipfile -e "$work"/rondo-*.whl "$modules"
  find "$modules" -name '*.so' -exec strip --strip-unneeded {} +
}

stage_postgresql_15_rondo() {
  put "$build/postgresql/rondo.so" usr/lib/postgresql/15/lib/rondo.so
  strip --strip-unneeded "$root/usr/lib/postgresql/15/lib/rondo.so"
  put "$source/postgresql/rondo.control" usr/share/postgresql/15/extension/rondo.control
  for script in "$source"/postgresql/sql/rondo--*.sql; do
    put "$script" "usr/share/postgresql/15/extension/$(basename "$script")"
  done
  for script in "$source"/postgresql/cluster/*; do
    put "$script" "usr/share/doc/postgresql-15-rondo/examples/$(basename "$script")"
  done
}

# finish PACKAGE: control files and the archive
finish() {
  put "$here/debian/copyright" "usr/share/doc/$1/copyright"
  gzip -9nc debian/changelog >"$work/changelog.gz"
  put "$work/changelog.gz" "usr/share/doc/$1/changelog.gz"
  find "$root" -type d -exec chmod 755 {} +
  mkdir -p "$root/DEBIAN"
  programs=$(find "$root" -type f \( -path '*/bin/*' -o -name '*.so' \))
  # shellcheck disable=SC2086  # a list of files
  [ -z "$programs" ] || dpkg-shlibdeps -Tsubstvars-"$1" $programs
  touch "substvars-$1"
  dpkg-gencontrol -p"$1" -P"$root" -Tsubstvars-"$1" -c"debian/control" 2>/dev/null
  for script in postinst prerm postrm; do
    [ ! -e "$here/debian/$1.$script" ] || install -m 755 "$here/debian/$1.$script" "$root/DEBIAN/$script"
  done
  (cd "$root" && find etc -type f 2>/dev/null | sed 's|^|/|' >DEBIAN/conffiles || true)
  [ -s "$root/DEBIAN/conffiles" ] || rm -f "$root/DEBIAN/conffiles"
  (cd "$root" && find . -type f ! -path './DEBIAN/*' ! -path './etc/*' -printf '%P\0' | sort -z |
    xargs -0 md5sum >DEBIAN/md5sums)
  dpkg-deb --root-owner-group "-Z${RONDO_DEB_COMPRESSION:-xz}" --build "$root" "$out" >/dev/null
}

for package in ${*:-rondo librondo-dev python3-rondo postgresql-15-rondo}; do
  root=$work/$package
  mkdir -p "$root"
  case $package in
    rondo) stage_rondo ;;
    librondo-dev) stage_librondo_dev ;;
    python3-rondo) stage_python3_rondo ;;
    postgresql-15-rondo) stage_postgresql_15_rondo ;;
    *) echo "make_debs.sh: there is no package '$package'" >&2 && exit 2 ;;
  esac
  finish "$package"
  ls "$out/${package}_${version}_"*.deb
done
