# SPDX-License-Identifier: GPL-2.0-only
"""The record of a drive beside a run: its link, tools' words, bytes written.
"""
import io
import json
import os
import unittest
from unittest import mock

import support
from fio_review import facts, fio, link, record, units, written
from fio_review.blockdev import Device, System
from fio_review.errors import ReviewError
from fio_review.progress import Progress
from fio_review.target import BLOCK, FILE, Target
from test_smart import FakeCase

ANSWERS = support.TOP / "tests/fixtures/nvme"


class Drive:
    """An NVMe drive in a /sys of its own."""

    def __init__(self, root):
        self.slot = root / "sys/devices/pci0000:00/0000:01:00.0"
        self.controller = self.slot / "nvme/nvme7"
        self.dir = self.controller / "nvme7n1"
        self.dir.mkdir(parents=True)
        (self.dir / "device").symlink_to("..")
        self.device = Device("nvme7n1", "259:7", self.dir)
        self.target = Target("/dev/nvme7n1", BLOCK, True, 1 << 30, "259:7",
                             self.device, "/dev/nvme7n1")
        self.system = System(root / "proc", root / "sys",
                             {"/dev/nvme7n1": "259:7"}.get)

    def link(self, speed="16.0 GT/s PCIe", width="4", max_speed=None,
             max_width=None, place=None):
        """Give the controller a link."""
        place = place or self.slot
        for name, text in (("current_link_speed", speed),
                           ("current_link_width", width),
                           ("max_link_speed", max_speed or speed),
                           ("max_link_width", max_width or width)):
            (place / name).write_text(f"{text}\n")

    def stat(self, sectors):
        """The kernel's count of what was written."""
        (self.dir / "stat").write_text(f"  1 2 3 4 5 6 {sectors} 8 9 10 11\n")


class Links(support.TempCase):
    def setUp(self):
        super().setUp()
        self.drive = Drive(self.dir)

    def words(self):
        found = link.of_disk(self.drive.device)
        return found and (found.words(), found.lower)

    def test_one_at_its_maximum(self):
        self.drive.link()
        self.assertEqual(self.words(), ("16 GT/s x4", False))

    def test_one_that_is_slower_or_narrower_says_so(self):
        self.drive.link("2.5 GT/s PCIe", "4", "16.0 GT/s PCIe")
        self.assertEqual(self.words(), (
            "2.5 GT/s x4, below its maximum of 16 GT/s x4", True))
        self.drive.link("8.0 GT/s PCIe", "2", max_width="4")
        self.assertEqual(self.words(), (
            "8 GT/s x2, below its maximum of 8 GT/s x4", True))

    def test_what_is_not_told_is_no_link(self):
        self.assertIsNone(self.words())
        for speed, width in (("Unknown", "4"), ("8.0 GT/s PCIe", "0"),
                             ("8.0 GT/s PCIe", "255"), ("1.2.3", "4"),
                             ("", "4")):
            self.drive.link(speed, width)
            self.assertIsNone(self.words(), (speed, width))

    def test_of_a_drive_with_several_paths_it_is_a_controllers(self):
        subsystem = self.dir / "sys/devices/virtual/nvme-subsystem/subsys0"
        head = subsystem / "nvme7n1"
        head.mkdir(parents=True)
        (head / "device").symlink_to(subsystem)
        (subsystem / "nvme7").symlink_to(self.drive.controller)
        self.drive.link()
        self.drive.device = Device("nvme7n1", "259:7", head)
        self.assertEqual(self.words(), ("16 GT/s x4", False))

    def test_the_node_beside_it(self):
        self.assertIsNone(link.numa_node(self.drive.device))
        (self.drive.slot / "numa_node").write_text("1\n")
        self.assertEqual(link.numa_node(self.drive.device), "1")
        (self.drive.controller / "numa_node").write_text("-1\n")
        self.assertIsNone(link.numa_node(self.drive.device))


