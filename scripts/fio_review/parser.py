# SPDX-License-Identifier: GPL-2.0-only
"""What the command line may hold; help, manual page and completion read it."""
import argparse
from typing import Any, Dict, Tuple

from . import VERSION, purge
from .admission import FILLS
from .app import options as applications
from .errors import USAGE

Commands = Dict[str, argparse.ArgumentParser]

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
  Two drives at the same time, to compare them:
    fio-review run --target /mnt/a/test.dat --target /mnt/b/test.dat \\
        --at-once --profiles four-corners --out both
  Two drives, then a RAID0 set of them (ALL DATA ON BOTH ARE LOST):
    fio-review raid0 --target /dev/sdb --target /dev/sdc \\
        --destroy-data-on /dev/sdb --destroy-data-on /dev/sdc \\
        --profiles four-corners --out raid0
  A real application on a directory of the drive:
    fio-review app sysbench-fileio --dir /mnt/ssd/empty --out my-ssd-app
  Three machines together, on each of which "fio --server" runs:
    fio-review run --hosts hosts.txt --target /mnt/ssd/test.dat \\
        --profiles four-corners --out three
  Go on after an interruption:
    fio-review run --resume --out my-ssd

exit codes: 0 ok, 1 a measurement failed, 2 usage or refused, 3 input not
understood, 4 system error (no fio, no space), 130 interrupted
"""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> None:  # type: ignore[override]
        self.exit(USAGE, f"fio-review: {message} (see {self.prog} --help)\n")


def _add_run(commands: Any) -> argparse.ArgumentParser:
    run = commands.add_parser(
        "run", help="measure load curves", epilog=EXAMPLES,
        description="Measure the maximum of each profile, then points at a "
                    "share of it.", argument_default=argparse.SUPPRESS,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    _add_run_options(run.add_argument)
    add = run.add_argument
    add("--hosts", metavar="FILE", help="measure on other machines at once, "
        "each with a fio server: lines of NAME ADDRESS[:PORT] [TARGET]")
    add("--purge", choices=purge.KINDS, help="erase all of a block device "
        "first, by this command; needs --destroy-data-on")
    add("--states", metavar="LIST", help="measure in several states of a "
        "block device, each a run in RUN/STATE: clean (only the region is "
        "written first; purged first with --purge), filled-90 (90%% of the "
        "capacity is)")
    add("--at-once", action="store_true", help="measure several targets at the "
        "same time")
    return run


def _add_raid0(commands: Any) -> argparse.ArgumentParser:
    raid = commands.add_parser(
        "raid0", help="compare drives with an md set of them",
        description="Measure each target, then an md RAID0 set of all of them, "
                    "which is taken apart afterwards. ALL DATA ON THEM ARE "
                    "LOST. Takes the options of run.",
        argument_default=argparse.SUPPRESS,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    _add_run_options(raid.add_argument)
    raid.add_argument("--chunk", metavar="SIZE", help="of the set (default "
                      "512K)")
    return raid


def _add_run_options(add: Any) -> None:
    """What a run can be told, by itself or as one of several."""
    add("--out", metavar="RUN", required=True, help="run directory to make")
    add("--target", metavar="PATH", action="append", help="file (made if it "
        "does not exist) or block device; several, one after the other, each "
        "into RUN/NAME")
    add("--profiles", metavar="LIST", help="groups or profiles, with commas: "
        "four-corners,group/name; all: those for any I/O engine")
    add("--destroy-data-on", metavar="DEVICE", action="append",
        help="consent to lose all data on this block device, which must be "
        "the target; with --hosts HOST:TARGET, once for each that exists")
    add("--quick", action="store_true", help="2 s a point after 0.5 s of ramp")
    add("--points", metavar="P", help="loads in percent of the maximum: "
        "10,50,100 or 10-120:10 (default 10-120:10)")
    add("--runtime", metavar="S", help="seconds a point (default 30)")
    add("--ramp", metavar="S", help="seconds before each point that do not "
        "count (default 5)")
    add("--size", metavar="SIZE", help="region from the start: 4G, or 25%% of "
        "a device (default: new file 1G, device 25%%)")
    add("--fill", choices=("none", *FILLS), help="what to write first on a "
        "block device (default: device if the profiles write or it was "
        "purged, else none)")
    add("--precondition", action="store_true", help="before each profile that "
        "writes, rounds of its load at full speed until SNIA's steady state, "
        "at most 25")
    add("--round", metavar="S", help="seconds a round of preconditioning "
        "(default 60)")
    add("--settle", metavar="S", help="seconds of rest before a point or "
        "round, once the drive has been at work (default 0)")
    add("--label", metavar="TEXT", help="name of the drive in reports "
        "(default: its model)")
    add("--ioengine", metavar="NAME", help="fio's I/O engine (default psync), "
        "or the file of an external one: PATH/NAME.so")
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
    add("--no-smart", dest="smart", action="store_false", help="do not ask a "
        "whole device by smartctl before, between and after the points")
    add("--temperature", choices=("auto", "always", "off"), help="read the "
        "drive's sensor (hwmon): auto each second of an NVMe drive, and of a "
        "SATA drive, whose queue it disturbs, only between the points; always "
        "each second (default auto)")
    add("--redact", action="store_true", help="hide serial numbers, other "
        "unique names of the drive, and the host's name in all files of RUN")
    add("--tbw", metavar="BYTES", help="rated endurance of the drive, decimal "
        "as in its data sheet (600T): tell what share the run has used")
    add("--fio", metavar="PATH", help="fio program to use")
    add("--jobfiles", metavar="DIR", help="profiles of your own: "
        "DIR/GROUP/NAME.fio")
    add("--dry-run", action="store_true", help="print the plan and every "
        "command, touch nothing")
    add("--resume", action="store_true", help="continue the run in RUN: "
        "failed and missing points")


def _add_app(commands: Any) -> argparse.ArgumentParser:
    app = commands.add_parser(
        "app", help="measure real applications",
        description="Run a real application on a directory of the drive: "
                    + ", ".join(applications.names())
                    + ". The same call goes on after an interruption.",
        argument_default=argparse.SUPPRESS,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    add = app.add_argument
    add("application", choices=applications.names(), metavar="APPLICATION",
        help=", ".join(applications.names()))
    add("--dir", metavar="DIR", required=True, help="an empty directory on "
        "the drive, or one that this command has filled before")
    add("--out", metavar="RUN", required=True, help="run directory to make, "
        "or one with results of other applications in DIR")
    add("--reviews", action="store_true", help="the reviews' shape: hours, "
        "and hundreds of gigabytes")
    for name, option in applications.OPTIONS.items():
        add("--" + name.replace("_", "-"), metavar=option.metavar,
            help=applications.help_of(name))
    add("--label", metavar="TEXT", help="name of the drive in reports "
        "(default: its model)")
    add("--user", metavar="NAME", help="whom a server runs as when the caller "
        "is root (default: mysql, postgres)")
    add("--keep", dest="keep", action="store_true", help="keep the data in "
        "DIR (default)")
    add("--remove", dest="keep", action="store_false", help="remove the data "
        "when all is measured")
    add("--fio", metavar="PATH", help="fio program to use")
    add("--dry-run", action="store_true", help="print the plan, touch nothing")
    return app


def build() -> Tuple[argparse.ArgumentParser, Commands]:
    """The parser of the program, and those of its commands by name."""
    parser = _Parser(
        prog="fio-review", description="Measure a drive the way reviews do: "
        "load curves by fio.", epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--version", action="version",
                        version=f"fio-review {VERSION}")
    parser.add_argument("--man", action="store_true",
                        help="print the manual page and end")
    parser.add_argument("--completion", choices=("bash",),
                        help="print the shell completion and end")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND",
                                     required=False, parser_class=_Parser)
    run = _add_run(commands)
    listing = commands.add_parser("list", help="show the profiles")
    listing.add_argument("--json", action="store_true",
                         help="machine-readable")
    listing.add_argument("--jobfiles", metavar="DIR",
                         help="profiles of your own")
    app = _add_app(commands)
    raid = _add_raid0(commands)
    return parser, {"run": run, "list": listing, "app": app, "raid0": raid}
