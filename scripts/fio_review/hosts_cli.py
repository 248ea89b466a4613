# SPDX-License-Identifier: GPL-2.0-only
"""fio-review run --hosts: what is asked, refused, planned and begun."""
import shlex
from pathlib import Path
from typing import Any, Dict, Iterator, List, Optional, Tuple

from . import (briefing, fio, hosts, hosts_job, hosts_probe, hosts_run,
               hosts_session, options as opts, profile as profiles_, runcheck,
               runfile, session)
from .errors import refuse
from .hosts import Host
from .plan import PEAK, point_name
from .profile import Profile
from .target import DEFAULT_FILE_SIZE
from .units import MIB, parse_size, show_size

Row = Dict[str, Any]
UNCHECKED = ("the targets are on other machines: not checked whether they "
             "are mounted, in use, part of a set, on the medium, or measured "
             "by others at the same time")


def _size(text: Optional[str]) -> Optional[int]:
    """The region in bytes, if it is named."""
    if text is None:
        return None
    if text.endswith("%"):
        raise refuse("--size in percent: with --hosts the capacity is not "
                     "known; name it in bytes, as 4G")
    size = parse_size(text) // MIB * MIB
    if size < MIB:
        raise refuse(f"a region of {text} is too small: at least 1 MiB is "
                     "needed")
    return size


def _complete(given: Row, chosen: List[Profile]) -> Row:
    """Options in effect for a new run, but for the size."""
    options = {**opts.DEFAULTS, **given}
    if isinstance(options["points"], str):
        options["points"] = opts.plan.parse_points(options["points"])
    if given.get("fill") in ("device", "90%"):
        raise refuse(f"--fill {given['fill']}: with --hosts the capacity is not known; "
                     "name the bytes by --size, and --fill region")
    if not options["keep"]:
        raise refuse("--remove: nothing is removed on other machines")
    for key, word in (("tbw", "--tbw"), ("redact", "--redact"),
                      ("precondition", "--precondition"), ("purge", "--purge"),
                      ("settle_s", "--settle")):
        if given.get(key):
            raise refuse(f"{word} is not to be had with --hosts")
    for one in chosen:
        if one.single:
            raise refuse(f"{one.id} is one call of fio and no curve; leave it "
                         "out with --hosts")
        if len(one.streams) > 1:
            raise refuse(f"{one.id} has several streams, whose shares are not "
                         "found on several hosts; leave it out with --hosts")
    writes = any(one.destructive for one in chosen)
    options.setdefault("fill", "region" if writes else "none")
    options["profiles"] = [one.id for one in chosen]
    options.setdefault("jobfiles", None)
    # Another machine has no target here, and nothing asks its drive.
    options["target"], options["smart"] = None, False
    options["temperature"] = "off"
    options["direct_used"] = 0 if options["direct"] == "0" else 1
    return options


def _writes(chosen: List[Profile], options: Row) -> bool:
    """Is anything overwritten that was there before?"""
    return (any(one.destructive for one in chosen)
            or options["fill"] != "none")


def _check_program(options: Row, chosen: List[Profile]) -> str:
    """The client's version; refuses what it could not do anywhere."""
    profiles_.check_engine(chosen, options["ioengine"])
    options["fio"] = fio.find(options.get("fio"))
    version = fio.version(options["fio"])
    # An engine in a file need only be there on the hosts.
    if "/" not in options["ioengine"]:
        fio.check_engine(options["fio"], options["ioengine"])
    return version


