# SPDX-License-Identifier: GPL-2.0-only
"""Does every curve profile issue what workloads.py says?

Each is run by real fio on a real file, uncontrolled and at half of the maximum
it reached. Mix and mean size come from fio's own counts; sizes, random part and
zones from its log of every I/O; what was in flight from Little's law.

What is random is judged twice. fio's null engine gives so many I/Os that chance
is far below the tolerances of the profiles (half a point of mix, 1 % of mean
size, a point of any size). A drive gives fewer, and there the tolerance is four
standard deviations where that is more: a correct job fails one check in 16,000.
"""
import json
import os
import unittest
from collections import Counter
from math import sqrt

import iolog
import support
from fio_review import plan, profile
from workloads import CURVES

SIZE = 256 << 20
KIB = 1024
MIX, MEAN, POINT = 0.5, 0.01, 1.0
SIGMAS = 4
WAYS = ("reads", "writes")
# An engine's own profiles are the same pattern, tested in the lab.
FOREIGN = ("sata/",)
# By hand: only profiles whose names begin so.
ONLY = os.environ.get("WORKLOADS", "")


def chance(percent, count):
    """Points that a share may be off by chance."""
    share = percent / 100
    return 100 * SIGMAS * sqrt(share * (1 - share) / max(count, 1))


def mean_and_spread(sizes):
    """Of a table KiB -> percent: mean and standard deviation in bytes."""
    mean = sum(kib * KIB * part for kib, part in sizes.items()) / 100
    square = sum((kib * KIB) ** 2 * part for kib, part in sizes.items()) / 100
    return mean, sqrt(max(0, square - mean ** 2))


def follows(ios):
    """Of one thread's I/Os all but the first of a way: does it follow?"""
    end = {}
    for io in ios:
        if io.way in end:
            yield io, io.offset == end[io.way]
        end[io.way] = io.offset + io.size


def zone_of(zones, place):
    """The number of the zone that a share of the region lies in."""
    edge = 0
    for i, (_, width) in enumerate(zones):
        edge += width
        if place * 100 < edge:
            return i
    return len(zones) - 1


