# SPDX-License-Identifier: GPL-2.0-only
"""Runs on three hosts: whole, with one killed, with one that hangs."""
import csv
import json
import os
import shutil
import signal
import time
import unittest

import net
import support
from fio_review import fioreport


def read(path):
    return json.loads(path.read_text())


def bins(jobs):
    """All counts of the histograms of total latency of reads."""
    total = {}
    for job in jobs:
        for key, count in job["read"]["lat_ns"]["bins"].items():
            total[key] = total.get(key, 0) + count
    return total


def percentile(counts, percent):
    """The middle of the bin in which so much of all lies."""
    left = sum(counts.values()) * percent / 100
    for key in sorted(counts, key=int):
        left -= counts[key]
        if left <= 0:
            return float(key)
    raise AssertionError("no bins")


class Whole(net.NetCase):
    def test_a_run_has_results_of_each_host_and_of_all(self):
        done = self.run_to_end(self.fresh())
        self.assertIn("not checked whether they are mounted", done.stdout)
        run = support.load_run(self.out)
        self.assertEqual(run["state"], "complete")
        self.assertEqual(run["profiles"][0]["outstanding"], 48)
        for name in net.NAMES:
            self.assertEqual(self.states(name), ["done"] * 3)
            self.assertEqual(self.target(name).stat().st_size, 16 << 20)
        for point in self.points():
            self.check_point(point)

    def check_point(self, point):
        document = read(self.out / point["file"])
        alone = [one for one in document["client_stats"]
                 if one["jobname"] != "All clients"]
        self.assertEqual(sorted(one["hostname"] for one in alone),
                         [self.net.address(one) for one in net.NAMES])
        own = {name: read(self.own(name) / point["file"])["jobs"]
               for name in net.NAMES}
        for name, jobs in own.items():
            self.assertEqual([one["hostname"] for one in jobs],
                             [self.net.address(name)])
        self.assertEqual(bins(sum(own.values(), [])), bins(alone))
        if point["load_percent"]:
            self.check_rates(point, own)

    def check_rates(self, point, own):
        """Each host's rate is a share of its own maximum."""
        asked = 0
        for row in point["hosts"]:
            peak = read(self.shot(row["name"], "peak"))["jobs"][0]
            want = peak["read"]["iops"] * point["load_percent"] / 100
            self.assertAlmostEqual(row["asked_iops"], want, delta=120)
            options = read(self.own(row["name"]) / point["file"])
            self.assertEqual(options["global options"]["rate_iops"],
                             row["rate"])
            self.assertEqual(options["global options"]["filename"],
                             str(self.target(row["name"])))
            asked += row["asked_iops"]
        self.assertEqual(point["asked_iops"], asked)

    @unittest.skipUnless(fioreport.find(), "fio-report is not built")
    def test_the_report_adds_up_the_hosts(self):
        # So low a load that the highest IOPS are those of the maximum.
        self.run_to_end(self.fresh("--points", "10"))
        together, *alone = [self.reported(place) for place in (
            self.out, *(self.own(name) for name in net.NAMES))]
        self.assertAlmostEqual(
            float(together["peak_iops"]),
            sum(float(one["peak_iops"]) for one in alone), delta=0.1)
        self.assertEqual(together["percentiles"], "bins")
        jobs = sum((read(self.shot(name, "peak"))["jobs"]
                    for name in net.NAMES), [])
        self.assertEqual(float(together["peak_lat_p99_ns"]),
                         percentile(bins(jobs), 99))

    def reported(self, place):
        done = self.run_to_end([fioreport.find(), "curve", "--format", "csv",
                                str(place)])
        return next(csv.DictReader(done.stdout.splitlines()))

    def test_nothing_that_exists_is_written_without_its_name(self):
        support.write_file(self.target("b"), 16 << 20)
        before = self.target("b").read_bytes()
        write = ("--profiles", support.WRITE, "--points", "50")
        done = self.run_to_end(self.fresh(*write), 2)
        full = f"b:{self.target('b')}"
        self.assertIn(f"add: --destroy-data-on {full}", done.stderr)
        done = self.run_to_end(
            self.fresh(*write, "--destroy-data-on", f"a:{self.target('b')}"),
            2)
        self.assertIn("HOST:TARGET of one of them", done.stderr)
        self.assertEqual(self.target("b").read_bytes(), before)
        self.assertFalse(self.target("a").exists())
        self.assertFalse(self.out.exists())
        self.run_to_end(self.fresh(*write, "--destroy-data-on", full))
        self.assertNotEqual(self.target("b").read_bytes(), before)

    def test_a_file_that_is_only_read_stays_as_it_is(self):
        for name in net.NAMES:
            support.write_file(self.target(name), 16 << 20)
        before = [self.target(one).read_bytes() for one in net.NAMES]
        done = self.run_to_end(self.fresh("--points", "50"))
        self.assertNotIn("left on the hosts", done.stdout)
        self.assertEqual([self.target(one).read_bytes()
                          for one in net.NAMES], before)

    def test_a_shorter_file_is_refused_and_not_replaced(self):
        support.write_file(self.target("c"), 4 << 20)
        before = self.target("c").read_bytes()
        done = self.run_to_end(self.fresh(), 2)
        self.assertIn(f"c:{self.target('c')} can't be read at the end of the "
                      "region", done.stderr)
        self.assertEqual(self.target("c").read_bytes(), before)

    def test_a_missing_directory_is_refused_and_not_made(self):
        shutil.rmtree(self.dir / "b")
        done = self.run_to_end(self.fresh(), 2)
        self.assertIn(f"b: there is no directory {self.dir / 'b'}",
                      done.stderr)
        self.assertFalse((self.dir / "b").exists())

    def test_dry_run_touches_nothing(self):
        done = self.run_to_end(self.fresh("--dry-run"))
        self.assertIn(f"filename={self.target('c')}", done.stdout)
        self.assertIn("--client=ip:10.99.0.3,8765 --readonly", done.stdout)
        self.assertFalse(self.out.exists())
        self.assertEqual(list((self.dir / "a").iterdir()), [])

    def test_a_host_that_cannot_be_reached_is_refused(self):
        self.net.kill("b")
        done = self.run_to_end(self.fresh(), 4)
        self.assertRegex(done.stderr, r"b: no fio server answers at "
                         r"10\.99\.0\.2:8765 \(.*refused.*\)")
        self.assertIn("fio --server=ip:10.99.0.2,8765", done.stderr)
        self.assertFalse(self.out.exists())
        self.assertEqual(list((self.dir / "a").iterdir()), [])

    def test_a_device_that_is_missing_is_not_made(self):
        path = f"/dev/none-{os.getpid()}"
        self.file.write_text(f"a 10.99.0.1 {path}\n")
        done = self.run_to_end(self.fresh(), 2)
        self.assertIn(f"a: there is no device {path}", done.stderr)
        self.assertFalse(os.path.exists(path))


