# SPDX-License-Identifier: GPL-2.0-only
"""I/Os as fio logs them: one line each, with direction, size and offset."""
from pathlib import Path
from typing import Any, Dict, List, NamedTuple, Tuple


class Io(NamedTuple):
    """One completed I/O; way is 0 for a read, 1 for a write."""
    lat_ns: int
    way: int
    size: int
    offset: int


def read(path: Path) -> List[Io]:
    """One thread's I/Os in order, of its log with log_offset=1."""
    found = []
    with open(path, encoding="ascii") as lines:
        for line in lines:
            _, lat, way, size, offset = line.split(",")[:5]
            found.append(Io(int(lat), int(way), int(size), int(offset, 0)))
    return found


def read_threads(directory: Path, prefix: str) -> List[List[Io]]:
    """All threads' I/Os, in the order of fio's jobs."""
    logs = sorted(directory.glob(f"{prefix}_lat.*.log"),
                  key=lambda one: int(one.name.split(".")[1]))
    return [read(one) for one in logs]


def counts(document: Dict[str, Any]) -> Tuple[List[int], List[int]]:
    """([reads, writes], [bytes read, bytes written]) of fio's JSON."""
    ways = ("read", "write")
    return ([sum(job[way]["total_ios"] for job in document["jobs"])
             for way in ways],
            [sum(job[way]["io_bytes"] for job in document["jobs"])
             for way in ways])
