# SPDX-License-Identifier: GPL-2.0-only
"""SMART beside a run: smartctl is asked before, between and after the points.

Never while fio runs: on SATA the drive finishes its queue for such a query.
Nothing here stops a run.
"""
import os
import re
from pathlib import Path
from typing import Any, Dict, Optional

from . import smartdata, tool
from .observer import Observer
from .progress import Progress
from .redact import Redactor
from .runfile import now
from .store import write_whole
from .target import Target

Row = Dict[str, Any]
# Bits of smartctl's exit status (smartctl(8)): it was called in a way that it
# does not know, or could not open the drive. Those above are the drive's.
_NOTHING_ASKED = 0x03
_NAME = re.compile(r"(\d{3,6})-.*\.json")


class Smart(Observer):
    """The queries of one run, and what they add up to in run.json."""

    def __init__(self, directory: Path, run: Row, target: Target,
                 progress: Progress, redactor: Optional[Redactor] = None):
        self.directory = directory / "smart"
        self.run = run
        self.path = target.path
        self.progress = progress
        self.redactor = redactor
        self.begun = False
        # Will the drive be asked?
        self.active = bool(run["options"]["smart"] and target.is_device
                           and target.device and not target.device.parent)

    def _next_file(self, where: str) -> Path:
        # Above all that is there, so that a resumed run keeps its own.
        taken = [int(match[1]) for match in map(
            _NAME.fullmatch, os.listdir(self.directory)) if match]
        number = max(taken, default=-1) + 1
        return self.directory / f"{number:03d}-{where.replace('/', '-')}.json"

    def _query(self, where: str) -> smartdata.Answer:
        """Ask once and keep the answer's file; NoAnswer if there is none."""
        program = tool.find("smartctl")
        if not program:
            raise smartdata.NoAnswer("it is not installed (package "
                                     "smartmontools)")
        self.directory.mkdir(exist_ok=True)
        final = self._next_file(where)
        row: Row = {"file": None, "where": where, "taken": now(),
                    "exit": None}
        self._kept["queries"].append(row)
        row["exit"], said = tool.ask([program, "-j", "-x", self.path],
                                     self.directory)
        answer = smartdata.parse(said)
        write_whole(final, self.redactor.json(said) if self.redactor
                    else said)
        row["file"] = str(final.relative_to(self.directory.parent))
        if row["exit"] < 0 or row["exit"] & _NOTHING_ASKED:
            raise smartdata.NoAnswer(f"it ends with status {row['exit']}")
        return answer

    @property
    def _kept(self) -> Row:
        """What run.json has of it, over all sessions of the run."""
        if not self.run.get("smart"):
            self.run["smart"] = {"queries": [], "first": None, "last": None,
                                 "hottest": None, "moved": [],
                                 "problem": None}
        return self.run["smart"]

    def _note(self, answer: smartdata.Answer) -> None:
        kept = self._kept
        kept["problem"] = None
        kept["last"] = vars(answer).copy()
        kept["first"] = kept["first"] or kept["last"]
        degrees = [one for one in (kept["hottest"], answer.temperature)
                   if one is not None]
        kept["hottest"] = max(degrees, default=None)
        kept["moved"] = smartdata.moved(kept["first"]["counters"],
                                        answer.counters)

    def _give_up(self, why: str) -> None:
        """Said once, and not tried again before each of many points."""
        self.progress.line(f"smart      not recorded: smartctl: {why}",
                           "yellow")
        self._kept["problem"] = why
        self.active = False

    def ask(self, where: str) -> Optional[smartdata.Answer]:
        """Ask the drive; a run goes on without an answer."""
        if not self.active:
            return None
        try:
            answer = self._query(where)
        except smartdata.NoAnswer as why:
            self._give_up(str(why))
            return None
        except OSError as err:
            self._give_up(err.strerror or "input/output error")
            return None
        self._note(answer)
        return answer

    def before_point(self, name: str, last: Optional[str]) -> None:
        """Ask where a point is about to be measured."""
        answer = self.ask(f"after-{last}" if last else "before")
        if answer and not self.begun:
            self.begun = True
            self.progress.line(f"smart      {answer.line()}")
            for one in answer.alarms():
                self.progress.warn(one)

    def end(self) -> None:
        """Ask after the last point, and say what the run did to the drive."""
        answer = self.ask("after") if self.begun else None
        if not answer:
            return
        moved = self._kept["moved"]
        words = "moved during the run: " + ", ".join(moved) if moved \
            else "no error counter moved" if answer.counters \
            else "it has no error counters"
        self.progress.line(f"smart      {answer.line()}; {words}",
                           "yellow" if moved else "")
        for one in answer.alarms():
            self.progress.warn(one)
