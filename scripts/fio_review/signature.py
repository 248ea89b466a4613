# SPDX-License-Identifier: GPL-2.0-only
"""What is on a block device, as blkid tells by its signatures."""
import os
import subprocess
from typing import Dict, Optional

from .errors import refuse

Signature = Dict[str, str]
_NOTHING_FOUND, _AMBIVALENT = 2, 8
_MEMBERS = {
    "LVM2_member": "an LVM physical volume",
    "linux_raid_member": "a member of an md array",
    "zfs_member": "a member of a ZFS pool",
    "bcache": "a bcache device",
    "ceph_bluestore": "a Ceph BlueStore device",
    "mpath_member": "a path of a multipath device",
}


def _run_blkid(path: str) -> "subprocess.CompletedProcess[bytes]":
    unknown = f"{path} will not be written: what is on it is not known, as "
    try:
        return subprocess.run(
            ["blkid", "-p", "-o", "export", path], stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=20,
            check=False, env={"PATH": "/usr/sbin:/sbin:/usr/bin:/bin",
                              "LC_ALL": "C"})
    except FileNotFoundError as err:
        raise refuse(f"{unknown}blkid is not installed (package util-linux)"
                     ) from err
    except OSError as err:
        raise refuse(f"{unknown}blkid cannot be run ({err.strerror})"
                     ) from err
    except subprocess.TimeoutExpired as err:
        raise refuse(f"{unknown}blkid does not end") from err


def _check_readable(path: str) -> None:
    """blkid finds nothing, without a word, on what it cannot read."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        try:
            os.pread(fd, 4096, 0)
        finally:
            os.close(fd)
    except OSError as err:
        raise refuse(f"{path} will not be written: what is on it is not "
                     f"known, as it cannot be read ({err.strerror})") from err


def probe(path: str) -> Signature:
    """TYPE, PTTYPE, LABEL, USAGE of the device; {} for nothing.

    Refuses where blkid gives no clear answer: no answer is no permission.
    """
    _check_readable(path)
    done = _run_blkid(path)
    said = done.stderr.decode(errors="replace").strip()
    if done.returncode == _NOTHING_FOUND and not said:
        return {}
    if done.returncode == _AMBIVALENT:
        raise refuse(f"{path} will not be written: it has the signatures of "
                     "several things at once (wipefs lists them); if none is "
                     f"needed, remove them with: wipefs -a {path}")
    if done.returncode:
        why = said.splitlines()[0][:200] if said else \
            f"it ended with exit code {done.returncode}"
        raise refuse(f"{path} will not be written: blkid cannot tell what is "
                     f"on it ({why})")
    rows = (line.partition("=") for line in
            done.stdout.decode(errors="replace").splitlines())
    return {key: value for key, equals, value in rows if equals}


def membership(found: Signature) -> Optional[str]:
    """The set that a device belongs to even while that is not running."""
    kind = found.get("TYPE", "")
    if kind in _MEMBERS:
        return _MEMBERS[kind]
    if found.get("USAGE") == "raid":
        return f"a member of a set of disks ({kind})"
    return None
