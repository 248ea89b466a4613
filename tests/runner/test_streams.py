# SPDX-License-Identifier: GPL-2.0-only
"""A run of a profile with two kinds of threads: pilot, rates, resume."""
import json
import unittest

import support
from fio_review import errors

ORACLE = "oracle/oracle"


@support.needs_fio
class TwoStreams(support.TempCase):
    def run_oracle(self, *more):
        return support.run(support.arguments(
            self.dir / "file", self.dir / "run", "--profiles", ORACLE, *more))

    def resume(self):
        return support.run([str(support.RUNNER), "run", "--resume",
                            "--out", str(self.dir / "run")])

    def point(self, i):
        return support.load_run(self.dir / "run")["profiles"][0]["points"][i]

    def test_the_maximum_has_the_small_stream_s_share_of_a_pilot(self):
        done = self.run_oracle()
        self.assertEqual(done.returncode, 0, done.stderr)
        pilot = json.loads(
            (self.dir / f"run/{ORACLE}/pilot.json").read_text())
        iops = sum(job[way]["iops"] for job in pilot["jobs"]
                   for way in ("read", "write"))
        peak, half = self.point(0), self.point(1)
        free, small = peak["rate"].split(" + ")
        self.assertEqual(free, "0")
        self.assertEqual(peak["environment"]["RATE_B"], small)
        self.assertAlmostEqual(sum(map(int, small.split(","))) / iops, 0.01, 3)
        reads, writes = map(int, half["environment"]["RATE"].split(","))
        own = sum(map(int, half["environment"]["RATE_B"].split(",")))
        self.assertEqual(half["asked_iops"], 35 * (reads + writes) + own)
        self.assertAlmostEqual(own / half["asked_iops"], 0.01, 2)
        # Its own rates are no reason to refuse a run.
        (self.dir / f"run/{ORACLE}/050.json").unlink()
        done = self.resume()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.point(0)["rate"], peak["rate"])

    def test_a_rate_that_no_pilot_gives_is_refused(self):
        self.assertEqual(self.run_oracle().returncode, 0)
        path = self.dir / "run/run.json"
        run = json.loads(path.read_text())
        run["profiles"][0]["points"][0]["rate"] = "5 + 5"
        path.write_text(json.dumps(run))
        done = self.resume()
        self.assertEqual(done.returncode, errors.BAD_INPUT)
        self.assertIn("the maximum of oracle/oracle has a rate", done.stderr)

    def test_a_pilot_that_fails_is_a_failed_maximum(self):
        fake = self.fake_fio("exit 7\n")
        done = self.run_oracle("--fio", fake)
        self.assertEqual(done.returncode, errors.POINT_FAILED)
        self.assertEqual(self.point(0)["state"], "failed")
        self.assertIn("exit code 7", self.point(0)["reason"])
        self.assertTrue(
            (self.dir / f"run/{ORACLE}/pilot.failed.txt").exists())
        self.assertIn("no rate can be planned", self.point(1)["reason"])


if __name__ == "__main__":
    unittest.main()
