# SPDX-License-Identifier: GPL-2.0-only
"""What a case works with: the engine, a target, and calls of fio on them."""
import itertools
import os
from pathlib import Path
from typing import List, Optional

from .fio import Call, Result, options_to_argv
from .medium import MIB, File, Medium

__all__ = ["MIB", "Bench"]


class Bench:
    """An engine on a target that may be overwritten."""

    def __init__(self, engine: str, extra: List[str], target: Path,
                 medium: Medium, work: Path, program: str = "fio",
                 timeout: float = 60.0):
        self.engine = engine
        self.extra = extra
        self.target = target
        self.work = work
        self.program = program
        self.timeout = timeout
        self.medium = medium
        self.last: List[str] = []
        self._seeds = itertools.count(int.from_bytes(os.urandom(3), "big"))

    @property
    def path(self) -> Optional[Path]:
        """The engine's file; None for one that is built into fio."""
        return Path(self.engine) if "/" in self.engine else None

    @property
    def is_file(self) -> bool:
        """As opposed to a device."""
        return isinstance(self.medium, File)

    def clear(self, size: int) -> None:
        """Zeros on the target, so that nothing old looks right."""
        self.medium.clear(size)

    @property
    def block(self) -> int:
        """Bytes that the target takes at least, at multiples of them."""
        return self.medium.block

    def content(self, size: int) -> bytes:
        """What is on the target, by another way than the engine's."""
        return self.medium.content(size)

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
