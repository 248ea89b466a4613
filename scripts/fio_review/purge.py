# SPDX-License-Identifier: GPL-2.0-only
"""Bring a drive back to a state without data, by a command that is named.

Only what the user names is done, and only where the drive says that it can,
that nothing else is lost by it, and that it needs no power cycle.
"""
import json
import re
import tempfile
from pathlib import Path
from typing import Any, Callable, Dict, List, Optional, TYPE_CHECKING

from . import facts, fio, tool, verdict
from .errors import refuse, system_error
from .target import Target
from .units import show_span

if TYPE_CHECKING:
    from .session import Session

Row = Dict[str, Any]
# Set for the erase only, which takes it away again.
PASSWORD = "fio-review"
_FORMAT_S, _DISCARD_S = 900.0, 1800.0
_OACS_FORMAT = 0x2
# Of FNA: a format, or an erase, is of all namespaces whichever is named.
_FNA_ALL = 0x3
_NVME = re.compile(r"nvme\d+n\d+")


def _ask(what: str, argv: List[str]) -> bytes:
    """A tool's answer on the drive; a refusal where there is none."""
    program = tool.find(argv[0])
    try:
        if not program:
            raise tool.NoAnswer("it is not installed")
        code, said = tool.ask([program, *argv[1:]],
                              Path(tempfile.gettempdir()))
        if code:
            raise tool.NoAnswer(f"it ends with status {code}")
        return said
    except tool.NoAnswer as why:
        raise refuse(f"--purge {what} cannot be judged: {argv[0]}: {why}"
                     ) from why


def _nvme(path: str, verb: str, *more: str) -> Row:
    said = _ask("nvme-format", ["nvme", verb, path, *more, "-o", "json"])
    try:
        document = json.loads(said)
    except (ValueError, RecursionError):
        document = None
    if not isinstance(document, dict):
        raise refuse(f"--purge nvme-format cannot be judged: nvme {verb} "
                     "gives no JSON")
    return document


def _field(document: Row, name: str) -> int:
    value = document.get(name)
    if type(value) is not int:
        raise refuse("--purge nvme-format cannot be judged: nvme does not "
                     f"tell {name!r}")
    return value


def _check_alone(path: str, controller: Row) -> None:
    """No namespace that was not named may be formatted with this one."""
    if not _field(controller, "fna") & _FNA_ALL:
        return
    listed = _nvme(path, "list-ns", "--all").get("nsid_list")
    if not isinstance(listed, list) or len(listed) != 1:
        count = len(listed) if isinstance(listed, list) else "unknown"
        raise refuse(f"--purge nvme-format: this drive formats all its "
                     f"namespaces at once ({count}), and only {path} was "
                     "named")


def _format(target: Target) -> List[fio.Call]:
    path = target.path
    if not target.device or not _NVME.fullmatch(target.device.name):
        raise refuse(f"--purge nvme-format: {path} is no NVMe namespace")
    controller = _nvme(path, "id-ctrl")
    if not _field(controller, "oacs") & _OACS_FORMAT:
        raise refuse(f"--purge nvme-format: {path} does not support the "
                     "Format NVM command (OACS bit 1)")
    _check_alone(path, controller)
    space = _nvme(path, "id-ns")
    flbas, dps = _field(space, "flbas"), _field(space, "dps")
    # The format that it has: a purge does not change sizes of blocks. The
    # claim on the device is the runner's own, hence --force.
    return [fio.Call(
        ["nvme", "format", path, "--ses=1",
         f"--lbaf={(flbas & 0xf) | (flbas >> 1 & 0x30)}",
         f"--ms={flbas >> 4 & 1}", f"--pi={dps & 7}", f"--pil={dps >> 3 & 1}",
         f"--timeout={_FORMAT_S * 1000:.0f}", "--force"],
        {}, _FORMAT_S + 60)]


def _discard(target: Target) -> List[fio.Call]:
    most = target.device.disk.read("queue/discard_max_bytes") \
        if target.device else None
    if most in (None, "0"):
        raise refuse(f"--purge blkdiscard: {target.path} does not support "
                     "discards (queue/discard_max_bytes)")
    return [fio.Call(["blkdiscard", "-f", target.path], {}, _DISCARD_S)]


