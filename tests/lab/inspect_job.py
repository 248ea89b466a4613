# SPDX-License-Identifier: GPL-2.0-only
"""inspect_job.py NAME: what fio's JSON in NAME.log says, in one line.

inspect_job.py --statuses NAME...: what the engine wrote with status_json=NAME.
"""
import json
import os
import sys
from pathlib import Path
from typing import Any, Dict, List

PLURAL = {"read": "reads", "write": "writes", "trim": "trims", "sync": "syncs"}


def jobs_of(name: str) -> List[Dict[str, Any]]:
    """fio's jobs; [] if it wrote no JSON."""
    text = Path(name + ".log").read_text(errors="replace")
    start = text.find("{\n")
    if start < 0:
        return []
    return json.JSONDecoder(strict=False).raw_decode(text, start)[0]["jobs"]


def job_line(name: str) -> str:
    """Numbers of I/Os, errors by their number, and the error at the end."""
    jobs = jobs_of(name)
    words = []
    for direction, plural in PLURAL.items():
        count = sum(job[direction]["total_ios"] for job in jobs)
        if count:
            words.append(f"{count} {plural}")
    short = sum(job[way]["short_ios"] for job in jobs
                for way in ("read", "write"))
    if short:
        words.append(f"{short} SHORT")
    counted = sum(job.get("total_err", 0) for job in jobs)
    if counted:
        words.append(f"{counted} errors counted")
    for error in sorted({job["error"] for job in jobs} - {0}):
        words.append(os.strerror(error))
    return f"{name}: {', '.join(words) or 'nothing done'}"


def status_lines(name: str) -> List[str]:
    """The counts of one file."""
    found = sorted(Path(".").glob(f"{name}.*.json"))
    lines = []
    for path in found:
        content = json.loads(path.read_text())
        counts = [f"{content[key]} {key}"
                  for key in ("commands", "failed", "requeued", "retries")
                  if key in content]
        lines.append(f"{name}: {', '.join(counts)}")
        for row in content.get("statuses", content.get("failures", [])):
            lines.append(f"  {row['count']}x {row['text']}")
    return lines or [f"{name}: no {name}.*.json"]


def main(words: List[str]) -> None:
    """One line, or some, a name."""
    if words[0] == "--statuses":
        for name in words[1:]:
            print("\n".join(status_lines(name)))
        return
    print(job_line(words[0]))


if __name__ == "__main__":
    main(sys.argv[1:])
