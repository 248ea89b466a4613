# SPDX-License-Identifier: GPL-2.0-only
"""fio-review raid0: drives each by itself, then all of them as one md set.

The set is built when the members have been measured, and is gone afterwards:
it is never left for another program to assemble.  RUN/raid0.json remembers
what was built, so that the next call finds what one that was killed has left.
"""
import argparse
import json
import os
import shlex
import subprocess
import time
from pathlib import Path
from typing import Any, Dict, Iterator, List, Optional

from . import fio, safety, several
from .blockdev import System
from .errors import (INTERRUPTED, OK, Interrupted, ReviewError, bad_input,
                     refuse, system_error)
from .progress import Progress
from .store import write_json
from .target import Target, resolve
from .units import parse_size

Row = Dict[str, Any]
NAME = "raid0"
STATE_FILE = "raid0.json"
DEFAULT_CHUNK = "512K"
# md's numbers below are what distributions give out by themselves.
_NUMBERS = range(200, 256)
# udev looks at a device that was written.
_PATIENCE_SECONDS = 10
_KEYS = {"device": str, "members": list, "chunk": int}


def _mdadm(*words: str) -> str:
    """Run mdadm, which must succeed; its output."""
    argv = ["mdadm", *words]
    try:
        done = subprocess.run(
            argv, env={"PATH": fio.PATH, "LC_ALL": "C"},
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, check=False)
    except FileNotFoundError as err:
        raise system_error("mdadm is not installed (package mdadm)") from err
    said = done.stdout.decode(errors="replace").strip()
    if done.returncode:
        raise system_error(f"{shlex.join(argv)} failed: "
                           f"{said or 'no reason given'}")
    return said


def chunk_bytes(text: str) -> int:
    """Bytes of a chunk: what md takes is a multiple of 4 KiB."""
    value = parse_size(text)
    if not value or value % 4096:
        raise refuse(f"--chunk {text}: a set needs a multiple of 4K")
    return value


def create_words(device: str, members: List[str], chunk: int) -> List[str]:
    """mdadm's words for a set of devices by their absolute paths."""
    return ["--create", device, "--run", "--quiet", "--level=0",
            "--metadata=1.2", f"--chunk={chunk // 1024}",
            f"--raid-devices={len(members)}", *members]


class Set:
    """The md device of a run, and what is remembered of it."""

    def __init__(self, out: Path, system: System):
        self.path = out / STATE_FILE
        self.system = system
        self.device: Optional[str] = None
        self.members: List[str] = []

    def read(self, members: List[str], chunk: int) -> None:
        """What an earlier call has begun; it must have been the same set."""
        try:
            known = json.loads(self.path.read_bytes())
        except FileNotFoundError:
            return
        except (OSError, ValueError) as err:
            raise bad_input(f"{self.path} is not understood: {err}") from err
        if not isinstance(known, dict) or any(
                not isinstance(known.get(key), kind)
                for key, kind in _KEYS.items()):
            raise bad_input(f"{self.path} is not understood: expected "
                            f"{', '.join(_KEYS)}")
        if known["members"] != members or known["chunk"] != chunk:
            raise refuse(f"{self.path} is of a set of "
                         f"{', '.join(map(str, known['members']))} with "
                         f"chunks of {known['chunk']} bytes; name the same, "
                         "or another --out")
        self.device, self.members = known["device"], members

    def _is_ours(self) -> bool:
        """Is there a set under the name, of the members and nothing else?"""
        if not self.device or not os.path.exists(self.device):
            return False
        slaves = self.system.sys / "class/block" \
            / os.path.basename(self.device) / "slaves"
        there = {one.name for one in slaves.iterdir()} \
            if slaves.is_dir() else set()
        ours = {os.path.basename(os.path.realpath(one))
                for one in self.members}
        return there == ours

    def _free_name(self) -> str:
        for number in _NUMBERS:
            name = f"md{number}"
            if not (self.system.sys / "class/block" / name).exists():
                return f"/dev/{name}"
        raise system_error(f"all of md{_NUMBERS[0]} to md{_NUMBERS[-1]} exist")

    def create(self, members: List[str], chunk: int) -> str:
        """Build it; the same name again if it has been built before, by which
        the set's own run knows its target."""
        taken = self.device and (self.system.sys / "class/block" /
                                 os.path.basename(self.device)).exists()
        if taken:
            raise refuse(f"{self.device}, the name of this run's set, is in "
                         "use by another; stop that one first")
        self.device, self.members = self.device or self._free_name(), members
        # Before it exists, so that it is never one that nobody knows of.
        write_json(self.path, {"device": self.device, "members": members,
                               "chunk": chunk})
        _mdadm(*create_words(self.device, members, chunk))
        return self.device

    def stop(self) -> None:
        """Take the set apart, if it is there."""
        if not self._is_ours():
            return
        assert self.device
        end = time.monotonic() + _PATIENCE_SECONDS
        while True:
            try:
                _mdadm("--stop", self.device)
                break
            except ReviewError:
                if time.monotonic() >= end:
                    raise
                time.sleep(0.2)
        # They are no longer members, not even after a reboot.
        for one in self.members:
            _mdadm("--zero-superblock", one)


