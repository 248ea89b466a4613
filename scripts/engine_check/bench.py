# SPDX-License-Identifier: GPL-2.0-only
"""What a case works with: the engine, a target, and calls of fio on them."""
import contextlib
import itertools
import mmap
import os
from pathlib import Path
from typing import Iterator, List, Optional, Tuple

from .fio import Call, Result, options_to_argv

MIB = 1 << 20


class Bench:
    """An engine on a target that may be overwritten."""

    def __init__(self, engine: str, extra: List[str], target: Path,
                 work: Path, program: str = "fio", timeout: float = 60.0):
        self.engine = engine
        self.extra = extra
        self.target = target
        self.work = work
        self.program = program
        self.timeout = timeout
        self.is_file = not target.exists() or target.is_file()
        self.last: List[str] = []
        self._seeds = itertools.count(int.from_bytes(os.urandom(3), "big"))

    @property
    def path(self) -> Optional[Path]:
        """The engine's file; None for one that is built into fio."""
        return Path(self.engine) if "/" in self.engine else None

    def clear(self, size: int) -> None:
        """Zeros on the target, so that nothing old looks right."""
        if self.is_file:
            with open(self.target, "wb") as file:
                for _ in range(size // MIB):
                    file.write(bytes(MIB))
                file.write(bytes(size % MIB))
        elif self.target.is_block_device():
            with self._raw(MIB) as (fd, buffer):
                for offset in range(0, size, MIB):
                    os.pwrite(fd, buffer, offset)

    def content(self, size: int) -> Optional[bytes]:
        """What is on the target, by another way than the engine's."""
        if self.is_file:
            with open(self.target, "rb") as file:
                return file.read(size)
        if not self.target.is_block_device():
            return None
        with self._raw(-(-size // MIB) * MIB) as (fd, buffer):
            os.preadv(fd, [buffer], 0)
            return buffer[:size]

    @contextlib.contextmanager
    def _raw(self, size: int) -> Iterator[Tuple[int, mmap.mmap]]:
        """The device without its cache, which the engine may pass by."""
        fd = os.open(self.target, os.O_RDWR | os.O_DIRECT)
        try:
            with mmap.mmap(-1, size) as buffer:
                yield fd, buffer
        finally:
            os.close(fd)

    def argv(self, **options: object) -> List[str]:
        """fio's command line; a seed of its own makes old data wrong."""
        name = str(options.pop("name", "check"))
        options.setdefault("filename", str(self.target).replace(":", "\\:"))
        options.setdefault("randseed", next(self._seeds))
        options.setdefault("thread", True)
        return [self.program, f"--name={name}", f"--ioengine={self.engine}",
                *self.extra, *options_to_argv(options)]

    def start(self, argv: List[str], timeout: Optional[float] = None) -> Call:
        """Begin a call; its line is what a failure names."""
        self.last = argv
        return Call(argv, self.work, timeout or self.timeout)

    def run(self, **options: object) -> Result:
        """One call of fio with one job."""
        return self.start(self.argv(**options)).wait()
