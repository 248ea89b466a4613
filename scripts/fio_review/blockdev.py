# SPDX-License-Identifier: GPL-2.0-only
"""What the kernel says of block devices: /sys, mounts and swap.

The roots of /proc and /sys can be replaced, so that the safety rules can be
tested against machines that are not there.
"""
import os
import re
import stat
from dataclasses import dataclass, field
from pathlib import Path
from typing import Callable, Iterator, List, NamedTuple, Optional, Tuple

_OCTAL = re.compile(rb"\\([0-3][0-7]{2})")


def unescape(text: str) -> str:
    """Undo the octal escapes of /proc/mounts, mountinfo and swaps."""
    raw = _OCTAL.sub(lambda match: bytes([int(match[1], 8)]),
                     text.encode("utf-8", "surrogateescape"))
    return raw.decode("utf-8", "surrogateescape")


def rdev_of(path: str) -> Optional[str]:
    """"MAJ:MIN" of the block device at path; None if it is none."""
    try:
        info = os.stat(path)
    except (OSError, ValueError):
        return None
    if not stat.S_ISBLK(info.st_mode):
        return None
    return f"{os.major(info.st_rdev)}:{os.minor(info.st_rdev)}"


def file_id(path: str) -> Optional[Tuple[int, int]]:
    """(device, inode) of the file at path; None if there is none."""
    try:
        info = os.stat(path)
    except (OSError, ValueError):
        return None
    return info.st_dev, info.st_ino


class Mount(NamedTuple):
    """One line of mountinfo."""
    devno: str
    point: str
    fstype: str
    source: str


@dataclass(frozen=True)
class Device:
    """A disk or a partition, by its directory in /sys."""
    name: str
    devno: str
    dir: Path
    parent: Optional["Device"] = None

    @property
    def disk(self) -> "Device":
        """The whole disk: of a partition its parent."""
        return self.parent or self

    def read(self, attribute: str) -> Optional[str]:
        """An attribute's text; None where the kernel has none."""
        try:
            text = (self.dir / attribute).read_text(errors="replace").strip()
        except OSError:
            return None
        return text or None

    def event(self, key: str) -> Optional[str]:
        """A value that the kernel announced the device with."""
        for line in (self.read("uevent") or "").splitlines():
            name, _, value = line.partition("=")
            if name == key:
                return value
        return None

    @property
    def node(self) -> str:
        """Its node by the kernel's name; a user's own may lie elsewhere."""
        return "/dev/" + (self.event("DEVNAME") or self.name)

    def names_in(self, directory: str) -> List[str]:
        """Names in a directory of the device such as holders."""
        try:
            return sorted(os.listdir(self.dir / directory))
        except OSError:
            return []


@dataclass
class System:
    """The kernel's view, with replaceable roots."""
    proc: Path = Path("/proc")
    sys: Path = Path("/sys")
    rdev: Callable[[str], Optional[str]] = field(default=rdev_of)
    file_id: Callable[[str], Optional[Tuple[int, int]]] = field(
        default=file_id)

    def device(self, devno: str) -> Optional[Device]:
        """The device with this number; None for nfs, tmpfs and the like."""
        link = self.sys / "dev" / "block" / devno
        if not link.exists():
            return None
        place = link.resolve()
        if not (place / "partition").exists():
            return Device(place.name, devno, place)
        up = place.parent
        number = (up / "dev").read_text().strip()
        return Device(place.name, devno, place, Device(up.name, number, up))

    def partitions(self, disk: Device) -> List[Device]:
        """The partitions of a whole disk."""
        found = []
        for place in sorted(disk.dir.iterdir()):
            if (place / "partition").exists():
                number = (place / "dev").read_text().strip()
                found.append(Device(place.name, number, place, disk))
        return found

    def loops(self) -> Iterator[Tuple[Device, str]]:
        """Every loop device that is set up, and what it lies on."""
        for place in sorted((self.sys / "block").glob("loop*")):
            one = Device(place.name, "", place.resolve())
            below = one.read("loop/backing_file")
            if below:
                yield one, below

    def _lines(self, name: str) -> List[str]:
        try:
            return (self.proc / name).read_text(
                errors="surrogateescape").splitlines()
        except OSError:
            return []

    def mounts(self) -> List[Mount]:
        """All mounts that this process sees."""
        found = []
        for line in self._lines("self/mountinfo"):
            left, _, right = line.partition(" - ")
            before, after = left.split(" "), right.split(" ")
            if len(before) >= 5 and len(after) >= 2:
                found.append(Mount(before[2], unescape(before[4]), after[0],
                                   unescape(after[1])))
        return found

    def mount_of(self, path: str) -> Optional[Mount]:
        """The mount that holds path."""
        best = None
        for one in self.mounts():
            inside = path == one.point or path.startswith(
                one.point.rstrip("/") + "/")
            # Later lines cover earlier ones at the same point.
            if inside and (best is None or len(one.point) >= len(best.point)):
                best = one
        return best

    def mounted_at(self, devno: str) -> Optional[str]:
        """Where the device is mounted; None if it is not."""
        for one in self.mounts():
            # btrfs and others show a number of their own: look at the source.
            if one.devno == devno or (one.source.startswith("/")
                                      and self.rdev(one.source) == devno):
                return one.point
        return None

    def is_swap(self, devno: str) -> bool:
        """Is the device used as swap space?"""
        return any(self.rdev(unescape(line.split()[0])) == devno
                   for line in self._lines("swaps")[1:] if line.split())
