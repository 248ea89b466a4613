#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""check-engine finds each fault of a broken engine, and none in good ones.

BROKEN in the environment is the engine of tests/engine/broken.
"""
import ctypes
import os
import struct
import subprocess
import sys
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from unittest import mock

TOP = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(TOP / "scripts"))

from engine_check import medium  # noqa: E402
from engine_check.fio import Failed  # noqa: E402
from fio_review.errors import ReviewError  # noqa: E402

CHECK = TOP / "scripts" / "check-engine"
ENGINE = os.environ["BROKEN"]

# Number of the fault in broken.c, the case that must see it, a word of why.
FAULTS = [
    (1, "verify_4k", "verify"), (2, "verify_4k", "short|verify"),
    (3, "full_target", "status 0"), (4, "leaks", "open files"),
    (5, "leaks", "threads"), (6, "valgrind", "lost"),
    (7, "valgrind", "Invalid read"), (8, "verify_4k", "hangs"),
    (9, "verify_4k", "crashes"), (10, "kill", "leaves processes"),
    (11, "interrupt", "hangs"), (12, "unaligned", "is not there"),
    (13, "syncs", "error"), (14, "trim", "still there"),
]


def check(*words: str) -> "subprocess.CompletedProcess[str]":
    """Runs check-engine in a folder of its own on the current file system."""
    with tempfile.TemporaryDirectory(dir=".") as folder:
        return subprocess.run([str(CHECK), *words], cwd=folder, text=True,
                              stdout=subprocess.PIPE, check=False,
                              stderr=subprocess.STDOUT, timeout=200)


class Faults(unittest.TestCase):
    """One test a fault; they are made below.

    Most of them wait most of the time, so several run at once.
    """

    @classmethod
    def setUpClass(cls):
        cls.pool = ThreadPoolExecutor(max_workers=4)
        cls.runs = {
            fault: cls.pool.submit(
                check, ENGINE, "--only", case,
                # Who hangs is waited for; the others may be slow.
                *(["--timeout", "8"] if why == "hangs" else []),
                "--", f"--broken_fault={fault}")
            for fault, case, why in FAULTS}

    @classmethod
    def tearDownClass(cls):
        cls.pool.shutdown(cancel_futures=True)

    def see(self, fault: int, case: str, why: str) -> None:
        """The case fails for the right reason."""
        done = self.runs[fault].result()
        if "skip " in done.stdout and done.returncode == 0:
            self.skipTest(done.stdout.splitlines()[0])
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertRegex(done.stdout, f"(?m)^FAIL  {case} .*({why})")


def _add(fault: int, case: str, why: str) -> None:
    def test(self: Faults) -> None:
        self.see(fault, case, why)
    setattr(Faults, f"test_fault_{fault}_is_seen_by_{case}", test)


for row in FAULTS:
    _add(*row)


class Engines(unittest.TestCase):
    """Engines that work."""

    def test_without_a_fault_all_cases_pass(self):
        done = check(ENGINE, "--only", ",".join(
            sorted({case for _, case, _ in FAULTS} - {"trim"})))
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_an_engine_of_fio_passes(self):
        done = check("psync", "--only", "loads,verify_4k,mixed,syncs,"
                     "unaligned,odd_end,processes,missing_target,full_target")
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_an_engine_without_data_fails(self):
        self.assertEqual(check("null", "--only", "verify_4k").returncode, 1)

    def test_a_device_of_large_blocks_skips_what_is_smaller(self):
        with tempfile.NamedTemporaryFile(dir=".") as image:
            image.truncate(16 << 20)
            made = subprocess.run(
                ["losetup", "--find", "--show", "-b", "4096", image.name],
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                check=False)
            if made.returncode:
                self.skipTest(made.stdout.strip())
            device = made.stdout.strip()
            try:
                done = check("psync", "--target", device, "--destroy-data-on",
                             device, "--only", "verify_512,verify_4k,block_mix",
                             "--", "--direct=1")
            finally:
                subprocess.run(["losetup", "-d", device], check=False)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertRegex(done.stdout, "skip  verify_512 .* have 4096 bytes")
        self.assertIn("2 ok", done.stdout)

    def test_a_file_that_is_no_engine_fails(self):
        done = check(__file__)
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn("FAIL  loads", done.stdout)


class FakeNamespace:
    """Answers ioctl() as a namespace of 16 blocks of 4 KiB + metadata."""

    def __init__(self, metadata: int, flbas: int = 0x12, protection: int = 0):
        self.metadata = metadata
        self.flbas = flbas
        self.protection = protection
        self.blocks = {number: b"old!" * 1024 for number in range(16)}
        self.controls = []
        self.status = 0

    def ioctl(self, _fd: int, request: int, command=None) -> int:
        """As fcntl.ioctl() on the namespace's node."""
        if request == 0x4E40:
            return 7
        fields = struct.unpack("=BBHIIIQQII6III", command)
        opcode, nsid, address, size = (fields[0], fields[3], fields[7],
                                       fields[9])
        assert nsid == 7
        if opcode == 0x06:
            name = bytearray(4096)
            name[26], name[29] = self.flbas, self.protection
            name[136:139] = self.metadata.to_bytes(2, "little") + b"\x0c"
            ctypes.memmove(address, bytes(name), 4096)
            return 0
        if self.status:
            return self.status
        slba, control = fields[10], fields[12]
        self.controls.append((opcode, control >> 16))
        count = (control & 0xffff) + 1
        whole = size // count
        for at in range(count):
            place = address + at * whole
            if opcode == 0x01:
                self.blocks[slba + at] = ctypes.string_at(place, 4096)
            else:
                ctypes.memmove(place, self.blocks[slba + at], 4096)
                ctypes.memset(place + 4096, 0xEE, whole - 4096)
        return 0


