# SPDX-License-Identifier: GPL-2.0-only
"""Purging: refused where it cannot be done, and done once where it can."""
import json
import os
import unittest

import support
from fio_review import purge
from fio_review.blockdev import Device
from fio_review.errors import USAGE, ReviewError
from fio_review.target import FILE
from test_loop_devices import MIB, LoopCase
from test_record import ANSWERS, Drive
from test_smart import FakeCase

HDPARM = support.TOP / "tests/fixtures/hdparm/qemu.txt"
# As hdparm prints it: identify.c, print_ata_security.
SECURITY = """Security:
	Master password revision code = 65534
		supported
	not	enabled
	not	locked
	not	frozen
	not	expired: security count
		supported: enhanced erase
	2min for SECURITY ERASE UNIT. 8min for ENHANCED SECURITY ERASE UNIT.
"""


class PurgeCase(FakeCase):
    def setUp(self):
        super().setUp()
        self.drive = Drive(self.dir)
        self.target = self.drive.target

    def refused(self, kind, words):
        with self.assertRaisesRegex(ReviewError, words) as caught:
            purge.calls(kind, self.target)
        self.assertEqual(caught.exception.code, USAGE)

    def argv(self, kind):
        return [[os.path.basename(one.argv[0]), *one.argv[1:]]
                for one in purge.calls(kind, self.target)]


class Nvme(PurgeCase):
    def nvme(self, controller=None, space=None, listed=(1,)):
        """A drive that identifies itself like this."""
        for name, change in (("id-ctrl", controller), ("id-ns", space)):
            said = json.loads((ANSWERS / f"{name}.json").read_text())
            said.update(change or {})
            (self.dir / f"{name}.json").write_text(json.dumps(said))
        (self.dir / "list-ns.json").write_text(json.dumps(
            {"nsid_list": [{"nsid": one} for one in listed]}))
        self.program("nvme", f"cat '{self.dir}'/$1.json")

    def test_keeps_the_format_that_the_namespace_has(self):
        self.nvme()
        self.assertEqual(self.argv("nvme-format"), [[
            "nvme", "format", "/dev/nvme7n1", "--ses=1", "--lbaf=0", "--ms=0",
            "--pi=0", "--pil=0", "--timeout=900000", "--force"]])
        # Format 0x23, metadata in the block, protection 2 in its first bytes.
        self.nvme(space={"flbas": 0x53, "dps": 0xa})
        self.assertEqual(self.argv("nvme-format")[0][4:8],
                         ["--lbaf=35", "--ms=1", "--pi=2", "--pil=1"])

    def test_a_drive_that_cannot_format_is_refused(self):
        self.nvme(controller={"oacs": 0x108})
        self.refused("nvme-format", "does not support the Format NVM command")

    def test_namespaces_that_were_not_named_are_not_formatted(self):
        for fna in (1, 2, 7):
            self.nvme(controller={"fna": fna}, listed=(1, 2))
            self.refused("nvme-format", r"all its namespaces at once \(2\), "
                         "and only /dev/nvme7n1 was named")
            self.nvme(controller={"fna": fna})
            self.assertEqual(len(self.argv("nvme-format")), 1)
        self.nvme(controller={"fna": 4}, listed=(1, 2))
        self.assertEqual(len(self.argv("nvme-format")), 1)

    def test_what_it_does_not_tell_is_no_permission(self):
        for behaviour, why in (("exit 1", "nvme: it ends with status 1"),
                               ("echo no", "nvme id-ctrl gives no JSON"),
                               ("echo []", "nvme id-ctrl gives no JSON"),
                               ("echo {}", "nvme does not tell 'oacs'")):
            self.program("nvme", behaviour)
            self.refused("nvme-format", why)

    def test_only_a_namespace(self):
        for name in ("nvme7n1p1", "sda", "nvme7c0n1"):
            self.target.device = Device(name, "259:8", self.drive.dir)
            self.refused("nvme-format", "is no NVMe namespace")