class Request:
    """A run on several hosts, gathered from the command line and by asking.
    """

    def __init__(self, base: Any):
        self.base = base
        self.file: str = base.args["hosts"]
        self.about: Dict[str, Optional[Row]] = {}
        self.version = ""

    def _read(self) -> List[Host]:
        return hosts.read(self.file, self.base.args.get("target"))

    def _ask(self, found: List[Host], options: Row, size: Optional[int],
             made_whole: bool = True) -> Dict[str, hosts_probe.Found]:
        answers = hosts_probe.for_each(
            found, lambda host: hosts_probe.look(
                options["fio"], host, options, size,
                made_whole or host.existed))
        self.about = {name: one.about for name, one in answers.items()}
        self._compare_versions()
        return answers

    def _compare_versions(self) -> None:
        known = {name: (one or {}).get("fio", self.version)
                 for name, one in self.about.items()}
        if set(known.values()) != {self.version}:
            self.base.progress.warn(
                f"not the same fio everywhere: {self.version} here, "
                + ", ".join(f"{one} on {name}"
                            for name, one in known.items()))

    @property
    def servers(self) -> Dict[str, str]:
        """By host, the name that its fio puts before what it prints."""
        return {name: (one or {}).get("hostname", "")
                for name, one in self.about.items()}

    def fresh(self) -> Tuple[Row, List[Profile], List[Host]]:
        """Options, profiles and hosts of a new run; nothing is written."""
        base = self.base
        if not base.args.get("profiles"):
            raise refuse("--profiles is missing (see fio-review run --help)")
        chosen = base.profiles(base.given, base.names())
        found = self._read()
        options = _complete(base.given, chosen)
        self.version = _check_program(options, chosen)
        size = _size(base.args.get("size"))
        answers = self._ask(found, options, size)
        found = [Host(**{**one.row, "existed": answers[one.name].exists})
                 for one in found]
        hosts.check_consent(found, base.consents, _writes(chosen, options))
        before = [one.full_name for one in found if one.existed]
        if before and size is None:
            raise refuse(f"--size is missing: how large {before[0]} is can't "
                         "be seen from here")
        options["size"] = size or DEFAULT_FILE_SIZE
        options["hosts"] = [one.row for one in found]
        options["destroy_data_on"] = base.consents
        self._check_jobs(options, chosen)
        return options, chosen, found

    def _check_jobs(self, options: Row, chosen: List[Profile]) -> None:
        if "/" in options["ioengine"]:
            return
        for one in chosen:
            host = hosts_run.hosts_of(options)[0]
            fio.check_jobfile(
                options["fio"], one.path, one.destructive,
                session.variables(one, host, options, "0"))

    def stored(self, run: Row) -> Tuple[Row, List[Profile], List[Host]]:
        """The same of a run that goes on; refuses what contradicts."""
        base, options = self.base, run["options"]
        given = {key: value for key, value in base.given.items()
                 if key not in ("target", "smart", "temperature")}
        if "fio" in given:
            given["fio"] = fio.find(given["fio"])
        opts.check_resume(options, given)
        opts.check_named_again(options, given, fio.installed(),
                               str(profiles_.jobfiles_dir()))
        chosen = base.profiles(options, options["profiles"])
        runcheck.check_points(run, chosen, base.store.path)
        found = hosts_run.hosts_of(options)
        self._check_same(found)
        size = _size(base.args.get("size"))
        if size:
            opts.check_resume(options, {"size": size})
        hosts.check_consent(found, base.consents, _writes(chosen, options))
        self.version = _check_program(options, chosen)
        return options, chosen, found

    def ask_again(self, found: List[Host], options: Row, run: Row) -> None:
        """Look at the targets of a run that goes on.

        What is gone is not made again once it was filled: more likely than
        the file its file system is missing.
        """
        answers = self._ask(found, options, options["size"],
                            bool(run["filled"]))
        for one in found:
            if answers[one.name].exists or not (one.existed or run["filled"]):
                continue
            raise refuse(f"{one.full_name} is gone, the target of this run; "
                         "is its file system mounted?")

    def _check_same(self, found: List[Host]) -> None:
        """Where to write is said by the user, each time, not by run.json."""
        named = [{**one.row, "existed": None} for one in self._read()]
        if named != [{**one.row, "existed": None} for one in found]:
            raise refuse(f"{self.file} names other hosts or targets than the "
                         "run was started with: "
                         + ", ".join(f"{one.full_name} at {one.place}"
                                     for one in found))


