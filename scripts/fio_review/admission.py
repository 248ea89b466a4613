# SPDX-License-Identifier: GPL-2.0-only
"""May this run touch this target? Asked before each start and resume."""
from typing import Any, Dict, List, Optional

from . import safety
from .blockdev import System
from .errors import refuse, system_error
from .ownership import same_file
from .profile import Profile
from .target import Target, fill_state, takes_direct

FILLS = ("region", "90%", "device")
UNFILLED = ("{} is only read and not filled first: blocks that were never "
            "written, or were trimmed, are answered without the medium")
Options = Dict[str, Any]


def writes_target(profiles: List[Profile], options: Options) -> bool:
    """Does anything in the run overwrite the target?"""
    return (any(one.destructive for one in profiles)
            or options["fill"] in FILLS or bool(options.get("purge")))


def _admit_device(target: Target, writes: bool, consent: Optional[str],
                  system: System) -> List[str]:
    if target.device is None:
        raise refuse(f"{target.path}: the kernel does not describe this "
                     "device in /sys, so it cannot be judged")
    if not writes:
        used = safety.uses(system, target.device, target.path)
        return [f"{one}: other use disturbs the measurement"
                for one in used] + [UNFILLED.format(target.path)]
    safety.check_writable(system, target.device, target.path)
    safety.check_consent(target.path, target.devno, consent, system)
    return []


def _admit_file(target: Target, profiles: List[Profile],
                made: Optional[Dict[str, Any]]) -> None:
    if not target.exists:
        return
    if made:
        if not same_file(target.path, made):
            raise refuse(f"{target.path} is not the file that this run made; "
                         "move it away to let the run make it again")
        return
    writing = [one.id for one in profiles if one.destructive]
    if writing:
        raise refuse(f"{target.path} exists and {writing[0]} would overwrite "
                     "it; name a file that does not exist, and it will be "
                     "made")


def admit(target: Target, profiles: List[Profile], options: Options,
          consent: Optional[str], made: Optional[Dict[str, Any]],
          system: System) -> List[str]:
    """Refuse a target that must not be touched; returns warnings."""
    if target.is_device:
        return _admit_device(target, writes_target(profiles, options),
                             consent, system)
    if consent:
        raise refuse(f"--destroy-data-on is for block devices, and "
                     f"{target.path} is a file")
    _admit_file(target, profiles, made)
    return []


def file_fill(target: Target, options: Options) -> str:
    """Words on a file that stands ready; refuses one with holes."""
    if target.capacity < options["size"]:
        raise refuse(f"{target.path} has {target.capacity} bytes, less than "
                     f"the region of {options['size']}")
    return fill_state(target.path, options["size"])


def choose_direct(target: Target, wanted: str) -> int:
    """1 for O_DIRECT, 0 for buffered I/O where auto finds no O_DIRECT."""
    if wanted == "0":
        return 0
    if takes_direct(target):
        return 1
    if wanted == "1":
        raise system_error(f"{target.path} does not take O_DIRECT; --direct 0 "
                           "measures through the page cache")
    return 0
