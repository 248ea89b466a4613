# SPDX-License-Identifier: GPL-2.0-only
"""resident.py FOLDER: files of this machine that cases open again and again.

An archive (cpio, newc) of them for the guest's memory, below FOLDER. Over 9p
it takes longer to open a file than to read it, and fio alone opens sixty
libraries for each job.
"""
import os
import re
import shutil
import stat
import subprocess
import sys
from pathlib import Path
from typing import BinaryIO, Iterator, Set

TREE = Path(__file__).resolve().parents[2]
PROGRAMS = ("awk", "bash", "cat", "cmp", "cp", "cut", "fio", "grep", "head",
            "kmod", "ls", "mkdir", "modprobe", "mv", "nvme", "pgrep", "python3",
            "readlink", "rm", "sed", "sleep", "sort", "stat", "tail",
            "timeout", "tr")
# Where these are links, each way to a library leads through one.
ROOT_LINKS = ("/bin", "/lib", "/lib64", "/sbin")
OTHERS = ("/etc/ld.so.cache", "/usr/share/locale/locale.alias",
          "/usr/lib/x86_64-linux-gnu/gconv/gconv-modules.cache",
          *map(str, Path("/usr/lib/locale/C.utf8").rglob("*")))
LARGE = 16 << 20  # data of which little is read, as that of ICU


def _programs() -> Iterator[str]:
    """Programs, and the libraries that they are linked with."""
    paths = [path for path in map(shutil.which, PROGRAMS) if path]
    done = subprocess.run(["ldd", *paths], stdout=subprocess.PIPE, text=True,
                          stderr=subprocess.DEVNULL, check=False)
    yield from paths
    yield from re.findall(r"(/\S+) \(0x", done.stdout)


def _modules() -> Iterator[str]:
    """Python's own modules that the tools of the tree import, compiled."""
    sys.path.insert(0, str(TREE / "scripts"))
    import engine_check.cli  # noqa: F401
    import fio_review.cli  # noqa: F401
    for module in list(sys.modules.values()):
        path = getattr(module, "__cached__", None)
        if not path or not os.path.exists(path):
            path = getattr(module, "__file__", None)
        if path and TREE not in Path(path).parents:
            yield path


def _with_ways(path: str) -> Iterator[str]:
    """A file, the links that lead to it, and their folders, outer ones first."""
    while True:
        path = os.path.join(os.path.realpath(os.path.dirname(path)),
                            os.path.basename(path))
        yield from map(str, reversed(Path(path).parents[:-1]))
        yield path
        if not os.path.islink(path):
            return
        path = os.path.join(os.path.dirname(path), os.readlink(path))


def _entry(out: BinaryIO, name: str, mode: int, data: bytes = b"") -> None:
    """The format is that of the kernel's buffer-format.rst."""
    encoded = os.fsencode(name) + b"\0"
    fields = (0, mode, 0, 0, 1, 0, len(data), 0, 0, 0, 0, len(encoded), 0)
    head = b"070701" + b"".join(b"%08X" % field for field in fields) + encoded
    for part in (head, data):
        out.write(part + bytes(-len(part) % 4))


def _put(out: BinaryIO, folder: str, path: str) -> None:
    status = os.lstat(path)
    if stat.S_ISLNK(status.st_mode):
        data = os.fsencode(os.readlink(path))
    elif stat.S_ISREG(status.st_mode) and status.st_size <= LARGE:
        data = Path(path).read_bytes()
    elif stat.S_ISDIR(status.st_mode):
        data = b""
    else:
        return
    _entry(out, folder + path, status.st_mode, data)


def main() -> None:
    """Writes the archive to the standard output."""
    folder, out = sys.argv[1], sys.stdout.buffer
    done: Set[str] = set()
    _entry(out, folder, stat.S_IFDIR | 0o755)
    links = filter(os.path.islink, ROOT_LINKS)
    others = filter(os.path.exists, OTHERS)
    for first in (*links, *others, *_programs(), *_modules()):
        for path in _with_ways(first):
            if path not in done:
                done.add(path)
                _put(out, folder, path)
    _entry(out, "TRAILER!!!", 0)


if __name__ == "__main__":
    main()