def plan_lines(chosen: List[Profile], found: List[Host],
               options: Row) -> Iterator[str]:
    """The plan: hosts, targets, profiles, points, time, bytes written."""
    direct = "O_DIRECT" if options["direct_used"] else "BUFFERED I/O"
    for one in found:
        what = "there" if one.existed else "new file"
        yield f"host       {one.name} at {one.place}: {one.target} ({what})"
    yield (f"region     {show_size(options['size'])} from the start of each, "
           f"{direct}")
    yield from briefing.profile_lines(chosen)
    filled = hosts_session.to_fill(found, options)
    yield briefing.loads_line(options)
    yield (briefing.points_line(chosen, options)
           + (", and the time to fill" if filled else ""))
    if filled:
        yield (f"filled     {show_size(options['size'])} on each of "
               + ", ".join(one.name for one in filled))
    if _writes(chosen, options):
        for one in found:
            if one.existed:
                yield (f"DATA LOSS: the first {show_size(options['size'])} of "
                       f"{one.full_name} will be overwritten")


def _show_plan(request: Request, chosen: List[Profile], found: List[Host],
               options: Row) -> None:
    progress = request.base.progress
    for line in plan_lines(chosen, found, options):
        progress.line(line, "red" if line.startswith("DATA LOSS") else "")
    progress.warn(UNCHECKED)


def start(base: Any) -> hosts_session.HostsSession:
    """A new run, of which nothing is measured yet."""
    request = Request(base)
    options, chosen, found = request.fresh()
    _show_plan(request, chosen, found, options)
    base.store.create()
    run = runfile.new_run(chosen, options)
    run["label"] = run["label"] or f"{len(found)} hosts together"
    run["facts"] = hosts_run.shared_facts(found, request.version, options,
                                          run["started"])
    run["host_facts"] = {
        one.name: hosts_run.host_facts(one, request.about[one.name], options,
                                       run["started"]) for one in found}
    for _, point in runfile.points(run):
        hosts_run.rows(point, found)
    return hosts_session.HostsSession(base.store, run, chosen,
                                      request.servers, base.progress)


def check_kind(base: Any, run: Row) -> None:
    """A run on hosts goes on with their file, another one without."""
    if run.get("part_of"):
        raise refuse(f"{base.store.directory} is one host's part of a run; "
                     "resume the whole run")
    if bool(run["options"].get("hosts")) != ("hosts" in base.args):
        raise refuse("name the file of the hosts again: --hosts FILE"
                     if run["options"].get("hosts") else
                     "--hosts: the run was started on this machine")


def resume(base: Any, run: Row) -> hosts_session.HostsSession:
    """A run that goes on; the store is locked."""
    request = Request(base)
    options, chosen, found = request.stored(run)
    base.store.discard_parts()
    runfile.reset_for_resume(run)
    for name in hosts_run.forget_unusable(run, base.store.directory, found):
        base.progress.warn(f"{name} is damaged and will be measured again")
    done, _, total = runfile.counts(run)
    request.ask_again(found, options, run)
    base.progress.line(f"resuming {base.store.directory}: {done} of {total} "
                       "points are there")
    return hosts_session.HostsSession(base.store, run, chosen,
                                      request.servers, base.progress)


def dry_run(base: Any) -> None:
    """Print the plan and the commands; the hosts are only asked."""
    request = Request(base)
    options, chosen, found = request.fresh()
    for line in plan_lines(chosen, found, options):
        base.progress.line(f"# {line}")
    base.progress.line(f"# {UNCHECKED}")
    for line in command_lines(chosen, found, options, base.store.directory):
        base.progress.line(line)


def command_lines(chosen: List[Profile], found: List[Host], options: Row,
                  root: Path) -> Iterator[str]:
    """Every fio command of the run, for a shell; the jobs as they are sent.
    """
    for profile in chosen:
        for load in [PEAK] + options["points"]:
            name = f"{profile.id}/{point_name(load)}"
            jobs = {}
            for one in found:
                jobs[one] = (hosts_run.directory(root, one.name)
                             / f"{name}.fio")
                rate = "0" if load == PEAK else f"<{load} % of the peak>"
                yield f"mkdir -p {shlex.quote(str(jobs[one].parent))}"
                yield f"cat > {shlex.quote(str(jobs[one]))} <<'END-OF-JOB'"
                yield hosts_job.point_job(profile, one, options, rate)
                yield "END-OF-JOB"
            output = root / f"{name}.json"
            yield f"mkdir -p {shlex.quote(str(output.parent))}"
            yield hosts_job.call(options["fio"], jobs, profile.destructive,
                                 session.part_of(output), 0).shell()
