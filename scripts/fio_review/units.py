# SPDX-License-Identifier: GPL-2.0-only
"""Sizes and times: text to number and back."""
import re

from .errors import refuse

KIB, MIB, GIB = 1 << 10, 1 << 20, 1 << 30
_SUFFIX = {"": 1, "k": KIB, "m": MIB, "g": GIB, "t": 1 << 40}
# So many digits that no value goes beyond what fio and the kernel count in.
_SIZE = re.compile(r"(\d{1,18}(?:\.\d{1,18})?)([kmgt]?)(?:i?b)?",
                   re.IGNORECASE)
_RATED = re.compile(r"(\d{1,18}(?:\.\d{1,18})?)([kmgtp]?)b?", re.IGNORECASE)
_POWERS = ("", "k", "m", "g", "t", "p")
_TIME = re.compile(r"(\d{1,18}(?:\.\d{1,18})?)(ms|s|m|h)?")
MAX_SIZE, MAX_SECONDS = 1 << 62, 1e8
_SECONDS = {"ms": 0.001, None: 1, "s": 1, "m": 60, "h": 3600}


def parse_size(text: str) -> int:
    """Bytes of "64k", "1G", "1.5GiB": 1024-based, as fio reads them."""
    match = _SIZE.fullmatch(text.strip())
    if not match:
        raise refuse(f"{text!r} is no size: write for example 64k, 512M or 1G")
    size = int(float(match[1]) * _SUFFIX[match[2].lower()])
    if size > MAX_SIZE:
        raise refuse(f"{text!r} is larger than any drive")
    return size


def parse_seconds(text: str) -> float:
    """Seconds of "30", "30s", "500ms" or "2m"."""
    match = _TIME.fullmatch(text.strip())
    if not match:
        raise refuse(f"{text!r} is no time: write for example 30, 500ms or 2m")
    seconds = float(match[1]) * _SECONDS[match[2]]
    if seconds > MAX_SECONDS:
        raise refuse(f"{text!r} is longer than three years")
    return seconds


def parse_rated(text: str) -> int:
    """Bytes of "600T", "1.2PB": 1000-based, as makers rate endurance."""
    match = _RATED.fullmatch(text.strip())
    rated = int(float(match[1]) * 1000 ** _POWERS.index(match[2].lower())) \
        if match else 0
    if not 0 < rated <= MAX_SIZE:
        raise refuse(f"{text!r} is no rated endurance: write for example "
                     "600T or 1.2P, in decimal units as data sheets do")
    return rated


def fio_time(seconds: float) -> str:
    """The same span in fio's notation, without losing milliseconds."""
    ms = round(seconds * 1000)
    return f"{ms // 1000}s" if ms % 1000 == 0 else f"{ms}ms"


def show_size(count: int) -> str:
    """Bytes for a reader: "1.0 GiB"."""
    value = float(count)
    for unit in ("B", "KiB", "MiB", "GiB"):
        if value < 1024:
            return f"{value:.0f} B" if unit == "B" else f"{value:.1f} {unit}"
        value /= 1024
    return f"{value:.1f} TiB"


def show_span(seconds: float) -> str:
    """A span for a reader: "1 h 02 min", "7 min 35 s", "9 s"."""
    total = max(0, round(seconds))
    if total >= 3600:
        return f"{total // 3600} h {total % 3600 // 60:02d} min"
    if total >= 60:
        return f"{total // 60} min {total % 60:02d} s"
    return f"{total} s"


def show_latency(ns: float) -> str:
    """A latency for a reader, in the unit in which it has few digits."""
    if ns < 1e6:
        return f"{ns / 1e3:.1f} us"
    return f"{ns / 1e6:.2f} ms" if ns < 1e9 else f"{ns / 1e9:.2f} s"
