# SPDX-License-Identifier: GPL-2.0-only
"""A run.json that was damaged or edited cannot steer what is done."""
import copy
import json
import shutil
import tempfile
import unittest
from pathlib import Path

import support
from fio_review import profile, runcheck
from fio_review.errors import BAD_INPUT, ReviewError
from fio_review.store import Store

WRONG = (None, True, -1, 1.5, float("nan"), 10**30, "", "x\0", "\ud800", [],
         [None], {}, {"x": 1})
# Kept for the reader and never used by a resume.
UNUSED = ("tool", "state", "finished", "command", "environment", "started",
          "seconds", "title", "method", "outstanding", "read_percent",
          "block_bytes", "access", "kind", "expected_s", "destructive",
          "destroy_data_on", "identity", "filled", "smart", "identity_salt",
          "device", "temperature", "written", "written_bytes", "redact", "tbw",
          "precondition", "round_s", "settle_s", "purge", "purged")


def places(value, trail=()):
    """Every key and index of a document."""
    rows = value.items() if isinstance(value, dict) else \
        enumerate(value) if isinstance(value, list) else ()
    for key, below in list(rows):
        yield trail + (key,)
        yield from places(below, trail + (key,))


@support.needs_fio
class RunCheck(support.TempCase):
    @classmethod
    def setUpClass(cls):
        cls.first = Path(tempfile.mkdtemp(prefix="fio-review-",
                                          dir="/var/tmp"))
        cls.addClassCleanup(shutil.rmtree, cls.first, True)
        support.run(support.arguments(cls.first / "file", cls.first / "run"))
        cls.chosen = profile.select(support.JOBFILES, [support.READ])

    def setUp(self):
        super().setUp()
        self.run_dir = self.dir / "run"
        shutil.copytree(self.first / "run", self.run_dir)
        self.good = support.load_run(self.run_dir)

    def check(self, run):
        """As a resume does, from the file on."""
        (self.run_dir / "run.json").write_text(json.dumps(run))
        stored = Store(self.run_dir).read()
        runcheck.check_points(stored, self.chosen, self.run_dir)

    def test_what_a_run_writes_is_taken(self):
        self.check(self.good)

    def test_every_key_that_lacks_or_is_of_another_kind(self):
        for trail in places(self.good):
            for wrong in ("gone", *WRONG):
                run = copy.deepcopy(self.good)
                at = run
                for key in trail[:-1]:
                    at = at[key]
                if wrong == "gone":
                    del at[trail[-1]]
                else:
                    at[trail[-1]] = wrong
                try:
                    self.check(run)
                except ReviewError as err:
                    self.assertEqual(err.code, BAD_INPUT)
                    self.assertNotIn("\n", str(err))
                    continue
                if wrong == "gone" and isinstance(trail[-1], str):
                    self.assertTrue(set(trail) & set(UNUSED), trail)

    def test_a_file_that_is_no_json(self):
        for text in ("", "{", "[" * 100000, '{"format": ' + "9" * 5000 + "}"):
            (self.run_dir / "run.json").write_text(text)
            with self.assertRaises(ReviewError) as caught:
                Store(self.run_dir).read()
            self.assertEqual(caught.exception.code, BAD_INPUT)

    def resume(self, change, *more):
        change(self.good)
        (self.run_dir / "run.json").write_text(json.dumps(self.good))
        return support.run([str(support.RUNNER), "run", "--resume", "--out",
                            str(self.run_dir), *more])

    def test_output_stays_in_the_run(self):
        victim = self.dir / "victim.json"

        def lead_out(run):
            run["profiles"][0]["points"][1].update(
                file="../victim.json", state="pending")
        done = self.resume(lead_out)
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn("the points of", done.stderr)
        self.assertFalse(victim.exists())

    def test_no_program_is_run_that_only_the_file_names(self):
        ran = self.dir / "ran"
        program = self.dir / "evil"
        program.write_text(f"#!/bin/sh\ntouch '{ran}'\necho fio-3.33\n")
        program.chmod(0o755)
        jobs = self.dir / "jobs"
        for key, value, option in (
                ("fio", str(program), "--fio"),
                ("jobfiles", str(jobs), "--jobfiles"),
                ("ioengine", "external:/tmp/x.so", "--ioengine")):
            with self.subTest(key):
                kept = copy.deepcopy(self.good)
                done = self.resume(
                    lambda run: run["options"].update({key: value}))
                self.good = kept
                self.assertEqual(done.returncode, 2, done.stderr)
                self.assertIn(f"name it again: {option} {value}", done.stderr)
                self.assertFalse(ran.exists())

    def test_named_again_it_goes_on(self):
        shutil.copytree(support.JOBFILES, self.dir / "jobs")
        jobs = str(self.dir / "jobs")
        done = self.resume(lambda run: run["options"].update(jobfiles=jobs),
                           "--jobfiles", jobs)
        self.assertEqual(done.returncode, 0, done.stderr)


if __name__ == "__main__":
    unittest.main()
