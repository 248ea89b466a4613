# SPDX-License-Identifier: GPL-2.0-only
"""fio's one document about all hosts, taken apart and judged per host."""
import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Dict, List, Optional

from . import verdict
from .fio import Ending
from .hosts import Host

Row = Dict[str, Any]
# fio adds one that repeats the others, with the address of one of them.
_SUM = "All clients"
NO_ENTRY = ("fio has no result of it: the connection to its server ended, or "
            "the job did not begin")


@dataclass(frozen=True)
class Part:
    """What one call came to on one host: a result, or why there is none."""
    result: Optional[verdict.Result] = None
    reason: Optional[str] = None
    document: Optional[Row] = None


def entries_of(document: Row, host: Host) -> List[Row]:
    """The host's jobs in a document of fio's client."""
    entries = document.get("client_stats")
    if not isinstance(entries, list) \
            or not all(isinstance(one, dict) for one in entries):
        raise verdict.NoResult("fio's JSON holds no results of clients")
    if len(entries) > 1 and entries[-1].get("jobname") == _SUM:
        entries = entries[:-1]
    return [one for one in entries if one.get("hostname") == host.address
            and one.get("port") == host.port]


def _own_document(document: Row, entries: List[Row], options: Row) -> Row:
    """The host's part as fio writes the result of a run on one machine."""
    kept = {key: document[key] for key in ("fio version", "timestamp", "time")
            if key in document}
    shared = document.get("global options")
    # fio prints those of one client; the host's own are known.
    if isinstance(shared, dict):
        kept["global options"] = {
            **shared, **{key: value for key, value in options.items()
                         if key in shared}}
    return {**kept, "jobs": entries}


def _judge_host(document: Row, host: Host, options: Row,
                runtime_s: Optional[float]) -> Part:
    entries = entries_of(document, host)
    if not entries:
        return Part(reason=NO_ENTRY)
    own = _own_document(document, entries, options)
    try:
        return Part(verdict.summarize(own, runtime_s), None, own)
    except verdict.NoResult as why:
        return Part(reason=verdict.readable(str(why)))


def _killed_on(lines: List[str], servers: Dict[str, str]) -> Dict[str, str]:
    """Hosts whose server tells of a signal, by the name that it goes by."""
    found = {}
    names = list(servers.values())
    for host, server in servers.items():
        told = [line for line in lines if line.startswith(f"<{server}> ")
                and verdict.tells_of_a_signal(line)]
        if told and names.count(server) == 1:
            found[host] = "a job was killed: " \
                + verdict.readable(told[0][:200])
    return found


def judge(ending: Ending, part: Path, log: Path, timeout_s: float,
          options: Dict[Host, Row], servers: Dict[str, str],
          runtime_s: Optional[float]) -> Dict[str, Part]:
    """Each host's part of a finished call; NoResult if none has any.

    options are what each host's job was given; servers the names by which
    fio's lines tell who printed them.
    """
    lines = verdict.said(log, part)
    killed = _killed_on(lines, servers)
    rest = [line for line in lines if not any(
        line.startswith(f"<{servers[one]}> ") for one in killed)]
    verdict.check_ending(ending, [verdict.readable(one) for one in rest],
                         timeout_s)
    why = "; ".join(verdict.telling(lines)[:2])
    try:
        document = verdict.parse_document(verdict.read_text(part))
    except verdict.NoResult as err:
        raise verdict.NoResult(f"{err}" + (f" ({why})" if why else "")) \
            from None
    parts = {host.name: _judge_host(document, host, given, runtime_s)
             for host, given in options.items()}
    parts.update({name: Part(reason=told) for name, told in killed.items()})
    if ending.code and not any(one.reason for one in parts.values()):
        raise verdict.NoResult(f"fio ended with exit code {ending.code}"
                               + (f": {why}" if why else ""))
    return parts


def together(parts: List[verdict.Result]) -> verdict.Result:
    """All hosts as one: IOPS add up, the mean weighs by I/Os."""
    total = sum(one.total_ios for one in parts)
    mean = sum(one.mean_ns * one.total_ios for one in parts) / total
    return verdict.Result(sum(one.iops for one in parts), mean, total,
                          sum(one.written for one in parts))


def without_text(text: str) -> str:
    """The document alone: fio puts every server's lines before it."""
    begin = re.search(r"^\{", text, re.MULTILINE)
    start = begin.start() if begin else 0
    _, end = json.JSONDecoder(strict=False).raw_decode(text, start)
    return text[start:end] + "\n"