class ExtendedBlocks(unittest.TestCase):
    """Namespaces that Linux makes no block device of."""

    def medium(self, namespace: FakeNamespace) -> medium.ExtendedBlocks:
        """The real thing on a fake."""
        patch = mock.patch.object(medium.fcntl, "ioctl", namespace.ioctl)
        patch.start()
        self.addCleanup(patch.stop)
        return medium.ExtendedBlocks("/dev/null")

    def test_content_is_the_data_without_metadata(self):
        namespace = FakeNamespace(8)
        content = self.medium(namespace).content(40960)
        self.assertEqual(content, b"old!" * 10240)

    def test_a_part_of_a_block_can_be_asked_for(self):
        self.assertEqual(self.medium(FakeNamespace(8)).content(4098),
                         b"old!" * 1024 + b"ol")

    def test_clear_writes_zeros_and_no_block_more(self):
        namespace = FakeNamespace(8)
        self.medium(namespace).clear(3 * 4096)
        self.assertEqual({bytes(namespace.blocks[at]) for at in range(3)},
                         {bytes(4096)})
        self.assertEqual(namespace.blocks[3], b"old!" * 1024)

    def test_a_protected_namespace_makes_its_own_protection(self):
        namespace = FakeNamespace(8, protection=1)
        self.medium(namespace).clear(4096)
        self.assertEqual(namespace.controls, [(0x01, 1 << 13)])

    def test_nothing_is_checked_when_it_is_read(self):
        namespace = FakeNamespace(16, protection=9)
        self.medium(namespace).content(4096)
        self.assertEqual(namespace.controls, [(0x02, 0)])

    def test_the_block_is_the_one_in_use(self):
        self.assertEqual(self.medium(FakeNamespace(8)).block, 4096)

    def test_metadata_apart_is_refused(self):
        with self.assertRaisesRegex(ReviewError, "no size"):
            self.medium(FakeNamespace(8, flbas=2))

    def test_a_failing_command_fails_the_case(self):
        namespace = FakeNamespace(8)
        one = self.medium(namespace)
        namespace.status = 0x281
        with self.assertRaisesRegex(Failed, "281h"):
            one.content(4096)


class CommandLine(unittest.TestCase):
    """What is refused before anything is written."""

    def refused(self, word: str, *words: str) -> None:
        """Status 2, with a word of the reason."""
        done = check(*words)
        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertIn(word, done.stdout)

    def test_an_existing_file_is_not_overwritten(self):
        self.refused("overwritten", "psync", "--target", __file__)

    def test_a_device_needs_its_name_twice(self):
        disks = [f"/dev/{name}" for name in os.listdir("/sys/block")
                 if os.path.exists(f"/dev/{name}")]
        if not disks:
            self.skipTest("no block device here")
        self.refused("--destroy-data-on", "psync", "--target", disks[0])

    def test_other_character_devices_are_refused(self):
        self.refused("no disk", "psync", "--target", "/dev/null",
                     "--destroy-data-on", "/dev/null")

    def test_unknown_cases_and_files_are_named(self):
        self.refused("nonsense", "psync", "--only", "nonsense")
        self.refused("no such file", "./missing.so")


if __name__ == "__main__":
    unittest.main()
