# SPDX-License-Identifier: GPL-2.0-only
"""Load points and the rates that fio is asked for."""
import math
import re
from dataclasses import dataclass
from typing import List

from .errors import refuse
from .profile import Profile

PEAK = 0
DEFAULT_POINTS = "10-120:10"
MAX_LOAD_PERCENT = 1000
_RANGE = re.compile(r"(\d{1,9})-(\d{1,9}):(\d{1,9})")
_ONE = re.compile(r"\d{1,9}")


@dataclass(frozen=True)
class Rate:
    """What a point asks of fio: RATE's text, and its sum over all threads."""
    text: str
    asked_iops: int


def parse_points(text: str) -> List[int]:
    """Percentages of "10,50,100" and "10-120:10", sorted, each once."""
    points = set()
    for part in text.split(","):
        match = _RANGE.fullmatch(part.strip())
        if match and int(match[3]):
            # One beyond the limit is enough to refuse them all.
            last = min(int(match[2]), MAX_LOAD_PERCENT + int(match[3]))
            points.update(range(int(match[1]), last + 1, int(match[3])))
        elif _ONE.fullmatch(part.strip()):
            points.add(int(part))
        else:
            raise refuse(f"{part!r} is no load point: write for example "
                         "10,50,100 or 10-120:10")
    if not points or min(points) < 1 or max(points) > MAX_LOAD_PERCENT:
        raise refuse(f"load points must lie from 1 to {MAX_LOAD_PERCENT} %; "
                     "the uncontrolled maximum is always measured first")
    return sorted(points)


def point_name(load_percent: int) -> str:
    """File name of a point without its suffix: peak, 010 ... 120."""
    return "peak" if load_percent == PEAK else f"{load_percent:03d}"


def round_up(iops: float) -> int:
    """Round as vdbench does: up to 100, and to 10 at or below 1,000."""
    step = 10 if iops <= 1000 else 100
    # A product such as 0.1 * 70000 must not creep over a step.
    return max(step, math.ceil(round(iops / step, 9)) * step)


def _per_thread(total: float, threads: int) -> int:
    return max(1, math.ceil(round(total / threads, 9)))


def _split_mix(total: int, profile: Profile) -> Rate:
    """fio takes whole numbers a thread and direction, hence the rounding."""
    share = profile.read_percent / 100
    reads = max(1, round(total * share / profile.threads))
    writes = max(1, round(total * (1 - share) / profile.threads))
    return Rate(f"{reads},{writes}", (reads + writes) * profile.threads)


def rate_for(profile: Profile, peak_iops: float, load_percent: int) -> Rate:
    """The rate of one point. asked_iops is what fio is asked, after rounding.

    fio's rate_iops holds per thread and per direction, and ignores rwmixread.
    """
    total = round_up(peak_iops * load_percent / 100)
    if 0 < profile.read_percent < 100:
        return _split_mix(total, profile)
    each = _per_thread(total, profile.threads)
    return Rate(str(each), each * profile.threads)


def full_speed_seconds(points: List[int], seconds: float) -> float:
    """Time at full speed that moves as much data as one whole curve does."""
    return seconds * (1 + sum(min(one, 100) for one in points) / 100)
