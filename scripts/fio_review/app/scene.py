# SPDX-License-Identifier: GPL-2.0-only
"""What an application works with, and what it has to offer."""
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Dict, Iterator, List, Optional

from ..progress import Progress
from ..units import show_span
from . import process
from .account import Account
from .place import Place

Row = Dict[str, Any]
# Beyond the time that was asked for: until a program is stopped as hung.
GRACE_SECONDS = 120.0


@dataclass
class Scene:
    """Where an application runs, and with what options."""
    options: Row
    place: Place
    # In the run directory: what the programs printed.
    raw: Path
    fio: str
    user: Optional[str]
    progress: Progress


class Application:
    """One application; a subclass fills in what it is."""

    name = ""
    account: Optional[Account] = None

    def __init__(self, scene: Scene):
        self.scene = scene
        self.options = scene.options

    @property
    def folder(self) -> Path:
        """Its data on the drive."""
        return self.scene.place.folder(self.name)

    def check(self) -> None:
        """Find all programs, before anything is written."""
        raise NotImplementedError

    def version(self) -> str:
        """What is measured with."""
        raise NotImplementedError

    def need(self) -> int:
        """Bytes on the drive, about."""
        raise NotImplementedError

    def plan(self) -> Iterator[str]:
        """What it is going to do."""
        raise NotImplementedError

    def rows(self) -> List[Row]:
        """Its results, yet to be measured: id, title, method."""
        raise NotImplementedError

    def prepare(self) -> None:
        """Make the data, unless an earlier start has made them."""
        raise NotImplementedError

    def measure(self, row: Row) -> Row:
        """Measure one row; gives metrics, instances and files."""
        raise NotImplementedError

    def close(self) -> None:
        """End what prepare() has started."""

    def log(self, name: str) -> Path:
        """A file for what a program prints."""
        return self.scene.raw / f"{name}.txt"

    def file_name(self, path: Path) -> str:
        """A raw file as run.json names it."""
        return f"app/{self.name}/{path.name}"

    def run(self, what: str, jobs: List[process.Job], seconds: float = 0
            ) -> None:
        """Run programs to their end and show that they are at work."""
        def tick(passed: float) -> None:
            of = f" of {show_span(seconds)}" if seconds else ""
            self.scene.progress.update(
                f"{self.name}: {what}, {show_span(passed)}{of}")
        try:
            process.run_all(jobs, tick)
        finally:
            self.scene.progress.clear()
