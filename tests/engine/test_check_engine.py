#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""check-engine finds each fault of a broken engine, and none in good ones.

BROKEN in the environment is the engine of tests/engine/broken.
"""
import os
import subprocess
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
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
            fault: cls.pool.submit(check, ENGINE, "--only", case, "--timeout",
                                   "8", "--", f"--broken_fault={fault}")
            for fault, case, _ in FAULTS}

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

    def test_a_file_that_is_no_engine_fails(self):
        done = check(__file__)
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn("FAIL  loads", done.stdout)


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
