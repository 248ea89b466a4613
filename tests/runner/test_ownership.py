# SPDX-License-Identifier: GPL-2.0-only
"""A file of the user is never taken for the one that the run made."""
import errno
import os
import unittest
from unittest import mock

import support
from fio_review import ownership, target

SIZE = 1 << 20


def no_xattr(*_):
    """A file system without user attributes."""
    raise OSError(errno.ENOTSUP, "Operation not supported")


class Ownership(support.TempCase):
    def setUp(self):
        super().setUp()
        self.path = str(self.dir / "file")

    def without(self, *names):
        """Take proofs away, as poorer file systems do."""
        for name in names:
            replaced = (mock.patch.object(ownership, "birth_time",
                                          return_value=None)
                        if name == "birth" else
                        mock.patch.multiple(os, getxattr=no_xattr,
                                            setxattr=no_xattr))
            replaced.start()
            self.addCleanup(replaced.stop)

    def recycled(self, size=SIZE):
        """A user's file that got the inode of the one made; its record."""
        made = target.create(self.path, SIZE)
        os.unlink(self.path)
        with open(self.path, "wb") as out:
            out.truncate(size)
        made["inode"] = os.stat(self.path).st_ino
        return made

    def check_spared(self, made):
        self.assertFalse(ownership.same_file(self.path, made))
        self.assertFalse(ownership.remove(self.path, made))
        self.assertTrue(os.path.exists(self.path))

    def test_the_file_made_is_known_again_and_removed(self):
        for gone in ((), ("xattr",), ("xattr", "birth")):
            with self.subTest(gone):
                self.without(*gone)
                made = target.create(self.path, SIZE)
                self.assertEqual(os.stat(self.path).st_size, SIZE)
                self.assertTrue(ownership.same_file(self.path, made))
                self.assertTrue(ownership.remove(self.path, made))
                self.assertFalse(os.path.exists(self.path))

    def test_a_recycled_inode_is_told_by_its_missing_mark(self):
        self.check_spared(self.recycled())

    def test_a_record_without_a_mark_proves_nothing(self):
        self.check_spared({**self.recycled(), "token": None})

    def test_without_marks_the_birth_time_tells(self):
        self.without("xattr")
        if not ownership.record(os.open(self.dir, os.O_RDONLY), "", 0)["birth"]:
            self.skipTest("no birth times here")
        made = self.recycled()
        self.assertIsNone(made["token"])
        self.check_spared(made)

    def test_without_either_the_size_must_be_the_same(self):
        self.without("xattr", "birth")
        self.check_spared(self.recycled(SIZE + 1))

    def test_a_link_to_the_file_made_is_not_it(self):
        made = target.create(self.path, SIZE)
        os.rename(self.path, self.path + ".old")
        os.symlink(self.path + ".old", self.path)
        self.check_spared(made)


if __name__ == "__main__":
    unittest.main()
