# SPDX-License-Identifier: GPL-2.0-only
"""A program that is asked about a drive: bounded in time and in output.

Nothing that it does may stop a run, and one that hangs is not waited for.
"""
import contextlib
import os
import resource
import shutil
import signal
import subprocess
import tempfile
from pathlib import Path
from typing import Callable, List, Optional, Tuple

from . import fio

# Such a program waits for a drive that sleeps; more than this, and it hangs.
TIMEOUT_S = 30.0
MAX_OUTPUT = 4 << 20


class NoAnswer(Exception):
    """The program told nothing; says why in one sentence part."""


def find(name: str) -> Optional[str]:
    """The program's path; None where there is none."""
    return shutil.which(name) or shutil.which(name, path=fio.PATH)


def _limits(parent: int) -> Callable[[], None]:
    die = fio.die_with_parent(parent)

    def prepare() -> None:
        die()
        # The hard limit stays: the runner's own may be lower.
        _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        room = MAX_OUTPUT if hard == resource.RLIM_INFINITY \
            else min(MAX_OUTPUT, hard)
        resource.setrlimit(resource.RLIMIT_FSIZE, (room, hard))
    return prepare


def _kill(process: subprocess.Popen) -> None:
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def _call(argv: List[str], out: int) -> int:
    process = subprocess.Popen(
        argv, env={"PATH": fio.PATH, "LC_ALL": "C"}, stdout=out,
        stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        start_new_session=True, preexec_fn=_limits(os.getpid()))
    try:
        return process.wait(TIMEOUT_S)
    finally:
        _kill(process)
        # One that hangs in the kernel stays, and is not waited for.
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(1)


def ask(argv: List[str], place: Path) -> Tuple[int, bytes]:
    """The program's exit status and output; NoAnswer if it does not end.

    The output grows in a file without a name in place: what is to be hidden
    in it is nowhere to be found, even if the runner is killed.
    """
    try:
        with tempfile.TemporaryFile(dir=place) as out:
            code = _call(argv, out.fileno())
            out.seek(0)
            return code, out.read(MAX_OUTPUT)
    except subprocess.TimeoutExpired:
        raise NoAnswer(f"no answer within {TIMEOUT_S:g} s") from None
    except OSError as err:
        raise NoAnswer(err.strerror or "input/output error") from None
