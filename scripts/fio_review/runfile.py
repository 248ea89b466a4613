# SPDX-License-Identifier: GPL-2.0-only
"""The content of run.json: made from profiles, asked about its points."""
from datetime import datetime, timezone
from typing import Any, Dict, Iterator, List, Tuple

from . import VERSION, expect
from .plan import PEAK, point_name
from .profile import Profile

FORMAT = 1
Row = Dict[str, Any]


def now() -> str:
    """The time in UTC, as run.json writes it."""
    return datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def _point(profile: Profile, load_percent: int, options: Row) -> Row:
    return {
        "load_percent": load_percent, "asked_iops": None,
        "rate": "0" if load_percent == PEAK else None,
        "runtime_s": expect.runtime(profile, options["runtime_s"]),
        "expected_s": round(expect.call_seconds(profile, options), 1),
        "state": "pending",
        "file": f"{profile.id}/{point_name(load_percent)}.json",
        "reason": None, "command": None, "environment": None,
        "started": None, "seconds": None, "written_bytes": None,
    }


def _profile(profile: Profile, options: Row) -> Row:
    hosts = len(options.get("hosts") or [None])
    on_each = f", on each of {hosts} hosts" if hosts > 1 else ""
    return {
        "id": profile.id, "title": profile.title,
        "method": profile.method + on_each,
        "outstanding": profile.outstanding * hosts,
        "read_percent": profile.read_percent,
        "block_bytes": profile.block_bytes, "access": profile.access,
        "destructive": profile.destructive, "precondition": None,
        "kind": "single" if profile.single else "curve",
        "points": [_point(profile, one, options)
                   for one in expect.loads(profile, options["points"])],
    }


def new_run(profiles: List[Profile], options: Row) -> Row:
    """A run of which nothing is measured yet."""
    return {
        "format": FORMAT, "tool": f"fio-review {VERSION}",
        "label": options["label"], "state": "running", "started": now(),
        "finished": None, "facts": [], "options": options,
        "identity": {}, "identity_salt": None, "made": None, "filled": None,
        "purged": None,
        "smart": None, "device": None, "temperature": None, "written": None,
        "profiles": [_profile(one, options) for one in profiles],
    }


def points(run: Row) -> Iterator[Tuple[Row, Row]]:
    """Every (profile row, point row) in the order of measuring."""
    for profile in run["profiles"]:
        for point in profile["points"]:
            yield profile, point


def reset_for_resume(run: Row) -> None:
    """Everything that is not done will be tried again."""
    run["state"], run["finished"] = "running", None
    for _, point in points(run):
        if point["state"] != "done":
            point["state"], point["reason"] = "pending", None


def counts(run: Row) -> Tuple[int, int, int]:
    """(done, failed, all) points."""
    states = [point["state"] for _, point in points(run)]
    return states.count("done"), states.count("failed"), len(states)
