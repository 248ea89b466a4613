# SPDX-License-Identifier: GPL-2.0-only
"""How long profiles take and how much they write, before anything runs.

Estimates: what a target takes at full speed, nobody knows before.
"""
from typing import Any, Dict, List, NamedTuple

from .plan import DEFAULT_POINTS, PEAK, full_speed_seconds, parse_points
from .profile import Profile
from .units import MIB, show_size, show_span

Row = Dict[str, Any]
# Of a target of which nothing is known; whoever shows it has to say so.
ASSUMED_SPEED = 500 * MIB
# A slow disk still does this; below it a pass counts as hung.
SLOWEST = 10 * MIB
_PASS_GRACE_SECONDS = 600
_DEFAULTS: Row = {"runtime_s": 30.0, "ramp_s": 5.0,
                  "points": parse_points(DEFAULT_POINTS)}


class Writes(NamedTuple):
    """Seconds at full speed, passes over the region, and bytes."""
    seconds: float
    passes: float
    bytes: int


def loads(profile: Profile, points: List[int]) -> List[int]:
    """The load points of a profile; the maximum comes first."""
    return [PEAK] if profile.single else [PEAK] + points


def runtime(profile: Profile, runtime_s: float) -> float:
    """The time that each stage measures; 0 where the clock does not end it.
    """
    return runtime_s if profile.shape.timed else 0.0


def call_seconds(profile: Profile, options: Row) -> float:
    """One call of fio for a point, roughly."""
    shape = profile.shape
    if shape.timed:
        return (options["runtime_s"] + options["ramp_s"]) * shape.stages + 1
    return shape.stages * (options.get("size", 0) / ASSUMED_SPEED + 1)


def call_limit(profile: Profile, options: Row) -> float:
    """The time after which a call counts as hung."""
    shape = profile.shape
    if shape.timed:
        return (options["ramp_s"] + options["runtime_s"]) * shape.stages \
            + options["timeout_s"]
    return shape.stages * (_PASS_GRACE_SECONDS + options["size"] / SLOWEST)


def seconds(profile: Profile, options: Row) -> float:
    """All points of a profile."""
    return (call_seconds(profile, options) + options.get("settle_s", 0)) \
        * len(loads(profile, options["points"]))


def writes(profile: Profile, options: Row) -> Writes:
    """What a profile writes; its shape and mix tell how much of the time."""
    shape, each = profile.shape, options["runtime_s"] + options["ramp_s"]
    if not profile.destructive:
        return Writes(0, 0, 0)
    if not profile.single:
        return Writes((1 - profile.read_percent / 100)
                      * full_speed_seconds(options["points"], each), 0, 0)
    return Writes(shape.writes * each, 0, 0) if shape.timed \
        else Writes(0, shape.writes, shape.writes_bytes)


def written_words(profile: Profile) -> str:
    """The same for a list of profiles, with the default times and points."""
    done = writes(profile, _DEFAULTS)
    words = [f"{done.passes:g} x region"] * (done.passes > 0) \
        + [show_size(done.bytes)] * (done.bytes > 0) \
        + [f"{show_span(done.seconds)} x speed"] * (done.seconds > 0)
    return " + ".join(words) or "nothing"
