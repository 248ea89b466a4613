# SPDX-License-Identifier: GPL-2.0-only
"""Do the profiles that are one call of fio issue what this table says?

Real fio on a file, each stage for a moment. Written down apart from the
jobfiles; figures are those of jobfiles/README.md.
"""
import json
import os
import unittest
from math import sqrt

import support
from fio_review import fio as calls, jobs, profile

SIZE = 80 << 20
KIB, MIB = 1 << 10, 1 << 20
R, W = "read", "write"
JESD = {512: 4, 1024: 1, 1536: 1, 2048: 1, 2560: 1, 3072: 1, 3584: 1,
        4096: 67, 8192: 10, 16384: 7, 32768: 3, 65536: 3}


def row(name, way, size, depth=1, reads=None):
    """A job: direction, size in bytes or table of sizes, what is in flight."""
    share = {R: 100, W: 0}.get(way, reads)
    table = size if isinstance(size, dict) else {size: 100}
    return name, share, table, depth


def both(name, size, depth=1):
    return [row(f"{name}-{way}", way, size, depth) for way in (R, W)]


def each_way(*tests):
    return [row(f"{name}-{way}", way, size, depth) for way in (R, W)
            for name, size, depth in tests]


ATTO = [(f"{size}" if size < KIB else f"{size // KIB}k" if size < MIB
         else f"{size // MIB}m", size) for size in
        (512 << i for i in range(18))]
K4 = 4 * KIB
SINGLE = {
    "fileio/random-read": [row("random-read", R, K4, 192)],
    "fileio/random-write": [row("random-write", W, K4, 192)],
    "fileio/random-mixed": [row("random-mixed", "rw", K4, 192, 60)],
    "qos/qd1": [row("qd1-read", R, K4), row("qd1-write", W, K4)],
    "endurance/linear-write": [row("linear-write", W, MIB, 8)],
    "precondition/fill": [row("fill", W, 128 * KIB, 32)],
    "precondition/random-fill": [row("random-fill", W, K4, 32)],
    "precondition/steady-state": [row(f"round-{i:02d}", W, K4, 32)
                                  for i in range(1, 26)],
    "standards/jesd219": [row("jesd219", "rw", JESD, 1024, 40)],
    "desktop/crystaldiskmark": each_way(
        ("seq1m-q8t1", MIB, 8), ("seq1m-q1t1", MIB, 1),
        ("rnd4k-q32t1", K4, 32), ("rnd4k-q1t1", K4, 1)),
    "desktop/crystaldiskmark-nvme": each_way(
        ("seq1m-q8t1", MIB, 8), ("seq128k-q32t1", 128 * KIB, 32),
        ("rnd4k-q32t16", K4, 512), ("rnd4k-q1t1", K4, 1)),
    "desktop/atto": [row(f"{name}-{way}", way, size, 4)
                     for name, size in ATTO for way in (W, R)],
    "desktop/as-ssd": both("seq", 16 * MIB) + both("4k", K4)
    + both("4k-64-threads", K4, 64)
    + [row("access-read", R, K4), row("access-write", W, 512)],
    "desktop/aja": [row("frames-write", W, 5529600),
                    row("frames-read", R, 5529600)],
    "desktop/anvil": [
        row("seq-4m-read", R, 4 * MIB), row("4k-read", R, K4),
        row("4k-qd4-read", R, K4, 4), row("4k-qd16-read", R, K4, 16),
        row("32k-read", R, 32 * KIB), row("128k-read", R, 128 * KIB),
        row("seq-4m-write", W, 4 * MIB), row("4k-write", W, K4),
        row("4k-qd4-write", W, K4, 4), row("4k-qd16-write", W, K4, 16)],
    "applications/mysql-oltp": [
        row("page-reads", R, 16 * KIB, 128), row("page-writes", W, 16 * KIB, 4),
        row("doublewrite", W, {16 * KIB: 40, 64 * KIB: 20, 256 * KIB: 20,
                               MIB: 20}, 4),
        row("redo", W, K4, 4)],
    "applications/sql-server-tpcc": [
        row("reads", R, {8 * KIB: 90, 64 * KIB: 10}, 32),
        row("page-writes", W, {8 * KIB: 60, 16 * KIB: 20, 64 * KIB: 15,
                               256 * KIB: 5}, 16),
        row("log", W, {KIB: 20, 4 * KIB: 30, 16 * KIB: 30, 60 * KIB: 20})],
    "applications/houdini": [row("load", R, MIB),
                             row("swap", "rw", 64 * KIB, 32, 50)],
}
# These move so many bytes, whatever the time.
BYTES = {"endurance/linear-write": SIZE, "precondition/fill": SIZE,
         "precondition/random-fill": SIZE}
