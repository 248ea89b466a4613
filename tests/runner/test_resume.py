# SPDX-License-Identifier: GPL-2.0-only
"""Runs that are interrupted or killed, and go on."""
import json
import os
import shutil
import signal
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

import support
from fio_review import ownership


def children(pid):
    """Processes that this process started."""
    try:
        text = Path(f"/proc/{pid}/task/{pid}/children").read_text()
    except OSError:
        return []
    return [int(one) for one in text.split()]


def alive(pid):
    """Is the process there and not just a zombie?"""
    try:
        return " Z " not in Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False


@support.needs_fio
class Interrupted(support.TempCase):
    def setUp(self):
        super().setUp()
        self.run_dir = self.dir / "run"
        self.argv = support.arguments(
            self.dir / "file", self.run_dir, "--profiles", support.WRITE,
            "--runtime", "1s", "--remove")

    def start_until_point(self, done):
        """Start; returns (runner, fio's pid) with so many points measured."""
        process = subprocess.Popen(
            self.argv, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True, stdin=subprocess.DEVNULL)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.kill)
        end = time.monotonic() + 20
        while time.monotonic() < end:
            parts = list(self.run_dir.rglob("*/*.json.part"))
            if self.states().count("done") == done and parts:
                found = children(process.pid)
                if found:
                    time.sleep(0.2)
                    return process, found[0]
            time.sleep(0.02)
        self.fail("the point did not begin")
        return None

    def states(self):
        try:
            run = support.load_run(self.run_dir)
        except (OSError, ValueError):
            return []
        return [point["state"] for profile in run["profiles"]
                for point in profile["points"]]

    def resume(self, *more):
        return support.run([str(support.RUNNER), "run", "--resume", "--out",
                            str(self.run_dir), *more])

    def test_ctrl_c_stops_fio_and_the_printed_command_goes_on(self):
        process, fio_pid = self.start_until_point(1)
        process.send_signal(signal.SIGINT)
        said, _ = process.communicate(timeout=20)
        self.assertEqual(process.returncode, 130)
        self.assertFalse(alive(fio_pid))
        self.assertEqual(support.load_run(self.run_dir)["state"],
                         "interrupted")
        self.assertEqual(self.states(), ["done", "pending"])
        # Still needed, in spite of --remove.
        self.assertTrue((self.dir / "file").exists())
        command = said.strip().splitlines()[-1].strip()
        first = (self.run_dir / support.WRITE / "peak.json").read_bytes()
        done = support.run(["sh", "-c", command])
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(self.states(), ["done"] * 2)
        run = support.load_run(self.run_dir)
        self.assertEqual(run["state"], "complete")
        self.assertFalse((self.dir / "file").exists())
        # What was measured is kept, not measured again.
        self.assertEqual(
            (self.run_dir / support.WRITE / "peak.json").read_bytes(), first)

    def test_kill_9_takes_fio_along(self):
        # One that would not end by itself in the time of the test.
        self.argv += ["--fio", self.fake_fio(': > "$out"; exec sleep 60\n')]
        process, fio_pid = self.start_until_point(0)
        process.kill()
        process.wait()
        end = time.monotonic() + 5
        while alive(fio_pid) and time.monotonic() < end:
            time.sleep(0.05)
        self.assertFalse(alive(fio_pid))

    def test_a_killed_run_can_go_on(self):
        process, _ = self.start_until_point(1)
        process.kill()
        process.wait()
        self.assertTrue(list(self.run_dir.rglob("*.part")))
        self.assertEqual(support.load_run(self.run_dir)["state"], "running")
        done = self.resume()
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(self.states(), ["done"] * 2)
        self.assertEqual(list(self.run_dir.rglob("*.part")), [])

    def test_a_second_runner_is_kept_out(self):
        process, _ = self.start_until_point(0)
        done = self.resume()
        self.assertEqual(done.returncode, 2)
        self.assertIn("another fio-review is at work", done.stderr)
        self.assertTrue(alive(process.pid))
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=20)
        self.assertEqual(process.returncode, 130)


@support.needs_fio
class Refused(unittest.TestCase):
    """What only looks at a finished run; one serves all."""

    @classmethod
    def setUpClass(cls):
        cls.dir = Path(tempfile.mkdtemp(prefix="fio-review-", dir="/var/tmp"))
        cls.addClassCleanup(shutil.rmtree, cls.dir, True)
        cls.run_dir = cls.dir / "run"
        cls.argv = support.arguments(cls.dir / "file", cls.run_dir)
        support.run(cls.argv)

    def resume(self, *more):
        return support.run([str(support.RUNNER), "run", "--resume", "--out",
                            str(self.run_dir), *more])

    def test_an_existing_run_is_not_started_over(self):
        done = support.run(self.argv)
        self.assertEqual(done.returncode, 2)
        self.assertIn("--resume", done.stderr)

    def test_a_contradicting_option_is_refused_with_both_values(self):
        for option, value, words in (
                ("--runtime", "7", ("--runtime", "7.0", "0.3")),
                ("--points", "60", ("[60]", "[50]")),
                ("--size", "32M", (str(32 << 20), str(16 << 20))),
                ("--profiles", "four-corners", (support.WRITE,)),
                ("--target", "/tmp/other", ("/tmp/other",)),
                ("--ioengine", "sync", ("sync", "psync")),
                ("--remove", None, ("False", "True"))):
            with self.subTest(option):
                done = self.resume(option, *([value] if value else []))
                self.assertEqual(done.returncode, 2, done.stderr)
                for one in words:
                    self.assertIn(one, done.stderr)

    def test_agreeing_options_are_fine(self):
        done = self.resume("--runtime", "0.3", "--size", "16M", "--points",
                           "50", "--profiles", support.READ)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_nothing_to_resume(self):
        done = support.run([str(support.RUNNER), "run", "--resume", "--out",
                            str(self.dir / "none")])
        self.assertEqual(done.returncode, 2)
        self.assertFalse((self.dir / "none").exists())


