# SPDX-License-Identifier: GPL-2.0-only
"""sysbench fileio, and fio's mirror of it on the same files."""
from typing import Iterator, List, Tuple

from .. import fio
from ..errors import refuse
from ..units import MIB, show_size, show_span
from . import mirror, process, sysbench
from .histogram import percentile
from .scene import GRACE_SECONDS, Application, Row

MODES = {"rndrd": "random read", "rndwr": "random write",
         "rndrw": "random mixed"}
_MIX = {"rndrd": "100 % read", "rndwr": "100 % write", "rndrw": "60 % read"}
# A slow disk still fills at this rate.
_SLOWEST_FILL = 10 * MIB


class SysbenchFileio(Application):
    """Three modes, each by sysbench and then by fio."""

    name = "sysbench-fileio"

    def check(self) -> None:
        each = self.options["size"] / self.options["files"]
        if each < MIB or each % MIB:
            raise refuse(f"--size {show_size(self.options['size'])} in "
                         f"{self.options['files']} files is no whole number "
                         "of MiB each")
        self._sysbench = process.find("sysbench", sysbench.PACKAGE)
        self._versions = (process.version(self._sysbench),
                          fio.version(self.scene.fio))

    def version(self) -> str:
        return ", ".join(self._versions)

    def need(self) -> int:
        return self.options["size"]

    def plan(self) -> Iterator[str]:
        yield f"data       {self._shape()}"
        yield (f"time       about {show_span(6 * self.options['time'])}, "
               f"{self.options['time']} s each for {len(MODES)} modes by "
               "sysbench and by fio, and the time to write the files")
        yield (f"written    {show_size(self.options['size'])}, then what the "
               "drive takes in four of the six")

    def _shape(self) -> str:
        return (f"{self.options['files']} files, together "
                f"{show_size(self.options['size'])}")

    def rows(self) -> List[Row]:
        rows = []
        for mode, words in MODES.items():
            method = (f"4 KiB, {_MIX[mode]}, uniform over {self._shape()}; "
                      f"{self.options['threads']} threads x QD1, O_DIRECT, "
                      f"fsync at the end, {self.options['time']} s")
            rows += [{"id": f"{self.name}/{mode}",
                      "title": f"sysbench fileio, {words}", "method": method},
                     {"id": f"{self.name}/{mode}-mirror",
                      "title": f"fio's mirror of sysbench fileio, {words}",
                      "method": method}]
        return rows

    def _job(self, argv: List[str], name: str, seconds: float) -> process.Job:
        return process.Job(fio.Call(argv, {}, seconds + GRACE_SECONDS),
                           self.log(name), self.folder)

    def _fileio(self, block: int, *more: str) -> List[str]:
        return [self._sysbench, "fileio",
                f"--file-num={self.options['files']}",
                f"--file-total-size={self.options['size']}",
                f"--file-block-size={block}", "--file-io-mode=sync",
                "--file-extra-flags=direct", *more]

    def _whole(self) -> bool:
        """Has every file the length that it must have?"""
        each = self.options["size"] // self.options["files"]
        files = [self.folder / f"test_file.{one}"
                 for one in range(self.options["files"])]
        return all(one.is_file() and one.stat().st_size == each
                   for one in files)

    def prepare(self) -> None:
        shape = {name: self.options[name] for name in ("files", "size")}
        if self.scene.place.prepared(self.name, shape) and self._whole():
            return
        self.scene.place.clear(self.name)
        seconds = self.options["size"] / _SLOWEST_FILL
        self.run(f"writing {self._shape()}", [self._job(
            self._fileio(MIB, "prepare"), "prepare", seconds)])
        self.scene.place.note_prepared(self.name, shape)

    def measure(self, row: Row) -> Row:
        mode, _, by_fio = row["id"].split("/")[1].partition("-")
        metrics, names, argv = (self._by_fio(mode) if by_fio
                                else self._by_sysbench(mode))
        return {"metrics": metrics, "command": argv, "instances": [],
                "files": [f"app/{self.name}/{one}" for one in names]}

    def _by_sysbench(self, mode: str) -> Tuple[Row, List[str], List[str]]:
        seconds = self.options["time"]
        argv = self._fileio(
            4096, f"--file-test-mode={mode}", "--file-fsync-freq=0",
            "--file-fsync-end=on", "--file-rw-ratio=1.5",
            f"--threads={self.options['threads']}", f"--time={seconds}",
            "--percentile=99", "--histogram=on", "run")
        job = self._job(argv, mode, seconds)
        self.run(f"{MODES[mode]} by sysbench", [job], seconds)
        report = sysbench.read(job.log, sysbench.FILE_OPERATIONS)
        reads, writes = report.numbers["reads"], report.numbers["writes"]
        return ({"iops": reads + writes, "read_iops": reads,
                 "write_iops": writes, "mean_ns": report.mean_ns,
                 "p99_ns": percentile(report.latencies, 99),
                 "p99_kind": "sysbench's histogram"}, [job.log.name], argv)

    def _by_fio(self, mode: str) -> Tuple[Row, List[str], List[str]]:
        output = self.scene.raw / f"{mode}-mirror.json"
        output.unlink(missing_ok=True)
        argv = mirror.command(self.scene.fio, mode, self.options, output)
        job = self._job(argv, f"{mode}-mirror", self.options["time"])
        self.run(f"{MODES[mode]} by fio", [job], self.options["time"])
        return (mirror.metrics(output, self.options["time"]),
                [output.name, job.log.name], argv)
