# SPDX-License-Identifier: GPL-2.0-only
"""May this block device be written? Nothing overrides these refusals."""
import os
from typing import Callable, Dict, List, Optional

from .blockdev import Device, System, probe_signature
from .errors import refuse

Probe = Callable[[str], Dict[str, str]]
_MEMBERS = {
    "LVM2_member": "an LVM physical volume",
    "linux_raid_member": "a member of an md array",
    "zfs_member": "a member of a ZFS pool",
    "bcache": "a bcache device",
}


def _uses_of(system: System, one: Device, target: str) -> List[str]:
    """Reasons why this one device is in use."""
    what = target if one.name == os.path.basename(target) \
        else f"{one.name}, which shares its space,"
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


def uses(system: System, device: Device, path: str) -> List[str]:
    """Why the device is in use, one sentence part each; [] if it is free."""
    found: List[str] = []
    for one in _family(system, device):
        found += _uses_of(system, one, path)
    return found


def membership(path: str, probe: Probe = probe_signature) -> Optional[str]:
    """The set that the device belongs to even while that is not running."""
    return _MEMBERS.get(probe(path).get("TYPE", ""))


def losses(system: System, device: Device, path: str,
           probe: Probe = probe_signature) -> List[str]:
    """What writing destroys, as far as signatures tell."""
    found = []
    tree = [] if device.parent else system.partitions(device)
    places = [(path, device.name)] + [
        (os.path.join(os.path.dirname(path), one.name), one.name)
        for one in tree]
    for place, name in places:
        signature = probe(place)
        label = signature.get("LABEL")
        if "TYPE" in signature:
            found.append(f"{signature['TYPE']} on {name}"
                         + (f" (label {label!r})" if label else ""))
        elif "PTTYPE" in signature:
            found.append(f"the {signature['PTTYPE']} partition table of "
                         f"{name}")
    return found


def open_exclusive(path: str) -> int:
    """Claim the device so that nobody mounts it meanwhile; returns the fd."""
    try:
        return os.open(path, os.O_RDONLY | os.O_EXCL | os.O_CLOEXEC)
    except OSError as err:
        raise refuse(f"{path} will not be written: the kernel does not give "
                     f"it exclusively ({err.strerror}), so something uses "
                     "it") from err


def check_consent(path: str, devno: str, named: Optional[str],
                  system: System) -> None:
    """Writing a device needs its name a second time."""
    if named is None:
        raise refuse(
            f"the chosen profiles overwrite {path}; if everything on it may "
            f"be lost, add: --destroy-data-on {path}")
    if system.rdev(named) != devno:
        raise refuse(f"--destroy-data-on names {named}, but the target is "
                     f"{path}: both must be the same device")


def check_writable(system: System, device: Device, path: str,
                   probe: Probe = probe_signature) -> None:
    """Refuse a device that is in use, read-only or part of a set."""
    reasons = uses(system, device, path)
    if device.read("ro") == "1" or device.disk.read("ro") == "1":
        reasons.append(f"{path} is read-only")
    if reasons:
        raise refuse(f"{path} will not be written: {'; '.join(reasons)}")
    for one in _family(system, device):
        place = path if one is device else os.path.join(
            os.path.dirname(path), one.name)
        member = membership(place, probe)
        if member:
            raise refuse(
                f"{path} will not be written: {place} is {member}; if that "
                f"is no longer needed, remove it with: wipefs -a {place}")
