# SPDX-License-Identifier: GPL-2.0-only
"""run.json of applications: made new, continued, or given more of them."""
from typing import Any, Dict, List

from .. import VERSION, runcheck, runfile
from ..errors import bad_input, refuse
from ..store import Store

Row = Dict[str, Any]


def new_run(directory: str, label: str) -> Row:
    """A run without results yet."""
    return {
        "format": runfile.FORMAT, "tool": f"fio-review {VERSION}",
        "label": label, "state": "running", "started": runfile.now(),
        "finished": None, "facts": [], "options": {"dir": directory},
        "identity": {}, "made": None, "filled": None, "smart": None,
        "profiles": [], "applications": [],
    }


def open_run(store: Store, directory: str, label: str) -> Row:
    """The run in the run directory, locked; a new one where there is none."""
    if not store.path.exists():
        store.create()
        return new_run(directory, label)
    store.lock()
    run = store.load()
    if not run.get("applications"):
        raise refuse(f"{store.directory} holds a run of other kind; name "
                     "another --out")
    if not runcheck.fits_applications(run):
        raise bad_input(f"{store.path} is damaged: its applications are none "
                        "that a run writes")
    if run["options"]["dir"] != directory:
        raise refuse(f"{store.directory} holds results of "
                     f"{run['options']['dir']}; name another --out")
    store.discard_parts()
    run["state"], run["finished"] = "running", None
    return run


def _new_row(one: Row, options: Row) -> Row:
    return {**one, "options": options, "version": None, "state": "pending",
            "reason": None, "started": None, "seconds": None, "command": None,
            "metrics": {}, "instances": [], "files": []}


def add(run: Row, wanted: List[Row], options: Row) -> List[Row]:
    """The rows of an application that are still to be measured."""
    ids = [one["id"] for one in wanted]
    there = [one for one in run["applications"] if one["id"] in ids]
    if any(one["options"] != options for one in there):
        raise refuse(f"the run has {there[0]['id']} with other options: "
                     f"{there[0]['options']}; name another --out")
    if there and all(one["state"] == "done" for one in there):
        raise refuse(f"the run has {there[0]['id']} already; name another "
                     "--out to measure it again")
    known = [one["id"] for one in there]
    added = [_new_row(one, options) for one in wanted
             if one["id"] not in known]
    run["applications"] += added
    waiting = [one for one in there + added if one["state"] != "done"]
    for one in waiting:
        one["state"], one["reason"] = "pending", None
    return waiting