class _Plan:
    """One call: who the members are, and that they may be used."""

    def __init__(self, args: Row):
        self.args = args
        self.system = System()
        self.chunk = chunk_bytes(args.get("chunk", DEFAULT_CHUNK))
        asked: List[str] = args.get("target", [])
        if len(asked) < 2:
            raise refuse("raid0 needs at least two --target")
        for one in args.get("destroy_data_on", []):
            if one not in asked:
                raise refuse(f"--destroy-data-on {one} is none of the targets")
        self.targets: List[Target] = [resolve(one, self.system)
                                      for one in asked]
        self.members = [one.path for one in self.targets]

    def check(self) -> None:
        """Each member may be overwritten, whatever the profiles do."""
        consents = self.args.get("destroy_data_on", [])
        for target in self.targets:
            if not target.is_device or not target.device:
                raise refuse(f"{target.path} is no block device, and a set is "
                             "built of block devices")
            safety.check_writable(self.system, target.device, target.path)
            named = target.asked_path if target.asked_path in consents \
                else None
            if not named:
                raise refuse(f"building a set overwrites {target.path}; if "
                             "everything on it may be lost, add: "
                             f"--destroy-data-on {target.asked_path}")
            safety.check_consent(target.path, target.devno, named,
                                 self.system)

    def set_args(self, device: str) -> Row:
        """The call that measures the set."""
        return {**self.args, "target": [device], "destroy_data_on": [device]}

    def set_member(self, device: str) -> several.Member:
        """The set as one more target."""
        names = " + ".join(os.path.basename(one) for one in self.members)
        return several.Member(NAME, device, (f"--label=RAID0 of {names}",))


def _dry_lines(plan: _Plan) -> Iterator[str]:
    yield f"# {NAME}: the same once more on the set, which is not there yet"
    device = f"/dev/md{_NUMBERS[0]}"
    yield "mdadm " + shlex.join(create_words(device, plan.members, plan.chunk))
    yield f"mdadm --stop {device}"
    for one in plan.members:
        yield "mdadm " + shlex.join(["--zero-superblock", one])


def _measure_set(plan: _Plan, md: Set, runs: argparse.ArgumentParser,
                 progress: Progress) -> int:
    """Build, measure, and take apart, however it ends."""
    try:
        device = md.create(plan.members, plan.chunk)
        return several.Several(plan.set_args(device), runs, progress,
                               [plan.set_member(device)]).run()
    finally:
        with fio.undisturbed():
            md.stop()


def _measure(plan: _Plan, md: Set, singles: several.Several,
             runs: argparse.ArgumentParser, progress: Progress) -> int:
    try:
        status = singles.run() or _measure_set(plan, md, runs, progress)
    except (Interrupted, KeyboardInterrupt):
        singles.tell_how_to_go_on()
        return INTERRUPTED
    except ReviewError:
        singles.tell_how_to_go_on()
        raise
    if status:
        singles.tell_how_to_go_on()
    else:
        singles.tell_comparison(NAME)
    return status


def run(args: argparse.Namespace, runs: argparse.ArgumentParser) -> int:
    """The command; `runs` is the parser of the runs that it consists of."""
    given, progress = vars(args), Progress()
    plan = _Plan(given)
    dry, again = bool(given.get("dry_run")), bool(given.get("resume"))
    if dry and again:
        raise refuse("--dry-run and --resume exclude each other")
    # Before hours of measuring, not after them.
    _mdadm("--version")
    md = Set(Path(os.path.abspath(given["out"])), plan.system)
    if again:
        md.read(plan.members, plan.chunk)
        # One that was killed has left the set, which holds its members.
        md.stop()
    plan.check()
    singles = several.Several(given, runs, progress, command=(
        "raid0", f"--chunk={plan.chunk}"))
    singles.check(dry)
    if dry:
        for line in _dry_lines(plan):
            progress.line(line)
        return OK
    return _measure(plan, md, singles, runs, progress)
