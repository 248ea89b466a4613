# SPDX-License-Identifier: GPL-2.0-only
"""MariaDB and PostgreSQL at work, stopped, killed and broken."""
import glob
import os
import signal
import time
import unittest
from unittest import mock

import app_support
import support
from app_support import AS_USER, AppCase
from fio_review.app import account, options, place, process
from fio_review.errors import SYSTEM, ReviewError

PG_PATH = ":".join(glob.glob("/usr/lib/postgresql/*/bin"))


class Database:
    """What must hold for either."""

    application = server = making = broken_file = ""
    small = large = ()

    def start(self, *more, out=None):
        self.out = out or self.out
        return self.app(self.application, *self.small, *AS_USER, *more)

    def row(self):
        return self.rows()[self.application]

    def servers(self):
        return [one for one in self.of_ours() if self.server in one]

    def measuring(self):
        """Has measuring begun, with a server at work?"""
        raw = self.out / "app" / self.application
        return bool(list(raw.glob("*measured.txt"))) and self.servers()

    def test_measures_and_leaves_nothing_running(self):
        done = self.start()
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(self.of_ours(), [])
        row, metrics = self.row(), self.row()["metrics"]
        self.assertEqual((row["state"], row["reason"]), ("done", None))
        # Little's law: every thread is busy all the time.
        busy = metrics["tps"] * metrics["mean_ns"] / 1e9
        self.assertTrue(0.8 * self.clients < busy < 1.1 * self.clients, busy)
        self.assertGreater(metrics["p99_ns"], metrics["mean_ns"])
        for file in row["files"]:
            self.assertTrue((self.out / file).is_file(), file)
        self.check_row(row)

    def check_row(self, row):
        """What else a subclass knows."""

    def test_interrupted_it_goes_on_with_the_same_data(self):
        process_ = self.begin(self.application, *self.small, *AS_USER,
                              "--time", "30")
        code = app_support.signal_sent(process_, signal.SIGINT, self.measuring)
        self.assertEqual(code, 130)
        self.assertEqual(self.of_ours(), [])
        run = support.load_run(self.out)
        self.assertEqual((run["state"], self.row()["state"]),
                         ("interrupted", "pending"))
        self.check_next_start(self.dir / "next", again=False)

    def test_a_killed_runner_leaves_no_server(self):
        process_ = self.begin(self.application, *self.small, *AS_USER,
                              "--time", "30")
        app_support.signal_sent(process_, signal.SIGKILL, self.measuring)
        # At once, while the servers may still be ending.
        self.check_next_start(self.dir / "next", again=False)
        self.wait_for_none()

    def test_interrupted_while_loading_it_starts_afresh(self):
        process_ = self.begin(self.application, *self.small, *AS_USER,
                              *self.large)
        raw = self.out / "app" / self.application
        code = app_support.signal_sent(
            process_, signal.SIGINT, lambda: list(raw.glob("*load.txt")))
        self.assertEqual(code, 130)
        self.assertEqual(self.of_ours(), [])
        # Without it they are not taken for whole.
        self.assertFalse((self.data / self.application
                          / place.PREPARED).exists())
        self.check_next_start(self.dir / "next", again=True)

    def check_next_start(self, out, again):
        """It works, and has made its data again or not."""
        done = self.start(out=out)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(self.row()["state"], "done")
        made = list((out / "app" / self.application).glob(self.making))
        self.assertEqual(bool(made), again)

    def test_broken_data_fail_with_a_reason_and_are_made_anew(self):
        self.assertEqual(self.start().returncode, 0)
        made, = glob.glob(str(self.data / self.application / "*" / "data"
                              / self.broken_file))
        with open(made, "r+b") as broken:
            broken.write(b"\xff" * 8192)
        done = self.start(out=self.dir / "second")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertEqual(self.row()["state"], "failed")
        self.assertRegex(self.row()["reason"], self.reason_of_broken)
        self.assertEqual(self.of_ours(), [])
        done = self.start(out=self.out)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(self.row()["state"], "done")

    def test_a_server_that_dies_is_a_failure(self):
        process_ = self.begin(self.application, *self.small, *AS_USER,
                              "--time", "30")
        end = time.monotonic() + 60
        while not self.measuring() and time.monotonic() < end:
            time.sleep(0.05)
        for pid in self.pids():
            os.kill(pid, signal.SIGKILL)
        self.assertEqual(process_.wait(60), 1)
        self.assertEqual(self.row()["state"], "failed")
        self.assertTrue(self.row()["reason"])
        self.wait_for_none()

    def pids(self):
        """The servers' processes."""
        found = []
        for entry in filter(str.isdecimal, os.listdir("/proc")):
            try:
                with open(f"/proc/{entry}/cmdline", "rb") as text:
                    words = text.read().split(b"\0")
                here = os.readlink(f"/proc/{entry}/cwd")
            except OSError:
                continue
            if here.startswith(str(self.data)) \
                    and words[0].endswith(self.server.encode()):
                found.append(int(entry))
        return found

    def test_nothing_listens_on_the_network(self):
        process_ = self.begin(self.application, *self.small, *AS_USER,
                              "--time", "5")
        end = time.monotonic() + 60
        while not self.measuring() and time.monotonic() < end:
            time.sleep(0.05)
        pids = self.pids()
        self.assertTrue(pids)
        sockets = {os.readlink(one) for pid in pids
                   for one in glob.glob(f"/proc/{pid}/fd/*")
                   if os.path.lexists(one)}
        for table in ("tcp", "tcp6"):
            with open(f"/proc/net/{table}") as lines:
                for line in lines.readlines()[1:]:
                    self.assertNotIn(f"socket:[{line.split()[9]}]", sockets)
        self.assertEqual(process_.wait(60), 0)


