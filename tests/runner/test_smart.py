# SPDX-License-Identifier: GPL-2.0-only
"""smartctl beside a run: a fake one on PATH, and answers of real form."""
import copy
import gc
import io
import json
import os
import time
import unittest
import warnings
from unittest import mock

import support
from fio_review import fio, runcheck, smart, smartdata, tool
from fio_review.blockdev import Device
from fio_review.progress import Progress
from fio_review.target import BLOCK, FILE, Target
from test_loop_devices import LoopCase
from test_runcheck import WRONG, places

ANSWERS = support.TOP / "tests/fixtures/smart"


def answer(name):
    """A recorded answer of smartctl as an object."""
    return json.loads((ANSWERS / f"{name}.json").read_text())


def parse(document):
    """What the runner makes of such an object."""
    return smartdata.parse(json.dumps(document).encode())


class Answers(unittest.TestCase):
    def test_of_a_sata_drive(self):
        one = smartdata.parse((ANSWERS / "sata.json").read_bytes())
        self.assertEqual(one.line(), "EXAMPLE SSD 960GB, firmware EX01, 36 C, "
                                     "powered on for 12,345 h")
        self.assertEqual(one.counters, {
            "reallocated sectors": 2, "uncorrectable errors": 0,
            "CRC errors of the link": 7, "errors in the ATA log": 3})
        self.assertEqual(one.alarms(), [])

    def test_of_qemus_drives(self):
        for name, line, counters in (
                ("sata-qemu", "QEMU HARDDISK, firmware 2.5+, 31 C, powered "
                 "on for 1 h", {"reallocated sectors": 0,
                                "errors in the ATA log": 0}),
                ("nvme-qemu", "QEMU NVMe Ctrl, firmware 7.2.22, 50 C, powered "
                 "on for 0 h", {"critical warning": 0, "percentage used": 0,
                                "media errors": 0,
                                "errors in the NVMe log": 0})):
            with self.subTest(name):
                one = smartdata.parse((ANSWERS / f"{name}.json").read_bytes())
                self.assertEqual((one.line(), one.counters), (line, counters))

    def test_what_moved_is_told_with_both_values(self):
        before, after = answer("sata"), answer("sata")
        after["ata_smart_attributes"]["table"][0]["raw"]["value"] = 10
        after["ata_smart_attributes"]["table"][5]["raw"]["value"] = 1007
        after["ata_smart_error_log"]["extended"]["count"] = 4
        self.assertEqual(
            smartdata.moved(parse(before).counters, parse(after).counters),
            ["reallocated sectors 2 -> 10",
             "CRC errors of the link 7 -> 1,007",
             "errors in the ATA log 3 -> 4"])
        self.assertEqual(smartdata.moved({}, parse(after).counters), [])

    def test_the_extended_error_log_counts_before_the_summary(self):
        said = answer("sata")
        said["ata_smart_error_log"]["summary"] = {"revision": 1, "count": 255}
        self.assertEqual(parse(said).counters["errors in the ATA log"], 3)

    def test_what_an_nvme_drive_warns_of(self):
        said = answer("nvme-qemu")
        said["smart_status"]["passed"] = False
        said["nvme_smart_health_information_log"]["critical_warning"] = 20
        self.assertEqual(parse(said).alarms(), [
            "the drive says that it is failing",
            "the drive gives the critical warning 0x14"])

    def test_names_cannot_steer_the_terminal_or_be_long(self):
        said = answer("sata")
        said["model_name"] = "\x1b[31mRED\r\n\u202e\ud800" + "x" * 10000
        model = parse(said).model
        self.assertTrue(model.isprintable())
        self.assertTrue(model.startswith("?[31mRED????"), model)
        self.assertLessEqual(len(model), 80)

    def test_no_value_of_another_kind_is_believed(self):
        for name in ("sata", "nvme-qemu"):
            good = answer(name)
            for trail in places(good):
                for wrong in (*WRONG, float("nan"), 1 << 70, -1):
                    said = copy.deepcopy(good)
                    at = said
                    for key in trail[:-1]:
                        at = at[key]
                    at[trail[-1]] = wrong
                    one = parse(said)
                    self.assertTrue(one.line().isprintable())
                    for value in one.counters.values():
                        self.assertIs(type(value), int)
                        self.assertTrue(0 <= value < 1 << 64)

    def test_what_hosts_have_written_in_the_units_of_each_kind(self):
        nvme = answer("nvme-qemu")
        nvme["nvme_smart_health_information_log"]["data_units_written"] = 3
        self.assertEqual(parse(nvme).written, 3 * 512_000)
        sata = answer("sata")
        sata["ata_device_statistics"] = {"pages": [None, {"table": [
            None, {"name": "Logical Sectors Written", "value": 9,
                   "flags": {"valid": False}},
            {"name": "Logical Sectors Written", "value": 7,
             "flags": {"valid": True}}]}]}
        self.assertEqual(parse(sata).written, 7 * 512)
        sata["logical_block_size"] = 4096
        self.assertEqual(parse(sata).written, 7 * 4096)

    def test_attribute_241_counts_only_where_its_unit_is_known(self):
        sata = answer("sata")
        row = next(one for one in sata["ata_smart_attributes"]["table"]
                   if one["id"] == 241)
        row["name"], row["raw"]["value"] = "Host_Writes_32MiB", 5
        sata["in_smartctl_database"] = True
        self.assertEqual(parse(sata).written, 5 << 25)
        row["name"] = "Total_Somethings"
        self.assertIsNone(parse(sata).written)
        row["name"], sata["in_smartctl_database"] = "Total_LBAs_Written", False
        self.assertIsNone(parse(sata).written)

    def test_temperatures_that_cannot_be_are_left_out(self):
        said = answer("sata")
        for degrees in (-200, 250, 1 << 40, "36", True):
            said["temperature"]["current"] = degrees
            self.assertIsNone(parse(said).temperature)

    def test_what_is_no_answer_has_a_reason(self):
        unknown = {"smartctl": {"messages": [
            {"string": "/dev/x: Unable to detect\x1b device type",
             "severity": "error"}], "exit_status": 1}}
        for text, reason in (
                (b"", "prints nothing"), (b"smartctl 5.0", "no JSON"),
                (b"[" * 100000, "no JSON"), (b"\xff\xfe{", "no JSON"),
                (b'{"a": ' + b"9" * 5000 + b"}", "no JSON"),
                (b"[]", "no word of a drive"), (b"7", "no word of a drive"),
                (json.dumps(unknown).encode(), r"detect\? device type$")):
            with self.subTest(text[:20]):
                with self.assertRaisesRegex(smartdata.NoAnswer, reason):
                    smartdata.parse(text)


