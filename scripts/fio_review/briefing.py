# SPDX-License-Identifier: GPL-2.0-only
"""What a run is going to do, for a reader and for a shell."""
import shlex
from pathlib import Path
from typing import Any, Dict, Iterator, List, NamedTuple

from . import expect, fio, precondition, purge, safety, session
from .blockdev import System
from .plan import FREE, PEAK, point_name, rate_names
from .profile import Profile
from .target import Target
from .units import show_size, show_span

Row = Dict[str, Any]
_ASSUMED_SPEED = expect.ASSUMED_SPEED


class _Cost(NamedTuple):
    """What a part of a run takes: a word for it, seconds, and bytes written
    (of what is not known before, as much as the assumed speed writes)."""
    words: str
    least_s: float
    most_s: float
    written: float


def _points_cost(profiles: List[Profile], options: Row) -> _Cost:
    seconds = sum(expect.seconds(one, options) for one in profiles)
    writes = [expect.writes(one, options) for one in profiles]
    full = sum(one.seconds for one in writes)
    known = sum(one.passes * options.get("size", 0) + one.bytes
                for one in writes)
    words = []
    if known:
        words.append(f"{show_size(known)} by profiles that write so much and "
                     "not for a time")
    if full:
        words.append(
            f"what the target takes in about {show_span(full)} at full "
            f"speed ({show_size(full * _ASSUMED_SPEED)} at 500 MiB/s)")
    return _Cost(", then ".join(words), seconds, seconds,
                 full * _ASSUMED_SPEED + known)


def _rounds_cost(profiles: List[Profile], options: Row) -> _Cost:
    chosen = [one for one in profiles if precondition.is_for(one, options)]
    each = options["round_s"] + 1 + options["settle_s"]
    full = sum(1 - (one.read_percent or 0) / 100 for one in chosen) \
        * options["round_s"] * precondition.MAX_ROUNDS
    words = (f"up to {show_size(full * _ASSUMED_SPEED)} at 500 MiB/s in "
             "rounds of preconditioning")
    return _Cost(words if chosen else "",
                 len(chosen) * precondition.MIN_ROUNDS * each,
                 len(chosen) * precondition.MAX_ROUNDS * each,
                 full * _ASSUMED_SPEED)


def _fill_cost(target: Target, options: Row) -> _Cost:
    size = session.fill_size(target, options)
    seconds = size / _ASSUMED_SPEED
    return _Cost(f"{show_size(size)} to fill the target" if size else "",
                 seconds, seconds, size)


def _cost_lines(profiles: List[Profile], target: Target, options: Row,
                filled: bool) -> Iterator[str]:
    """Time and bytes of the whole run, and what they are made of."""
    costs = [_rounds_cost(profiles, options), _points_cost(profiles, options)]
    if not filled:
        costs.insert(0, _fill_cost(target, options))
    least, most = sum(one.least_s for one in costs), \
        sum(one.most_s for one in costs)
    total = show_span(least) + (f" to {show_span(most)}"
                                if most > least else "")
    each = f"{options['ramp_s']:g} s + {options['runtime_s']:g} s a point"
    if most > least:
        each += (f", {precondition.MIN_ROUNDS} to {precondition.MAX_ROUNDS} "
                 f"rounds of {options['round_s']:g} s before a profile that "
                 "writes")
    if options["settle_s"]:
        each += f", {options['settle_s']:g} s of rest before each"
    filling = not filled and costs[0].most_s
    yield f"time       about {total}: {each}" + (
        f", {show_span(costs[0].most_s)} to fill at 500 MiB/s"
        if filling else "")
    parts = [one.words for one in costs if one.words]
    written = ", then ".join(parts) or "nothing"
    yield f"written    {written}" + (
        f"; in all {'up to ' if most > least else ''}"
        f"{show_size(sum(one.written for one in costs))}"
        if len(parts) > 1 else "")


