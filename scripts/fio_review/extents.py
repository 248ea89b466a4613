# SPDX-License-Identifier: GPL-2.0-only
"""Is a file really on the medium? Asks the file system for its extents.

Reads of holes and of reserved but unwritten blocks never reach the device, so
a curve measured on them is fiction.
"""
import errno
import fcntl
import os
import struct
from typing import Iterator, List, NamedTuple, Optional

FS_IOC_FIEMAP = 0xC020660B
FLAG_SYNC = 0x1
LAST = 0x1
ENCRYPTED = 0x80
_HEAD = struct.Struct("=QQLLLL")
_EXTENT = struct.Struct("=QQQQQLLLL")
_BATCH = 256
_BAD = (
    (0x4, "data that the file system has not placed yet (delayed allocation)"),
    (0x200, "data stored inside the inode (inline)"),
    (0x400, "data packed together with other files (tail)"),
    (0x800, "blocks that are reserved but unwritten (fallocate); reads of "
            "them never reach the device"),
    (0x2000, "blocks shared with another file (reflink or snapshot)"),
)
_ENCODED = 0x8


class Extent(NamedTuple):
    """A run of bytes of the file."""
    start: int
    length: int
    flags: int


class Unsupported(Exception):
    """The file system cannot say where a file's data lie."""


def read_extents(fd: int) -> Iterator[Extent]:
    """All extents in order, after the file system has written its delays."""
    start = 0
    while True:
        buf = bytearray(_HEAD.size + _BATCH * _EXTENT.size)
        _HEAD.pack_into(buf, 0, start, (1 << 64) - 1 - start, FLAG_SYNC, 0,
                        _BATCH, 0)
        try:
            fcntl.ioctl(fd, FS_IOC_FIEMAP, buf)
        except OSError as err:
            if err.errno in (errno.EOPNOTSUPP, errno.ENOTTY, errno.EINVAL):
                raise Unsupported(err.strerror) from err
            raise
        count = _HEAD.unpack_from(buf)[3]
        flags = LAST
        for i in range(count):
            row = _EXTENT.unpack_from(buf, _HEAD.size + i * _EXTENT.size)
            start, flags = row[0] + row[2], row[5]
            yield Extent(row[0], row[2], flags)
        if flags & LAST:
            return


def _flag_fault(flags: int) -> Optional[str]:
    if flags & _ENCODED and not flags & ENCRYPTED:
        return "compressed data"
    for bit, words in _BAD:
        if flags & bit:
            return words
    return None


def find_fault(extents: List[Extent], size: int) -> Optional[str]:
    """Why the first size bytes are no fit target; None if they are."""
    end = 0
    for one in sorted(extents):
        if one.start >= size:
            break
        if one.start > end:
            break
        words = _flag_fault(one.flags)
        if words:
            return f"it has {words} at byte {one.start}"
        end = max(end, one.start + one.length)
    if end < size:
        return f"it has a hole at byte {end} (sparse file)"
    return None


def check(path: str, size: int) -> Optional[str]:
    """Why the file's first size bytes are no fit target; None if they are.

    Raises Unsupported where the file system cannot tell.
    """
    fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        return find_fault(list(read_extents(fd)), size)
    finally:
        os.close(fd)
