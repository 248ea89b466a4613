# SPDX-License-Identifier: GPL-2.0-only
"""What the user sees: lines, and on a terminal one line that is updated."""
import os
import shutil
import sys
from typing import Optional, TextIO

_CLEAR = "\r\x1b[K"
_COLOURS = {"red": "31", "yellow": "33", "green": "32"}


class Progress:
    """Writes to one stream; knows whether a person watches it."""

    def __init__(self, stream: Optional[TextIO] = None):
        self.stream = stream or sys.stdout
        self.live = self.stream.isatty() and os.environ.get("TERM") != "dumb"
        self.colour = self.live and not os.environ.get("NO_COLOR")
        self._open = False

    def paint(self, text: str, colour: str) -> str:
        """Coloured text where colour is wanted."""
        if not self.colour:
            return text
        return f"\x1b[{_COLOURS[colour]}m{text}\x1b[0m"

    def _put(self, text: str) -> None:
        # A name in the text must not steer the terminal or break the stream.
        encoding = self.stream.encoding or "utf-8"
        try:
            self.stream.write(text.encode(encoding, "backslashreplace")
                              .decode(encoding))
            self.stream.flush()
        except OSError:
            # The reader went away, or his disk is full; measuring goes on.
            os.dup2(os.open(os.devnull, os.O_WRONLY), self.stream.fileno())

    def line(self, text: str = "", colour: str = "") -> None:
        """A line that stays."""
        self.clear()
        self._put((self.paint(text, colour) if colour else text) + "\n")

    def warn(self, text: str) -> None:
        """A line that must not be overlooked."""
        self.line(f"warning: {text}", "yellow")

    def update(self, text: str) -> None:
        """The line that changes; nothing where nobody watches."""
        if not self.live:
            return
        width = shutil.get_terminal_size().columns - 1
        self._put(_CLEAR + text[:width])
        self._open = True

    def clear(self) -> None:
        """Take the changing line away."""
        if self._open:
            self._put(_CLEAR)
            self._open = False
