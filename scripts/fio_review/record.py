# SPDX-License-Identifier: GPL-2.0-only
"""What tools say of the drive before and after a run, kept as they say it."""
import json
from pathlib import Path
from typing import Any, Dict, Iterator, List, Optional, Tuple

from . import link, smartdata, tool
from .blockdev import System
from .observer import Observer
from .progress import Progress
from .redact import Redactor
from .store import write_whole
from .target import Target

Row = Dict[str, Any]
DIRECTORY = "device"
_NVME = ("id-ctrl", "id-ns", "smart-log")
_PACKAGES = {"nvme": "nvme-cli", "lsblk": "util-linux"}


def units_written(document: Any) -> Optional[int]:
    """Bytes that hosts have written, by nvme-cli's smart-log."""
    said = document.get("data_units_written") \
        if isinstance(document, dict) else None
    # It writes what may not fit into a double as text.
    text = str(said)
    if isinstance(said, (int, str)) and text.isdecimal() and len(text) < 30:
        return int(text) * smartdata.NVME_UNIT
    return None


class Record(Observer):
    """The record of the disk under the target, in RUN/device."""

    def __init__(self, directory: Path, run: Row, target: Target,
                 progress: Progress, system: System,
                 redactor: Optional[Redactor] = None):
        self.directory = directory / DIRECTORY
        self.run = run
        self.progress = progress
        self.redactor = redactor
        self.disk = target.device.disk if target.device else None
        self.system = system
        self.begun = False

    @property
    def _kept(self) -> Row:
        if not self.run.get("device"):
            self.run["device"] = {"files": [], "missing": [], "warnings": [],
                                  "written": {"before": None, "after": None}}
        return self.run["device"]

    def _questions(self) -> Iterator[Tuple[str, List[str]]]:
        """Names of files, and the calls whose answers they hold."""
        assert self.disk
        node = self.disk.node
        yield "lsblk", ["lsblk", "-J", "-O", node]
        if self.disk.name.startswith("nvme"):
            for verb in _NVME:
                yield verb, ["nvme", verb, node, "-o", "json"]

    def _answer(self, argv: List[str]) -> Tuple[bytes, Any]:
        program = tool.find(argv[0])
        if not program:
            raise tool.NoAnswer("it is not installed (package "
                                f"{_PACKAGES[argv[0]]})")
        code, said = tool.ask([program, *argv[1:]], self.directory)
        if code:
            raise tool.NoAnswer(f"it ends with status {code}")
        try:
            document = json.loads(said.decode("utf-8", "replace"))
        except (ValueError, RecursionError):
            raise tool.NoAnswer("what it prints is no JSON") from None
        return (self.redactor.json(said) if self.redactor else said), document

    def _keep(self, when: str, name: str, argv: List[str]) -> None:
        final = self.directory / f"{when}-{name}.json"
        row = f"{DIRECTORY}/{final.name}"
        # A resumed run keeps what was before it all.
        if when == "before" and final.exists():
            return
        said, document = self._answer(argv)
        write_whole(final, said)
        if row not in self._kept["files"]:
            self._kept["files"].append(row)
        if name == "smart-log":
            self._kept["written"][when] = units_written(document)

    def _take(self, when: str) -> None:
        assert self.disk
        # Its node may be another device's by now, or lie elsewhere.
        if self.system.rdev(self.disk.node) != self.disk.devno:
            self._miss(f"{self.disk.node} is not the node of "
                       f"{self.disk.name}")
            return
        self.directory.mkdir(exist_ok=True)
        for name, argv in self._questions():
            try:
                self._keep(when, name, argv)
            except tool.NoAnswer as why:
                self._miss(f"{' '.join(argv[:2])}: {why}"
                           if argv[0] == "nvme" else f"{argv[0]}: {why}")

    def _miss(self, why: str) -> None:
        """Said once, however often it is missed."""
        if why not in self._kept["missing"]:
            self._kept["missing"].append(why)
            self.progress.line(f"device     not recorded: {why}", "yellow")

    def _warn_of_link(self) -> None:
        found = link.of_disk(self.disk) if self.disk else None
        if found and found.lower:
            text = f"the PCIe link of {self.disk.name} is at {found.words()}" \
                if self.disk else ""
            self.progress.warn(text)
            if text not in self._kept["warnings"]:
                self._kept["warnings"].append(text)

    def before_point(self, name: str, last: Optional[str]) -> None:
        """Take the record once, before anything is done to the drive."""
        if self.begun or not self.disk:
            return
        self.begun = True
        self._warn_of_link()
        self._take("before")

    def end(self) -> None:
        """Take it again."""
        if self.begun:
            self._take("after")