class RecordCase(FakeCase):
    def setUp(self):
        super().setUp()
        self.drive = Drive(self.dir)
        self.run_row = {"options": {}, "facts": [], "filled": None,
                        "profiles": []}
        self.said = io.StringIO()

    def nvme(self, behaviour='cat "$dir/$1.json"'):
        """Tools that give the recorded answers."""
        self.program("nvme", f"dir={ANSWERS}; echo \"nvme $*\" "
                             f">>'{self.dir}/asked'\n{behaviour}")
        self.program("lsblk", f"echo \"lsblk $*\" >>'{self.dir}/asked'\n"
                              f"cat {ANSWERS}/lsblk.json")

    def files(self):
        return sorted(os.listdir(self.dir / "device"))


class Records(RecordCase):
    def session(self):
        return record.Record(self.dir, self.run_row, self.drive.target,
                             Progress(self.said), self.drive.system)

    def test_is_taken_before_and_after_each_as_it_was_given(self):
        self.nvme()
        one = self.session()
        one.before_point("a", None)
        one.before_point("b", "a")
        one.end()
        names = ("id-ctrl", "id-ns", "lsblk", "smart-log")
        self.assertEqual(self.files(), [
            f"{when}-{name}.json" for when in ("after", "before")
            for name in names])
        for name in names:
            self.assertEqual(
                (self.dir / f"device/before-{name}.json").read_bytes(),
                (ANSWERS / f"{name}.json").read_bytes())
        node = "/dev/nvme7n1"
        self.assertEqual(self.asked(), 2 * [
            f"lsblk -J -O {node}", f"nvme id-ctrl {node} -o json",
            f"nvme id-ns {node} -o json", f"nvme smart-log {node} -o json"])
        self.assertEqual(sorted(self.run_row["device"]["files"]),
                         [f"device/{name}" for name in self.files()])
        self.assertEqual(self.said.getvalue(), "")

    def test_a_resumed_run_keeps_what_was_before_it_all(self):
        self.nvme()
        self.session().before_point("a", None)
        self.nvme("echo '{\"data_units_written\": \"5\"}'")
        again = self.session()
        again.before_point("b", None)
        again.end()
        self.assertEqual(
            (self.dir / "device/before-smart-log.json").read_bytes(),
            (ANSWERS / "smart-log.json").read_bytes())
        self.assertEqual(self.run_row["device"]["written"],
                         {"before": 0, "after": 5 * 512_000})

    def test_what_has_no_answer_is_said_once(self):
        for behaviour, why in (("exit 1", "it ends with status 1"),
                               ("echo no", "what it prints is no JSON")):
            with self.subTest(behaviour):
                self.run_row["device"], self.said = None, io.StringIO()
                self.nvme(behaviour)
                one = self.session()
                one.before_point("a", None)
                one.end()
                self.assertEqual(
                    self.said.getvalue(), "".join(
                        f"device     not recorded: nvme {verb}: {why}\n"
                        for verb in ("id-ctrl", "id-ns", "smart-log")))
                self.assertEqual(len(self.run_row["device"]["missing"]), 3)

    def test_tools_that_are_not_there(self):
        with mock.patch.dict(os.environ, PATH=str(self.bin)), \
                mock.patch.object(fio, "PATH", str(self.bin)):
            self.session().before_point("a", None)
        self.assertIn("lsblk: it is not installed (package util-linux)",
                      self.said.getvalue())
        self.assertIn("nvme id-ns: it is not installed (package nvme-cli)",
                      self.said.getvalue())

    def test_a_node_of_another_device_is_not_asked(self):
        self.nvme()
        self.drive.system.rdev = {"/dev/nvme7n1": "8:0"}.get
        self.session().before_point("a", None)
        self.assertEqual(self.asked(), [])
        self.assertIn("/dev/nvme7n1 is not the node of nvme7n1",
                      self.said.getvalue())

    def test_a_link_below_its_maximum_is_warned_of(self):
        self.nvme()
        self.drive.link("2.5 GT/s PCIe", "4", "16.0 GT/s PCIe")
        self.session().before_point("a", None)
        text = ("the PCIe link of nvme7n1 is at 2.5 GT/s x4, below its "
                "maximum of 16 GT/s x4")
        self.assertEqual(self.said.getvalue(), f"warning: {text}\n")
        self.assertEqual(self.run_row["device"]["warnings"], [text])

    def test_units_are_read_as_text_or_number(self):
        for said, count in (("12", 12), (12, 12), ("-1", None), (1.5, None),
                            (None, None), ("9" * 40, None), (True, None)):
            self.assertEqual(
                record.units_written({"data_units_written": said}),
                None if count is None else count * 512_000, said)
        self.assertIsNone(record.units_written([]))


