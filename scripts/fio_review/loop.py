# SPDX-License-Identifier: GPL-2.0-only
"""The points of a run, one after the other, whoever measures them."""
import time
from typing import Any, Dict, Optional, Set

from . import fio, runfile, verdict
from .errors import Stopped
from .plan import MIX_ERROR, Rate, point_name
from .progress import Progress
from .store import Store
from .units import show_latency, show_size, show_span

Row = Dict[str, Any]
NO_PEAK = "the maximum of this profile failed, so no rate can be planned"


class Loop:
    """Goes through what is pending; a subclass plans and performs a point."""

    def __init__(self, store: Store, run: Row, progress: Progress):
        self.store = store
        self.run = run
        self.options: Row = run["options"]
        self.progress = progress
        self.begun = time.monotonic()
        self._off_mix: Set[str] = set()

    # -- what a subclass does ----------------------------------------------

    def prepare(self) -> None:
        """Bring what is measured into the state that the points need."""
        raise NotImplementedError

    def finish(self, state: str) -> None:
        """Record the end of the run."""
        raise NotImplementedError

    def plan_point(self, row: Row, point: Row) -> Optional[str]:
        """Set the point's rate; the reason if it cannot be planned."""
        raise NotImplementedError

    def perform(self, row: Row, point: Row, tick: fio.Tick) -> verdict.Result:
        """Measure the point; NoResult if nothing was measured."""
        raise NotImplementedError

    def before_profile(self, row: Row) -> None:
        """Points of the profile are about to be tried."""

    def after_profile(self, row: Row) -> None:
        """All points of the profile were tried."""

    def end_measuring(self) -> None:
        """No further point will be tried."""

    # -- the loop ----------------------------------------------------------

    def save(self) -> None:
        """Keep what is known of the run now."""
        self.store.write(self.run)

    def check_mix(self, row: Row, load_percent: int, rate: Rate) -> None:
        """Warn once a profile of rates that are not its mix."""
        if abs(rate.read_percent - row["read_percent"]) <= MIX_ERROR \
                or row["id"] in self._off_mix:
            return
        self._off_mix.add(row["id"])
        self.progress.warn(
            f"{row['id']}: fio takes whole IOPS a thread, so low points "
            f"are not the mix of {row['read_percent']:g} % reads: "
            f"{point_name(load_percent)} asks for {rate.text} a "
            f"thread, {rate.read_percent:.1f} % reads")

    def _seconds_left(self) -> float:
        each = self.options["ramp_s"] + self.options["runtime_s"] + 1
        return sum(point.get("expected_s", each)
                   + self.options.get("settle_s", 0)
                   for _, point in runfile.points(self.run)
                   if point["state"] == "pending")

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

    def _fail(self, point: Row, reason: str) -> None:
        point["state"], point["reason"] = "failed", reason
        self.progress.line(
            f"  {point_name(point['load_percent']):>4}  failed: {reason}",
            "red")

    def _measure(self, row: Row, point: Row, last: str) -> str:
        """Measure one point; returns its IOPS for the progress line."""
        reason = self.plan_point(row, point)
        if reason:
            self._fail(point, reason)
            return last
        try:
            result = self.perform(row, point, self._ticker(row, point, last))
        except verdict.NoResult as why:
            self._fail(point, str(why))
            if isinstance(why, verdict.TargetGone):
                raise Stopped(f"stopped: {why}") from why
            return last
        point["state"], point["reason"] = "done", None
        if row.get("kind") == "single" and len(result.jobs) > 1:
            return self._show_jobs(result)
        asked = (f"{point['asked_iops']:>11,}" if point["asked_iops"]
                 else f"{'maximum':>11}")
        self.progress.line(
            f"  {point_name(point['load_percent']):>4}  asked {asked}  "
            f"achieved {result.iops:>11,.0f} IOPS  mean "
            f"{show_latency(result.mean_ns)}")
        return f"{result.iops:,.0f} IOPS"

    def _show_jobs(self, result: verdict.Result) -> str:
        """A line for each job; returns the last one's IOPS."""
        for one in result.jobs:
            # Letters of fio's JSON, which a terminal need not obey.
            name = "".join(filter(str.isprintable, one.name))[:24]
            self.progress.line(
                f"  {name:<24} {show_size(one.bytes_s):>10}/s "
                f"{one.iops:>11,.0f} IOPS  mean {show_latency(one.mean_ns)}")
        return f"{result.jobs[-1].iops:,.0f} IOPS"

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
                self.before_profile(row)
            last = "-"
            for point in waiting:
                last = self._measure(row, point, last)
                self.save()
                if (point["state"] == "failed"
                        and self.options["on_failure"] == "stop"):
                    self.end_measuring()
                    raise Stopped("stopped after a failed point")
            if waiting:
                self.after_profile(row)
        self.end_measuring()
