# SPDX-License-Identifier: GPL-2.0-only
"""fio-review app: one application, from its plan to its result."""
import argparse
import os
import shlex
import sys
import time
from pathlib import Path
from typing import Any, Dict, List, Type

from .. import facts, fio, runfile
from ..blockdev import System
from ..errors import INTERRUPTED, OK, POINT_FAILED, Interrupted, ReviewError
from ..progress import Progress
from ..store import Store
from ..target import Target
from ..units import show_latency
from ..verdict import NoResult
from . import options as opts, place as places, record
from .fileio import SysbenchFileio
from .oltp import SysbenchOltp
from .pgbench import Pgbench
from .scene import Application, Scene

Row = Dict[str, Any]
APPLICATIONS: Dict[str, Type[Application]] = {
    one.name: one for one in (SysbenchFileio, SysbenchOltp, Pgbench)}


class _Command:
    """The parts of one call."""

    def __init__(self, args: argparse.Namespace, progress: Progress):
        given = vars(args)
        self.progress = progress
        self.system = System()
        self.store = Store(Path(os.path.abspath(args.out)))
        self.target: Target = places.resolve(args.dir, self.store.directory,
                                             self.system)
        self.place = places.Place(self.target.path)
        self.keep = given.get("keep", True)
        self.label = given.get("label", "")
        self.application = APPLICATIONS[args.application](Scene(
            opts.complete(args), self.place,
            self.store.directory / "app" / args.application,
            fio.find(given.get("fio")), given.get("user"), progress))
        self.run: Row = {}

    def check(self) -> None:
        """All that can be asked without writing; then the plan."""
        one = self.application
        one.check()
        self.place.check(one.need() - self.place.used(one.name))
        self.progress.line(f"directory  {self.target.path}")
        for line in one.plan():
            self.progress.line(line)

    def save(self) -> None:
        self.store.write(self.run)

    def begin(self) -> List[Row]:
        """Lock both directories; gives what is to be measured."""
        one = self.application
        self.run = record.open_run(self.store, self.target.path, self.label)
        waiting = record.add(self.run, one.rows(), one.options)
        self.run["facts"] = facts.of_directory(self.target,
                                               self.run["started"],
                                               self.system)
        if not self.run["label"]:
            self.run["label"] = facts.drive_name(self.run["facts"],
                                                 self.target)
        one.scene.raw.mkdir(parents=True, exist_ok=True)
        self.place.claim()
        self.save()
        return waiting

    def _fail(self, row: Row, why: NoResult) -> None:
        row["state"], row["reason"] = "failed", str(why)
        self.progress.line(f"{row['title']}: failed: {why}", "red")

    def _measure(self, row: Row) -> None:
        begun = time.monotonic()
        row["started"] = runfile.now()
        row["version"] = self.application.version()
        try:
            row.update(self.application.measure(row))
        except NoResult as why:
            self._fail(row, why)
            return
        finally:
            row["seconds"] = round(time.monotonic() - begun, 1)
        row["state"] = "done"
        self.progress.line(f"{row['title']}: {_result(row['metrics'])}")

    def measure_all(self, waiting: List[Row]) -> None:
        """Prepare the data, then measure what is waiting."""
        try:
            try:
                self.application.prepare()
            except NoResult as why:
                self.place.forget(self.application.name)
                for row in waiting:
                    self._fail(row, why)
                return
            for row in waiting:
                self._measure(row)
                self.save()
        finally:
            self.application.close()

    def finish(self, waiting: List[Row]) -> int:
        """Record the end; data that are not to be kept go away."""
        self.run["state"], self.run["finished"] = "complete", runfile.now()
        if any(one["state"] == "pending"
               for one in self.run["applications"]):
            self.run["state"] = "interrupted"
        failed = any(one["state"] == "failed" for one in waiting)
        if not failed and not self.keep:
            self.place.remove(self.application.name)
        self.save()
        self.progress.line(f"results: {self.store.directory}")
        return POINT_FAILED if failed else OK

    def give_up(self) -> None:
        """Record that it was stopped, and how it goes on."""
        self.run["state"], self.run["finished"] = "interrupted", runfile.now()
        try:
            self.save()
        except ReviewError as err:
            self.progress.warn(f"the run's state is not recorded: {err}")
        self.progress.line("stopped; to go on:\n  " + " ".join(
            shlex.quote(one) for one in sys.argv), "yellow")

    def release(self) -> None:
        self.place.release()
        self.store.release()


def _result(metrics: Row) -> str:
    rate = (f"{metrics['tps']:,.1f} transactions/s" if "tps" in metrics
            else f"{metrics['iops']:,.0f} IOPS")
    return (f"{rate}, mean {show_latency(metrics['mean_ns'])}, 99 % "
            f"{show_latency(metrics['p99_ns'])}")


def run(args: argparse.Namespace) -> int:
    """Measure the application that the command line names."""
    command = _Command(args, Progress())
    command.check()
    if vars(args).get("dry_run"):
        return OK
    try:
        waiting = command.begin()
        try:
            command.measure_all(waiting)
        except Interrupted as why:
            command.give_up()
            command.progress.line(str(why), "yellow")
            return INTERRUPTED
        except (ReviewError, OSError):
            command.give_up()
            raise
        return command.finish(waiting)
    finally:
        command.release()
