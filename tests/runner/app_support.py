# SPDX-License-Identifier: GPL-2.0-only
"""What the tests of applications need."""
import os
import shutil
import signal
import subprocess
import sys
import time
import unittest

import support

PATH = "/usr/sbin:/usr/bin:/sbin:/bin:/usr/local/bin"
# Servers do not run as root, and this account is everywhere.
AS_USER = ["--user", "nobody"] if os.geteuid() == 0 else []


def needs(program, package, path=PATH):
    """Skip where an application is not installed."""
    return unittest.skipUnless(shutil.which(program, path=path),
                               f"{program} is not installed ({package})")


def signal_sent(process, number, after):
    """Wait until a program has got so far, then send it a signal."""
    end = time.monotonic() + 60
    while not after():
        if process.poll() is not None or time.monotonic() > end:
            raise AssertionError(f"it ended too early: {process.poll()}")
        time.sleep(0.05)
    process.send_signal(number)
    return process.wait(60)


class AppCase(support.TempCase):
    """A test with a directory for an application, and one for results."""

    def setUp(self):
        super().setUp()
        # A server is another user and has to come through.
        self.dir.chmod(0o755)
        self.data = self.dir / "data"
        self.out = self.dir / "run"
        self.data.mkdir()

    def command(self, application, *more):
        return [sys.executable, "-B", str(support.RUNNER), "app", application,
                "--dir", str(self.data), "--out", str(self.out), *more]

    def app(self, application, *more):
        return support.run(self.command(application, *more))

    def begin(self, application, *more):
        """Start it and leave it running."""
        process = subprocess.Popen(
            self.command(application, *more), stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            start_new_session=True)
        self.addCleanup(process.stdout.close)
        self.addCleanup(self._end, process)
        return process

    @staticmethod
    def _end(process):
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
            process.wait(60)

    def rows(self):
        return {one["id"]: one for one
                in support.load_run(self.out)["applications"]}

    def of_ours(self):
        """Command lines of processes that work in the data directory."""
        found = []
        for entry in os.listdir("/proc"):
            try:
                if not entry.isdecimal() or not os.readlink(
                        f"/proc/{entry}/cwd").startswith(str(self.data)):
                    continue
                with open(f"/proc/{entry}/cmdline", "rb") as text:
                    found.append(text.read().replace(b"\0", b" ").decode())
            except OSError:
                continue
        return found

    def wait_for_none(self):
        """Nothing of it may be left running."""
        end = time.monotonic() + 20
        while self.of_ours() and time.monotonic() < end:
            time.sleep(0.1)
        self.assertEqual(self.of_ours(), [])
