# SPDX-License-Identifier: GPL-2.0-only
"""A run at work: fills the target, measures the points, keeps run.json."""
import os
import time
from dataclasses import replace
from pathlib import Path
from typing import Any, Dict, List, Optional, Set

from . import (facts, fio, ownership, runfile, target as targets, verdict)
from .errors import ReviewError, Stopped, refuse, system_error
from .hold import Hold
from .plan import MIX_ERROR, PEAK, point_name, rate_for
from .profile import Profile
from .progress import Progress
from .smart import Smart
from .store import Store, publish
from .target import Target
from .units import MIB, fio_time, show_latency, show_size, show_span

Row = Dict[str, Any]
# A slow disk still fills at this rate; below it the fill counts as hung.
_SLOWEST_FILL = 10 * MIB
NO_PEAK = "the maximum of this profile failed, so no rate can be planned"


def variables(profile: Profile, target: Target, options: Row,
              rate: str) -> Dict[str, str]:
    """The environment that the jobfiles read."""
    return {
        "TARGET": target.fio_name, "SIZE": str(options["size"]),
        "SPAN": str(profile.span(options["size"])),
        "RUNTIME": fio_time(options["runtime_s"]),
        "RAMP": fio_time(options["ramp_s"]), "RATE": rate,
        "IOENGINE": options["ioengine"],
        "DIRECT": str(options["direct_used"]),
    }


def point_call(profile: Profile, target: Target, options: Row, rate: str,
               part: Path) -> fio.Call:
    """fio's call for one point."""
    argv = [options["fio"], *fio.safeguards(profile.destructive),
            "--output-format=json+", f"--output={part}", str(profile.path)]
    limit = options["ramp_s"] + options["runtime_s"] + options["timeout_s"]
    return fio.Call(argv, variables(profile, target, options, rate), limit)


def fill_size(target: Target, options: Row) -> int:
    """Bytes that filling writes."""
    if options["fill"] == "device":
        return target.capacity // MIB * MIB
    return options["size"] if options["fill"] == "region" else 0


def fill_call(target: Target, options: Row, directory: Path) -> fio.Call:
    """fio's call that writes the target once."""
    size = fill_size(target, options)
    call = fio.fill_call(options["fio"], target.fio_name, size,
                         options["direct_used"], target.is_device,
                         600 + size / _SLOWEST_FILL)
    call.argv.append(f"--output={part_of(directory / 'fill.json')}")
    return call


def part_of(path: Path) -> Path:
    """Where a file grows before it gets its name."""
    return path.with_name(path.name + ".part")


