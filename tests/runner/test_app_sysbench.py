# SPDX-License-Identifier: GPL-2.0-only
"""What sysbench prints: recorded outputs, cut-off ones and failures."""
import re
import unittest

import support
from fio_review.app import histogram, oltp, sysbench
from fio_review.verdict import NoResult

RECORDED = support.TOP / "tests/fixtures/app"


class Parsing(unittest.TestCase):
    def setUp(self):
        self.text = (RECORDED / "sysbench-fileio.txt").read_text()

    def parse(self, text):
        return sysbench.parse(text, sysbench.FILE_OPERATIONS)

    def test_numbers_of_fileio(self):
        report = self.parse(self.text)
        self.assertEqual((report.numbers["reads"], report.numbers["writes"]),
                         (39812.92, 26540.95))
        self.assertAlmostEqual(report.mean_ns, 119492.6, delta=0.1)

    def test_the_percentile_is_sysbenchs_own(self):
        # sysbench prints 0.30 ms.
        report = self.parse(self.text)
        self.assertEqual(histogram.percentile(report.latencies, 99), 301000)

    def test_every_cut_is_noticed(self):
        lines = self.text.splitlines(keepends=True)
        last = max(i for i, line in enumerate(lines) if " sum:" in line)
        for end in range(0, last, 7):
            with self.subTest(end), self.assertRaisesRegex(
                    NoResult, "cut off: it has no line for"):
                self.parse("".join(lines[:end]))

    def test_a_histogram_that_lacks_a_line_is_noticed(self):
        lines = self.text.splitlines(keepends=True)
        at = next(i for i, line in enumerate(lines) if " |***" in line)
        with self.assertRaisesRegex(NoResult, "histogram holds"):
            self.parse("".join(lines[:at] + lines[at + 1:]))

    def test_a_failure_is_told_in_sysbenchs_words(self):
        with self.assertRaisesRegex(NoResult, "says FATAL: error 28: No sp"):
            self.parse(self.text + "FATAL: error 28: No space left\n")

    def test_numbers_that_are_none(self):
        for wrong in ("0", "nan", "1e9", "", "-4", "1.2.3"):
            text = self.text.replace("sum:", "sum: " + wrong + " #")
            with self.subTest(wrong), self.assertRaises(NoResult):
                self.parse(text)

    def test_nothing_done_is_no_result(self):
        text = re.sub(r"(number of events: +)\d+", r"\g<1>0", self.text)
        with self.assertRaisesRegex(NoResult, "did nothing"):
            self.parse(text)


class Oltp(unittest.TestCase):
    def setUp(self):
        self.reports = [
            sysbench.read(RECORDED / f"sysbench-oltp-{one}.txt",
                          sysbench.TRANSACTIONS) for one in (1, 2)]

    def test_rates_of_instances_add_up(self):
        one, two, both = (oltp.metrics(part) for part in (
            self.reports[:1], self.reports[1:], self.reports))
        self.assertEqual(both["tps"], one["tps"] + two["tps"])
        self.assertEqual(both["errors"], one["errors"] + two["errors"])
        self.assertTrue(one["mean_ns"] > both["mean_ns"] > two["mean_ns"])

    def test_percentiles_are_of_all_transactions(self):
        both = oltp.metrics(self.reports)
        counts = histogram.merge(one.latencies for one in self.reports)
        above = sum(many for value, many in counts.items()
                    if value > both["p99_ns"])
        self.assertLessEqual(above, 0.01 * sum(counts.values()))
        self.assertGreater(above + counts[both["p99_ns"]],
                           0.01 * sum(counts.values()))

    def test_fileio_is_no_oltp(self):
        with self.assertRaisesRegex(NoResult, "no line for transactions"):
            sysbench.read(RECORDED / "sysbench-fileio.txt",
                          sysbench.TRANSACTIONS)


class Percentiles(unittest.TestCase):
    def test_are_the_nearest_rank(self):
        counts = {float(value): 1 for value in range(1, 101)}
        self.assertEqual([histogram.percentile(counts, one)
                          for one in (1, 50, 99, 100)], [1, 50, 99, 100])

    def test_are_of_all_together_and_no_average(self):
        slow, fast = {100.0: 2}, {1.0: 98}
        merged = histogram.merge([slow, fast, fast])
        self.assertEqual(sum(merged.values()), 198)
        self.assertEqual(histogram.percentile(merged, 98), 1)
        self.assertEqual(histogram.percentile(merged, 99), 100)


if __name__ == "__main__":
    unittest.main()
