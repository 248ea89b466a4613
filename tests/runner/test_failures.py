# SPDX-License-Identifier: GPL-2.0-only
"""A fio that misbehaves: the point fails with a reason, the run goes on."""
import os
import re
import resource
import shutil
import tempfile
import time
import unittest
from unittest import mock

import support
from fio_review import fio
from fio_review.errors import SYSTEM, ReviewError

MEASURED = 'cp "$CANNED" "$out"\n'


@support.needs_fio
class Failures(support.TempCase):
    @classmethod
    def setUpClass(cls):
        """A true result to hand out where the test is about something else."""
        place = tempfile.mkdtemp(prefix="fio-review-")
        cls.addClassCleanup(shutil.rmtree, place, True)
        cls.canned = f"{place}/canned.json"
        support.run([
            support.FIO, "--name=x", "--ioengine=null", "--rw=read",
            "--size=1g", "--time_based=1", "--runtime=300ms",
            "--rate_iops=1000", "--lat_percentiles=1",
            "--output-format=json+", f"--output={cls.canned}"])

    def start(self, behaviour, *more):
        """A run whose points other than the maximum behave like this."""
        script = f'if [ "$RATE" = 0 ]; then {MEASURED.strip()}; exit 0; fi\n'
        return self.start_all(script + behaviour, *more)

    def start_all(self, behaviour, *more):
        return support.run(support.arguments(
            self.dir / "file", self.dir / "run", "--fio",
            self.fake_fio(f"CANNED='{self.canned}'\n" + behaviour), *more))

    def points(self):
        return support.load_run(self.dir / "run")["profiles"][0]["points"]

    def check_failed(self, done, reason):
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        peak, point = self.points()
        self.assertEqual((peak["state"], point["state"]), ("done", "failed"))
        self.assertRegex(point["reason"], reason)
        self.assertIn("failed: ", done.stdout)
        place = self.dir / "run" / support.READ
        self.assertTrue((place / "peak.json").exists())
        self.assertFalse((place / "050.json").exists())
        self.assertTrue((place / "050.failed.txt").exists())
        self.assertEqual(list(place.glob("*.part")), [])

    def test_a_hanging_fio_that_ignores_signals_is_killed(self):
        begun = time.monotonic()
        done = self.start("trap '' INT TERM; echo $$ > " + str(self.dir)
                          + "/pid; while :; do sleep 1; done\n",
                          "--timeout", "500ms")
        self.assertLess(time.monotonic() - begun, 20)
        self.check_failed(done, "did not end within 1 s")
        pid = int((self.dir / "pid").read_text())
        with self.assertRaises(ProcessLookupError):
            os.kill(pid, 0)

    def test_exit_0_without_any_io(self):
        self.check_failed(self.start(
            MEASURED + "sed -i 's/\"total_ios\" : [0-9]*/\"total_ios\" : 0/' "
            '"$out"; exit 0\n'), "no I/O at all")

    def test_death_by_a_signal(self):
        self.check_failed(self.start("kill -SEGV $$\n"), "died of SIGSEGV")

    def test_a_killed_job_in_an_ending_with_0(self):
        self.check_failed(self.start(
            MEASURED + "sed -i '1i fio: pid=7, got signal=9' \"$out\"\n"),
            "got signal=9")

    def test_truncated_json(self):
        self.check_failed(self.start(
            MEASURED + 'head -c 900 "$out" > "$out.x"; mv "$out.x" "$out"\n'),
            "not complete")

    def test_an_error_text_is_the_reason_and_is_kept(self):
        done = self.start("echo 'fio: the moon is full' >&2; exit 1\n")
        self.check_failed(done, "exit code 1: fio: the moon is full")
        kept = self.dir / "run" / support.READ / "050.failed.txt"
        self.assertIn("the moon is full", kept.read_text())

    def test_numbers_that_cannot_be(self):
        for number in ("1e999", "-5", "NaN", "9" * 400, "1e300"):
            with self.subTest(number[:9]):
                shutil.rmtree(self.dir / "run", True)
                (self.dir / "file").unlink(missing_ok=True)
                self.check_failed(self.start(
                    MEASURED + 'sed -i \'s/"iops" : [1-9][0-9.]*/"iops" : '
                    + number + '/\' "$out"\n'), "number")

    def test_endless_printing_is_cut_and_takes_no_memory(self):
        done = self.start("yes 'fio: the moon is full' | head -c 100000000; "
                          "echo 'fio: pid=7, got signal=9'; exit 1\n")
        self.check_failed(done, "got signal=9")
        place = self.dir / "run" / support.READ
        for name in ("050.log", "050.failed.txt"):
            text = (place / name).read_text()
            self.assertLess(len(text), 2 << 20)
            self.assertTrue(re.search(r"\[98\d{6} bytes cut here\]", text))
        most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        self.assertLess(most, 200 << 10)

    def test_an_output_beyond_all_measure_is_not_read(self):
        done = self.start(MEASURED + 'truncate -s 300M "$out"\n')
        self.check_failed(done, "larger than 64 MiB")
        kept = self.dir / "run" / support.READ / "050.failed.txt"
        self.assertLess(kept.stat().st_size, 4 << 20)

    def check_stopped(self, done, *words):
        self.assertEqual(done.returncode, 4, done.stdout + done.stderr)
        self.assertNotIn("Traceback", done.stderr)
        for one in words:
            self.assertIn(one, done.stderr)
        self.assertIn(f"run --resume --out {self.dir}/run", done.stdout)

    def test_a_result_that_cannot_be_stored_names_its_file_and_the_way_on(self):
        done = self.start(MEASURED + 'mkdir "${out%.part}"\n')
        self.check_stopped(done, "050.json: Is a directory")
        self.assertEqual(support.load_run(self.dir / "run")["state"],
                         "interrupted")

    def test_a_run_file_that_cannot_be_written_is_named(self):
        done = self.start(f"mkdir '{self.dir}/run/run.json.part'; exit 1\n")
        self.check_stopped(done, "run.json cannot be written")
        self.assertIn("state is not recorded", done.stdout)

    def test_a_mix_that_whole_numbers_cannot_make_is_warned_of_once(self):
        text = (support.JOBFILES / f"{support.READ}.fio").read_text()
        place = self.dir / "jobfiles/mixed"
        place.mkdir(parents=True)
        # Only the rate is looked at, so the job may go on reading.
        (place / "mix.fio").write_text(
            text.replace("# mix: 100", "# mix: 97"))
        done = self.start_all(
            'sed \'s/"iops" : [1-9][0-9.]*/"iops" : 1000/\' "$CANNED" '
            '>"$out"\n',
            "--jobfiles", str(place.parent), "--profiles", "mixed/mix",
            "--points", "10,20,100")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(done.stdout.count("not the mix of 97 % reads"), 1)
        self.assertIn("010 asks for 6,1 a thread, 85.7 % reads", done.stdout)
        self.assertEqual([(one["rate"], one["asked_iops"])
                          for one in self.points()],
                         [("0", None), ("6,1", 112), ("12,1", 208),
                          ("61,2", 1008)])

    def test_fio_sees_only_the_environment_it_needs(self):
        self.start(f"env > {self.dir}/env; exit 1\n")
        seen = dict(line.split("=", 1) for line in
                    (self.dir / "env").read_text().splitlines())
        for added_by_shell in ("PWD", "OLDPWD", "SHLVL", "_"):
            seen.pop(added_by_shell, None)
        self.assertEqual(seen["LC_ALL"], "C")
        self.assertEqual(sorted(seen), sorted([
            "LC_ALL", "PATH", "TARGET", "SIZE", "SPAN", "RUNTIME", "RAMP",
            "RATE", "IOENGINE", "QUEUE_ENGINE", "DIRECT"]))

    def test_without_a_maximum_no_other_point_is_tried(self):
        done = self.start_all("exit 1\n", "--points", "10,20")
        self.assertEqual(done.returncode, 1)
        states = [(one["state"], one["seconds"] is None)
                  for one in self.points()]
        self.assertEqual(states, [("failed", False), ("failed", True),
                                  ("failed", True)])
        self.assertIn("the maximum of this profile failed",
                      self.points()[2]["reason"])

    def test_on_failure_stop_leaves_the_rest_pending(self):
        done = self.start("exit 1\n", "--points", "10,20",
                          "--on-failure", "stop")
        self.assertEqual(done.returncode, 1)
        self.assertEqual([one["state"] for one in self.points()],
                         ["done", "failed", "pending"])
        self.assertEqual(support.load_run(self.dir / "run")["state"],
                         "interrupted")

    def test_resume_tries_a_failed_point_again(self):
        self.start("exit 1\n")
        fake = self.fake_fio(f'exec {support.FIO} "$@"\n')
        done = support.run([str(support.RUNNER), "run", "--resume", "--out",
                            str(self.dir / "run"), "--fio", fake])
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual([one["state"] for one in self.points()],
                         ["done", "done"])
        place = self.dir / "run" / support.READ
        self.assertFalse((place / "050.failed.txt").exists())


