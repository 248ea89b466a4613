# SPDX-License-Identifier: GPL-2.0-only
"""The run directory: run.json, its lock, and files that appear only whole."""
import contextlib
import fcntl
import json
import os
from pathlib import Path
from typing import Any, Dict

from . import runcheck
from .errors import bad_input, refuse, system_error
from .runfile import FORMAT

RUN_FILE = "run.json"
LOCK_FILE = ".lock"
# What a start may leave that ended before it had written run.json.
_LEFT_OVER = (LOCK_FILE, RUN_FILE + ".part")


def _sync_directory(directory: Path) -> None:
    fd = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def publish(part: Path, final: Path) -> None:
    """Give a complete file its final name, durably."""
    fd = os.open(part, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)
    os.replace(part, final)
    _sync_directory(final.parent)


def write_whole(path: Path, content: bytes) -> None:
    """Write a file that a reader sees whole, as it was or as it is now."""
    part = path.with_name(path.name + ".part")
    try:
        part.write_bytes(content)
        publish(part, path)
    finally:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)


def write_json(path: Path, value: Dict[str, Any]) -> None:
    """Replace a JSON file so that a reader sees the old or the new one."""
    text = json.dumps(value, indent=2, ensure_ascii=False) + "\n"
    try:
        # A path that is not UTF-8 must not make the file unreadable.
        write_whole(path, text.encode("utf-8", "replace"))
    except OSError as err:
        raise system_error(f"{path} cannot be written: "
                           f"{err.strerror}") from err


class Store:
    """A run directory that this process has locked."""

    def __init__(self, directory: Path):
        self.directory = directory
        self.path = directory / RUN_FILE
        self._lock = -1

    def create(self) -> None:
        """Make the directory; refuse one that holds anything."""
        if self.path.exists():
            raise refuse(f"{self.directory} already holds a run; continue it "
                         "with --resume, or name another --out")
        if self.directory.exists() and not self.directory.is_dir():
            raise refuse(f"--out {self.directory} is not a directory")
        if self.directory.is_dir() and any(
                one.name not in _LEFT_OVER for one in self.directory.iterdir()):
            raise refuse(f"{self.directory} is not empty and holds no run; "
                         "name another --out")
        try:
            self.directory.mkdir(parents=True, exist_ok=True)
        except OSError as err:
            raise system_error(f"{self.directory} cannot be made: "
                               f"{err.strerror}") from err
        self.lock()

    def lock(self) -> None:
        """Keep a second runner out for as long as this one lives."""
        try:
            self._lock = os.open(self.directory / LOCK_FILE,
                                 os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as err:
            raise refuse(f"another fio-review is at work in "
                         f"{self.directory}") from err
        except OSError as err:
            raise system_error(f"{self.directory} cannot be locked: "
                               f"{err.strerror}") from err

    def abandon(self) -> None:
        """Take a run away in which nothing has begun."""
        # What cannot be removed does no harm.
        with contextlib.suppress(OSError):
            for name in (RUN_FILE, *_LEFT_OVER):
                (self.directory / name).unlink(missing_ok=True)
            self.directory.rmdir()

    def release(self) -> None:
        """Let go of the lock."""
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1

    def load(self) -> Dict[str, Any]:
        """run.json as it is, of our format; nothing else is checked."""
        try:
            value = json.loads(self.path.read_text(encoding="utf-8"))
        except FileNotFoundError as err:
            several = any(self.directory.glob(f"*/{RUN_FILE}"))
            raise refuse(
                f"{self.directory} holds " +
                ("several runs: call again as for the first time, with "
                 "--resume added" if several
                 else "no run to resume")) from err
        except OSError as err:
            raise bad_input(f"{self.path} cannot be read: {err.strerror}"
                            ) from err
        except (ValueError, RecursionError) as err:
            raise bad_input(f"{self.path} is damaged: {err}") from err
        if not isinstance(value, dict) or value.get("format") != FORMAT:
            raise bad_input(f"{self.path} is not a run of format {FORMAT}")
        return value

    def read(self) -> Dict[str, Any]:
        """run.json of a run of profiles that is to be continued."""
        value = self.load()
        if value.get("applications"):
            raise refuse(f"{self.directory} holds results of applications; "
                         "they go on by the same call of fio-review app")
        runcheck.check_types(value, self.path)
        return value

    def write(self, run: Dict[str, Any]) -> None:
        """Replace run.json."""
        write_json(self.path, run)

    def discard_parts(self) -> None:
        """Remove what a killed runner left half-written."""
        for part in self.directory.rglob("*.part"):
            part.unlink()
