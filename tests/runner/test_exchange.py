# SPDX-License-Identifier: GPL-2.0-only
"""The target stays the one that was judged, and belongs to one run."""
import fcntl
import json
import os
import unittest
from pathlib import Path
from unittest import mock

import support
from fio_review import facts, hold
from fio_review.blockdev import Device, System
from fio_review.errors import ReviewError
from fio_review.target import BLOCK, Target, resolve

SIZE = 16 << 20


@support.needs_fio
class Exchanged(support.TempCase):
    def start(self, behaviour, *more):
        """A run on a file of the user, which fio moves at each call."""
        self.target = self.dir / "file"
        support.write_file(self.target, SIZE)
        return support.run(support.arguments(
            self.target, self.dir / "run", "--fio",
            self.fake_fio(f"cd '{self.dir}'\n{behaviour}"
                          f'exec {support.FIO} "$@"\n'), *more))

    def test_another_file_under_the_name_fails_the_point_and_stops(self):
        done = self.start("cp file new; mv file old; mv new file\n",
                          "--points", "50,60")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn("stopped: ", done.stdout)
        self.assertIn("--resume", done.stdout)
        run = support.load_run(self.dir / "run")
        points = run["profiles"][0]["points"]
        self.assertEqual([one["state"] for one in points],
                         ["failed", "pending", "pending"])
        self.assertIn("is no longer the file", points[0]["reason"])
        self.assertEqual(run["state"], "interrupted")

    def test_a_file_exchanged_before_it_is_filled_again_keeps_its_length(self):
        out, target = self.dir / "run", self.dir / "file"
        fake = Path(self.fake_fio(f'exec {support.FIO} "$@"\n'))
        support.run(support.arguments(target, out, "--fio", str(fake)))
        (out / support.READ / "050.json").unlink()
        run = support.load_run(out)
        run["filled"] = None
        (out / "run.json").write_text(json.dumps(run))
        # fio is asked after the file was judged.
        fake.write_text(fake.read_text().replace(
            "#!/bin/sh\n", "#!/bin/sh\ncase \"$*\" in *--parse-only*) "
            f"mv '{target}' '{target}.old'; echo thesis >'{target}';; esac\n"))
        done = support.run([str(support.RUNNER), "run", "--resume", "--out",
                            str(out), "--fio", str(fake)])
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        self.assertIn("filling stopped", done.stderr)
        self.assertEqual(target.read_text(), "thesis\n")

    def test_a_link_to_the_same_file_is_the_same(self):
        done = self.start("[ -L file ] || { mv file old; ln -s old file; }\n")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


class InTheRun(support.TempCase):
    def test_a_target_in_the_run_directory_is_refused(self):
        out = self.dir / "run"
        for target in (out, out / "file", out / "a" / "file"):
            target.parent.mkdir(parents=True, exist_ok=True)
            before = sorted(self.dir.rglob("*"))
            with self.subTest(str(target)):
                done = support.run(support.arguments(target, out))
                self.assertEqual(done.returncode, 2, done.stderr)
                self.assertRegex(done.stderr, "lies in|is a directory")
                self.assertEqual(sorted(self.dir.rglob("*")), before)
        link = self.dir / "link"
        link.symlink_to(out)
        done = support.run(support.arguments(out / "file", link))
        self.assertIn("lies in", done.stderr)