class Bytes(RecordCase):
    def session(self):
        return written.Written(self.run_row, self.drive.target)

    def fact(self, name):
        return {one["name"]: one["value"]
                for one in self.run_row["facts"]}.get(name)

    def points(self, *counts):
        self.run_row["profiles"] = [{"points": [
            {"state": state, "written_bytes": count}
            for state, count in counts]}]

    def test_by_fio_fill_and_points_that_are_done(self):
        self.run_row["filled"] = {"bytes": 1000}
        self.points(("done", 24), ("failed", 5), ("pending", None),
                    ("done", None))
        self.assertEqual(written.by_fio(self.run_row), 1024)

    def test_by_the_kernel_only_while_fio_is_called(self):
        one = self.session()
        for before, after in ((100, 300), (1000, 1001)):
            self.drive.stat(before)
            one.before_point("a", None)
            self.drive.stat(after)
            one.after_point("a")
        one.end()
        self.assertEqual(self.run_row["written"]["by_kernel_bytes"],
                         201 * 512)
        self.assertEqual(self.fact("target.written"),
                         "100.5 KiB by the kernel's count")

    def test_of_a_file_the_disks_count_is_not_its_own(self):
        self.drive.target.kind = FILE
        self.drive.stat(7)
        one = self.session()
        one.before_point("a", None)
        one.after_point("a")
        one.end()
        self.assertIsNone(self.run_row["written"]["by_kernel_bytes"])
        self.assertEqual(self.fact("target.written"), "0 B by fio's count")

    def test_the_drives_own_count_goes_before_and_has_a_share(self):
        self.run_row["options"]["tbw"] = units.parse_rated("600T")
        self.run_row["smart"] = {"first": {"written": 10**12},
                                 "last": {"written": 7 * 10**12}}
        self.session().end()
        kept = self.run_row["written"]
        self.assertEqual((kept["by_drive_bytes"], kept["tbw_bytes"],
                          kept["share"]), (6 * 10**12, 600 * 10**12, 0.01))
        self.assertEqual(self.fact("target.endurance"),
                         "1.000% of the rated 600 TB")

    def test_nvme_cli_counts_where_smartctl_does_not(self):
        self.run_row["device"] = {"written": {"before": 512, "after": 1024}}
        for smart in (None, {"first": None, "last": None},
                      {"first": {"written": 9}, "last": {"written": "x"}},
                      {"first": {"written": 9}, "last": {"written": 8}}):
            self.run_row["smart"] = smart
            self.assertEqual(written.by_drive(self.run_row), 512)

    def test_a_rating_is_decimal_and_nothing_else_is_one(self):
        for text, count in (("600T", 600 * 10**12), ("1.2PB", 12 * 10**14),
                            ("5", 5), ("150tb", 150 * 10**12)):
            self.assertEqual(units.parse_rated(text), count)
        for text in ("", "0", "T", "-1T", "600TiB", "6e3", "9999999P", "nan"):
            with self.assertRaisesRegex(ReviewError, "no rated endurance"):
                units.parse_rated(text)


class Facts(unittest.TestCase):
    def test_a_new_one_gets_its_place(self):
        rows = [{"name": name, "title": name, "value": "1"}
                for name in ("target.path", "host.os", "method.date")]
        facts.put(rows, "target.temperature", "2")
        facts.put(rows, "host.os", "3")
        self.assertEqual([(one["name"], one["value"]) for one in rows], [
            ("target.path", "1"), ("target.temperature", "2"),
            ("host.os", "3"), ("method.date", "1")])


class Fixtures(unittest.TestCase):
    def test_are_json_of_a_real_nvme_cli(self):
        log = json.loads((ANSWERS / "smart-log.json").read_text())
        self.assertEqual(record.units_written(log), 0)


if __name__ == "__main__":
    unittest.main()
