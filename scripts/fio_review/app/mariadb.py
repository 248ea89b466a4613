# SPDX-License-Identifier: GPL-2.0-only
"""MariaDB servers of ours: own data, own socket, no TCP, no option files."""
import os
from pathlib import Path
from typing import Callable, List, Optional

from . import process
from .account import Account
from .server import Database, Server, answers

PACKAGE = "mariadb-server-core"
USER, DATABASE = "mysql", "sbtest"
_SOCKET, _INIT = "mariadb.sock", "init.sql"
# Every commit is on the drive before it is answered; data bypass the page
# cache. No binary log, which most have only for replicas.
_SETTINGS = ("--innodb-flush-method=O_DIRECT",
             "--innodb-flush-log-at-trx-commit=1", "--skip-log-bin",
             "--skip-networking", "--skip-name-resolve")
SETTINGS_WORDS = "O_DIRECT, log flushed at each commit, no binary log"


class Programs:
    """The programs that are needed, found before anything is written."""

    def __init__(self) -> None:
        self.server = process.find("mariadbd", PACKAGE)
        self.install = process.find("mariadb-install-db", PACKAGE)


class Instance(Database):
    """One server with its data in a folder, which exists."""

    def __init__(self, programs: Programs, path: Path,
                 account: Optional[Account], log: Callable[[str], Path],
                 lock_fd: int):
        self._programs = programs
        super().__init__(path, account, log, lock_fd)

    def install(self) -> process.Job:
        """The call that makes an empty database system."""
        self.folder.make("data")
        self.folder.make("tmp")
        # The folder is the server's by now: no link of its making is followed.
        with open(self.folder.path / _INIT, "x", encoding="ascii") as init:
            os.fchmod(init.fileno(), 0o644)
            init.write(f"CREATE DATABASE IF NOT EXISTS {DATABASE};\n")
        # A shell script: it gets no path but one without anything to quote.
        return self._job(
            [self._programs.install, "--no-defaults", "--datadir=./data",
             "--auth-root-authentication-method=normal", "--skip-test-db",
             "--skip-name-resolve"], f"{self.folder.path.name}-install")

    def start(self, buffer_pool: int, clients: int) -> None:
        """Start the server; wait_ready() says when it answers."""
        place = self.folder
        argv = [self._programs.server, "--no-defaults", "--datadir=./data",
                f"--tmpdir={place}/tmp", f"--socket={self.socket}",
                f"--pid-file={place}/data/pid", f"--init-file={place}/{_INIT}",
                f"--innodb-buffer-pool-size={buffer_pool}",
                f"--max-connections={clients + 8}", *_SETTINGS]
        self._server = Server(self._job(argv, f"{place.path.name}-server"),
                              lambda: answers(self.socket))
        self._server.start()

    def wait_ready(self) -> None:
        assert self._server
        self._server.wait_ready()

    @property
    def socket(self) -> str:
        """For programs that inherit the folder."""
        return f"{self.folder}/{_SOCKET}"
