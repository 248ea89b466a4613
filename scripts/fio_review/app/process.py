# SPDX-License-Identifier: GPL-2.0-only
"""Programs of an application: several at once, as another user, all ended."""
import os
import shutil
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Callable, List, Optional, Tuple

from .. import fio
from ..errors import system_error
from ..units import MIB
from ..verdict import NoResult
from .account import Account

# Of a log only its end is looked at for a reason.
_TAIL_BYTES = 1 << 16
# Lines that say why, in the words of the programs that are run here.
_COMPLAINTS = ("FATAL", "[ERROR]", "ERROR:", "error:", "PANIC", "fatal")
Progress = Callable[[float], None]


@dataclass(frozen=True)
class Job:
    """A program, and where its output goes."""
    call: fio.Call
    log: Path
    directory: Path
    account: Optional[Account] = None
    # Descriptors that it inherits: locks, and directories of sockets.
    fds: Tuple[int, ...] = ()

    @property
    def name(self) -> str:
        return os.path.basename(self.call.argv[0])


def find(program: str, package: str, *places: str) -> str:
    """A program's path; names the Debian package where it is missing."""
    found = shutil.which(program, path=":".join((*places, fio.PATH)))
    if not found:
        raise system_error(f"{program} is not installed; on Debian and "
                           f"Ubuntu: apt install {package}")
    return found


def version(program: str) -> str:
    """The first line that it prints of itself."""
    try:
        done = subprocess.run(
            [program, "--version"], stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=20,
            env=fio.Call([]).environment, check=False)
    except (OSError, subprocess.TimeoutExpired) as err:
        raise system_error(f"{program} cannot be run: {err}") from err
    lines = done.stdout.decode(errors="replace").strip().splitlines()
    return lines[0] if lines else "unknown version"


def start(job: Job, out: BinaryIO) -> subprocess.Popen:
    """Start it in a session of its own; it dies with this process."""
    out.write(f"$ {job.call.shell()}\n".encode("utf-8", "surrogateescape"))
    out.flush()
    who = {} if job.account is None else {
        "user": job.account.uid, "group": job.account.gid,
        "extra_groups": []}
    try:
        return subprocess.Popen(
            job.call.argv, env=job.call.environment, cwd=job.directory,
            stdin=subprocess.DEVNULL, stdout=out, stderr=out,
            start_new_session=True, pass_fds=job.fds,
            # Called after the change of user, which would undo it.
            preexec_fn=fio.die_with_parent(os.getpid()), **who)
    except (OSError, subprocess.SubprocessError) as err:
        raise system_error(f"{job.call.argv[0]} cannot be run: {err}"
                           ) from err


def _wait(running: List[subprocess.Popen], seconds: float,
          on_tick: Optional[Progress]) -> bool:
    """Wait for all of them; False when the time is up."""
    begun = time.monotonic()
    for process in running:
        while True:
            left = begun + seconds - time.monotonic()
            if left <= 0:
                return False
            try:
                process.wait(min(fio.TICK_SECONDS, left))
                break
            except subprocess.TimeoutExpired:
                if on_tick:
                    on_tick(time.monotonic() - begun)
    return True


def said(log: Path) -> List[str]:
    """The last lines of a log, without the command."""
    try:
        with open(log, "rb") as text:
            text.seek(max(0, log.stat().st_size - _TAIL_BYTES))
            lines = text.read().decode(errors="replace").splitlines()
    except OSError:
        return []
    return [one.strip() for one in lines
            if one.strip() and not one.startswith("$ ")]


def complaint(log: Path) -> str:
    """Why it failed, in its own words; empty where it has none."""
    lines = said(log)
    for line in lines:
        if any(word in line for word in _COMPLAINTS):
            return ": " + line[:200]
    return ": " + lines[-1][:200] if lines else ""


def check(job: Job, code: Optional[int]) -> None:
    """NoResult for a program that did not end well."""
    if job.log.stat().st_size > fio.MAX_PRINTED:
        raise NoResult(f"{job.name} printed more than "
                       f"{fio.MAX_PRINTED // MIB} MiB")
    if code is None:
        raise NoResult(f"{job.name} did not end within "
                       f"{job.call.timeout_s:.0f} s and was stopped")
    if code < 0:
        raise NoResult(f"{job.name} was killed by signal {-code}")
    if code:
        raise NoResult(f"{job.name} ended with exit code {code}"
                       + complaint(job.log))


def run_all(jobs: List[Job], on_tick: Optional[Progress] = None) -> None:
    """Run them at the same time, to the end of all; NoResult if one fails.
    """
    running: List[subprocess.Popen] = []
    logs: List[BinaryIO] = []
    try:
        for job in jobs:
            logs.append(open(job.log, "wb"))
            running.append(start(job, logs[-1]))
        ended = _wait(running, max(one.call.timeout_s for one in jobs),
                      on_tick)
        codes = [one.poll() for one in running]
    finally:
        with fio.undisturbed():
            for process in running:
                fio.stop(process)
        for log in logs:
            log.close()
    for job, code in zip(jobs, codes):
        if ended or code is not None:
            check(job, code)
    for job, code in zip(jobs, codes):
        check(job, code)
