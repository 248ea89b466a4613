# SPDX-License-Identifier: GPL-2.0-only
"""May this block device be written? Nothing overrides these refusals."""
import os
import stat
from typing import Callable, List, Optional, Tuple

from . import signature
from .blockdev import Device, System
from .errors import refuse

Probe = Callable[[str], signature.Signature]
Below = Tuple[object, ...]


def _uses_of(system: System, one: Device, what: str) -> List[str]:
    """Reasons why this one device is in use."""
    reasons = []
    point = system.mounted_at(one.devno)
    if point is not None:
        reasons.append(f"{what} is mounted at {point}")
    if system.is_swap(one.devno):
        reasons.append(f"{what} is used as swap space")
    holders = one.names_in("holders")
    if holders:
        reasons.append(f"{what} is held by {', '.join(holders)} "
                       "(LVM, md, dm-crypt or another device on top of it)")
    return reasons


def _family(system: System, device: Device) -> List[Device]:
    """The device and all that share its blocks.

    A sibling partition shares the disk but no block, so it is left out.
    """
    if device.parent:
        return [device, device.parent]
    return [device] + system.partitions(device)


def _below(system: System, path: str) -> Below:
    """What a loop device lies on, comparable with that of another."""
    devno = system.rdev(path)
    if devno:
        return ("device", devno)
    # A removed file still has its name here, and no other use can be told.
    return ("file", *(system.file_id(path) or (path,)))


def _loops_on(system: System, below: Below, but: List[str]) -> List[str]:
    """Names of the loop devices on it: the kernel lists no holder for them.
    """
    return [one.name for one, path in system.loops()
            if one.name not in but and _below(system, path) == below]


def _uses_below(system: System, disk: Device, what: str,
                seen: List[str]) -> List[str]:
    """Uses of that on which a loop device lies."""
    path = disk.read("loop/backing_file")
    if not path:
        return []
    below = _below(system, path)
    if below[0] == "device":
        lower = system.device(str(below[1]))
        if lower:
            return _uses(system, lower, path, seen)
        return [f"{what} lies on {path}, which the kernel does not describe"]
    others = _loops_on(system, below, seen)
    return [f"{what} lies on {path}, as does {', '.join(others)}"] \
        if others else []


def _uses(system: System, device: Device, path: str,
          above: List[str]) -> List[str]:
    found: List[str] = []
    seen = above + [device.disk.name]
    if device.disk.name in above:
        return found
    for one in _family(system, device):
        what = path if one is device \
            else f"{one.name}, which shares its space,"
        found += _uses_of(system, one, what)
        loops = _loops_on(system, ("device", one.devno), seen)
        if loops:
            found.append(f"{what} is what {', '.join(loops)} lies on")
    return found + _uses_below(system, device.disk, path, seen)


def uses(system: System, device: Device, path: str) -> List[str]:
    """Why the device is in use, one sentence part each; [] if it is free.

    Loop devices are followed in both directions.
    """
    return _uses(system, device, path, [])


def _node(system: System, one: Device, device: Device, path: str) -> str:
    """The node to look at; refuses one that is not this device's."""
    place = path if one is device else one.node
    if system.rdev(place) != one.devno:
        raise refuse(f"{path} will not be written: {place} is not the node of "
                     f"{one.name}, so what is on it is not known")
    return place


def losses(system: System, device: Device, path: str,
           probe: Probe = signature.probe) -> List[str]:
    """What writing destroys, as far as signatures tell."""
    found = []
    tree = [] if device.parent else system.partitions(device)
    for one in [device, *tree]:
        signs = probe(_node(system, one, device, path))
        label = signs.get("LABEL")
        if "TYPE" in signs:
            found.append(f"{signs['TYPE']} on {one.name}"
                         + (f" (label {label!r})" if label else ""))
        elif "PTTYPE" in signs:
            found.append(f"the {signs['PTTYPE']} partition table of "
                         f"{one.name}")
    return found


def open_exclusive(path: str, devno: str) -> int:
    """Claim the device so that nobody mounts it meanwhile; returns the fd."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_EXCL | os.O_CLOEXEC
                     | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError as err:
        raise refuse(f"{path} will not be written: the kernel does not give "
                     f"it exclusively ({err.strerror}), so something uses "
                     "it") from err
    info = os.fstat(fd)
    number = f"{os.major(info.st_rdev)}:{os.minor(info.st_rdev)}"
    if not stat.S_ISBLK(info.st_mode) or number != devno:
        os.close(fd)
        raise refuse(f"{path} will not be written: it is no longer the device "
                     f"{devno} that was judged")
    return fd


def check_consent(path: str, devno: str, named: Optional[str],
                  system: System) -> None:
    """Writing a device needs its name a second time."""
    if named is None:
        raise refuse(
            f"what was chosen overwrites {path}; if everything on it may "
            f"be lost, add: --destroy-data-on {path}")
    if system.rdev(named) != devno:
        raise refuse(f"--destroy-data-on names {named}, but the target is "
                     f"{path}: both must be the same device")


def check_writable(system: System, device: Device, path: str,
                   probe: Probe = signature.probe) -> None:
    """Refuse a device that is in use, read-only or part of a set."""
    reasons = uses(system, device, path)
    if device.read("ro") == "1" or device.disk.read("ro") == "1":
        reasons.append(f"{path} is read-only")
    if reasons:
        raise refuse(f"{path} will not be written: {'; '.join(reasons)}")
    for one in _family(system, device):
        place = _node(system, one, device, path)
        member = signature.membership(probe(place))
        if member:
            raise refuse(
                f"{path} will not be written: {place} is {member}; if that "
                f"is no longer needed, remove it with: wipefs -a {place}")
