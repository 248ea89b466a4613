# SPDX-License-Identifier: GPL-2.0-only
"""A run at work on several hosts, through fio's own client and servers."""
import time
from pathlib import Path
from typing import Any, Dict, List, Optional

from . import (fio, hosts_job, hosts_probe, hosts_result, hosts_run, runfile,
               verdict)
from .errors import system_error
from .hosts import Host
from .loop import NO_PEAK, Loop
from .plan import PEAK, point_name, rate_for
from .profile import Profile
from .progress import Progress
from .expect import SLOWEST
from .session import keep_failure, part_of
from .store import RUN_FILE, Store, publish, write_json
from .units import show_size, show_span

Row = Dict[str, Any]
Parts = Dict[str, hosts_result.Part]


def point_limit(options: Row) -> float:
    """Seconds that fio may take for a point."""
    return options["ramp_s"] + options["runtime_s"] + options["timeout_s"]


def to_fill(hosts: List[Host], options: Row) -> List[Host]:
    """Hosts whose target this run writes once before it measures."""
    return [one for one in hosts
            if options["fill"] != "none" or not one.existed]


def _failures(parts: Parts) -> str:
    return "; ".join(f"{name}: {one.reason}" for name, one in parts.items()
                     if one.reason)


class HostsSession(Loop):
    """One run directory, several hosts, and the points to be measured."""

    def __init__(self, store: Store, run: Row, profiles: List[Profile],
                 servers: Dict[str, str], progress: Progress):
        super().__init__(store, run, progress)
        self.profiles = {one.id: one for one in profiles}
        self.hosts = hosts_run.hosts_of(self.options)
        # By host, the name that its fio puts before what it prints.
        self.servers = servers
        # Hosts that took a call and never answered, and what was seen.
        self.silent: Dict[str, str] = {}
        self._alone = {
            row["id"]: row for row in runfile.new_run(
                profiles, {**self.options, "hosts": None})["profiles"]}

    def save(self) -> None:
        """Keep the run, and of it each host's own."""
        super().save()
        for host in self.hosts:
            place = hosts_run.directory(self.store.directory, host.name)
            try:
                place.mkdir(parents=True, exist_ok=True)
            except OSError as err:
                raise system_error(f"{place} cannot be made: {err.strerror}"
                                   ) from err
            write_json(place / RUN_FILE,
                       hosts_run.own_run(self.run, host, self._alone))

    def _file(self, host: Host, name: str) -> Path:
        return hosts_run.directory(self.store.directory, host.name) / name

    # -- preparing the targets ---------------------------------------------

    def prepare(self) -> None:
        """Bring the targets into the state that the points need."""
        self.save()
        self._await_rest()
        hosts = to_fill(self.hosts, self.options)
        if hosts and not self.run["filled"]:
            self._fill(hosts)

    def _await_rest(self) -> None:
        """A server goes on with a point whose client was killed."""
        rest = self.run.pop("busy_until", 0) - time.time()
        longest = self.options["ramp_s"] + self.options["runtime_s"]
        if rest > 0:
            rest = min(rest, longest)
            self.progress.line(f"waiting {show_span(rest)} for the point that "
                               "the servers may still be at")
            time.sleep(rest)

    def _fill(self, hosts: List[Host]) -> None:
        size = self.options["size"]
        output = self.store.directory / "fill.json"
        jobs = {one: hosts_job.write(self._file(one, "fill.fio"),
                                     hosts_job.fill_job(one, self.options))
                for one in hosts}
        call = hosts_job.call(self.options["fio"], jobs, True,
                              part_of(output), 600 + size / SLOWEST)
        self.progress.line(f"filling {show_size(size)} on each of "
                           f"{len(hosts)} hosts")
        log = output.with_suffix(".log")
        ending = fio.run(call, log)
        try:
            parts = hosts_result.judge(
                ending, part_of(output), log, call.timeout_s,
                {one: {} for one in hosts}, self.servers, None)
        except verdict.NoResult as why:
            raise system_error(f"filling failed: {why} (see {log})") from why
        if _failures(parts):
            raise system_error(f"filling failed: {_failures(parts)} "
                               f"(see {log})")
        publish(part_of(output), output)
        self.run["filled"] = {"bytes": size * len(hosts),
                              "seconds": round(ending.seconds, 1)}
        self.progress.line(f"filled in {show_span(ending.seconds)}")
        self.save()

    # -- planning ----------------------------------------------------------

    def _plan_host(self, row: Row, point: Row, host: Host, part: Row) -> None:
        """A host's rate is a share of its own maximum."""
        part.update(state="pending", reason=None, rate="0", asked_iops=None,
                    written_bytes=None)
        if point["load_percent"] == PEAK:
            return
        peak = row["points"][0]["hosts"][self.hosts.index(host)]
        if peak["state"] != "done":
            part.update(state="failed", reason=NO_PEAK, rate=None)
            return
        found = verdict.read_result(
            self._file(host, row["points"][0]["file"]))
        rate = rate_for(self.profiles[row["id"]], found.iops,
                        point["load_percent"])
        part["rate"], part["asked_iops"] = rate.text, rate.asked_iops
        self.check_mix(row, point["load_percent"], rate)

    def plan_point(self, row: Row, point: Row) -> Optional[str]:
        """Set each host's rate; together they are asked for the sum."""
        parts = hosts_run.rows(point, self.hosts)
        for host, part in zip(self.hosts, parts):
            self._plan_host(row, point, host, part)
        asked = [one["asked_iops"] for one in parts if one["asked_iops"]]
        point["asked_iops"] = sum(asked) if asked else None
        return NO_PEAK if all(one["reason"] for one in parts) else None

    # -- measuring ---------------------------------------------------------

    def _present(self, point: Row) -> Dict[Host, Row]:
        """Hosts to be called, with their rows; the others' say why not."""
        for host, part in zip(self.hosts, point["hosts"]):
            if not part["reason"]:
                part["reason"] = self.silent.get(host.name) \
                    or hosts_probe.unreachable(host)
            part["state"] = "failed" if part["reason"] else "pending"
            if part["reason"]:
                # What it may have from an earlier try is not of this one.
                self._file(host, point["file"]).unlink(missing_ok=True)
        found = {host: part for host, part
                 in zip(self.hosts, point["hosts"]) if not part["reason"]}
        if not found:
            raise verdict.TargetGone("no host answers any more: "
                                     + self._why(point))
        return found

    def _why(self, point: Row) -> str:
        return "; ".join(f"{one['name']}: {one['reason']}"
                         for one in point["hosts"] if one["reason"])

    def _call(self, row: Row, point: Row, present: Dict[Host, Row],
              output: Path) -> fio.Call:
        name = str(Path(point["file"]).with_suffix(".fio"))
        profile = self.profiles[row["id"]]
        jobs = {host: hosts_job.write(
            self._file(host, name),
            hosts_job.point_job(profile, host, self.options, part["rate"]))
            for host, part in present.items()}
        return hosts_job.call(self.options["fio"], jobs, profile.destructive,
                              part_of(output), point_limit(self.options))

    def _run(self, point: Row, call: fio.Call, log: Path,
             tick: fio.Tick) -> fio.Ending:
        point["command"], point["environment"] = call.argv, call.variables
        point["started"] = runfile.now()
        # For one who resumes after this runner was killed.
        self.run["busy_until"] = int(
            time.time() + self.options["ramp_s"]
            + self.options["runtime_s"] + 1)
        self.save()
        ending = fio.run(call, log, tick)
        del self.run["busy_until"]
        point["seconds"] = round(ending.seconds, 1)
        return ending

    def _find_silent(self, present: Dict[Host, Row]) -> None:
        """Name the hosts for which a call did not end; all lost its result.

        fio's client prints nothing before the last of its servers is done.
        """
        asked = hosts_probe.for_each(
            list(present), lambda host: hosts_probe.silent(
                self.options["fio"], host))
        silent = {name: why for name, why in asked.items() if why}
        self.silent.update(silent)
        others = (f"fio did not end, as {', '.join(silent)} did not answer"
                  if silent else "fio did not end")
        for host, part in present.items():
            part["state"] = "failed"
            part["reason"] = silent.get(host.name, others)
        for name, why in silent.items():
            self.progress.warn(f"{name} is left out until the run is "
                               f"resumed: {why}")

    def _own_options(self, host: Host, part: Row) -> Row:
        return {"filename": host.fio_name, "rate_iops": part["rate"]}

    def _keep(self, point: Row, host: Host, row: Row,
              part: hosts_result.Part) -> None:
        """The host's result in its own run; none where it has failed."""
        place = self._file(host, point["file"])
        row["state"] = "failed" if part.reason else "done"
        row["reason"] = part.reason
        row["written_bytes"] = part.result.written if part.result else None
        if part.document:
            write_json(place, part.document)
        else:
            place.unlink(missing_ok=True)

    def _judge(self, point: Row, ending: fio.Ending, output: Path, log: Path,
               present: Dict[Host, Row]) -> Parts:
        try:
            return hosts_result.judge(
                ending, part_of(output), log, point_limit(self.options),
                {host: self._own_options(host, part)
                 for host, part in present.items()},
                self.servers, point["runtime_s"])
        except verdict.NoResult as why:
            for host, part in present.items():
                self._keep(point, host, part,
                           hosts_result.Part(reason=str(why)))
            if ending.timed_out:
                self._find_silent(present)
            keep_failure(output, log)
            raise

    def perform(self, row: Row, point: Row, tick: fio.Tick) -> verdict.Result:
        """One call for all hosts; done if each of them has a result."""
        present = self._present(point)
        output = self.store.directory / point["file"]
        output.parent.mkdir(parents=True, exist_ok=True)
        log = output.with_suffix(".log")
        call = self._call(row, point, present, output)
        ending = self._run(point, call, log, tick)
        parts = self._judge(point, ending, output, log, present)
        for host, own in present.items():
            self._keep(point, host, own, parts[host.name])
        if self._why(point):
            output.unlink(missing_ok=True)
            keep_failure(output, log)
            self._tell_kept(point, parts)
            raise verdict.NoResult(self._why(point))
        self._publish(output)
        result = hosts_result.together(
            [one.result for one in parts.values() if one.result])
        point["written_bytes"] = result.written
        return result

    def _tell_kept(self, point: Row, parts: Parts) -> None:
        for name, one in parts.items():
            if one.result:
                self.progress.line(
                    f"  {point_name(point['load_percent']):>4}  {name} alone "
                    f"achieved {one.result.iops:,.0f} IOPS; kept")

    def _publish(self, output: Path) -> None:
        """The document without the lines of the servers, which the log gets.
        """
        part = part_of(output)
        text = verdict.read_text(part)
        try:
            part.write_text(hosts_result.without_text(text), encoding="utf-8")
            with open(output.with_suffix(".log"), "a",
                      encoding="utf-8") as log:
                log.write(text[:text.index("\n{") + 1]
                          if not text.startswith("{") else "")
        except OSError as err:
            raise system_error(f"{err.filename or part}: {err.strerror}"
                               ) from err
        publish(part, output)
        output.with_suffix(".failed.txt").unlink(missing_ok=True)

    # -- ending ------------------------------------------------------------

    def finish(self, state: str) -> None:
        """Record the end; what was made on the hosts stays there."""
        self.run["state"], self.run["finished"] = state, runfile.now()
        self.save()
        made = [one.full_name for one in self.hosts if not one.existed]
        if state == "complete" and made and self.run["filled"]:
            self.progress.line("left on the hosts: " + ", ".join(made))
