# SPDX-License-Identifier: GPL-2.0-only
"""Options in effect: command line over defaults, or over a run's own."""
import argparse
import os
import re
from typing import Any, Dict, List, Optional

from . import plan, precondition
from .errors import refuse
from .profile import Profile
from .target import Target
from .units import parse_rated, parse_seconds, parse_size

DEFAULTS: Dict[str, Any] = {
    "label": "", "runtime_s": 30.0, "ramp_s": 5.0,
    "points": plan.DEFAULT_POINTS, "ioengine": "psync", "direct": "auto",
    "on_failure": "continue", "timeout_s": 60.0, "keep": True,
    "smart": True, "temperature": "auto", "redact": False, "tbw": None,
    "precondition": False, "round_s": precondition.DEFAULT_ROUND_S,
    "settle_s": 0.0, "purge": None,
}
QUICK = {"runtime_s": 2.0, "ramp_s": 0.5}
_SPELLING = {"runtime_s": "--runtime", "ramp_s": "--ramp",
             "timeout_s": "--timeout", "round_s": "--round",
             "settle_s": "--settle", "keep": "--keep/--remove",
             "on_failure": "--on-failure"}
Values = Dict[str, Any]


def _span(values: Values, key: str, text: str, low: float) -> None:
    seconds = parse_seconds(text)
    if seconds < low:
        raise refuse(f"{_SPELLING[key]} {text} is too short: at least "
                     f"{low:g} s")
    values[key] = seconds


def _engine(text: str) -> str:
    """An engine in a file is named from anywhere."""
    prefix = "external:" if text.startswith("external:") else ""
    path = text[len(prefix):]
    return prefix + os.path.abspath(path) if "/" in path else text


def explicit(args: argparse.Namespace) -> Values:
    """What the command line itself says, normalized; nothing else."""
    given = vars(args)
    values: Values = {key: given[key] for key in
                      ("label", "direct", "on_failure", "keep",
                       "fill", "smart", "temperature", "redact",
                       "precondition", "purge")
                      if key in given}
    if given.get("quick"):
        values.update(QUICK)
    for key, name, low in (("runtime_s", "runtime", 0.1),
                           ("ramp_s", "ramp", 0.0),
                           ("timeout_s", "timeout", 0.0),
                           ("round_s", "round", 0.1),
                           ("settle_s", "settle", 0.0)):
        if name in given:
            _span(values, key, given[name], low)
    if "points" in given:
        values["points"] = plan.parse_points(given["points"])
    if "tbw" in given:
        values["tbw"] = parse_rated(given["tbw"])
    if "fio" in given:
        values["fio"] = os.path.abspath(given["fio"]) \
            if "/" in given["fio"] else given["fio"]
    if "ioengine" in given:
        values["ioengine"] = _engine(given["ioengine"])
    if "target" in given:
        values["target"] = os.path.realpath(given["target"])
    if "jobfiles" in given:
        values["jobfiles"] = os.path.abspath(given["jobfiles"])
    return values


def complete(values: Values, target: Target,
             profiles: List[Profile]) -> Values:
    """Fill in the defaults for a new run, but for the size."""
    options = {**DEFAULTS, **values}
    if isinstance(options["points"], str):
        options["points"] = plan.parse_points(options["points"])
    options["profiles"] = [one.id for one in profiles]
    if not target.is_device:
        if "fill" in values:
            raise refuse("--fill is for block devices; a file is made and "
                         "written fully in any case")
        options["fill"] = "none" if target.exists else "region"
    elif "fill" not in values:
        # The reviews fill the whole drive first; only reading forbids it.
        # Of what was purged, reads would be answered without the medium.
        writes = any(one.destructive for one in profiles) or options["purge"]
        options["fill"] = "device" if writes else "none"
    return options


def take_over(stored: Values, given: Values) -> None:
    """Move what changes nothing that is measured from given to stored."""
    for key in ("smart", "temperature", "tbw"):
        # Older runs lack them.
        stored[key] = given.pop(key, stored.get(key, DEFAULTS[key]))
    for key in ("redact", "precondition", "round_s", "settle_s", "purge"):
        stored.setdefault(key, DEFAULTS[key])


def check_resume(stored: Values, given: Values) -> None:
    """A resumed run keeps its options; refuse a command line that differs."""
    for key, value in given.items():
        if key in stored and stored[key] != value:
            name = _SPELLING.get(key, f"--{key}")
            raise refuse(f"{name} is {value!r} here, but the run was started "
                         f"with {stored[key]!r}; leave it out to resume, or "
                         "start a new run")


def check_named_again(stored: Values, given: Values,
                      default_fio: Optional[str], default_jobs: str) -> None:
    """Code is not taken from a run: only from this call or the machine.

    A run directory may come from elsewhere, and these are what would be run.
    """
    own = {"fio": (default_fio,), "jobfiles": (None, default_jobs)}
    for key, usual in own.items():
        if key not in given and stored[key] not in usual:
            raise refuse(f"the run used {stored[key]!r}; if that is right, "
                         f"name it again: --{key} {stored[key]}")
    engine = stored["ioengine"]
    if "ioengine" not in given and "/" in engine:
        raise refuse(f"the run used the I/O engine {engine!r}; if that is "
                     f"right, name it again: --ioengine {engine}")


def named_again(stored: Values, default_fio: Optional[str],
                default_jobs: str) -> List[str]:
    """The arguments that check_named_again asks for."""
    words = []
    if stored["fio"] != default_fio:
        words += ["--fio", stored["fio"]]
    if stored["jobfiles"] not in (None, default_jobs):
        words += ["--jobfiles", stored["jobfiles"]]
    if "/" in stored["ioengine"]:
        words += ["--ioengine", stored["ioengine"]]
    return words


def check_resume_size(stored: Values, text: str, capacity: int) -> None:
    """The same for --size, which may be a share of the capacity."""
    size = (capacity * int(text[:-1]) // 100
            if re.fullmatch(r"\d{1,9}%", text)
            else parse_size(text))
    check_resume(stored, {"size": size // (1 << 20) * (1 << 20)})
