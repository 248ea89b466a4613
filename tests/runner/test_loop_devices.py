# SPDX-License-Identifier: GPL-2.0-only
"""The safety rules and a whole run on real loop devices."""
import json
import os
import shutil
import stat
import struct
import subprocess
import unittest

import support
from fio_review import safety
from fio_review.blockdev import System
from fio_review.errors import ReviewError

MIB = 1 << 20


def tool(name):
    """A system tool's path; None where it is not installed."""
    return shutil.which(name, path="/usr/sbin:/sbin:/usr/bin:/bin")


def call(*argv):
    """Run a tool; its output. Skips the test where the machine forbids it."""
    path = tool(argv[0])
    if not path:
        raise unittest.SkipTest(f"{argv[0]} is not installed")
    done = support.run([path, *argv[1:]])
    if done.returncode:
        raise unittest.SkipTest(f"{' '.join(argv)}: {done.stderr.strip()}")
    return done.stdout.strip()


@support.needs_fio
@unittest.skipUnless(os.geteuid() == 0, "loop devices need root")
class LoopCase(support.TempCase):
    def setUp(self):
        super().setUp()
        self.device = self.attach("disk.img", 64 * MIB)

    def attach(self, name, size, *options):
        image = self.dir / name
        image.touch()
        os.truncate(image, size)
        device = call("losetup", "--find", "--show", *options, str(image))
        self.addCleanup(subprocess.run, [tool("losetup"), "-d", device],
                        check=False)
        return device

    def start(self, *more, target=None, profiles="four-corners"):
        argv = support.arguments(target or self.device, self.dir / "run",
                                 "--profiles", profiles, *more)
        return support.run(argv)

    def refused(self, *words, target=None):
        """Refused with consent given, and nothing made or written."""
        target = target or self.device
        done = self.start("--destroy-data-on", target, target=target)
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        for one in words:
            self.assertIn(one, done.stderr)
        self.assertFalse((self.dir / "run").exists())

    def image(self):
        return (self.dir / "disk.img").read_bytes()


