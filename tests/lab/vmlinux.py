# SPDX-License-Identifier: GPL-2.0-only
"""vmlinux.py VMLINUZ OUT: the uncompressed kernel inside a bzImage.

QEMU starts that directly (PVH), which saves seconds of emulated decompression.
"""
import subprocess
import sys
from pathlib import Path

PACKERS = ((b"\xfd7zXZ\x00", "xz"), (b"\x28\xb5\x2f\xfd", "zstd"),
           (b"\x1f\x8b\x08", "gzip"))


def unpacked(image: bytes) -> bytes:
    """The first ELF file that one of the packers finds in the image."""
    for magic, tool in PACKERS:
        at = image.find(magic)
        while at >= 0:
            # What follows the packed part makes every tool complain.
            done = subprocess.run([tool, "-dc"], input=image[at:], check=False,
                                  stdout=subprocess.PIPE,
                                  stderr=subprocess.DEVNULL)
            if done.stdout.startswith(b"\x7fELF"):
                return done.stdout
            at = image.find(magic, at + 1)
    sys.exit("vmlinux.py: no kernel found in the image")


Path(sys.argv[2]).write_bytes(unpacked(Path(sys.argv[1]).read_bytes()))
