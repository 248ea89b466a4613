# SPDX-License-Identifier: GPL-2.0-only
"""What counts as a result, from files of fio and lines around them."""
import json
import signal
import unittest

import support
from fio_review.fio import Ending
from fio_review.verdict import NoResult, judge


def job(**changes):
    """The least that a job's JSON has."""
    read = {"total_ios": 1000, "iops": 500.0, "runtime": 2000,
            "lat_ns": {"mean": 100000.0}}
    idle = {"total_ios": 0, "iops": 0.0, "runtime": 0, "lat_ns": {"mean": 0.0}}
    return {"jobname": "j", "error": 0, "read": read, "write": idle, **changes}


class Verdict(support.TempCase):
    def judge(self, text, code=0, timed_out=False, log="$ fio x\n"):
        output, log_path = self.dir / "out", self.dir / "log"
        if text is not None:
            output.write_text(text)
        log_path.write_text(log)
        return judge(Ending(code, timed_out, 2.0), output, log_path, 62, 2.0)

    def fails(self, reason, *args, **named):
        with self.assertRaisesRegex(NoResult, reason):
            self.judge(*args, **named)

    def document(self, *jobs):
        return json.dumps({"fio version": "fio-3.33", "jobs": list(jobs)})

    def test_a_good_document(self):
        result = self.judge(self.document(job()))
        self.assertEqual((result.iops, result.mean_ns, result.total_ios),
                         (500.0, 100000.0, 1000))

    def test_a_mean_over_directions_is_weighted(self):
        write = {"total_ios": 3000, "iops": 1500.0, "runtime": 2000,
                 "lat_ns": {"mean": 200000.0}}
        result = self.judge(self.document(job(write=write)))
        self.assertEqual((result.iops, result.mean_ns), (2000.0, 175000.0))

    def test_text_before_the_document_is_passed_over(self):
        text = "note: both iodepth >= 1\n" + self.document(job()) + "\nmore\n"
        self.assertEqual(self.judge(text).iops, 500.0)

    def test_raw_control_characters_are_taken(self):
        text = self.document(job(jobname="a\tb")).replace("\\t", "\t")
        self.assertEqual(self.judge(text).iops, 500.0)

    def test_nothing_written(self):
        self.fails("wrote no output", None)
        self.fails("wrote no output", "")

    def test_no_json(self):
        self.fails("holds no JSON", "fio: something else\n")

    def test_truncated_json(self):
        self.fails("not complete", self.document(job())[:-20])

    def test_deep_nesting_is_no_crash(self):
        self.fails("not complete", '{"jobs":' + "[" * 100000)

    def test_a_document_of_something_else(self):
        for text in ('{"a": 1}', '{"jobs": []}', '{"jobs": 3}', '{"jobs":[1]}',
                     '{"jobs":[{}]}'):
            with self.subTest(text):
                self.fails("lacks|no job", text)

    def test_a_job_with_an_error(self):
        self.fails("ended with error 5", self.document(job(), job(error=5)))

    def test_no_io_at_all(self):
        idle = job()["write"]
        self.fails("no I/O at all", self.document(job(read=idle)))

    def test_a_killed_job_although_the_exit_code_is_0(self):
        self.fails("a job was killed: fio: pid=1, got signal=11",
                   "fio: pid=1, got signal=11\n" + self.document(job()))
        self.fails("terminating on signal 2", self.document(job()),
                   log="$ fio x\n\nfio: terminating on signal 2\n")

    def test_the_command_line_itself_is_no_evidence(self):
        result = self.judge(self.document(job()),
                            log="$ TARGET='/got signal=11' fio x\n")
        self.assertEqual(result.iops, 500.0)

    def test_exit_codes_and_signals(self):
        self.fails("exit code 1: fio: no space", self.document(job()), code=1,
                   log="$ fio x\nfio: no space\n")
        self.fails("died of SIGSEGV", self.document(job()),
                   code=-signal.SIGSEGV)

    def test_time_out_comes_first(self):
        self.fails("did not end within 62 s", None, code=-9, timed_out=True)

    def test_an_early_end_is_no_point(self):
        read = {**job()["read"], "runtime": 400}
        self.fails("measured for 0.4 s and not 2 s",
                   self.document(job(read=read)))


if __name__ == "__main__":
    unittest.main()