class Refusals(LoopCase):
    def test_no_consent_writes_nothing_and_says_what_to_type(self):
        before = self.image()
        done = self.start()
        self.assertEqual(done.returncode, 2)
        self.assertIn(f"--destroy-data-on {self.device}", done.stderr)
        self.assertEqual(self.image(), before)

    def test_consent_for_another_device(self):
        done = self.start("--destroy-data-on", "/dev/null")
        self.assertEqual(done.returncode, 2)
        self.assertIn("both must be the same device", done.stderr)

    def test_a_mounted_device(self):
        call("mkfs.ext4", "-q", "-F", self.device)
        point = self.dir / "mount point"
        point.mkdir()
        call("mount", self.device, str(point))
        self.addCleanup(subprocess.run, [tool("umount"), str(point)],
                        check=False)
        self.refused(f"{self.device} is mounted at {point}")

    def test_swap(self):
        call("mkswap", self.device)
        call("swapon", self.device)
        self.addCleanup(subprocess.run, [tool("swapoff"), self.device],
                        check=False)
        self.refused("used as swap space")

    def test_a_disk_that_is_held_open_exclusively(self):
        fd = os.open(self.device, os.O_RDONLY | os.O_EXCL)
        self.addCleanup(os.close, fd)
        done = self.start("--destroy-data-on", self.device)
        self.assertEqual(done.returncode, 2)
        self.assertIn("does not give it exclusively", done.stderr)

    def test_a_disk_with_a_mounted_partition(self):
        self.make_partition()
        part = self.device + "p1"
        call("partx", "-a", self.device)
        self.addCleanup(subprocess.run, [tool("partx"), "-d", self.device],
                        check=False)
        if not os.path.exists(part):
            self.skipTest("no node for the partition appears")
        call("mkfs.ext4", "-q", "-F", part)
        point = self.dir / "mnt"
        point.mkdir()
        call("mount", part, str(point))
        self.addCleanup(subprocess.run, [tool("umount"), str(point)],
                        check=False)
        self.refused("p1", f"is mounted at {point}")
        self.refused("is mounted at", target=part)

    def make_partition(self):
        """One DOS partition from 1 MiB on, without a tool."""
        entry = struct.pack("<B3sB3sII", 0, bytes(3), 0x83, bytes(3), 2048,
                            60 * 2048)
        with open(self.device, "r+b") as disk:
            disk.write(bytes(446) + entry + bytes(48) + b"\x55\xaa")
            disk.flush()
            os.fsync(disk.fileno())

    def test_a_holder_on_top(self):
        name = f"fio-review-{os.getpid()}"
        call("dmsetup", "create", name, "--table",
             f"0 65536 linear {self.device} 0")
        self.addCleanup(subprocess.run, [tool("dmsetup"), "remove", name],
                        check=False)
        self.refused("is held by dm-")

    def test_an_array_that_is_not_running(self):
        call("wipefs", "-a", self.device)
        # The least of an LVM label that blkid knows.
        label = bytearray(b"LABELONE" + struct.pack("<QII", 1, 0, 32)
                          + b"LVM2 001" + b"a" * 32 + bytes(512 - 64))
        struct.pack_into("<I", label, 16, _lvm_crc(bytes(label[20:])))
        with open(self.device, "r+b") as disk:
            disk.seek(512)
            disk.write(label)
        if b"LVM2_member" not in subprocess.run(
                [tool("blkid"), "-p", self.device], check=False,
                stdout=subprocess.PIPE).stdout:
            self.skipTest("blkid does not take the label")
        self.refused("LVM physical volume", f"wipefs -a {self.device}")

    def test_two_on_one_file_of_which_one_is_mounted(self):
        call("mkfs.ext4", "-q", "-F", self.device)
        second = self.attach("disk.img", 64 * MIB)
        point = self.dir / "mnt"
        point.mkdir()
        call("mount", second, str(point))
        self.addCleanup(subprocess.run, [tool("umount"), str(point)],
                        check=False)
        self.refused("lies on", f"as does {os.path.basename(second)}")

    def test_one_on_top_of_a_mounted_one(self):
        call("mkfs.ext4", "-q", "-F", self.device)
        upper = call("losetup", "--find", "--show", self.device)
        self.addCleanup(subprocess.run, [tool("losetup"), "-d", upper],
                        check=False)
        point = self.dir / "mnt"
        point.mkdir()
        call("mount", self.device, str(point))
        self.addCleanup(subprocess.run, [tool("umount"), str(point)],
                        check=False)
        self.refused(f"{self.device} is mounted at {point}", target=upper)

    def test_a_device_exchanged_after_it_was_judged(self):
        with self.assertRaisesRegex(ReviewError, "no longer the device"):
            safety.open_exclusive(self.device, "8:16")
        os.close(safety.open_exclusive(
            self.device, System().rdev(self.device)))

    def test_a_read_only_device(self):
        device = self.attach("ro.img", 8 * MIB, "--read-only")
        self.refused("is read-only", target=device)


def _lvm_crc(data):
    """LVM's checksum of a label, a CRC-32 without the final complement."""
    value = 0xF597A6CF
    for one in data:
        value ^= one
        for _ in range(8):
            value = value >> 1 ^ (0xEDB88320 if value & 1 else 0)
    return value


