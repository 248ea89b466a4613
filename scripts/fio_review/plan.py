# SPDX-License-Identifier: GPL-2.0-only
"""Load points and the rates that fio is asked for."""
import itertools
import math
import re
from dataclasses import dataclass
from typing import Dict, List, Set, Tuple

from .errors import refuse
from .profile import Profile
from .streams import SEPARATOR, Stream

PEAK = 0
# The rate that is none.
FREE = "0"
# Long enough to tell a stream's share of the I/Os to some percent of itself.
PILOT_SECONDS = 5.0
DEFAULT_POINTS = "10-120:10"
MAX_LOAD_PERCENT = 1000
# How far, as a share, the sum of a mix may move to come nearer to its ratio.
_SUM_SLACK = 0.03
# From this error on, in points, a mix is not the one that was asked for.
MIX_ERROR = 0.5
_RANGE = re.compile(r"(\d{1,9})-(\d{1,9}):(\d{1,9})")
_ONE = re.compile(r"\d{1,9}")


@dataclass(frozen=True)
class Rate:
    """What a point asks of fio: the rates as text, and the sum of all."""
    text: str
    asked_iops: int
    read_percent: float


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


def _near(value: float) -> Set[int]:
    return {max(1, math.floor(value)), max(1, math.ceil(value))}


def _split_mix(total: float, stream: Stream) -> Rate:
    """Whole numbers a thread and direction, as near to the mix as they get.

    The sum may move a little for it: a point's place on the curve follows from
    what is asked, but its mix must be the profile's.
    """
    share = stream.read_percent / 100
    each = total / stream.depth.threads
    ratio = share / (1 - share)
    reads, writes = _near(each * share), _near(each * (1 - share))
    pairs = set(itertools.product(reads, writes))
    pairs |= {(one, other) for one in reads for other in _near(one / ratio)}
    pairs |= {(one, other) for other in writes for one in _near(other * ratio)}
    # The least that fio can be asked for may be above it.
    room = max(each * _SUM_SLACK, 1, 2 - each)

    def distance(pair: Tuple[int, int]) -> Tuple[float, float]:
        asked = sum(pair)
        return (round(abs(pair[0] / asked - share), 9),
                abs(asked - each) - asked * 1e-9)
    best = min((pair for pair in pairs if abs(sum(pair) - each) <= room),
               key=distance)
    return Rate(f"{best[0]},{best[1]}", sum(best) * stream.depth.threads,
                100 * best[0] / sum(best))


def _stream_rate(total: float, stream: Stream) -> Rate:
    """fio's rate_iops holds per thread and direction, and ignores rwmixread.
    """
    if 0 < stream.read_percent < 100:
        return _split_mix(total, stream)
    each = _per_thread(total, stream.depth.threads)
    return Rate(str(each), each * stream.depth.threads, stream.read_percent)


def rate_for(profile: Profile, peak_iops: float, load_percent: int) -> Rate:
    """The rate of one point. asked_iops is what fio is asked, after rounding.

    Each stream gets its share of the total. Over 100 % only the first is asked
    for more: where it can't follow, the others would leave their share.
    """
    total = round_up(peak_iops * load_percent / 100)
    whole = min(total, round_up(peak_iops))
    rates = [_stream_rate((whole if i else total) * one.share / 100, one)
             for i, one in enumerate(profile.streams)]
    asked = sum(one.asked_iops for one in rates)
    return Rate(SEPARATOR.join(one.text for one in rates), asked,
                sum(one.asked_iops * one.read_percent for one in rates)
                / asked)


def peak_rate(profile: Profile, pilot_iops: float) -> str:
    """The rates of a maximum: all but the first stream get their share.

    Their threads would else take what the device gives them, and not that.
    pilot_iops is what all streams reach together when nothing is held back.
    """
    return SEPARATOR.join([FREE] + [
        _stream_rate(pilot_iops * one.share / 100, one).text
        for one in profile.streams[1:]])


def is_peak_rate(text: object, streams: int) -> bool:
    """Is it a rate of a maximum, before or after a pilot?"""
    return isinstance(text, str) and (text == FREE or bool(re.fullmatch(
        FREE + r"( \+ \d{1,9}(,\d{1,9})?){%d}" % (streams - 1), text)))


def rate_names(profile: Profile) -> List[str]:
    """The variables of a jobfile that hold rates: RATE, RATE_B, RATE_C ..."""
    return ["RATE"] + [f"RATE_{chr(ord('A') + i)}"
                       for i in range(1, len(profile.streams))]


def rate_variables(profile: Profile, text: str) -> Dict[str, str]:
    """The variables' values for a rate; one such as FREE is for all."""
    names = rate_names(profile)
    texts = text.split(SEPARATOR)
    return dict(zip(names, texts * len(names) if len(texts) == 1 else texts))


def full_speed_seconds(points: List[int], seconds: float) -> float:
    """Time at full speed that moves as much data as one whole curve does."""
    return seconds * (1 + sum(min(one, 100) for one in points) / 100)
