# SPDX-License-Identifier: GPL-2.0-only
"""Rounds until the drive is steady, by a fio whose rounds are known."""
import json
import os
import re
import signal
import unittest

import support

ROUNDS = support.TOP / "tests/fixtures/steady"
REPORT = max(support.TOP.glob("build*/report/fio-report"), default=None,
             key=lambda one: one.stat().st_mtime)
# Before a round the number of its file, and what it is to be like.
FAKE = f"""
case "$out" in
*/precondition/*) number=${{out##*/}}; number=${{number%%.*}};;
*) exec {support.FIO} "$@";;
esac
echo "$number" >>"${{out%%/run/*}}/rounds"
"""


@support.needs_fio
@unittest.skipUnless(REPORT, "fio-report was not built")
class Precondition(support.TempCase):
    def setUp(self):
        super().setUp()
        self.out = self.dir / "run"
        self.log = self.dir / "rounds"

    def fio(self, behaviour):
        return self.fake_fio(FAKE + behaviour)

    def known(self):
        """A fio whose seventh round is the first with a steady window."""
        return self.fio(f"cp {ROUNDS}/$number.json \"$out\"\n")

    def start(self, *more, profiles=support.WRITE):
        path = os.environ["PATH"]
        return support.run(
            support.arguments(self.dir / "file", self.out, "--profiles",
                              profiles, "--precondition", "--round", "1s",
                              *more),
            env={**os.environ, "PATH": f"{REPORT.parent}:{path}"})

    def resume(self, *more):
        return support.run([str(support.RUNNER), "run", "--resume", "--out",
                            str(self.out), *more])

    def row(self, at=0):
        return support.load_run(self.out)["profiles"][at]

    def rounds(self):
        """Numbers of the rounds that fio was called for."""
        return [int(one) for one in self.log.read_text().split()]

    def fact(self):
        return next((one["value"] for one in support.load_run(self.out)[
            "facts"] if one["name"] == "method.precondition"), None)

    def test_rounds_end_where_the_last_five_are_steady(self):
        done = self.start("--fio", self.known())
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        kept = self.row()["precondition"]
        self.assertEqual((kept["steady"], kept["reason"]), (True, None))
        self.assertEqual([one["file"] for one in kept["rounds"]], [
            f"precondition/{support.WRITE}/{number:03d}.json"
            for number in range(1, 8)])
        for one in kept["rounds"]:
            name = one["file"].split("/")[-1]
            self.assertEqual((self.out / one["file"]).read_bytes(),
                             (ROUNDS / name).read_bytes())
        self.assertAlmostEqual(kept["judged"]["range_percent"], 7.967, 3)
        words = (f"{support.WRITE}: steady after 7 rounds (range 8.0 % of the "
                 "mean, drift 0.2 % of the mean)")
        self.assertIn(words, done.stdout)
        self.assertEqual(self.fact(), words)

    def test_not_reached_is_a_warning_and_a_mark(self):
        done = self.start("--fio", self.fio(
            "case $number in *[02468]) one=001;; *) one=002;; esac\n"
            f"cp {ROUNDS}/$one.json \"$out\"\n"))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(self.rounds(), list(range(1, 26)))
        self.assertIs(self.row()["precondition"]["steady"], False)
        self.assertRegex(done.stdout, f"warning: {support.WRITE}: NOT STEADY: "
                         "25 rounds were not enough .range")
        self.assertIn("NOT STEADY", self.fact())
        self.assertEqual(self.row()["points"][0]["state"], "done")

    def test_a_round_that_fails_is_a_mark_and_its_words_are_kept(self):
        done = self.start("--fio", self.fio("echo broken; exit 1\n"))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        kept = self.row()["precondition"]
        self.assertIs(kept["steady"], False)
        self.assertRegex(kept["reason"], "round 1 failed: .*broken")
        self.assertIn("broken", (
            self.out / f"precondition/{support.WRITE}/001.failed.txt"
        ).read_text())

    def test_an_interrupted_one_goes_on_with_the_next_round(self):
        stop = self.dir / "stop"
        stop.touch()
        program = self.fio(
            f"if [ $number = 004 ] && [ -e '{stop}' ]; then\n"
            f"rm '{stop}'; kill -{signal.SIGINT.value} $PPID; exec sleep 9\n"
            f"fi\ncp {ROUNDS}/$number.json \"$out\"\n")
        done = self.start("--fio", program)
        self.assertEqual(done.returncode, 130, done.stdout + done.stderr)
        self.assertEqual(len(self.row()["precondition"]["rounds"]), 3)
        self.assertIsNone(self.row()["precondition"]["steady"])
        done = self.resume("--fio", program)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(self.rounds(), [1, 2, 3, 4, 4, 5, 6, 7])
        self.assertIs(self.row()["precondition"]["steady"], True)

    def test_steady_once_it_is_not_begun_again(self):
        program = self.known()
        self.start("--fio", program)
        (self.out / support.WRITE / "050.json").unlink()
        done = self.resume("--fio", program)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(self.rounds(), list(range(1, 8)))

    def test_a_damaged_round_voids_what_came_after_it(self):
        program = self.known()
        self.start("--fio", program)
        (self.out / support.WRITE / "peak.json").unlink()
        (self.out / f"precondition/{support.WRITE}/005.json").write_text("{")
        done = self.resume("--fio", program)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(self.rounds(), [1, 2, 3, 4, 5, 6, 7, 5, 6, 7])

    def test_only_before_profiles_that_write(self):
        done = self.start("--fio", self.known(),
                          profiles=f"{support.READ},{support.WRITE}")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        rows = support.load_run(self.out)["profiles"]
        self.assertEqual({row["id"]: bool(row["precondition"])
                          for row in rows},
                         {support.READ: False, support.WRITE: True})

    def test_its_bytes_count_as_written(self):
        done = self.start("--fio", self.known())
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        run, row = support.load_run(self.out), self.row()
        rounds = sum(one["written_bytes"]
                     for one in row["precondition"]["rounds"])
        self.assertGreater(rounds, 0)
        self.assertEqual(
            run["written"]["by_fio_bytes"], rounds + (16 << 20)
            + sum(one["written_bytes"] for one in row["points"]))

    def test_rounds_of_a_damaged_run_lead_nowhere_else(self):
        self.start("--fio", self.known())
        run = support.load_run(self.out)
        run["profiles"][0]["precondition"]["rounds"][0]["file"] = "../x.json"
        (self.out / "run.json").write_text(json.dumps(run))
        done = self.resume("--fio", str(self.dir / "fake-fio"))
        self.assertEqual(done.returncode, 3, done.stdout + done.stderr)
        self.assertIn("the preconditioning of", done.stderr)

    def test_the_plan_tells_time_and_bytes_of_all_of_it(self):
        done = self.start("--dry-run", "--settle", "2")
        self.assertEqual(done.returncode, 0, done.stderr)
        # 5 to 25 rounds and 2 points, each with a second to start and 2 of
        # rest: 5 * 4 + 2 * 3.3 and 25 * 4 + 2 * 3.3 seconds.
        self.assertRegex(done.stdout, "# time +about 27 s to 1 min 47 s: ")
        self.assertRegex(done.stdout, "# written +16.0 MiB to fill .*, then "
                         "up to 12.2 GiB at 500 MiB/s in rounds of .*; in all "
                         "up to 12.4 GiB")
        self.assertRegex(done.stdout, f"(?m)^LC_ALL=C .*RUNTIME=1s RAMP=0s "
                         f".*precondition/{re.escape(support.WRITE)}/001.json")
        self.assertFalse(self.out.exists())


@support.needs_fio
class Settle(support.TempCase):
    def test_rest_comes_between_calls_and_not_before_the_first(self):
        log = self.dir / "log"
        program = self.fake_fio(
            f"date +%s.%N >>'{log}'\n{support.FIO} \"$@\"\ncode=$?\n"
            f"date +%s.%N >>'{log}'\nexit $code\n")
        support.write_file(self.dir / "file", 16 << 20)
        done = support.run(support.arguments(
            self.dir / "file", self.dir / "run", "--settle", "1500ms",
            "--fio", program))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        _, end, second, _ = map(float, log.read_text().split())
        self.assertGreaterEqual(second - end, 1.5)
        facts = support.load_run(self.dir / "run")["facts"]
        self.assertIn("1500ms", [one["value"] for one in facts
                                 if one["name"] == "method.settle"])


if __name__ == "__main__":
    unittest.main()