class Lost(net.NetCase):
    def setUp(self):
        """Files that are there are only read: the runs are shorter."""
        super().setUp()
        for name in net.NAMES:
            support.write_file(self.target(name), 16 << 20)

    def lose(self, point, act, *more):
        """A run during one of whose points something is done to b."""
        process = self.begin(self.fresh("--runtime", "2", *more))
        self.wait_for_point(point)
        act()
        said, _ = process.communicate(timeout=400)
        self.assertEqual(process.returncode, 1, said)
        return said

    def resume(self, *more):
        self.net.serve("b")
        return self.run_to_end(self.argv("--resume", *more))

    def check_whole(self):
        states = [one["state"] for one in self.points()]
        self.assertEqual(set(states), {"done"})
        for name in net.NAMES:
            self.assertEqual(self.states(name), states)

    def test_a_host_that_dies_is_told_of_and_resume_repeats_its_part(self):
        said = self.lose(1, lambda: self.net.kill("b"))
        self.assertRegex(said, r"050  failed: b: fio has no result of it")
        self.assertRegex(said, r"100  failed: b: no fio server answers")
        self.assertRegex(said, r"100  a alone achieved [\d,]+ IOPS; kept")
        self.assertEqual([one["state"] for one in self.points()],
                         ["done", "failed", "failed"])
        self.assertEqual(self.states("b"), ["done", "failed", "failed"])
        for name in ("a", "c"):
            self.assertEqual(self.states(name), ["done"] * 3)
            self.assertTrue(self.shot(name, "100").exists())
        self.assertFalse(self.shot("b", "100").exists())
        self.assertFalse((self.out / support.READ / "050.json").exists())
        peak = self.shot("b", "peak").read_bytes()
        self.resume()
        self.check_whole()
        self.assertEqual(self.shot("b", "peak").read_bytes(), peak)

    def test_a_host_lost_during_the_maximum_leaves_the_others_a_curve(self):
        self.lose(0, lambda: self.net.kill("b"), "--points", "50")
        self.assertEqual(self.states("a"), ["done"] * 2)
        self.assertEqual(self.states("b"), ["failed"] * 2)
        self.assertIn("maximum", self.points(self.own("b"))[1]["reason"])
        self.resume()
        self.check_whole()

    def test_a_host_that_hangs_is_found_after_the_timeout(self):
        said = self.lose(
            1, lambda: self.net.signal("b", signal.SIGSTOP), "--timeout", "3")
        self.assertRegex(said, "b is left out until the run is resumed: .*"
                         "does not answer within")
        self.assertIn("fio did not end within 5 s", said)
        self.assertEqual(self.states("b"), ["done", "failed", "failed"])
        self.assertEqual(self.states("a"), ["done", "failed", "done"])
        self.assertIn("as b did not answer",
                      self.points(self.own("a"))[1]["reason"])
        self.net.signal("b", signal.SIGCONT)
        self.resume()
        self.check_whole()

    def test_a_killed_runner_leaves_a_run_that_waits_for_the_servers(self):
        process = self.begin(self.fresh("--runtime", "3", "--points", "50"))
        self.wait_for_point(1)
        process.kill()
        process.wait()
        run = support.load_run(self.out)
        self.assertLess(abs(run["busy_until"] - time.time()), 60)
        # However slow this machine is, and not for ever.
        run["busy_until"] += 1000
        (self.out / "run.json").write_text(json.dumps(run))
        done = self.resume()
        self.assertIn("waiting 3 s for the point that", done.stdout)
        self.assertNotIn("busy_until", support.load_run(self.out))
        self.check_whole()

    def test_an_interrupted_run_goes_on(self):
        process = self.begin(self.fresh("--runtime", "2", "--points", "50"))
        self.wait_for_point(1)
        process.send_signal(signal.SIGINT)
        said, _ = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130, said)
        self.assertIn(f"--resume --out {self.out} --hosts {self.file}", said)
        self.resume()
        self.check_whole()

    def test_what_a_resumed_run_refuses(self):
        self.run_to_end(self.fresh("--points", "50"))
        plain = [str(support.RUNNER), "run", "--resume", "--out"]
        done = self.run_to_end([*plain, str(self.out)], 2)
        self.assertIn("--hosts FILE", done.stderr)
        done = self.run_to_end([*plain, str(self.own("a"))], 2)
        self.assertIn("one host's part of a run", done.stderr)
        self.write_hosts("ab")
        done = self.run_to_end(self.argv("--resume"), 2)
        self.assertIn("other hosts or targets", done.stderr)
        self.write_hosts()
        self.target("c").unlink()
        done = self.run_to_end(self.argv("--resume"), 2)
        self.assertIn(f"c:{self.target('c')} is gone", done.stderr)
        self.assertFalse(self.target("c").exists())

    def test_an_interrupted_fill_is_done_again(self):
        for name in net.NAMES:
            self.target(name).unlink()
        process = self.begin(self.fresh("--size", "8G"))
        while not self.target("a").exists():
            self.assertIsNone(process.poll())
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        said, _ = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130, said)
        self.assertIsNone(support.load_run(self.out)["filled"])
        run = support.load_run(self.out)
        run["options"]["size"] = 16 << 20
        (self.out / "run.json").write_text(json.dumps(run))
        self.resume()
        self.assertEqual(support.load_run(self.out)["filled"]["bytes"],
                         3 * (16 << 20))
        self.check_whole()
