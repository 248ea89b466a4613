# SPDX-License-Identifier: GPL-2.0-only
"""Did a call of fio measure anything? Exit code 0 alone does not say so.

fio can end with 0 and no error although a job was killed or did no I/O.
"""
import json
import re
import signal
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Dict, List, NamedTuple, Optional, Tuple

from .fio import KEPT_HEAD, KEPT_TAIL, MAX_PRINTED, Ending
from .units import MIB

_KILLED = re.compile(r"(?:got signal=\d+|terminating on signal \d+)")
_SERVER = re.compile(r"^<[^<>]*> ")
_TROUBLE = re.compile(r"fio: |error|failed|dropped|disconnected|timeout")
_DIRECTIONS = ("read", "write", "trim", "mixed")
# A call that stops before this share of its runtime measured something else.
_MIN_RUNTIME_SHARE = 0.5
# Far above fio's largest documents: a parsed one takes ten times its size.
_MAX_DOCUMENT = 64 << 20
_READ_FOR_TEXT = KEPT_HEAD + 2 * KEPT_TAIL
# No drive does a tenth of it; a rate is planned from it.
_MAX_IOPS, _MAX_NS, _MAX_IOS = 1e12, 1e18, 1e18


class NoResult(Exception):
    """The output is not a result; says why in one sentence part."""


class TargetGone(NoResult):
    """What fio measured, or would measure, is not the target."""


class Part(NamedTuple):
    """One job of a document."""
    name: str
    iops: float
    bytes_s: float
    mean_ns: float


@dataclass(frozen=True)
class Result:
    """The numbers the runner needs from one point."""
    iops: float
    mean_ns: float
    total_ios: int
    # Bytes, without the ramp.
    written: int = 0
    # Of each job, in fio's order.
    jobs: Tuple["Part", ...] = ()


def parse_document(text: str) -> Dict[str, Any]:
    """fio's JSON document, with or without lines of text around it."""
    if not text.strip():
        raise NoResult("fio wrote no output")
    start = 0 if text.startswith("{") else text.find("\n{") + 1
    if not text.startswith("{", start):
        raise NoResult("fio's output holds no JSON")
    try:
        found, _ = json.JSONDecoder(strict=False).raw_decode(text, start)
    except (ValueError, RecursionError) as err:
        raise NoResult(f"fio's JSON is not complete: {err}") from None
    return found


def _jobs(document: Dict[str, Any]) -> List[Dict[str, Any]]:
    jobs = document.get("jobs")
    if not isinstance(jobs, list) or not jobs:
        raise NoResult("fio's JSON holds no job")
    return jobs


def _directions(jobs: List[Dict[str, Any]]) -> List[Dict[str, Any]]:
    return [job[name] for job in jobs for name in _DIRECTIONS
            if isinstance(job.get(name), dict)
            and job[name].get("total_ios", 0) > 0]


def _part(job: Dict[str, Any]) -> Part:
    ways = _directions([job])
    total = sum(one["total_ios"] for one in ways)
    return Part(str(job.get("jobname")), sum(one["iops"] for one in ways),
                1024 * sum(one.get("bw", 0) for one in ways),
                sum(one["lat_ns"]["mean"] * one["total_ios"]
                    for one in ways) / max(total, 1))


