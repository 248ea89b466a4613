# SPDX-License-Identifier: GPL-2.0-only
"""A PostgreSQL server of ours: own cluster, own socket, no TCP."""
import os
import re
import signal
import subprocess
from pathlib import Path
from typing import Callable, List, Optional

from .. import fio
from . import process
from .account import Account
from .server import Database, Server

PACKAGE = "postgresql"
USER, ROLE, DATABASE = "postgres", "postgres", "postgres"
_LEFT_OVER = ("data/postmaster.pid", ".s.PGSQL.5432.lock")
_HOME = Path("/usr/lib/postgresql")
SETTINGS_WORDS = ("PostgreSQL's defaults: each commit flushed, data "
                  "read through the page cache")


def _places() -> List[str]:
    """Debian's folders of programs, the newest release first."""
    found = [one for one in _HOME.glob("*/bin")
             if re.fullmatch(r"\d+(\.\d+)?", one.parent.name)]
    return [str(one) for one in sorted(
        found, key=lambda one: float(one.parent.name), reverse=True)]


class Programs:
    """The programs that are needed, all of one release."""

    def __init__(self) -> None:
        self.server = process.find("postgres", PACKAGE, *_places())
        home = os.path.dirname(self.server)
        self.initdb = process.find("initdb", PACKAGE, home)
        self.bench = process.find("pgbench", PACKAGE, home)
        self.isready = process.find("pg_isready", PACKAGE, home)


class Cluster(Database):
    """One server with its data in a folder, which exists."""

    def __init__(self, programs: Programs, path: Path,
                 account: Optional[Account], log: Callable[[str], Path],
                 lock_fd: int):
        self.programs = programs
        super().__init__(path, account, log, lock_fd)

    def install(self) -> process.Job:
        """The call that makes an empty cluster."""
        self.folder.make("data")
        # Nobody else comes through the folder to the socket.
        return self._job(
            [self.programs.initdb, "--pgdata=./data", f"--username={ROLE}",
             "--auth=trust", "--encoding=UTF8", "--locale=C",
             "--no-instructions"], "initdb")

    def start(self, buffer_pool: int, clients: int) -> None:
        """Start the server and wait until it answers."""
        # Every process of a server has the lock that this runner holds, so
        # none is left. The files would name a dead one, which is still listed
        # until it is reaped, or an unrelated one after a reboot.
        for name in _LEFT_OVER:
            (self.folder.path / name).unlink(missing_ok=True)
        kib = max(128, buffer_pool // 1024)
        argv = [self.programs.server, "-D", "./data", "-h", "",
                "-k", str(self.folder), "-c", f"shared_buffers={kib}kB",
                "-c", f"max_connections={clients + 8}"]
        # SIGINT: end without waiting for clients.
        self._server = Server(self._job(argv, "server"), self._answers,
                              signal.SIGINT)
        self._server.start()
        self._server.wait_ready()

    def _answers(self) -> bool:
        job = self._job([self.programs.isready, "-q", "-h", str(self.folder)],
                        "ready")
        with open(os.devnull, "wb") as nowhere:
            asked = process.start(job, nowhere)
            try:
                return asked.wait(20) == 0
            except subprocess.TimeoutExpired:
                return False
            finally:
                fio.stop(asked)
