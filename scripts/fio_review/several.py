# SPDX-License-Identifier: GPL-2.0-only
"""Several targets in one call: a run of its own for each, in RUN/NAME.

Each is a child that is this very program with one target, so that all that
holds of a run holds of each of them: its checks, its lock, its --resume.
"""
import argparse
import os
import re
import shlex
import subprocess
import sys
import threading
from pathlib import Path
from typing import (Any, Dict, Iterator, List, NamedTuple, Optional, Sequence,
                    Tuple)

from . import manual
from .errors import (INTERRUPTED, OK, SYSTEM, Interrupted, ReviewError, refuse,
                     system_error)
from .fio import die_with_parent, undisturbed
from .progress import Progress
from .store import RUN_FILE

# What is said to the children in words of their own.
_OWN = ("target", "out", "destroy_data_on", "at_once", "resume", "dry_run",
        "help")
_STOP_SECONDS = 60


class Member(NamedTuple):
    """One of the targets and the name of its run."""
    name: str
    target: str
    words: Tuple[str, ...] = ()  # options of this one's run alone


def members_of(targets: List[str]) -> List[Member]:
    """Names that are safe as directories, and differ."""
    members: List[Member] = []
    taken: Dict[str, int] = {}
    paths: Dict[str, str] = {}
    for target in targets:
        real = os.path.realpath(target)
        if real in paths:
            raise refuse(f"--target {target} is named twice" +
                         (f", also as {paths[real]}"
                          if paths[real] != target else ""))
        paths[real] = target
        name = re.sub(r"[^A-Za-z0-9._-]", "_", os.path.basename(real))
        name = name.lstrip(".") or "target"
        taken[name] = taken.get(name, 0) + 1
        if taken[name] > 1:
            name = f"{name}-{taken[name]}"
            taken[name] = taken.get(name, 0) + 1
        members.append(Member(name, target))
    return members


def words_of(args: Dict[str, Any], parser: argparse.ArgumentParser
             ) -> List[str]:
    """The options of a call again, but for those that are each member's."""
    words: List[str] = []
    for option in manual.options_of(parser):
        if option.dest not in args or option.dest in _OWN:
            continue
        value = args[option.dest]
        if option.nargs == 0:
            # Of a pair such as --keep and --remove only the one that was said.
            if value == option.const:
                words.append(option.option_strings[0])
        else:
            words.append(f"{option.option_strings[0]}={value}")
    return words


