# SPDX-License-Identifier: GPL-2.0-only
"""sysbench fileio and fio's mirror of it, really run on a small set."""
import os
import shutil
import signal
import statistics
import unittest
from unittest import mock

import app_support
import support
from app_support import AppCase
from fio_review.app import mirror, place
from fio_review.verdict import NoResult

SMALL = ("--size", "64M", "--files", "8", "--threads", "2")
ATTEMPTS = 9
MODES = ("rndrd", "rndwr", "rndrw")


@support.needs_fio
@app_support.needs("sysbench", "sysbench")
class Real(AppCase):
    def measured(self, out):
        self.out = out
        done = self.app("sysbench-fileio", *SMALL, "--time", "1")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return {name.split("/")[1]: one["metrics"]
                for name, one in self.rows().items()}

    def test_fio_does_what_sysbench_does(self):
        """A busy machine moves single results, so the middle of the ratios of
        neighbours decides, after as few as agree."""
        ratios = {mode: [] for mode in MODES}
        own = {mode: [] for mode in MODES}
        for attempt in range(ATTEMPTS):
            metrics = self.measured(self.dir / f"run{attempt}")
            self.check_mix(metrics)
            for mode in MODES:
                own[mode].append(metrics[mode]["iops"])
                ratios[mode].append(metrics[f"{mode}-mirror"]["iops"]
                                    / metrics[mode]["iops"])
            middle = {mode: statistics.median(ratios[mode]) for mode in MODES}
            if attempt >= 2 and all(abs(one - 1) < 0.15
                                    for one in middle.values()):
                return
        # Where sysbench does not agree with itself, nothing else can.
        low, middle, high = max(
            (statistics.quantiles(one) for one in own.values()),
            key=lambda one: (one[2] - one[0]) / one[1])
        if high - low > 0.15 * middle:
            self.skipTest(f"busy machine: sysbench itself gives {low:.0f} to "
                          f"{high:.0f} IOPS")
        self.fail(f"fio's IOPS are not sysbench's: {ratios}")

    def check_mix(self, metrics):
        for mode, one in metrics.items():
            share = one["read_iops"] / one["iops"]
            wanted = {"rndrd": 1, "rndwr": 0, "rndrw": 0.6}[mode[:5]]
            # fio draws each: a short run is off by chance.
            chance = 4 * (wanted * (1 - wanted) / one["iops"]) ** 0.5
            self.assertAlmostEqual(share, wanted, delta=0.005 + chance,
                                   msg=mode)

    def test_results_are_recorded_and_littles_law_holds(self):
        self.measured(self.out)
        run = support.load_run(self.out)
        self.assertEqual((run["format"], run["state"], run["profiles"]),
                         (1, "complete", []))
        self.assertEqual(sorted(self.rows()), sorted(
            f"sysbench-fileio/{mode}{end}" for mode in MODES
            for end in ("", "-mirror")))
        for name, row in self.rows().items():
            metrics = row["metrics"]
            busy = metrics["iops"] * metrics["mean_ns"] / 1e9
            # fsync at the end is part of the time and of no I/O.
            self.assertTrue(1.4 < busy < 2.1, (name, busy))
            self.assertGreater(metrics["p99_ns"], metrics["mean_ns"] / 2)
            for file in row["files"]:
                self.assertTrue((self.out / file).is_file(), file)

    def test_interrupted_it_goes_on_by_the_same_call(self):
        more = (*SMALL, "--time", "3")
        process = self.begin("sysbench-fileio", *more)
        raw = self.out / "app/sysbench-fileio"
        code = app_support.signal_sent(process, signal.SIGINT,
                                       (raw / "rndwr.txt").exists)
        self.assertEqual(code, 130)
        self.wait_for_none()
        self.assertEqual(support.load_run(self.out)["state"], "interrupted")
        first = self.rows()["sysbench-fileio/rndrd"]
        self.assertEqual(first["state"], "done")
        made = (self.data / "sysbench-fileio/test_file.0").stat().st_ino
        done = self.app("sysbench-fileio", *more)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.rows()["sysbench-fileio/rndrd"], first)
        self.assertEqual({one["state"] for one in self.rows().values()},
                         {"done"})
        self.assertEqual(
            (self.data / "sysbench-fileio/test_file.0").stat().st_ino, made)

    def test_a_killed_runner_leaves_nothing_running(self):
        process = self.begin("sysbench-fileio", *SMALL, "--time", "30")
        raw = self.out / "app/sysbench-fileio"
        app_support.signal_sent(
            process, signal.SIGKILL,
            lambda: (raw / "rndrd.txt").exists() and self.of_ours())
        self.wait_for_none()
        self.assertEqual(support.load_run(self.out)["state"], "running")

    def test_remove_takes_the_data_away_and_nothing_else(self):
        (self.data / "lost+found").mkdir()
        done = self.app("sysbench-fileio", *SMALL, "--time", "1", "--remove")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(os.listdir(self.data), ["lost+found"])

    def test_names_reach_no_shell(self):
        self.data = self.dir / "a;touch $(id) #:%s'\" \\"
        self.data.mkdir()
        done = self.app("sysbench-fileio", *SMALL, "--time", "1")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual({one["state"] for one in self.rows().values()},
                         {"done"})

    def test_a_failing_fio_fails_its_rows_alone(self):
        fake = self.fake_fio("echo 'fio: it hurts' >&2; exit 1\n")
        done = self.app("sysbench-fileio", *SMALL, "--time", "1", "--fio",
                        fake)
        self.assertEqual(done.returncode, 1, done.stderr)
        rows = self.rows()
        self.assertEqual(rows["sysbench-fileio/rndrd"]["state"], "done")
        failed = rows["sysbench-fileio/rndrd-mirror"]
        self.assertEqual(failed["state"], "failed")
        self.assertRegex(failed["reason"], "exit code 1: fio: it hurts")


