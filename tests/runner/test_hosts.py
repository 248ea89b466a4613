# SPDX-License-Identifier: GPL-2.0-only
"""The file of --hosts, and one document taken apart into its hosts'."""
import copy
import json
import unittest

import support
from fio_review import (fio, hosts, hosts_job, hosts_result, hosts_run,
                        profile, runcheck, runfile, verdict)
from fio_review.errors import BAD_INPUT, USAGE, ReviewError
from fio_review.hosts import Host


def parse(text, default=None):
    return hosts.parse(text, "h", default)


class File(support.TempCase):
    def fault(self, text, default=None):
        with self.assertRaises(ReviewError) as caught:
            parse(text, default)
        self.assertEqual(caught.exception.code, BAD_INPUT)
        return str(caught.exception)

    def test_names_addresses_ports_and_targets(self):
        found = parse("# all\n\n a 10.0.0.1 /x  # here\n"
                      "b-2\thost.example:99\n"
                      "c [fe80::1]:7 /mnt/a b:c\n", "/d")
        self.assertEqual(
            [(one.name, one.address, one.port, one.target) for one in found],
            [("a", "10.0.0.1", 8765, "/x"), ("b-2", "host.example", 99, "/d"),
             ("c", "fe80::1", 7, "/mnt/a b:c")])
        self.assertEqual([one.client for one in found],
                         ["ip:10.0.0.1,8765", "ip:host.example,99",
                          "ip6:fe80::1,7"])
        self.assertEqual(found[2].fio_name, "/mnt/a b\\:c")

    def test_a_line_that_says_too_little(self):
        self.assertIn("h:2: 'a', expected NAME ADDRESS[:PORT] [TARGET]",
                      self.fault("# x\na\n"))

    def test_names_that_would_lead_elsewhere(self):
        for name in ("..", ".", "a/b", "-a", "a:b", "a" * 65, "ä", "$x"):
            with self.subTest(name):
                self.assertIn("h:1: the name is",
                              self.fault(f"{name} 10.0.0.1 /x\n"))

    def test_addresses_that_fio_would_read_as_something_else(self):
        for address in ("1.2.3.4,5", "-h", "a:0", "a:65536", "a:b",
                        "a:\u0663", "fe80::1", "[fe80::1", "a/b", "sock:/x", "$(id)"):
            with self.subTest(address):
                self.assertIn("h:1: the address is",
                              self.fault(f"a {address} /x\n"))

    def test_targets(self):
        for target in ("x", "/a/../b", "/a//b", "/a/", "/a;b", "/${X}", "/a#b",
                       "/a\x07b"):
            with self.subTest(target):
                self.assertIn("h:1: ", self.fault(f"a 10.0.0.1 {target}\n"))
        self.assertIn("a has no target", self.fault("a 10.0.0.1\n"))

    def test_what_stands_twice(self):
        self.assertIn("h:3: the name a stands twice (first on line 1)",
                      self.fault("a 1.1.1.1 /x\n\na 1.1.1.2 /x\n"))
        self.assertIn("h:2: 1.1.1.1:8765 stands twice",
                      self.fault("a 1.1.1.1 /x\nb 1.1.1.1:8765 /y\n"))
        self.assertIn("h:2: /x at 1.1.1.1 stands twice",
                      self.fault("a 1.1.1.1 /x\nb 1.1.1.1:9 /x\n"))

    def test_two_names_of_one_server_or_target(self):
        path = self.dir / "hosts"
        for text, words in (
                ("a 127.0.0.1:7 /x\nb localhost:7 /y\n", "the same port"),
                ("a 127.0.0.1:7 /x\nb localhost:8 /x\n", "the same target")):
            path.write_text(text)
            with self.assertRaisesRegex(ReviewError, words):
                hosts.read(str(path), None)
        path.write_text("a 127.0.0.1:7 /x\nb localhost:8 /y\n")
        self.assertEqual(len(hosts.read(str(path), None)), 2)

    def test_no_host_no_file_no_text(self):
        self.assertIn("names no host", self.fault("# none\n"))
        for content, words in ((None, "cannot be read"), (b"\xff\n", "UTF-8"),
                               (b"#" * (1 << 20) + b"#", "longer than")):
            path = self.dir / "hosts"
            if content:
                path.write_bytes(content)
            with self.assertRaises(ReviewError) as caught:
                hosts.read(str(path), None)
            self.assertEqual(caught.exception.code, BAD_INPUT)
            self.assertIn(words, str(caught.exception))

    def test_an_error_of_the_file_ends_the_run_before_anything(self):
        path = self.dir / "hosts"
        path.write_text("a 10.0.0.1 /x\nb\n")
        done = support.run([
            str(support.RUNNER), "run", "--hosts", str(path), "--profiles",
            support.READ, "--out", str(self.dir / "run")])
        self.assertEqual(done.returncode, BAD_INPUT)
        self.assertIn(f"{path}:2: 'b', expected NAME", done.stderr)
        self.assertFalse((self.dir / "run").exists())


    def test_what_is_not_done_on_hosts_is_refused(self):
        path = self.dir / "hosts"
        path.write_text("a 10.0.0.1 /x\n")
        several = next(name for name in profile.find_ids(support.JOBFILES)
                       if len(profile.load(support.JOBFILES / f"{name}.fio",
                                           name).streams) > 1)
        for words, more in (
                ("--remove: nothing is removed", ["--remove"]),
                ("--fill device", ["--fill", "device"]),
                ("--precondition is not", ["--precondition"]),
                ("--settle is not", ["--settle", "1"]),
                ("--redact is not", ["--redact"]),
                ("one --target for all", ["--target", "/x", "--target", "/y"]),
                ("has several streams", ["--profiles", several])):
            done = support.run([
                str(support.RUNNER), "run", "--hosts", str(path),
                "--profiles", support.READ, "--out", str(self.dir / "run"),
                *more])
            self.assertEqual(done.returncode, USAGE, done.stderr)
            self.assertIn(words, done.stderr)
        self.assertFalse((self.dir / "run").exists())


