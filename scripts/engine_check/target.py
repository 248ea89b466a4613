# SPDX-License-Identifier: GPL-2.0-only
"""What check-engine may write to: a new file, or a device named twice."""
import os
import re
import stat
from pathlib import Path
from typing import Optional

from fio_review.blockdev import System
from fio_review.errors import refuse
from fio_review.safety import check_consent, check_writable

from .medium import BlockDevice, ExtendedBlocks, File, Medium


def _block_of(path: str) -> str:
    """The block device behind NVMe's or SCSI's character device."""
    name = os.path.basename(os.path.realpath(path))
    generic = re.fullmatch(r"ng(\d+n\d+)", name)
    if generic:
        return f"/dev/nvme{generic[1]}"
    if re.fullmatch(r"sg\d+", name):
        disks = Path("/sys/class/scsi_generic", name, "device", "block")
        if disks.is_dir():
            return "/dev/" + os.listdir(disks)[0]
    raise refuse(f"{path} is a character device that belongs to no disk")


def _admit_device(path: str, block: str, consent: Optional[str]) -> None:
    system = System()
    devno = system.rdev(block)
    device = system.device(devno) if devno else None
    if device is None or devno is None:
        raise refuse(f"{block} is no block device that the kernel knows")
    if consent is None:
        raise refuse(f"the beginning of {path} would be overwritten; if "
                     "everything on it may be lost, add: "
                     f"--destroy-data-on {path}")
    if consent == path:
        consent = block
    check_consent(block, devno, consent, system)
    check_writable(system, device, block)


def choose(asked: str, consent: Optional[str], work: Path) -> Path:
    """The target: in folder asked, a new file, or a device."""
    path = Path(os.path.abspath(asked))
    if not path.exists():
        if not path.parent.is_dir():
            raise refuse(f"{path.parent} is no folder")
        return path
    mode = path.stat().st_mode
    if stat.S_ISDIR(mode):
        return work / "target"
    if stat.S_ISBLK(mode):
        _admit_device(str(path), str(path), consent)
    elif stat.S_ISCHR(mode):
        _admit_device(str(path), _block_of(str(path)), consent)
    else:
        raise refuse(f"{path} exists already and would be overwritten")
    return path


def medium_of(target: Path) -> Medium:
    """How to look at what choose() returned."""
    if not target.exists() or target.is_file():
        return File(target)
    path = str(target)
    block = BlockDevice(path if target.is_block_device() else _block_of(path))
    return block if block.size else ExtendedBlocks(path)
