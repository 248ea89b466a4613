# SPDX-License-Identifier: GPL-2.0-only
"""The target: what it is, how it is named to fio, creating and probing it."""
import errno
import mmap
import os
import re
import stat
import tempfile
from dataclasses import dataclass
from typing import Optional, Tuple

from . import extents, ownership
from .blockdev import Device, System
from .errors import refuse, system_error
from .units import GIB, MIB, parse_size, show_size

FILE, BLOCK = "file", "block device"
DEFAULT_FILE_SIZE = GIB
# The reviews measure a partition of a quarter of the capacity.
DEFAULT_DEVICE_PERCENT = 25
_KINDS = ((stat.S_ISDIR, "a directory"), (stat.S_ISCHR, "a character device"),
          (stat.S_ISFIFO, "a pipe"), (stat.S_ISSOCK, "a socket"))
UNCHECKED = ("not checked: the file system does not tell whether the data are "
             "on a drive")
# fio ends an option at # and ;, and runs its $words through bc in a shell.
_FIO_CANNOT = ("#", ";", "$ncpus", "$mb_memory", "$pagesize", "${")


# What a name stands for: a device's number, or a file's device and inode.
Key = Optional[Tuple[int, ...]]


@dataclass
class Target:
    """A place to measure, named by its real path."""
    path: str
    kind: str
    exists: bool
    capacity: int
    devno: str
    device: Optional[Device]
    asked_path: str
    key: Key = None

    @property
    def is_device(self) -> bool:
        return self.kind == BLOCK

    @property
    def fio_name(self) -> str:
        """The path as fio's filename option wants it: ':' separates files."""
        return self.path.replace(":", "\\:")


def check_name(path: str) -> None:
    """Refuse a name that fio's option parser cannot be given."""
    try:
        path.encode("utf-8")
    except UnicodeEncodeError:
        raise refuse(f"the name of the target is not UTF-8: "
                     f"{path.encode('utf-8', 'backslashreplace').decode()}"
                     ) from None
    if any(ord(one) < 32 or ord(one) == 127 for one in path):
        raise refuse(f"the name of the target holds a control character: "
                     f"{path!r}")
    for bad in _FIO_CANNOT:
        if bad in path:
            raise refuse(f"fio cannot be given a file name with {bad!r} in "
                         f"it: {path!r}")
    if path != path.rstrip():
        raise refuse(f"fio cannot be given a file name that ends in a blank: "
                     f"{path!r}")


def _check_new(path: str, system: System) -> str:
    """A file yet to be made: its directory must exist and be no /dev."""
    parent = os.path.dirname(path)
    if not os.path.isdir(parent):
        raise refuse(f"there is no directory {parent}")
    mount = system.mount_of(parent)
    if mount and mount.fstype == "devtmpfs" or parent == "/dev":
        raise refuse(f"there is no device {path}, and a file is not made in "
                     f"{parent}")
    info = os.stat(parent)
    return f"{os.major(info.st_dev)}:{os.minor(info.st_dev)}"


def _device_size(path: str, device: Optional[Device]) -> int:
    """The capacity, without opening a device that may be in use."""
    sectors = device.read("size") if device else None
    if not sectors or not sectors.isdecimal():
        raise system_error(f"{path}: /sys does not tell its capacity")
    return int(sectors) * 512


def resolve(asked: str, system: System) -> Target:
    """What stands at the path; symlinks are followed and then named."""
    path = os.path.realpath(asked)
    check_name(path)
    try:
        info = os.stat(path)
    except FileNotFoundError:
        devno = _check_new(path, system)
        return Target(path, FILE, False, 0, devno, system.device(devno), asked)
    except OSError as err:
        raise system_error(f"{path}: {err.strerror}") from err
    via = "" if os.path.abspath(asked) == path else f" (through {asked})"
    for is_kind, words in _KINDS:
        if is_kind(info.st_mode):
            raise refuse(f"{path}{via} is {words}; the target must be a "
                         "regular file or a block device")
    block = stat.S_ISBLK(info.st_mode)
    number = info.st_rdev if block else info.st_dev
    devno = f"{os.major(number)}:{os.minor(number)}"
    device = system.device(devno)
    size = _device_size(path, device) if block else info.st_size
    key = (info.st_rdev,) if block else (info.st_dev, info.st_ino)
    return Target(path, BLOCK if block else FILE, True, size, devno, device,
                  asked, key)


