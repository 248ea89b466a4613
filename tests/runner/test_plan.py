# SPDX-License-Identifier: GPL-2.0-only
"""Load points, rounding and the split of a rate over threads."""
import unittest
from dataclasses import replace

import support
from fio_review import plan, profile, units
from fio_review.errors import ReviewError
from fio_review.streams import Depth

READ = "four-corners/4k-random-read"
BASE = profile.load(support.JOBFILES / f"{READ}.fio", READ)


def mixed(read_percent, threads=32):
    """A profile of one stream with that mix."""
    stream = replace(BASE.streams[0], read_percent=read_percent,
                     depth=Depth(threads, 1))
    return replace(BASE, streams=(stream,))


class Points(unittest.TestCase):
    def test_default_is_twelve_points(self):
        self.assertEqual(plan.parse_points(plan.DEFAULT_POINTS),
                         list(range(10, 121, 10)))

    def test_lists_and_ranges_mix_sorted_and_once(self):
        self.assertEqual(plan.parse_points("100,10-30:10,20"),
                         [10, 20, 30, 100])

    def test_nonsense_is_refused(self):
        for text in ("", "0", "x", "10-20", "10-20:0", "-5", "1001", "30-20:5"):
            with self.subTest(text), self.assertRaises(ReviewError):
                plan.parse_points(text)

    def test_names_sort_in_order_of_load(self):
        self.assertEqual([plan.point_name(one) for one in (0, 10, 120)],
                         ["peak", "010", "120"])


class Rates(unittest.TestCase):
    def test_rounds_up_to_100_and_below_1000_to_10(self):
        for iops, want in ((73851.2, 73900), (7385, 7400), (7400, 7400),
                           (1000.4, 1100), (1000, 1000), (991, 1000),
                           (501, 510), (0.3, 10)):
            with self.subTest(iops):
                self.assertEqual(plan.round_up(iops), want)

    def test_binary_fractions_do_not_creep_over_a_step(self):
        self.assertEqual(plan.round_up(70000 * 0.1 * 3), 21000)

    def test_splits_over_threads_and_records_what_fio_is_asked(self):
        rate = plan.rate_for(BASE, 73851.2, 10)
        self.assertEqual((rate.text, rate.asked_iops), ("58", 58 * 128))

    def test_a_slow_drive_gets_one_io_per_second_and_thread(self):
        rate = plan.rate_for(BASE, 300, 10)
        self.assertEqual((rate.text, rate.asked_iops), ("1", 128))

    def test_a_mix_names_both_directions_in_its_ratio(self):
        rate = plan.rate_for(mixed(80), 100000, 50)
        self.assertEqual(rate.text, "1252,313")
        self.assertEqual(rate.asked_iops, (1252 + 313) * 32)
        self.assertEqual(rate.read_percent, 80)

    def test_a_mix_is_as_near_as_whole_numbers_get(self):
        for read, peak, text, percent in (
                (97, 300, "9,1", 90), (97, 3300, "100,3", 97.1),
                (70, 1000, "22,9", 71.0), (50, 10, "1,1", 50),
                (3, 300, "1,9", 10), (99, 1000000, "30987,313", 99)):
            with self.subTest((read, peak)):
                rate = plan.rate_for(mixed(read), peak, 100)
                reads, writes = map(int, rate.text.split(","))
                self.assertEqual(rate.asked_iops, (reads + writes) * 32)
                self.assertEqual((rate.text, round(rate.read_percent, 1)),
                                 (text, percent))

    def test_no_mix_strays_far_in_sum_or_ratio(self):
        for read in range(1, 100):
            for peak in (10, 320, 5000, 77700, 3210000):
                rate = plan.rate_for(mixed(read), peak, 100)
                each = plan.round_up(peak) / 32
                asked = rate.asked_iops / 32
                self.assertLessEqual(abs(asked - each),
                                     max(1, 0.03 * each, 2 - each))
                if each > 1000:
                    self.assertLess(abs(rate.read_percent - read), 0.05)

    def test_a_write_only_profile_has_one_number(self):
        rate = plan.rate_for(mixed(0, 128), 12800, 100)
        self.assertEqual(rate.text, "100")

    def test_each_stream_gets_its_share_and_its_own_variable(self):
        streams = (replace(mixed(80, 35).streams[0], share=99.0),
                   replace(mixed(0, 1).streams[0], share=1.0))
        both = replace(BASE, streams=streams)
        rate = plan.rate_for(both, 100000, 50)
        self.assertEqual(rate.text, "1132,283 + 500")
        self.assertEqual(rate.asked_iops, (1132 + 283) * 35 + 500)
        self.assertAlmostEqual(rate.read_percent, 79.2, 1)
        self.assertEqual(plan.rate_for(both, 100000, 120).text,
                         "2716,679 + 1000")
        self.assertEqual(plan.peak_rate(both, 90000), "0 + 900")
        self.assertEqual(plan.rate_variables(both, rate.text),
                         {"RATE": "1132,283", "RATE_B": "500"})
        self.assertEqual(plan.rate_variables(both, "0"),
                         {"RATE": "0", "RATE_B": "0"})

    def test_only_the_rate_of_a_maximum_is_one(self):
        for text, streams in (("0", 1), ("0", 2), ("0 + 1,79", 2),
                              ("0 + 5", 2)):
            self.assertTrue(plan.is_peak_rate(text, streams), text)
        for text, streams in (("5", 1), ("0 + 5", 1), ("0 + 5 + 5", 2),
                              ("5 + 5", 2), ("0 + x", 2), (None, 1), (0, 1)):
            self.assertFalse(plan.is_peak_rate(text, streams), text)


class Units(unittest.TestCase):
    def test_sizes(self):
        for text, want in (("64k", 65536), ("1G", 1 << 30), ("1.5GiB", 3 << 29),
                           ("512", 512), ("2MB", 2 << 20)):
            with self.subTest(text):
                self.assertEqual(units.parse_size(text), want)
        for text in ("", "k", "1x", "-1", "1 2"):
            with self.subTest(text), self.assertRaises(ReviewError):
                units.parse_size(text)

    def test_times_keep_their_milliseconds(self):
        for text, want in (("30", "30s"), ("0.5", "500ms"), ("500ms", "500ms"),
                           ("2m", "120s"), ("0", "0s")):
            with self.subTest(text):
                self.assertEqual(units.fio_time(units.parse_seconds(text)),
                                 want)


if __name__ == "__main__":
    unittest.main()
