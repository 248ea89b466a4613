# SPDX-License-Identifier: GPL-2.0-only
"""Rounds of a profile's own load at full speed, until the drive is steady.

Before each profile that writes. Each round is one call of fio, kept in
RUN/precondition; whether the last of them are steady is asked of fio-report.
What is not reached is a mark in the run and a warning, and never silent.
"""
from pathlib import Path
from typing import Any, Dict, List, Optional, TYPE_CHECKING

from . import facts, fioreport, verdict
from .errors import Stopped
from .profile import Profile
from .tool import NoAnswer
from .units import show_span

if TYPE_CHECKING:
    from .session import Session

Row = Dict[str, Any]
# SNIA's window and its limit of rounds.
MIN_ROUNDS, MAX_ROUNDS = 5, 25
DEFAULT_ROUND_S = 60.0


def is_for(profile: Profile, options: Row) -> bool:
    """Is this profile measured in steady state?"""
    return bool(options.get("precondition") and profile.destructive
                and not profile.single and profile.read_percent != 100)


def check(profiles: List[Profile], options: Row) -> None:
    """Refuse, before anything is written, what could not be judged."""
    if any(is_for(one, options) for one in profiles):
        fioreport.require("--precondition")


def file_of(profile_id: str, number: int) -> str:
    """The output of a round, relative to the run directory."""
    return f"precondition/{profile_id}/{number:03d}.json"


def _keep_whole(kept: Row, directory: Path) -> None:
    """Let the rounds end where a file is damaged; what was judged is void."""
    for at, one in enumerate(kept["rounds"]):
        try:
            verdict.read_result(directory / one["file"], one["runtime_s"])
        except verdict.NoResult:
            del kept["rounds"][at:]
            kept["steady"] = kept["reason"] = kept["judged"] = None
            return


def _words(kept: Row) -> str:
    count, judged = len(kept["rounds"]), kept["judged"] or {}
    numbers = "".join(
        f"{comma}{name} {judged[name + '_percent']:.1f} % of the mean"
        for comma, name in ((" (", "range"), (", ", "drift"))
        if isinstance(judged.get(name + "_percent"), (int, float)))
    numbers += ")" if numbers else ""
    if kept["steady"]:
        return f"steady after {count} rounds{numbers}"
    return f"NOT STEADY: {kept['reason']}{numbers}"


class Rounds:
    """The rounds before one profile."""

    def __init__(self, session: "Session", row: Row):
        self.session, self.row = session, row
        self.directory = session.store.directory
        if not row.get("precondition"):
            row["precondition"] = {"rounds": [], "steady": None,
                                   "reason": None, "judged": None}
        self.kept: Row = row["precondition"]
        self._rate: Optional[str] = None

    def _measure(self, number: int) -> None:
        """One more round; NoResult if nothing was measured."""
        session = self.session
        seconds = session.options["round_s"]
        one: Row = {"file": file_of(self.row["id"], number), "iops": None,
                    "runtime_s": seconds, "written_bytes": None}

        def tick(_pid: int) -> None:
            session.progress.update(f"preconditioning, round {number} of at "
                                    f"most {MAX_ROUNDS}, {show_span(seconds)} "
                                    "each")
        if self._rate is None:
            pilot = self.directory / file_of(self.row["id"], 1)
            self._rate = session.round_rate(
                self.row, pilot.with_name("pilot.json"), tick)
        result = session.perform_round(self.row, one, self._rate, tick)
        one["iops"] = round(result.iops, 1)
        self.kept["rounds"].append(one)
        session.progress.line(f"  round {number:>3}  {result.iops:>11,.0f} "
                              "IOPS")

    def _judge(self) -> None:
        files = [self.directory / one["file"] for one in self.kept["rounds"]]
        self.kept["judged"] = fioreport.steady(files, self.directory)
        if self.kept["judged"]["steady"]:
            self.kept["steady"] = True

    def _go_on(self) -> None:
        """Rounds until they are steady, or there are enough of them."""
        while self.kept["steady"] is None:
            number = len(self.kept["rounds"]) + 1
            if number > MAX_ROUNDS:
                self._give_up(f"{MAX_ROUNDS} rounds were not enough")
                return
            self._measure(number)
            self._judge()
            self.session.save()

    def _give_up(self, why: str) -> None:
        self.kept["steady"], self.kept["reason"] = False, why

    def run(self) -> None:
        """Come to steady state, or say why not."""
        _keep_whole(self.kept, self.directory)
        try:
            self._go_on()
        except verdict.TargetGone as why:
            raise Stopped(f"stopped: {why}") from why
        except verdict.NoResult as why:
            self._give_up(f"round {len(self.kept['rounds']) + 1} failed: "
                          f"{why}")
        except NoAnswer as why:
            self._give_up(f"it cannot be judged: {why}")
        self._tell()

    def _tell(self) -> None:
        words = f"{self.row['id']}: {_words(self.kept)}"
        if self.kept["steady"]:
            self.session.progress.line(words)
        else:
            self.session.progress.warn(words)
        facts.put(self.session.run["facts"], "method.precondition", "; ".join(
            f"{row['id']}: {_words(row['precondition'])}"
            for row in self.session.run["profiles"]
            if row.get("precondition")
            and row["precondition"]["steady"] is not None))
        self.session.save()
