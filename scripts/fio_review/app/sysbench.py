# SPDX-License-Identifier: GPL-2.0-only
"""What sysbench 1.0 prints at its end."""
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Dict, Optional

from ..verdict import NoResult
from .histogram import Histogram

PACKAGE = "sysbench"
# sysbench's buckets; the value is one of a scale of 1,024 from 1 us to 100 s.
_BUCKET = re.compile(r"^ +(\d+\.\d{3}) \|\**\s+(\d+)$", re.M)
_LINES = {
    "seconds": r"^ +total time: +([\d.]+)s$",
    "events": r"^ +total number of events: +(\d+)$",
    "latency_sum_ms": r"^ +sum: +([\d.]+)$",
    "reads": r"^ +reads/s: +([\d.]+)$",
    "writes": r"^ +writes/s: +([\d.]+)$",
    "fsyncs": r"^ +fsyncs/s: +([\d.]+)$",
    "transactions": r"^ +transactions: +(\d+) ",
    "ignored": r"^ +ignored errors: +(\d+) ",
    "reconnects": r"^ +reconnects: +(\d+) ",
}
_OF_ALL = ("seconds", "events", "latency_sum_ms")
FILE_OPERATIONS = ("reads", "writes", "fsyncs")
TRANSACTIONS = ("transactions", "ignored", "reconnects")
_MAX_BYTES = 16 << 20


@dataclass(frozen=True)
class Report:
    """One sysbench's result: numbers by name, and its latencies in ns."""
    numbers: Dict[str, float]
    latencies: Histogram

    @property
    def mean_ns(self) -> float:
        return self.numbers["latency_sum_ms"] * 1e6 / self.numbers["events"]


def _read(path: Path) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as text:
            return text.read(_MAX_BYTES)
    except OSError as err:
        raise NoResult(f"{path.name} cannot be read: {err.strerror}"
                       ) from None


def _number(text: str, name: str) -> Optional[float]:
    found = re.search(_LINES[name], text, re.M)
    try:
        return float(found[1]) if found else None
    except ValueError:
        return None


def parse(text: str, more: tuple) -> Report:
    """The report in sysbench's output, with these lines beside the usual."""
    failed = re.search(r"^(?:FATAL|ALERT): .*", text, re.M)
    if failed:
        raise NoResult(f"sysbench says {failed[0][:200]}")
    numbers = {}
    for name in (*_OF_ALL, *more):
        value = _number(text, name)
        if value is None:
            raise NoResult("sysbench's output is cut off: it has no line for "
                           + name.replace("_", " "))
        numbers[name] = value
    if not numbers["events"] or not numbers["seconds"]:
        raise NoResult("sysbench did nothing")
    counts: Histogram = {}
    for value, count in _BUCKET.findall(text):
        ns = float(value) * 1e6
        counts[ns] = counts.get(ns, 0) + int(count)
    if sum(counts.values()) != numbers["events"]:
        raise NoResult(f"sysbench's histogram holds {sum(counts.values())} of "
                       f"{numbers['events']:.0f} events")
    return Report(numbers, counts)


def read(path: Path, more: tuple) -> Report:
    """The report in a file."""
    return parse(_read(path), more)
