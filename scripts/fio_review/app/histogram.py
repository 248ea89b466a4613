# SPDX-License-Identifier: GPL-2.0-only
"""Latency counts by value: merged, and asked for a percentile."""
from collections import Counter
from typing import Dict, Iterable

Histogram = Dict[float, int]


def merge(parts: Iterable[Histogram]) -> Histogram:
    """The counts of all of them together."""
    total: "Counter[float]" = Counter()
    for one in parts:
        total.update(one)
    return dict(total)


def percentile(counts: Histogram, percent: int) -> float:
    """The smallest value that this share of all does not exceed."""
    wanted = -(-sum(counts.values()) * percent // 100)
    seen = 0
    for value in sorted(counts):
        seen += counts[value]
        if seen >= wanted:
            return value
    raise ValueError("a histogram without counts has no percentile")
