# SPDX-License-Identifier: GPL-2.0-only
"""The safety rules against machines that are not there."""
import subprocess
import unittest
from pathlib import Path
from unittest import mock

import support
from fio_review import safety, signature
from fio_review.blockdev import System, unescape
from fio_review.errors import USAGE, ReviewError


class Machine:
    """A made-up /proc and /sys."""

    def __init__(self, root: Path):
        self.root = root
        self.numbers = {}
        (root / "proc/self").mkdir(parents=True)
        (root / "sys/dev/block").mkdir(parents=True)
        (root / "sys/block").mkdir()
        self.files = {}
        self.mounts([])
        self.swaps([])
        self.system = System(root / "proc", root / "sys", self.numbers.get,
                             self.files.get)

    def disk(self, name, number, holders=(), ro="0"):
        place = self.root / "sys/devices/pci0/block" / name
        self._node(place, name, number, holders, ro)
        return self

    def loop(self, name, number, backing):
        self.disk(name, number)
        place = self.root / "sys/devices/pci0/block" / name
        (place / "loop").mkdir()
        (place / "loop/backing_file").write_text(f"{backing}\n")
        (self.root / "sys/block" / name).symlink_to(place)
        return self

    def event(self, disk, name, devname):
        """Let the kernel name the node of a partition."""
        (self.root / "sys/devices/pci0/block" / disk / name / "uevent") \
            .write_text(f"MAJOR=8\nDEVNAME={devname}\n")

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


class MachineCase(support.TempCase):
    """Two disks, one with two partitions."""

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


class Writable(MachineCase):
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

    def test_a_partition_of_a_read_only_disk(self):
        self.machine.disk("sdr", "11:0", ro="1") \
            .partition("sdr", "sdr1", "11:1")
        self.refused("sdr1", "/dev/sdr1 is read-only")

    def test_members_of_sets_that_are_not_running(self):
        for kind, words in (("LVM2_member", "LVM physical volume"),
                            ("linux_raid_member", "member of an md array"),
                            ("zfs_member", "ZFS pool"),
                            ("bcache", "a bcache device"),
                            ("ceph_bluestore", "Ceph"),
                            ("mpath_member", "multipath")):
            with self.subTest(kind):
                self.refused("sdb", words, "wipefs -a /dev/sdb",
                             signatures={"/dev/sdb": {"TYPE": kind}})
                self.refused("sda", words, "wipefs -a /dev/sda1",
                             signatures={"/dev/sda1": {"TYPE": kind}})

    def test_a_member_of_any_kind_of_raid(self):
        self.refused("sdb", "a member of a set of disks (isw_raid_member)",
                     signatures={"/dev/sdb": {"TYPE": "isw_raid_member",
                                              "USAGE": "raid"}})

    def test_partitions_are_judged_by_their_own_nodes(self):
        """The disk may be named by a node elsewhere."""
        self.machine.numbers["/tmp/node"] = "8:0"
        self.machine.event("sda", "sda2", "odd/two")
        self.machine.numbers["/dev/odd/two"] = "8:2"
        table = {"/dev/odd/two": {"TYPE": "LVM2_member"}}
        with self.assertRaisesRegex(ReviewError, "/dev/odd/two is an LVM"):
            safety.check_writable(
                self.machine.system, self.machine.system.device("8:0"),
                "/tmp/node", lambda path: table.get(path, {}))

    def test_a_partition_without_a_node_of_its_own_is_refused(self):
        for number in (None, "8:16"):
            self.machine.numbers["/dev/sda1"] = number
            with self.assertRaisesRegex(ReviewError, "not the node of sda1"):
                safety.check_writable(
                    self.machine.system, self.machine.system.device("8:0"),
                    "/dev/sda", lambda path: {})

    def test_a_file_system_alone_is_no_refusal_but_a_named_loss(self):
        table = {"/dev/sda": {"PTTYPE": "gpt"},
                 "/dev/sda1": {"TYPE": "ext4", "LABEL": "photos"}}
        self.machine.check("sda", table)
        system = self.machine.system
        lost = safety.losses(system, system.device("8:0"), "/dev/sda",
                             lambda path: table.get(path, {}))
        self.assertEqual(lost, ["the gpt partition table of sda",
                                "ext4 on sda1 (label 'photos')"])


