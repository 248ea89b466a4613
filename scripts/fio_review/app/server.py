# SPDX-License-Identifier: GPL-2.0-only
"""A server of ours: ready or failed with its own words, stopped or killed.

It is reached by a socket in its own folder, never by TCP. The folder's
path may be longer than the name of a socket can be, or hold what an option
file takes for something else, so programs get the folder as a descriptor and
name things through it.
"""
import os
import signal
import socket
import subprocess
import time
from pathlib import Path
from typing import BinaryIO, Callable, List, Optional

from .. import fio
from ..verdict import NoResult
from . import process
from .account import Account

_TICK_SECONDS = 0.1
# It may have to recover what an interruption has left.
START_SECONDS = 600.0
_STOP_SECONDS = 600.0


class Folder:
    """A server's folder, which it and its clients inherit."""

    def __init__(self, path: Path, account: Optional[Account]):
        self.path = path
        self.account = account
        self.fd = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)

    def __str__(self) -> str:
        """Its path for whoever has the descriptor."""
        return f"/proc/self/fd/{self.fd}"

    def make(self, name: str) -> Path:
        """A folder in it that is the server's."""
        path = self.path / name
        path.mkdir(0o700, exist_ok=True)
        if self.account:
            self.account.give(path)
        return path

    def close(self) -> None:
        if self.fd >= 0:
            os.close(self.fd)
            self.fd = -1


def answers(path: str) -> bool:
    """Does a server listen on the socket?"""
    with socket.socket(socket.AF_UNIX) as one:
        try:
            one.connect(path)
        except OSError:
            return False
    return True


class Server:
    """One server process."""

    def __init__(self, job: process.Job, ready: Callable[[], bool],
                 stop_signal: int = signal.SIGTERM):
        self.job = job
        self._ready = ready
        self._stop_signal = stop_signal
        self._process: Optional[subprocess.Popen] = None
        self._log: Optional[BinaryIO] = None

    def start(self) -> None:
        """Start it; wait_ready() says when it answers."""
        self._log = open(self.job.log, "wb")
        self._process = process.start(self.job, self._log)

    def wait_ready(self) -> None:
        """NoResult, in its own words, if it does not come up."""
        end = time.monotonic() + START_SECONDS
        while not self._ready():
            self.check()
            if time.monotonic() > end:
                raise NoResult(f"{self.job.name} does not answer after "
                               f"{START_SECONDS:.0f} s")
            time.sleep(_TICK_SECONDS)

    def check(self) -> None:
        """NoResult if it has ended by itself."""
        code = self._process.poll() if self._process else -1
        if code is not None:
            raise NoResult(f"{self.job.name} ended with exit code {code}"
                           + process.complaint(self.job.log))

    def _stop_politely(self) -> None:
        """An interruption here leaves the rest to stop()."""
        assert self._process
        if self._process.poll() is not None:
            return
        self._process.send_signal(self._stop_signal)
        try:
            self._process.wait(_STOP_SECONDS)
        except subprocess.TimeoutExpired:
            pass

    def stop(self, politely: bool = True) -> None:
        """End it, and all that it has started."""
        try:
            if self._process and politely:
                self._stop_politely()
        finally:
            with fio.undisturbed():
                if self._process:
                    fio.stop(self._process)
                    self._process = None
                if self._log:
                    self._log.close()
                    self._log = None


class Database:
    """A database server and its data in a folder, which exists."""

    def __init__(self, path: Path, account: Optional[Account],
                 log: Callable[[str], Path], lock_fd: int):
        self.folder = Folder(path, account)
        self._log = log
        self._fds = (self.folder.fd, lock_fd)
        self._server: Optional[Server] = None

    def _job(self, argv: List[str], log: str) -> process.Job:
        return process.Job(fio.Call(argv, {}, START_SECONDS), self._log(log),
                           self.folder.path, self.folder.account, self._fds)

    def check(self) -> None:
        """NoResult if the server has died."""
        assert self._server
        self._server.check()

    def close(self, politely: bool) -> None:
        """Stop the server."""
        if self._server:
            self._server.stop(politely)
        self.folder.close()
