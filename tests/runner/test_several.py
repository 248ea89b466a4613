# SPDX-License-Identifier: GPL-2.0-only
"""Several targets in one call."""
import os
import shlex
import signal
import subprocess
import time
import unittest

from support import (FIO, RUNNER, TempCase, arguments, load_run, needs_fio,
                     run)

from fio_review import several


class Names(unittest.TestCase):
    """Each target's run has a directory of its own."""

    def test_equal_names_get_a_number(self) -> None:
        names = [one.name for one in several.members_of(
            ["/a/x", "/b/x", "/b/x-2", "/c/x"])]
        self.assertEqual(names[0], "x")
        self.assertEqual(len(set(names)), 4)

    def test_a_name_is_safe_in_a_path(self) -> None:
        names = [one.name for one in several.members_of(
            ["/a/..b $(id)\n", "/a/...", "/a/-x"])]
        self.assertEqual(names, ["b___id__", "target", "-x"])

    def test_one_file_by_two_names_is_refused(self) -> None:
        with self.assertRaisesRegex(Exception, "twice"):
            several.members_of(["/a/x", "/a/./x"])


@needs_fio
class Runs(TempCase):
    """Real fio on small files."""

    def call(self, *more: str, fio: str = "") -> list:
        words = arguments(self.dir / "a.dat", self.dir / "out", *more)
        words += ["--target", str(self.dir / "b.dat")]
        return words + (["--fio", fio] if fio else [])

    def states(self) -> list:
        return [load_run(self.dir / "out" / name)["state"]
                for name in ("a.dat", "b.dat")]

    def test_each_target_gets_a_run(self) -> None:
        done = run(self.call())
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.states(), ["complete", "complete"])
        self.assertIn("fio-report review", done.stdout)
        # They have no run in common that could be resumed.
        done = run([str(RUNNER), "run", "--resume", "--out",
                    str(self.dir / "out")])
        self.assertEqual(done.returncode, 2)
        self.assertIn("holds several runs: call again", done.stderr)

    def test_at_once_they_run_side_by_side(self) -> None:
        # Each waits for the other's fio to have begun.
        fio = self.fake_fio(
            f'd={shlex.quote(str(self.dir))}\n'
            ': >"$d/begun.${TARGET##*/}"\n'
            'for i in $(seq 200); do\n'
            '  [ -e "$d/begun.a.dat" ] && [ -e "$d/begun.b.dat" ] && '
            f'exec {FIO} "$@"\n  sleep 0.1\ndone\nexit 1\n')
        done = run(self.call("--at-once", fio=fio))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(self.states(), ["complete", "complete"])
        self.assertIn("a.dat: ", done.stdout)

    def test_nothing_begins_if_one_is_refused(self) -> None:
        (self.dir / "b.dat").write_bytes(b"x" * 4096)
        done = run(self.call())
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("b.dat", done.stderr)
        self.assertNotIn("compare them", done.stdout)
        self.assertFalse((self.dir / "out").exists())
        self.assertFalse((self.dir / "a.dat").exists())

    def test_dry_run_shows_both_and_touches_nothing(self) -> None:
        done = run(self.call("--dry-run"))
        self.assertEqual(done.returncode, 0, done.stderr)
        for name in ("a.dat", "b.dat"):
            self.assertIn(f"# {name}\n", done.stdout)
            self.assertFalse((self.dir / name).exists())

    def test_an_interruption_reaches_both_and_the_rest_is_resumed(self
                                                                  ) -> None:
        words = self.call("--at-once")
        words[words.index("300ms")] = "2s"
        with subprocess.Popen(words, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL) as process:
            wanted = [self.dir / "out" / name / "run.json"
                      for name in ("a.dat", "b.dat")]
            end = time.monotonic() + 30
            while not all(one.exists() for one in wanted):
                self.assertLess(time.monotonic(), end)
                time.sleep(0.05)
            process.send_signal(signal.SIGINT)
            self.assertEqual(process.wait(40), 130)
        self.assertEqual(self.states(), ["interrupted", "interrupted"])
        done = run(words + ["--resume"])
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(self.states(), ["complete", "complete"])

    def test_killed_for_good_it_takes_both_with_it(self) -> None:
        marker = self.dir / "pids"
        fio = self.fake_fio(f'echo $$ >>{shlex.quote(str(marker))}\n'
                            'exec sleep 60\n')
        with subprocess.Popen(self.call("--at-once", fio=fio),
                              stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL) as process:
            end = time.monotonic() + 30
            while not (marker.exists()
                       and len(marker.read_text().split()) == 2):
                self.assertLess(time.monotonic(), end)
                time.sleep(0.05)
            process.kill()
        for pid in marker.read_text().split():
            while os.path.exists(f"/proc/{pid}/exe"):
                self.assertLess(time.monotonic(), end)
                time.sleep(0.05)

    def test_consent_for_a_third_device_is_refused(self) -> None:
        done = run(self.call("--destroy-data-on", "/dev/null"))
        self.assertEqual(done.returncode, 2)
        self.assertIn("none of the targets", done.stderr)


if __name__ == "__main__":
    unittest.main()
