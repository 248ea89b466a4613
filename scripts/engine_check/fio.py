# SPDX-License-Identifier: GPL-2.0-only
"""One call of fio that is limited in time, and what came of it."""
import json
import os
import re
import shlex
import signal
import subprocess
import time
import uuid
from pathlib import Path
from typing import Callable, Dict, List, Optional

GRACE_SECONDS = 3.0
_KILLED = re.compile(r"got signal=(\d+)|AddressSanitizer|core dumped")


class Failed(Exception):
    """The engine did something wrong: a sentence."""


class Skipped(Exception):
    """This cannot be checked here: the reason."""


class Result:
    """The end of a call: status, text and fio's JSON, None if absent."""

    def __init__(self, argv: List[str], code: int, text: str,
                 document: Optional[dict], timed_out: bool):
        self.argv = argv
        self.code = code
        self.text = text
        self.document = document
        self.timed_out = timed_out

    @property
    def jobs(self) -> List[dict]:
        """fio's jobs; [] if it wrote none."""
        return (self.document or {}).get("jobs", [])

    @property
    def errors(self) -> List[int]:
        """The error of each job that has one."""
        return [job["error"] for job in self.jobs if job.get("error")]

    def total(self, direction: str, key: str) -> int:
        """A number of one direction, summed over the jobs."""
        return sum(job[direction][key] for job in self.jobs)

    def check_alive(self) -> "Result":
        """Neither a hang nor a crash, whatever else happened."""
        if self.timed_out:
            raise Failed("hangs: fio did not end in time and was killed")
        killed = _KILLED.search(self.text)
        if killed or self.code < 0:
            raise Failed("crashes: " + (killed.group(0) if killed else
                                        f"fio died of signal {-self.code}"))
        return self

    def check_good(self, whole: bool = True) -> "Result":
        """All jobs did I/O, all of it whole, without an error."""
        self.check_alive()
        if self.code or self.errors or not self.jobs:
            raise Failed(f"fio fails (status {self.code}, error "
                         f"{self.errors or 'none'}): {self.complaint()}")
        for job in self.jobs:
            one = [job[name] for name in ("read", "write", "trim")]
            if not sum(part["total_ios"] for part in one):
                raise Failed("a job did no I/O at all, and no error was told")
            short = sum(part.get("short_ios", 0) for part in one)
            if short and whole:
                raise Failed(f"{short} I/Os came back short")
        return self

    def complaint(self) -> str:
        """The line of fio's text that says most."""
        lines = [line.strip() for line in self.text.splitlines()
                 if line.strip()]
        for word in ("verify:", "error=", "rror", "fio:"):
            for line in lines:
                if word in line:
                    return line[:200]
        return lines[0][:200] if lines else "no message"


def members(mark: str) -> List[int]:
    """Living processes with this mark in their environment.

    fio puts each forked job into a session of its own, and it outlives fio.
    """
    found = []
    for entry in os.listdir("/proc"):
        if not entry.isdigit():
            continue
        try:
            environment = Path("/proc", entry, "environ").read_bytes()
            stat = Path("/proc", entry, "stat").read_text(errors="replace")
        except OSError:
            continue
        if mark.encode() in environment and \
                stat.rpartition(")")[2].split()[0] not in "ZX":
            found.append(int(entry))
    return found


def first_document(text: str) -> Optional[dict]:
    """The JSON in fio's output, which may have messages around it."""
    start = text.find("{\n")
    try:
        return json.JSONDecoder(strict=False).raw_decode(text, start)[0] \
            if start >= 0 else None
    except json.JSONDecodeError:
        return None


class Call:
    """A fio at work, with all that it forks."""

    def __init__(self, argv: List[str], work: Path, timeout: float):
        self.argv = argv
        self.timeout = timeout
        self._json = work / "fio.json"
        self._log = work / "fio.log"
        self._json.unlink(missing_ok=True)
        self._started = time.monotonic()
        self._mark = f"CHECK_ENGINE_CALL={uuid.uuid4()}"
        name, _, value = self._mark.partition("=")
        with open(self._log, "wb") as log:
            self.process = subprocess.Popen(
                argv + ["--output-format=json", f"--output={self._json}"],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                cwd=work, start_new_session=True,
                env={**os.environ, "LC_ALL": "C", name: value})

    @property
    def seconds(self) -> float:
        """Time since the start."""
        return time.monotonic() - self._started

    def signal_all(self, number: int) -> None:
        """To every process of the call."""
        for pid in members(self._mark):
            try:
                os.kill(pid, number)
            except ProcessLookupError:
                pass

    def wait(self, watch: Optional[Callable[[int], None]] = None) -> Result:
        """Until it ends or its time is over; then nothing of it is left."""
        timed_out = False
        while self.process.poll() is None:
            if self.seconds > self.timeout:
                timed_out = True
                self.signal_all(signal.SIGKILL)
                self.process.wait()
                break
            if watch:
                watch(self.process.pid)
            time.sleep(0.02)
        self.check_nothing_left()
        text = self._log.read_text(errors="replace")
        output = self._json.read_text(errors="replace") \
            if self._json.exists() else ""
        return Result(self.argv, self.process.returncode,
                      text + output.partition("{\n")[0],
                      first_document(output), timed_out)

    def check_nothing_left(self) -> None:
        """Waits a little for children, then they are a failure."""
        end = time.monotonic() + GRACE_SECONDS
        while members(self._mark):
            if time.monotonic() > end:
                self.signal_all(signal.SIGKILL)
                raise Failed("leaves processes behind after fio has ended")
            time.sleep(0.02)


def shown(argv: List[str]) -> str:
    """The call as a line for a shell."""
    return " ".join(shlex.quote(one) for one in argv)


def options_to_argv(options: Dict[str, object]) -> List[str]:
    """{"bs": 512, "thread": True} to --bs=512 --thread=1."""
    return [f"--{name}={int(value) if isinstance(value, bool) else value}"
            for name, value in options.items() if value is not None]
