# SPDX-License-Identifier: GPL-2.0-only
"""Profiles: jobfiles, as far as a plan and a refusal depend on them."""
import difflib
from dataclasses import dataclass
from pathlib import Path
from typing import Callable, Dict, List, Optional, Tuple

from . import jobs
from .errors import ReviewError, bad_input, refuse
from .head import Head, read
from .streams import Stream
from .units import show_size

ALL = "all"
_PLACES = ("directory", "opendir", "aux-path")


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
    # What its sections amount to.
    shape: jobs.Shape = jobs.Shape(1, True, 0, False)
    # The smallest region that it can do with, in bytes.
    region: int = 0

    @property
    def outstanding(self) -> int:
        """I/Os in flight when nothing holds the load back."""
        return sum(one.outstanding for one in self.streams)

    def _mean(self, value: Callable[[Stream], float]) -> float:
        """A value over all I/Os."""
        mean = sum(value(one) * one.share for one in self.streams) / 100
        return round(mean, 3)

    @property
    def read_percent(self) -> Optional[float]:
        """The share of reads among all I/Os; None where it varies."""
        if self.streams[0].read_percent is None:
            return None
        mean = self._mean(lambda one: one.read_percent or 0)
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


def _check_options(path: Path, lines: List[str]) -> None:
    """Refuse a job that could leave the target or outlive the run."""
    options = {"".join(line.split()): number
               for number, line in enumerate(lines, 1)
               if not line.lstrip().startswith(("#", ";", "["))}
    for option, number in options.items():
        name = option.partition("=")[0]
        if name in _PLACES or option.startswith("include") \
                or (name.endswith("_log") and "/" in option) \
                or (name == "filename" and option != "filename=${TARGET}"):
            raise bad_input(f"{path}:{number}: {option} would reach beyond "
                            "the target; expected filename=${TARGET}, and "
                            "logs without a folder")
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
    head = Head(path, read(path, lines))
    _check_options(path, lines)
    return Profile(
        id=profile_id, path=path, title=head.text("title"),
        goal=head.text("goal"), device=head.text("device"),
        destructive=head.choice("destructive", "yes", "no") == "yes",
        minutes=head.number("minutes", "minutes above 0", 0.1, 1e5),
        streams=head.streams(),
        source=head.text("source"), confidence=head.text("confidence"),
        reading=head.text("reading"), engine=head.engine(),
        single=head.single(), shape=jobs.shape(lines), region=head.region())


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


def check_region(profiles: List[Profile], size: int) -> None:
    """Refuse a region in which a profile would have no room."""
    for one in profiles:
        if size < one.region:
            raise refuse(f"{one.id} needs a region of {show_size(one.region)}"
                         f", and it is {show_size(size)}: --size")
