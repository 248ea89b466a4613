# SPDX-License-Identifier: GPL-2.0-only
"""Is a file on the medium? Written, reserved, sparse and shared files."""
import os
import tempfile
import unittest
from pathlib import Path

import support
from fio_review import extents

MIB = 1 << 20
UNWRITTEN, SHARED, DELALLOC, INLINE = 0x800, 0x2000, 0x4, 0x200


class Faults(unittest.TestCase):
    def fault(self, *rows, size=100):
        return extents.find_fault([extents.Extent(*row) for row in rows], size)

    def test_gapless_extents_in_any_order_are_fit(self):
        self.assertIsNone(self.fault((50, 60, extents.LAST), (0, 50, 0)))

    def test_holes_at_start_middle_and_end(self):
        self.assertIn("hole at byte 0", self.fault((10, 90, 0)))
        self.assertIn("hole at byte 40", self.fault((0, 40, 0), (60, 40, 0)))
        self.assertIn("hole at byte 90", self.fault((0, 90, 0)))
        self.assertIn("hole at byte 0", self.fault())

    def test_bad_kinds_are_named(self):
        for flag, word in ((UNWRITTEN, "unwritten"), (SHARED, "shared"),
                           (DELALLOC, "delayed"), (INLINE, "inline"),
                           (0x8, "compressed")):
            with self.subTest(word):
                self.assertIn(word, self.fault((0, 50, 0), (50, 50, flag)))

    def test_encrypted_is_no_fault(self):
        self.assertIsNone(self.fault((0, 100, 0x8 | extents.ENCRYPTED)))

    def test_what_lies_beyond_the_region_does_not_count(self):
        self.assertIsNone(self.fault((0, 100, 0), (100, 50, UNWRITTEN)))


class RealFiles(support.TempCase):
    def setUp(self):
        super().setUp()
        self.path = self.dir / "file"
        support.write_file(self.path, 4 * MIB)

    def check(self):
        try:
            return extents.check(str(self.path), 4 * MIB)
        except extents.Unsupported:
            self.skipTest("this file system has no FIEMAP")

    def test_a_written_file_is_fit(self):
        self.assertIsNone(self.check())

    def test_a_reserved_file_is_unwritten(self):
        self.path.unlink()
        fd = os.open(self.path, os.O_WRONLY | os.O_CREAT)
        os.posix_fallocate(fd, 0, 4 * MIB)
        os.close(fd)
        self.assertRegex(self.check(), "unwritten|hole")

    def test_a_sparse_file_has_a_hole(self):
        with open(self.path, "r+b") as out:
            out.truncate(1 * MIB)
            out.truncate(4 * MIB)
        self.assertIn("hole at byte 1048576", self.check())

    def test_many_extents_are_all_read(self):
        with open(self.path, "wb") as out:
            for i in range(600):
                out.seek(i * 8192)
                out.write(b"x" * 4096)
            out.flush()
            os.fsync(out.fileno())
        try:
            with open(self.path, "rb") as back:
                self.assertEqual(len(list(extents.read_extents(back.fileno()))),
                                 600)
        except extents.Unsupported:
            self.skipTest("this file system has no FIEMAP")

    def test_a_file_in_memory_cannot_be_checked(self):
        if not os.path.isdir("/dev/shm"):
            self.skipTest("there is no /dev/shm")
        with tempfile.NamedTemporaryFile(dir="/dev/shm") as file:
            with self.assertRaises(extents.Unsupported):
                extents.check(file.name, 1)


@support.needs_fio
class Refusals(support.TempCase):
    def start(self, *more):
        return support.run(support.arguments(
            self.dir / "file", self.dir / "run", *more))

    def test_reading_an_existing_written_file_is_fine(self):
        support.write_file(self.dir / "file", 16 * MIB)
        done = self.start()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue((self.dir / "file").exists())

    def test_what_cannot_be_checked_is_said_and_recorded(self):
        if not os.path.isdir("/dev/shm"):
            self.skipTest("there is no /dev/shm")
        with tempfile.TemporaryDirectory(dir="/dev/shm") as memory:
            done = support.run(support.arguments(
                f"{memory}/file", self.dir / "run", "--runtime", "100ms"))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("warning: ", done.stdout)
        facts = {one["name"]: one["value"] for one in
                 support.load_run(self.dir / "run")["facts"]}
        self.assertIn("not checked", facts["target.fill"])

    def test_reading_a_sparse_file_is_refused(self):
        Path(self.dir / "file").touch()
        os.truncate(self.dir / "file", 16 * MIB)
        done = self.start()
        self.assertEqual(done.returncode, 2)
        self.assertIn("sparse file", done.stderr)
        self.assertFalse((self.dir / "run").exists())

    def test_writing_an_existing_file_is_refused_and_leaves_it(self):
        support.write_file(self.dir / "file", 16 * MIB)
        before = (self.dir / "file").read_bytes()
        done = self.start("--profiles", "four-corners")
        self.assertEqual(done.returncode, 2)
        self.assertIn("would overwrite it", done.stderr)
        self.assertEqual((self.dir / "file").read_bytes(), before)

    def test_a_file_shorter_than_the_region_is_refused(self):
        support.write_file(self.dir / "file", 4 * MIB)
        done = self.start()
        self.assertEqual(done.returncode, 2)
        self.assertIn("less than the 16.0 MiB asked for", done.stderr)


if __name__ == "__main__":
    unittest.main()