class Session:
    """One run directory, one target, and the points still to be measured."""

    def __init__(self, store: Store, run: Row, profiles: List[Profile],
                 target: Target, hold: Hold, progress: Progress):
        self.store = store
        self.run = run
        self.options: Row = run["options"]
        self.profiles = {one.id: one for one in profiles}
        self.target = target
        self.hold = hold
        self.progress = progress
        self.begun = time.monotonic()
        self._off_mix: Set[str] = set()
        self._smart = Smart(store.directory, run, target, progress)
        # The point that fio was called for last.
        self._last_call: Optional[str] = None

    def save(self) -> None:
        self.store.write(self.run)

    # -- preparing the target ------------------------------------------

    def make_file(self) -> None:
        """Create the target file and remember that it is ours."""
        targets.check_space(self.target.path, self.options["size"])
        self.run["made"] = targets.create(self.target.path,
                                          self.options["size"])
        self.run["filled"] = None
        self.target.exists = True
        self.target.key = (self.run["made"]["dev"],
                           self.run["made"]["inode"])
        self.save()
        self.hold.lock(self.target)

    def _check_target(self) -> None:
        """fio opens the target by its name, which others can change."""
        if not os.path.exists(self.target.path):
            raise verdict.TargetGone(f"{self.target.path} is gone")
        try:
            now = targets.resolve(self.target.path, self.hold.system)
        except ReviewError as err:
            raise verdict.TargetGone(str(err)) from err
        if now.key != self.target.key \
                or facts.identity(now) != self.run["identity"]:
            raise verdict.TargetGone(
                f"{self.target.path} is no longer the {self.target.kind} "
                "that this run was allowed to use")

    def _run(self, call: fio.Call, log: Path, tick: fio.Tick) -> fio.Ending:
        return fio.run(replace(call, state=self.hold.variables), log, tick)

    def fill(self) -> None:
        """Write the target once, unless this run has already done it."""
        size = fill_size(self.target, self.options)
        if not size or self.run["filled"]:
            return
        begun = time.monotonic()

        def tick(pid: int) -> None:
            done = fio.written_bytes(pid) or 0
            speed = done / (time.monotonic() - begun)
            self.progress.update(
                f"filling {self.target.path}: {show_size(done)} of "
                f"{show_size(size)}, {show_size(speed)}/s")

        output = self.store.directory / "fill.json"
        log = output.with_suffix(".log")
        call = fill_call(self.target, self.options, self.store.directory)
        try:
            self._check_target()
            if not self.target.is_device:
                targets.set_length(self.target.path, size)
            ending = self._run(call, log, tick)
            self._check_target()
            verdict.judge(ending, part_of(output), log, call.timeout_s, None)
        except verdict.TargetGone as why:
            raise refuse(f"filling stopped: {why}") from why
        except verdict.NoResult as why:
            raise system_error(f"filling {self.target.path} failed: {why} "
                               f"(see {log})") from why
        publish(part_of(output), output)
        self.run["filled"] = {"bytes": size,
                              "seconds": round(ending.seconds, 1)}
        self.progress.line(f"filled {show_size(size)} in "
                           f"{show_span(ending.seconds)}")
        self.save()

    def note_fill(self, state: str) -> None:
        """Record what is known of the target's content."""
        if state == targets.UNCHECKED:
            self.progress.warn(f"{self.target.path} was {state}")
        facts.set_fact(self.run["facts"], "target.fill", state)
        self.save()

    # -- measuring -------------------------------------------------------

    def _peak_iops(self, row: Row) -> Optional[float]:
        point = row["points"][0]
        if point["state"] != "done":
            return None
        return verdict.read_result(self.store.directory / point["file"]).iops

    def _plan_point(self, row: Row, point: Row) -> bool:
        """Set the point's rate; False if there is no peak to take it from."""
        if point["load_percent"] == PEAK:
            return True
        peak = self._peak_iops(row)
        if peak is None:
            return False
        rate = rate_for(self.profiles[row["id"]], peak, point["load_percent"])
        point["rate"], point["asked_iops"] = rate.text, rate.asked_iops
        if abs(rate.read_percent - row["read_percent"]) > MIX_ERROR \
                and row["id"] not in self._off_mix:
            self._off_mix.add(row["id"])
            self.progress.warn(
                f"{row['id']}: fio takes whole IOPS a thread, so low points "
                f"are not the mix of {row['read_percent']} % reads: "
                f"{point_name(point['load_percent'])} asks for {rate.text} a "
                f"thread, {rate.read_percent:.1f} % reads")
        return True

    def _seconds_left(self) -> float:
        each = self.options["ramp_s"] + self.options["runtime_s"] + 1
        return each * sum(point["state"] == "pending"
                          for _, point in runfile.points(self.run))

    def _ticker(self, row: Row, point: Row, last: str) -> fio.Tick:
        done, failed, total = runfile.counts(self.run)

        # Short enough for 80 columns: without the group.
        name = row["id"].split("/")[-1]
        what = f"{name} {point_name(point['load_percent'])}"
        end = time.monotonic() + self._seconds_left()

        def tick(_pid: int) -> None:
            now = time.monotonic()
            self.progress.update(
                f"{what} {done + failed + 1}/{total}  last {last}  "
                f"{show_span(now - self.begun)}, {show_span(end - now)} left")
        return tick

    def _keep_failure(self, output: Path, log: Path) -> None:
        """Keep all that fio printed of a failed point, under a telling name."""
        part = part_of(output)
        with open(output.with_suffix(".failed.txt"), "wb") as kept:
            for source in (log, part):
                if source.exists():
                    fio.cut(source)
                    kept.write(source.read_bytes())
        part.unlink(missing_ok=True)

    def _call(self, row: Row, point: Row, last: str) -> verdict.Result:
        """Run fio for the point; NoResult if it measured nothing."""
        output = self.store.directory / point["file"]
        output.parent.mkdir(parents=True, exist_ok=True)
        log = output.with_suffix(".log")
        call = point_call(self.profiles[row["id"]], self.target, self.options,
                          point["rate"], part_of(output))
        point["command"], point["environment"] = call.argv, call.variables
        self._check_target()
        self._smart.before_point(self._last_call)
        self._last_call = \
            f"{row['id']}-{point_name(point['load_percent'])}"
        point["started"] = runfile.now()
        ending = self._run(call, log, self._ticker(row, point, last))
        point["seconds"] = round(ending.seconds, 1)
        try:
            self._check_target()
            result = verdict.judge(ending, part_of(output), log,
                                   call.timeout_s, point["runtime_s"])
        except verdict.NoResult:
            self._keep_failure(output, log)
            raise
        publish(part_of(output), output)
        output.with_suffix(".failed.txt").unlink(missing_ok=True)
        return result

    def _fail(self, point: Row, reason: str) -> None:
        point["state"], point["reason"] = "failed", reason
        self.progress.line(
            f"  {point_name(point['load_percent']):>4}  failed: {reason}",
            "red")

    def _measure(self, row: Row, point: Row, last: str) -> str:
        """Measure one point; returns its IOPS for the progress line."""
        if not self._plan_point(row, point):
            self._fail(point, NO_PEAK)
            return last
        try:
            result = self._call(row, point, last)
        except verdict.NoResult as why:
            self._fail(point, str(why))
            if isinstance(why, verdict.TargetGone):
                raise Stopped(f"stopped: {why}") from why
            return last
        point["state"], point["reason"] = "done", None
        asked = (f"{point['asked_iops']:>11,}" if point["asked_iops"]
                 else f"{'maximum':>11}")
        self.progress.line(
            f"  {point_name(point['load_percent']):>4}  asked {asked}  "
            f"achieved {result.iops:>11,.0f} IOPS  mean "
            f"{show_latency(result.mean_ns)}")
        return f"{result.iops:,.0f} IOPS"

    def has_pending(self) -> bool:
        """Is anything left to measure?"""
        return any(point["state"] == "pending"
                   for _, point in runfile.points(self.run))

    def measure_all(self) -> None:
        """Measure every pending point; stops early where the user wants it."""
        for row in self.run["profiles"]:
            waiting = [one for one in row["points"]
                       if one["state"] == "pending"]
            if waiting:
                self.progress.line(f"{row['id']}: {row['method']}")
            last = "-"
            for point in waiting:
                last = self._measure(row, point, last)
                self.save()
                if (point["state"] == "failed"
                        and self.options["on_failure"] == "stop"):
                    self._end_smart()
                    raise Stopped("stopped after a failed point")
            if waiting and row["destructive"]:
                self._check_after_writes()
        self._end_smart()

    def _end_smart(self) -> None:
        """Never of another drive that has come under the name."""
        if not self._smart.active:
            return
        try:
            self._check_target()
        except verdict.TargetGone:
            return
        self._smart.end()

    def _check_after_writes(self) -> None:
        """Random writes must not have left holes or unwritten blocks."""
        if self.target.is_device:
            return
        try:
            self.note_fill(targets.fill_state(self.target.path,
                                              self.options["size"]))
        except ReviewError as err:
            self.progress.warn(str(err))
            self.note_fill(f"unfit after writing: {err}")

    # -- ending ----------------------------------------------------------

    def finish(self, state: str) -> None:
        """Record the end; a file that is not to be kept goes away."""
        self.run["state"], self.run["finished"] = state, runfile.now()
        made = self.run["made"]
        if state == "complete" and made and not self.options["keep"]:
            if ownership.remove(self.target.path, made):
                self.progress.line(f"removed {self.target.path}")
                self.run["made"] = None
                self.run["filled"] = None
        self.save()


def forget_unusable(run: Row, directory: Path) -> List[str]:
    """Set done points back whose file is damaged; returns their files.

    Without its peak a profile's other points have no common measure, so they
    are measured again with it.
    """
    lost: List[str] = []
    for row in run["profiles"]:
        for point in row["points"]:
            if point["state"] != "done":
                continue
            try:
                verdict.read_result(directory / point["file"],
                                    point["runtime_s"])
            except verdict.NoResult:
                point["state"] = "pending"
                lost.append(point["file"])
        if row["points"][0]["state"] != "done":
            for point in row["points"]:
                point["state"], point["reason"] = "pending", None
    return lost
