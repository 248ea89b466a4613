# SPDX-License-Identifier: GPL-2.0-only
"""The command line: run, list, --help, --version."""
import argparse
import json
import os
import shlex
import signal
import sys
from pathlib import Path
from typing import Any, Dict, List, Optional, Tuple

from . import (admission, briefing, expect, facts, fio, hosts_cli, manual,
               options as opts, ownership, parser, precondition,
               profile as profiles_, purge, raid0, redact, runcheck, runfile,
               session as sessions, several, states)
from .app import command as applications
from .blockdev import System
from .errors import (INTERRUPTED, OK, POINT_FAILED, SYSTEM, Interrupted,
                     ReviewError, Stopped, bad_input, refuse)
from .hold import Hold
from .loop import Loop
from .progress import Progress
from .store import Store
from .target import Target, region_size, resolve

Row = Dict[str, Any]

# -- list ----------------------------------------------------------------

def _list_row(one: profiles_.Profile) -> Row:
    return {"id": one.id, "title": one.title, "goal": one.goal,
            "device": one.device, "destructive": one.destructive,
            "outstanding": one.outstanding, "minutes": one.minutes,
            "method": one.method, "engine": one.engine,
            "kind": "single" if one.single else "curve",
            "written": expect.written_words(one),
            "confidence": one.confidence,
            "source": one.source, "reading": one.reading}


def _list(args: argparse.Namespace) -> int:
    jobfiles = Path(args.jobfiles) if args.jobfiles \
        else profiles_.jobfiles_dir()
    rows = [_list_row(profiles_.load(jobfiles / f"{one}.fio", one))
            for one in profiles_.find_ids(jobfiles)]
    if args.json:
        print(json.dumps(rows, indent=2))
        return OK
    head = ("PROFILE", "TITLE", "DATA ON TARGET", "WRITTEN", "N", "MINUTES",
            "ENGINE")
    table = [head] + [
        (row["id"], row["title"],
         "OVERWRITTEN" if row["destructive"] else "only read",
         row["written"], str(row["outstanding"]), f"{row['minutes']:g}",
         row["engine"] or "any") for row in rows]
    widths = [max(len(line[i]) for line in table) for i in range(len(head))]
    for line in table:
        print("  ".join(cell.ljust(width) for cell, width
                        in zip(line, widths)).rstrip())
    return OK


# -- run -----------------------------------------------------------------

class _Request:
    """A run's parts, gathered from the command line and the machine."""

    def __init__(self, args: argparse.Namespace, progress: Progress):
        self.args = vars(args)
        self.progress = progress
        self.system = System()
        self.store = Store(Path(os.path.abspath(args.out)))
        self.given = opts.explicit(args)
        self.hold = Hold(self.system)
        self.fio_version = ""
        self.consents: List[str] = self.args.get("destroy_data_on", [])

    @property
    def consent(self) -> Optional[str]:
        """The one device that may be overwritten on this machine."""
        if len(set(self.consents)) > 1:
            raise refuse("--destroy-data-on names more than one device, and "
                         "there is one target")
        return self.consents[0] if self.consents else None

    def profiles(self, options: Row, names: List[str]
                  ) -> List[profiles_.Profile]:
        place = options.get("jobfiles")
        jobfiles = Path(place) if place else profiles_.jobfiles_dir()
        return profiles_.select(jobfiles, names)

    def names(self) -> List[str]:
        return [one for one in self.args["profiles"].split(",") if one]

    def fresh(self) -> Tuple[Row, List[profiles_.Profile], Target]:
        """Options, profiles and target of a new run."""
        for name in ("target", "profiles"):
            if not self.args.get(name):
                raise refuse(f"--{name} is missing (see fio-review run "
                             "--help)")
        chosen = self.profiles(self.given, self.names())
        target = resolve(self.args["target"], self.system)
        options = opts.complete(self.given, target, chosen)
        options.setdefault("jobfiles", None)
        options["destroy_data_on"] = self.consent
        return options, chosen, target

    def stored(self, run: Row) -> Tuple[Row, List[profiles_.Profile], Target]:
        """The same of a run that is continued; refuses what contradicts."""
        options = run["options"]
        given = dict(self.given)
        if "fio" in given:
            given["fio"] = fio.find(given["fio"])
        opts.take_over(options, given)
        opts.check_resume(options, given)
        opts.check_named_again(options, given, fio.installed(),
                               str(profiles_.jobfiles_dir()))
        chosen = self.profiles(options, options["profiles"])
        runcheck.check_points(run, chosen, self.store.path)
        if self.args.get("profiles"):
            given["profiles"] = [
                one.id for one in self.profiles(options, self.names())]
        opts.check_resume(options, given)
        if run["identity"] and not os.path.exists(options["target"]):
            raise refuse(f"{options['target']}, the device of this run, is "
                         "gone; connect it again, then resume")
        target = resolve(options["target"], self.system)
        if "size" in self.args:
            opts.check_resume_size(options, self.args["size"],
                                   target.capacity)
        now = redact.identity(target, run.get("identity_salt"))
        if run["identity"] != now:
            raise refuse(f"{target.path} is not the device that the run was "
                         f"started on ({run['identity']} then, {now} now)")
        if target.is_device and options["size"] > target.capacity:
            raise bad_input(f"{self.store.path} is damaged: its region is "
                            f"larger than {target.path}")
        return options, chosen, target

    def admit(self, options: Row, chosen: List[profiles_.Profile],
              target: Target, made: Optional[Row]) -> None:
        """All checks that need nothing to be written."""
        profiles_.check_engine(chosen, options["ioengine"])
        out = os.path.realpath(self.store.directory)
        if os.path.commonpath((target.path, out)) == out:
            raise refuse(f"{target.path} lies in {out}, where the run's "
                         "results go; name another --out")
        for text in admission.admit(target, chosen, options, self.consent,
                                    made, self.system):
            self.progress.warn(text)
        # Only now: a target that must not be touched is refused for that.
        if "size" not in options:
            options["size"] = region_size(target, self.args.get("size"))
        profiles_.check_region(chosen, options["size"])
        options["fio"] = fio.find(options.get("fio"))
        self.fio_version = fio.version(options["fio"])
        fio.check_engine(options["fio"], options["ioengine"])
        precondition.check(chosen, options)
        if "direct_used" not in options:
            options["direct_used"] = admission.choose_direct(
                target, options["direct"])
        for one in chosen:
            fio.check_jobfile(
                options["fio"], one.path, one.destructive,
                sessions.variables(one, target, options, "0"))
        if not options["direct_used"]:
            self.progress.warn(
                "buffered I/O: the page cache is measured with the target, "
                "and the figures do not compare with a review's")


