# SPDX-License-Identifier: GPL-2.0-only
"""The command line of check-engine."""
import argparse
import os
import shutil
import sys
import tempfile
import time
from pathlib import Path
from typing import Callable, List, Optional, Tuple

from fio_review.errors import ReviewError, refuse, system_error

from . import data, life
from .bench import Bench
from .fio import Failed, Skipped, shown
from .target import choose, medium_of

Case = Callable[[Bench], None]
CASES: List[Case] = [life.loads] + data.CASES + life.CASES

DESCRIPTION = """\
Checks a fio engine: data written are read back at many block sizes and depths,
errors are told, signals end it, nothing leaks. One line a case. ENGINE is the
path of a shared object or the name of an engine of fio. Options after -- are
given to every fio."""

EPILOG = """\
examples:
  scripts/check-engine build/engines/template.so
  scripts/check-engine libaio -- --direct=1
  scripts/check-engine ./mine.so --only verify_4k,leaks -- --mine_option=3
  scripts/check-engine ./mine.so --target /dev/nvme1n1 \\
      --destroy-data-on /dev/nvme1n1

exit status: 0 all cases pass or are skipped, 1 one fails, 2 usage, 4 no fio"""


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="check-engine", description=DESCRIPTION, epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("engine", metavar="ENGINE", nargs="?")
    parser.add_argument(
        "--target", default=".", metavar="DIR|FILE|DEVICE",
        help="a folder for a scratch file (default: the current one), a file "
             "that does not exist yet, or a device of which the first 64 MiB "
             "are overwritten")
    parser.add_argument("--destroy-data-on", metavar="DEVICE",
                        help="the device's name a second time")
    parser.add_argument("--only", metavar="CASE,...",
                        help="these cases; --list names them")
    parser.add_argument("--timeout", type=float, default=60.0, metavar="S",
                        help="seconds for one fio (default: 60)")
    parser.add_argument("--fio", default="fio", metavar="PROGRAM")
    parser.add_argument("--list", action="store_true",
                        help="list the cases and what they check")
    return parser


def _chosen(only: Optional[str]) -> List[Case]:
    if only is None:
        return CASES
    by_name = {case.__name__: case for case in CASES}
    for name in only.split(","):
        if name not in by_name:
            raise refuse(f"{name} is no case; see --list")
    return [by_name[name] for name in only.split(",")]


def _engine(asked: str) -> str:
    """A path without fio's prefix, which cuts at commas."""
    if asked.startswith("external:"):
        asked = asked[len("external:"):]
    if "/" in asked or os.path.isfile(asked):
        if not os.path.isfile(asked):
            raise refuse(f"{asked}: no such file")
        return os.path.abspath(asked)
    return asked


def _try(case: Case, bench: Bench) -> Tuple[str, str]:
    try:
        case(bench)
    except Skipped as reason:
        return "skip", str(reason)
    except Failed as reason:
        return "FAIL", str(reason)
    return "ok", ""


def _check(bench: Bench, cases: List[Case]) -> int:
    count = {"ok": 0, "FAIL": 0, "skip": 0}
    started = time.monotonic()
    for case in cases:
        verdict, reason = _try(case, bench)
        count[verdict] += 1
        what = (case.__doc__ or "").strip()
        print(f"{verdict:4}  {case.__name__:15} "
              f"{what}{': ' if reason else ''}{reason}", flush=True)
        if verdict == "FAIL":
            print(f"      try: {shown(bench.last)}", flush=True)
            if case is life.loads:
                break
    print(f"{count['ok']} ok, {count['FAIL']} failed, {count['skip']} skipped "
          f"in {time.monotonic() - started:.0f} s")
    return 1 if count["FAIL"] else 0


def _run(words: List[str]) -> int:
    extra: List[str] = []
    if "--" in words:
        at = words.index("--")
        words, extra = words[:at], words[at + 1:]
    options = _parser().parse_args(words)
    if options.list:
        for case in CASES:
            print(f"{case.__name__:15} {(case.__doc__ or '').strip()}")
        return 0
    if not options.engine:
        raise refuse("which engine? See --help")
    cases = _chosen(options.only)
    engine = _engine(options.engine)
    program = shutil.which(options.fio)
    if not program:
        raise system_error(f"{options.fio} is not installed")
    place = options.target if os.path.isdir(options.target) else "."
    work = Path(tempfile.mkdtemp(prefix="check-engine-",
                                 dir=os.path.abspath(place)))
    try:
        target = choose(options.target, options.destroy_data_on, work)
        made = not target.exists()
        bench = Bench(engine, extra, target, medium_of(target), work,
                      os.path.abspath(program), options.timeout)
        try:
            return _check(bench, cases)
        finally:
            if made:
                target.unlink(missing_ok=True)
    finally:
        shutil.rmtree(work, ignore_errors=True)


def main(words: List[str]) -> int:
    """Returns the exit status."""
    try:
        return _run(words)
    except ReviewError as err:
        print(f"check-engine: {err}", file=sys.stderr)
        return err.code
    except KeyboardInterrupt:
        return 130
