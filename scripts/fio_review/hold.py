# SPDX-License-Identifier: GPL-2.0-only
"""The target during a run: kept from other runs, and from being mounted."""
import fcntl
import os
import time
from typing import Dict, List

from . import safety
from .blockdev import System
from .errors import refuse, system_error
from .target import Target

# udev locks a device for moments while it looks at it.
_PATIENCE_SECONDS, _TICK_SECONDS = 1.0, 0.05


def _lock(fd: int, path: str) -> None:
    end = time.monotonic() + _PATIENCE_SECONDS
    while True:
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except BlockingIOError as err:
            if time.monotonic() >= end:
                raise refuse(f"{path} is locked: another fio-review or "
                             "another program is at work on it") from err
            time.sleep(_TICK_SECONDS)


class Hold:
    """Locks and claims of one target, given back together."""

    def __init__(self, system: System):
        self.system = system
        self._fds: List[int] = []
        self._claimed: List[str] = []

    @property
    def variables(self) -> Dict[str, str]:
        """For fio: an engine that claims its device itself knows by this that
        it was claimed on its behalf."""
        return {"FIO_REVIEW_HOLDS": ",".join(self._claimed)} \
            if self._claimed else {}

    def lock(self, target: Target) -> None:
        """Keep other runs away, also those with a node of their own."""
        path = target.path
        if target.device and target.is_device \
                and self.system.rdev(target.device.node) == target.devno:
            path = target.device.node
        try:
            fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
            self._fds.append(fd)
            _lock(fd, target.path)
        except OSError as err:
            raise system_error(f"{target.path} cannot be locked: "
                               f"{err.strerror}") from err

    def take(self, target: Target, writes: bool) -> None:
        """Lock what stands there; claim a device that will be written."""
        if not target.exists:
            return
        self.lock(target)
        if target.is_device and writes:
            self._fds.append(safety.open_exclusive(target.path,
                                                   target.devno))
            self._claimed.append(target.devno)

    def release(self) -> None:
        """Let go of everything."""
        self._claimed.clear()
        while self._fds:
            os.close(self._fds.pop())
