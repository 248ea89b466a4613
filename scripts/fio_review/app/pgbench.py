# SPDX-License-Identifier: GPL-2.0-only
"""pgbench on PostgreSQL: its builtin transaction, which is like TPC-B."""
import os
import shutil
import sys
from pathlib import Path
from typing import Iterator, List, Optional

from .. import fio
from ..units import MIB, show_size, show_span
from . import account, pgreport, postgres, process
from .scene import GRACE_SECONDS, Application, Row, Scene

# Of a unit of scale: 100,000 accounts with their index.
_SCALE_BYTES = 16 * MIB
# The log of changes grows to max_wal_size, 1 GiB, and somewhat beyond.
_SERVER_BYTES = 1280 * MIB
_SLOWEST_SCALE_SECONDS = 60.0


class Pgbench(Application):
    """Load, warm up, measure."""

    name = "pgbench"

    def __init__(self, scene: Scene):
        super().__init__(scene)
        self._cluster: Optional[postgres.Cluster] = None

    def check(self) -> None:
        self._programs = postgres.Programs()
        self.account = account.choose(self.scene.user, postgres.USER,
                                      "PostgreSQL")
        self._version = process.version(self._programs.server)

    def version(self) -> str:
        return self._version

    def _data_bytes(self) -> int:
        return self.options["scale"] * _SCALE_BYTES

    def need(self) -> int:
        return self._data_bytes() + _SERVER_BYTES

    def plan(self) -> Iterator[str]:
        one = self.options
        yield (f"data       scale {one['scale']}, about "
               f"{show_size(self._data_bytes())}")
        yield (f"time       {show_span(one['warmup'])} of warming up and "
               f"{show_span(one['time'])} of measuring, after loading the "
               "data")
        yield (f"written    {show_size(self.need())}, then what the drive "
               "takes in that time")

    def rows(self) -> List[Row]:
        one = self.options
        return [{"id": self.name, "title": "pgbench, TPC-B-like, PostgreSQL",
                 "method": (
                     f"{one['clients']} clients, scale {one['scale']}, shared "
                     f"buffers {show_size(one['buffer_pool'])}; "
                     f"{postgres.SETTINGS_WORDS}; "
                     f"{show_span(one['warmup'])} of warming up, "
                     f"{show_span(one['time'])} measured")}]

    def prepare(self) -> None:
        shape = {"scale": self.options["scale"], "server": self._version}
        whole = self.scene.place.prepared(self.name, shape)
        folder = self.folder if whole else self.scene.place.clear(self.name)
        # The server is another user, who has to come through.
        folder.chmod(0o711)
        place = folder / "cluster"
        place.mkdir(0o700, exist_ok=True)
        if self.account:
            self.account.give(place)
        self._cluster = postgres.Cluster(
            self._programs, place, self.account, self.log,
            self.scene.place.lock_fd)
        if not whole:
            self.run("making a cluster", [self._cluster.install()])
        self._cluster.start(self.options["buffer_pool"],
                            self.options["clients"])
        if not whole:
            scale = self.options["scale"]
            self._bench("loading", "load", scale * _SLOWEST_SCALE_SECONDS,
                        ["--initialize", "--quiet", f"--scale={scale}"])
            self.scene.place.note_prepared(self.name, shape)
        if self.options["warmup"]:
            self._transactions("warming up", "warmup", self.options["warmup"])

    def _bench(self, what: str, log: str, seconds: float, more: List[str],
               directory: Optional[Path] = None) -> process.Job:
        assert self._cluster
        place = self._cluster.folder
        argv = [self._programs.bench, f"--host={place}",
                f"--username={postgres.ROLE}", *more, postgres.DATABASE]
        job = process.Job(fio.Call(argv, {}, seconds + GRACE_SECONDS),
                          self.log(log), directory or place.path,
                          self.account, (place.fd,))
        self.run(what, [job], seconds if log != "load" else 0)
        self._cluster.check()
        return job

    def _transactions(self, what: str, log: str, seconds: int,
                      directory: Optional[Path] = None) -> process.Job:
        clients = self.options["clients"]
        more = [f"--client={clients}",
                f"--jobs={min(clients, os.cpu_count() or 1)}",
                f"--time={seconds}"]
        if directory:
            more += ["--log", f"--log-prefix={pgreport.PREFIX}"]
        return self._bench(what, log, seconds, more, directory)

    def _log_folder(self) -> Path:
        """Not on the drive that is measured, and pgbench's own."""
        folder = self.scene.raw / "transactions"
        if folder.exists():
            shutil.rmtree(folder)
        folder.mkdir(0o700)
        if self.account:
            self.account.give(folder)
        return folder

    def measure(self, row: Row) -> Row:
        folder = self._log_folder()
        try:
            job = self._transactions("measuring", "measured",
                                     self.options["time"], folder)
            report = pgreport.read(job.log, folder)
        finally:
            # Gigabytes in an hour; what they tell is in the counts.
            shutil.rmtree(folder, ignore_errors=True)
        counts = self.scene.raw / "latencies.txt"
        pgreport.write_counts(counts, report.latencies)
        return {"metrics": report.metrics(), "instances": [],
                "command": job.call.argv,
                "files": [self.file_name(job.log), self.file_name(counts)]}

    def close(self) -> None:
        if self._cluster:
            self._cluster.close(politely=sys.exc_info()[0] is None)
            self._cluster = None