class Runs(LoopCase):
    def test_reading_needs_no_consent_and_changes_nothing(self):
        before = self.image()
        done = self.start(profiles=support.READ)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.image(), before)
        self.assertIn("is only read and not filled first", done.stdout)
        facts = {one["name"]: one["value"] for one in
                 support.load_run(self.dir / "run")["facts"]}
        self.assertEqual(facts["target.kind"], "block device")
        self.assertEqual(facts["target.size"], "64.0 MiB")
        self.assertEqual(facts["target.fill"], "not filled by this run")

    def test_writing_with_consent_fills_the_device_and_names_the_loss(self):
        call("mkfs.ext4", "-q", "-F", "-L", "photos", self.device)
        done = self.start("--destroy-data-on", self.device,
                          profiles=support.WRITE)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("DATA LOSS", done.stdout)
        self.assertIn("ext4", done.stdout)
        self.assertIn("photos", done.stdout)
        run = support.load_run(self.dir / "run")
        self.assertEqual(run["filled"]["bytes"], 64 * MIB)

    def environment_of_fio(self, profiles):
        """What the measuring fio saw of the environment, and the run."""
        fake = self.fake_fio(f'env > {self.dir}/env; exec {support.FIO} "$@"')
        done = self.start("--destroy-data-on", self.device, "--fio", fake,
                          profiles=profiles)
        self.assertEqual(done.returncode, 0, done.stderr)
        return (self.dir / "env").read_text(), \
            (self.dir / "run" / "run.json").read_text()

    def test_an_engine_is_told_what_the_runner_claimed_for_it(self):
        seen, run = self.environment_of_fio(support.WRITE)
        self.assertIn(f"FIO_REVIEW_HOLDS={System().rdev(self.device)}\n",
                      seen)
        # A command to be repeated by hand must not say so.
        self.assertNotIn("FIO_REVIEW_HOLDS", run)

    def test_nothing_is_claimed_for_reading(self):
        seen, _ = self.environment_of_fio(support.READ)
        self.assertNotIn("FIO_REVIEW_HOLDS", seen)

    def test_resuming_needs_consent_again_and_the_same_device(self):
        consent = ("--destroy-data-on", self.device)
        self.assertEqual(self.start(*consent, profiles=support.WRITE)
                         .returncode, 0)
        argv = [str(support.RUNNER), "run", "--resume", "--out",
                str(self.dir / "run")]
        done = support.run(argv)
        self.assertEqual(done.returncode, 2)
        self.assertIn(f"--destroy-data-on {self.device}", done.stderr)
        self.assertEqual(support.run([*argv, *consent]).returncode, 0)
        path = self.dir / "run" / "run.json"
        run = support.load_run(self.dir / "run")
        run["identity"]["serial"] = "another"
        path.write_text(json.dumps(run))
        done = support.run([*argv, *consent])
        self.assertEqual(done.returncode, 2)
        self.assertIn("is not the device that the run was started on",
                      done.stderr)

    def test_resuming_shows_again_what_will_be_lost(self):
        consent = ("--destroy-data-on", self.device)
        self.start(*consent, profiles=support.WRITE)
        (self.dir / "run" / support.WRITE / "050.json").unlink()
        done = support.run([str(support.RUNNER), "run", "--resume", "--out",
                            str(self.dir / "run"), *consent])
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(f"DATA LOSS: everything on {self.device}", done.stdout)
        self.assertNotIn("to fill", done.stdout)

    def test_another_device_under_the_name_is_not_written(self):
        other = self.attach("other.img", 64 * MIB)
        numbers = [os.stat(one).st_rdev for one in (self.device, other)]
        node = self.dir / "node"
        os.mknod(node, 0o600 | stat.S_IFBLK, numbers[0])
        done = self.start(
            "--destroy-data-on", str(node), "--fill", "none", "--fio",
            self.fake_fio(f"rm '{node}'; mknod '{node}' b "
                          f"{os.major(numbers[1])} {os.minor(numbers[1])}\n"
                          f'exec {support.FIO} --parse-only "$@"\n'),
            target=str(node), profiles=support.WRITE)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn("no longer the block device", done.stdout)
        self.assertFalse(any((self.dir / "other.img").read_bytes()))

    def test_filling_is_writing_and_needs_consent(self):
        done = self.start("--fill", "region", profiles=support.READ)
        self.assertEqual(done.returncode, 2)
        self.assertIn("--destroy-data-on", done.stderr)

    def test_a_quarter_of_a_device_is_the_default_region(self):
        argv = support.arguments(self.device, self.dir / "run", "--dry-run")
        at = argv.index("--size")
        done = support.run(argv[:at] + argv[at + 2:])
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(f"SIZE={16 * MIB} ", done.stdout)

    def test_a_symlink_is_resolved_and_named(self):
        link = self.dir / "link"
        link.symlink_to(self.device)
        done = self.start(target=str(link), profiles=support.WRITE)
        self.assertEqual(done.returncode, 2)
        self.assertIn(f"--destroy-data-on {self.device}", done.stderr)


if __name__ == "__main__":
    unittest.main()