@support.needs_fio
class Workloads(support.TempCase):
    target = None

    @classmethod
    def setUpClass(cls):
        cls.place = support.tempfile.mkdtemp(prefix="fio-review-",
                                             dir="/var/tmp")
        cls.addClassCleanup(support.shutil.rmtree, cls.place, True)
        cls.target = f"{cls.place}/target"
        support.write_file(cls.target, SIZE)

    def fio(self, one, rate="0", engine="psync", runtime="1s", log=True):
        """Run the profile's job; fio's JSON and its threads' I/Os."""
        job, prefix = self.dir / "job.fio", self.dir / "io"
        for old in self.dir.glob("io_*"):
            old.unlink()
        wanted = f"write_lat_log={prefix}\nlog_offset=1\n" if log else ""
        text = one.path.read_text()
        if engine == "null":
            # What is in the buffers costs the time of many I/Os.
            text = text.replace("\nrefill_buffers=1\n", "\n")
        # In [global], for all jobs.
        job.write_text(text.replace("[global]\n", f"[global]\n{wanted}", 1))
        variables = {
            "PATH": os.environ["PATH"], "TARGET": str(self.target),
            "SIZE": str(SIZE), "SPAN": str(one.span(SIZE)),
            "RUNTIME": runtime, "RAMP": "0", "IOENGINE": engine,
            "DIRECT": "1" if engine == "psync" and self.direct else "0",
            **plan.rate_variables(one, rate)}
        output = self.dir / "out.json"
        done = support.run([support.FIO, "--output-format=json",
                            f"--output={output}", str(job)], env=variables)
        self.assertEqual(done.returncode, 0, done.stderr)
        return (json.loads(output.read_text()),
                iolog.read_threads(self.dir, "io") if log else None)

    @property
    def direct(self):
        try:
            os.close(os.open(self.target, os.O_RDONLY | os.O_DIRECT))
            return True
        except OSError:
            return False

    # -- checks ------------------------------------------------------------

    def near(self, what, got, want, tolerance):
        self.assertLessEqual(abs(got - want), tolerance,
                             f"{what}: {got:.4g} and not {want:.4g}, "
                             f"tolerance {tolerance:.3g}")

    def check_counts(self, want, ios, data):
        """Mix and mean sizes, of fio's own counts."""
        total = sum(ios)
        self.near("reads in percent", 100 * ios[0] / total, want.read_percent,
                  max(MIX, chance(want.read_percent, total)))
        for way in (0, 1):
            if not ios[way]:
                continue
            mean, spread = mean_and_spread(want.sizes[way])
            self.near(f"mean size of {WAYS[way]}", data[way] / ios[way], mean,
                      max(MEAN * mean, SIGMAS * spread / sqrt(ios[way])))

    def check_sizes(self, want, threads):
        for way in (0, 1):
            seen = Counter(io.size for one in threads for io in one
                           if io.way == way)
            total = sum(seen.values())
            sizes = {kib * KIB: part for kib, part in want.sizes[way].items()}
            if total:
                self.assertLessEqual(set(seen), set(sizes))
            for size, part in sizes.items() if total else ():
                self.near(f"{WAYS[way]} of {size}", 100 * seen[size] / total,
                          part, max(POINT, chance(part, total)))

    def check_random(self, want, threads):
        """The part that is random, and where in the region that goes."""
        free = [[], []]
        total = [0, 0]
        for one in threads:
            for io, after in follows(one):
                total[io.way] += 1
                if not after:
                    free[io.way].append(io.offset / SIZE)
        for way in (0, 1):
            if not total[way]:
                continue
            part = want.random[way]
            self.near(f"random part of {WAYS[way]}",
                      100 * len(free[way]) / total[way], part,
                      max(POINT, chance(part, total[way])))
            zones = Counter(zone_of(want.zones, one) for one in free[way])
            for i, (access, _) in enumerate(want.zones):
                self.near(f"{WAYS[way]} in zone {i}",
                          100 * zones[i] / len(free[way]), access,
                          max(POINT, chance(access, len(free[way]))))

    def check_stream(self, want, threads):
        ios = [sum(io.way == way for one in threads for io in one)
               for way in (0, 1)]
        data = [sum(io.size for one in threads for io in one if io.way == way)
                for way in (0, 1)]
        self.check_counts(want, ios, data)
        self.check_sizes(want, threads)
        return ios

    def streams(self, one, threads):
        """The threads of each stream, and what it must do."""
        self.assertEqual(len(threads),
                         sum(want.threads for want in CURVES[one.id]))
        first = 0
        for want in CURVES[one.id]:
            yield want, threads[first:first + want.threads]
            first += want.threads

    # -- tests -------------------------------------------------------------

    def profiles(self):
        for name in profile.find_ids(support.JOBFILES):
            one = profile.load(support.JOBFILES / f"{name}.fio", name)
            if name.startswith(ONLY) and not one.single \
                    and not name.startswith(FOREIGN):
                yield one

    def test_every_curve_is_in_the_table(self):
        self.assertEqual({one.id for one in self.profiles()},
                         {one for one in CURVES if one.startswith(ONLY)})

    def test_pattern_with_so_many_that_chance_is_small(self):
        for one in self.profiles():
            with self.subTest(one.id):
                document, threads = self.fio(one, engine="null",
                                             runtime="300ms")
                self.assertEqual(sum(map(len, threads)),
                                 sum(iolog.counts(document)[0]))
                self.assertGreater(sum(map(len, threads)), 20000)
                for want, own in self.streams(one, threads):
                    self.check_stream(want, own)
                    if want.random:
                        self.check_random(want, own)

    def check_maximum(self, one, document):
        """Enough in flight? Returns the IOPS of all."""
        ios, data = iolog.counts(document)
        wants = CURVES[one.id]
        if len(wants) == 1:
            self.check_counts(wants[0], ios, data)
        spent = sum(job[way]["lat_ns"]["mean"] * job[way]["total_ios"]
                    for job in document["jobs"] for way in ("read", "write"))
        longest = max(job[way]["runtime"] for job in document["jobs"]
                      for way in ("read", "write")) * 1e6
        flying = spent / longest
        # A stream with a rate need not be in flight. Nor is a thread that
        # waits for a CPU: so there is room below, but none above.
        self.assertLess(flying, 1.02 * sum(want.threads for want in wants))
        self.assertGreater(flying, 0.85 * wants[0].threads,
                           "Little's law: threads are missing")
        return sum(ios) / (longest / 1e9)

    def check_small_streams(self, one, rate, threads):
        """All but the first have their rate, whatever the first reaches."""
        parts = list(zip(one.streams, rate.split(" + "),
                         self.streams(one, threads)))
        for stream, text, (_, own) in parts[1:]:
            asked = sum(map(int, text.split(","))) * stream.depth.threads
            got = sum(map(len, own))
            share = 100 * got / sum(map(len, threads))
            print(f"; a stream of {stream.share:g} % has {share:.2f} %", end="")
            self.near("IOPS of a small stream", got, asked,
                      0.1 * asked + SIGMAS * sqrt(asked))

    def check_half(self, one, most):
        rate = plan.rate_for(one, most, 50)
        several = len(one.streams) > 1
        document, threads = self.fio(one, rate.text, log=several)
        ios, _ = iolog.counts(document)
        total = sum(ios)
        got = 100 * ios[0] / total
        self.near("reads in percent at half load", got, rate.read_percent,
                  max(MIX, chance(rate.read_percent, total)))
        self.near("asked mix", rate.read_percent, one.read_percent, MIX)
        print(f"\n  {one.id}: maximum {most:,.0f} IOPS; half asked "
              f"{rate.asked_iops:,}, {rate.read_percent:.2f} % reads; "
              f"got {total:,}, {got:.2f} %", end="")
        # Others may use the drive meanwhile: only far less is wrong.
        self.assertLess(total, 1.1 * rate.asked_iops)
        self.assertGreater(total, 0.5 * rate.asked_iops)
        if several:
            self.check_small_streams(one, rate.text, threads)

    def test_on_a_file_at_the_maximum_and_at_half_of_it(self):
        for one in self.profiles():
            with self.subTest(one.id):
                document, _ = self.fio(one, log=False)
                most = self.check_maximum(one, document)
                if len(one.streams) > 1:
                    rate = plan.peak_rate(one, most)
                    document, threads = self.fio(one, rate)
                    most = self.check_maximum(one, document)
                    print(f"\n  {one.id}: maximum", end="")
                    self.check_small_streams(one, rate, threads)
                self.check_half(one, most)


if __name__ == "__main__":
    unittest.main()