@app_support.needs("sysbench", "sysbench")
@app_support.needs("mariadbd", "mariadb-server-core")
@support.needs_fio
class MariaDb(Database, AppCase):
    application, server = "sysbench-oltp", "mariadbd"
    making, broken_file = "*-install.txt", "ibdata1"
    large = ("--rows", "2000000")
    reason_of_broken = r"^mariadbd ended with exit code \d+: .*\[ERROR\]"
    clients = 2
    small = ("--tables", "2", "--rows", "500", "--threads", "2", "--warmup",
             "1", "--time", "2", "--buffer-pool", "16M")

    def test_instances_add_up(self):
        done = self.start("--instances", "2")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        row = self.row()
        self.assertEqual(len(row["instances"]), 2)
        self.assertAlmostEqual(row["metrics"]["tps"], sum(
            one["tps"] for one in row["instances"]))
        self.assertIn("2 instances, merged", row["metrics"]["p99_kind"])


@app_support.needs("pgbench", "postgresql", PG_PATH or None)
@support.needs_fio
class Postgres(Database, AppCase):
    application, server = "pgbench", "postgres"
    making, broken_file = "initdb.txt", "global/pg_control"
    large = ("--scale", "50")
    reason_of_broken = r"^postgres ended with exit code \d+: .*FATAL"
    clients = 2
    small = ("--scale", "1", "--clients", "2", "--warmup", "1", "--time", "2",
             "--buffer-pool", "16M")

    def check_row(self, row):
        counts = (self.out / "app/pgbench/latencies.txt").read_text()
        lines = [line.split() for line in counts.splitlines()[1:]]
        self.assertGreater(sum(int(many) for _, many in lines), 10)
        self.assertFalse((self.out / "app/pgbench/transactions").exists())


class Refusals(AppCase):
    def refused(self, words, *more, app="pgbench"):
        done = self.app(app, *more)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertRegex(done.stderr, words)
        self.assertEqual((os.listdir(self.data), self.out.exists()),
                         ([], False))

    @support.needs_fio
    def test_options_of_another_application(self):
        self.refused("--rows is no option of pgbench; it takes --scale",
                     "--rows", "7")
        self.refused("the reviews have no pgbench", "--reviews")

    @support.needs_fio
    @app_support.needs("mariadbd", "mariadb-server-core")
    @app_support.needs("sysbench", "sysbench")
    def test_more_memory_than_there_is(self):
        self.refused("do not fit into", "--buffer-pool", "64T", *AS_USER,
                     app="sysbench-oltp")

    def test_no_server_runs_as_root(self):
        with mock.patch("os.geteuid", return_value=0):
            for name, words in (("no-such-user", "no user no-such-user"),
                                ("root", "does not run as root")):
                with self.assertRaisesRegex(ReviewError, words):
                    account.choose(name, "mysql", "MariaDB")
        with mock.patch("os.geteuid", return_value=1000):
            self.assertIsNone(account.choose(None, "mysql", "MariaDB"))
            with self.assertRaisesRegex(ReviewError, "is for root"):
                account.choose("nobody", "mysql", "MariaDB")

    def test_missing_servers_are_named_by_package(self):
        from fio_review.app import mariadb, postgres
        for module, package in ((mariadb, "mariadb-server-core"),
                                (postgres, "postgresql")):
            with mock.patch("shutil.which", return_value=None), \
                    self.assertRaisesRegex(
                        ReviewError, f"apt install {package}$") as caught:
                module.Programs()
            self.assertEqual(caught.exception.code, SYSTEM)

    def test_every_default_can_be_read(self):
        for table in (options.DEFAULTS, options.REVIEWS):
            for texts in table.values():
                for name, text in texts.items():
                    self.assertGreater(options.OPTIONS[name].read(text), 0)


class Complaints(support.TempCase):
    def test_are_the_first_line_that_says_why(self):
        log = self.dir / "log"
        log.write_text("$ x --error:\nfine\n[ERROR] no disk\n[ERROR] end\n")
        self.assertEqual(process.complaint(log), ": [ERROR] no disk")
        log.write_text("$ x\nfine\nbye\n")
        self.assertEqual(process.complaint(log), ": bye")
        log.write_text("")
        self.assertEqual(process.complaint(log), "")


if __name__ == "__main__":
    unittest.main()
