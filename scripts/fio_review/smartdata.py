# SPDX-License-Identifier: GPL-2.0-only
"""What smartctl's JSON says of a drive, and what moved since.

Drives fill in what they like: a value that is not of the kind expected is left
out, and text is stripped of all that could steer a terminal.
"""
import json
from dataclasses import dataclass, field
from typing import Any, Dict, List, Optional, Tuple

from .tool import NoAnswer

_MAX_TEXT = 80
_MAX_NUMBER = 1 << 64
# No drive lives at either; smartctl's own JSON has whole degrees.
_COLDEST, _HOTTEST = -100, 250
# ATA attributes, by id: vendors name them as they like.
_ATTRIBUTES = {
    5: "reallocated sectors", 184: "end-to-end errors",
    187: "uncorrectable errors", 188: "command timeouts",
    196: "reallocation events", 197: "pending sectors",
    198: "offline uncorrectable sectors", 199: "CRC errors of the link",
}
_COUNTERS: Tuple[Tuple[str, Tuple[str, ...]], ...] = (
    ("errors in the ATA log", ("ata_smart_error_log", "extended", "count")),
    ("errors in the ATA log", ("ata_smart_error_log", "summary", "count")),
    ("critical warning", ("nvme_smart_health_information_log",
                          "critical_warning")),
    ("percentage used", ("nvme_smart_health_information_log",
                         "percentage_used")),
    ("media errors", ("nvme_smart_health_information_log", "media_errors")),
    ("errors in the NVMe log", ("nvme_smart_health_information_log",
                                "num_err_log_entries")),
    ("grown defects", ("scsi_grown_defect_list",)),
)
# NVMe counts in thousands of 512 bytes, rounded up.
NVME_UNIT = 512_000
_WRITTEN_UNITS = {"Total_LBAs_Written": 512, "Host_Writes_32MiB": 32 << 20,
                  "Host_Writes_MiB": 1 << 20, "Total_Writes_GiB": 1 << 30,
                  "Host_Writes_GiB": 1 << 30, "Lifetime_Writes_GiB": 1 << 30}
Row = Dict[str, Any]


def clean(text: object) -> str:
    """Text that is fit to be shown, of whatever stands there."""
    shown = text[:_MAX_TEXT] if isinstance(text, str) else ""
    return "".join(one if one.isprintable() else "?" for one in shown).strip()


def _at(value: Any, *path: str) -> Any:
    for key in path:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def _number(value: Any, low: int = 0, high: int = _MAX_NUMBER
            ) -> Optional[int]:
    # A bool is an int to Python.
    return value if type(value) is int and low <= value < high else None


@dataclass
class Answer:
    """One answer of a drive."""
    model: str = ""
    firmware: str = ""
    temperature: Optional[int] = None
    hours: Optional[int] = None
    passed: Optional[bool] = None
    counters: Dict[str, int] = field(default_factory=dict)
    # Bytes that hosts have written to it in its life.
    written: Optional[int] = None

    def line(self) -> str:
        """The drive in a line for a reader."""
        parts = [self.model or "a drive without a name"]
        if self.firmware:
            parts.append(f"firmware {self.firmware}")
        if self.temperature is not None:
            parts.append(f"{self.temperature} C")
        if self.hours is not None:
            parts.append(f"powered on for {self.hours:,} h")
        return ", ".join(parts)

    def alarms(self) -> List[str]:
        """What the drive itself warns of."""
        found = []
        if self.passed is False:
            found.append("the drive says that it is failing")
        warning = self.counters.get("critical warning", 0)
        if warning:
            found.append(f"the drive gives the critical warning {warning:#x}")
        return found


def _attributes(document: Row) -> Dict[str, int]:
    table = _at(document, "ata_smart_attributes", "table")
    found: Dict[str, int] = {}
    for row in table if isinstance(table, list) else []:
        number, raw = _at(row, "id"), _number(_at(row, "raw", "value"))
        if type(number) is int and number in _ATTRIBUTES and raw is not None:
            found.setdefault(_ATTRIBUTES[number], raw)
    return found


def _counters(document: Row) -> Dict[str, int]:
    found = _attributes(document)
    for title, path in _COUNTERS:
        value = _number(_at(document, *path))
        if value is not None:
            found.setdefault(title, value)
    return found


def _attribute_written(document: Row) -> Optional[int]:
    """Of attribute 241, whose unit only smartctl's database knows."""
    if _at(document, "in_smartctl_database") is not True:
        return None
    table = _at(document, "ata_smart_attributes", "table")
    for row in table if isinstance(table, list) else []:
        unit = _WRITTEN_UNITS.get(str(_at(row, "name")))
        raw = _number(_at(row, "raw", "value"))
        if _at(row, "id") == 241 and unit and raw is not None:
            return raw * unit
    return None


def _written(document: Row) -> Optional[int]:
    units = _number(_at(document, "nvme_smart_health_information_log",
                        "data_units_written"))
    if units is not None:
        return units * NVME_UNIT
    pages = _at(document, "ata_device_statistics", "pages")
    for page in pages if isinstance(pages, list) else []:
        rows = _at(page, "table")
        for row in rows if isinstance(rows, list) else []:
            sectors = _number(_at(row, "value"))
            if _at(row, "name") == "Logical Sectors Written" \
                    and _at(row, "flags", "valid") is True \
                    and sectors is not None:
                return sectors * (_number(_at(
                    document, "logical_block_size"), 512, 1 << 16) or 512)
    return _attribute_written(document)


def _complaint(document: Row) -> str:
    messages = _at(document, "smartctl", "messages")
    for one in messages if isinstance(messages, list) else []:
        text = clean(_at(one, "string"))
        if text:
            return text
    return "no word of a drive"


def parse(text: bytes) -> Answer:
    """smartctl's answer; NoAnswer if it holds none."""
    try:
        document = json.loads(text.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        raise NoAnswer("what it prints is no JSON" if text.strip()
                       else "it prints nothing") from None
    passed = _at(document, "smart_status", "passed")
    answer = Answer(
        clean(_at(document, "model_name"))
        or clean(_at(document, "scsi_model_name")),
        clean(_at(document, "firmware_version"))
        or clean(_at(document, "scsi_revision")),
        _number(_at(document, "temperature", "current"), _COLDEST, _HOTTEST),
        _number(_at(document, "power_on_time", "hours")),
        passed if isinstance(passed, bool) else None, _counters(document),
        _written(document))
    if answer == Answer():
        raise NoAnswer(_complaint(document))
    return answer


def moved(first: Dict[str, int], last: Dict[str, int]) -> List[str]:
    """Counters that are no longer what they were, in words."""
    return [f"{name} {first[name]:,} -> {value:,}"
            for name, value in last.items()
            if name in first and first[name] != value]
