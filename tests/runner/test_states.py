# SPDX-License-Identifier: GPL-2.0-only
"""A drive in several states: a run each, in the order of a drive's life."""
import os
import unittest

import support
from fio_review import states
from fio_review.errors import ReviewError
from test_loop_devices import MIB, LoopCase


class Names(unittest.TestCase):
    def test_are_in_the_order_of_a_drives_life(self):
        self.assertEqual(states.parse("filled-90,clean"),
                         ["clean", "filled-90"])
        self.assertEqual(states.parse("filled-90"), ["filled-90"])

    def test_others_are_refused(self):
        for text in ("", "dirty", "clean,", "clean,../x"):
            with self.assertRaisesRegex(ReviewError, "is none of clean, fill"):
                states.parse(text)


@support.needs_fio
@unittest.skipUnless(os.geteuid() == 0, "loop devices need root")
class States(LoopCase):
    def setUp(self):
        super().setUp()
        self.out = self.dir / "run"

    def measure(self, *more, profiles=support.WRITE):
        return self.start("--states", "clean,filled-90", "--destroy-data-on",
                          self.device, "--no-smart", *more, profiles=profiles)

    def test_each_is_a_run_of_its_own_with_its_fill_and_label(self):
        done = self.measure("--purge", "blkdiscard", "--label", "X1")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        clean, full = (support.load_run(self.out / name)
                       for name in states.NAMES)
        self.assertEqual((clean["label"], full["label"]),
                         ("X1, clean", "X1, filled-90"))
        self.assertEqual((clean["filled"]["bytes"], full["filled"]["bytes"]),
                         (16 * MIB, 57 * MIB))
        self.assertEqual(clean["purged"]["by"], "blkdiscard")
        self.assertIsNone(full["purged"])
        self.assertIn(f"fio-report review {self.out}/clean "
                      f"{self.out}/filled-90", done.stdout)

    def test_the_plans_of_all_are_shown_before_the_first_begins(self):
        said = self.measure().stdout
        begin = said.index("== clean")
        for text in ("state      clean", "state      filled-90",
                     "57.0 MiB to fill the target"):
            self.assertIn(text, said[:begin])

    def test_a_dry_run_prints_all_and_touches_nothing(self):
        before = self.image()
        done = self.measure("--dry-run")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, "(?m)^LC_ALL=C .*/clean/")
        self.assertRegex(done.stdout, "(?m)^LC_ALL=C .*/filled-90/")
        self.assertFalse(self.out.exists())
        self.assertEqual(self.image(), before)

    def test_a_failure_keeps_the_next_state_from_beginning(self):
        flag = self.dir / "fail"
        flag.touch()
        program = self.fake_fio(f"[ -e '{flag}' ] && exit 1\n"
                                f"exec {support.FIO} \"$@\"\n")
        done = self.measure("--fio", program)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertFalse((self.out / "filled-90").exists())
        self.assertIn("to go on with all states:", done.stdout)
        flag.unlink()
        done = self.measure("--fio", program, "--resume")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        for name in states.NAMES:
            self.assertEqual(support.load_run(self.out / name)["state"],
                             "complete")

    def test_what_does_not_go_together_is_refused(self):
        for more, words in (
                (("--fill", "device"), "--fill and --states exclude"),
                (("--target", self.device), "--states needs one --target"),
                (("--dry-run", "--resume"), "exclude each other")):
            done = self.measure(*more)
            self.assertEqual(done.returncode, 2, done.stdout)
            self.assertIn(words, done.stderr)
        done = self.start("--states", "clean", target=self.dir / "file")
        self.assertEqual(done.returncode, 2)
        self.assertIn("--states is for block devices", done.stderr)

    def test_no_consent_begins_nothing(self):
        before = self.image()
        done = self.start("--states", "clean,filled-90")
        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertIn("--destroy-data-on", done.stderr)
        self.assertEqual(self.image(), before)
        self.assertFalse(self.out.exists())


if __name__ == "__main__":
    unittest.main()
