# SPDX-License-Identifier: GPL-2.0-only
"""What is calculated is asked of fio-report, so that it is calculated once."""
import json
import shutil
from pathlib import Path
from typing import Any, Dict, List, Optional

from . import tool
from .errors import system_error

# As fio-report ends: the answer is yes, or no.
_YES, _NO = 0, 1
_TREE = Path(__file__).resolve().parents[2]


def find() -> Optional[str]:
    """The installed fio-report, else the newest that the tree has built."""
    found = shutil.which("fio-report")
    if found:
        return found
    built = sorted(_TREE.glob("build*/report/fio-report"),
                   key=lambda one: one.stat().st_mtime)
    return str(built[-1]) if built else None


def require(why: str) -> str:
    """The same, where nothing can be done without it."""
    program = find()
    if not program:
        raise system_error(f"{why} needs fio-report, which is neither "
                           "installed nor built here (cmake -B build && "
                           "cmake --build build)")
    return program


def steady(files: List[Path], place: Path) -> Dict[str, Any]:
    """Are these rounds, the oldest first, steady? NoAnswer if it fails."""
    program = find()
    if not program:
        raise tool.NoAnswer("fio-report is gone")
    code, said = tool.ask([program, "steady", "--format", "json",
                           *map(str, files)], place)
    if code not in (_YES, _NO):
        raise tool.NoAnswer(f"fio-report ends with status {code}")
    try:
        row: Dict[str, Any] = json.loads(said)["tables"]["steady"][0]
        return {**row, "steady": code == _YES}
    except (ValueError, KeyError, TypeError, IndexError):
        raise tool.NoAnswer("fio-report gives no judgement") from None
