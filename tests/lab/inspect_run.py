# SPDX-License-Identifier: GPL-2.0-only
"""inspect_run.py RUN [FACT...]: what a run's run.json says, in words
that are the same each time, so that a case can compare them.
"""
import json
import sys
from pathlib import Path
from typing import Any, Dict


def point_line(run: Path, point: Dict[str, Any]) -> str:
    """One point; of a measured one, whether its numbers can be true."""
    load = point["load_percent"] or "peak"
    if point["state"] != "done":
        return f"{load}: {point['state']}: {point['reason']}"
    job = json.loads((run / point["file"]).read_text())["jobs"][0]
    side = max((job["read"], job["write"]), key=lambda one: one["io_bytes"])
    sane = (job["error"] == 0 and 0 < side["iops"] < 1e7
            and 0 < side["clat_ns"]["mean"] < 1e10
            and side["clat_ns"]["min"] <= side["clat_ns"]["mean"]
            <= side["clat_ns"]["max"])
    asked = point["asked_iops"]
    if asked and load != "peak" and load < 100 and sane:
        sane = 0.7 * asked < side["iops"] < 1.1 * asked
    return f"{load}: done, " + (
        "sane" if sane else f"NOT SANE: {side['iops']:.0f} IOPS of {asked}, "
        f"latency {side['clat_ns']['mean']:.0f} ns")


def main() -> None:
    """Print the state, chosen facts and the points."""
    run = Path(sys.argv[1])
    content = json.loads((run / "run.json").read_text())
    print(f"state: {content['state']}")
    facts = {one["name"]: one["value"] for one in content["facts"]}
    for name in sys.argv[2:]:
        print(f"{name}: {facts.get(name, 'not known')}")
    for profile in content["profiles"]:
        print(profile["id"])
        for point in profile["points"]:
            print(" ", point_line(run, point))


main()
