# SPDX-License-Identifier: GPL-2.0-only
"""What a run is going to do, for a reader and for a shell."""
import shlex
from pathlib import Path
from typing import Any, Dict, Iterator, List

from . import fio, safety, session
from .blockdev import System
from .plan import FREE, PEAK, full_speed_seconds, point_name, rate_names
from .profile import Profile
from .target import Target
from .units import MIB, show_size, show_span

Row = Dict[str, Any]
# Only for the estimate of data written, which names it.
_ASSUMED_SPEED = 500 * MIB


def _duration(profiles: List[Profile], options: Row) -> float:
    each = options["runtime_s"] + options["ramp_s"] + 1
    return each * len(profiles) * (1 + len(options["points"]))


def _writes(profiles: List[Profile], target: Target, options: Row,
            filled: bool) -> str:
    parts = []
    fill = 0 if filled else session.fill_size(target, options)
    if fill:
        parts.append(f"{show_size(fill)} to fill the target")
    writing = sum(1 - one.read_percent / 100 for one in profiles)
    if writing:
        seconds = writing * full_speed_seconds(
            options["points"], options["runtime_s"] + options["ramp_s"])
        parts.append(
            f"what the target takes in about {show_span(seconds)} at full "
            f"speed ({show_size(seconds * _ASSUMED_SPEED)} at 500 MiB/s)")
    return ", then ".join(parts) or "nothing"


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


def plan_lines(profiles: List[Profile], target: Target, options: Row,
               writes: bool, system: System,
               filled: bool = False) -> Iterator[str]:
    """The plan: target, profiles, points, time, bytes written.

    Of a run that goes on it is the whole run's, less a fill that is done.
    """
    yield f"target     {_target_line(target, options)}"
    for one in profiles:
        mark = "writes" if one.destructive else "reads"
        yield f"profile    {one.id} ({one.method}; {mark})"
    loads = ", ".join(str(one) for one in options["points"])
    yield f"points     the maximum, then {loads} % of it"
    yield (f"time       about {show_span(_duration(profiles, options))}, "
           f"{options['ramp_s']:g} s + {options['runtime_s']:g} s a point"
           + ("" if filled or options["fill"] == "none"
              else ", and the time to fill"))
    yield f"written    {_writes(profiles, target, options, filled)}"
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


def command_lines(profiles: List[Profile], target: Target, options: Row,
                  directory: Path) -> Iterator[str]:
    """Every fio command of the run, for a shell."""
    for one in profiles:
        yield f"mkdir -p {shlex.quote(str(directory / one.id))}"
    if options["fill"] != "none":
        yield session.fill_call(target, options, directory).shell()
    for profile in profiles:
        if len(profile.streams) > 1:
            yield _call(profile, target, options, directory / profile.id
                        / "pilot.json").shell()
        for load in [PEAK] + options["points"]:
            call = _call(profile, target, options, directory / profile.id
                         / f"{point_name(load)}.json")
            yield call.shell(_unknown(profile, load))