class Consent(unittest.TestCase):
    FOUND = [Host("a", "x", 1, "/dev/sdb"), Host("b", "y", 1, "/new", False)]

    def refused(self, named, writes=True):
        with self.assertRaises(ReviewError) as caught:
            hosts.check_consent(self.FOUND, named, writes)
        self.assertEqual(caught.exception.code, USAGE)
        return str(caught.exception)

    def test_only_what_exists_needs_it(self):
        self.assertIn("add: --destroy-data-on a:/dev/sdb", self.refused([]))
        hosts.check_consent(self.FOUND, ["a:/dev/sdb"], True)
        hosts.check_consent(self.FOUND, [], False)

    def test_a_name_of_something_else(self):
        for named in ("/dev/sdb", "b:/dev/sdb", "a:/dev/sdb1"):
            self.assertIn("HOST:TARGET", self.refused([named]))


class Jobs(unittest.TestCase):
    HOST = Host("a", "10.0.0.1", 8765, "/mnt/a:b")
    OPTIONS = {"size": 16 << 20, "runtime_s": 1.0, "ramp_s": 0.0,
               "ioengine": "psync", "direct_used": 1, "fill": "none"}

    def test_every_shipped_profile_has_no_variable_left(self):
        for name in profile.find_ids(support.JOBFILES):
            one = profile.load(support.JOBFILES / f"{name}.fio", name)
            if len(one.streams) > 1:
                continue
            text = hosts_job.point_job(one, self.HOST, self.OPTIONS, "7")
            self.assertNotIn("${", text)
            self.assertIn("filename=/mnt/a\\:b\n", text)
            self.assertIn("allow_file_create=0\ncreate_on_open=1\n", text)

    def test_readonly_binds_each_server(self):
        jobs = {self.HOST: "j", Host("b", "10.0.0.2", 1, "/x"): "k"}
        call = hosts_job.call("fio", jobs, False, "out", 1)
        self.assertEqual(call.argv[3:], [
            "--client=ip:10.0.0.1,8765", "--readonly", "j",
            "--client=ip:10.0.0.2,1", "--readonly", "k"])
        self.assertNotIn("--readonly",
                         hosts_job.call("fio", jobs, True, "out", 1).argv)


def job(address, iops, **more):
    """A job as fio's client prints it."""
    none = {"total_ios": 0}
    return {"jobname": "j", "error": 0, "hostname": address, "port": 8765,
            "read": {"total_ios": int(iops), "iops": iops, "runtime": 1000,
                     "lat_ns": {"mean": 1000 * iops}},
            "write": none, "trim": none, **more}