class Loops(MachineCase):
    """A loop device shares its blocks with what it lies on."""

    def setUp(self):
        super().setUp()
        self.machine.files.update({"/img": (1, 2), "/same": (1, 2),
                                   "/other": (1, 3)})
        self.machine.loop("loop0", "7:0", "/img")

    def test_alone_on_a_file_or_a_free_disk_it_is_allowed(self):
        self.machine.loop("loop1", "7:1", "/other") \
            .loop("loop2", "7:2", "/dev/sdb")
        for name in ("loop0", "loop1", "loop2", "sda"):
            with self.subTest(name):
                self.machine.check(name)

    def test_two_on_one_file(self):
        self.machine.loop("loop1", "7:1", "/same")
        self.refused("loop0", "lies on /img, as does loop1")
        self.refused("loop1", "lies on /same, as does loop0")

    def test_two_on_one_removed_file(self):
        for number in (3, 4):
            self.machine.loop(f"loop{number}", f"7:{number}", "/x (deleted)")
        self.refused("loop3", "as does loop4")

    def test_on_a_mounted_disk_or_its_family(self):
        self.machine.loop("loop1", "7:1", "/dev/sdb") \
            .loop("loop2", "7:2", "/dev/sda")
        self.machine.mounts([("8:16", "/mnt", "ext4", "/dev/sdb"),
                             ("8:1", "/boot", "ext4", "/dev/sda1")])
        self.refused("loop1", "/dev/sdb is mounted at /mnt")
        self.refused("loop2", "sda1", "is mounted at /boot")

    def test_two_on_one_disk(self):
        self.machine.loop("loop1", "7:1", "/dev/sdb") \
            .loop("loop2", "7:2", "/dev/sdb")
        self.refused("loop1", "/dev/sdb is what loop2 lies on")

    def test_a_disk_under_a_loop_device(self):
        self.machine.loop("loop1", "7:1", "/dev/sdb") \
            .loop("loop2", "7:2", "/dev/sda2")
        self.refused("sdb", "/dev/sdb is what loop1 lies on")
        self.refused("sda", "sda2", "is what loop2 lies on")
        self.machine.check("sda1")

    def test_one_on_another_on_a_mounted_disk(self):
        self.machine.loop("loop1", "7:1", "/dev/sdb") \
            .loop("loop2", "7:2", "/dev/loop1")
        self.machine.mounts([("8:16", "/mnt", "ext4", "/dev/sdb")])
        self.refused("loop2", "/dev/sdb is mounted at /mnt")


class Signatures(support.TempCase):
    """No clear answer of blkid is no permission."""

    def probe(self, code=0, out=b"", err=b"", fault=None):
        done = subprocess.CompletedProcess([], code, out, err)
        path = self.dir / "disk"
        path.touch()
        with mock.patch("subprocess.run", side_effect=fault,
                        return_value=done):
            return signature.probe(str(path))

    def test_an_answer_and_nothing_found_are_taken(self):
        self.assertEqual(self.probe(2), {})
        self.assertEqual(self.probe(0, b"TYPE=ext4\nLABEL=a=b\n"),
                         {"TYPE": "ext4", "LABEL": "a=b"})

    def test_anything_else_is_refused_with_a_sentence(self):
        for words, answer in (
                ("blkid is not installed", {"fault": FileNotFoundError()}),
                ("blkid does not end",
                 {"fault": subprocess.TimeoutExpired("blkid", 20)}),
                ("several things at once", {"code": 8}),
                ("exit code 4", {"code": 4}),
                ("no luck", {"code": 2, "err": b"no luck\nat all\n"})):
            with self.subTest(words):
                with self.assertRaisesRegex(ReviewError, words) as caught:
                    self.probe(**answer)
                self.assertEqual(caught.exception.code, USAGE)

    def test_what_cannot_be_read_is_refused(self):
        with self.assertRaisesRegex(ReviewError, "cannot be read"):
            signature.probe(str(self.dir / "none"))


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
