# SPDX-License-Identifier: GPL-2.0-only
"""The applications' options: one table for the parser, the help and a run."""
import argparse
from dataclasses import dataclass
from typing import Any, Callable, Dict, List

from ..errors import refuse
from ..units import parse_seconds, parse_size

Options = Dict[str, Any]


def _count(text: str) -> int:
    if not text.isascii() or not text.isdecimal() or not 0 < int(text) <= 10**9:
        raise refuse(f"{text!r} is no count: write a whole number from 1 on")
    return int(text)


def _seconds(text: str) -> int:
    seconds = parse_seconds(text)
    if seconds < 1 or seconds != int(seconds):
        raise refuse(f"{text!r} is no time for an application: whole seconds "
                     "from 1 s on")
    return int(seconds)


@dataclass(frozen=True)
class Option:
    """How a value is read, and what it is."""
    read: Callable[[str], int]
    metavar: str
    text: str


OPTIONS: Dict[str, Option] = {
    "size": Option(parse_size, "SIZE", "bytes of all files together"),
    "files": Option(_count, "N", "files"),
    "instances": Option(_count, "N", "servers, each with a sysbench of its "
                        "own, all at the same time"),
    "tables": Option(_count, "N", "tables of each instance"),
    "rows": Option(_count, "N", "rows of a table"),
    "scale": Option(_count, "N", "pgbench's unit: 100,000 accounts, 16 MiB"),
    "threads": Option(_count, "N", "threads, of each instance"),
    "clients": Option(_count, "N", "clients, one connection each"),
    "buffer_pool": Option(parse_size, "SIZE", "memory in which a server "
                          "keeps data"),
    "warmup": Option(_seconds, "S", "seconds at work before it counts"),
    "time": Option(_seconds, "S", "seconds measured"),
}
# What each application knows, and what it takes where nothing is said.
DEFAULTS: Dict[str, Dict[str, str]] = {
    "sysbench-fileio": {"size": "1G", "files": "64", "threads": "192",
                        "time": "10s"},
    "sysbench-oltp": {"instances": "1", "tables": "4", "rows": "100000",
                      "threads": "8", "buffer_pool": "32M", "warmup": "10s",
                      "time": "30s"},
    "pgbench": {"scale": "10", "clients": "8", "buffer_pool": "32M",
                "warmup": "10s", "time": "30s"},
}
# What the reviews did, where it differs. They do not tell the size of the
# files; 1 GiB a file is ours.
REVIEWS: Dict[str, Dict[str, str]] = {
    "sysbench-fileio": {"size": "64G", "time": "120s"},
    "sysbench-oltp": {"instances": "4", "tables": "100", "rows": "10000000",
                      "threads": "32", "buffer_pool": "24G", "warmup": "2h",
                      "time": "1h"},
}


def _spelling(name: str) -> str:
    return "--" + name.replace("_", "-")


def _values(table: Dict[str, Dict[str, str]], name: str) -> str:
    return ", ".join(f"{app} {known[name]}" for app, known in table.items()
                     if name in known)


def help_of(name: str) -> str:
    """What an option is, its default, and its value in the reviews."""
    reviews = _values(REVIEWS, name)
    return (f"{OPTIONS[name].text} (default: {_values(DEFAULTS, name)}"
            + (f"; --reviews: {reviews}" if reviews else "") + ")")


def names() -> List[str]:
    """The applications."""
    return list(DEFAULTS)


def complete(args: argparse.Namespace) -> Options:
    """The values in effect for the application that was named."""
    given, app = vars(args), args.application
    texts = dict(DEFAULTS[app])
    if given.get("reviews"):
        if app not in REVIEWS:
            raise refuse(f"the reviews have no {app}, so --reviews says "
                         "nothing of it")
        texts.update(REVIEWS[app])
    for name in OPTIONS:
        if name not in given:
            continue
        if name not in texts:
            raise refuse(f"{_spelling(name)} is no option of {app}; it takes "
                         + ", ".join(_spelling(one) for one in texts))
        texts[name] = given[name]
    return {name: OPTIONS[name].read(text) for name, text in texts.items()}