def _security(text: str) -> Dict[str, bool]:
    """The words of hdparm -I on the security feature set: is it so?"""
    _, _, below = text.partition("\nSecurity:")
    found: Dict[str, bool] = {}
    for line in below.splitlines():
        match = re.fullmatch(r"\s+(not)?\s*(supported|enabled|locked|frozen)",
                             line)
        if match:
            found.setdefault(match[2], not match[1])
    return found


def _erase(target: Target) -> List[fio.Call]:
    path = target.path
    if not target.device or target.device.parent \
            or not target.device.name.startswith("sd"):
        raise refuse(f"--purge ata-secure-erase: {path} is no whole SATA "
                     "drive")
    text = _ask("ata-secure-erase", ["hdparm", "-I", path]).decode(
        errors="replace")
    state = _security(text)
    if not state.get("supported"):
        raise refuse(f"--purge ata-secure-erase: {path} does not support the "
                     "security feature set")
    if state.get("enabled", True) or state.get("locked", True):
        raise refuse(
            f"--purge ata-secure-erase: {path} has a password; if it is from "
            "an erase that was cut off, take it away: hdparm "
            f"--security-disable {PASSWORD} {path}")
    if state.get("frozen", True):
        raise refuse(f"--purge ata-secure-erase: {path} is frozen by the "
                     "firmware; suspend the machine or plug the drive in "
                     "again, then start anew")
    minutes = re.search(r"(\d{1,4})min for SECURITY ERASE UNIT", text)
    limit = 600 + 120 * (int(minutes[1]) if minutes else 240)
    user = ["hdparm", "--user-master", "u"]
    return [fio.Call([*user, "--security-set-pass", PASSWORD, path], {}, 60),
            fio.Call([*user, "--security-erase", PASSWORD, path], {}, limit)]


_CALLS: Dict[str, Callable[[Target], List[fio.Call]]] = {
    "nvme-format": _format, "blkdiscard": _discard,
    "ata-secure-erase": _erase,
}
KINDS = tuple(_CALLS)


def calls(kind: Optional[str], target: Target) -> List[fio.Call]:
    """The calls that purge the target; refuses one that cannot be purged."""
    if not kind:
        return []
    if not target.is_device:
        raise refuse("--purge is for block devices, and "
                     f"{target.path} is a file")
    found = _CALLS[kind](target)
    for one in found:
        program = tool.find(one.argv[0])
        if not program:
            raise system_error(f"--purge {kind}: {one.argv[0]} is not "
                               "installed")
        one.argv[0] = program
    return found


def _succeeded(ending: fio.Ending, log: Path) -> bool:
    # nvme-cli also ends with 1 where it could not set the kernel's block size
    # afterwards, which is claimed here and remains what it was.
    return ending.code == 0 or (
        not ending.timed_out
        and b"Success formatting namespace" in log.read_bytes())


def _do(session: "Session", kind: str) -> float:
    seconds = 0.0
    for number, call in enumerate(calls(kind, session.target), 1):
        log = session.store.directory / f"purge-{number}.log"

        def tick(_pid: int) -> None:
            session.progress.update(f"purging {session.target.path} "
                                    f"({kind})")
        try:
            ending = session.call_tool(call, log, tick)
        except verdict.TargetGone as why:
            raise refuse(f"purging stopped: {why}") from why
        if not _succeeded(ending, log):
            why = f"it did not end within {call.timeout_s:.0f} s" \
                if ending.timed_out else f"it ended with {ending.code}"
            raise system_error(f"purging {session.target.path} failed: "
                               f"{Path(call.argv[0]).name}: {why} (see {log})"
                               + _left_behind(kind, number, session.target))
        seconds += ending.seconds
    return seconds


def _left_behind(kind: str, number: int, target: Target) -> str:
    return f"; take the password away: hdparm --security-disable {PASSWORD} " \
        f"{target.path}" if kind == "ata-secure-erase" and number > 1 else ""


def perform(session: "Session") -> None:
    """Purge the target, unless this run has already done it."""
    kind = session.options.get("purge")
    if not kind or session.run.get("purged"):
        return
    seconds = _do(session, kind)
    session.run["purged"] = {"by": kind, "seconds": round(seconds, 1)}
    session.run["filled"] = None
    facts.put(session.run["facts"], "target.purge", f"by {kind}")
    session.progress.line(f"purged {session.target.path} by {kind} in "
                          f"{show_span(seconds)}")
    session.save()
