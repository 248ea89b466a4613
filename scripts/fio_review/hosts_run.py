# SPDX-License-Identifier: GPL-2.0-only
"""run.json of a run on several hosts, and the run that each host has of it."""
import copy
import platform
from pathlib import Path
from typing import Any, Dict, List, Optional

from . import facts, hosts_result, runfile, verdict
from .hosts import Host
from .units import show_size

Row = Dict[str, Any]
DIRECTORY = "hosts"


def hosts_of(options: Row) -> List[Host]:
    """The hosts that the run's options name; none of a run on this machine."""
    return [Host(**one) for one in options.get("hosts") or []]


def directory(root: Path, name: str) -> Path:
    """The host's own run directory in that of the run."""
    return root / DIRECTORY / name


def rows(point: Row, hosts: List[Host]) -> List[Row]:
    """The point's row of each host, made where it has none."""
    if "hosts" not in point:
        point["hosts"] = [
            {"name": one.name, "state": "pending", "reason": None,
             "rate": None, "asked_iops": None, "written_bytes": None}
            for one in hosts]
    return point["hosts"]


def _target_facts(host: Host, options: Row) -> Dict[str, Optional[str]]:
    return {
        "target.path": host.target,
        "target.region": f"{show_size(options['size'])} from the start",
        "target.direct": facts.page_cache(options["direct_used"]),
        "target.fill": ("not checked: it is on another machine"
                        if host.existed and options["fill"] == "none" else
                        "written once by this run; not checked whether the "
                        "data are on a drive"),
    }


def host_facts(host: Host, about: Optional[Dict[str, str]], options: Row,
               started: str) -> List[Dict[str, str]]:
    """What is known of a host and of its target, which is not much."""
    known = about or {}
    values = _target_facts(host, options)
    values.update(facts.method(options, known.get("fio"), started))
    values.update({"host.name": known.get("hostname"),
                   "host.os": known.get("os"),
                   "host.kernel": known.get("arch")})
    return facts.listed(values)


def shared_facts(hosts: List[Host], fio_version: str, options: Row,
                 started: str) -> List[Dict[str, str]]:
    """The environment of all together: each host's place and target."""
    values = {key: value for key, value
              in _target_facts(hosts[0], options).items()
              if key in ("target.region", "target.direct")}
    values.update(facts.method(options, fio_version, started))
    values["host.name"] = f"{platform.node()}, which asked the hosts"
    return [{"name": f"hosts.{one.name}", "title": f"Host {one.name}",
             "value": f"{one.target} by the fio server at {one.place}"}
            for one in hosts] + facts.listed(values)


def _own_point(point: Row, name: str) -> Row:
    """A point as the host's own run has it."""
    row = next((one for one in point.get("hosts", [])
                if one["name"] == name), {})
    return {**point, "hosts": None,
            **{key: row.get(key) for key in ("reason", "rate", "asked_iops",
                                             "written_bytes")},
            "state": row.get("state", "pending")}


def own_run(run: Row, host: Host, threads: Dict[str, Row]) -> Row:
    """The run of one host, for a reader of run directories.

    threads are the profiles' rows as of a run on one machine.
    """
    own = copy.deepcopy({key: value for key, value in run.items()
                         if key not in ("profiles", "facts", "host_facts")})
    own["label"], own["part_of"] = host.name, "../.."
    own["options"]["hosts"] = [host.row]
    own["facts"] = run["host_facts"].get(host.name, [])
    own["profiles"] = [
        {**threads[row["id"]],
         "points": [_own_point(one, host.name) for one in row["points"]]}
        for row in run["profiles"]]
    return own


def _is_whole(point: Row, root: Path, hosts: List[Host]) -> bool:
    """Is there a result of each host and one of all together?"""
    try:
        document = verdict.parse_document(
            verdict.read_text(root / point["file"]))
        for one in hosts:
            if not hosts_result.entries_of(document, one):
                return False
            verdict.read_result(directory(root, one.name) / point["file"],
                                point["runtime_s"])
    except verdict.NoResult:
        return False
    return True


def forget_unusable(run: Row, root: Path, hosts: List[Host]) -> List[str]:
    """Set done points back whose files are damaged; returns their files.

    Without its maximum a profile is measured again as a whole.
    """
    lost = []
    for _, point in runfile.points(run):
        if point["state"] == "done" and not _is_whole(point, root, hosts):
            point["state"] = "pending"
            lost.append(point["file"])
    for row in run["profiles"]:
        if row["points"][0]["state"] != "done":
            for point in row["points"]:
                point["state"], point["reason"] = "pending", None
    return lost
