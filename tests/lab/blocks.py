# SPDX-License-Identifier: GPL-2.0-only
"""blocks.py FORMAT OUT [--apptag N] [--metadata-byte N] [--break TAG]

What a namespace of a format has to hold after fio wrote 64 KiB of
verify_pattern=%o in blocks of 16 KiB: OUT.data, with the metadata where that is
part of the blocks, and OUT.meta. Made without the engine, which is not compared
with itself. Sections are those of the NVM Command Set Specification 1.0. --break
makes one tag of block 2 wrong.
"""
import argparse
import functools
from typing import Callable, Dict, List, NamedTuple

SIZE, CHUNK = 65536, 16384


class Format(NamedTuple):
    """Of the namespaces in devices/nvme.qemu and nvme-meta.qemu."""

    block: int
    metadata: int = 0
    protection: int = 0
    guard_bits: int = 16
    extended: bool = False
    first: bool = False


FORMATS: Dict[str, Format] = {
    "plain": Format(512),
    "1": Format(4096, 8, 1),
    "2": Format(4096, 8),
    "3": Format(4096, 8, extended=True),
    "4": Format(4096, 8, 1, extended=True),
    "5": Format(4096, 16, 1, guard_bits=64),
    "6": Format(512, 16, 2, extended=True, first=True),
    "7": Format(512, 8, 3),
}


@functools.lru_cache(maxsize=None)
def _crc16(data: bytes) -> int:
    """5.2.1.2.1: polynomial 8BB7h, not reflected."""
    crc = 0
    for byte in data:
        crc ^= byte << 8
        for _ in range(8):
            crc = (crc << 1 ^ (0x8BB7 if crc & 0x8000 else 0)) & 0xFFFF
    return crc


@functools.lru_cache(maxsize=None)
def _crc64(data: bytes) -> int:
    """5.2.1.2.3: polynomial AD93D23594C93659h, reflected, inverted."""
    crc = 0xFFFFFFFFFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x9A6C9329AC4BC9B5 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFFFFFFFFFF


def _tuple(form: Format, covered: bytes, apptag: int, lba: int,
           broken: str) -> bytes:
    """5.2.1: guard, application tag, storage and reference tag."""
    crc: Callable[[bytes], int] = _crc16 if form.guard_bits == 16 else _crc64
    space = 4 if form.guard_bits == 16 else 6
    reference = lba if form.protection != 3 else 0
    guard = crc(covered) ^ (1 if broken == "guard" else 0)
    return (guard.to_bytes(form.guard_bits // 8, "big")
            + (apptag ^ (1 if broken == "apptag" else 0)).to_bytes(2, "big")
            + (reference + (1 if broken == "reftag" else 0)).to_bytes(
                space, "big"))


def _metadata(form: Format, data: bytes, apptag: int, byte: int, lba: int,
              broken: str) -> bytes:
    if not form.protection:
        return bytes([byte]) * form.metadata
    rest = bytes([byte]) * (form.metadata - (8 if form.guard_bits == 16
                                             else 16))
    if form.first:
        return _tuple(form, data, apptag, lba, broken) + rest
    return rest + _tuple(form, data + rest, apptag, lba, broken)


def main() -> None:
    """Write the files."""
    parser = argparse.ArgumentParser()
    parser.add_argument("form", choices=FORMATS)
    parser.add_argument("out")
    parser.add_argument("--apptag", type=lambda word: int(word, 0), default=0)
    parser.add_argument("--metadata-byte", type=lambda word: int(word, 0),
                        default=0)
    parser.add_argument("--break", dest="broken", default="",
                        choices=["guard", "apptag", "reftag"])
    options = parser.parse_args()
    form = FORMATS[options.form]
    whole: List[bytes] = []
    apart: List[bytes] = []
    for lba in range(SIZE // form.block):
        at = lba * form.block
        data = (at - at % CHUNK).to_bytes(8, "little") * (form.block // 8)
        metadata = _metadata(form, data, options.apptag,
                             options.metadata_byte, lba,
                             options.broken if lba == 2 else "")
        whole.append(data + (metadata if form.extended else b""))
        apart.append(metadata)
    with open(options.out + ".data", "wb") as file:
        file.write(b"".join(whole))
    with open(options.out + ".meta", "wb") as file:
        file.write(b"" if form.extended else b"".join(apart))


main()
