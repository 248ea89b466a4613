# SPDX-License-Identifier: GPL-2.0-only
"""Nothing in a run's directory tells one drive or machine from others."""
import json
import os
import platform
import unittest
from unittest import mock

import support
from fio_review import facts, redact
from fio_review.tool import NoAnswer
from test_loop_devices import LoopCase
from test_record import Drive
from test_smart import ANSWERS, FakeCase

SERIAL = "LABSECRET77"
NVME = support.TOP / "tests/fixtures/nvme"


class Documents(support.TempCase):
    def setUp(self):
        super().setUp()
        self.drive = Drive(self.dir)
        patch = mock.patch.object(platform, "node",
                                  return_value="labhost.example.org")
        patch.start()
        self.addCleanup(patch.stop)

    def sysfs(self, name, text):
        (self.drive.dir / name).write_text(f"{text}\n")

    def hidden(self, value):
        said = redact.Redactor(self.drive.target).json(
            json.dumps(value).encode())
        return json.loads(said)

    def test_fields_are_hidden_by_their_names(self):
        for name in ("serial", "serial_number", "sn", "wwn", "eui64", "nguid",
                     "uuid", "PARTUUID", "subnqn", "id-link", "vs"):
            self.assertEqual(self.hidden([{name: "A1B2"}]),
                             [{name: "(hidden)"}], name)
        self.assertEqual(self.hidden({"wwn": {"naa": 5, "id": 77}}),
                         {"wwn": "(hidden)"})

    def test_what_tells_nothing_stays(self):
        for value in ({"serial": None}, {"wwn": ""}, {"id": 241},
                      {"model": "QEMU NVMe Ctrl"}, {"nsze": 524288},
                      {"data_units_written": "1234"}):
            self.assertEqual(self.hidden(value), value)

    def test_a_secret_goes_wherever_else_it_stands(self):
        self.sysfs("device/serial", f"{SERIAL}   ")
        self.assertEqual(
            self.hidden({"a": [f"nqn.2019:{SERIAL}", SERIAL.lower()],
                         f"x {SERIAL}": 1, "b": f"X{SERIAL}X"}),
            {"a": ["nqn.2019:(hidden)", "(hidden)"], "x (hidden)": 1,
             "b": f"X{SERIAL}X"})

    def test_one_that_a_document_itself_tells_of(self):
        self.assertEqual(
            self.hidden({"later": {"sn": "QQ-1234"}, "name": "ata-QQ-1234"}),
            {"later": {"sn": "(hidden)"}, "name": "ata-(hidden)"})

    def test_the_kernels_name_with_the_serial_in_hex(self):
        self.sysfs("device/serial", "LABNVME")
        self.assertEqual(self.hidden({"name": "nvme.1b36-4c41424e564d45-5145"}),
                         {"name": "nvme.1b36-(hidden)-5145"})

    def test_a_wwid_without_its_kind(self):
        self.sysfs("wwid", "naa.5002538d00000001")
        for text in ("0x5002538D00000001", "naa.5002538d00000001",
                     "wwn-0x5002538d00000001"):
            self.assertNotIn("5002538d", self.hidden([text])[0].lower())

    def test_the_host_by_its_short_and_its_long_name(self):
        self.assertEqual(self.hidden(["on labhost", "labhost.example.org",
                                      "labhosting"]),
                         ["on (hidden)", "(hidden)", "labhosting"])

    def test_short_secrets_do_not_wreck_what_is_around(self):
        self.sysfs("device/serial", "1")
        self.assertEqual(self.hidden({"a": "1 of 1", "sn": "1"}),
                         {"a": "1 of 1", "sn": "(hidden)"})

    def test_what_is_no_json_is_not_let_through(self):
        for text in (b"", f"serial {SERIAL}".encode(), b"[" * 100000):
            with self.assertRaises(NoAnswer):
                redact.Redactor(self.drive.target).json(text)

    def test_recorded_answers_lose_their_serial(self):
        for path in (*NVME.glob("*.json"), *ANSWERS.glob("*.json")):
            text = path.read_bytes()
            said = redact.Redactor(self.drive.target).json(text)
            for secret in (b"LABNVME", b"LABSATA", b"S0000001"):
                self.assertNotIn(secret, said, path)
            self.assertEqual(json.loads(text).keys(),
                             json.loads(said).keys())

    def test_identity_is_known_again_and_tells_nothing(self):
        self.sysfs("device/serial", SERIAL)
        salt = redact.new_salt()
        first = redact.identity(self.drive.target, salt)
        self.assertEqual(first, redact.identity(self.drive.target, salt))
        self.assertNotEqual(
            first, redact.identity(self.drive.target, redact.new_salt()))
        self.assertEqual(first["size"], 1 << 30)
        self.assertNotIn(SERIAL, json.dumps(first))
        self.sysfs("device/serial", SERIAL + "X")
        self.assertNotEqual(first, redact.identity(self.drive.target, salt))
        self.assertEqual(redact.identity(self.drive.target, None),
                         facts.identity(self.drive.target))


