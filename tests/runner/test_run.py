# SPDX-License-Identifier: GPL-2.0-only
"""Whole runs: a small file, odd names, dry runs, what a user sees."""
import json
import os
import pty
import subprocess
import unittest
from unittest import mock

import support
from fio_review import admission, errors
from fio_review.blockdev import System
from fio_review.target import resolve

MIB = 1 << 20


@support.needs_fio
class EndToEnd(support.TempCase):
    def test_four_corners_on_a_new_file(self):
        run_dir, target = self.dir / "run", self.dir / "file"
        done = support.run(support.arguments(
            target, run_dir, "--profiles", "four-corners", "--label",
            "My <drive> \"x\""))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(done.stderr, "")
        run = support.load_run(run_dir)
        self.assertEqual((run["format"], run["state"], run["label"]),
                         (1, "complete", "My <drive> \"x\""))
        self.assertRegex(run["started"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")
        self.assertEqual(len(run["profiles"]), 4)
        for profile in run["profiles"]:
            self.check_profile(run_dir, profile)
        self.assertEqual(target.stat().st_size, 16 * MIB)
        self.check_facts(run, target)

    def check_profile(self, run_dir, profile):
        peak, half = profile["points"]
        self.assertEqual((peak["load_percent"], peak["rate"],
                          peak["asked_iops"]), (0, "0", None))
        self.assertEqual(half["load_percent"], 50)
        self.assertEqual(half["asked_iops"],
                         int(half["rate"]) * profile["outstanding"])
        for point in (peak, half):
            self.assertEqual((point["state"], point["reason"]),
                             ("done", None))
            result = json.loads((run_dir / point["file"]).read_text())
            way = "read" if profile["read_percent"] else "write"
            job = result["jobs"][0]
            self.assertGreater(job[way]["total_ios"], 0)
            self.assertEqual(job["write" if way == "read" else "read"]
                             ["total_ios"], 0)
            self.assertTrue(job[way]["lat_ns"]["bins"])
            log = (run_dir / point["file"]).with_suffix(".log").read_text()
            self.assertIn("--output-format=json+", log)
            self.assertEqual(point["environment"]["SIZE"], str(16 * MIB))

    def check_facts(self, run, target):
        facts = {one["name"]: one["value"] for one in run["facts"]}
        self.assertEqual(facts["target.path"], str(target))
        self.assertEqual(facts["target.kind"], "file")
        self.assertEqual(facts["method.runtime"], "300ms")
        self.assertTrue(facts["fio.version"].startswith("fio-"))
        self.assertNotIn("", facts.values())
        for one in run["facts"]:
            self.assertEqual(sorted(one), ["name", "title", "value"])

    def test_the_file_is_the_one_made_exclusively(self):
        support.run(support.arguments(self.dir / "file", self.dir / "run"))
        info = (self.dir / "file").stat()
        made = support.load_run(self.dir / "run")["made"]
        self.assertEqual((made["dev"], made["inode"]),
                         (info.st_dev, info.st_ino))
        # fio would have made its own for everybody to read.
        self.assertEqual(info.st_mode & 0o777, 0o600)

    def test_remove_leaves_no_file(self):
        done = support.run(support.arguments(
            self.dir / "file", self.dir / "run", "--remove"))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertFalse((self.dir / "file").exists())
        self.assertIn("removed", done.stdout)

    def test_remove_never_takes_a_file_of_the_user(self):
        support.write_file(self.dir / "file", 16 * MIB)
        done = support.run(support.arguments(
            self.dir / "file", self.dir / "run", "--remove"))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue((self.dir / "file").exists())


@support.needs_fio
class Names(support.TempCase):
    ODD = ("a b:c,d\\:e", "it's \"x\" `id`$(id)&|", "-[x]*?%s$HOME é",
           " lead back\\")

    def test_odd_names_reach_fio_as_they_are(self):
        place = self.dir / "odd:dir, 'x'"
        place.mkdir()
        for i, name in enumerate(self.ODD):
            with self.subTest(name):
                done = support.run(support.arguments(
                    place / name, self.dir / f"run:{i} 'x'", "--size", "1M",
                    "--runtime", "100ms"))
                self.assertEqual(done.returncode, 0,
                                 done.stdout + done.stderr)
                self.assertEqual(os.stat(place / name).st_size, MIB)
        self.assertEqual(sorted(os.listdir(place)), sorted(self.ODD))

    def test_names_that_fio_cannot_take_are_refused(self):
        for name in ("a\nb", "a\tb", "a#b", "a;b", "tail ", "a$ncpus",
                     "a${X}", "\x1b[31m", os.fsdecode(b"\xff")):
            with self.subTest(name):
                done = support.run(support.arguments(
                    self.dir / name, self.dir / "run"))
                self.assertEqual(done.returncode, 2, done.stderr)
                self.assertNotIn("\x1b", done.stderr)
                self.assertEqual(os.listdir(self.dir), [])

    def test_what_is_no_target_is_refused(self):
        os.mkfifo(self.dir / "pipe")
        for path, words in ((self.dir / "pipe", "a pipe"),
                            (self.dir, "a directory"),
                            ("/dev/null", "a character device"),
                            ("/dev/fio-review-none", "there is no device"),
                            (self.dir / "no/file", "there is no directory")):
            with self.subTest(str(path)):
                done = support.run(support.arguments(path, self.dir / "run"))
                self.assertEqual(done.returncode, 2, done.stderr)
                self.assertIn(words, done.stderr)
                self.assertFalse((self.dir / "run").exists())


@support.needs_fio
class DryRun(support.TempCase):
    def start(self, *more):
        done = support.run(support.arguments(
            self.dir / "a file", self.dir / "a run", "--dry-run", *more))
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_touches_nothing(self):
        self.start()
        self.assertEqual(os.listdir(self.dir), [])

    def test_its_output_is_a_script_that_runs(self):
        script = self.start("--profiles", f"{support.READ},{support.WRITE}")
        place = "'<50 % of the peak, per thread>'"
        self.assertEqual(script.count(place), 2)
        done = support.run(["sh", "-e", "-c", script.replace(place, "20")])
        self.assertEqual(done.returncode, 0, done.stderr)
        for name in (support.READ, support.WRITE):
            for point in ("peak", "050"):
                path = self.dir / "a run" / name / f"{point}.json.part"
                self.assertIn('"jobs"', path.read_text())
        self.assertEqual((self.dir / "a file").stat().st_size, 16 * MIB)

    def test_states_plan_time_and_bytes_written(self):
        said = self.start("--profiles", support.WRITE)
        self.assertIn("16.0 MiB to fill the target", said)
        self.assertIn("64k-sequential-write", said)
        self.assertRegex(said, r"# time +about \d+ s")
        self.assertRegex(self.start(), r"# written +16.0 MiB to fill the "
                                       r"target\n")


@support.needs_fio
class CommandLine(support.TempCase):
    def test_refusals_have_exit_code_2_and_one_line(self):
        target, out = self.dir / "file", self.dir / "run"
        for more in (["--points", "x"], ["--runtime", "soon"],
                     ["--points", "1-9999999999:1"], ["--points", "9" * 5000],
                     ["--points", "1-999999999:1"], ["--runtime", "9" * 400],
                     ["--size", "9" * 400], ["--size", "9" * 5000 + "%"],
                     ["--timeout", "1" + "0" * 17 + "h"],
                     ["--size", "big"], ["--size", "1k"],
                     ["--profiles", "nothing"], ["--ioengine", "nothing"],
                     ["--profiles", "sata"], ["--ioengine", "./none.so"],
                     ["--direct", "maybe"], ["--no-such-option"],
                     ["--fill", "region"], ["--dry-run", "--resume"],
                     ["--destroy-data-on", "/dev/null"]):
            with self.subTest(more):
                done = support.run(support.arguments(target, out, *more))
                self.assertEqual(done.returncode, errors.USAGE, done.stderr)
                self.assertEqual(done.stderr.count("\n"), 1)
                self.assertTrue(done.stderr.startswith("fio-review: "))
                self.assertEqual(os.listdir(self.dir), [])

    def test_the_file_of_an_engine_is_found_from_anywhere(self):
        path = support.built_engine("template")
        if not path:
            self.skipTest("the engine template was not built")
        os.symlink(path, self.dir / "engine.so")
        for given in ("./engine.so", "external:./engine.so"):
            with self.subTest(given):
                out = self.dir / given[:4]
                done = support.run(support.arguments(
                    self.dir / "file", out, "--ioengine", given),
                    cwd=self.dir)
                self.assertEqual(done.returncode, 0,
                                 done.stdout + done.stderr)
                self.assertEqual(
                    support.load_run(out)["options"]["ioengine"],
                    given.replace("./", f"{self.dir}/"))

    def test_a_reader_that_goes_away_does_not_stop_the_run(self):
        argv = support.arguments(self.dir / "file", self.dir / "run")
        process = subprocess.Popen(argv, stdout=subprocess.PIPE,
                                   stdin=subprocess.DEVNULL)
        process.stdout.close()
        self.assertEqual(process.wait(30), 0)
        self.assertEqual(support.load_run(self.dir / "run")["state"],
                         "complete")

    def test_closed_standard_streams_do_not_disturb_the_run(self):
        for which in (">&-", "<&- >&- 2>&-", ">/dev/full"):
            with self.subTest(which):
                out = self.dir / which.strip("/").replace("/", "")
                argv = support.arguments(self.dir / "file", out)
                done = support.run(
                    ["sh", "-c", f'exec "$@" {which}', "sh", *argv])
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                self.assertEqual(support.load_run(out)["state"], "complete")

    def test_a_list_for_a_full_disk_is_one_sentence(self):
        done = support.run(["sh", "-c", f"{support.RUNNER} list >/dev/full"])
        self.assertEqual(done.returncode, errors.SYSTEM)
        self.assertEqual(done.stderr,
                         "fio-review: No space left on device\n")

    def test_paths_that_are_not_utf8_leave_a_readable_run(self):
        out = self.dir / os.fsdecode(b"run\xff")
        done = support.run(support.arguments(self.dir / "file", out,
                                             "--label", os.fsdecode(b"\xfe")))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(support.load_run(out)["label"], "?")

    def test_auto_falls_back_to_buffered_where_direct_is_refused(self):
        target = resolve(str(self.dir / "file"), System())
        with mock.patch.object(admission, "takes_direct", return_value=False):
            self.assertEqual(admission.choose_direct(target, "auto"), 0)
            with self.assertRaises(errors.ReviewError):
                admission.choose_direct(target, "1")

    def test_no_space_is_a_system_error_before_anything_is_made(self):
        done = support.run(support.arguments(
            self.dir / "file", self.dir / "run", "--size", "900T"))
        self.assertEqual(done.returncode, errors.SYSTEM)
        self.assertIn("free", done.stderr)
        self.assertEqual(os.listdir(self.dir), [])

    def test_a_directory_with_other_things_is_no_run(self):
        (self.dir / "run").mkdir()
        (self.dir / "run" / "thesis.txt").touch()
        done = support.run(support.arguments(self.dir / "file",
                                             self.dir / "run"))
        self.assertEqual(done.returncode, errors.USAGE)
        self.assertFalse((self.dir / "file").exists())

    def test_list_as_text_and_json(self):
        done = support.run([str(support.RUNNER), "list"])
        self.assertIn("OVERWRITTEN", done.stdout)
        rows = json.loads(support.run(
            [str(support.RUNNER), "list", "--json"]).stdout)
        self.assertIn(support.READ, [row["id"] for row in rows])
        for row in rows:
            self.assertEqual(row["destructive"],
                             "100 % read" not in row["method"])
            engine = "sata_ncq" if row["id"].startswith("sata/") else None
            self.assertEqual(row["engine"], engine)
        self.assertRegex(done.stdout, r"sata/ncq-on .* sata_ncq\n")

    def test_help_and_version(self):
        for words in (["--help"], ["run", "--help"]):
            done = support.run([str(support.RUNNER), *words])
            self.assertEqual(done.returncode, 0)
            self.assertIn("examples:", done.stdout)
        done = support.run([str(support.RUNNER), "--version"])
        self.assertEqual(done.stdout, "fio-review 0.1.0\n")

    def test_works_when_installed(self):
        share = self.dir / "share/fio-review"
        (self.dir / "bin").mkdir()
        share.mkdir(parents=True)
        for source, to in ((support.RUNNER, self.dir / "bin/fio-review"),
                           (support.SCRIPTS / "fio_review",
                            share / "fio_review"),
                           (support.JOBFILES, share / "jobfiles")):
            support.run(["cp", "-r", str(source), str(to)])
        link = self.dir / "link"
        link.symlink_to(self.dir / "bin/fio-review")
        done = support.run([str(link), "list"])
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(support.READ, done.stdout)


@support.needs_fio
class Terminal(support.TempCase):
    def watch(self, *more, **variables):
        """A run's output as a terminal gets it."""
        ours, theirs = pty.openpty()
        process = subprocess.Popen(
            support.arguments(self.dir / "file", self.dir / "run",
                              "--direct", "0", "--runtime", "600ms", *more),
            stdout=theirs, stderr=theirs, stdin=subprocess.DEVNULL,
            env={**os.environ, "TERM": "xterm", **variables})
        os.close(theirs)
        said = b""
        try:
            while True:
                said += os.read(ours, 65536)
        except OSError:
            pass
        os.close(ours)
        self.assertEqual(process.wait(20), 0, said)
        return said.decode()

    def test_has_a_line_that_changes_and_colour(self):
        said = self.watch()
        self.assertRegex(said, r"\r\x1b\[K" + support.READ.split("/")[1]
                         + r" peak 1/2  last -  \d s, \d s left")
        self.assertIn("\x1b[33mwarning: buffered I/O", said)

    def test_no_color_is_respected(self):
        said = self.watch("--dry-run", NO_COLOR="1")
        self.assertIn("warning: buffered I/O", said)
        self.assertNotIn("\x1b[33m", said)


if __name__ == "__main__":
    unittest.main()