def summarize(document: Dict[str, Any],
              runtime_s: Optional[float] = None) -> Result:
    """The numbers of a document; NoResult if any job failed or did nothing."""
    try:
        jobs = _jobs(document)
        for job in jobs:
            if job["error"]:
                raise NoResult(f"job {job.get('jobname')} ended with error "
                               f"{job['error']}")
        parts = _directions(jobs)
        total = sum(one["total_ios"] for one in parts)
        if not total:
            raise NoResult("fio did no I/O at all")
        longest = max(one["runtime"] for one in parts) / 1000
        mean = sum(one["lat_ns"]["mean"] * one["total_ios"]
                   for one in parts) / total
        iops = float(sum(one["iops"] for one in parts))
        written = sum(int(job["write"]["io_bytes"]) for job in jobs
                      if "io_bytes" in job.get("write", {}))
        each = tuple(map(_part, jobs))
    except (KeyError, TypeError, AttributeError) as err:
        raise NoResult(f"fio's JSON lacks {err}") from None
    except OverflowError as err:
        raise NoResult(f"fio's JSON holds no usable number: {err}") from None
    # "Not within" and not "outside": NaN is neither.
    if not (0 < iops < _MAX_IOPS and 0 <= mean < _MAX_NS and total < _MAX_IOS):
        raise NoResult(f"fio's JSON holds impossible numbers: {iops:g} IOPS, "
                       f"mean latency {mean:g} ns")
    if runtime_s and longest < runtime_s * _MIN_RUNTIME_SHARE:
        raise NoResult(f"fio measured for {longest:.3g} s and not "
                       f"{runtime_s:.3g} s")
    return Result(iops, mean, total, written, each)


def read_text(path: Path) -> str:
    """An output file's text; NoResult if it can't be one of fio's."""
    try:
        if path.stat().st_size > _MAX_DOCUMENT:
            raise NoResult("fio's output is larger than "
                           f"{_MAX_DOCUMENT // MIB} MiB")
        return path.read_text(encoding="utf-8", errors="replace")
    except FileNotFoundError:
        raise NoResult("fio wrote no output") from None
    except OSError as err:
        raise NoResult(f"fio's output cannot be read: {err.strerror}"
                       ) from None


def read_result(path: Path, runtime_s: Optional[float] = None) -> Result:
    """The numbers of an output file; NoResult if it is no result."""
    return summarize(parse_document(read_text(path)), runtime_s)


def _said(path: Path) -> List[str]:
    """Lines fio printed, without the JSON document and our command line."""
    try:
        with open(path, encoding="utf-8", errors="replace") as text:
            lines = text.read(_READ_FOR_TEXT).splitlines()
    except OSError:
        return []
    said: List[str] = []
    for line in lines:
        if line.startswith("{"):
            break
        if line.strip() and not line.startswith("$ "):
            said.append(line.strip())
    return said


def said(log: Path, output: Path) -> List[str]:
    """All lines of text that fio printed."""
    return _said(log) + _said(output)


def tells_of_a_signal(line: str) -> bool:
    """Does the line say that a job, or fio, was killed?"""
    return bool(_KILLED.search(line))


def readable(text: str) -> str:
    """Text of another machine, which must not steer a terminal here."""
    return "".join(one if one.isprintable() else "?" for one in text)


def telling(lines: List[str]) -> List[str]:
    """The lines that say what went wrong, without the name of a server."""
    bare = (readable(_SERVER.sub("", line)).strip() for line in lines)
    return [line[:200] for line in bare if _TROUBLE.search(line)]


def check_ending(ending: Ending, lines: List[str], timeout_s: float) -> None:
    """NoResult unless fio ended by itself, and so did its jobs."""
    if ending.flooded:
        raise NoResult(f"fio printed more than {MAX_PRINTED // MIB} MiB and "
                       "was stopped")
    if ending.timed_out:
        raise NoResult(f"fio did not end within {timeout_s:.0f} s and was "
                       "stopped")
    for line in lines:
        if tells_of_a_signal(line):
            raise NoResult(f"a job was killed: {line[:200]}")
    if ending.code < 0:
        try:
            name = signal.Signals(-ending.code).name
        except ValueError:
            name = f"signal {-ending.code}"
        raise NoResult(f"fio died of {name}")


def judge(ending: Ending, output: Path, log: Path, timeout_s: float,
          runtime_s: Optional[float]) -> Result:
    """The result of a finished call, or NoResult with its reason."""
    lines = said(log, output)
    check_ending(ending, lines, timeout_s)
    if ending.code:
        why = f": {lines[0][:200]}" if lines else ""
        raise NoResult(f"fio ended with exit code {ending.code}{why}")
    return read_result(output, runtime_s)
