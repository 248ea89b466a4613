# SPDX-License-Identifier: GPL-2.0-only
"""Readings of a drive's sensor: made-up hwmon files, also ones that hang."""
import csv
import io
import os
import time
from unittest import mock

import support
from fio_review import temperature
from fio_review.progress import Progress
from fio_review.target import FILE
from test_record import Drive


class Sensors(support.TempCase):
    def setUp(self):
        super().setUp()
        self.drive = Drive(self.dir)
        self.run_row = {"options": {}, "facts": []}
        self.said = io.StringIO()

    def sensor(self, name="nvme", value="41850", place="device/hwmon3"):
        """Give the drive a sensor; the file of its reading."""
        place = self.drive.dir / place
        place.mkdir(parents=True, exist_ok=True)
        (place / "name").write_text(f"{name}\n")
        reading = place / "temp1_input"
        if value is not None:
            reading.write_text(f"{value}\n")
        return reading

    def session(self):
        return temperature.Temperature(self.dir, self.run_row,
                                       self.drive.target, Progress(self.said))

    def rows(self):
        with open(self.dir / "device/temperature.csv", newline="") as log:
            return list(csv.DictReader(log))

    def check_times(self, period, span):
        """At most one reading a period, none early; a busy machine has fewer.
        """
        numbers = [int((float(row["seconds"]) + 0.001) / period)
                   for row in self.rows()]
        self.assertEqual(numbers, sorted(set(numbers)))
        self.assertEqual(numbers[0], 0)
        self.assertGreaterEqual(len(numbers), 3)
        self.assertLessEqual(len(numbers), span / period + 1)

    def measure(self, one, name="p-peak", seconds=0.0):
        one.before_point(name, None)
        time.sleep(seconds)
        one.after_point(name)

    def test_are_found_where_kernels_have_them(self):
        for place in ("device/hwmon3", "device/hwmon/hwmon4",
                      "device/device/hwmon/hwmon5"):
            with self.subTest(place):
                if place.startswith("device/device"):
                    (self.drive.controller / "device").symlink_to(
                        self.drive.slot)
                reading = self.sensor(place=place)
                found = temperature.find(self.drive.device)
                self.assertEqual((found.name, found.read()), ("nvme", 41.85))
                reading.unlink()
        self.assertIsNone(temperature.find(self.drive.device))

    def test_a_reading_each_period_of_a_point(self):
        self.sensor()
        begun = time.monotonic()
        with mock.patch.object(temperature, "_PERIOD_S", 0.2):
            self.measure(self.session(), seconds=0.9)
        rows = self.rows()
        self.check_times(0.2, time.monotonic() - begun)
        self.assertEqual({(row["point"], row["celsius"]) for row in rows},
                         {("p-peak", "41.85")})
        self.assertRegex(rows[0]["time"], r"\A\d{4}-\d\d-\d\dT[\d:]{8}Z\Z")

    def test_median_and_hottest_of_each_point_and_of_all(self):
        reading = self.sensor(value=30000)
        one = self.session()
        self.measure(one, "a")
        reading.write_text("50000")
        self.measure(one, "b")
        reading.write_text("40000")
        self.measure(one, "c")
        kept = self.run_row["temperature"]
        self.assertEqual(
            (kept["sensor"], kept["each"], kept["samples"], kept["median"],
             kept["hottest"], kept["problem"]),
            ("nvme", "second", 3, 40, 50, None))
        self.assertEqual(kept["points"]["b"],
                         {"samples": 1, "median": 50, "hottest": 50})
        self.assertEqual(self.run_row["facts"][0]["value"],
                         "median 40 C, hottest 50 C (each second)")

    def test_a_resumed_run_appends_and_drops_a_line_that_was_cut(self):
        self.sensor(value=30000)
        self.measure(self.session(), "a")
        log = self.dir / "device/temperature.csv"
        log.write_bytes(log.read_bytes() + b"2026-01-01T00:00:00Z,0.0,a,9")
        self.sensor(value=60000)
        self.measure(self.session(), "b")
        self.assertEqual([(row["point"], row["celsius"])
                          for row in self.rows()], [("a", "30"), ("b", "60")])
        self.assertEqual(self.run_row["temperature"]["median"], 45)

    def test_a_drive_that_must_empty_its_queue_is_read_between_points(self):
        self.sensor("drivetemp")
        with mock.patch.object(temperature, "_PERIOD_S", 0.1):
            self.measure(self.session(), seconds=0.5)
        self.assertEqual([round(float(row["seconds"]))
                          for row in self.rows()], [0, 0])
        self.assertEqual(self.run_row["temperature"]["each"], "point")

    def test_always_reads_that_one_each_period_too(self):
        self.sensor("drivetemp")
        self.run_row["options"]["temperature"] = "always"
        begun = time.monotonic()
        with mock.patch.object(temperature, "_PERIOD_S", 0.2):
            self.measure(self.session(), seconds=0.9)
        self.check_times(0.2, time.monotonic() - begun)

    def test_off_reads_nothing(self):
        self.sensor()
        self.run_row["options"]["temperature"] = "off"
        self.measure(self.session())
        self.assertFalse((self.dir / "device").exists())
        self.assertNotIn("temperature", self.run_row)

    def test_of_a_file_it_is_the_disk_below(self):
        self.sensor()
        self.drive.target.kind = FILE
        self.measure(self.session())
        self.assertEqual(len(self.rows()), 1)

    def test_no_sensor_is_said_once(self):
        one = self.session()
        self.measure(one, "a")
        self.measure(one, "b")
        self.assertEqual(self.said.getvalue(), "heat       not recorded: the "
                         "kernel has no sensor of nvme7n1 (hwmon)\n")
        self.assertFalse((self.dir / "device").exists())

    def test_one_that_fails_or_talks_nonsense_is_given_up(self):
        for value, why in (("hot", "holds no number"), ("", "no number")):
            with self.subTest(value):
                self.said = io.StringIO()
                self.sensor(value=value)
                one = self.session()
                self.measure(one, "a")
                self.measure(one, "b")
                self.assertEqual(self.said.getvalue().count("\n"), 1)
                self.assertIn(why, self.said.getvalue())
                self.assertIsNone(self.run_row["temperature"]["median"])

    def test_one_that_hangs_holds_nothing_up(self):
        # Opening a pipe that nobody writes to blocks.
        os.mkfifo(self.sensor(value=None))
        begun = time.monotonic()
        with mock.patch.object(temperature, "_PATIENCE_S", 0.3):
            one = self.session()
            self.measure(one, "a")
            self.measure(one, "b")
        self.assertLess(time.monotonic() - begun, 2)
        self.assertEqual(self.said.getvalue(), "heat       not recorded: "
                         "nvme: no reading within 0.3 s\n")

    def test_a_full_disk_ends_the_readings_and_not_the_run(self):
        self.sensor()
        one = self.session()
        real = os.write

        def full(fd, text):
            if fd == one._log:
                raise OSError(28, "No space left on device")
            return real(fd, text)
        with mock.patch.object(os, "write", full):
            self.measure(one)
        self.assertIn("No space left on device", self.said.getvalue())


if __name__ == "__main__":
    import unittest
    unittest.main()