def region_size(target: Target, asked: Optional[str]) -> int:
    """The bytes to measure, from offset 0, a whole number of MiB.

    Sequential profiles stride over 1 MiB and wrap cleanly only then.
    """
    if target.is_device and not target.capacity:
        raise refuse(f"{target.path} has no capacity: nothing is attached")
    if target.is_device:
        asked = asked or f"{DEFAULT_DEVICE_PERCENT}%"
    percent = re.fullmatch(r"(\d{1,9})%", asked or "")
    if percent:
        if not target.exists:
            raise refuse("a size in percent needs a target that exists")
        size = target.capacity * int(percent[1]) // 100
    elif asked:
        size = parse_size(asked)
    else:
        size = target.capacity if target.exists else DEFAULT_FILE_SIZE
    if target.exists and size > target.capacity:
        raise refuse(f"{target.path} has {show_size(target.capacity)}, "
                     f"less than the {show_size(size)} asked for")
    if size < MIB:
        raise refuse(f"a region of {size} bytes is too small: at least 1 MiB "
                     "is needed")
    return size // MIB * MIB


def check_space(path: str, size: int) -> None:
    """Refuse before writing what the file system cannot hold."""
    info = os.statvfs(os.path.dirname(path))
    free = info.f_bavail * info.f_frsize
    need = size + size // 20
    if free < need:
        raise system_error(
            f"{os.path.dirname(path)} has {show_size(free)} free, but "
            f"{show_size(need)} are needed; choose a smaller --size")


def create(path: str, size: int) -> ownership.Made:
    """Make the file new; an existing one is never taken over.

    It gets its length at once: fio removes a shorter file and makes a new one,
    which would not be the one that was made exclusively.
    """
    try:
        fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC,
                     0o600)
    except OSError as err:
        raise system_error(f"{path} cannot be made: {err.strerror}") from err
    try:
        made = ownership.record(fd, path, size)
        set_length(path, size)
        return made
    finally:
        os.close(fd)


def set_length(path: str, size: int) -> None:
    """Give the file its length, again where somebody has cut it."""
    try:
        os.truncate(path, size)
    except OSError as err:
        raise system_error(f"{path} cannot be given {show_size(size)}: "
                           f"{err.strerror}") from err


def fill_state(path: str, size: int) -> str:
    """Words on how far the file is known to be written; refuses an unfit one.
    """
    try:
        fault = extents.check(path, size)
    except extents.Unsupported:
        return UNCHECKED
    except OSError as err:
        raise system_error(f"{path}: {err.strerror}") from err
    if fault:
        raise refuse(f"{path} is no fit target: {fault}; reads would be "
                     "answered without the device. Name a new file and it "
                     "will be written fully")
    return "fully written, every block checked to be on the medium"


def _opens_direct(path: str) -> bool:
    try:
        fd = os.open(path, os.O_RDONLY | os.O_DIRECT | os.O_CLOEXEC)
    except OSError as err:
        if err.errno == errno.EINVAL:
            return False
        raise system_error(f"{path} cannot be opened: {err.strerror}") from err
    page = mmap.mmap(-1, 4096)
    try:
        os.preadv(fd, [page], 0)
        return True
    except OSError:
        return False
    finally:
        page.close()
        os.close(fd)


def takes_direct(target: Target) -> bool:
    """Does the target accept O_DIRECT? For a new file a nameless one is asked.
    """
    if target.exists:
        return _opens_direct(target.path)
    parent = os.path.dirname(target.path)
    try:
        with tempfile.TemporaryFile(dir=parent) as probe:
            return _opens_direct(f"/proc/self/fd/{probe.fileno()}")
    except OSError as err:
        raise system_error(f"no file can be made in {parent}: "
                           f"{err.strerror}") from err
