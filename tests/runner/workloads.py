# SPDX-License-Identifier: GPL-2.0-only
"""What each curve profile must issue, written down apart from the jobfiles.

Figures are those of jobfiles/README.md: a jobfile that is changed must be
changed here, too, and on purpose.
"""
from typing import Dict, NamedTuple, Optional, Tuple

Sizes = Dict[int, float]


class Expect(NamedTuple):
    """Of one stream: threads at iodepth 1 that all do the same."""
    threads: int
    read_percent: float
    # KiB -> percent, of reads and of writes.
    sizes: Tuple[Sizes, Sizes]
    # Percent of the I/Os that do not follow the thread's last one of the same
    # direction; None: it is tested elsewhere.
    random: Optional[Tuple[float, float]] = (100, 100)
    # (percent of the random accesses, percent of the region), in order.
    zones: Tuple[Tuple[float, float], ...] = ((100, 100),)
    # Percent of all I/Os of the profile.
    share: float = 100


def one_size(threads: int, kib: int, read_percent: float) -> Expect:
    return Expect(threads, read_percent, ({kib: 100}, {kib: 100}))


def vdi(threads: int, read_percent: float, reads: Sizes, writes: Sizes,
        random: Tuple[float, float],
        zones: Tuple[Tuple[float, float], ...] = ((60, 10), (25, 25),
                                                  (15, 65))) -> Expect:
    return Expect(threads, read_percent, (reads, writes), random, zones)


CURVES: Dict[str, Tuple[Expect, ...]] = {
    "four-corners/4k-random-read": (one_size(128, 4, 100),),
    "four-corners/4k-random-write": (one_size(128, 4, 0),),
    # Interleaved threads, which test_sequential.py judges: each skips.
    "four-corners/64k-sequential-read": (
        one_size(16, 64, 100)._replace(random=None),),
    "four-corners/64k-sequential-write": (
        one_size(16, 64, 0)._replace(random=None),),
    "sql/sql": (one_size(32, 8, 97),),
    "sql/sql-90-10": (one_size(32, 8, 90),),
    "sql/sql-80-20": (one_size(32, 8, 80),),
    "oracle/oracle": (one_size(35, 8, 80)._replace(share=99),
                      # Reads and writes have a cursor each.
                      Expect(1, 1, ({64: 100}, {64: 100}), (0, 0), (), 1)),
    "oracle/oracle-90-10": (one_size(22, 8, 90),),
    "oracle/oracle-80-20": (one_size(22, 8, 80),),
    "vdi/full-clone-boot": (vdi(
        35, 92, {4: 25, 8: 20, 16: 25, 32: 22, 64: 8},
        {4: 70, 8: 15, 16: 10, 32: 5}, (70, 60)),),
    "vdi/full-clone-initial-login": (vdi(
        30, 40, {4: 35, 8: 15, 16: 20, 32: 20, 64: 10},
        {4: 40, 8: 12, 16: 10, 32: 18, 64: 20}, (75, 50)),),
    "vdi/full-clone-monday-login": (vdi(
        16, 50, {4: 25, 8: 15, 16: 20, 32: 25, 64: 15},
        {4: 38, 8: 10, 16: 10, 32: 20, 64: 22}, (75, 45)),),
    "vdi/linked-clone-boot": (vdi(
        16, 97, {4: 15, 8: 10, 16: 20, 32: 35, 64: 20},
        {4: 80, 8: 10, 16: 10}, (60, 80)),),
    "vdi/linked-clone-initial-login": (vdi(
        8, 45, {4: 15, 8: 10, 16: 15, 32: 30, 64: 30},
        {4: 20, 8: 10, 16: 10, 32: 20, 64: 40}, (75, 60)),),
    "vdi/linked-clone-monday-login": (vdi(
        16, 42, {4: 15, 8: 10, 16: 15, 32: 32, 64: 28},
        {4: 22, 8: 8, 16: 10, 32: 20, 64: 40}, (75, 60)),),
    "vdi/systor-monday": (vdi(
        16, 82, {4: 28, 8: 12, 16: 20, 32: 25, 64: 15},
        {4: 55, 8: 12, 16: 13, 32: 10, 64: 10}, (80, 80)),),
    "vdi/steady": (vdi(
        16, 50, {8: 90, 32: 10}, {32: 100}, (80, 20),
        ((95, 5), (4, 10), (1, 85))),),
}
