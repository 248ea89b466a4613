# SPDX-License-Identifier: GPL-2.0-only
"""fio-review raid0, as far as it needs no md: the lab builds real sets."""
import json
import unittest
from pathlib import Path
from types import SimpleNamespace

from support import READ, RUNNER, TempCase, run

from fio_review import raid0
from fio_review.errors import ReviewError


class Chunks(unittest.TestCase):
    """Sizes that md takes."""

    def test_a_multiple_of_4k(self) -> None:
        self.assertEqual(raid0.chunk_bytes("64K"), 65536)

    def test_others_are_refused(self) -> None:
        for text in ("0", "6000"):
            with self.assertRaisesRegex(ReviewError, "multiple of 4K"):
                raid0.chunk_bytes(text)


class Remembered(TempCase):
    """What an earlier call has built."""

    def setUp(self) -> None:
        super().setUp()
        self.block = self.dir / "sys/class/block"
        self.block.mkdir(parents=True)
        self.set = raid0.Set(self.dir, SimpleNamespace(sys=self.dir / "sys"))

    def remember(self, **changes: object) -> None:
        value = {"device": "/dev/null", "members": ["/dev/a", "/dev/b"],
                 "chunk": 65536, **changes}
        (self.dir / "raid0.json").write_text(json.dumps(value))

    def read(self) -> None:
        self.set.read(["/dev/a", "/dev/b"], 65536)

    def make_set(self, *slaves: str) -> None:
        place = self.block / "null" / "slaves"
        place.mkdir(parents=True)
        for one in slaves:
            (place / one).touch()

    def is_ours(self) -> bool:
        return self.set._is_ours()

    def test_a_set_of_these_members_is_ours(self) -> None:
        self.remember()
        self.read()
        self.make_set("a", "b")
        self.assertTrue(self.is_ours())

    def test_a_set_of_others_is_never_stopped(self) -> None:
        self.remember()
        self.read()
        self.make_set("a", "c")
        self.assertFalse(self.is_ours())
        with self.assertRaisesRegex(ReviewError, "in use by another"):
            self.set.create(["/dev/a", "/dev/b"], 65536)

    def test_without_a_file_nothing_is_known(self) -> None:
        self.read()
        self.assertIsNone(self.set.device)

    def test_other_members_or_chunks_are_refused(self) -> None:
        for change in ({"members": ["/dev/a", "/dev/c"]}, {"chunk": 4096},
                       {"members": ["/dev/b", "/dev/a"]}):
            self.remember(**change)
            with self.assertRaisesRegex(ReviewError, "name the same"):
                self.read()

    def test_a_damaged_file_is_told(self) -> None:
        for text in ("{", "[]", '{"device": 1, "members": [], "chunk": 1}'):
            (self.dir / "raid0.json").write_text(text)
            with self.assertRaisesRegex(ReviewError, "not understood"):
                self.read()


class Calls(TempCase):
    """What is refused before anything is touched."""

    def refused(self, *targets: str) -> str:
        words = [str(RUNNER), "raid0", "--out", str(self.dir / "out"),
                 "--profiles", READ]
        for one in targets:
            words += ["--target", one]
        done = run(words)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertFalse((self.dir / "out").exists())
        return done.stderr

    def test_one_drive_is_no_set(self) -> None:
        self.assertIn("at least two", self.refused("/dev/null"))

    def test_a_file_is_no_member(self) -> None:
        files = [str(self.dir / name) for name in ("a", "b")]
        for one in files:
            Path(one).write_bytes(b"x")
        said = self.refused(*files)
        self.assertRegex(said, "no block device|mdadm is not installed")


if __name__ == "__main__":
    unittest.main()
