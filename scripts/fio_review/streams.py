# SPDX-License-Identifier: GPL-2.0-only
"""Streams: what the threads of one job do, as the head of a jobfile has it.

A profile of several streams joins their values with " + ", key by key.
"""
import re
from dataclasses import dataclass
from typing import Callable, List, NamedTuple, Optional, TypeVar

from .errors import ReviewError
from .units import KIB, MIB, parse_size

SEPARATOR = " + "
ACCESS = ("random", "sequential", "mixed")
_OUTSTANDING = re.compile(r"(\d{1,6}) threads? x iodepth (\d{1,6})")
_RANGE = re.compile(r"(\S+) to (\S+?)(?:, mean (\S+))?")
VARIES = "varies"
T = TypeVar("T")


class Block(NamedTuple):
    """Sizes of a transfer in bytes; all three the same where there is one.

    mean is 0 where it depends on how fast which of the jobs is.
    """
    low: int
    high: int
    mean: int


class Depth(NamedTuple):
    """How much one stream keeps outstanding."""
    threads: int
    iodepth: int


@dataclass(frozen=True)
class Stream:
    """Threads that do the same; share is the percentage of all I/Os."""
    depth: Depth
    block: Block
    # None: it depends on how fast which of the jobs is.
    read_percent: Optional[float]
    access: str
    share: float = 100.0

    @property
    def outstanding(self) -> int:
        """I/Os in flight when nothing holds the load back."""
        return self.depth.threads * self.depth.iodepth

    @property
    def method(self) -> str:
        """The access pattern in one line for a reader."""
        threads = self.depth.threads
        mix = {100: "100 % read", 0: "100 % write",
               None: "reads and writes"}.get(
                   self.read_percent, f"{self.read_percent or 0:g} % read")
        return (f"{_show_block(self.block)}, {mix}, {self.access}, "
                f"{threads} thread{'s' * (threads != 1)} "
                f"x QD{self.depth.iodepth}")


def _show(count: int) -> str:
    if count < KIB or (count % KIB and count < 10 * KIB):
        return f"{count} B"
    if count >= MIB and count % MIB == 0:
        return f"{count // MIB} MiB"
    return f"{round(count / KIB, 1):g} KiB"


def _show_block(block: Block) -> str:
    if block.low == block.high:
        return _show(block.mean)
    return (f"{_show(block.low)} to {_show(block.high)}"
            + (f" (mean {_show(block.mean)})" if block.mean else ""))


def _size(text: str) -> int:
    try:
        return parse_size(text)
    except ReviewError:
        raise ValueError(text) from None


def depth(text: str) -> Depth:
    """Of "N threads x iodepth M"; ValueError for anything else."""
    match = _OUTSTANDING.fullmatch(text)
    if not match or not int(match[1]) or not int(match[2]):
        raise ValueError(text)
    return Depth(int(match[1]), int(match[2]))


def block(text: str) -> Block:
    """Of "4k", "4k to 64k, mean 17.8k" or "4k to 64k"; else ValueError."""
    match = _RANGE.fullmatch(text)
    if not match:
        low = high = mean = _size(text)
    else:
        low, high = _size(match[1]), _size(match[2])
        mean = _size(match[3]) if match[3] else 0
    if not 0 < low <= (mean or low) <= high:
        raise ValueError(text)
    return Block(low, high, mean)


def percentage(text: str) -> float:
    """A share from 0 to 100; ValueError for anything else."""
    value = float(text)
    if not 0 <= value <= 100:
        raise ValueError(text)
    return int(value) if value == int(value) else value


def mix(text: str) -> Optional[float]:
    """A percentage of reads; None for VARIES."""
    return None if text == VARIES else percentage(text)


def access(text: str) -> str:
    """One of ACCESS; ValueError for anything else."""
    if text not in ACCESS:
        raise ValueError(text)
    return text


def each(text: str, parse: Callable[[str], T]) -> List[T]:
    """The value of every stream; ValueError if one is none."""
    return [parse(one) for one in text.split(SEPARATOR)]
