# SPDX-License-Identifier: GPL-2.0-only
"""What a job came to, and what the disk in user space (fake_sata) saw of it.

inspect_ata.py JOB DISK                    the job alone, as inspect_job.py has it
inspect_ata.py JOB DISK sent [FIELD...]    and how often each command came
inspect_ata.py JOB DISK kinds [FIELD...]   and which commands came, and so ended
inspect_ata.py JOB DISK errors             what failed, and what came of the others
inspect_ata.py JOB DISK queue              depth, order, events of the link
inspect_ata.py JOB DISK priority           how many were high, and faster
inspect_ata.py JOB DISK trims              which blocks, and how
"""
import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any, Dict, List

from inspect_job import job_line, jobs_of

Line = Dict[str, str]

NAMES = {"06": "DATA SET MANAGEMENT", "25": "READ DMA EXT",
         "35": "WRITE DMA EXT", "3d": "WRITE DMA FUA EXT",
         "60": "READ FPDMA QUEUED", "61": "WRITE FPDMA QUEUED",
         "64": "SEND FPDMA QUEUED", "ea": "FLUSH CACHE EXT"}


def commands_of(disk: str) -> List[Line]:
    """Those of the job: after it opened the disk, which it asks who it is twice,
    and without what it asks of logs."""
    lines = []
    asked = 0
    for text in Path(f"/tmp/{disk}.ata").read_text().splitlines():
        line = dict(word.split("=", 1) for word in text.split())
        asked += line["op"] == "ec"
        if asked > 1 and line["op"] in NAMES:
            lines.append(line)
    return lines


def document_of(job: str) -> Dict[str, Any]:
    """What the engine wrote with status_json=JOB."""
    content: Dict[str, Any] = json.loads(Path(f"{job}.1.json").read_text())
    return content


def sent(_job: str, lines: List[Line], *fields: str) -> List[str]:
    """How often each command came, by its name and these fields."""
    found: Counter = Counter()
    for line in lines:
        words = [f"{field}={line[field]}" for field in fields]
        found[" ".join([NAMES[line["op"]]] + words)] += 1
    return [f"{number}x {words}" for words, number in sorted(found.items())]


def kinds(job: str, lines: List[Line], *fields: str) -> List[str]:
    """The same where the numbers differ from run to run."""
    return [line.split("x ", 1)[1]
            for line in sent(job, lines, "result", *fields)]


def errors(job: str, lines: List[Line]) -> List[str]:
    """Of each command that ended badly the engine must have made something."""
    counts = document_of(job)
    failed = Counter(f"{line['result']} at {line['at']}" for line in lines
                     if "at" in line)
    aborted = sum(line["result"] == "aborted" for line in lines)
    again = counts["requeued"]
    wanted = aborted + sum(failed.values()) - counts["failed"]
    words = ", ".join(f"{number}x {what}"
                      for what, number in sorted(failed.items()))
    total = "all" if counts["commands"] == len(lines) else "NOT ALL"
    others = "others" if wanted else "no others"
    return [f"the disk: {words or 'no error'}, {others} aborted",
            f"the engine: {total} commands counted, {counts['failed']} failed,"
            f" {counts['errors_judged']} queues ended by an error, the others"
            f" {'sent again' if again == wanted else f'NOT: {again}'}"]


def overtaken(lines: List[Line]) -> int:
    """How many ended while another that had come before them had not?"""
    waiting = sorted(int(line["seq"]) for line in lines)
    late = 0
    for line in lines:
        late += waiting[0] != int(line["seq"])
        waiting.remove(int(line["seq"]))
    return late


def link(disk_saw: int, counts: Dict[str, Any]) -> str:
    """Each tenth command is a CRC error of the disk's, where it has a log."""
    events = {event["id"]: event["count"] for event in counts["link_events"]}
    if not events:
        return "no events of the link"
    right = abs(events[0x00b] - disk_saw / 10) <= 1 and not events[0x001]
    return ("as many" if right else f"NOT {disk_saw / 10} as {events}"
            ) + " CRC errors as the disk had"