class _Child:
    """A run of one member."""

    def __init__(self, member: Member, argv: List[str], progress: Progress,
                 marked: bool):
        self.member = member
        try:
            self.process = subprocess.Popen(
                argv, stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE if marked else None,
                stderr=subprocess.STDOUT if marked else None,
                start_new_session=True, preexec_fn=die_with_parent(os.getpid()))
        except OSError as err:
            raise system_error(f"{argv[0]} cannot be run: "
                               f"{err.strerror}") from err
        self._reader = threading.Thread(target=self._pass_on,
                                        args=(progress,), daemon=True)
        if marked:
            self._reader.start()

    def _pass_on(self, progress: Progress) -> None:
        assert self.process.stdout
        for line in self.process.stdout:
            text = line.decode(errors="backslashreplace").rstrip("\n")
            progress.line(f"{self.member.name}: {text}")

    def wait(self) -> int:
        """The exit status, once all that it said was passed on."""
        status = self.process.wait()
        if self._reader.ident:
            self._reader.join()
        return status if status >= 0 else SYSTEM

    def stop(self) -> None:
        """Let it end as after ^C, with its state written."""
        if self.process.poll() is None:
            self.process.terminate()
        try:
            self.process.wait(_STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()


class Several:
    """The runs of one call."""

    def __init__(self, args: Dict[str, Any], parser: argparse.ArgumentParser,
                 progress: Progress, members: Optional[List[Member]] = None,
                 command: Sequence[str] = ("run",)):
        self.progress = progress
        self.out = Path(os.path.abspath(args["out"]))
        self.members = members or members_of(args["target"])
        self.command = command  # by which a user goes on with it
        self.consents: List[str] = args.get("destroy_data_on", [])
        self.words = words_of(args, parser)
        self.at_once = bool(args.get("at_once"))
        self.again = bool(args.get("resume"))
        if args.get("label"):
            raise refuse("--label names one drive, and there are "
                         f"{len(self.members)} targets")
        for one in self.consents:
            if one not in args["target"]:
                raise refuse(f"--destroy-data-on {one} is none of the targets")

    def argv(self, member: Member, *more: str) -> List[str]:
        """The call of one member's run."""
        argv = [sys.executable, sys.argv[0], "run",
                f"--target={member.target}", f"--out={self.out / member.name}",
                *self.words, *member.words]
        if member.target in self.consents:
            argv.append(f"--destroy-data-on={member.target}")
        return [*argv, *more]

    def _begun(self, member: Member) -> bool:
        return (self.out / member.name / RUN_FILE).exists()

    def _check(self, member: Member, dry: bool) -> None:
        """Nothing is touched before each of them has been found in order."""
        done = subprocess.run(
            self.argv(member, "--dry-run"), stdin=subprocess.DEVNULL,
            stdout=None if dry else subprocess.DEVNULL,
            stderr=subprocess.PIPE, check=False)
        if done.returncode:
            said = done.stderr.decode(errors="replace").strip()
            said = said.rsplit("\n", 1)[-1]
            raise ReviewError(done.returncode,
                              said.removeprefix("fio-review: "))

    def check(self, dry: bool) -> None:
        """Ask each member for its plan; shown if that is all that is asked."""
        if not self.again and not dry:
            for member in self.members:
                if (self.out / member.name).exists():
                    raise refuse(f"{self.out / member.name} exists; name "
                                 "another --out, or --resume")
        for member in self.members:
            if dry:
                self.progress.line(f"# {member.name}")
            if not (self.again and self._begun(member)):
                self._check(member, dry)

    def _start(self, member: Member) -> _Child:
        again = ["--resume"] if self.again and self._begun(member) else []
        self.out.mkdir(parents=True, exist_ok=True)
        return _Child(member, self.argv(member, *again), self.progress,
                      self.at_once)

    def _groups(self) -> Iterator[List[Member]]:
        if self.at_once:
            yield self.members
        else:
            for member in self.members:
                yield [member]

    def _run_group(self, group: List[Member]) -> List[Tuple[Member, int]]:
        children: List[_Child] = []
        try:
            for member in group:
                self.progress.line(f"== {member.name}: {member.target}")
                children.append(self._start(member))
            return [(one.member, one.wait()) for one in children]
        except (Interrupted, KeyboardInterrupt):
            with undisturbed():
                for one in children:
                    one.process.terminate()
                for one in children:
                    one.stop()
            raise

    def tell_how_to_go_on(self) -> None:
        """The call that does what is not done yet."""
        words = [sys.argv[0], *self.command, f"--out={self.out}", "--resume",
                 *self.words]
        words += [f"--target={one.target}" for one in self.members]
        words += [f"--destroy-data-on={one}" for one in self.consents]
        if self.at_once:
            words.append("--at-once")
        self.progress.line("to go on with all of them:\n  "
                           + " ".join(shlex.quote(one) for one in words),
                           "yellow")

    def tell_comparison(self, *more: str) -> None:
        """The call that compares the runs, and more of the same folder."""
        names = [name for name in [one.name for one in self.members]
                 + list(more) if (self.out / name / RUN_FILE).exists()]
        if len(names) < 2:
            return
        self.progress.line("compare them:\n  fio-report review "
                           + " ".join(shlex.quote(str(self.out / name))
                                      for name in names) + " --out DIR")

    def run(self) -> int:
        """All runs; the status of the first that did not end well."""
        statuses: List[Tuple[Member, int]] = []
        for group in self._groups():
            statuses += self._run_group(group)
            if any(status == INTERRUPTED for _, status in statuses):
                raise Interrupted("interrupted")
        bad = [(member, status) for member, status in statuses if status]
        for member, status in bad:
            self.progress.line(f"{member.name}: ended with {status}", "red")
        return bad[0][1] if bad else OK


def asked(args: Dict[str, Any]) -> bool:
    """Does a call name more than one target?"""
    return len(args.get("target", [])) > 1


def run(args: Dict[str, Any], parser: argparse.ArgumentParser) -> int:
    """A call with more than one --target."""
    dry = bool(args.get("dry_run"))
    if dry and args.get("resume"):
        raise refuse("--dry-run and --resume exclude each other")
    several = Several(args, parser, Progress())
    several.check(dry)
    if dry:
        return OK
    try:
        status = several.run()
    except (Interrupted, KeyboardInterrupt):
        several.tell_how_to_go_on()
        return INTERRUPTED
    if status:
        several.tell_how_to_go_on()
    several.tell_comparison()
    return status
