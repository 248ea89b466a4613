# SPDX-License-Identifier: GPL-2.0-only
"""Profiles: jobfiles with a machine-readable head of "# key: value" lines.

The head is a fixed part of the format and not free text, because a plan, a
refusal and the report's wording all depend on it.
"""
import difflib
import re
from dataclasses import dataclass
from pathlib import Path
from typing import (Any, Callable, Dict, List, NamedTuple, Optional,
                    Tuple)

from . import streams as streams_
from .errors import ReviewError, bad_input, refuse
from .streams import Stream

KEYS = ("title", "goal", "device", "destructive", "minutes", "outstanding",
        "block", "mix", "access", "source", "confidence", "reading")
ALL = "all"
OPTIONAL = ("engine", "share", "method")
_LINE = re.compile(r"# ([a-z]+):\s*(.*)")
_ENGINE = re.compile(r"[a-z0-9][a-z0-9_]{0,63}")
SHARE = "percentages above 0 that are 100 together"
_SPDX = "# SPDX-License-Identifier:"


class Line(NamedTuple):
    """A value of the head and the line it stands on."""
    number: int
    text: str


@dataclass(frozen=True)
class Profile:
    """One jobfile, as far as the runner has to know it."""
    id: str
    path: Path
    title: str
    goal: str
    device: str
    destructive: bool
    minutes: float
    streams: Tuple[Stream, ...]
    source: str
    confidence: str
    reading: str
    # The one I/O engine whose options the job has; None: any will do.
    engine: Optional[str] = None
    # One call of fio without rates, and no curve.
    single: bool = False

    @property
    def outstanding(self) -> int:
        """I/Os in flight when nothing holds the load back."""
        return sum(one.outstanding for one in self.streams)

    def _mean(self, value: Callable[[Stream], float]) -> float:
        """A value over all I/Os."""
        mean = sum(value(one) * one.share for one in self.streams) / 100
        return round(mean, 3)

    @property
    def read_percent(self) -> float:
        """The share of reads among all I/Os."""
        mean = self._mean(lambda one: one.read_percent)
        return int(mean) if mean == int(mean) else mean

    @property
    def block_bytes(self) -> int:
        """The mean size of a transfer."""
        return round(self._mean(lambda one: one.block.mean))

    @property
    def access(self) -> str:
        """How the I/Os lie; "mixed" where streams differ."""
        kinds = {one.access for one in self.streams}
        return kinds.pop() if len(kinds) == 1 else "mixed"

    def span(self, size: int) -> int:
        """The part of the region that one thread strides over.

        Threads of a sequential stream start a block apart, so each ends as
        many blocks short of the region's end as others start after it.
        """
        return size - max((one.depth.threads - 1) * one.block.mean
                          if one.access == "sequential" else 0
                          for one in self.streams)

    @property
    def method(self) -> str:
        """The access pattern in one line for a reader."""
        if len(self.streams) == 1:
            return self.streams[0].method
        return "; ".join(f"{one.share:g} %: {one.method}"
                         for one in self.streams)


def _read_head(path: Path, lines: List[str]) -> Dict[str, Line]:
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


class _Head:
    """Typed access to the head with errors that name file and line."""

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

    def streams(self) -> Tuple[Stream, ...]:
        """What the threads do; one for every value of "outstanding"."""
        columns = {
            "outstanding": self._each("outstanding", streams_.depth,
                                      '"N threads x iodepth M"'),
            "block": self._each("block", streams_.block, "a size such as 4k, "
                                'or "4k to 64k, mean 20k"'),
            "mix": self._each("mix", streams_.percentage,
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
        return tuple(Stream(*row) for row in zip(*columns.values()))


def _check_options(path: Path, lines: List[str]) -> None:
    """Refuse a job that could leave the target or outlive the run."""
    options = {"".join(line.split()): number
               for number, line in enumerate(lines, 1)
               if not line.lstrip().startswith(("#", ";", "["))}
    for option, number in options.items():
        name = option.partition("=")[0]
        if name == "directory" or (name == "filename"
                                   and option != "filename=${TARGET}"):
            raise bad_input(f"{path}:{number}: {option} would reach beyond "
                            "the target; expected filename=${TARGET}")
    for wanted, why in (
            ("filename=${TARGET}", "the job must use the target"),
            ("thread=1", "a forked job would outlive a fio that is killed"),
            ("allow_file_create=0", "a mistyped device would become a file")):
        if wanted not in options:
            raise bad_input(f"{path}: lacks {wanted}: {why}")


def load(path: Path, profile_id: str) -> Profile:
    """Read the head of one jobfile."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as err:
        raise bad_input(f"{path}: cannot be read: {err.strerror}") from err
    except UnicodeDecodeError as err:
        raise bad_input(f"{path}: is not UTF-8 text") from err
    head = _Head(path, _read_head(path, lines))
    _check_options(path, lines)
    return Profile(
        id=profile_id, path=path, title=head.text("title"),
        goal=head.text("goal"), device=head.text("device"),
        destructive=head.choice("destructive", "yes", "no") == "yes",
        minutes=head.number("minutes", "minutes above 0", 0.1, 1e5),
        streams=head.streams(),
        source=head.text("source"), confidence=head.text("confidence"),
        reading=head.text("reading"), engine=head.engine(),
        single="method" in head.head
        and head.choice("method", "curve", "single") == "single")


def jobfiles_dir() -> Path:
    """Beside the package when installed, beside scripts/ in a tree."""
    package = Path(__file__).resolve().parent
    for place in (package.parent / "jobfiles",
                  package.parent.parent / "jobfiles"):
        if place.is_dir():
            return place
    raise bad_input(f"no directory jobfiles near {package}; "
                    "name it with --jobfiles DIR")


def find_ids(jobfiles: Path) -> List[str]:
    """Ids (group/name) of every profile under jobfiles, sorted."""
    return sorted(str(path.relative_to(jobfiles).with_suffix(""))
                  for path in jobfiles.glob("*/*.fio"))


def _unknown(name: str, ids: List[str]) -> ReviewError:
    names = ids + sorted({one.split("/")[0] for one in ids})
    near = difflib.get_close_matches(name, names, 3, 0.5)
    hint = f"; did you mean {' or '.join(near)}" if near else ""
    return refuse(f"there is no profile or group {name!r}{hint} "
                  "(fio-review list shows all)")


def select(jobfiles: Path, wanted: List[str],
           loader: Callable[[Path, str], Profile] = load) -> List[Profile]:
    """Profiles for a list of ids and groups, in that order, each once.

    ALL is those that any I/O engine can do.
    """
    ids = find_ids(jobfiles)
    loaded: Dict[str, Profile] = {}

    def get(one: str) -> Profile:
        if one not in loaded:
            loaded[one] = loader(jobfiles / f"{one}.fio", one)
        return loaded[one]

    chosen: List[str] = []
    for name in wanted:
        found = [one for one in ids
                 if one == name or one.split("/")[0] == name
                 or (name == ALL and not get(one).engine)]
        if not found:
            raise _unknown(name, ids)
        chosen += [one for one in found if one not in chosen]
    return [get(one) for one in chosen]


def check_engine(profiles: List[Profile], ioengine: str) -> None:
    """Refuse a profile with options that only another engine has."""
    given = Path(ioengine.removeprefix("external:")).name.removesuffix(".so")
    for one in profiles:
        if one.engine and one.engine != given:
            raise refuse(f"{one.id} is for the I/O engine {one.engine} and "
                         f"not for {ioengine}: name the file of that engine, "
                         f"--ioengine PATH/{one.engine}.so")