class Others(PurgeCase):
    def hdparm(self, section):
        text = HDPARM.read_text().replace("HW reset results:",
                                          section + "HW reset results:")
        self.program("hdparm", f"cat <<'END'\n{text}\nEND")
        self.target.device = Device("sdq", "65:0", self.drive.dir)

    def test_a_sata_drive_gets_a_password_and_is_erased(self):
        self.hdparm(SECURITY)
        head = ["hdparm", "--user-master", "u"]
        self.assertEqual(self.argv("ata-secure-erase"), [
            [*head, "--security-set-pass", "fio-review", "/dev/nvme7n1"],
            [*head, "--security-erase", "fio-review", "/dev/nvme7n1"]])
        self.assertEqual([one.timeout_s for one in purge.calls(
            "ata-secure-erase", self.target)], [60, 840])

    def test_one_in_another_state_is_refused_with_the_way_out(self):
        for section, words in (
                ("", "does not support the security feature set"),
                (SECURITY.replace("\t\tsupported\n", "\tnot\tsupported\n"),
                 "does not support the security feature set"),
                (SECURITY.replace("not\tfrozen", "\tfrozen"),
                 "frozen by the firmware; suspend the machine"),
                (SECURITY.replace("not\tenabled", "\tenabled"),
                 "has a password; .*hdparm --security-disable fio-review"),
                (SECURITY.replace("not\tlocked", "\tlocked"),
                 "has a password"),
                # A line that is not there is no permission.
                (SECURITY.replace("\tnot\tfrozen\n", ""), "frozen")):
            self.hdparm(section)
            self.refused("ata-secure-erase", words)

    def test_only_whole_sata_drives_are_erased(self):
        self.refused("ata-secure-erase", "no whole SATA drive")
        self.hdparm(SECURITY)
        self.target.device = Device("sdq1", "65:1", self.drive.dir,
                                    self.target.device)
        self.refused("ata-secure-erase", "no whole SATA drive")

    def test_discards_need_a_device_that_has_them(self):
        queue = self.drive.dir / "queue"
        queue.mkdir()
        self.refused("blkdiscard", "does not support discards")
        (queue / "discard_max_bytes").write_text("0\n")
        self.refused("blkdiscard", "does not support discards")
        (queue / "discard_max_bytes").write_text("4096\n")
        self.assertEqual(self.argv("blkdiscard"),
                         [["blkdiscard", "-f", "/dev/nvme7n1"]])

    def test_files_are_not_purged(self):
        self.target.kind = FILE
        for kind in purge.KINDS:
            self.refused(kind, "--purge is for block devices")
        self.assertEqual(purge.calls(None, self.target), [])


@support.needs_fio
@unittest.skipUnless(os.geteuid() == 0, "loop devices need root")
class Runs(LoopCase, FakeCase):
    def purge(self, *more):
        return self.start("--purge", "blkdiscard", "--destroy-data-on",
                          self.device, "--no-smart", *more,
                          profiles=support.READ)

    def discards(self, then=""):
        """A blkdiscard that says when it is called, and does its work."""
        self.program("blkdiscard", f"echo \"$*\" >>'{self.dir}/asked'\n{then}"
                     "exec /sbin/blkdiscard \"$@\"")

    def test_all_of_the_device_is_discarded_once(self):
        support.write_file(self.dir / "disk.img", 64 * MIB)
        self.discards()
        done = self.purge("--fill", "none")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(self.image(), bytes(64 * MIB))
        run = support.load_run(self.dir / "run")
        self.assertEqual(run["purged"]["by"], "blkdiscard")
        (self.dir / "run" / support.READ / "050.json").unlink()
        done = support.run([str(support.RUNNER), "run", "--resume", "--out",
                            str(self.dir / "run"), "--destroy-data-on",
                            self.device])
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(self.asked(), [f"-f {self.device}"])

    def test_what_was_purged_is_filled_unless_said_otherwise(self):
        self.discards()
        done = self.purge()
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(support.load_run(self.dir / "run")["filled"]["bytes"],
                         64 * MIB)
        self.assertRegex(done.stdout, "(?m)^purge +blkdiscard")

    def test_nine_tenths_can_be_filled(self):
        self.discards()
        done = self.purge("--fill", "90%")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(support.load_run(self.dir / "run")["filled"]["bytes"],
                         57 * MIB)
        image = self.image()
        self.assertTrue(any(image[56 * MIB:57 * MIB]))
        self.assertFalse(any(image[57 * MIB:]))

    def test_no_consent_no_purge(self):
        self.discards()
        before = self.image()
        done = self.start("--purge", "blkdiscard", profiles=support.READ)
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        self.assertIn("what was chosen overwrites", done.stderr)
        self.assertEqual((self.asked(), self.image()), ([], before))

    def test_a_dry_run_shows_it_and_does_not_do_it(self):
        self.discards()
        done = self.purge("--dry-run")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertRegex(done.stdout,
                         f"(?m)^LC_ALL=C .*/blkdiscard -f {self.device}$")
        self.assertEqual(self.asked(), [])

    def test_one_that_fails_ends_the_run_and_is_tried_again(self):
        self.discards("exit 1\n")
        done = self.purge()
        self.assertEqual(done.returncode, 4, done.stdout + done.stderr)
        self.assertRegex(done.stderr, "purging .* failed: blkdiscard: it "
                         "ended with 1 .see .*/purge-1.log")
        self.assertIsNone(support.load_run(self.dir / "run")["purged"])
        self.discards()
        done = support.run([str(support.RUNNER), "run", "--resume", "--out",
                            str(self.dir / "run"), "--destroy-data-on",
                            self.device, "--no-smart"])
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(len(self.asked()), 2)


if __name__ == "__main__":
    unittest.main()
