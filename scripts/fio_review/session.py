# SPDX-License-Identifier: GPL-2.0-only
"""A run at work: fills the target, measures the points, keeps run.json."""
import os
import time
from dataclasses import replace
from pathlib import Path
from typing import Any, Dict, List, Optional

from . import (admission, expect, facts, fio, ownership, precondition, purge,
               redact, runfile, target as targets, verdict, watch)
from .errors import ReviewError, refuse, system_error
from .hold import Hold
from .loop import NO_PEAK, Loop
from .plan import (FREE, PEAK, PILOT_SECONDS, peak_rate, point_name, rate_for,
                   rate_variables)
from .profile import Profile
from .progress import Progress
from .store import Store, publish
from .target import Target
from .units import MIB, fio_time, show_size, show_span

Row = Dict[str, Any]
_FILLED = {"device": "its whole capacity", "region": "the region",
           "90%": "the first 90 % of its capacity"}


def variables(profile: Profile, target: Target, options: Row,
              rate: str) -> Dict[str, str]:
    """The environment that the jobfiles read."""
    return {
        "TARGET": target.fio_name, "SIZE": str(options["size"]),
        "SPAN": str(profile.span(options["size"])),
        "RUNTIME": fio_time(options["runtime_s"]),
        "RAMP": fio_time(options["ramp_s"]),
        **rate_variables(profile, rate),
        "IOENGINE": options["ioengine"],
        "QUEUE_ENGINE": fio.queue_engine(options["ioengine"]),
        "DIRECT": str(options["direct_used"]),
    }


def point_call(profile: Profile, target: Target, options: Row, rate: str,
               part: Path) -> fio.Call:
    """fio's call for one point."""
    argv = [options["fio"], *fio.safeguards(profile.destructive),
            "--output-format=json+", f"--output={part}", str(profile.path)]
    # Logs have no folder in a jobfile: they go where fio runs.
    return fio.Call(argv, variables(profile, target, options, rate),
                    expect.call_limit(profile, options),
                    cwd=part.parent if profile.shape.logs else None)


def round_call(profile: Profile, target: Target, options: Row, rate: str,
               part: Path) -> fio.Call:
    """fio's call for one round of preconditioning: all of it counts."""
    own = {**options, "runtime_s": options["round_s"], "ramp_s": 0.0}
    return point_call(profile, target, own, rate, part)


def fill_size(target: Target, options: Row) -> int:
    """Bytes that filling writes."""
    if options["fill"] == "device":
        return target.capacity // MIB * MIB
    if options["fill"] == "90%":
        return target.capacity * 9 // 10 // MIB * MIB
    return options["size"] if options["fill"] == "region" else 0


def fill_call(target: Target, options: Row, directory: Path) -> fio.Call:
    """fio's call that writes the target once."""
    size = fill_size(target, options)
    call = fio.fill_call(options["fio"], target.fio_name, size,
                         options["direct_used"], target.is_device,
                         600 + size / expect.SLOWEST)
    call.argv.append(f"--output={part_of(directory / 'fill.json')}")
    return call


def part_of(path: Path) -> Path:
    """Where a file grows before it gets its name."""
    return path.with_name(path.name + ".part")


def keep_failure(output: Path, log: Path) -> None:
    """Keep all that fio printed of a failed point, under a telling name."""
    part = part_of(output)
    with open(output.with_suffix(".failed.txt"), "wb") as kept:
        for source in (log, part):
            if source.exists():
                fio.cut(source)
                kept.write(source.read_bytes())
    part.unlink(missing_ok=True)