@support.needs_fio
class Liar(support.TempCase):
    def test_a_profile_that_says_it_reads_cannot_write(self):
        text = (support.JOBFILES / f"{support.READ}.fio").read_text()
        place = self.dir / "jobfiles/liars"
        place.mkdir(parents=True)
        (place / "write.fio").write_text(
            text.replace("\nrw=read", "\nrw=write"))
        target = self.dir / "file"
        support.write_file(target, 16 << 20)
        before = target.read_bytes()
        done = support.run([
            str(support.RUNNER), "run", "--target", str(target), "--out",
            str(self.dir / "run"), "--jobfiles", str(place.parent),
            "--profiles", "liars/write", "--runtime", "0.2", "--ramp", "0"])
        self.assertEqual(done.returncode, 3, done.stdout + done.stderr)
        self.assertIn("fio is in read-only mode", done.stderr)
        self.assertEqual(target.read_bytes(), before)


class Missing(support.TempCase):
    def test_no_fio_is_one_sentence_with_the_remedy(self):
        with mock.patch("shutil.which", return_value=None):
            with self.assertRaisesRegex(ReviewError, "apt install fio") as said:
                fio.find(None)
        self.assertEqual(said.exception.code, SYSTEM)

    def test_a_program_that_is_not_fio(self):
        done = support.run(support.arguments(
            self.dir / "file", self.dir / "run", "--fio", "/bin/true"))
        self.assertNotEqual(done.returncode, 0)
        self.assertFalse((self.dir / "run").exists())


if __name__ == "__main__":
    unittest.main()
