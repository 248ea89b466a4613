# SPDX-License-Identifier: GPL-2.0-only
"""Three machines made of network namespaces, each with a fio server."""
import atexit
import os
import re
import shutil
import signal
import subprocess
import time
import unittest
from pathlib import Path

import support

NAMES = ("a", "b", "c")
PORT = 8765


def ip(*words, check=True):
    """Run ip(8); skips the test where the machine forbids it."""
    program = shutil.which("ip", path="/usr/sbin:/sbin:/usr/bin:/bin")
    if not program:
        raise unittest.SkipTest("ip is not installed (package iproute2)")
    done = support.run([program, *words])
    if check and done.returncode:
        raise unittest.SkipTest(f"ip {' '.join(words)}: {done.stderr.strip()}")
    return done.stdout


class Machines:
    """A hub, where the runner is, and hosts around it; no other network."""

    def __init__(self):
        self.mark = f"fr{os.getpid()}"
        self.hub = self.mark + "hub"
        self.servers = {}

    def make(self):
        """Namespaces, cables and addresses."""
        # Also after ^C, when unittest cleans up nothing.
        atexit.register(self.remove)
        ip("netns", "add", self.hub)
        ip("-n", self.hub, "link", "add", "br0", "type", "bridge")
        ip("-n", self.hub, "addr", "add", "10.99.0.100/24", "dev", "br0")
        ip("-n", self.hub, "link", "set", "br0", "up")
        ip("-n", self.hub, "link", "set", "lo", "up")
        for name in NAMES:
            space = self.mark + name
            ip("netns", "add", space)
            ip("-n", self.hub, "link", "add", "to" + name, "type", "veth",
               "peer", "name", "eth0", "netns", space)
            ip("-n", self.hub, "link", "set", "to" + name, "master", "br0",
               "up")
            ip("-n", space, "addr", "add", f"{self.address(name)}/24", "dev",
               "eth0")
            ip("-n", space, "link", "set", "lo", "up")
            ip("-n", space, "link", "set", "eth0", "up")

    def address(self, name):
        """The address of a host."""
        return f"10.99.0.{1 + NAMES.index(name)}"

    def inside(self, space, *argv):
        """The command that runs argv in a namespace."""
        return [shutil.which("ip", path="/usr/sbin:/sbin:/usr/bin:/bin"),
                "netns", "exec", space, *argv]

    def serve(self, name):
        """Start the host's fio server and wait until it listens."""
        if name in self.servers:
            return
        self.servers[name] = subprocess.Popen(
            self.inside(self.mark + name, support.FIO,
                        f"--server=ip:{self.address(name)},{PORT}"),
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, start_new_session=True)
        for _ in range(100):
            table = ip("netns", "exec", self.mark + name, "cat",
                       "/proc/net/tcp")
            if f":{PORT:04X} 00000000:0000 0A" in table:
                return
            time.sleep(0.05)
        raise AssertionError(f"the server of {name} does not listen")

    def signal(self, name, number):
        """Send it to the server and to all its children."""
        os.killpg(self.servers[name].pid, number)

    def is_at_work(self, name):
        """Has the server the threads of a job?"""
        for pid in ip("netns", "pids", self.mark + name).split():
            try:
                status = Path(f"/proc/{pid}/status").read_text()
            except OSError:
                continue
            if int(re.search(r"^Threads:\s*(\d+)", status, re.M)[1]) > 10:
                return True
        return False

    def kill(self, name):
        """As if the machine had died: nothing says good-bye."""
        self.signal(name, signal.SIGKILL)
        self.servers.pop(name).wait()

    def remove(self):
        """Everything that make and serve made."""
        for name in list(self.servers):
            self.kill(name)
        for space in (self.hub, *(self.mark + one for one in NAMES)):
            ip("netns", "del", space, check=False)


@support.needs_fio
@unittest.skipUnless(os.geteuid() == 0, "network namespaces need root")
class NetCase(support.TempCase):
    """A test with three hosts, whose targets lie in its directory."""

    @classmethod
    def setUpClass(cls):
        cls.net = Machines()
        cls.addClassCleanup(cls.net.remove)
        cls.net.make()

    def setUp(self):
        super().setUp()
        for name in NAMES:
            self.net.serve(name)
            (self.dir / name).mkdir()
        self.out = self.dir / "run"
        self.file = self.write_hosts()

    def target(self, name):
        return self.dir / name / "file"

    def write_hosts(self, names=NAMES):
        """A file that names hosts, each with a target of its own."""
        path = self.dir / "hosts"
        path.write_text("# comment\n\n" + "".join(
            f"{one} {self.net.address(one)} {self.target(one)}\n"
            for one in names))
        return path

    def argv(self, *more):
        """The command line of a short run, or of resuming it."""
        return self.net.inside(
            self.net.hub, str(support.RUNNER), "run", "--hosts",
            str(self.file), "--out", str(self.out), *more)

    def fresh(self, *more):
        return self.argv("--profiles", support.READ, "--size", "16M",
                         "--runtime", "1", "--ramp", "0", "--points",
                         "50,100", *more)

    def run_to_end(self, argv, code=0):
        done = subprocess.run(argv, stdin=subprocess.DEVNULL, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              timeout=400, check=False)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    def begin(self, argv):
        """Start a run and leave it to itself."""
        process = subprocess.Popen(argv, stdin=subprocess.DEVNULL, text=True,
                                   stdout=subprocess.PIPE,
                                   stderr=subprocess.STDOUT)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def points(self, place=None):
        return support.load_run(place or self.out)["profiles"][0]["points"]

    def wait_for_point(self, number):
        """Until the servers are at work on it."""
        for _ in range(2400):
            if (self.out / "run.json").exists() \
                    and self.points()[number]["started"] \
                    and self.net.is_at_work("b"):
                return
            time.sleep(0.05)
        raise AssertionError("the point did not begin")

    def own(self, name):
        """The run directory of one host."""
        return self.out / "hosts" / name

    def states(self, name):
        return [one["state"] for one in self.points(self.own(name))]

    def shot(self, name, point) -> Path:
        """A host's result of a point."""
        return self.own(name) / support.READ / f"{point}.json"

