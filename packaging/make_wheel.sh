#!/bin/sh
# make_wheel.sh PACKAGE VERSION OUT [PLATFORM]: a wheel of the built Python package (a folder `rondo` with its compiled
# part) by python3-build and setuptools. PLATFORM is linux_x86_64 or the like, unless it is given; for manylinux_2_36_x86_64
# the shared libraries are put into the wheel, and ldd must find nothing else.
set -eu
here=$(dirname "$(readlink -f "$0")")
package=$1 version=$2 out=$3 platform=${4:-}

# What FILE links to beyond what every Linux of that age has: name and place.
beyond() {
  ldd "$1" | awk '$2 == "=>" {print $1, $3}' | grep -vE '^(linux-vdso|lib(c|m|gcc_s|stdc\+\+)\.so)' || true
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$here/wheel/pyproject.toml" "$here/wheel/setup.py" "$work/"
mkdir -p "$work/rondo" "$out"
find "$package/rondo" -maxdepth 1 -type f ! -name '*.pyc' -exec cp {} "$work/rondo/" \;
module=$(ls "$work"/rondo/_rondo.*.so)
case "$platform" in
  manylinux*)
    # Libraries that it links to lie beside it in the wheel; nothing may be left that is found elsewhere.
    beyond "$module" | while read -r name file; do cp "$(readlink -f "$file")" "$work/rondo/$name"; done
    for file in "$work"/rondo/*.so*; do
      beyond "$file" | grep -v " $work/rondo/" >"$work/left" || continue
      echo "make_wheel.sh: $(basename "$file") needs what not every Linux has:" >&2
      cat "$work/left" >&2
      exit 1
    done
    ;;
esac
# A symbol that is missing shows only here.
(cd "$work" && /usr/bin/python3 -B -c "import rondo")
# The same sources give the same wheel.
export RONDO_VERSION="$version" SOURCE_DATE_EPOCH=315532800
[ -z "$platform" ] || printf '[bdist_wheel]\nplat_name = %s\n' "$platform" >"$work/setup.cfg"
(cd "$work" && /usr/bin/python3 -m build --wheel --no-isolation --outdir "$work/dist" . >"$work/log" 2>&1) || {
  cat "$work/log" >&2
  exit 1
}
cp "$work"/dist/*.whl "$out/"
ls "$out"/rondo-"$version"-*.whl
