# SPDX-License-Identifier: GPL-2.0-only
"""The same measured in several states of one drive: a run each, in RUN/STATE.

Each is a child that is this very program, as with several targets, so that
fio-report compares the states as it compares drives.
"""
import argparse
import shlex
import subprocess
import sys
from typing import Any, Dict, List

from . import facts
from .blockdev import System
from .errors import INTERRUPTED, OK, Interrupted, ReviewError, refuse
from .progress import Progress
from .several import Member, Several
from .target import resolve

# What is written before the points; a state begins with what it needs.
_FILLS = {"clean": "region", "filled-90": "90%"}
NAMES = tuple(_FILLS)


def parse(text: str) -> List[str]:
    """The states of "clean,filled-90", in the order of a drive's life."""
    names = text.split(",")
    for one in names:
        if one not in _FILLS:
            raise refuse(f"--states {text}: {one!r} is none of "
                         f"{', '.join(NAMES)}")
    # A full drive is not clean again by being measured.
    return [one for one in NAMES if one in names]


def _members(args: Dict[str, Any], names: List[str]) -> List[Member]:
    target = resolve(args["target"][0], System())
    if not target.is_device:
        raise refuse("--states is for block devices, and "
                     f"{target.path} is a file")
    label = args.get("label") or facts.model(target)
    members = []
    for name in names:
        words = [f"--fill={_FILLS[name]}", f"--label={label}, {name}"]
        # Only once: what fills it later begins where the first one ended.
        if "purge" in args and not members:
            words.append(f"--purge={args['purge']}")
        members.append(Member(name, args["target"][0], tuple(words)))
    return members


class _States(Several):
    """The runs of one drive's states, one after the other."""

    def _check(self, member: Member, dry: bool) -> None:
        """Ask for the plan, and show it before anything is begun."""
        done = subprocess.run(
            self.argv(member, "--dry-run"), stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        if done.returncode:
            said = done.stderr.decode(errors="replace").strip()
            raise ReviewError(done.returncode, said.rsplit("\n", 1)[-1]
                              .removeprefix("fio-review: "))
        if not dry:
            self.progress.line(f"state      {member.name}")
        for line in done.stdout.decode(errors="replace").splitlines():
            if dry:
                self.progress.line(line)
            elif line.startswith("# ") and not line.startswith("# 5 to"):
                self.progress.line(line[len("# "):])

    def tell_how_to_go_on(self) -> None:
        """The same call again."""
        words = sys.argv + ([] if self.again else ["--resume"])
        self.progress.line("to go on with all states:\n  "
                           + " ".join(map(shlex.quote, words)), "yellow")

    def run(self) -> int:
        """Until one does not end well: its points would be tried again in
        the state that the next one leaves."""
        for member in self.members:
            status = self._run_group([member])[0][1]
            if status == INTERRUPTED:
                raise Interrupted("interrupted")
            if status:
                return status
        return OK


def run(args: Dict[str, Any], parser: argparse.ArgumentParser) -> int:
    """A call with --states."""
    names = parse(args["states"])
    if "hosts" in args or len(args.get("target", [])) != 1:
        raise refuse("--states needs one --target, on this machine")
    if "fill" in args:
        raise refuse("--fill and --states exclude each other: a state says "
                     "what is filled")
    dry = bool(args.get("dry_run"))
    if dry and args.get("resume"):
        raise refuse("--dry-run and --resume exclude each other")
    shared = {key: value for key, value in args.items()
              if key not in ("states", "label", "purge")}
    runs = _States(shared, parser, Progress(), _members(args, names))
    runs.check(dry)
    if dry:
        return OK
    try:
        status = runs.run()
    except (Interrupted, KeyboardInterrupt):
        runs.tell_how_to_go_on()
        return INTERRUPTED
    if status:
        runs.tell_how_to_go_on()
    else:
        runs.tell_comparison()
    return status