@support.needs_fio
class Resumed(support.TempCase):
    """Each test continues a copy of one finished run."""

    @classmethod
    def setUpClass(cls):
        cls.first = Path(tempfile.mkdtemp(prefix="fio-review-",
                                          dir="/var/tmp"))
        cls.addClassCleanup(shutil.rmtree, cls.first, True)
        support.run(support.arguments(cls.first / "file", cls.first / "run"))

    def setUp(self):
        super().setUp()
        self.run_dir = self.dir / "run"
        shutil.copytree(self.first / "run", self.run_dir)
        target = self.dir / "file"
        target.write_bytes((self.first / "file").read_bytes())
        info = target.stat()

        def move(run):
            run["options"]["target"] = run["made"]["path"] = str(target)
            run["made"].update(dev=info.st_dev, inode=info.st_ino)
            os.setxattr(target, ownership.MARK,
                        run["made"]["token"].encode())
        self.edit(move)

    def edit(self, change):
        run = support.load_run(self.run_dir)
        change(run)
        (self.run_dir / "run.json").write_text(json.dumps(run))

    def resume(self, *more):
        return support.run([str(support.RUNNER), "run", "--resume", "--out",
                            str(self.run_dir), *more])

    def test_a_damaged_point_is_measured_again(self):
        path = self.run_dir / support.READ / "050.json"
        path.write_text(path.read_text()[:100])
        done = self.resume()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("is damaged", done.stdout)
        self.assertGreater(path.stat().st_size, 1000)

    def test_a_lost_maximum_takes_its_points_along(self):
        place = self.run_dir / support.READ
        (place / "peak.json").unlink()
        before = (place / "050.json").read_bytes()
        self.assertEqual(self.resume().returncode, 0)
        self.assertNotEqual((place / "050.json").read_bytes(), before)

    def test_another_file_in_place_of_the_one_made_is_refused(self):
        os.rename(self.dir / "file", self.dir / "old")
        support.write_file(self.dir / "file", 16 << 20)
        done = self.resume()
        self.assertEqual(done.returncode, 2)
        self.assertIn("not the file that this run made", done.stderr)

    def test_a_file_of_the_user_with_the_inode_of_the_one_made_is_spared(self):
        os.removexattr(self.dir / "file", ownership.MARK)
        before = (self.dir / "file").read_bytes()
        self.edit(lambda run: run["options"].update(keep=False))
        (self.run_dir / support.READ / "050.json").unlink()
        done = self.resume()
        self.assertEqual(done.returncode, 2)
        self.assertIn("not the file that this run made", done.stderr)
        self.assertEqual((self.dir / "file").read_bytes(), before)

    def test_a_file_made_sparse_meanwhile_is_refused(self):
        os.truncate(self.dir / "file", 1 << 20)
        os.truncate(self.dir / "file", 16 << 20)
        (self.run_dir / support.READ / "050.json").unlink()
        done = self.resume()
        self.assertEqual(done.returncode, 2)
        self.assertIn("hole", done.stderr)

    def test_a_file_that_went_away_is_made_again(self):
        (self.dir / "file").unlink()
        (self.run_dir / support.READ / "050.json").unlink()
        done = self.resume()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual((self.dir / "file").stat().st_size, 16 << 20)

    def test_a_complete_run_without_its_file_makes_no_new_one(self):
        (self.dir / "file").unlink()
        done = self.resume()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertFalse((self.dir / "file").exists())

    def test_a_half_filled_file_is_filled_again(self):
        os.truncate(self.dir / "file", 1 << 20)
        self.edit(lambda run: run.update(filled=None))
        (self.run_dir / support.READ / "050.json").unlink()
        done = self.resume()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("filled 16.0 MiB", done.stdout)

    def test_a_run_file_of_another_format_is_not_understood(self):
        self.edit(lambda run: run.update(format=99))
        self.assertEqual(self.resume().returncode, 3)
        (self.run_dir / "run.json").write_text("{")
        self.assertEqual(self.resume().returncode, 3)


if __name__ == "__main__":
    unittest.main()
