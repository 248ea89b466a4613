# SPDX-License-Identifier: GPL-2.0-only
"""What is compared: engines and their settings, as options of fio."""
from typing import Dict, List, NamedTuple

BUILTIN = ["--ioengine=io_uring_cmd", "--cmd_type=nvme"]
BEST = ["--fixedbufs=1", "--registerfiles=1", "--nonvectored=1"]

# For the part "settings": what makes io_uring_cmd fastest. Not sqthread_poll,
# whose thread would need a processor of its own.
SETTINGS = [
    [], ["--fixedbufs=1"], ["--registerfiles=1"], ["--nonvectored=1"],
    ["--registerfiles=1", "--nonvectored=1"],
    ["--fixedbufs=1", "--registerfiles=1"], BEST, BEST + ["--hipri=1"],
]


class Variant(NamedTuple):
    """A row of the table."""
    title: str
    options: List[str]
    depths: List[int]


class Plan(NamedTuple):
    """What the guest is to do; goes there as JSON."""
    fio: str
    speed: List[Variant]
    repeats: int
    milliseconds: int
    counted: List[Variant]  # each at its first depth only
    ios: List[int]          # numbers of I/Os, fewer first


def speed_variants(name: str, engine: List[str], yardstick: str,
                   depths: List[int]) -> List[Variant]:
    """The rows in the order in which they are measured."""
    one_depth = [depth for depth in depths if depth == 32]
    rows = [
        Variant(name, engine, depths),
        Variant("io_uring_cmd, best", BUILTIN + BEST, depths),
        Variant("io_uring_cmd, defaults", BUILTIN, depths),
        Variant(f"{name}, ioctl", engine + ["--transport=ioctl"], one_depth),
        Variant("one ioctl at a time", [f"--ioengine={yardstick}"], one_depth),
    ]
    return [row for row in rows if row.depths]


def settings_variants(depths: List[int]) -> List[Variant]:
    """io_uring_cmd in all its settings."""
    return [Variant(" ".join(word[2:] for word in options) or "defaults",
                    BUILTIN + options, depths) for options in SETTINGS]


def counted_variants(name: str, engine: List[str],
                     depth: int) -> List[Variant]:
    """Those of which instructions are counted; the engine comes first."""
    return [Variant(name, engine, [depth]),
            Variant("io_uring_cmd, best", BUILTIN + BEST, [depth]),
            Variant("io_uring_cmd, defaults", BUILTIN, [depth])]


def plan_from(content: Dict) -> Plan:
    """The plan out of its JSON."""
    for key in ("speed", "counted"):
        content[key] = [Variant(*row) for row in content[key]]
    return Plan(**content)
