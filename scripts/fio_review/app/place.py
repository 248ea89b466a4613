# SPDX-License-Identifier: GPL-2.0-only
"""The directory on the drive under test, and what of it is ours.

A marker file says so. It names itself as ownership.py does, so that a copy of
it does not make another directory ours.
"""
import contextlib
import fcntl
import json
import os
import shutil
import time
from pathlib import Path
from typing import Any, Dict

from .. import ownership
from ..blockdev import System
from ..errors import refuse, system_error
from ..store import write_json
from ..target import FILE, Target
from ..units import show_size

MARKER = ".fio-review-app"
PREPARED = "prepared.json"
# What mkfs itself puts into an empty file system.
_FOREIGN = ("lost+found",)
# No drive is behind these.
_NOT_DRIVES = ("tmpfs", "ramfs", "devtmpfs", "proc", "sysfs", "cgroup",
               "cgroup2", "hugetlbfs", "efivarfs", "securityfs", "debugfs",
               "tracefs", "configfs", "bpf", "mqueue", "devpts")
# Servers of a runner that was killed end by themselves, but take their time.
_PATIENCE_SECONDS, _TICK_SECONDS = 20.0, 0.1
# Shares of what is asked for: journals, metadata, logs of a server.
_SPARE = 1.1


def resolve(asked: str, out: Path, system: System) -> Target:
    """The directory as a target, for the facts; refuses what is none."""
    path = os.path.realpath(asked)
    try:
        info = os.stat(path)
    except OSError as err:
        raise refuse(f"--dir {path}: {err.strerror}; name a directory on the "
                     "drive to be measured") from err
    if not os.path.isdir(path):
        raise refuse(f"--dir {path} is not a directory")
    if os.path.commonpath((path, os.path.realpath(out))) == path:
        raise refuse(f"--out {out} lies in {path}, which is measured; name "
                     "another --out")
    mount = system.mount_of(path)
    if mount is None or mount.fstype in _NOT_DRIVES:
        raise refuse(f"{path} is on {mount.fstype if mount else 'nothing'}, "
                     "and there is no drive below it")
    devno = f"{os.major(info.st_dev)}:{os.minor(info.st_dev)}"
    # btrfs and others have a number of their own: the source tells the drive.
    device = system.device(devno) or system.device(
        system.rdev(mount.source) or "none")
    return Target(path, FILE, True, 0, devno, device, asked)


class Place:
    """A directory that this process has locked and may fill."""

    def __init__(self, path: str):
        self.path = Path(path)
        self.lock_fd = -1

    def _is_ours(self) -> bool:
        try:
            made = json.loads((self.path / MARKER).read_text())
            return ownership.same_file(str(self.path / MARKER), made)
        except (OSError, ValueError, KeyError, TypeError):
            return False

    def _is_claimed(self) -> bool:
        """Is it ours already? Refuses one that holds something else."""
        found = [one for one in os.listdir(self.path) if one not in _FOREIGN]
        if MARKER in found and self._is_ours():
            return True
        if found:
            raise refuse(f"{self.path} is neither empty nor made by "
                         "fio-review app; name an empty directory")
        return False

    def check(self, need: int) -> None:
        """Refuse a directory that cannot be used; nothing is written."""
        self._is_claimed()
        info = os.statvfs(self.path)
        free, wanted = info.f_bavail * info.f_frsize, int(need * _SPARE)
        if free < wanted:
            raise system_error(
                f"{self.path} has {show_size(free)} free, but "
                f"{show_size(wanted)} are needed; ask for less data")

    def claim(self) -> None:
        """Make it ours, and keep other runs away."""
        marker = self.path / MARKER
        try:
            if not self._is_claimed():
                fd = os.open(marker, os.O_WRONLY | os.O_CREAT | os.O_EXCL
                             | os.O_CLOEXEC, 0o600)
                with open(fd, "w", encoding="utf-8") as text:
                    json.dump(ownership.record(fd, str(marker), 0), text)
            self.lock_fd = os.open(marker, os.O_RDONLY | os.O_NOFOLLOW
                                   | os.O_CLOEXEC)
        except OSError as err:
            raise system_error(f"{marker}: {err.strerror}") from err
        self._lock()

    def _lock(self) -> None:
        # Servers inherit it: as long as one lives, the data are in use.
        end = time.monotonic() + _PATIENCE_SECONDS
        while True:
            try:
                fcntl.flock(self.lock_fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return
            except BlockingIOError as err:
                if time.monotonic() >= end:
                    raise refuse(f"{self.path} is in use by another "
                                 "fio-review app or a server of it") from err
                time.sleep(_TICK_SECONDS)

    def release(self) -> None:
        """Let go of the lock."""
        if self.lock_fd >= 0:
            os.close(self.lock_fd)
            self.lock_fd = -1

    def folder(self, name: str) -> Path:
        """Where an application has its data."""
        return self.path / name

    def used(self, name: str) -> int:
        """Bytes that an earlier start has left, which are free for this."""
        return sum(one.stat().st_blocks * 512
                   for one in self.folder(name).rglob("*") if one.is_file())

    def prepared(self, name: str, shape: Dict[str, Any]) -> bool:
        """Did an earlier start finish making exactly these data?"""
        try:
            return json.loads(
                (self.folder(name) / PREPARED).read_text()) == shape
        except (OSError, ValueError):
            return False

    def note_prepared(self, name: str, shape: Dict[str, Any]) -> None:
        """Record that the data are whole."""
        write_json(self.folder(name) / PREPARED, shape)

    def forget(self, name: str) -> None:
        """Data that a server does not take are made anew next time."""
        with contextlib.suppress(OSError):
            (self.folder(name) / PREPARED).unlink()

    def clear(self, name: str) -> Path:
        """An empty folder for an application's data."""
        folder = self.folder(name)
        try:
            if os.path.lexists(folder):
                shutil.rmtree(folder)
            folder.mkdir(0o700)
        except OSError as err:
            raise system_error(f"{folder}: {err.strerror}") from err
        return folder

    def remove(self, name: str) -> None:
        """Take an application's data away, and the marker with the last."""
        shutil.rmtree(self.folder(name), ignore_errors=True)
        left = set(os.listdir(self.path)) - {MARKER, *_FOREIGN}
        if not left:
            with contextlib.suppress(OSError):
                (self.path / MARKER).unlink()