def queue(job: str, lines: List[Line]) -> List[str]:
    """At the disk and in the engine."""
    counts = document_of(job)["queue"]
    spent = counts["ns_at_depth"]
    most = max(range(len(spent)), key=lambda at: spent[at])
    rest = sum(spent) - spent[most]
    depth = max(int(line["outstanding"]) for line in lines)
    late = overtaken(lines)
    orders = ["out of order" if count else "in order"
              for count in (late, counts["out_of_order"])]
    # What ends together may be reaped in another order.
    if abs(late - counts["out_of_order"]) > len(lines) / 20:
        orders[1] += f" NOT {counts['out_of_order']} times but {late}"
    done = counts["completed"] == len(lines)
    return [f"at the disk up to {depth}, in the engine"
            f" {'most' if rest < spent[most] else 'NOT most'} of the time"
            f" {most}; {orders[0]}, {orders[1]};"
            f" {'all' if done else 'NOT all'} commands counted",
            link(len(lines), counts)]


def mean_latency(rows: List[Dict[str, Any]], high: bool) -> float:
    """Of I/Os with priority high, or of the others; 0: there are none."""
    chosen = [row["clat_ns"] for row in rows
              if (row["prioclass"] == 1) == high]
    count = sum(one["N"] for one in chosen)
    return sum(one["N"] * one["mean"] for one in chosen) / count if count else 0


def priority(job: str, lines: List[Line]) -> List[str]:
    """By direction."""
    fio = jobs_of(job)[0]
    words = []
    for op, direction in (("60", "read"), ("61", "write")):
        given = [line["prio"] for line in lines if line["op"] == op]
        high = given.count("2")
        rows = fio[direction].get("prios", [])
        counted = sum(row["clat_ns"]["N"] for row in rows
                      if row["prioclass"] == 1)
        if not given:
            continue
        text = f"{direction}: {high} of {len(given)} high"
        # fio tells priorities apart only where there is more than one.
        if rows and counted != high:
            text += f", NOT {counted} as fio says"
        if high + given.count("0") != len(given):
            text += ", OTHERS of another priority"
        if 0 < high < len(given):
            ratio = mean_latency(rows, True) / mean_latency(rows, False)
            text += f", {'faster' if ratio < 0.7 else 'NOT faster'}"
        words.append(text)
    if document_of(job)["high_priority"] != sum(
            line["prio"] == "2" for line in lines):
        words.append("NOT as many as the engine counted")
    return words


def trims(_job: str, lines: List[Line]) -> List[str]:
    """In the order of their places."""
    found = []
    for line in lines:
        if "ranges" in line:
            pieces = [list(map(int, piece.split("+")))
                      for piece in line["ranges"].rstrip(",").split(",")]
            found.append((pieces[0][0], sum(piece[1] for piece in pieces),
                          len(pieces), line["op"], line["via"], line["aux"]))
    found.sort()
    whole = all(before[0] + before[1] == after[0]
                for before, after in zip(found, found[1:]))
    ways = Counter(f"{NAMES[op]} ({via}, AUXILIARY {aux}) of {blocks} blocks"
                    f" in {pieces} ranges"
                    for _, blocks, pieces, op, via, aux in found)
    return [f"{number}x {kind}" for kind, number in sorted(ways.items())
            ] + [f"{'all' if whole else 'NOT all'} blocks from {found[0][0]} to"
                 f" {found[-1][0] + found[-1][1]}"]


DOES = {"sent": sent, "kinds": kinds, "errors": errors, "queue": queue,
        "priority": priority, "trims": trims}


def main(job: str, disk: str, what: str = "", *fields: str) -> None:
    """The job's line, and more of them."""
    print(job_line(job))
    if what:
        for line in DOES[what](job, commands_of(disk), *fields):
            print(f"  {line}")


main(*sys.argv[1:])
