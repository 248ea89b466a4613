# SPDX-License-Identifier: GPL-2.0-only
"""What is on a target, by another way than the engine's."""
import contextlib
import ctypes
import fcntl
import mmap
import os
import struct
from pathlib import Path
from typing import Iterator, List, Protocol, Tuple

from fio_review.errors import refuse

from .fio import Failed

MIB = 1 << 20
BLKSSZGET = 0x1268
BLKGETSIZE64 = 0x80081272
BLKRESETZONE = 0x40101283


class Medium(Protocol):
    """How a target is emptied and looked at."""

    block: int  # bytes of a logical block, 1 where there is none

    def clear(self, size: int) -> None:
        """Zeros, so that nothing old looks right."""

    def content(self, size: int) -> bytes:
        """The first bytes."""


class File:
    """A file, which need not exist yet."""

    block = 1

    def __init__(self, path: Path):
        self.path = path

    def clear(self, size: int) -> None:
        """A file of zeros, of exactly this size."""
        with open(self.path, "wb") as file:
            for _ in range(size // MIB):
                file.write(bytes(MIB))
            file.write(bytes(size % MIB))

    def content(self, size: int) -> bytes:
        """Through the page cache, where an engine's writes appear."""
        with open(self.path, "rb") as file:
            return file.read(size)


class BlockDevice:
    """A block device, without its cache, which an engine may pass by."""

    def __init__(self, path: str):
        self.path = path
        with self._open() as fd:
            self.block = _number(fd, BLKSSZGET, 4)
            self.size = _number(fd, BLKGETSIZE64, 8)
            device = os.fstat(fd).st_rdev
        queue = Path(f"/sys/dev/block/{os.major(device)}:{os.minor(device)}",
                     "queue")
        self.zone = 0
        if _text(queue / "zoned") not in ("", "none"):
            self.zone = int(_text(queue / "chunk_sectors"))

    @contextlib.contextmanager
    def _open(self) -> Iterator[int]:
        fd = os.open(self.path, os.O_RDWR | os.O_DIRECT)
        try:
            yield fd
        finally:
            os.close(fd)

    def clear(self, size: int) -> None:
        """Zeros; zones are reset, which makes them read as zeros."""
        with self._open() as fd:
            if self.zone:
                zones = -(-size // (self.zone * 512))
                fcntl.ioctl(fd, BLKRESETZONE,
                            struct.pack("=QQ", 0, zones * self.zone))
                return
            with mmap.mmap(-1, MIB) as buffer:
                for offset in range(0, size, MIB):
                    os.pwrite(fd, buffer, offset)

    def content(self, size: int) -> bytes:
        """Straight from the device."""
        with self._open() as fd, mmap.mmap(-1, -(-size // MIB) * MIB) as buffer:
            try:
                os.preadv(fd, [buffer], 0)
            except OSError as err:
                raise Failed(f"what was written can't be read from "
                             f"{self.path}: {err.strerror}") from err
            return buffer[:size]


def _number(fd: int, request: int, size: int) -> int:
    return int.from_bytes(fcntl.ioctl(fd, request, bytes(size)), "little")


def _text(path: Path) -> str:
    return path.read_text().strip() if path.exists() else ""


class ExtendedBlocks:
    """An NVMe namespace whose blocks hold their metadata (FLBAS bit 4).

    Linux makes no block device of it, so these are commands of our own.
    Sections are those of the NVM Command Set Specification 1.0.
    """

    IDENTIFY, READ, WRITE = 0x06, 0x02, 0x01
    PRACT = 1 << 29  # 3.2.6, dword 12
    ADMIN, IO, NSID = 0xC0484E41, 0xC0484E43, 0x4E40  # linux/nvme_ioctl.h

    def __init__(self, path: str):
        self.path = path
        with self._open() as (fd, buffer):
            self.nsid = fcntl.ioctl(fd, self.NSID)
            self._command(fd, self.ADMIN, self.IDENTIFY, buffer, 4096, [0])
            name = buffer[:4096]
        # 4.1.5.1: FLBAS, DPS and the LBA formats.
        if not name[26] & 0x10:
            raise refuse(f"{path}: the kernel gives its block device no size")
        self.protected = bool(name[29] & 7)
        at = 128 + 4 * (name[26] & 0xf | name[26] >> 1 & 0x30)
        self.metadata = int.from_bytes(name[at:at + 2], "little")
        self.block = 1 << name[at + 2]

    @contextlib.contextmanager
    def _open(self) -> Iterator[Tuple[int, mmap.mmap]]:
        fd = os.open(self.path, os.O_RDWR)
        try:
            with mmap.mmap(-1, 2 * MIB) as buffer:
                yield fd, buffer
        finally:
            os.close(fd)

    def _command(self, fd: int, request: int, opcode: int, buffer: mmap.mmap,
                 size: int, dwords: List[int]) -> None:
        """struct nvme_passthru_cmd; `dwords` begin with number 10."""
        where = ctypes.c_char.from_buffer(buffer)
        words = dwords + [0] * (6 - len(dwords))
        command = struct.pack("=BBHIIIQQII6III", opcode, 0, 0, self.nsid, 0, 0,
                              0, ctypes.addressof(where), 0, size, *words, 0, 0)
        del where
        status = fcntl.ioctl(fd, request, bytearray(command))
        if status:
            raise Failed(f"{self.path}: command {opcode:02x}h beside the "
                         f"engine fails with status {status:x}h")

    def _each(self, size: int) -> Iterator[Tuple[int, int]]:
        """Block and number of blocks, at most 64 KiB of data at once."""
        left, step = -(-size // self.block), max(1, 65536 // self.block)
        for slba in range(0, left, step):
            yield slba, min(step, left - slba)

    def clear(self, size: int) -> None:
        """Zeros; the controller makes what protects them."""
        whole = self.block + self.metadata
        if self.protected and self.metadata == 8:
            whole = self.block  # 5.2.2.1: PRACT inserts all of the metadata
        with self._open() as (fd, buffer):
            for slba, count in self._each(size):
                self._command(fd, self.IO, self.WRITE, buffer, count * whole,
                              [slba, 0, count - 1 |
                               (self.PRACT if self.protected else 0), 0, slba])

    def content(self, size: int) -> bytes:
        """The blocks without their metadata, which nobody checks here."""
        whole = self.block + self.metadata
        data = bytearray()
        with self._open() as (fd, buffer):
            for slba, count in self._each(size):
                self._command(fd, self.IO, self.READ, buffer, count * whole,
                              [slba, 0, count - 1])
                for number in range(count):
                    data += buffer[number * whole:number * whole + self.block]
        return bytes(data[:size])
