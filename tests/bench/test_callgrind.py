# SPDX-License-Identifier: GPL-2.0-only
"""What belongs to the engine is found in callgrind's files."""
import unittest

import callgrind

FIO, ENGINE = "/usr/bin/fio", "/build/nvme_pt.so"


def content(scale: int) -> str:
    """fio's main 100, which calls queue: 30 itself, 5 for memcpy, 7 for
    liburing that itself calls 2 of libc, 11 for fio's clock, 3 for a helper of
    its own; all `scale` times, and 1000 at the start."""
    return f"""\
# callgrind format
version: 1
positions: line
events: Ir

ob={FIO}
fl=???
fn=start
0 1000

fn=main
0 {100 * scale}
cob={ENGINE}
cfi=nvme_pt.c
cfn=queue
calls={scale} 0
0 {58 * scale}

ob={ENGINE}
fl=nvme_pt.c
fn=queue
12 {10 * scale}
13 {20 * scale}
cob=/lib/libc.so.6
cfi=???
cfn=memcpy
calls={scale} 0
14 {5 * scale}
cob=/lib/liburing.so.2.3
cfn=submit
calls={scale} 0
15 {9 * scale}
cob={FIO}
cfn=clock
calls={scale} 0
16 {11 * scale}
cfn=helper
calls={scale} 0
17 {3 * scale}

fn=helper
21 {3 * scale}

ob=/lib/liburing.so.2.3
fn=submit
0 {7 * scale}
cob=/lib/libc.so.6
cfn=syscall
calls={scale} 0
0 {2 * scale}

ob=/lib/libc.so.6
fn=memcpy
0 {5 * scale}

fn=syscall
0 {2 * scale}

ob={FIO}
fn=clock
0 {11 * scale}
"""


def profile(scale: int) -> callgrind.Profile:
    """The file of so many I/Os."""
    return callgrind.parse(content(scale).splitlines())


class Callgrind(unittest.TestCase):
    """per_io() and shares()."""

    def setUp(self) -> None:
        self.each = callgrind.per_io(profile(20), profile(120), 100)

    def test_total_is_what_all_functions_did(self) -> None:
        self.assertEqual(profile(1).total(), 1158)

    def test_start_is_no_part_of_an_io(self) -> None:
        self.assertEqual(self.each.total(), 158)

    def test_engine_is_split_by_whom_it_calls(self) -> None:
        part = callgrind.shares(self.each, ENGINE, FIO)
        self.assertEqual(part[:4], (33, 7, 7, 11))
        self.assertEqual(part.own(), 47)

    def test_parts_make_up_what_fio_enters(self) -> None:
        part = callgrind.shares(self.each, ENGINE, FIO)
        self.assertEqual(part.entered, part.own() + part.fio)

    def test_top_begins_with_the_most(self) -> None:
        self.assertEqual(callgrind.top(self.each, 2),
                         [(100, "main", "fio"), (30, "queue", "nvme_pt.so")])

    def test_passes_through_json(self) -> None:
        self.assertEqual(callgrind.from_rows(callgrind.to_rows(self.each)),
                         self.each)


if __name__ == "__main__":
    unittest.main()
