# SPDX-License-Identifier: GPL-2.0-only
"""Reads what callgrind wrote, and says which instructions are an engine's.

Only files of --compress-strings=no --compress-pos=no with the one event Ir.
"""
import os
from typing import Dict, Iterable, List, NamedTuple, Tuple

Function = Tuple[str, str]        # object, function
Edge = Tuple[Function, Function]  # caller, called


class Profile(NamedTuple):
    """Instructions of functions themselves, and of calls with all below."""
    own: Dict[Function, float]
    calls: Dict[Edge, float]

    def total(self) -> float:
        """All instructions."""
        return sum(self.own.values())


def parse(lines: Iterable[str]) -> Profile:
    """The content of one file."""
    profile = Profile({}, {})
    ob = fn = cob = cfn = ""
    call = False
    for line in lines:
        key, equals, value = line.rstrip("\n").partition("=")
        if key == "ob" and equals:
            ob = value
        elif key == "fn" and equals:
            fn = value
        elif key == "cob" and equals:
            cob = value
        elif key == "cfn" and equals:
            cfn = value
        elif key == "calls" and equals:
            call = True
        elif line[:1].isdigit():
            count = int(line.split()[-1])
            me = (ob, fn)
            if call:
                edge = (me, (cob or ob, cfn))
                profile.calls[edge] = profile.calls.get(edge, 0) + count
                call, cob = False, ""
            else:
                profile.own[me] = profile.own.get(me, 0) + count
    return profile


def per_io(few: Profile, many: Profile, ios: int) -> Profile:
    """What `ios` more I/Os cost, each: start and end cancel out."""
    def slope(low: Dict, high: Dict) -> Dict:
        both = {key: (high.get(key, 0) - low.get(key, 0)) / ios
                for key in {*low, *high}}
        return {key: value for key, value in both.items()
                if abs(value) >= 0.005}
    return Profile(slope(few.own, many.own), slope(few.calls, many.calls))


class Shares(NamedTuple):
    """Instructions of one I/O in an engine that is an object of its own."""
    engine: float     # in the engine's object
    ring: float       # in liburing
    libraries: float  # in other libraries, called by these two
    fio: float        # in functions of fio, called by these two
    entered: float    # all of them, counted where fio calls the engine

    def own(self) -> float:
        """The engine with its libraries."""
        return self.engine + self.ring + self.libraries


def shares(profile: Profile, engine: str, fio: str) -> Shares:
    """Split by the paths of the engine's object and of fio."""
    def inside(ob: str) -> bool:
        return ob == engine or os.path.basename(ob).startswith("liburing")

    def of_objects(wanted) -> float:
        return sum(count for (ob, _), count in profile.own.items()
                   if wanted(ob))
    libraries = in_fio = entered = 0.0
    for ((ob, _), (cob, _)), count in profile.calls.items():
        if inside(ob) and not inside(cob):
            if cob == fio:
                in_fio += count
            else:
                libraries += count
        elif ob == fio and cob == engine:
            entered += count
    own = of_objects(lambda ob: ob == engine)
    return Shares(own, of_objects(inside) - own, libraries, in_fio, entered)


def top(profile: Profile, number: int) -> List[Tuple[float, str, str]]:
    """The functions with the most instructions: count, function, object."""
    rows = sorted(((count, fn, os.path.basename(ob))
                   for (ob, fn), count in profile.own.items()), reverse=True)
    return rows[:number]


def to_rows(profile: Profile) -> Dict:
    """For JSON."""
    return {"own": [[*key, value] for key, value in profile.own.items()],
            "calls": [[*caller, *called, value] for (caller, called), value
                      in profile.calls.items()]}


def from_rows(rows: Dict) -> Profile:
    """Out of JSON."""
    return Profile({(ob, fn): value for ob, fn, value in rows["own"]},
                   {((ob, fn), (cob, cfn)): value
                    for ob, fn, cob, cfn, value in rows["calls"]})