class Session(Loop):
    """One run directory, one target, and the points still to be measured."""

    def __init__(self, store: Store, run: Row, profiles: List[Profile],
                 target: Target, hold: Hold, progress: Progress):
        super().__init__(store, run, progress)
        self.profiles = {one.id: one for one in profiles}
        self.target = target
        self.hold = hold
        self._was_busy = False
        self._observers = watch.of_run(store.directory, run, target, progress,
                                       hold.system)

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
                or redact.identity(now, self.run.get("identity_salt")) \
                != self.run["identity"]:
            raise verdict.TargetGone(
                f"{self.target.path} is no longer the {self.target.kind} "
                "that this run was allowed to use")

    def _run(self, name: str, call: fio.Call, log: Path,
             tick: fio.Tick) -> fio.Ending:
        """Call fio while the observers look on."""
        self._was_busy = True
        try:
            return fio.run(replace(call, state=self.hold.variables), log, tick)
        finally:
            self._observers.after_point(name)

    def call_tool(self, call: fio.Call, log: Path,
                  tick: fio.Tick) -> fio.Ending:
        """A program other than fio, beside which the drive is not asked."""
        self._check_target()
        self._was_busy = True
        return fio.run(call, log, tick)

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
            self._observers.before_point("fill")
            ending = self._run("fill", call, log, tick)
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

    def prepare(self) -> None:
        """Bring the target into the state that the points need."""
        target = self.target
        self.save()
        if not target.exists:
            self.make_file()
        purge.perform(self)
        self.fill()
        if target.is_device:
            if self.run["filled"]:
                self.note_fill("written once over "
                               + _FILLED[self.options["fill"]])
            return
        target.capacity = os.stat(target.path).st_size
        self.note_fill(admission.file_fill(target, self.options))

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

    def plan_point(self, row: Row, point: Row) -> Optional[str]:
        """Set the point's rate, taken from the peak."""
        if point["load_percent"] == PEAK:
            return None
        peak = self._peak_iops(row)
        if peak is None:
            return NO_PEAK
        rate = rate_for(self.profiles[row["id"]], peak, point["load_percent"])
        point["rate"], point["asked_iops"] = rate.text, rate.asked_iops
        self.check_mix(row, point["load_percent"], rate)
        return None

    def _settle(self) -> None:
        """Leave a drive that was at work alone for a while."""
        end = time.monotonic() + self.options.get("settle_s", 0)
        while self._was_busy and time.monotonic() < end:
            self.progress.update("letting the drive settle, "
                                 f"{show_span(end - time.monotonic())} left")
            time.sleep(min(fio.TICK_SECONDS, max(0, end - time.monotonic())))

    def _measure_call(self, name: str, call: fio.Call, output: Path,
                      row: Row, tick: fio.Tick) -> verdict.Result:
        """One call of fio with its result in output; what it was, in row."""
        log = output.with_suffix(".log")
        row["command"], row["environment"] = call.argv, call.variables
        self._settle()
        self._check_target()
        self._observers.before_point(name)
        row["started"] = runfile.now()
        ending = self._run(name, call, log, tick)
        row["seconds"] = round(ending.seconds, 1)
        try:
            self._check_target()
            result = verdict.judge(ending, part_of(output), log,
                                   call.timeout_s, row["runtime_s"])
        except verdict.NoResult:
            keep_failure(output, log)
            raise
        publish(part_of(output), output)
        output.with_suffix(".failed.txt").unlink(missing_ok=True)
        return result

    def _pilot(self, profile: Profile, output: Path,
               tick: fio.Tick) -> verdict.Result:
        """All streams free for a short time: what their shares are of."""
        short = {**self.options, "runtime_s": min(
            PILOT_SECONDS, self.options["runtime_s"])}
        call = point_call(profile, self.target, short, FREE, part_of(output))
        return self._measure_call(f"{profile.id}-pilot", call, output, short,
                                  tick)

    def perform(self, row: Row, point: Row, tick: fio.Tick) -> verdict.Result:
        """Run fio for the point; NoResult if it measured nothing."""
        profile, written = self.profiles[row["id"]], 0
        output = self.store.directory / point["file"]
        output.parent.mkdir(parents=True, exist_ok=True)
        if point["load_percent"] == PEAK and len(profile.streams) > 1:
            pilot = self._pilot(profile, output.with_name("pilot.json"), tick)
            point["rate"] = peak_rate(profile, pilot.iops)
            written = pilot.written
        call = point_call(profile, self.target, self.options, point["rate"],
                          part_of(output))
        result = self._measure_call(
            f"{row['id']}-{point_name(point['load_percent'])}", call, output,
            point, tick)
        point["written_bytes"] = result.written + written
        return result

    def round_rate(self, row: Row, output: Path, tick: fio.Tick) -> str:
        """The rate at which a profile's own load is at full speed."""
        profile = self.profiles[row["id"]]
        output.parent.mkdir(parents=True, exist_ok=True)
        return FREE if len(profile.streams) == 1 else peak_rate(
            profile, self._pilot(profile, output, tick).iops)

    def perform_round(self, row: Row, one: Row, rate: str,
                      tick: fio.Tick) -> verdict.Result:
        """Run fio for a round of the profile's load."""
        output = self.store.directory / one["file"]
        call = round_call(self.profiles[row["id"]], self.target, self.options,
                          rate, part_of(output))
        result = self._measure_call(one["file"][:-len(".json")].replace(
            "/", "-"), call, output, one, tick)
        one["written_bytes"] = result.written
        return result

    def before_profile(self, row: Row) -> None:
        """Bring the drive into steady state where that is wanted."""
        if precondition.is_for(self.profiles[row["id"]], self.options):
            precondition.Rounds(self, row).run()

    def end_measuring(self) -> None:
        """Never of another drive that has come under the name."""
        try:
            self._check_target()
        except verdict.TargetGone:
            return
        self._observers.end()

    def after_profile(self, row: Row) -> None:
        """Random writes must not have left holes or unwritten blocks."""
        if self.target.is_device or not row["destructive"]:
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
