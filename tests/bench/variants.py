# SPDX-License-Identifier: GPL-2.0-only
"""What is compared: engines, their settings as options of fio, and what the
comparison is wanted to say."""
from typing import Dict, List, NamedTuple, Tuple

BUILTIN = ["--ioengine=io_uring_cmd", "--cmd_type=nvme"]
BEST = ["--fixedbufs=1", "--registerfiles=1", "--nonvectored=1"]
# The block device of the sg node, the only disk of its guest.
BLOCK = ["--filename=/dev/sda", "--direct=1"]

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


class Ratio(NamedTuple):
    """Two of its cells, and the least that their ratio should be; 0: any."""
    top: Tuple[str, int]
    bottom: Tuple[str, int]
    wanted: float


class Drive(NamedTuple):
    """Where it is measured."""
    devices: str  # of the lab
    find: str     # shell of the guest that prints the device's name
    counter: str  # file of the guest: what the drive has done since the boot


class Plan(NamedTuple):
    """What the guest is to do, and what is made of it; goes there as JSON."""
    fio: str
    counter: str
    speed: List[Variant]
    repeats: int
    milliseconds: int
    counted: List[Variant]  # each at its first depth only
    ios: List[int]          # numbers of I/Os, fewer first
    ratios: List[Ratio]
    own: float              # own instructions, of the others': at most


class Subject(NamedTuple):
    """An engine of this project, and what it is compared with."""
    drive: Drive
    depths: List[int]
    counted_depth: int
    own: float


# null_blk counts sectors, a SCSI disk of Linux its commands.
SUBJECTS = {
    "nvme_pt": Subject(
        Drive("", 'generic "$(loop_namespace $LATENCY)"',
              "/sys/block/nullb0/stat"), [1, 32, 128], 32, 0.8),
    "sata_ncq": Subject(
        Drive("sata-null", 'sg_node "$(sata LABSATANULL)"',
              "/sys/block/sda/device/iodone_cnt"), [1, 16, 32], 16, 0.6),
}


def _at(depths: List[int], *some: int) -> List[int]:
    return [depth for depth in depths if depth in some]


def _nvme_speed(name: str, engine: List[str], yardstick: str,
                depths: List[int]) -> List[Variant]:
    return [
        Variant(name, engine, depths),
        Variant("io_uring_cmd, best", BUILTIN + BEST, depths),
        Variant("io_uring_cmd, defaults", BUILTIN, depths),
        Variant(f"{name}, ioctl", engine + ["--transport=ioctl"],
                _at(depths, 32)),
        Variant("one ioctl at a time", [f"--ioengine={yardstick}"],
                _at(depths, 32)),
    ]


def _sata_speed(name: str, engine: List[str],
                depths: List[int]) -> List[Variant]:
    # sg takes 16 commands a handle, and fio's engine has one handle.
    return [
        Variant(name, engine, depths),
        Variant("sg", ["--ioengine=sg"], [n for n in depths if n <= 16]),
        Variant("io_uring, block device", ["--ioengine=io_uring"] + BLOCK,
                depths),
        Variant("libaio, block device", ["--ioengine=libaio"] + BLOCK,
                depths),
        Variant(f"{name}, sync", engine + ["--transport=sync"],
                _at(depths, 16, 32)),
        Variant(f"{name}, ncq=0", engine + ["--ncq=0"], _at(depths, 1)),
    ]


def speed_variants(subject: str, name: str, engine: List[str], yardstick: str,
                   depths: List[int]) -> List[Variant]:
    """The rows in the order in which they are measured."""
    rows = _nvme_speed(name, engine, yardstick, depths) \
        if subject == "nvme_pt" else _sata_speed(name, engine, depths)
    return [row for row in rows if row.depths]


def ratios(subject: str, name: str, depths: List[int]) -> List[Ratio]:
    """What is made of the rows."""
    if subject == "sata_ncq":
        return ([Ratio((name, n), ("sg", n), 1.2 if n == 16 else 0)
                 for n in depths if n <= 16]
                + [Ratio((name, 32), ("sg", 16), 1.3)]
                + [Ratio((name, n), ("io_uring, block device", n), 0)
                   for n in depths])
    rows = [Ratio((name, n), (title, n), wanted)
            for title, wanted in (("io_uring_cmd, best", 1.0),
                                  ("io_uring_cmd, defaults", 1.15))
            for n in depths]
    return rows + [Ratio((name, 32), (f"{name}, ioctl", 32), 2.0),
                   Ratio((name, 32), ("one ioctl at a time", 32), 0)]


def settings_variants(depths: List[int]) -> List[Variant]:
    """io_uring_cmd in all its settings."""
    return [Variant(" ".join(word[2:] for word in options) or "defaults",
                    BUILTIN + options, depths) for options in SETTINGS]


def counted_variants(subject: str, name: str, engine: List[str],
                     depth: int) -> List[Variant]:
    """Those of which instructions are counted; the engine comes first."""
    others = [("sg", ["--ioengine=sg"])] if subject == "sata_ncq" else [
        ("io_uring_cmd, best", BUILTIN + BEST),
        ("io_uring_cmd, defaults", BUILTIN)]
    return [Variant(title, options, [depth])
            for title, options in [(name, engine)] + others]


def plan_from(content: Dict) -> Plan:
    """The plan out of its JSON."""
    for key in ("speed", "counted"):
        content[key] = [Variant(*row) for row in content[key]]
    content["ratios"] = []  # the guest only measures
    return Plan(**content)