# Stages that run at the same time or have rates need not keep all in flight.
IDLE = ("applications/",)


def in_flight(job):
    """Little's law over both directions of a job."""
    spent = sum(job[way]["lat_ns"]["mean"] * job[way]["total_ios"]
                for way in (R, W))
    return spent / 1e6 / max(job[way]["runtime"] for way in (R, W))


@support.needs_fio
class SingleCalls(support.TempCase):
    def setUp(self):
        super().setUp()
        self.target = self.dir / "target"
        support.write_file(self.target, SIZE)

    def measure(self, one, path=None):
        output = self.dir / "out.json"
        done = support.run(
            [support.FIO, "--output-format=json", f"--output={output}",
             *calls.safeguards(one.destructive), str(path or one.path)],
            cwd=self.dir, env={
                "PATH": os.environ["PATH"], "TARGET": str(self.target),
                "SIZE": str(SIZE), "SPAN": str(SIZE), "RUNTIME": "200ms",
                "RAMP": "0", "RATE": "0", "IOENGINE": "psync", "DIRECT": "1",
                "QUEUE_ENGINE": calls.queue_engine("psync")})
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return json.loads(output.read_text())["jobs"]

    def check_job(self, name, job, want):
        wanted_name, share, sizes, depth = want
        self.assertEqual((job["jobname"], job["error"]), (wanted_name, 0))
        ios = [job[way]["total_ios"] for way in (R, W)]
        total, data = sum(ios), sum(job[way]["io_bytes"] for way in (R, W))
        self.assertGreater(total, 0)
        chance = 400 * sqrt(share / 100 * (1 - share / 100) / total)
        self.assertLessEqual(abs(100 * ios[0] / total - share),
                             max(0.5 if chance else 0, chance))
        mean = sum(size * part for size, part in sizes.items()) / 100
        square = sum(size ** 2 * part for size, part in sizes.items()) / 100
        spread = 4 * sqrt(max(0, square - mean ** 2) / total)
        self.assertLessEqual(abs(data / total - mean),
                             max(0.01 * mean if spread else 0, spread))
        flying = in_flight(job)
        self.assertLess(flying, 1.1 * depth + 0.1)
        # A moment is short, and a thread that waits for a CPU is in no I/O:
        # this tells whether an engine queues at all.
        if depth > 1 and not name.startswith(IDLE) and total > 20 * depth:
            self.assertGreater(flying, 0.3 * depth)

    def singles(self):
        for name in profile.find_ids(support.JOBFILES):
            one = profile.load(support.JOBFILES / f"{name}.fio", name)
            if one.single:
                yield one

    def test_every_one_is_in_the_table(self):
        self.assertEqual({one.id for one in self.singles()}, set(SINGLE))

    @unittest.skipUnless(hasattr(os, "O_DIRECT"), "no O_DIRECT")
    def test_each_issues_what_the_table_says(self):
        for one in self.singles():
            with self.subTest(one.id):
                found = self.measure(one)
                self.assertEqual(len(found), len(SINGLE[one.id]))
                for job, want in zip(found, SINGLE[one.id]):
                    self.check_job(one.id, job, want)
                if one.id in BYTES:
                    self.assertEqual(found[0][W]["io_bytes"], BYTES[one.id])
                self.assertEqual(self.target.stat().st_size, SIZE)

    def test_the_head_has_the_most_that_is_in_flight(self):
        for one in self.singles():
            depths = [want[3] for want in SINGLE[one.id]]
            at_once = sum(depths) if one.shape.stages == 1 else max(depths)
            self.assertEqual(one.outstanding, at_once, one.id)
            sizes = [size for want in SINGLE[one.id] for size in want[2]]
            self.assertEqual((min(sizes), max(sizes)),
                             one.streams[0].block[:2], one.id)
            sections = jobs.sections(one.path.read_text().splitlines())
            self.assertEqual(
                [int(job.get("numjobs", "1")) * int(job.get("iodepth", "1"))
                 for job in sections], depths, one.id)

    def test_bandwidth_of_a_linear_write_is_logged_where_fio_runs(self):
        one = profile.load(support.JOBFILES / "endurance/linear-write.fio",
                           "endurance/linear-write")
        # This file may be written before the first second is over, and fio
        # drops a window that is not whole: so a line for each I/O.
        job = self.dir / "job.fio"
        job.write_text(one.path.read_text().replace("log_avg_msec=1000\n",
                                                    ""))
        self.measure(one, job)
        self.assertTrue(one.shape.logs)
        lines = (self.dir / "linear-write_bw.1.log").read_text().splitlines()
        self.assertTrue(lines)
        for line in lines:
            self.assertEqual(line.split(",")[2].strip(), "1")


