# SPDX-License-Identifier: GPL-2.0-only
"""Is run.json what a run writes? It decides what --resume does to a target.

A file that was damaged or edited is refused with one sentence.
"""
import math
import os
import re
from pathlib import Path
from typing import Any, Callable, Dict, List

from . import hosts, precondition, purge, runfile
from .admission import FILLS
from .errors import bad_input
from .plan import MAX_LOAD_PERCENT, is_peak_rate
from .profile import Profile
from .units import MAX_SECONDS, MIB

Row = Dict[str, Any]
Test = Callable[[Any], bool]


def _text(value: Any) -> bool:
    if not isinstance(value, str) or "\0" in value:
        return False
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _path(value: Any) -> bool:
    return _text(value) and os.path.isabs(value)


def _count(value: Any) -> bool:
    return type(value) is int and 0 <= value < 1 << 64


def _seconds(value: Any) -> bool:
    return (type(value) in (int, float) and math.isfinite(value)
            and 0 <= value <= MAX_SECONDS)


def _list_of(test: Test, low: int = 0) -> Test:
    return lambda value: (isinstance(value, list) and len(value) >= low
                          and all(test(one) for one in value))


def _maybe(test: Test) -> Test:
    return lambda value: value is None or test(value)


def _one_of(*allowed: Any) -> Test:
    # Not by equality alone: True is 1 to Python.
    return lambda value: any(type(value) is type(one) and value == one
                             for one in allowed)


def _object(fields: Dict[str, Test]) -> Test:
    return lambda value: isinstance(value, dict) and all(
        name in value and test(value[name]) for name, test in fields.items())


def _load(value: Any) -> bool:
    return _count(value) and 1 <= value <= MAX_LOAD_PERCENT


_OPTIONS: Dict[str, Test] = {
    "label": _text, "target": _maybe(_path), "profiles": _list_of(_text, 1),
    "runtime_s": lambda value: _seconds(value) and value > 0,
    "ramp_s": _seconds, "timeout_s": _seconds,
    "points": _list_of(_load, 1), "ioengine": _text,
    "direct": _one_of("auto", "0", "1"), "direct_used": _one_of(0, 1),
    "on_failure": _one_of("continue", "stop"), "keep": _one_of(True, False),
    "fill": _one_of("none", *FILLS), "fio": _path, "jobfiles": _maybe(_path),
    "size": lambda value: _count(value) and value and value % MIB == 0,
}
_MADE = {"path": _path, "dev": _count, "inode": _count, "size": _count,
         "token": _maybe(_text), "birth": _maybe(_text)}
_POINT = {
    "load_percent": _count, "asked_iops": _maybe(_count),
    "rate": _maybe(_text), "runtime_s": _seconds, "file": _text,
    "state": _one_of("pending", "done", "failed"), "reason": _maybe(_text),
}
_RUN: Dict[str, Test] = {
    "label": _text, "started": _text, "options": _object({}),
    "facts": _list_of(_object({"name": _text, "title": _text,
                               "value": _text})),
    "identity": _object({}), "made": _maybe(_object(_MADE)),
    "filled": _maybe(_object({"bytes": _count})),
    "profiles": _list_of(_object({
        "id": _text, "points": _list_of(_object(_POINT), 1)}), 1),
}

_ANSWER = _object({"counters": lambda value: isinstance(value, dict)
                   and all(_count(one) for one in value.values())})
# Older runs lack these.
_SMART = _maybe(_object({
    "queries": _list_of(_object({"where": _text})),
    "first": _maybe(_ANSWER), "last": _maybe(_ANSWER),
    "hottest": _maybe(lambda value: type(value) is int),
    "moved": _list_of(_text), "problem": _maybe(_text),
}))
_NUMBER = _maybe(lambda value: type(value) in (int, float))
# What a resumed run goes on to fill; older runs lack all of it.
_RECORDS: Dict[str, Test] = {
    "smart": _SMART,
    "identity_salt": _maybe(lambda value: isinstance(value, str) and bool(
        re.fullmatch("[0-9a-f]{32}", value))),
    "device": _maybe(_object({
        "files": _list_of(_text), "missing": _list_of(_text),
        "warnings": _list_of(_text), "written": _object({
            "before": _maybe(_count), "after": _maybe(_count)})})),
    "temperature": _maybe(_object({
        "points": _object({}), "problem": _maybe(_text)})),
    "purged": _maybe(_object({"by": _text})),
    "written": _maybe(_object({
        "by_kernel_bytes": _maybe(_count), "share": _NUMBER})),
}
_LATER_OPTIONS: Dict[str, Test] = {
    "smart": _one_of(True, False), "redact": _one_of(True, False),
    "temperature": _one_of("auto", "always", "off"),
    "purge": _one_of(None, *purge.KINDS),
    "precondition": _one_of(True, False), "settle_s": _seconds,
    "round_s": lambda value: _seconds(value) and value > 0,
    "tbw": _maybe(lambda value: _count(value) and value > 0),
}


