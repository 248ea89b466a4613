# SPDX-License-Identifier: GPL-2.0-only
"""Exit codes and the one exception that ends a run with a sentence."""

OK = 0
POINT_FAILED = 1
USAGE = 2
BAD_INPUT = 3
SYSTEM = 4
INTERRUPTED = 130


class ReviewError(Exception):
    """A reason to stop that a user can act on; carries the exit code."""

    def __init__(self, code: int, message: str):
        super().__init__(message)
        self.code = code


class Interrupted(Exception):
    """SIGINT, SIGTERM or SIGHUP arrived."""


class Stopped(Interrupted):
    """The user wants no further points after a failed one."""


def refuse(message: str) -> ReviewError:
    """The command line, or the safety rules, do not allow this."""
    return ReviewError(USAGE, message)


def bad_input(message: str) -> ReviewError:
    """A file does not say what it has to say."""
    return ReviewError(BAD_INPUT, message)


def system_error(message: str) -> ReviewError:
    """The machine lacks something: fio, space, permission."""
    return ReviewError(SYSTEM, message)