class Refusals(AppCase):
    def refused(self, code, words, *more, app="sysbench-fileio"):
        done = self.app(app, *more)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        self.assertRegex(done.stderr, words)
        self.assertEqual(len(done.stderr.strip().splitlines()), 1)
        self.assertFalse(self.out.exists())

    @app_support.needs("sysbench", "sysbench")
    def test_a_directory_with_files_of_others(self):
        (self.data / "letter").write_text("dear")
        self.refused(2, "neither empty nor made by", *SMALL)
        self.assertEqual(os.listdir(self.data), ["letter"])

    @app_support.needs("sysbench", "sysbench")
    def test_a_copied_marker_makes_nothing_ours(self):
        other = self.dir / "other"
        other.mkdir()
        mine = place.Place(str(other))
        mine.claim()
        mine.release()
        (self.data / place.MARKER).write_bytes(
            (other / place.MARKER).read_bytes())
        (self.data / "sysbench-fileio").mkdir()
        self.refused(2, "neither empty nor made by", *SMALL)

    def test_what_is_no_directory_on_a_drive(self):
        self.data = self.dir / "none"
        self.refused(2, "No such file")
        self.data = support.RUNNER
        self.refused(2, "not a directory")
        self.data = "/proc"
        self.refused(2, "no drive below")

    def test_results_inside_of_it(self):
        self.out = self.data / "run"
        self.refused(2, "which is measured")

    def test_an_option_of_another_kind(self):
        self.refused(2, "no count", "--threads", "many")
        self.refused(2, "whole seconds", "--time", "1.5")

    @app_support.needs("sysbench", "sysbench")
    def test_more_than_fits(self):
        self.refused(4, "free, but .* are needed", "--size", "64T")
        self.assertEqual(os.listdir(self.data), [])

    @app_support.needs("sysbench", "sysbench")
    def test_files_of_no_whole_size(self):
        self.refused(2, "no whole number of MiB", "--size", "65M")

    def test_a_missing_package_is_named(self):
        from fio_review.app import process
        from fio_review.errors import SYSTEM, ReviewError
        with mock.patch("shutil.which", return_value=None), \
                self.assertRaisesRegex(ReviewError,
                                       "apt install sysbench") as caught:
            process.find("sysbench", "sysbench")
        self.assertEqual(caught.exception.code, SYSTEM)

    @support.needs_fio
    @app_support.needs("sysbench", "sysbench")
    def test_a_dry_run_writes_nothing(self):
        done = self.app("sysbench-fileio", *SMALL, "--dry-run")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("8 files, together 64.0 MiB", done.stdout)
        self.assertEqual((os.listdir(self.data), self.out.exists()),
                         ([], False))


class Locks(AppCase):
    def test_one_at_a_time(self):
        first, second = (place.Place(str(self.data)) for _ in range(2))
        first.claim()
        with mock.patch.object(place, "_PATIENCE_SECONDS", 0.2), \
                self.assertRaisesRegex(Exception, "in use by another"):
            second.claim()
        first.release()
        second.release()
        third = place.Place(str(self.data))
        third.claim()
        third.release()


@support.needs_fio
class Runs(AppCase):
    def test_a_run_of_applications_is_not_resumed_as_profiles(self):
        self.out.mkdir()
        (self.out / "run.json").write_text(
            '{"format": 1, "applications": [{"id": "x"}]}')
        done = support.run([str(support.RUNNER), "run", "--resume", "--out",
                            str(self.out)])
        self.assertEqual(done.returncode, 2)
        self.assertIn("go on by the same call of fio-review app", done.stderr)

    @app_support.needs("sysbench", "sysbench")
    def test_a_damaged_one_is_refused(self):
        self.out.mkdir()
        for text, code in (('{"format": 1, "applications": [{"id": 7}]}', 3),
                           ("{", 3), ('{"format": 1, "profiles": []}', 2)):
            (self.out / "run.json").write_text(text)
            done = self.app("sysbench-fileio", *SMALL)
            self.assertEqual(done.returncode, code, done.stderr)
            self.assertEqual(os.listdir(self.data), [])


class Mirror(support.TempCase):
    def test_a_document_without_histogram_is_no_result(self):
        source = support.TOP / "tests/fixtures/app/fio-without-bins.json"
        path = self.dir / "x.json"
        shutil.copy(source, path)
        with self.assertRaisesRegex(NoResult, "lacks"):
            mirror.metrics(path, 0.1)


if __name__ == "__main__":
    unittest.main()