@support.needs_fio
@unittest.skipUnless(os.geteuid() == 0, "loop devices need root")
class Runs(LoopCase, FakeCase):
    def setUp(self):
        super().setUp()
        said = json.loads((ANSWERS / "sata.json").read_text())
        said["serial_number"] = SERIAL
        said["user"] = f"{platform.node()}: ata-EXAMPLE_{SERIAL}"
        self.smartctl(f"cat <<'END'\n{json.dumps(said)}\nEND")
        self.program("lsblk", f"echo '{{\"serial\": \"{SERIAL}\", \"id\": "
                              f"\"ata-{SERIAL}\"}}'")

    def found(self, secret):
        """Files of the run in which the secret stands."""
        return [str(path.relative_to(self.dir))
                for path in (self.dir / "run").rglob("*") if path.is_file()
                and secret.lower().encode() in path.read_bytes().lower()]

    def test_the_serial_stands_in_no_file_of_the_run(self):
        link = self.dir / f"by-id-{SERIAL}"
        link.symlink_to(self.device)
        done = self.start("--redact", "--destroy-data-on", str(link),
                          "--fill", "region", profiles=support.READ)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(self.found(SERIAL), [])
        self.assertEqual(self.found("disk.img"), [])
        if len(platform.node()) >= 4:
            self.assertEqual(self.found(platform.node()), [])
        run = support.load_run(self.dir / "run")
        self.assertEqual(run["smart"]["last"]["model"], "EXAMPLE SSD 960GB")
        self.assertTrue((self.dir / "run/device/before-lsblk.json").exists())
        self.assertTrue((self.dir / "run/smart/000-before.json").exists())
        self.check_resume()

    def check_resume(self):
        """The hashed identity still tells the device from another one."""
        (self.dir / "run" / support.READ / "050.json").unlink()
        again = [str(support.RUNNER), "run", "--resume", "--out",
                 str(self.dir / "run"), "--destroy-data-on", self.device]
        done = support.run(again)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(self.found(SERIAL), [])
        run = support.load_run(self.dir / "run")
        run["identity"]["loop_file"] = "0" * 64
        (self.dir / "run/run.json").write_text(json.dumps(run))
        done = support.run(again)
        self.assertEqual(done.returncode, 2)
        self.assertIn("is not the device that the run was started on",
                      done.stderr)

    def test_without_it_the_answers_are_kept_as_they_are(self):
        done = self.start(profiles=support.READ)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("run/smart/000-before.json", self.found(SERIAL))
        self.assertIn("run/device/before-lsblk.json", self.found(SERIAL))

    def test_bytes_written_and_their_share_are_in_the_run(self):
        done = self.start("--destroy-data-on", self.device, "--fill", "device",
                          "--tbw", "1G", profiles=support.READ)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        run = support.load_run(self.dir / "run")
        kept, size = run["written"], 64 << 20
        self.assertEqual(kept["by_fio_bytes"], size)
        self.assertEqual(kept["by_kernel_bytes"], size)
        self.assertEqual(kept["tbw_bytes"], 10**9)
        self.assertAlmostEqual(kept["share"], size / 1e9)
        self.assertIn("6.711% of the rated 0.001 TB",
                      [one["value"] for one in run["facts"]])


if __name__ == "__main__":
    unittest.main()
