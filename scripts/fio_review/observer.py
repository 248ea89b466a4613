# SPDX-License-Identifier: GPL-2.0-only
"""What looks at the drive beside the calls of fio of a run.

A point here is any call that the drive is at work for: filling, too.
"""
from typing import List, Optional

from .progress import Progress


class Observer:
    """Looks on; by default at nothing. None of it may stop a run."""

    def before_point(self, name: str, last: Optional[str]) -> None:
        """fio is about to be called; last: what it was called for before."""

    def after_point(self, name: str) -> None:
        """fio has ended, in whatever way."""

    def end(self) -> None:
        """The last point is over, and the target is still what it was."""


class Observers:
    """Several in a row; one that fails is left out from then on."""

    def __init__(self, members: List[Observer], progress: Progress):
        self._members = members
        self._progress = progress
        self._last: Optional[str] = None

    def _each(self, method: str, *arguments: object) -> None:
        for one in list(self._members):
            try:
                getattr(one, method)(*arguments)
            except OSError as err:
                self._members.remove(one)
                self._progress.warn(
                    f"{type(one).__name__.lower()} is no longer recorded: "
                    f"{err.strerror or 'input/output error'}")

    def before_point(self, name: str) -> None:
        """Let each look before fio is called."""
        self._each("before_point", name, self._last)
        self._last = name

    def after_point(self, name: str) -> None:
        """Let each look after fio has ended."""
        self._each("after_point", name)

    def end(self) -> None:
        """Let each look a last time."""
        self._each("end")
