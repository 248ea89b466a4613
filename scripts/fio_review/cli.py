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

from . import (VERSION, admission, briefing, facts, fio, options as opts,
               profile as profiles_, runfile, session as sessions)
from .blockdev import System
from .errors import (INTERRUPTED, OK, POINT_FAILED, SYSTEM, USAGE, Interrupted,
                     ReviewError, Stopped, refuse)
from .progress import Progress
from .store import Store
from .target import Target, region_size, resolve

Row = Dict[str, Any]

EXAMPLES = """\
examples:
  A look at what there is:
    fio-review list
  A quick curve on a new file (made, filled, removed afterwards):
    fio-review run --target /mnt/ssd/test.dat --profiles four-corners \\
        --quick --remove --out my-ssd
  The commands only, nothing is touched:
    fio-review run --target /mnt/ssd/test.dat --profiles four-corners \\
        --out my-ssd --dry-run
  A whole drive, as the reviews do (ALL DATA ON IT ARE LOST):
    fio-review run --target /dev/nvme1n1 --destroy-data-on /dev/nvme1n1 \\
        --profiles four-corners --label "My drive" --out my-drive
  Go on after an interruption:
    fio-review run --resume --out my-ssd

exit codes: 0 ok, 1 a point failed, 2 usage or refused, 3 input not
understood, 4 system error (no fio, no space), 130 interrupted
"""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> None:  # type: ignore[override]
        self.exit(USAGE, f"fio-review: {message} (see {self.prog} --help)\n")


def _add_run(commands: Any) -> None:
    run = commands.add_parser(
        "run", help="measure load curves", epilog=EXAMPLES,
        description="Measure the maximum of each profile, then points at a "
                    "share of it.", argument_default=argparse.SUPPRESS,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    add = run.add_argument
    add("--out", metavar="RUN", required=True, help="run directory to make")
    add("--target", metavar="PATH", help="file (made if it does not exist) or "
        "block device")
    add("--profiles", metavar="LIST", help="groups or profiles, with commas: "
        "four-corners,group/name")
    add("--destroy-data-on", metavar="DEVICE", help="consent to lose all data "
        "on this block device, which must be the target")
    add("--quick", action="store_true", help="2 s a point after 0.5 s of ramp")
    add("--points", metavar="P", help="loads in percent of the maximum: "
        "10,50,100 or 10-120:10 (default 10-120:10)")
    add("--runtime", metavar="S", help="seconds a point (default 30)")
    add("--ramp", metavar="S", help="seconds before each point that do not "
        "count (default 5)")
    add("--size", metavar="SIZE", help="region from the start: 4G, or 25%% of "
        "a device (default: new file 1G, device 25%%)")
    add("--fill", choices=("none", "region", "device"), help="what to write "
        "first on a block device (default: device if the profiles write, "
        "else none)")
    add("--label", metavar="TEXT", help="name of the run in reports")
    add("--ioengine", metavar="NAME", help="fio's I/O engine (default psync)")
    add("--direct", choices=("auto", "0", "1"), help="O_DIRECT: auto falls "
        "back to buffered I/O with a warning (default auto)")
    add("--on-failure", choices=("continue", "stop"), help="after a failed "
        "point (default continue)")
    add("--timeout", metavar="S", help="how long fio may take beyond ramp and "
        "runtime before it is stopped (default 60)")
    add("--keep", dest="keep", action="store_true", help="keep the file that "
        "was made (default)")
    add("--remove", dest="keep", action="store_false", help="remove the file "
        "that was made when the run is complete")
    add("--fio", metavar="PATH", help="fio program to use")
    add("--jobfiles", metavar="DIR", help="profiles of your own: "
        "DIR/GROUP/NAME.fio")
    add("--dry-run", action="store_true", help="print the plan and every "
        "command, touch nothing")
    add("--resume", action="store_true", help="continue the run in RUN: "
        "failed and missing points")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="fio-review", description="Measure a drive the way reviews do: "
        "load curves by fio.", epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--version", action="version",
                        version=f"fio-review {VERSION}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND",
                                     required=True, parser_class=_Parser)
    _add_run(commands)
    listing = commands.add_parser("list", help="show the profiles")
    listing.add_argument("--json", action="store_true",
                         help="machine-readable")
    listing.add_argument("--jobfiles", metavar="DIR",
                         help="profiles of your own")
    return parser