def _show_plan(request: _Request, options: Row,
               chosen: List[profiles_.Profile], target: Target,
               filled: bool = False) -> None:
    writes = admission.writes_target(chosen, options)
    for line in briefing.plan_lines(chosen, target, options, writes,
                                    request.system, filled):
        request.progress.line(line, "red" if line.startswith("DATA LOSS")
                              else "")


def _dry_run(request: _Request) -> int:
    if "hosts" in request.args:
        hosts_cli.dry_run(request)
        return OK
    options, chosen, target = request.fresh()
    request.admit(options, chosen, target, None)
    if target.exists and not target.is_device:
        admission.file_fill(target, options)
    plan = briefing.plan_lines(
        chosen, target, options, admission.writes_target(chosen, options),
        request.system)
    # As comments, so that the whole output is a script.
    for line in plan:
        request.progress.line(f"# {line}")
    for line in briefing.command_lines(chosen, target, options,
                                       request.store.directory):
        request.progress.line(line)
    return OK


def _start(request: _Request) -> Loop:
    if "hosts" in request.args:
        return hosts_cli.start(request)
    options, chosen, target = request.fresh()
    request.admit(options, chosen, target, None)
    purge.calls(options["purge"], target)
    request.hold.take(target, admission.writes_target(chosen, options))
    fill = "not filled by this run"
    if not target.is_device:
        if target.exists:
            fill = admission.file_fill(target, options)
        else:
            sessions.targets.check_space(target.path, options["size"])
    _show_plan(request, options, chosen, target)
    request.store.create()
    run = runfile.new_run(chosen, options)
    if options["redact"]:
        redact.begin(run, target)
    run["identity"] = redact.identity(target, run["identity_salt"])
    run["facts"] = facts.collect(target, options, request.fio_version, fill,
                                  run["started"], request.system)
    if options["redact"]:
        run["facts"] = redact.hide(run["facts"], target)
    run["label"] = run["label"] or facts.drive_name(run["facts"], target)
    session = sessions.Session(request.store, run, chosen, target,
                               request.hold, request.progress)
    try:
        session.save()
        if not target.exists:
            session.make_file()
    except ReviewError:
        if run["made"]:
            ownership.remove(target.path, run["made"])
        request.store.abandon()
        raise
    return session


def _resume(request: _Request) -> Loop:
    store = request.store
    run = store.read()
    store.lock()
    run = store.read()
    hosts_cli.check_kind(request, run)
    if "hosts" in request.args:
        return hosts_cli.resume(request, run)
    options, chosen, target = request.stored(run)
    request.admit(options, chosen, target, run["made"])
    if not run.get("purged"):
        purge.calls(options["purge"], target)
    store.discard_parts()
    runfile.reset_for_resume(run)
    for name in sessions.forget_unusable(run, store.directory):
        request.progress.warn(f"{name} is damaged and will be measured again")
    done, _, total = runfile.counts(run)
    session = sessions.Session(store, run, chosen, target, request.hold,
                               request.progress)
    writes = admission.writes_target(chosen, options)
    if session.has_pending():
        request.hold.take(target, writes)
        if writes:
            _show_plan(request, options, chosen, target, bool(run["filled"]))
    request.progress.line(f"resuming {store.directory}: {done} of {total} "
                          "points are there")
    return session


