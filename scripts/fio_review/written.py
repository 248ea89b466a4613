# SPDX-License-Identifier: GPL-2.0-only
"""How much a run has written, by several counts, and what share that is of
the endurance that the drive is rated for.
"""
from typing import Any, Dict, Optional

from . import facts, runfile
from .observer import Observer
from .target import Target
from .units import show_size

Row = Dict[str, Any]
_SECTOR = 512
# Position of "sectors written" in a block device's stat (kernel's stat.rst).
_FIELD = 6


def _number(value: Any) -> Optional[int]:
    # run.json may have been edited; a bool is an int to Python.
    return value if type(value) is int else None


def _moved(first: Any, last: Any) -> Optional[int]:
    before, after = _number(first), _number(last)
    # A drive's count never falls; one that does was not read right.
    return after - before if before is not None and after is not None \
        and after >= before else None


def by_fio(run: Row) -> int:
    """Bytes by fio's own results: without ramps and failed points."""
    total = (run["filled"] or {}).get("bytes", 0)
    for _, point in runfile.points(run):
        if point["state"] == "done":
            total += _number(point.get("written_bytes")) or 0
    for row in run["profiles"]:
        for one in (row.get("precondition") or {}).get("rounds", []):
            total += _number(one.get("written_bytes")) or 0
    return total


def by_drive(run: Row) -> Optional[int]:
    """Bytes by SMART: smartctl's answers, else nvme-cli's."""
    smart = run.get("smart") or {}
    found = _moved((smart.get("first") or {}).get("written"),
                   (smart.get("last") or {}).get("written"))
    if found is not None:
        return found
    seen = (run.get("device") or {}).get("written") or {}
    return _moved(seen.get("before"), seen.get("after"))


class Written(Observer):
    """Adds up what the kernel wrote to a device, and sums up at the end."""

    def __init__(self, run: Row, target: Target):
        self.run = run
        # Of a file it is the whole disk's count, and not the run's.
        self._device = target.device if target.is_device else None
        self._before: Optional[int] = None

    def _sectors(self) -> Optional[int]:
        cells = ((self._device.read("stat") if self._device else None)
                 or "").split()
        return int(cells[_FIELD]) if len(cells) > _FIELD \
            and cells[_FIELD].isdecimal() else None

    @property
    def _kept(self) -> Row:
        if not self.run.get("written"):
            self.run["written"] = {
                "by_fio_bytes": 0, "by_kernel_bytes": None,
                "by_drive_bytes": None, "tbw_bytes": None, "share": None}
        return self.run["written"]

    def before_point(self, name: str, last: Optional[str]) -> None:
        """Where the kernel's count stands."""
        self._before = self._sectors()

    def after_point(self, name: str) -> None:
        """How far it has come."""
        moved = _moved(self._before, self._sectors())
        if moved is not None:
            self._kept["by_kernel_bytes"] = moved * _SECTOR + (
                self._kept["by_kernel_bytes"] or 0)

    def end(self) -> None:
        """Sum up, and tell the reader."""
        kept = self._kept
        kept["by_fio_bytes"] = by_fio(self.run)
        kept["by_drive_bytes"] = by_drive(self.run)
        kept["tbw_bytes"] = self.run["options"].get("tbw")
        counts = [(words, kept[f"{name}_bytes"]) for name, words in (
            ("by_drive", "the drive's own count"),
            ("by_kernel", "the kernel's count"), ("by_fio", "fio's count"))]
        # A drive counts in units that may be large, and fio leaves out the
        # ramps: the largest is the nearest.
        words, count = max((one for one in counts if one[1] is not None),
                           key=lambda one: one[1])
        kept["share"] = count / kept["tbw_bytes"] if kept["tbw_bytes"] \
            else None
        facts.put(self.run["facts"], "target.written",
                  f"{show_size(count)} by {words}")
        if kept["share"] is not None:
            facts.put(self.run["facts"], "target.endurance",
                      f"{kept['share']:.3%} of the rated "
                      f"{kept['tbw_bytes'] / 1e12:g} TB")
