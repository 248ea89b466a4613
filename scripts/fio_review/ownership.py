# SPDX-License-Identifier: GPL-2.0-only
"""Is this the file that the run made? Asked before it is written or removed.

Device and inode number do not say so: a file system hands the inode of a
removed file to the next one that is made.
"""
import ctypes
import errno
import os
import secrets
import stat
import struct
from pathlib import Path
from typing import Any, Dict, Optional

MARK = "user.fio_review"
_NO_XATTR = (errno.ENOTSUP, errno.ENOSYS)
_LIBC = ctypes.CDLL(None, use_errno=True)
_AT_EMPTY_PATH, _STATX_BTIME, _STATX_BYTES = 0x1000, 0x800, 256
_BTIME_OFFSET = 0x50
Made = Dict[str, Any]


def birth_time(fd: int) -> Optional[str]:
    """When the file came into being; None where nobody knows."""
    if not hasattr(_LIBC, "statx"):
        return None
    buf = ctypes.create_string_buffer(_STATX_BYTES)
    if _LIBC.statx(fd, b"", _AT_EMPTY_PATH, _STATX_BTIME, buf):
        return None
    mask, = struct.unpack_from("=I", buf)
    if not mask & _STATX_BTIME:
        return None
    seconds, nanoseconds = struct.unpack_from("=qI", buf, _BTIME_OFFSET)
    return f"{seconds}.{nanoseconds:09d}"


def _mark(fd: int) -> Optional[str]:
    token = secrets.token_hex(16)
    try:
        os.setxattr(fd, MARK, token.encode())
    except OSError:
        return None
    return token


def record(fd: int, path: str, size: int) -> Made:
    """Mark a file just made; returns what tells it from any other."""
    info = os.fstat(fd)
    return {"path": path, "dev": info.st_dev, "inode": info.st_ino,
            "size": size, "token": _mark(fd), "birth": birth_time(fd)}


def _same(fd: int, made: Made) -> bool:
    info = os.fstat(fd)
    if (info.st_dev, info.st_ino) != (made["dev"], made["inode"]) \
            or not stat.S_ISREG(info.st_mode):
        return False
    # The file system decides which proof is asked for, and not the record.
    try:
        return os.getxattr(fd, MARK).decode() == made["token"]
    except UnicodeDecodeError:
        return False
    except OSError as err:
        if err.errno not in _NO_XATTR:
            return False
    birth = birth_time(fd)
    if birth is not None:
        return birth == made["birth"]
    return info.st_size == made["size"]


def same_file(path: str, made: Made) -> bool:
    """Is the file at path the one that was made?"""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK
                     | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        return _same(fd, made)
    finally:
        os.close(fd)


def remove(path: str, made: Made) -> bool:
    """Remove the file that this run made, and no other."""
    if not same_file(path, made):
        return False
    Path(path).unlink()
    return True
