# SPDX-License-Identifier: GPL-2.0-only
"""What the sections of a jobfile amount to: stages, their writes, logs.

fio reads jobfiles; this is only for plans and limits.
"""
import re
from dataclasses import dataclass
from typing import Dict, List

from .units import parse_size

Options = Dict[str, str]
_SECTION = re.compile(r"\[(.+)\]")
_LOG = re.compile(r"write_\w+_log")


@dataclass(frozen=True)
class Shape:
    """stages run one after the other, each of one section or more."""
    stages: int
    # Do they end by the clock, or when the region is through?
    timed: bool
    # Sum over the stages of the part of the I/Os that are writes; those that
    # end after a number of bytes are not in it, but in writes_bytes.
    writes: float
    # Are there logs, which fio writes where it runs?
    logs: bool
    writes_bytes: int = 0


def sections(lines: List[str]) -> List[Options]:
    """The jobs' options in order, each with those of [global]."""
    common: Options = {}
    found: List[Options] = []
    current = common
    for raw in lines:
        line = raw.strip()
        match = _SECTION.fullmatch(line)
        if match:
            current = common if match[1] == "global" else dict(common)
            if current is not common:
                found.append(current)
        elif line and not line.startswith(("#", ";")):
            name, _, value = line.partition("=")
            current[name.strip()] = value.strip()
    return found


def _write_share(job: Options) -> float:
    kind = job.get("rw", "read").split(":")[0].replace("rand", "")
    if kind in ("read", "write"):
        return float(kind == "write")
    return 1 - float(job.get("rwmixread", "50")) / 100


def _mean(stage: List[Options]) -> float:
    return sum(map(_write_share, stage)) / len(stage)


def _bytes(job: Options) -> int:
    """Bytes after which a job ends; 0: it has none."""
    if "io_size" not in job:
        return 0
    return parse_size(job["io_size"]) * int(job.get("numjobs", "1"))


def shape(lines: List[str]) -> Shape:
    """Of a jobfile's lines."""
    stages: List[List[Options]] = []
    for job in sections(lines):
        if not stages or job.get("stonewall", "0") != "0":
            stages.append([])
        stages[-1].append(job)
    every = [job for stage in stages for job in stage]
    return Shape(
        len(stages), all(job.get("time_based") == "1" for job in every),
        sum(_mean(stage) for stage in stages if not any(map(_bytes, stage))),
        any(_LOG.fullmatch(name) for job in every for name in job),
        int(sum(_bytes(job) * _write_share(job) for job in every)))
