# SPDX-License-Identifier: GPL-2.0-only
"""The file of --hosts: other machines, their fio servers and targets."""
import os
import re
import socket
from dataclasses import dataclass
from typing import Any, Dict, List, Optional, Set, Tuple

from .errors import ReviewError, bad_input, refuse
from .target import check_name

DEFAULT_PORT = 8765
WANTED = "NAME ADDRESS[:PORT] [TARGET]"
# /dev/zero has no end.
_MOST_CHARACTERS = 1024 * 1024
# A name becomes a directory, so it can't be ".." or hold a slash.
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
# A comma would end it where fio reads it, a dash begin an option.
_ADDRESS = re.compile(r"(?:([A-Za-z0-9][A-Za-z0-9.-]{0,252})"
                      r"|\[([0-9A-Fa-f:.]{2,45})\])(?::([0-9]{1,5}))?")


@dataclass(frozen=True)
class Host:
    """A machine with a fio server; existed: it had its target before us."""
    name: str
    address: str
    port: int
    target: str
    existed: bool = True

    @property
    def client(self) -> str:
        """The server as fio's --client names it."""
        kind = "ip6" if ":" in self.address else "ip"
        return f"{kind}:{self.address},{self.port}"

    @property
    def place(self) -> str:
        """The server for a reader."""
        shown = f"[{self.address}]" if ":" in self.address else self.address
        return f"{shown}:{self.port}"

    @property
    def fio_name(self) -> str:
        """The target as fio's filename option wants it."""
        return self.target.replace(":", "\\:")

    @property
    def full_name(self) -> str:
        """Host and target, as --destroy-data-on names them."""
        return f"{self.name}:{self.target}"

    @property
    def row(self) -> Dict[str, Any]:
        """What run.json keeps of it."""
        return {"name": self.name, "address": self.address,
                "port": self.port, "target": self.target,
                "existed": self.existed}


def _check_target(path: str) -> Optional[str]:
    """Why the path is no target; None if it is one."""
    if not os.path.isabs(path) or os.path.normpath(path) != path:
        return (f"the target is {path!r}, expected an absolute path without "
                "\".\", \"..\" and double slashes")
    try:
        check_name(path)
    except ReviewError as err:
        return str(err)
    return None


def _split_address(text: str) -> Optional[List[Any]]:
    match = _ADDRESS.fullmatch(text)
    if not match:
        return None
    port = int(match[3]) if match[3] else DEFAULT_PORT
    return [match[1] or match[2], port] if 0 < port < 65536 else None


def _host(line: str, default: Optional[str]) -> Host:
    """The host of one line; ValueError says what is wrong with it."""
    parts = line.split(None, 2)
    if len(parts) < 2:
        raise ValueError(f"{line!r}, expected {WANTED}")
    if not _NAME.fullmatch(parts[0]):
        raise ValueError(f"the name is {parts[0]!r}, expected letters, "
                         "digits, dots, dashes and underlines, at most 64")
    address = _split_address(parts[1])
    if not address:
        raise ValueError(f"the address is {parts[1]!r}, expected NAME, "
                         "1.2.3.4 or [1::2], and a port after a colon")
    target = parts[2] if len(parts) > 2 else default
    if not target:
        raise ValueError(f"{parts[0]} has no target, expected one here or by "
                         "--target")
    fault = _check_target(target)
    if fault:
        raise ValueError(fault)
    return Host(parts[0], address[0], address[1], target)


def _check_unlike(host: Host, before: Dict[int, Host]) -> None:
    for number, other in before.items():
        if host.name == other.name:
            raise ValueError(f"the name {host.name} stands twice (first on "
                             f"line {number})")
        # fio's results name address and port, nothing else.
        if host.place == other.place:
            raise ValueError(f"{host.place} stands twice (first on line "
                             f"{number}, as {other.name})")
        if (host.address, host.target) == (other.address, other.target):
            raise ValueError(f"{host.target} at {host.address} stands twice "
                             f"(first on line {number}, as {other.name})")


def parse(text: str, path: str, default: Optional[str]) -> List[Host]:
    """The hosts of a file's text; errors name its line."""
    found: Dict[int, Host] = {}
    for number, raw in enumerate(text.splitlines(), 1):
        # Within a word it is a part of it, and refused there.
        line = re.sub(r"(^|\s)#.*", "", raw).strip()
        if not line:
            continue
        try:
            host = _host(line, default)
            _check_unlike(host, found)
        except ValueError as why:
            raise bad_input(f"{path}:{number}: {why}") from None
        found[number] = host
    if not found:
        raise bad_input(f"{path}: names no host, expected lines of {WANTED}")
    return list(found.values())


def _addresses(host: Host) -> Set[str]:
    """What the name means; none where that is not known."""
    try:
        return {str(one[4][0]) for one in socket.getaddrinfo(
            host.address, host.port, type=socket.SOCK_STREAM)}
    except OSError:
        return set()


def check_machines(hosts: List[Host], path: str) -> None:
    """Refuse two names of one server, or of one target: counted twice."""
    seen: Dict[Tuple[str, object], Host] = {}
    for host in hosts:
        for address in _addresses(host):
            for key in ((address, host.port), (address, host.target)):
                other = seen.setdefault(key, host)
                if other is not host:
                    raise bad_input(
                        f"{path}: {other.name} and {host.name} are both at "
                        f"{address}, with the same "
                        f"{'port' if key[1] == host.port else 'target'}")


def read(path: str, default: Optional[str]) -> List[Host]:
    """The hosts of a file; default is the target of those without one."""
    try:
        with open(path, encoding="utf-8") as text:
            whole = text.read(_MOST_CHARACTERS + 1)
    except OSError as err:
        raise bad_input(f"{path}: cannot be read: {err.strerror}") from err
    except UnicodeDecodeError as err:
        raise bad_input(f"{path}: is not UTF-8 text") from err
    if len(whole) > _MOST_CHARACTERS:
        raise bad_input(f"{path}: is longer than 1 MiB, expected lines of "
                        f"{WANTED}")
    found = parse(whole, path, default)
    check_machines(found, path)
    return found


def fits(value: Any) -> bool:
    """Is it a list of hosts that a run has written?"""
    if not isinstance(value, list) or not value:
        return False
    for one in value:
        if not isinstance(one, dict) or set(one) != set(
                Host("a", "a", 1, "/a").row):
            return False
        if not all(isinstance(one[key], str)
                   for key in ("name", "address", "target")) \
                or type(one["port"]) is not int \
                or type(one["existed"]) is not bool:
            return False
        if not _NAME.fullmatch(one["name"]) or _check_target(one["target"]) \
                or not _split_address(Host(**one).place):
            return False
    return len({one["name"] for one in value}) == len(value)


def check_consent(hosts: List[Host], named: List[str], writes: bool) -> None:
    """Each target that was there before needs its name a second time."""
    targets = {one.full_name: one for one in hosts}
    for one in named:
        if one not in targets:
            raise refuse(f"--destroy-data-on {one}: with --hosts it is "
                         "HOST:TARGET of one of them, "
                         f"{' or '.join(sorted(targets))}")
    if not writes:
        return
    missing = [one.full_name for one in hosts
               if one.existed and one.full_name not in named]
    if missing:
        words = " ".join(f"--destroy-data-on {one}" for one in missing)
        raise refuse(
            f"{missing[0]} exists and would be overwritten. Whether it is "
            "mounted, or in use, can't be seen from here: look there first. "
            f"If everything on it may be lost, add: {words}")