@support.needs_fio
class Runs(support.TempCase):
    def test_a_run_has_one_point_and_the_log_beside_it(self):
        done = support.run(support.arguments(
            self.dir / "file", self.dir / "run", "--profiles",
            "endurance/linear-write,qos/qd1"))
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = support.load_run(self.dir / "run")["profiles"]
        for one in rows:
            self.assertEqual([point["load_percent"] for point
                              in one["points"]], [0])
            self.assertEqual(one["kind"], "single")
        self.assertTrue((self.dir / "run/endurance/linear-write"
                         / "linear-write_bw.1.log").exists())
        self.assertIn("qd1-write", done.stdout + done.stderr)
        self.assertIn(" x QD8; writes", done.stdout + done.stderr)

    def test_a_region_that_is_too_small_is_refused_before_anything(self):
        done = support.run(support.arguments(
            self.dir / "file", self.dir / "run", "--profiles",
            "desktop/atto"))
        self.assertEqual(done.returncode, 2)
        self.assertIn("desktop/atto needs a region of 64.0 MiB", done.stderr)
        self.assertFalse((self.dir / "file").exists())

    def test_a_dry_run_has_one_call_and_its_folder(self):
        done = support.run(support.arguments(
            self.dir / "file", self.dir / "run", "--dry-run", "--profiles",
            "endurance/linear-write"))
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = [line for line in done.stdout.splitlines()
                 if "linear-write.fio" in line]
        self.assertEqual(len(lines), 1)
        self.assertTrue(lines[0].startswith(
            f"(cd {self.dir}/run/endurance/linear-write && "), lines)


class Jobs(unittest.TestCase):
    def test_stages_writes_bytes_and_logs(self):
        shape = jobs.shape("""
[global]
time_based=1
rw=write
[a]
[b]
rw=read
[c]
stonewall
rw=randrw
rwmixread=30
write_bw_log=x
""".splitlines())
        self.assertEqual((shape.stages, shape.timed, shape.logs),
                         (2, True, True))
        self.assertAlmostEqual(shape.writes, 0.5 + 0.7)
        shape = jobs.shape("[a]\nrw=randrw\nio_size=32m\nnumjobs=4"
                           .splitlines())
        self.assertEqual((shape.timed, shape.writes, shape.writes_bytes),
                         (False, 0, 64 << 20))

    def test_an_engine_that_waits_is_replaced_for_a_queue(self):
        for name, want in (("psync", "libaio"), ("io_uring", "io_uring"),
                           ("/x/nvme_pt.so", "/x/nvme_pt.so")):
            self.assertEqual(calls.queue_engine(name), want)


if __name__ == "__main__":
    unittest.main()