def fits_smart(value: Any) -> bool:
    """Is it what a run records of smartctl's answers?"""
    return _SMART(value)

_APPLICATIONS = _object({
    "label": _text, "started": _text, "facts": _list_of(_object({})),
    "options": _object({"dir": _path}),
    "applications": _list_of(_object({
        "id": _text, "state": _one_of("pending", "done", "failed"),
        "options": _object({}), "metrics": _object({})}), 1),
})


def fits_applications(run: Row) -> bool:
    """Is it what fio-review app writes?"""
    return _APPLICATIONS(run)


# One for each host, in their order. Of a run on this machine there is none.
_HOST_ROW = _object({
    "name": _text, "state": _one_of("pending", "done", "failed"),
    "reason": _maybe(_text), "rate": _maybe(_text),
    "asked_iops": _maybe(_count), "written_bytes": _maybe(_count)})


def _check_place(run: Row, path: Path) -> None:
    """A run has a target on this machine, or hosts."""
    named = run["options"].get("hosts")
    if named is None:
        if run["options"]["target"] is None:
            raise bad_input(f"{path} is damaged: it has no target")
        return
    fits = hosts.fits(named) and run["options"]["target"] is None \
        and _count(run.get("busy_until", 0))
    # One host's own run has the whole run's facts and rows left out.
    if fits and not run.get("part_of"):
        names = [one["name"] for one in named]
        fits = isinstance(run.get("host_facts"), dict) and all(
            _list_of(_HOST_ROW)(point.get("hosts"))
            and [one["name"] for one in point["hosts"]] == names
            for _, point in runfile.points(run))
    if not fits:
        raise bad_input(f"{path} is damaged: the value of 'hosts' is none "
                        "that a run writes")


def check_types(run: Row, path: Path) -> None:
    """Refuse a run in which a key lacks or has a value of another kind."""
    for place, fields, later in (
            (run, _RUN, _RECORDS),
            (run.get("options"), _OPTIONS, _LATER_OPTIONS)):
        for name, test in (*fields.items(), *later.items()):
            if name not in place and name in later:
                continue
            if name not in place:
                raise bad_input(f"{path} is damaged: it lacks {name!r}")
            if not test(place[name]):
                raise bad_input(f"{path} is damaged: the value of {name!r} "
                                "is none that a run writes")
    _check_place(run, path)
    made = run["made"]
    if made and made["path"] != run["options"]["target"]:
        raise bad_input(f"{path} is damaged: the file that the run made is "
                        "not its target")


_ROUND = _object({"file": _text, "runtime_s": _seconds,
                  "written_bytes": _maybe(_count)})
_PRECONDITION = _maybe(_object({
    "rounds": _list_of(_ROUND), "steady": _one_of(None, True, False),
    "reason": _maybe(_text), "judged": _maybe(_object({}))}))


def _rounds_fit(row: Row) -> bool:
    kept = row.get("precondition")
    return _PRECONDITION(kept) and (not kept or all(
        one["file"] == precondition.file_of(row["id"], number)
        for number, one in enumerate(kept["rounds"], 1)))


def check_points(run: Row, chosen: List[Profile], path: Path) -> None:
    """Refuse points other than those that the options lead to.

    Their files are where fio's output goes.
    """
    options = run["options"]
    wanted = runfile.new_run(chosen, options)["profiles"]
    if [one["id"] for one in run["profiles"]] != [one["id"] for one in wanted]:
        raise bad_input(f"{path} is damaged: its profiles are not those of "
                        "its options")
    profiles = {one.id: one for one in chosen}
    for row, want in zip(run["profiles"], wanted):
        keys = ("load_percent", "file", "runtime_s")
        if [[point[key] for key in keys] for point in row["points"]] \
                != [[point[key] for key in keys] for point in want["points"]]:
            raise bad_input(f"{path} is damaged: the points of {row['id']} "
                            "are not those of its options")
        streams = len(profiles[row["id"]].streams)
        if not is_peak_rate(row["points"][0]["rate"], streams):
            raise bad_input(f"{path} is damaged: the maximum of {row['id']} "
                            "has a rate")
        if not _rounds_fit(row):
            raise bad_input(f"{path} is damaged: the preconditioning of "
                            f"{row['id']} is none that a run writes")
        # Of the profile, and not of the file: what the reader is told.
        for key in ("destructive", "method", "kind"):
            row[key] = want[key]
        for point, wanted_point in zip(row["points"], want["points"]):
            point["expected_s"] = wanted_point["expected_s"]
