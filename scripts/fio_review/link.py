# SPDX-License-Identifier: GPL-2.0-only
"""How a disk is attached: its PCI Express link, and the processor beside it.
"""
import re
from pathlib import Path
from typing import Iterator, NamedTuple, Optional

from .blockdev import Device


class Link(NamedTuple):
    """Speeds in GT/s a lane, and numbers of lanes."""
    speed: float
    width: int
    max_speed: float
    max_width: int

    @property
    def lower(self) -> bool:
        """Is it less than what device and slot can do?"""
        return self.speed < self.max_speed or self.width < self.max_width

    def words(self) -> str:
        """The link for a reader."""
        now = f"{self.speed:g} GT/s x{self.width}"
        return f"{now}, below its maximum of {self.max_speed:g} GT/s " \
               f"x{self.max_width}" if self.lower else now


def _above(disk: Device) -> Iterator[Path]:
    """The directories that the disk hangs below, the nearest first."""
    yield from disk.dir.parents
    # Of a drive with several paths the controllers lie elsewhere.
    for one in sorted(disk.dir.glob("device/nvme[0-9]*")):
        yield from one.resolve().parents


def _nearest(disk: Device, attribute: str) -> Optional[Device]:
    for place in _above(disk):
        one = Device(place.name, "", place)
        if one.read(attribute):
            return one
    return None


def _number(place: Device, attribute: str) -> Optional[float]:
    match = re.match(r"(\d{1,4}(?:\.\d{1,3})?)(?![\d.])",
                     place.read(attribute) or "")
    # 0 and 255 lanes mean that the device does not tell.
    value = float(match[1]) if match else 0
    return value if 0 < value < 255 else None


def of_disk(disk: Device) -> Optional[Link]:
    """The link of a disk's controller; None where none is told of."""
    place = _nearest(disk, "current_link_speed")
    if not place:
        return None
    speed, width, max_speed, max_width = (
        _number(place, f"{which}_link_{what}") for which in ("current", "max")
        for what in ("speed", "width"))
    if not (speed and width and max_speed and max_width):
        return None
    return Link(speed, int(width), max_speed, int(max_width))


def numa_node(disk: Device) -> Optional[str]:
    """The number of the node that the disk hangs at; None if it has none."""
    place = _nearest(disk, "numa_node")
    node = place.read("numa_node") if place else None
    return node if node and node.isdecimal() else None
