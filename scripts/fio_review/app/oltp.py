# SPDX-License-Identifier: GPL-2.0-only
"""sysbench OLTP read-write on MariaDB, one server for each instance."""
import os
import sys
from pathlib import Path
from typing import Iterator, List

from .. import fio
from ..errors import refuse
from ..units import MIB, show_size, show_span
from . import account, mariadb, process, sysbench
from .histogram import merge, percentile
from .scene import GRACE_SECONDS, Application, Row, Scene

# Of a row of sysbench's with its two indexes, after loading.
_ROW_BYTES = 240
# A server's own files: system tables, undo, redo log.
_SERVER_BYTES = 320 * MIB
# Loading is many inserts, all by one connection a table.
_SLOWEST_ROWS = 1000.0


class SysbenchOltp(Application):
    """Load, warm up, measure; all instances at the same time."""

    name = "sysbench-oltp"

    def __init__(self, scene: Scene):
        super().__init__(scene)
        self._instances: List[mariadb.Instance] = []

    def check(self) -> None:
        self._sysbench = process.find("sysbench", sysbench.PACKAGE)
        self._programs = mariadb.Programs()
        self.account = account.choose(self.scene.user, mariadb.USER, "MariaDB")
        pools = self.options["buffer_pool"] * self.options["instances"]
        memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
        if pools > 0.8 * memory:
            raise refuse(f"buffer pools of together {show_size(pools)} do not "
                         f"fit into {show_size(memory)} of memory; ask for a "
                         "smaller --buffer-pool")
        self._versions = (process.version(self._sysbench),
                          process.version(self._programs.server)
                          .replace(self._programs.server, "MariaDB"))

    def version(self) -> str:
        return ", ".join(self._versions)

    def _rows_bytes(self) -> int:
        return self.options["tables"] * self.options["rows"] * _ROW_BYTES

    def need(self) -> int:
        return self.options["instances"] * (self._rows_bytes() * 5 // 4
                                            + _SERVER_BYTES)

    def _shape(self) -> str:
        one = self.options
        return (f"{one['instances']} x {one['tables']} tables of "
                f"{one['rows']:,} rows")

    def plan(self) -> Iterator[str]:
        one = self.options
        yield (f"data       {self._shape()}, about "
               f"{show_size(self._rows_bytes())} each instance")
        yield (f"time       {show_span(one['warmup'])} of warming up and "
               f"{show_span(one['time'])} of measuring, after loading the "
               "data")
        yield (f"written    {show_size(self.need())}, then what the drive "
               "takes in that time")
        if self._rows_bytes() < 2 * one["buffer_pool"]:
            yield ("note       half of the data or more fit in the buffer "
                   "pool: reads are answered from memory, and commits "
                   "are what the drive is asked for")

    def rows(self) -> List[Row]:
        one = self.options
        return [{"id": self.name, "title": "sysbench OLTP read-write, MariaDB",
                 "method": (
                     f"{one['instances']} x {one['threads']} threads, "
                     f"{self._shape()}, buffer pool "
                     f"{show_size(one['buffer_pool'])} each; "
                     f"{mariadb.SETTINGS_WORDS}; {show_span(one['warmup'])} "
                     f"of warming up, {show_span(one['time'])} measured")}]

    # -- the servers -------------------------------------------------------

    def _open(self, folder: Path, number: int) -> mariadb.Instance:
        place = folder / f"instance-{number}"
        place.mkdir(0o700, exist_ok=True)
        if self.account:
            self.account.give(place)
        made = mariadb.Instance(self._programs, place, self.account, self.log,
                                self.scene.place.lock_fd)
        self._instances.append(made)
        return made

    def _start(self) -> None:
        for one in self._instances:
            one.start(self.options["buffer_pool"],
                      max(self.options["threads"], self.options["tables"]))
        for one in self._instances:
            one.wait_ready()

    def prepare(self) -> None:
        shape = {name: self.options[name]
                 for name in ("instances", "tables", "rows")}
        shape["server"] = self._versions[1]
        whole = self.scene.place.prepared(self.name, shape)
        folder = self.folder if whole else self.scene.place.clear(self.name)
        # The server is another user, who has to come through.
        folder.chmod(0o711)
        for number in range(1, self.options["instances"] + 1):
            self._open(folder, number)
        if not whole:
            self.run("making servers",
                     [one.install() for one in self._instances])
        self._start()
        if not whole:
            self._load()
            self.scene.place.note_prepared(self.name, shape)
        if self.options["warmup"]:
            self._sysbench_all("warming up", "warmup", self.options["warmup"],
                               "run")

    def _load(self) -> None:
        rows = self.options["tables"] * self.options["rows"]
        self._sysbench_all(
            "loading", "load",
            rows * self.options["instances"] / _SLOWEST_ROWS, "prepare",
            min(self.options["tables"], self.options["threads"]))

    # -- sysbench ----------------------------------------------------------

    def _argv(self, one: mariadb.Instance, threads: int, seconds: int,
              action: str) -> List[str]:
        return [self._sysbench, "oltp_read_write", "--db-driver=mysql",
                f"--mysql-socket={one.socket}", "--mysql-user=root",
                f"--mysql-db={mariadb.DATABASE}",
                f"--tables={self.options['tables']}",
                f"--table-size={self.options['rows']}",
                f"--threads={threads}", f"--time={seconds}",
                "--percentile=99", "--histogram=on", action]

    def _sysbench_all(self, what: str, log: str, seconds: float,
                      action: str, threads: int = 0) -> List[process.Job]:
        """The same by each instance's sysbench, at the same time."""
        jobs = []
        for number, one in enumerate(self._instances, 1):
            argv = self._argv(one, threads or self.options["threads"],
                              int(seconds), action)
            jobs.append(process.Job(
                fio.Call(argv, {}, seconds + GRACE_SECONDS),
                self.log(f"instance-{number}-{log}"), one.folder.path,
                self.account, (one.folder.fd,)))
        self.run(what, jobs, seconds if action == "run" else 0)
        for one in self._instances:
            one.check()
        return jobs

    def measure(self, row: Row) -> Row:
        jobs = self._sysbench_all("measuring", "measured",
                                  self.options["time"], "run")
        reports = [sysbench.read(job.log, sysbench.TRANSACTIONS)
                   for job in jobs]
        return {"metrics": _together(reports),
                "instances": [metrics([one]) for one in reports],
                "command": jobs[0].call.argv,
                "files": [self.file_name(job.log) for job in jobs]}

    def close(self) -> None:
        politely = sys.exc_info()[0] is None
        for one in self._instances:
            one.close(politely)
        self._instances = []


def metrics(reports: List[sysbench.Report]) -> Row:
    """The numbers of instances together: rates add up."""
    events = sum(one.numbers["events"] for one in reports)
    return {
        "tps": sum(one.numbers["transactions"] / one.numbers["seconds"]
                   for one in reports),
        "mean_ns": sum(one.numbers["latency_sum_ms"]
                       for one in reports) * 1e6 / events,
        "p99_ns": percentile(merge(one.latencies for one in reports), 99),
        "errors": int(sum(one.numbers["ignored"] + one.numbers["reconnects"]
                          for one in reports)),
    }


def _together(reports: List[sysbench.Report]) -> Row:
    kind = "sysbench's histogram" if len(reports) == 1 else \
        f"histograms of {len(reports)} instances, merged"
    return {**metrics(reports), "p99_kind": kind}