@support.needs_fio
class Locked(support.TempCase):
    def test_a_second_run_on_the_target_is_refused_and_leaves_nothing(self):
        target = self.dir / "file"
        support.write_file(target, SIZE)
        with open(target, "rb") as other:
            fcntl.flock(other, fcntl.LOCK_EX)
            done = support.run(support.arguments(target, self.dir / "run"))
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        self.assertIn("another fio-review", done.stderr)
        self.assertFalse((self.dir / "run").exists())

    def test_the_target_is_locked_while_fio_measures(self):
        target = self.dir / "file"
        done = support.run(support.arguments(
            target, self.dir / "run", "--fio", self.fake_fio(
                f"flock -n '{target}' true && exit 9\n"
                f'exec {support.FIO} "$@"\n')))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_a_lock_held_for_a_moment_is_waited_for(self):
        target = self.dir / "file"
        target.touch()
        real, calls = fcntl.flock, []

        def busy_once(fd, how):
            calls.append(fd)
            if len(calls) == 1:
                raise BlockingIOError
            real(fd, how)
        one = hold.Hold(System())
        with mock.patch("fcntl.flock", busy_once):
            one.lock(resolve(str(target), System()))
        one.release()
        self.assertEqual(len(calls), 2)

    def test_a_file_that_cannot_be_made_leaves_no_run(self):
        target = self.dir / "file"
        fake = self.fake_fio("exit 1\n")
        # Someone makes the file between the checks and the start.
        script = Path(fake)
        script.write_text(script.read_text().replace(
            "#!/bin/sh\n", "#!/bin/sh\ncase \"$*\" in *--parse-only*) "
            f"touch '{target}';; esac\n"))
        done = support.run(support.arguments(target, self.dir / "run",
                                             "--fio", fake))
        self.assertEqual(done.returncode, 4, done.stdout + done.stderr)
        self.assertIn("File exists", done.stderr)
        self.assertFalse((self.dir / "run").exists())
        self.assertEqual(target.stat().st_size, 0)

    def test_a_start_that_wrote_no_run_file_does_not_block_the_next(self):
        (self.dir / "run").mkdir()
        (self.dir / "run" / "run.json.part").write_text("{")
        (self.dir / "run" / ".lock").touch()
        done = support.run(support.arguments(self.dir / "file",
                                             self.dir / "run"))
        self.assertEqual(done.returncode, 0, done.stderr)


class Identity(support.TempCase):
    def device(self, files, parent=None):
        place = self.dir / ("part" if parent else "disk")
        for name, text in files.items():
            (place / name).parent.mkdir(parents=True, exist_ok=True)
            (place / name).write_text(text + "\n")
        return Device(place.name, "8:0", place, parent)

    def identity(self, device):
        return facts.identity(Target("/dev/x", "block device", True, 4096,
                                     "8:0", device, "/dev/x"))

    def test_virtio_keeps_its_serial_at_the_disk(self):
        self.assertEqual(self.identity(self.device({"serial": "abc"})),
                         {"size": 4096, "serial": "abc"})

    def test_a_partition_by_its_place_and_uuid(self):
        disk = self.device({"device/serial": "abc"})
        part = self.device({"partition": "2", "start": "2048",
                            "uevent": "DEVNAME=x2\nPARTUUID=11-22"}, disk)
        self.assertEqual(self.identity(part), {
            "size": 4096, "serial": "abc", "partition": "2", "start": "2048",
            "partuuid": "11-22"})

    def test_a_loop_device_by_its_file(self):
        image = self.dir / "image"
        image.touch()
        device = self.device({"loop/backing_file": str(image)})
        first = self.identity(device)
        image.rename(self.dir / "old")
        image.touch()
        second = self.identity(device)
        self.assertEqual(first["loop_file"], str(image))
        self.assertEqual(first["loop_file_id"][1],
                         os.stat(self.dir / "old").st_ino)
        self.assertNotEqual(first, second)


class Claimed(unittest.TestCase):
    def setUp(self):
        device = Target("/dev/x", BLOCK, True, 1, "259:0", None, "/dev/x")
        self.hold = hold.Hold(System())
        claim = mock.patch.object(hold.safety, "open_exclusive",
                                  lambda *_: os.open("/dev/null", os.O_RDONLY))
        lock = mock.patch.object(self.hold, "lock")
        for one in (claim, lock):
            one.start()
            self.addCleanup(one.stop)
        self.addCleanup(self.hold.release)
        self.device = device

    def test_what_is_claimed_is_told(self):
        self.hold.take(self.device, True)
        self.assertEqual(self.hold.variables, {"FIO_REVIEW_HOLDS": "259:0"})
        self.hold.release()
        self.assertEqual(self.hold.variables, {})

    def test_what_is_only_locked_is_not(self):
        self.hold.take(self.device, False)
        self.assertEqual(self.hold.variables, {})


class Judged(unittest.TestCase):
    def test_what_is_no_device_is_never_claimed(self):
        with self.assertRaises(ReviewError):
            hold.safety.open_exclusive("/dev/null", "1:3")


if __name__ == "__main__":
    unittest.main()
