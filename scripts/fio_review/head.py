# SPDX-License-Identifier: GPL-2.0-only
"""The head of a jobfile: "# key: value" lines, and their values.

A fixed part of the format and not free text, because a plan, a refusal and the
report's wording all depend on it.
"""
import re
from pathlib import Path
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Tuple

from . import streams as streams_
from .errors import ReviewError, bad_input
from .streams import Stream
from .units import parse_size

KEYS = ("title", "goal", "device", "destructive", "minutes", "outstanding",
        "block", "mix", "access", "source", "confidence", "reading")
OPTIONAL = ("engine", "share", "method", "region")
_LINE = re.compile(r"# ([a-z]+):\s*(.*)")
_ENGINE = re.compile(r"[a-z0-9][a-z0-9_]{0,63}")
SHARE = "percentages above 0 that are 100 together"
_SPDX = "# SPDX-License-Identifier:"


class Line(NamedTuple):
    """A value of the head and the line it stands on."""
    number: int
    text: str


def read(path: Path, lines: List[str]) -> Dict[str, Line]:
    """The keys of the first comment block; errors name file and line."""
    head: Dict[str, Line] = {}
    last = ""
    for number, raw in enumerate(lines, 1):
        line = raw.rstrip()
        if line.startswith(_SPDX) or (line == "#" and not head):
            continue
        if not line.startswith("#") or line == "#":
            break
        match = _LINE.fullmatch(line)
        if match:
            last = match[1]
            if last not in KEYS + OPTIONAL:
                raise bad_input(f"{path}:{number}: unknown key {last!r} in the "
                                "head; known are "
                                f"{', '.join(KEYS + OPTIONAL)}")
            if last in head:
                raise bad_input(f"{path}:{number}: key {last!r} stands twice "
                                f"in the head (first on line "
                                f"{head[last].number})")
            head[last] = Line(number, match[2].strip())
        elif last and line.startswith("#   "):
            before = head[last]
            head[last] = Line(before.number, f"{before.text} {line[4:]}")
        else:
            raise bad_input(f"{path}:{number}: expected \"# key: value\" or a "
                            "continuation that starts with \"#   \"")
    return head


class Head:
    """Typed access to what read() found."""

    def __init__(self, path: Path, head: Dict[str, Line]):
        self.path = path
        self.head = head
        for key in KEYS:
            if key not in head:
                raise bad_input(f"{path}:1: the head lacks \"# {key}: ...\"")
        for key, line in head.items():
            if not line.text:
                raise self.wrong(key, "a value")

    def wrong(self, key: str, wanted: str) -> ReviewError:
        """The error for a value that is not what the key needs."""
        line = self.head[key]
        return bad_input(f"{self.path}:{line.number}: {key} is "
                         f"{line.text!r}, expected {wanted}")

    def text(self, key: str) -> str:
        """A key's value as it stands."""
        return self.head[key].text

    def choice(self, key: str, *allowed: str) -> str:
        if self.text(key) not in allowed:
            raise self.wrong(key, " or ".join(allowed))
        return self.text(key)

    def number(self, key: str, wanted: str, low: float, high: float) -> float:
        try:
            value = float(self.text(key))
        except ValueError:
            raise self.wrong(key, wanted) from None
        if not low <= value <= high:
            raise self.wrong(key, wanted)
        return value

    def engine(self) -> Optional[str]:
        if "engine" not in self.head:
            return None
        if not _ENGINE.fullmatch(self.text("engine")):
            raise self.wrong("engine", "the name of an I/O engine")
        return self.text("engine")

    def _each(self, key: str, parse: Callable[[str], Any],
              wanted: str) -> List[Any]:
        try:
            return streams_.each(self.text(key), parse)
        except ValueError:
            raise self.wrong(key, wanted) from None

    def _shares(self, count: int) -> List[float]:
        if "share" not in self.head:
            if count == 1:
                return [100.0]
            raise bad_input(f"{self.path}:1: the head lacks \"# share: ...\", "
                            "which several streams need")
        shares = self._each("share", streams_.percentage, SHARE)
        if not all(shares) or abs(sum(shares) - 100) > 1e-6:
            raise self.wrong("share", SHARE)
        return shares

    def single(self) -> bool:
        """One call of fio and no curve?"""
        return "method" in self.head \
            and self.choice("method", "curve", "single") == "single"

    def region(self) -> int:
        """The smallest region that the job can do with."""
        if "region" not in self.head:
            return 0
        try:
            return parse_size(self.text("region"))
        except ReviewError:
            raise self.wrong("region", "a size such as 64m") from None

    def _check_known(self, streams: Tuple[Stream, ...]) -> None:
        """A rate needs a mix, and a curve's bandwidth a mean size."""
        if any(one.read_percent is None for one in streams):
            raise self.wrong("mix", "a read share from 0 to 100")
        if not all(one.block.mean for one in streams):
            raise self.wrong("block", '"4k to 64k, mean 20k"')

    def streams(self) -> Tuple[Stream, ...]:
        """What the threads do; one for every value of "outstanding"."""
        columns = {
            "outstanding": self._each("outstanding", streams_.depth,
                                      '"N threads x iodepth M"'),
            "block": self._each("block", streams_.block, "a size such as 4k, "
                                'or "4k to 64k, mean 20k"'),
            "mix": self._each("mix", streams_.mix,
                              "a read share from 0 to 100"),
            "access": self._each("access", streams_.access,
                                 " or ".join(streams_.ACCESS)),
        }
        count = len(columns["outstanding"])
        columns["share"] = self._shares(count)
        for key, values in columns.items():
            if len(values) != count:
                raise self.wrong(key, f"{count} values with \" + \" between, "
                                 "as outstanding has")
        streams = tuple(Stream(*row) for row in zip(*columns.values()))
        if not self.single():
            self._check_known(streams)
        elif count > 1:
            raise self.wrong("outstanding", "the most at once: one value")
        return streams
