# SPDX-License-Identifier: GPL-2.0-only
"""All that looks on during a run, put together."""
from pathlib import Path
from typing import Any, Dict, Optional

from .blockdev import System
from .observer import Observers
from .progress import Progress
from .record import Record
from .redact import Redactor
from .smart import Smart
from .target import Target
from .temperature import Temperature
from .written import Written


def of_run(directory: Path, run: Dict[str, Any], target: Target,
           progress: Progress, system: System) -> Observers:
    """The observers of a run; those that need others' answers come last."""
    redactor: Optional[Redactor] = \
        Redactor(target) if run["options"].get("redact") else None
    return Observers([
        Smart(directory, run, target, progress, redactor),
        Record(directory, run, target, progress, system, redactor),
        Temperature(directory, run, target, progress),
        Written(run, target)], progress)