class Parts(support.TempCase):
    HOSTS = [Host("a", "10.0.0.1", 8765, "/x"),
             Host("b", "10.0.0.2", 8765, "/x")]

    def judge(self, jobs, text="", code=0, servers=None, timed_out=False):
        part, log = self.dir / "part", self.dir / "log"
        part.write_text(text + "\n" + json.dumps({
            "fio version": "fio-3.33", "client_stats": jobs}))
        log.write_text("$ fio\n")
        return hosts_result.judge(
            fio.Ending(code, timed_out, 1.0), part, log, 9.0,
            {one: {} for one in self.HOSTS},
            servers or {"a": "m1", "b": "m2"}, 1.0)

    def both(self, **more):
        return [job("10.0.0.2", 20.0, **more), job("10.0.0.1", 10.0),
                job("10.0.0.2", 30.0, jobname="All clients")]

    def test_the_sum_of_all_is_not_counted_again(self):
        parts = self.judge(self.both())
        self.assertEqual((parts["a"].result.iops, parts["b"].result.iops),
                         (10.0, 20.0))
        both = hosts_result.together([one.result for one in parts.values()])
        self.assertEqual(both.iops, 30.0)
        self.assertAlmostEqual(both.mean_ns, (10 * 10e3 + 20 * 20e3) / 30)

    def test_one_host_without_a_result(self):
        parts = self.judge([job("10.0.0.1", 10.0)], code=1)
        self.assertEqual(parts["b"].reason, hosts_result.NO_ENTRY)
        self.assertEqual(parts["a"].result.iops, 10.0)

    def test_one_host_with_an_error(self):
        parts = self.judge(self.both(error=5), code=1)
        self.assertIn("error 5", parts["b"].reason)
        self.assertIsNone(parts["a"].reason)

    def test_one_host_that_stopped_early(self):
        jobs = self.both()
        jobs[0]["read"]["runtime"] = 300
        self.assertIn("measured for 0.3 s", self.judge(jobs)["b"].reason)

    def test_a_killed_job_is_that_of_the_server_that_says_so(self):
        line = "<m2> fio: terminating on signal 15"
        parts = self.judge(self.both(), line)
        self.assertIn("signal 15", parts["b"].reason)
        self.assertIsNone(parts["a"].reason)

    def test_a_killed_job_of_nobody_known_is_of_all(self):
        line = "<m> fio: terminating on signal 15"
        with self.assertRaisesRegex(verdict.NoResult, "signal 15"):
            self.judge(self.both(), line, servers={"a": "m", "b": "m"})

    def test_a_bad_ending_that_no_host_explains(self):
        with self.assertRaisesRegex(verdict.NoResult,
                                    "code 1: fio: the moon is full"):
            self.judge(self.both(), "<m1> fio: the moon is full", 1)

    def test_what_a_server_says_does_not_steer_the_terminal(self):
        with self.assertRaises(verdict.NoResult) as caught:
            self.judge(self.both(), "<m1> fio: \x1b[2Jgone\x07", 1)
        self.assertIn("fio: ?[2Jgone?", str(caught.exception))
        jobs = self.both(error=5)
        jobs[0]["jobname"] = "\x1b[2J"
        self.assertIn("job ?[2J ended", self.judge(jobs, code=1)["b"].reason)

    def test_no_results_of_clients(self):
        for jobs in (None, [1], {}):
            with self.assertRaises(verdict.NoResult):
                self.judge(jobs)


class RunFile(support.TempCase):
    """run.json of a run on hosts decides where --resume sends jobs."""

    def setUp(self):
        super().setUp()
        chosen = profile.select(support.JOBFILES, [support.READ])
        found = [Host("a", "10.0.0.1", 8765, "/x")]
        options = {
            "label": "", "target": None, "profiles": [support.READ],
            "runtime_s": 1.0, "ramp_s": 0.0, "timeout_s": 1.0, "points": [50],
            "ioengine": "psync", "direct": "auto", "direct_used": 1,
            "on_failure": "continue", "keep": True, "fill": "none",
            "fio": "/usr/bin/fio", "jobfiles": None, "size": 16 << 20,
            "smart": False, "hosts": [one.row for one in found]}
        self.run_ = runfile.new_run(chosen, options)
        self.run_["host_facts"] = {}
        for _, point in runfile.points(self.run_):
            hosts_run.rows(point, found)

    def check(self, change=None):
        run = copy.deepcopy(self.run_)
        if change:
            change(run)
        runcheck.check_types(run, self.dir / "run.json")

    def test_what_a_run_writes_is_taken(self):
        self.check()

    def test_a_damaged_one_is_refused(self):
        def host(key, value):
            return lambda run: run["options"]["hosts"][0].update({key: value})
        changes = (
            host("name", ".."), host("name", 1), host("address", "-x"),
            host("address", "a,b"), host("port", True), host("port", 0),
            host("target", "x"), host("target", "/a\n[b]"),
            host("existed", 1), host("more", 1),
            lambda run: run["options"].update(hosts=[]),
            lambda run: run["options"].update(hosts=[[]]),
            lambda run: run["options"].update(target="/x"),
            lambda run: run["options"].pop("hosts"),
            lambda run: run.update(host_facts=None),
            lambda run: run.update(busy_until="1"),
            lambda run: run["profiles"][0]["points"][0].pop("hosts"),
            lambda run: run["profiles"][0]["points"][0]["hosts"].clear(),
            lambda run: run["profiles"][0]["points"][0]["hosts"][0].update(
                name="b"))
        for number, change in enumerate(changes):
            with self.subTest(number):
                with self.assertRaises(ReviewError) as caught:
                    self.check(change)
                self.assertEqual(caught.exception.code, BAD_INPUT)