# -- list ----------------------------------------------------------------

def _list_row(one: profiles_.Profile) -> Row:
    return {"id": one.id, "title": one.title, "goal": one.goal,
            "device": one.device, "destructive": one.destructive,
            "outstanding": one.outstanding, "minutes": one.minutes,
            "method": one.method, "confidence": one.confidence,
            "source": one.source, "reading": one.reading}


def _list(args: argparse.Namespace) -> int:
    jobfiles = Path(args.jobfiles) if args.jobfiles \
        else profiles_.jobfiles_dir()
    rows = [_list_row(profiles_.load(jobfiles / f"{one}.fio", one))
            for one in profiles_.find_ids(jobfiles)]
    if args.json:
        print(json.dumps(rows, indent=2))
        return OK
    head = ("PROFILE", "TITLE", "DATA ON TARGET", "N", "MINUTES")
    table = [head] + [
        (row["id"], row["title"],
         "OVERWRITTEN" if row["destructive"] else "only read",
         str(row["outstanding"]), f"{row['minutes']:g}") for row in rows]
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
        self.fio_version = ""
        self.consent: Optional[str] = self.args.get("destroy_data_on")

    def _profiles(self, options: Row, names: List[str]
                  ) -> List[profiles_.Profile]:
        place = options.get("jobfiles")
        jobfiles = Path(place) if place else profiles_.jobfiles_dir()
        return profiles_.select(jobfiles, names)

    def _names(self) -> List[str]:
        return [one for one in self.args["profiles"].split(",") if one]

    def fresh(self) -> Tuple[Row, List[profiles_.Profile], Target]:
        """Options, profiles and target of a new run."""
        for name in ("target", "profiles"):
            if not self.args.get(name):
                raise refuse(f"--{name} is missing (see fio-review run "
                             "--help)")
        chosen = self._profiles(self.given, self._names())
        target = resolve(self.args["target"], self.system)
        options = opts.complete(self.given, target, chosen)
        options.setdefault("jobfiles", None)
        options["destroy_data_on"] = self.consent
        return options, chosen, target

    def stored(self, run: Row) -> Tuple[Row, List[profiles_.Profile], Target]:
        """The same of a run that is continued; refuses what contradicts."""
        options = run["options"]
        chosen = self._profiles(options, options["profiles"])
        given = dict(self.given)
        if "fio" in given:
            given["fio"] = fio.find(given["fio"])
        if self.args.get("profiles"):
            given["profiles"] = [
                one.id for one in self._profiles(options, self._names())]
        opts.check_resume(options, given)
        target = resolve(options["target"], self.system)
        if "size" in self.args:
            opts.check_resume_size(options, self.args["size"],
                                   target.capacity)
        if run["identity"] != facts.identity(target):
            raise refuse(f"{target.path} is not the device that the run was "
                         f"started on ({run['identity']} then, "
                         f"{facts.identity(target)} now)")
        return options, chosen, target

    def admit(self, options: Row, chosen: List[profiles_.Profile],
              target: Target, made: Optional[Row]) -> None:
        """All checks that need nothing to be written."""
        for text in admission.admit(target, chosen, options, self.consent,
                                    made, self.system):
            self.progress.warn(text)
        # Only now: a target that must not be touched is refused for that.
        if "size" not in options:
            options["size"] = region_size(target, self.args.get("size"))
        options["fio"] = fio.find(options.get("fio"))
        self.fio_version = fio.version(options["fio"])
        fio.check_engine(options["fio"], options["ioengine"])
        if "direct_used" not in options:
            options["direct_used"] = admission.choose_direct(
                target, options["direct"])
        for one in chosen:
            fio.check_jobfile(options["fio"], one.path, sessions.variables(
                one, target, options, "0"))
        if not options["direct_used"]:
            self.progress.warn(
                "buffered I/O: the page cache is measured with the target, "
                "and the figures do not compare with a review's")