class FakeCase(support.TempCase):
    """A smartctl on PATH that behaves like this."""

    def setUp(self):
        super().setUp()
        self.bin = self.dir / "bin"
        self.bin.mkdir()
        path = f"{self.bin}:{os.environ['PATH']}"
        patch = mock.patch.dict(os.environ, PATH=path)
        patch.start()
        self.addCleanup(patch.stop)

    def smartctl(self, behaviour):
        self.program("smartctl", behaviour)

    def program(self, name, behaviour):
        program = self.bin / name
        program.write_text(f"#!/bin/sh\n{behaviour}\n")
        program.chmod(0o755)

    def answers(self, name, code=0):
        self.smartctl(f"echo \"$*\" >>'{self.dir}/asked'\n"
                      f"cat '{ANSWERS}/{name}.json'; exit {code}")

    def asked(self):
        try:
            return (self.dir / "asked").read_text().splitlines()
        except FileNotFoundError:
            return []


class Queries(FakeCase):
    def setUp(self):
        super().setUp()
        self.run_row = {"options": {"smart": True}}
        self.said = io.StringIO()
        disk = Device("sdx", "8:0", self.dir)
        self.target = Target("/dev/sdx", BLOCK, True, 1 << 30, "8:0", disk,
                             "/dev/sdx")

    def session(self):
        return smart.Smart(self.dir, self.run_row, self.target,
                           Progress(self.said))

    def files(self):
        return sorted(os.listdir(self.dir / "smart"))

    def queries(self):
        return self.run_row["smart"]["queries"]

    def test_are_kept_in_order_each_as_it_was_given(self):
        self.answers("sata")
        one = self.session()
        one.before_point("", None)
        one.before_point("", "g/p-peak")
        one.end()
        self.assertEqual(self.files(), [
            "000-before.json", "001-after-g-p-peak.json", "002-after.json"])
        for row, name in zip(self.queries(), self.files()):
            self.assertEqual(row["file"], f"smart/{name}")
            self.assertEqual((self.dir / row["file"]).read_bytes(),
                             (ANSWERS / "sata.json").read_bytes())
        self.assertEqual(self.asked(), ["-j -x /dev/sdx"] * 3)

    def test_one_line_at_the_begin_and_one_at_the_end(self):
        self.answers("sata")
        one = self.session()
        for last in (None, "g/p-peak", "g/p-050"):
            one.before_point("", last)
        one.end()
        line = "smart      EXAMPLE SSD 960GB, firmware EX01, 36 C, " \
               "powered on for 12,345 h"
        self.assertEqual(self.said.getvalue().splitlines(),
                         [line, line + "; no error counter moved"])

    def test_a_drive_without_counters_is_not_said_to_be_well(self):
        self.smartctl('echo \'{"model_name": "X"}\'')
        one = self.session()
        one.before_point("", None)
        one.end()
        self.assertEqual(self.said.getvalue(), "smart      X\nsmart      X; "
                                               "it has no error counters\n")

    def test_a_resumed_run_keeps_them_and_counts_from_its_first(self):
        self.answers("sata")
        self.session().before_point("", None)
        kept = json.loads(json.dumps(self.run_row))
        said = answer("sata")
        said["ata_smart_attributes"]["table"][5]["raw"]["value"] = 9
        said["temperature"]["current"] = 50
        self.smartctl(f"cat <<'END'\n{json.dumps(said)}\nEND")
        self.run_row = kept
        again = self.session()
        again.before_point("", None)
        self.answers("sata")
        again.before_point("", "g/p-peak")
        self.smartctl(f"cat <<'END'\n{json.dumps(said)}\nEND")
        again.end()
        self.assertEqual(self.files(), [
            "000-before.json", "001-before.json", "002-after-g-p-peak.json",
            "003-after.json"])
        self.assertEqual(self.run_row["smart"]["moved"],
                         ["CRC errors of the link 7 -> 9"])
        self.assertEqual(self.run_row["smart"]["first"]["temperature"], 36)
        self.assertEqual(self.run_row["smart"]["hottest"], 50)
        self.assertIn("; moved during the run: CRC errors of the link 7 -> 9",
                      self.said.getvalue())

    def test_a_drive_that_is_failing_is_warned_of(self):
        said = answer("sata")
        said["smart_status"]["passed"] = False
        self.smartctl(f"cat <<'END'\n{json.dumps(said)}\nEND\nexit 8")
        self.session().before_point("", None)
        self.assertIn("warning: the drive says that it is failing",
                      self.said.getvalue())
        self.assertEqual(self.queries()[0]["exit"], 8)

    def test_exit_bits_of_what_the_drive_lacks_are_only_recorded(self):
        self.answers("sata-qemu", 4 | 64)
        one = self.session()
        one.before_point("", None)
        one.end()
        self.assertEqual([row["exit"] for row in self.queries()], [68, 68])
        self.assertNotIn("not recorded", self.said.getvalue())

    def check_given_up(self, reason):
        """Told once, and not asked again."""
        one = self.session()
        for last in (None, "g/p-peak"):
            one.before_point("", last)
        one.end()
        self.assertRegex(self.said.getvalue(),
                         r"\Asmart      not recorded: smartctl: "
                         f".*{reason}.*\n\\Z")
        self.assertRegex(self.run_row["smart"]["problem"], reason)
        self.assertFalse(one.active)

    def test_failures_are_told_once(self):
        for behaviour, code, reason in (
                ("exit 2", 2, "prints nothing"),
                ("echo nonsense", 0, "no JSON"),
                ("kill -SEGV $$", -11, "prints nothing"),
                (f"cat '{ANSWERS}/sata.json'; exit 2", 2, "status 2"),
                # Of its negative number the two lowest bits are 0.
                (f"cat '{ANSWERS}/sata.json'; kill -FPE $$", -8,
                 "status -8")):
            with self.subTest(behaviour):
                self.run_row.pop("smart", None)
                self.said = io.StringIO()
                self.smartctl(behaviour)
                self.check_given_up(reason)
                self.assertEqual([row["exit"] for row in self.queries()],
                                 [code])

    def test_a_problem_is_over_when_a_resumed_run_gets_an_answer(self):
        self.smartctl("exit 2")
        self.session().before_point("", None)
        self.assertIsNotNone(self.run_row["smart"]["problem"])
        self.answers("sata")
        self.session().before_point("", None)
        self.assertIsNone(self.run_row["smart"]["problem"])
        self.assertEqual(len(self.queries()), 2)

    def test_without_an_answer_no_file_is_left(self):
        self.smartctl("echo nonsense")
        self.session().before_point("", None)
        self.assertEqual(self.files(), [])
        self.assertIsNone(self.queries()[0]["file"])

    def test_one_that_is_not_there_is_told_once(self):
        with mock.patch.dict(os.environ, PATH=str(self.bin)), \
                mock.patch.object(fio, "PATH", str(self.bin)):
            self.check_given_up("not installed .package smartmontools")

    def test_one_that_hangs_is_killed_with_its_children(self):
        self.smartctl(f"trap '' TERM INT; echo $$ >'{self.dir}/pid'\n"
                      "sleep 100 & wait; sleep 100")
        begun = time.monotonic()
        with mock.patch.object(tool, "TIMEOUT_S", 0.5):
            self.check_given_up("no answer within 0.5 s")
        self.assertLess(time.monotonic() - begun, 10)
        group = int((self.dir / "pid").read_text())
        with self.assertRaises(ProcessLookupError):
            for _ in range(50):
                os.killpg(group, 0)
                time.sleep(0.1)

    def test_one_that_cannot_be_killed_is_not_waited_for(self):
        self.smartctl("sleep 8")
        begun = time.monotonic()
        with mock.patch.object(tool, "TIMEOUT_S", 0.2), \
                mock.patch.object(tool, "_kill"), \
                warnings.catch_warnings():
            warnings.simplefilter("ignore", ResourceWarning)
            self.check_given_up("no answer within 0.2 s")
            gc.collect()
        self.assertLess(time.monotonic() - begun, 6)

    def test_one_that_floods_does_not_fill_the_disk(self):
        self.smartctl("exec yes '{'")
        self.check_given_up("no JSON")

    def test_a_limit_of_the_runner_itself_is_no_obstacle(self):
        self.answers("sata")
        code = ("import resource as r, sys; sys.path.insert(0, sys.argv[1]); "
                "from pathlib import Path; from fio_review import tool; "
                "r.setrlimit(r.RLIMIT_FSIZE, (1 << 20, 1 << 20)); "
                "print(tool.ask(['true'], Path(sys.argv[2]))[0])")
        done = support.run(["python3", "-B", "-c", code, str(support.SCRIPTS),
                            str(self.dir)])
        self.assertEqual(done.stdout, "0\n", done.stderr)

    def test_a_directory_that_cannot_be_made_does_not_stop_the_run(self):
        self.answers("sata")
        (self.dir / "smart").write_text("")
        self.check_given_up("File exists")

    def test_only_whole_devices_are_asked(self):
        self.answers("sata")
        part = Device("sdx1", "8:1", self.dir, self.target.device)
        for change in ({"device": part}, {"device": None}, {"kind": FILE}):
            with self.subTest(str(change)):
                for key, value in change.items():
                    setattr(self.target, key, value)
                one = self.session()
                one.before_point("", None)
                one.end()
                self.assertEqual(self.asked(), [])
                self.assertNotIn("smart", self.run_row)

    def test_what_a_run_file_says_of_them_is_checked(self):
        self.answers("sata")
        self.session().before_point("", None)
        good = json.loads(json.dumps(self.run_row["smart"]))
        now = smartdata.parse((ANSWERS / "sata.json").read_bytes())
        for trail in places(good):
            for wrong in WRONG:
                said = copy.deepcopy(good)
                at = said
                for key in trail[:-1]:
                    at = at[key]
                at[trail[-1]] = wrong
                if not runcheck.fits_smart(said):
                    continue
                self.run_row = {"options": {"smart": True}, "smart": said}
                with mock.patch.object(smart.Smart, "_query",
                                       return_value=now):
                    again = self.session()
                    again.before_point("", None)
                    again.end()
        for wrong in (7, [], "x", {}):
            self.assertFalse(runcheck.fits_smart(wrong))


