#!/usr/bin/python3
"""Makes a wheel of the built Python package.

    make_wheel.py BUILD/python VERSION OUT

A wheel is a zip with a description beside the package (PEP 427), so the standard library is enough. It links to the
libraries of the Debian it was built on, and its name says so: linux_x86_64, not manylinux.
"""

import base64
import hashlib
import pathlib
import sys
import sysconfig
import zipfile

METADATA = """\
Metadata-Version: 2.1
Name: rondo
Version: {version}
Summary: Find melodies that resemble a melody, and measure how well that works
License: Apache-2.0
Requires-Python: >=3.11
Requires-Dist: numpy
"""

WHEEL = """\
Wheel-Version: 1.0
Generator: rondo
Root-Is-Purelib: false
Tag: {tag}
"""


def tag():
    python = "cp" + sysconfig.get_config_var("py_version_nodot")
    return f"{python}-{python}-{sysconfig.get_platform().replace('-', '_').replace('.', '_')}"


def record(name, data):
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(data)}\n"


def make(package, version, out):
    folder = f"rondo-{version}.dist-info"
    files = {
        f"rondo/{path.name}": path.read_bytes()
        for path in sorted((package / "rondo").iterdir())
        if path.suffix in (".py", ".pyi", ".so") or path.name == "py.typed"
    }
    if not any(name.endswith(".so") for name in files):
        sys.exit(f"make_wheel.py: {package}/rondo has no compiled part; build with -DRONDO_PYTHON=ON first")
    files[f"{folder}/METADATA"] = METADATA.format(version=version).encode()
    files[f"{folder}/WHEEL"] = WHEEL.format(tag=tag()).encode()
    lines = "".join(record(name, data) for name, data in files.items())
    files[f"{folder}/RECORD"] = f"{lines}{folder}/RECORD,,\n".encode()
    target = out / f"rondo-{version}-{tag()}.whl"
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as wheel:
        for name, data in files.items():
            # Always the same time, so that the same sources give the same wheel.
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o755 if name.endswith(".so") else 0o644) << 16
            wheel.writestr(entry, data)
    return target


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    out = pathlib.Path(sys.argv[3])
    out.mkdir(parents=True, exist_ok=True)
    print(make(pathlib.Path(sys.argv[1]), sys.argv[2], out))
