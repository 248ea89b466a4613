# SPDX-License-Identifier: GPL-2.0-only
"""Do the 16 threads of a sequential profile make one sequential stream?

Judged by fio's own log of offsets on a real file. A stream of one shared
cursor would complete block k as the k-th I/O. Each thread here advances by
itself: with Poisson arrivals of rate r its count after t seconds has the
standard deviation sqrt(r t), in strides of N blocks. So the k-th completed I/O
must lie within

    N * (Z * sqrt(r t) + r * START + 2) blocks of block k,  Z = 5,

where START allows for threads that start apart, and 2 for what is in flight.
"""
import os
import unittest
from collections import Counter, namedtuple
from math import sqrt

import support
from fio_review.profile import load

THREADS, BLOCK = 16, 64 * 1024
STRIDE = THREADS * BLOCK
SIZE = 48 << 20
BLOCKS = SIZE // BLOCK
Z, START = 5, 0.05
Io = namedtuple("Io", "time_s thread index offset passes")


def read_log(path, thread):
    """A thread's I/Os in order, with the passes it has wrapped before each."""
    found, passes, last = [], 0, -1
    with open(path) as lines:
        for i, line in enumerate(lines):
            field = [one.strip() for one in line.split(",")]
            offset = int(field[4])
            passes += offset < last
            last = offset
            found.append(Io(int(field[0]) / 1000, thread, i, offset, passes))
    return found


def position(io):
    """The block's number in an endless stream over the region."""
    return io.passes * BLOCKS + io.offset // BLOCK


def stray(threads, rate):
    """(largest distance from the front in blocks, worst share of its bound).
    """
    merged = sorted((io for one in threads for io in one),
                    key=lambda io: io.time_s)
    far, share = 0, 0.0
    for k, io in enumerate(merged):
        bound = THREADS * (Z * sqrt(rate * io.time_s) + rate * START + 2)
        away = abs(position(io) - k)
        far, share = max(far, away), max(share, away / bound)
    return far, share


@support.needs_fio
class Sequential(support.TempCase):
    RATE = 100

    def setUp(self):
        super().setUp()
        self.target = self.dir / "target"
        support.write_file(self.target, SIZE)

    def measure(self, name, rate, runtime, edit=lambda text: text):
        """Run a profile's job with an offset log; its I/Os by thread."""
        profile = load(support.JOBFILES / f"four-corners/{name}.fio", name)
        text = (support.JOBFILES / f"four-corners/{name}.fio").read_text()
        job = self.dir / "job.fio"
        log = self.dir / "log"
        job.write_text(edit(text) + f"write_lat_log={log}\nlog_offset=1\n")
        done = support.run(
            [support.FIO, "--output-format=json", str(job)],
            env={"PATH": os.environ["PATH"], "TARGET": str(self.target),
                 "SIZE": str(SIZE), "SPAN": str(profile.span(SIZE)),
                 "RUNTIME": runtime, "RAMP": "0", "RATE": str(rate),
                 "IOENGINE": "psync", "DIRECT": "0"})
        self.assertEqual(done.returncode, 0, done.stderr)
        logs = sorted(self.dir.glob("log_lat.*.log"),
                      key=lambda one: int(one.name.split(".")[1]))
        self.assertEqual(len(logs), profile.streams[0].depth.threads)
        return [read_log(one, i) for i, one in enumerate(logs)]

    def check_threads(self, threads):
        for one in threads:
            start = one[0].offset
            for io in one:
                self.assertEqual(io.offset, (start + io.index * STRIDE) % SIZE)
        residues = {one[0].offset // BLOCK % THREADS for one in threads}
        self.assertEqual(len(residues), THREADS)

    def check_tiling(self, threads):
        """All threads' completed passes cover each block equally often."""
        whole = min(one[-1].passes for one in threads)
        self.assertGreaterEqual(whole, 1)
        seen = Counter(io.offset // BLOCK for one in threads for io in one
                       if io.passes < whole)
        self.assertEqual(seen, Counter({i: whole for i in range(BLOCKS)}))

    def test_rated_read_is_one_stream_within_its_drift(self):
        threads = self.measure("64k-sequential-read", self.RATE, "2s")
        self.check_threads(threads)
        self.check_tiling(threads)
        far, share = stray(threads, self.RATE)
        print(f"\n  rated read strays {far * BLOCK >> 20} MiB from the front "
              f"({share:.0%} of the bound)")
        self.assertLessEqual(share, 1)

    def test_rated_write_is_one_stream_within_its_drift(self):
        threads = self.measure("64k-sequential-write", self.RATE, "1s")
        self.check_threads(threads)
        self.check_tiling(threads)
        self.assertLessEqual(stray(threads, self.RATE)[1], 1)

    def test_uncontrolled_read_covers_every_block_equally(self):
        threads = self.measure("64k-sequential-read", 0, "500ms")
        self.check_threads(threads)
        self.check_tiling(threads)

    def test_file_keeps_its_size(self):
        self.measure("64k-sequential-write", 0, "300ms")
        self.assertEqual(self.target.stat().st_size, SIZE)

    def test_a_larger_target_is_touched_in_the_region_only(self):
        with open(self.target, "ab") as out:
            out.write(bytes(8 << 20))
        for name in ("64k-sequential-read", "64k-sequential-write",
                     "4k-random-read", "4k-random-write"):
            with self.subTest(name):
                threads = self.measure(name, 0, "250ms")
                offsets = {io.offset for one in threads for io in one}
                self.assertLess(max(offsets), SIZE)
                if "sequential" in name:
                    self.check_threads(threads)
                    self.check_tiling(threads)

    def test_filesize_would_return_to_the_wrong_block(self):
        """Why the jobfile says size=SPAN: fio doubles the start on a wrap."""
        threads = self.measure(
            "64k-sequential-read", 0, "500ms",
            lambda text: text.replace("size=${SPAN}", "filesize=${SIZE}"))
        with self.assertRaises(AssertionError):
            self.check_threads(threads)

    def test_sixteen_streams_are_told_from_one(self):
        """The checks must fail on what is no shared cursor."""
        def separate(text):
            return text.replace("offset_increment=64k", "") \
                .replace("rw=read:960k", "rw=read")
        threads = self.measure("64k-sequential-read", self.RATE, "1s", separate)
        with self.assertRaises(AssertionError):
            self.check_threads(threads)
        self.assertGreater(stray(threads, self.RATE)[1], 1)

    def test_a_lost_offset_increment_is_noticed(self):
        threads = self.measure(
            "64k-sequential-read", self.RATE, "1s",
            lambda text: text.replace("offset_increment=64k", ""))
        with self.assertRaises(AssertionError):
            self.check_threads(threads)
        with self.assertRaises(AssertionError):
            self.check_tiling(threads)


if __name__ == "__main__":
    unittest.main()