@support.needs_fio
@unittest.skipUnless(os.geteuid() == 0, "loop devices need root")
class Runs(LoopCase, FakeCase):
    def order(self, *more):
        """When smartctl and fio were at work, as S, < and >."""
        log = self.dir / "order"
        self.smartctl(f"printf S >>'{log}'; cat '{ANSWERS}/sata.json'")
        program = self.fake_fio(f"printf '<' >>'{log}'\n{support.FIO} \"$@\"\n"
                                f"code=$?; printf '>' >>'{log}'; exit $code\n")
        done = self.start("--fio", program, *more, profiles=support.READ)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return log.read_text(), done.stdout

    def test_the_drive_is_asked_between_points_and_never_beside_fio(self):
        order, said = self.order("--points", "50,100")
        self.assertEqual(order, "S<>S<>S<>S")
        self.assertEqual(said.count("smart      EXAMPLE SSD"), 2)
        run = support.load_run(self.dir / "run")
        self.assertEqual(run["smart"]["last"]["model"], "EXAMPLE SSD 960GB")
        self.assertEqual([row["where"] for row in run["smart"]["queries"]],
                         ["before", f"after-{support.READ}-peak",
                          f"after-{support.READ}-050", "after"])

    def test_no_smart_asks_nothing(self):
        order, said = self.order("--no-smart")
        self.assertEqual(order, "<><>")
        self.assertNotIn("smart ", said)
        self.assertFalse((self.dir / "run/smart").exists())

    def test_a_resumed_run_keeps_what_was_recorded(self):
        self.order()
        (self.dir / "run" / support.READ / "050.json").unlink()
        program = str(self.dir / "fake-fio")
        again = [str(support.RUNNER), "run", "--resume", "--out",
                 str(self.dir / "run"), "--fio", program]
        done = support.run(again)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(sorted(os.listdir(self.dir / "run/smart")), [
            "000-before.json", "001-after-four-corners-"
            "64k-sequential-read-peak.json", "002-after.json",
            "003-before.json", "004-after.json"])
        (self.dir / "run" / support.READ / "050.json").unlink()
        done = support.run([*again, "--no-smart"])
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(len(os.listdir(self.dir / "run/smart")), 5)

    def test_a_failed_point_that_stops_the_run_is_followed_by_a_look(self):
        self.answers("sata")
        done = self.start("--fio", self.fake_fio("exit 1\n"),
                          "--on-failure", "stop", profiles=support.READ)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertEqual(sorted(os.listdir(self.dir / "run/smart")),
                         ["000-before.json", "001-after.json"])

    def test_a_run_with_it_is_still_a_run_for_the_report(self):
        report = max(support.TOP.glob("build*/report/fio-report"), default="")
        if not report:
            self.skipTest("fio-report was not built")
        self.order()
        done = support.run([str(report), "curve", str(self.dir / "run")])
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main()