def _target_line(target: Target, options: Row) -> str:
    what = "new file" if not target.exists else target.kind
    direct = "O_DIRECT" if options["direct_used"] else "BUFFERED I/O"
    return (f"{target.path} ({what}), region {show_size(options['size'])} "
            f"from the start, {direct}")


def _loss_lines(target: Target, system: System) -> Iterator[str]:
    if not target.is_device or not target.device:
        return
    lost = safety.losses(system, target.device, target.path)
    yield f"DATA LOSS: everything on {target.path} will be overwritten"
    for one in lost:
        yield f"           {one} will be lost"


def profile_lines(profiles: List[Profile]) -> Iterator[str]:
    """What will be measured."""
    for one in profiles:
        mark = "writes" if one.destructive else "reads"
        yield f"profile    {one.id} ({one.method}; {mark})"


def loads_line(options: Row) -> str:
    """The points of each profile."""
    loads = ", ".join(str(one) for one in options["points"])
    return f"points     the maximum, then {loads} % of it"


def points_line(profiles: List[Profile], options: Row) -> str:
    """The time that the points take, without anything before them."""
    seconds = _points_cost(profiles, options).most_s
    return (f"time       about {show_span(seconds)}: {options['ramp_s']:g} s "
            f"+ {options['runtime_s']:g} s a point")


def plan_lines(profiles: List[Profile], target: Target, options: Row,
               writes: bool, system: System,
               filled: bool = False) -> Iterator[str]:
    """The plan: target, profiles, points, time, bytes written.

    Of a run that goes on it is the whole run's, less a fill that is done.
    """
    yield f"target     {_target_line(target, options)}"
    yield from profile_lines(profiles)
    if not all(one.single for one in profiles):
        yield loads_line(options)
    if options.get("purge"):
        yield f"purge      {options['purge']}, which takes seconds to hours"
    yield from _cost_lines(profiles, target, options, filled)
    if writes:
        yield from _loss_lines(target, system)


def _call(profile: Profile, target: Target, options: Row,
          output: Path) -> fio.Call:
    return session.point_call(profile, target, options, FREE,
                              session.part_of(output))


def _unknown(profile: Profile, load: int) -> Dict[str, str]:
    """What stands for the rates that only a measurement will tell."""
    names = rate_names(profile)
    if load == PEAK:
        return {name: f"<{one.share:g} % of what pilot.json has, per thread>"
                for name, one in list(zip(names, profile.streams))[1:]}
    return {name: f"<{load} % of the peak, per thread>" if len(names) == 1
            else f"<{one.share:g} % of {load} % of the peak, per thread>"
            for name, one in zip(names, profile.streams)}


def _round_lines(profile: Profile, target: Target, options: Row,
                 directory: Path) -> Iterator[str]:
    """The first round; the others differ in their number."""
    output = directory / precondition.file_of(profile.id, 1)
    yield f"mkdir -p {shlex.quote(str(output.parent))}"
    yield (f"# {precondition.MIN_ROUNDS} to {precondition.MAX_ROUNDS} rounds, "
           "until fio-report steady says yes:")
    call = session.round_call(profile, target, options, FREE,
                              session.part_of(output))
    yield call.shell(_unknown(profile, PEAK))


def command_lines(profiles: List[Profile], target: Target, options: Row,
                  directory: Path) -> Iterator[str]:
    """Every fio command of the run, for a shell."""
    for one in profiles:
        yield f"mkdir -p {shlex.quote(str(directory / one.id))}"
    for call in purge.calls(options.get("purge"), target):
        yield call.shell()
    if options["fill"] != "none":
        yield session.fill_call(target, options, directory).shell()
    for profile in profiles:
        if precondition.is_for(profile, options):
            yield from _round_lines(profile, target, options, directory)
        if len(profile.streams) > 1:
            yield _call(profile, target, options, directory / profile.id
                        / "pilot.json").shell()
        for load in expect.loads(profile, options["points"]):
            call = _call(profile, target, options, directory / profile.id
                         / f"{point_name(load)}.json")
            yield call.shell(_unknown(profile, load))