def _resume_command(request: _Request, options: Row) -> str:
    # As it was called: the program need not be on the PATH.
    words = [sys.argv[0], "run", "--resume", "--out",
             str(request.store.directory)]
    if "hosts" in request.args:
        words += ["--hosts", os.path.abspath(request.args["hosts"])]
        if "target" in request.args:
            words += ["--target", os.path.realpath(request.args["target"])]
    for one in request.consents:
        words += ["--destroy-data-on", one]
    words += opts.named_again(options, fio.installed(),
                              str(profiles_.jobfiles_dir()))
    return " ".join(shlex.quote(one) for one in words)


def _give_up(request: _Request, session: Loop) -> None:
    """Record the interruption, where anything can still be recorded."""
    try:
        session.finish("interrupted")
    except ReviewError as err:
        request.progress.warn(f"the run's state is not recorded: {err}")


def _work(request: _Request, session: Loop) -> int:
    try:
        if session.has_pending():
            session.prepare()
            session.measure_all()
        session.finish("complete")
    except Interrupted as why:
        _give_up(request, session)
        request.progress.line(f"{why}; to go on:\n  "
                              f"{_resume_command(request, session.options)}",
                              "yellow")
        return POINT_FAILED if isinstance(why, Stopped) else INTERRUPTED
    except (ReviewError, OSError):
        _give_up(request, session)
        request.progress.line(
            "stopped; to go on, once the cause is gone:\n  "
            f"{_resume_command(request, session.options)}", "yellow")
        raise
    done, failed, total = runfile.counts(session.run)
    request.progress.line(f"{done} of {total} points measured: "
                          f"{request.store.directory}")
    if failed:
        request.progress.line(f"{failed} failed; to try them again:\n  "
                              f"{_resume_command(request, session.options)}",
                              "red")
    return POINT_FAILED if failed else OK


def _on_signal(number: int, _frame: object) -> None:
    raise Interrupted(f"interrupted by {signal.Signals(number).name}")


def _catch_signals() -> None:
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _on_signal)


def _app(args: argparse.Namespace) -> int:
    _catch_signals()
    return applications.run(args)


def _raid0(args: argparse.Namespace) -> int:
    _catch_signals()
    return raid0.run(args, parser.build()[1]["run"])


def _run(args: argparse.Namespace) -> int:
    _catch_signals()
    if "hosts" in args and len(getattr(args, "target", [])) > 1:
        raise refuse("--hosts: one --target for all of them, or one in each "
                     "line of the file")
    if "states" in args:
        return states.run(vars(args), parser.build()[1]["run"])
    if several.asked(vars(args)):
        return several.run(vars(args), parser.build()[1]["run"])
    if "target" in args:
        args.target = args.target[0]
    if "at_once" in args:
        raise refuse("--at-once is for more than one --target")
    request = _Request(args, Progress())
    dry, again = request.args.get("dry_run"), request.args.get("resume")
    if dry and again:
        raise refuse("--dry-run and --resume exclude each other")
    if dry:
        return _dry_run(request)
    try:
        session = _resume(request) if again else _start(request)
        return _work(request, session)
    finally:
        request.hold.release()
        request.store.release()


def _complete_streams() -> None:
    """Give a caller who closed standard streams empty ones.

    Else the next file that is opened would become standard output.
    """
    for number, name, mode in ((0, "stdin", "r"), (1, "stdout", "w"),
                               (2, "stderr", "w")):
        if getattr(sys, name) is None:
            fd = os.open(os.devnull, os.O_RDWR)
            if fd != number:
                os.dup2(fd, number)
                os.close(fd)
            setattr(sys, name, open(number, mode, closefd=False))


def _drop_output() -> None:
    """Let the end of the program write to nowhere what nobody takes."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def main(argv: List[str]) -> int:
    """Run a command; returns the exit code."""
    _complete_streams()
    top, commands = parser.build()
    args = top.parse_args(argv)
    try:
        if args.man or args.completion:
            make = manual.man_page if args.man else manual.bash_completion
            print(make(top, commands), end="")
            return OK
        if args.command is None:
            top.error("name a command: " + " or ".join(commands))
        code = {"list": _list, "run": _run, "app": _app,
                "raid0": _raid0}[args.command](args)
        sys.stdout.flush()
        return code
    except ReviewError as err:
        print(f"fio-review: {err}".encode("utf-8", "backslashreplace")
              .decode(), file=sys.stderr)
        return err.code
    except (Interrupted, KeyboardInterrupt):
        print("fio-review: interrupted", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        # The reader went away (head, less): nothing left to say.
        _drop_output()
        return OK
    except OSError as err:
        name = err.filename2 or err.filename
        where = f"{name}: " if name else ""
        print(f"fio-review: {where}{err.strerror or err}"
              .encode("utf-8", "backslashreplace").decode(), file=sys.stderr)
        _drop_output()
        return SYSTEM
