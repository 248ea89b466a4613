# SPDX-License-Identifier: GPL-2.0-only
"""What pgbench prints at its end, and its log of every transaction."""
import re
import stat
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Dict

from ..verdict import NoResult
from .histogram import Histogram, percentile

PREFIX = "transactions"
_LINES = {
    "tps": r"^tps = ([\d.]+) \(",
    "transactions": r"^number of transactions actually processed: (\d+)",
}
# Since release 15.
_FAILED = r"^number of failed transactions: (\d+)"
_BAD = re.compile(r"^.*(?:results are incomplete|aborted|FATAL:|PANIC:).*",
                  re.M)
_MAX_BYTES = 16 << 20


@dataclass(frozen=True)
class Report:
    """Rate, failures, and the latency of each transaction in ns."""
    tps: float
    errors: int
    latencies: Histogram

    def metrics(self) -> Dict[str, Any]:
        """As run.json has them."""
        count = sum(self.latencies.values())
        total = sum(value * many for value, many in self.latencies.items())
        return {"tps": self.tps, "mean_ns": total / count,
                "p99_ns": percentile(self.latencies, 99),
                "p99_kind": "log of every transaction",
                "errors": self.errors}


def _number(text: str, name: str) -> float:
    found = re.search(_LINES[name], text, re.M)
    try:
        return float(found[1])  # type: ignore[index]
    except (TypeError, ValueError):
        raise NoResult("pgbench's output is cut off: it has no line for "
                       f"{name}") from None


def parse(text: str, latencies: Histogram) -> Report:
    """The report in pgbench's output; the log must tell of as many."""
    bad = _BAD.search(text)
    if bad:
        raise NoResult(f"pgbench says {bad[0][:200]}")
    # Where nothing was done there is no line for tps.
    done = _number(text, "transactions")
    if not done:
        raise NoResult("pgbench has done no transaction in its time")
    tps = _number(text, "tps")
    logged = sum(latencies.values())
    if logged != done:
        raise NoResult(f"pgbench's log tells of {logged} transactions, its "
                       f"output of {done:.0f}")
    failed = re.search(_FAILED, text, re.M)
    return Report(tps, int(failed[1]) if failed else 0, latencies)


def count_log(folder: Path) -> Histogram:
    """Latencies in all of pgbench's logs; it gives microseconds."""
    counts: "Counter[float]" = Counter()
    for path in sorted(folder.glob(f"{PREFIX}.*")):
        # The folder is pgbench's user's, and we may be root.
        if not stat.S_ISREG(path.lstat().st_mode):
            raise NoResult(f"pgbench's log {path.name} is no plain file")
        with open(path, encoding="ascii", errors="replace") as lines:
            for number, line in enumerate(lines, 1):
                words = line.split(" ", 3)
                if len(words) == 4 and words[2] in ("failed", "skipped"):
                    continue
                if len(words) < 4 or not words[2].isdecimal():
                    raise NoResult(f"line {number} of pgbench's log "
                                   f"{path.name} is no transaction")
                counts[int(words[2]) * 1000.0] += 1
    return dict(counts)


def read(output: Path, folder: Path) -> Report:
    """The report in pgbench's output and its logs."""
    try:
        with open(output, encoding="utf-8", errors="replace") as text:
            return parse(text.read(_MAX_BYTES), count_log(folder))
    except OSError as err:
        raise NoResult(f"{err.filename}: {err.strerror}") from None


def write_counts(path: Path, latencies: Histogram) -> None:
    """The latencies in short: microseconds, and how many took that long."""
    with open(path, "w", encoding="ascii") as out:
        out.write("# microseconds transactions\n")
        for value in sorted(latencies):
            out.write(f"{value / 1000:.0f} {latencies[value]}\n")