def _show_plan(request: _Request, options: Row,
               chosen: List[profiles_.Profile], target: Target) -> None:
    writes = admission.writes_target(chosen, options)
    for line in briefing.plan_lines(chosen, target, options, writes,
                                    request.system):
        request.progress.line(line, "red" if line.startswith("DATA LOSS")
                              else "")


def _dry_run(request: _Request) -> int:
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


def _start(request: _Request) -> sessions.Session:
    options, chosen, target = request.fresh()
    request.admit(options, chosen, target, None)
    fill = "not filled by this run"
    if not target.is_device:
        if target.exists:
            fill = admission.file_fill(target, options)
        else:
            sessions.targets.check_space(target.path, options["size"])
    _show_plan(request, options, chosen, target)
    request.store.create()
    run = runfile.new_run(chosen, options)
    run["identity"] = facts.identity(target)
    run["facts"] = facts.collect(target, options, request.fio_version, fill,
                                  run["started"], request.system)
    return sessions.Session(request.store, run, chosen, target,
                            request.system, request.progress)


def _resume(request: _Request) -> sessions.Session:
    store = request.store
    run = store.read()
    store.lock()
    run = store.read()
    options, chosen, target = request.stored(run)
    request.admit(options, chosen, target, run["made"])
    store.discard_parts()
    runfile.reset_for_resume(run)
    for name in sessions.forget_unusable(run, store.directory):
        request.progress.warn(f"{name} is damaged and will be measured again")
    done, _, total = runfile.counts(run)
    request.progress.line(f"resuming {store.directory}: {done} of {total} "
                          "points are there")
    return sessions.Session(store, run, chosen, target, request.system,
                            request.progress)


def _prepare(session: sessions.Session) -> None:
    """Bring the target into the state that the points need."""
    target, options, run = session.target, session.options, session.run
    session.save()
    if target.is_device:
        if admission.writes_target(list(session.profiles.values()), options):
            session.claim_device()
    elif not target.exists:
        session.make_file()
    session.fill()
    if target.is_device:
        if run["filled"]:
            session.note_fill("written once over "
                              + ("its whole capacity"
                                 if options["fill"] == "device"
                                 else "the region"))
        return
    target.capacity = os.stat(target.path).st_size
    session.note_fill(admission.file_fill(target, options))


def _resume_command(request: _Request) -> str:
    words = ["fio-review", "run", "--resume", "--out",
             str(request.store.directory)]
    if request.consent:
        words += ["--destroy-data-on", request.consent]
    return " ".join(shlex.quote(one) for one in words)


def _work(request: _Request, session: sessions.Session) -> int:
    try:
        if session.has_pending():
            _prepare(session)
            session.measure_all()
        session.finish("complete")
    except Interrupted as why:
        session.finish("interrupted")
        request.progress.line(f"{why}; to go on:\n  "
                              f"{_resume_command(request)}", "yellow")
        return POINT_FAILED if isinstance(why, Stopped) else INTERRUPTED
    except ReviewError:
        session.finish("interrupted")
        raise
    finally:
        session.release()
    done, failed, total = runfile.counts(session.run)
    request.progress.line(f"{done} of {total} points measured: "
                          f"{request.store.directory}")
    if failed:
        request.progress.line(f"{failed} failed; to try them again:\n  "
                              f"{_resume_command(request)}", "red")
    return POINT_FAILED if failed else OK


def _on_signal(number: int, _frame: object) -> None:
    raise Interrupted(f"interrupted by {signal.Signals(number).name}")


def _run(args: argparse.Namespace) -> int:
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _on_signal)
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
        request.store.release()


def main(argv: List[str]) -> int:
    """Run a command; returns the exit code."""
    args = _parser().parse_args(argv)
    try:
        return _list(args) if args.command == "list" else _run(args)
    except ReviewError as err:
        print(f"fio-review: {err}".encode("utf-8", "backslashreplace")
              .decode(), file=sys.stderr)
        return err.code
    except (Interrupted, KeyboardInterrupt):
        print("fio-review: interrupted", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        # The reader went away (head, less): nothing left to say.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return OK
    except OSError as err:
        print(f"fio-review: {err}", file=sys.stderr)
        return SYSTEM
