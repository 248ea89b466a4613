# SPDX-License-Identifier: GPL-2.0-only
"""The safety rules against machines that are not there."""
import unittest
from pathlib import Path

import support
from fio_review import safety
from fio_review.blockdev import System, unescape
from fio_review.errors import USAGE, ReviewError


class Machine:
    """A made-up /proc and /sys."""

    def __init__(self, root: Path):
        self.root = root
        self.numbers = {}
        (root / "proc/self").mkdir(parents=True)
        (root / "sys/dev/block").mkdir(parents=True)
        self.mounts([])
        self.swaps([])
        self.system = System(root / "proc", root / "sys", self.numbers.get)

    def disk(self, name, number, holders=(), ro="0"):
        place = self.root / "sys/devices/pci0/block" / name
        self._node(place, name, number, holders, ro)
        return self

    def partition(self, disk, name, number, holders=()):
        place = self.root / "sys/devices/pci0/block" / disk / name
        self._node(place, name, number, holders, "0")
        (place / "partition").write_text("1\n")
        return self

    def _node(self, place, name, number, holders, ro):
        (place / "holders").mkdir(parents=True)
        for one in holders:
            (place / "holders" / one).touch()
        (place / "dev").write_text(f"{number}\n")
        (place / "ro").write_text(f"{ro}\n")
        (self.root / "sys/dev/block" / number).symlink_to(place)
        self.numbers[f"/dev/{name}"] = number

    def mounts(self, rows):
        (self.root / "proc/self/mountinfo").write_text("".join(
            f"30 1 {number} / {point} rw,relatime shared:1 - {fstype} "
            f"{source} rw\n" for number, point, fstype, source in rows))

    def swaps(self, names):
        (self.root / "proc/swaps").write_text(
            "Filename\tType\tSize\tUsed\tPriority\n" + "".join(
                f"{name} partition 1048572 0 -2\n" for name in names))

    def check(self, name, signatures=None):
        device = self.system.device(self.numbers[f"/dev/{name}"])
        table = signatures or {}
        safety.check_writable(self.system, device, f"/dev/{name}",
                              lambda path: table.get(path, {}))


class Writable(support.TempCase):
    def setUp(self):
        super().setUp()
        self.machine = Machine(self.dir)
        self.machine.disk("sda", "8:0").partition("sda", "sda1", "8:1") \
            .partition("sda", "sda2", "8:2").disk("sdb", "8:16")

    def refused(self, name, *words, signatures=None):
        with self.assertRaises(ReviewError) as caught:
            self.machine.check(name, signatures)
        self.assertEqual(caught.exception.code, USAGE)
        for one in words:
            self.assertIn(one, str(caught.exception))
        self.assertNotIn("\n", str(caught.exception))

    def test_free_devices_are_allowed(self):
        for name in ("sda", "sda1", "sda2", "sdb"):
            with self.subTest(name):
                self.machine.check(name)

    def test_a_mounted_disk(self):
        self.machine.mounts([("8:16", "/mnt", "ext4", "/dev/sdb")])
        self.refused("sdb", "/dev/sdb is mounted at /mnt")

    def test_a_disk_with_a_mounted_partition(self):
        self.machine.mounts([("8:2", "/", "ext4", "/dev/root")])
        self.refused("sda", "sda2", "is mounted at /")

    def test_a_partition_of_a_mounted_disk(self):
        self.machine.mounts([("8:0", "/mnt", "xfs", "/dev/sda")])
        self.refused("sda1", "sda", "is mounted at /mnt")

    def test_a_sibling_of_a_mounted_partition_is_free(self):
        self.machine.mounts([("8:2", "/", "ext4", "/dev/sda2")])
        self.machine.check("sda1")

    def test_btrfs_with_a_number_of_its_own(self):
        self.machine.mounts([("0:42", "/data", "btrfs", "/dev/sdb")])
        self.refused("sdb", "is mounted at /data")

    def test_a_mount_point_with_a_blank_is_shown_as_it_is(self):
        self.machine.mounts([("8:16", "/my\\040disk", "ext4", "/dev/sdb")])
        self.refused("sdb", "is mounted at /my disk")

    def test_a_source_with_escapes_is_found(self):
        self.machine.numbers["/dev/mapper/a b"] = "8:16"
        self.machine.mounts([("0:50", "/x", "btrfs", "/dev/mapper/a\\040b")])
        self.refused("sdb", "is mounted at /x")

    def test_swap_on_disk_and_partition(self):
        self.machine.swaps(["/dev/sdb", "/dev/sda1"])
        self.refused("sdb", "used as swap")
        self.refused("sda1", "used as swap")
        self.refused("sda", "sda1", "used as swap")
        self.machine.check("sda2")

    def test_holders_of_lvm_md_and_dm(self):
        self.machine.disk("sdc", "8:32", holders=("dm-0", "md127"))
        self.refused("sdc", "held by dm-0, md127")
        self.machine.disk("sdd", "8:48").partition("sdd", "sdd1", "8:49",
                                                   holders=("md0",))
        self.refused("sdd", "sdd1", "held by md0")

    def test_read_only(self):
        self.machine.disk("sre", "11:0", ro="1")
        self.refused("sre", "is read-only")

    def test_members_of_sets_that_are_not_running(self):
        for kind, words in (("LVM2_member", "LVM physical volume"),
                            ("linux_raid_member", "member of an md array"),
                            ("zfs_member", "ZFS pool")):
            with self.subTest(kind):
                self.refused("sdb", words, "wipefs -a /dev/sdb",
                             signatures={"/dev/sdb": {"TYPE": kind}})
                self.refused("sda", words, "wipefs -a /dev/sda1",
                             signatures={"/dev/sda1": {"TYPE": kind}})

    def test_a_file_system_alone_is_no_refusal_but_a_named_loss(self):
        table = {"/dev/sda": {"PTTYPE": "gpt"},
                 "/dev/sda1": {"TYPE": "ext4", "LABEL": "photos"}}
        self.machine.check("sda", table)
        system = self.machine.system
        lost = safety.losses(system, system.device("8:0"), "/dev/sda",
                             lambda path: table.get(path, {}))
        self.assertEqual(lost, ["the gpt partition table of sda",
                                "ext4 on sda1 (label 'photos')"])


class Consent(unittest.TestCase):
    def check(self, named):
        numbers = {"/dev/sdb": "8:16", "/dev/disk/by-id/x": "8:16",
                   "/dev/sdc": "8:32"}
        safety.check_consent("/dev/sdb", "8:16", named,
                             System(rdev=numbers.get))

    def test_without_it_the_refusal_says_what_to_type(self):
        with self.assertRaisesRegex(ReviewError,
                                    "add: --destroy-data-on /dev/sdb$"):
            self.check(None)

    def test_another_device_is_refused_and_both_are_named(self):
        for other in ("/dev/sdc", "/dev/nothing"):
            with self.assertRaisesRegex(ReviewError, f"{other}.*/dev/sdb"):
                self.check(other)

    def test_another_name_of_the_same_device_is_accepted(self):
        self.check("/dev/sdb")
        self.check("/dev/disk/by-id/x")


class Parsing(unittest.TestCase):
    def test_octal_escapes_are_undone(self):
        self.assertEqual(unescape("/a\\040b\\011c\\134d"), "/a b\tc\\d")
        self.assertEqual(unescape("/\\303\\251"), "/é")
        self.assertEqual(unescape("/é\\040"), "/é ")


if __name__ == "__main__":
    unittest.main()
