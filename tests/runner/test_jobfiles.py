# SPDX-License-Identifier: GPL-2.0-only
"""Every jobfile: fio takes it, and its head agrees with its options."""
import configparser
import json
import os
import tempfile
import unittest

import support
from fio_review import profile
from fio_review.units import parse_size

IDS = profile.find_ids(support.JOBFILES)
WRITING = ("write", "randwrite", "rw", "randrw", "readwrite", "trim")


def engine_for(one):
    """What IOENGINE has to be for a profile; skips where it was not built."""
    name = profile.load(support.JOBFILES / f"{one}.fio", one).engine
    path = support.built_engine(name) if name else "psync"
    if not path:
        raise unittest.SkipTest(f"{one}: the engine {name} was not built")
    return path


def options(path):
    """A job's options: [global] under its one section."""
    parser = configparser.RawConfigParser(
        allow_no_value=True, strict=False, comment_prefixes=("#", ";"),
        default_section="global")
    parser.read(path)
    return [dict(parser[name]) for name in parser.sections()]


def read_percent(job):
    """The share of reads that fio is asked for."""
    kind = job["rw"].split(":")[0].replace("rand", "")
    return {"read": 100, "write": 0}.get(kind) \
        if kind in ("read", "write") else int(job["rwmixread"])


def percentage_random(job):
    """A word for how a job's I/Os lie."""
    if not job["rw"].startswith("rand"):
        return "sequential"
    return "mixed" if "percentage_random" in job else "random"


def sizes(split):
    """Bytes -> percent, of one direction's bs or bssplit."""
    pairs = [(one.split("/") + ["100"])[:2] for one in split.split(":")]
    return {parse_size(size): int(part) for size, part in pairs}


def defaults_shell(command, **variables):
    """Run a command as the README tells: with defaults.env loaded."""
    script = (f"set -e; set -a; . '{support.JOBFILES}/defaults.env'; "
              + "".join(f"{name}='{value}'; "
                        for name, value in variables.items())
              + f"set +a; {command}")
    return support.run(["sh", "-c", script],
                       env={"PATH": "/usr/local/bin:/usr/bin:/bin"})


class Jobfiles(unittest.TestCase):
    def test_there_are_some(self):
        self.assertGreaterEqual(len(IDS), 4)

    @support.needs_fio
    def test_fio_parses_each_with_the_defaults(self):
        for one in IDS:
            with self.subTest(one):
                done = defaults_shell(
                    f"fio --parse-only '{support.JOBFILES}/{one}.fio'",
                    TARGET="/nonexistent/file", IOENGINE=engine_for(one))
                self.assertEqual((done.returncode, done.stderr), (0, ""))

    @support.needs_fio
    def test_what_was_set_before_is_kept_and_exported(self):
        done = support.run(
            ["sh", "-c", f"RATE=0 SIZE=33554432; TARGET=x; export TARGET; "
             f". '{support.JOBFILES}/defaults.env'; exec '{support.FIO}' "
             f"--parse-only '{support.JOBFILES}/{support.READ}.fio'"],
            env={"PATH": os.environ["PATH"]})
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_fio_refuses_each_without_a_target(self):
        for one in IDS:
            with self.subTest(one):
                done = defaults_shell(
                    f"fio --parse-only '{support.JOBFILES}/{one}.fio'",
                    IOENGINE=engine_for(one))
                self.assertNotEqual(done.returncode, 0)

    @support.needs_fio
    def test_options_of_an_engine_need_its_name_in_the_head(self):
        for one in IDS:
            head = profile.load(support.JOBFILES / f"{one}.fio", one)
            if not head.engine:
                continue
            with self.subTest(one):
                done = defaults_shell(
                    f"fio --parse-only '{head.path}'", TARGET="/x")
                self.assertIn("Bad option", done.stdout + done.stderr)

    def test_ncq_on_and_off_differ_in_ncq_alone(self):
        jobs = [options(support.JOBFILES / f"sata/{one}.fio")[0]
                for one in ("ncq-on", "ncq-off")]
        self.assertEqual([job.pop("ncq") for job in jobs], ["1", "0"])
        self.assertEqual(*jobs)

    def test_head_agrees_with_the_options(self):
        for one in IDS:
            with self.subTest(one):
                head = profile.load(support.JOBFILES / f"{one}.fio", one)
                jobs = options(head.path)
                writes = any(job["rw"].split(":")[0] in WRITING
                             for job in jobs)
                self.assertEqual(writes, head.destructive)
                if not head.single:
                    self.assertEqual(len(jobs), len(head.streams))
                    for stream, job in zip(head.streams, jobs):
                        self.check_stream(stream, job)

    def check_stream(self, stream, job):
        depth = int(job.get("numjobs", 1)), int(job.get("iodepth", 1))
        self.assertEqual(depth, stream.depth)
        reads, share = read_percent(job), percentage_random(job)
        self.assertEqual(reads, stream.read_percent)
        self.assertEqual(share, stream.access)
        splits = job.get("bssplit", job.get("bs")).split(",")
        tables = [sizes(one) for one in (splits * 2)[:2]]
        every = set(tables[0]) | set(tables[1])
        self.assertEqual((min(every), max(every)), stream.block[:2])
        mean = sum(part * weight / 1e4 * size
                   for table, part in zip(tables, (reads, 100 - reads))
                   for size, weight in table.items())
        self.assertAlmostEqual(mean / stream.block.mean, 1, 2)
        for table in tables:
            self.assertEqual(sum(table.values()), 100)

    def test_no_job_outlives_fio_or_makes_a_file(self):
        for one in IDS:
            for job in options(support.JOBFILES / f"{one}.fio"):
                with self.subTest(one):
                    # A forked job would survive a killed fio.
                    self.assertEqual(job["thread"], "1")
                    self.assertEqual(job["allow_file_create"], "0")
                    self.assertNotIn("io_submit_mode", job)

    def test_sequential_stride_returns_to_the_next_free_block(self):
        for one in IDS:
            for job in options(support.JOBFILES / f"{one}.fio"):
                if ":" not in job["rw"]:
                    continue
                with self.subTest(one):
                    block, count = parse_size(job["bs"]), int(job["numjobs"])
                    skip = parse_size(job["rw"].split(":")[1])
                    self.assertEqual(block + skip, count * block)
                    self.assertEqual(parse_size(job["offset_increment"]),
                                     block)

    @support.needs_fio
    def test_a_mistyped_device_does_not_become_a_file(self):
        path = "/dev/fio-review-no-such-device"
        done = defaults_shell(
            f"fio '{support.JOBFILES}/{support.WRITE}.fio'", TARGET=path,
            RUNTIME="1s")
        self.assertNotEqual(done.returncode, 0)
        self.assertFalse(os.path.exists(path))

    @support.needs_fio
    def test_the_example_in_the_readme_runs_as_written(self):
        text = (support.JOBFILES / "README.md").read_text()
        script = text.split("```sh\n")[1].split("```")[0]
        with tempfile.TemporaryDirectory(dir="/var/tmp") as place:
            os.symlink(support.JOBFILES, f"{place}/jobfiles")
            done = support.run(["sh", "-e", "-c", script], cwd=place, env={
                "PATH": os.environ["PATH"], "SIZE": str(16 << 20),
                "RUNTIME": "200ms", "RAMP": "0", "DIRECT": "0"})
            self.assertEqual(done.returncode, 0, done.stderr)
            for name in ("peak.json", "010.json"):
                with open(f"{place}/{name}") as result:
                    job = json.load(result)["jobs"][0]
                self.assertGreater(job["read"]["total_ios"], 0)


if __name__ == "__main__":
    unittest.main()
