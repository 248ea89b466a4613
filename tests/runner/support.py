# SPDX-License-Identifier: GPL-2.0-only
"""What several tests of the runner need."""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any, Dict, List, Optional

TOP = Path(__file__).resolve().parents[2]
SCRIPTS = TOP / "scripts"
RUNNER = SCRIPTS / "fio-review"
JOBFILES = TOP / "jobfiles"
FIO = shutil.which("fio")
# The ones with few threads: starting 128 of them takes the longest here.
READ = "four-corners/64k-sequential-read"
WRITE = "four-corners/64k-sequential-write"

sys.path.insert(0, str(SCRIPTS))


def built_engine(name: str) -> Optional[str]:
    """The file of an engine of the tree; None where it was not built."""
    named = os.environ.get("ENGINES")
    places = [Path(named)] if named else TOP.glob("build*/engines")
    built = [place / f"{name}.so" for place in places
             if (place / f"{name}.so").exists()]
    newest = max(built, key=lambda one: one.stat().st_mtime, default=None)
    return str(newest) if newest else None


needs_fio = unittest.skipUnless(FIO, "fio is not installed")

# Passes on all that is not a measuring call; the behaviour under test follows.
FAKE_HEAD = f"""#!/bin/sh
case "$*" in
*--version*|*--enghelp*|*--parse-only*|*--name=fill*) exec {FIO} "$@";;
esac
for one in "$@"; do
	case "$one" in --output=*) out=${{one#--output=}};; esac
done
"""


class TempCase(unittest.TestCase):
    """A test with a directory of its own on a real file system."""

    def setUp(self) -> None:
        # /var/tmp and not /tmp, which may be in memory.
        self.dir = Path(tempfile.mkdtemp(prefix="fio-review-", dir="/var/tmp"))
        self.addCleanup(shutil.rmtree, self.dir, True)

    def fake_fio(self, behaviour: str) -> str:
        """A fio that answers as the real one but measures like this."""
        path = self.dir / "fake-fio"
        path.write_text(FAKE_HEAD + behaviour)
        path.chmod(0o755)
        return str(path)


def arguments(target: Any, out: Any, *more: str) -> List[str]:
    """A short run's command line; later options win."""
    return [str(RUNNER), "run", "--target", str(target), "--out", str(out),
            "--profiles", READ, "--size", "16M", "--runtime", "300ms",
            "--ramp", "0", "--points", "50", *more]


def run(argv: List[str], **more: Any) -> subprocess.CompletedProcess:
    """Run a command to its end and take what it says."""
    return subprocess.run(argv, stdin=subprocess.DEVNULL, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          timeout=60, check=False, **more)


def load_run(directory: Path) -> Dict[str, Any]:
    """run.json of a run directory."""
    return json.loads((directory / "run.json").read_text())


def write_file(path: Path, size: int) -> None:
    """A fully written file."""
    with open(path, "wb") as out:
        for _ in range(size >> 20):
            out.write(os.urandom(1 << 20))
        out.flush()
        os.fsync(out.fileno())
