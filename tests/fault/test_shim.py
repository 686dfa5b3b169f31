"""The tests beside this file are worth what shim.c sees. strace sees what the kernel sees: both must count the same."""

import collections
import re
import subprocess
import tempfile
import unittest

import faults
from faults import PROGRAM, Bench
from test_nth import COMMANDS

KIND_OF = {"write": "write", "pwrite64": "write", "writev": "write", "pwritev": "write", "pwritev2": "write",
           "fsync": "sync", "fdatasync": "sync", "sync_file_range": "sync",
           "rename": "rename", "renameat": "rename", "renameat2": "rename", "link": "rename", "linkat": "rename",
           "open": "open", "openat": "open", "creat": "open", "openat2": "open",
           "ftruncate": "resize", "truncate": "resize", "fallocate": "resize",
           "unlink": "unlink", "unlinkat": "unlink", "rmdir": "unlink",
           "sendfile": "copy", "copy_file_range": "copy", "splice": "copy"}


class Shim(unittest.TestCase):
    def test_sees_every_call_that_the_kernel_sees(self):
        if subprocess.run(["strace", "-o", "/dev/null", "true"], capture_output=True).returncode != 0:
            self.skipTest("this machine lets nobody trace")
        with tempfile.TemporaryDirectory(prefix="rondo-shim-") as folder:
            bench = Bench(folder)
            faults.make_collection(bench)
            base = f"{folder}/base"
            subprocess.run(["cp", "-r", bench.work, base], check=True)
            for name, operation in COMMANDS.items():
                subprocess.run(["rm", "-r", bench.work], check=True)
                subprocess.run(["cp", "-r", base, bench.work], check=True)
                operation.prepare(bench)
                bench.keep()
                bench.control.arm(2)
                code, out, error = bench.run(operation.arguments)
                self.assertEqual(code, 0, error)
                counts = bench.control.counts()
                bench.reset()
                log = f"{folder}/strace"
                subprocess.run(["strace", "-f", "-y", "-e", "trace=" + ",".join(KIND_OF), "-o", log, PROGRAM,
                                *operation.arguments], cwd=bench.work, check=True, capture_output=True)
                seen = collections.Counter()
                with open(log, errors="replace") as lines:
                    for line in lines:
                        call = re.match(r"\d+ +(\w+)\((.*)", line)
                        # -y gives a descriptor's path; a name may be relative to the folder.
                        where = call and re.sub(r"AT_FDCWD<[^>]*>, ", "", call[2])
                        if call and KIND_OF[call[1]] in ("write", "sync"):
                            where = where.split(",")[0]
                        if call and re.search(rf'(^|, )(\d*[<"]{bench.work}[/>"]|"[^/])', where):
                            seen[KIND_OF[call[1]]] += 1
                for kind in ["write", "sync", "rename", "open", "resize", "unlink"]:
                    self.assertEqual(counts[kind], seen[kind], f"{kind} of {name}")
                self.assertEqual(seen["copy"], 0)


if __name__ == "__main__":
    unittest.main()
