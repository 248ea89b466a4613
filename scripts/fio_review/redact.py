# SPDX-License-Identifier: GPL-2.0-only
"""Hides what tells one drive, or one machine, from all others.

By the names of the fields that hold it, and then wherever else it stands: a
serial number is also part of other names.
"""
import functools
import hashlib
import json
import platform
import re
import secrets
from typing import Any, Dict, Iterator, List, Optional, Set

from . import facts
from .target import Target
from .tool import NoAnswer

HIDDEN = "(hidden)"
# Names of fields as lsblk, nvme-cli and smartctl spell them, less - and _.
_FIELDS = {
    "sn", "serial", "serialnumber", "wwn", "wwid", "eui64", "nguid", "uuid",
    "fguid", "partuuid", "ptuuid", "subnqn", "hostnqn", "idlink",
    "logicalunitid", "vs",
}
_SYSFS = ("device/serial", "serial", "wwid", "device/wwid", "nguid", "uuid",
          "eui", "device/subsysnqn")
# What is shorter also stands where it means something else.
_SHORTEST = 4
# Serial numbers have few digits that cannot be guessed, so a guess must cost.
_ROUNDS = 200_000


def new_salt() -> str:
    """A salt for the identity of one run."""
    return secrets.token_hex(16)


@functools.lru_cache(maxsize=256)
def _hashed(salt: str, value: str) -> str:
    return hashlib.pbkdf2_hmac("sha256", value.encode("utf-8", "replace"),
                               bytes.fromhex(salt), _ROUNDS).hex()


def identity(target: Target, salt: Optional[str]) -> Dict[str, Any]:
    """facts.identity(), its texts hashed where there is a salt."""
    known = facts.identity(target)
    if not salt:
        return known
    return {key: _hashed(salt, json.dumps(value))
            if isinstance(value, (str, list)) else value
            for key, value in known.items()}


def _is_hidden_field(key: str, value: Any) -> bool:
    name = re.sub(r"[-_ ]", "", key.lower())
    # lsblk's "id" is udev's name of the drive; smartctl's is a number.
    return name in _FIELDS or (name == "id" and isinstance(value, str))


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    rows = value.values() if isinstance(value, dict) else \
        value if isinstance(value, list) else ()
    for one in rows:
        yield from _texts(one)


def _found(value: Any) -> Iterator[str]:
    """Texts in the fields of a document that are to be hidden."""
    if isinstance(value, dict):
        for key, below in value.items():
            yield from (_texts if _is_hidden_field(key, below)
                        else _found)(below)
    elif isinstance(value, list):
        for below in value:
            yield from _found(below)


def _spellings(text: str) -> Set[str]:
    """The text as it may stand elsewhere."""
    plain = text.strip()
    # "naa.5002..." and "eui.0025...", which others write as a number.
    short = re.sub(r"^(?:naa|eui|uuid|0x)\.?", "", plain, flags=re.I)
    # A wwid of the kernel's own making has the serial number in hex.
    return {plain, short, plain.encode("utf-8", "replace").hex()}


def _drive_secrets(target: Target) -> List[str]:
    if not target.device:
        return []
    return [value for value in map(target.device.disk.read, _SYSFS) if value]


def begin(run: Dict[str, Any], target: Target) -> None:
    """Let a new run have a salt, and no name that says more than its target.
    """
    run["identity_salt"] = new_salt()
    options = run["options"]
    if options["destroy_data_on"]:
        options["destroy_data_on"] = target.path
    hider = Redactor(target)
    run["label"] = options["label"] = hider.text(options["label"])


def hide(known: List[Dict[str, str]], target: Target) -> List[Dict[str, str]]:
    """The facts without the host's name, and without secrets in others."""
    shown: List[Dict[str, str]] = Redactor(target).document(
        [one for one in known if one["name"] != "host.name"])
    return shown


class Redactor:
    """Knows the secrets of a run's drive and machine, and learns more."""

    def __init__(self, target: Target):
        self._secrets: Set[str] = set()
        name = platform.node()
        for one in (*_drive_secrets(target), name, name.split(".")[0]):
            self._learn(one)

    def _learn(self, text: str) -> None:
        self._secrets |= {one for one in _spellings(text)
                          if len(one) >= _SHORTEST and one.strip("0-")
                          and one != HIDDEN}

    def text(self, text: str) -> str:
        """A text without the secrets that are known."""
        if not self._secrets:
            return text
        # The longest first: one may be a part of another.
        words = "|".join(map(re.escape, sorted(self._secrets, key=len,
                                               reverse=True)))
        return re.sub(f"(?<![0-9A-Za-z])(?:0x)?(?:{words})(?![0-9A-Za-z])",
                      HIDDEN, text, flags=re.I)

    def _clean(self, value: Any) -> Any:
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, list):
            return [self._clean(one) for one in value]
        if not isinstance(value, dict):
            return value
        return {self.text(key): HIDDEN
                if below and _is_hidden_field(key, below)
                else self._clean(below) for key, below in value.items()}

    def document(self, value: Any) -> Any:
        """A copy of what JSON holds, with nothing in it that is secret."""
        for one in _found(value):
            self._learn(one)
        return self._clean(value)

    def json(self, text: bytes) -> bytes:
        """The same of JSON's text; what is none is not let through."""
        try:
            value = json.loads(text.decode("utf-8", "replace"))
            return (json.dumps(self.document(value), indent=2) + "\n").encode()
        except (ValueError, RecursionError):
            raise NoAnswer("what it prints is no JSON") from None
