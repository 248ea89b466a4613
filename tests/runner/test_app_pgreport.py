# SPDX-License-Identifier: GPL-2.0-only
"""What pgbench prints, and its log of transactions."""
import unittest

import support
from fio_review.app import pgreport
from fio_review.verdict import NoResult

RECORDED = support.TOP / "tests/fixtures/app"
# The recorded run's number of transactions.
DONE = 1475


class Parsing(support.TempCase):
    def setUp(self):
        super().setUp()
        self.text = (RECORDED / "pgbench.txt").read_text()

    def log(self, text, name="transactions.1"):
        (self.dir / name).write_text(text)

    def test_numbers(self):
        report = pgreport.parse(self.text, {1e6: DONE - 20, 5e6: 20})
        metrics = report.metrics()
        self.assertEqual((metrics["tps"], metrics["errors"],
                          metrics["p99_ns"]), (489.259672, 0, 5e6))
        self.assertAlmostEqual(metrics["mean_ns"], 1e6 + 4e6 * 20 / DONE)

    def test_all_logs_of_all_threads_count(self):
        self.log("0 1 577 0 1796643785 1\n0 2 580 0 1796643785 1\n")
        self.log("1 1 577 0 1796643785 1\n", "transactions.1.1")
        self.log("0 3 99 0 1 1\n", "other.1")
        self.assertEqual(pgreport.count_log(self.dir), {577e3: 2, 580e3: 1})

    def test_failed_transactions_have_no_latency(self):
        self.log("0 1 failed 0 1796643785 1\n0 2 5 0 1796643785 1\n")
        self.assertEqual(pgreport.count_log(self.dir), {5e3: 1})
        text = self.text.replace("failed transactions: 0",
                                 "failed transactions: 3")
        self.assertEqual(pgreport.parse(text, {1.0: DONE}).errors, 3)

    def test_a_log_that_was_cut_off(self):
        self.log("0 1 577 0 1796643785 1\n0 2 5")
        with self.assertRaisesRegex(NoResult, "line 2 of pgbench's log "
                                              "transactions.1 is no trans"):
            pgreport.count_log(self.dir)

    def test_a_log_that_is_none(self):
        (self.dir / "transactions.1").symlink_to("/etc/passwd")
        with self.assertRaisesRegex(NoResult, "is no plain file"):
            pgreport.count_log(self.dir)

    def test_a_log_that_lacks_transactions(self):
        with self.assertRaisesRegex(NoResult, f"tells of {DONE - 1} "):
            pgreport.parse(self.text, {1.0: DONE - 1})

    def test_every_cut_of_the_output_is_noticed(self):
        lines = self.text.splitlines(keepends=True)
        for end in range(len(lines)):
            with self.subTest(end), self.assertRaisesRegex(NoResult,
                                                           "cut off"):
                pgreport.parse("".join(lines[:end]), {1.0: DONE})

    def test_no_transaction(self):
        text = ("number of transactions actually processed: 0\n"
                "number of failed transactions: 0 (NaN%)\n")
        with self.assertRaisesRegex(NoResult, "no transaction in its time"):
            pgreport.parse(text, {})

    def test_an_aborted_run(self):
        for line in ("Run was aborted; the above results are incomplete.",
                     "pgbench: error: client 2 aborted in command 5",
                     "FATAL:  the database system is shutting down"):
            with self.subTest(line), self.assertRaisesRegex(
                    NoResult, "pgbench says "):
                pgreport.parse(self.text + line + "\n", {1.0: DONE})


if __name__ == "__main__":
    unittest.main()
