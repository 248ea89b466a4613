# SPDX-License-Identifier: GPL-2.0-only
"""A short curve on a real file, from the runner to the review.

Every number of the review is compared with the JSON that fio wrote.
Needs FIO_REPORT, the path of the program.
"""
import csv
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
FIO_REPORT = os.environ["FIO_REPORT"]
PROFILES = "four-corners/4k-random-read,four-corners/64k-sequential-write"
LABEL = 'drive <b>"1"</b>; system("touch PWNED")'


def fio_document(path):
    """The one JSON document that the runner kept of a point."""
    text = path.read_text()
    return json.JSONDecoder().raw_decode(text[text.index("{"):])[0]


@unittest.skipUnless(shutil.which("fio") and shutil.which("sysbench"),
                     "fio or sysbench is not installed")
class Applications(unittest.TestCase):
    """A real application's numbers in the review."""

    def test_they_come_through_as_they_were_measured(self):
        work = Path(tempfile.mkdtemp(prefix="fio-review-e2e-", dir=TOP))
        self.addCleanup(shutil.rmtree, work)
        (work / "data").mkdir()
        subprocess.run(
            [TOP / "scripts/fio-review", "app", "sysbench-fileio", "--dir",
             work / "data", "--out", work / "run", "--size", "32M", "--files",
             "4", "--threads", "2", "--time", "1", "--label", LABEL],
            check=True, stdout=subprocess.DEVNULL, stderr=sys.stderr)
        subprocess.run([FIO_REPORT, "review", work / "run", "--out",
                        work / "review"], check=True, cwd=work,
                       stdout=subprocess.DEVNULL)
        run = json.loads((work / "run/run.json").read_text())
        with open(work / "review/applications.csv", newline="",
                  encoding="utf-8") as file:
            rows = {row["application"]: row for row in csv.DictReader(file)}
        self.assertEqual(len(rows), 6)
        for one in run["applications"]:
            row, metrics = rows[one["title"]], one["metrics"]
            for column, name in (("rate_per_s", "iops"),
                                 ("lat_mean_ns", "mean_ns"),
                                 ("lat_p99_ns", "p99_ns")):
                self.assertAlmostEqual(float(row[column]), metrics[name],
                                       delta=metrics[name] * 1e-5)
        self.assertEqual(len(list((work / "review/charts").glob("*.png"))), 6)
        self.assertFalse((work / "PWNED").exists())


@unittest.skipUnless(shutil.which("fio"), "fio is not installed")
class Review(unittest.TestCase):
    """One run and its review, looked at from several sides."""

    @classmethod
    def setUpClass(cls):
        cls.work = Path(tempfile.mkdtemp(prefix="fio-review-e2e-", dir=TOP))
        cls.addClassCleanup(shutil.rmtree, cls.work)
        cls.run_dir, cls.review = cls.work / "run", cls.work / "review"
        subprocess.run(
            [TOP / "scripts/fio-review", "run", "--target",
             cls.work / "scratch", "--size", "64M", "--runtime", "1",
             "--ramp", "0", "--points", "50,120", "--profiles", PROFILES,
             "--label", LABEL, "--out", cls.run_dir],
            check=True, stdout=subprocess.DEVNULL, stderr=sys.stderr)
        subprocess.run([FIO_REPORT, "review", cls.run_dir, "--out",
                        cls.review], check=True, cwd=cls.work,
                       stdout=subprocess.DEVNULL)
        with open(cls.review / "points.csv", newline="",
                  encoding="utf-8") as file:
            cls.points = list(csv.DictReader(file))

    def fio_flow(self, row):
        load = int(row["load_percent"])
        name = f"{load:03}.json" if load else "peak.json"
        job, = fio_document(self.run_dir / row["profile"] / name)["jobs"]
        return job["read"] if "read" in row["profile"] else job["write"]

    def test_every_point_is_there(self):
        self.assertEqual([(r["profile"], r["load_percent"])
                          for r in self.points],
                         [(p, load) for p in PROFILES.split(",")
                          for load in ("0", "50", "120")])

    def test_rates_and_latencies_equal_fios(self):
        for row in self.points:
            flow = self.fio_flow(row)
            lat = flow["lat_ns"]
            with self.subTest(profile=row["profile"],
                              load=row["load_percent"]):
                self.assertGreater(flow["total_ios"], 0)
                self.assertAlmostEqual(float(row["iops"]), flow["iops"], 5)
                self.assertEqual(float(row["bandwidth_bytes_s"]),
                                 flow["bw_bytes"])
                self.assertAlmostEqual(float(row["lat_mean_ns"]),
                                       lat["mean"], 5)
                self.assertEqual(float(row["lat_max_ns"]), lat["max"])
                for column, key in (("lat_p50_ns", "50.000000"),
                                    ("lat_p99_ns", "99.000000"),
                                    ("lat_p99_9_ns", "99.900000")):
                    self.assertEqual(float(row[column]),
                                     lat["percentile"][key])

    def test_littles_law_is_what_it_says(self):
        for row in self.points:
            self.assertAlmostEqual(
                float(row["outstanding"]),
                float(row["iops"]) * float(row["lat_mean_ns"]) / 1e9, 6)

    def test_the_page_stands_alone_and_escapes_names(self):
        page = (self.review / "index.html").read_text(encoding="utf-8")
        links = re.findall(r'(?:src|href)="([^"]*)"', page)
        self.assertTrue(any(l.startswith("data:image/svg+xml") for l in links))
        for link in links:
            self.assertRegex(link, r"^(#|data:image/)")
        self.assertNotIn("<script", page)
        self.assertNotIn("<b>", page)
        self.assertIn("&lt;b&gt;", page)

    def test_nothing_from_a_name_is_executed(self):
        self.assertEqual(list(self.work.rglob("PWNED")), [])

    def test_charts_are_drawn_and_well_formed(self):
        for stem in ("four-corners-4k-random-read",
                     "four-corners-64k-sequential-write"):
            base = self.review / "charts" / stem
            xml.etree.ElementTree.parse(f"{base}.svg")
            self.assertEqual(Path(f"{base}.png").read_bytes()[:4],
                             b"\x89PNG")
            self.assertTrue(Path(f"{base}.gp").stat().st_size)
            self.assertTrue(Path(f"{base}.dat").stat().st_size)


if __name__ == "__main__":
    unittest.main(verbosity=2)
