# SPDX-License-Identifier: GPL-2.0-only
"""The environment of a measurement, as (name, title, value) for a reader.

What the machine does not tell is left out: a guess would look like a fact.
"""
import os
import platform
import re
from pathlib import Path
from typing import Any, Dict, List, Optional

from . import link
from .blockdev import System, file_id
from .target import Target
from .units import fio_time, show_size

TITLES = {
    "target.path": "Target", "target.kind": "Kind", "target.model": "Drive",
    "target.firmware": "Firmware", "target.size": "Capacity",
    "target.region": "Region measured", "target.scheduler": "I/O scheduler",
    "target.rotational": "Medium", "target.write_cache": "Write cache",
    "target.link": "PCIe link", "target.numa": "NUMA node",
    "target.filesystem": "File system", "target.direct": "Page cache",
    "target.purge": "Purged before the run",
    "target.fill": "State before the run",
    "target.temperature": "Temperature",
    "target.written": "Written by the run",
    "target.endurance": "Rated endurance used by it", "host.name": "Host",
    "host.os": "Operating system", "host.kernel": "Kernel",
    "host.cpu": "Processor", "host.cpus": "Logical CPUs",
    "host.memory": "Memory", "host.governor": "CPU governor",
    "fio.version": "fio", "fio.engine": "I/O engine",
    "method.runtime": "Time a point", "method.ramp": "Ramp before a point",
    "method.settle": "Idle before a point",
    "method.precondition": "Preconditioning", "method.arrivals": "Arrivals", "method.date": "Date",
}
Values = Dict[str, Optional[str]]


def _first_match(path: Path, pattern: str) -> Optional[str]:
    try:
        match = re.search(pattern, path.read_text(errors="replace"), re.M)
    except OSError:
        return None
    return match[1].strip() if match else None


def _drive(target: Target) -> Values:
    """The disk under the target; a file's through its file system."""
    if not target.device:
        return {}
    disk = target.device.disk
    scheduler = disk.read("queue/scheduler") or ""
    chosen = re.search(r"\[(.+?)\]", scheduler)
    rotational = disk.read("queue/rotational")
    attached = link.of_disk(disk)
    sectors = disk.read("size")
    model = " ".join(filter(None, (disk.read("device/vendor"),
                                   disk.read("device/model"))))
    # Virtio's vendor is a PCI number, which tells a reader nothing.
    model = re.sub(r"^0x[0-9a-f]+\s*", "", model)
    return {
        "target.model": model or disk.name,
        "target.firmware": (disk.read("device/firmware_rev")
                            or disk.read("device/rev")),
        "target.size": show_size(int(sectors) * 512) if sectors else None,
        "target.scheduler": chosen[1] if chosen else scheduler or None,
        # Of a virtual disk the kernel only knows its default.
        "target.rotational": None if "/virtio" in str(disk.dir) else {
            "0": "solid state", "1": "rotating"}.get(rotational or ""),
        "target.write_cache": disk.read("queue/write_cache"),
        "target.link": attached.words() if attached else None,
        "target.numa": link.numa_node(disk),
    }


def _file_system(target: Target, system: System) -> Optional[str]:
    if target.is_device:
        return None
    mount = system.mount_of(target.path)
    return f"{mount.fstype} on {mount.source}" if mount else None


def page_cache(direct: int) -> str:
    """What the page cache had to do with it."""
    return ("bypassed (O_DIRECT)" if direct else
            "used: buffered I/O, memory is measured too")


def _target(target: Target, region: int, direct: int, fill: str,
            system: System) -> Values:
    values: Values = {"target.path": target.path, "target.kind": target.kind}
    values.update(_drive(target))
    values["target.region"] = f"{show_size(region)} from the start"
    values["target.filesystem"] = _file_system(target, system)
    values["target.direct"] = page_cache(direct)
    values["target.fill"] = fill
    return values


def _host(system: System) -> Values:
    os_name = _first_match(Path("/etc/os-release"),
                           r'^PRETTY_NAME="?([^"\n]*)"?')
    memory = _first_match(system.proc / "meminfo", r"^MemTotal:\s*(\d+) kB")
    governor = system.sys / "devices/system/cpu/cpu0/cpufreq/scaling_governor"
    return {
        "host.name": platform.node() or None,
        "host.os": os_name,
        "host.kernel": f"{platform.system()} {platform.release()} "
                       f"{platform.machine()}",
        "host.cpu": _first_match(system.proc / "cpuinfo",
                                 r"^model name\s*:\s*(.*)"),
        "host.cpus": str(os.cpu_count()) if os.cpu_count() else None,
        "host.memory": show_size(int(memory) * 1024) if memory else None,
        "host.governor": _first_match(governor, r"^(\S+)"),
    }


def method(options: Dict[str, Any], fio_version: Optional[str],
           started: str) -> Values:
    """What it was measured with, and how."""
    return {
        "fio.version": fio_version,
        "fio.engine": options["ioengine"],
        "method.runtime": fio_time(options["runtime_s"]),
        "method.ramp": fio_time(options["ramp_s"]),
        "method.settle": fio_time(options["settle_s"])
        if options["settle_s"] else None,
        "method.arrivals": "Poisson, per thread; the maximum uncontrolled",
        "method.date": started,
    }


def listed(values: Values) -> List[Dict[str, str]]:
    """All that are known, in the order of TITLES."""
    return [{"name": name, "title": title, "value": str(values[name])}
            for name, title in TITLES.items() if values.get(name)]


def collect(target: Target, options: Dict[str, Any], fio_version: str,
            fill: str, started: str, system: System) -> List[Dict[str, str]]:
    """All facts that are known, in the order of TITLES."""
    values = _target(target, options["size"], options["direct_used"], fill,
                     system)
    values.update(_host(system))
    values.update(method(options, fio_version, started))
    return listed(values)


def of_directory(target: Target, started: str, system: System
                 ) -> List[Dict[str, str]]:
    """The same of a directory in which applications run."""
    return listed({
        "target.path": target.path, "target.kind": "directory",
        **_drive(target), "target.filesystem": _file_system(target, system),
        **_host(system), "method.date": started})


def drive_name(facts: List[Dict[str, str]], target: Target) -> str:
    """What a chart calls the drive when the user did not say."""
    for one in facts:
        if one["name"] == "target.model":
            return one["value"]
    return os.path.basename(target.path)


def set_fact(facts: List[Dict[str, str]], name: str, value: str) -> None:
    """Replace a fact's value, where it is listed."""
    for one in facts:
        if one["name"] == name:
            one["value"] = value


def model(target: Target) -> str:
    """What the drive calls itself, or else its name."""
    return _drive(target).get("target.model") or os.path.basename(target.path)


def put(facts: List[Dict[str, str]], name: str, value: str) -> None:
    """Set a fact's value; one that is new gets its place among the others."""
    order = list(TITLES)
    row = {"name": name, "title": TITLES[name], "value": value}
    for at, one in enumerate(facts):
        if one["name"] == name:
            facts[at] = row
            return
        if one["name"] in TITLES \
                and order.index(one["name"]) > order.index(name):
            facts.insert(at, row)
            return
    facts.append(row)


def identity(target: Target) -> Dict[str, Any]:
    """What tells this device from another one of the same name later."""
    if not target.is_device or not target.device:
        return {}
    disk = target.device.disk
    known: Dict[str, Any] = {
        "model": disk.read("device/model"), "wwid": disk.read("wwid"),
        # virtio has it at the disk.
        "serial": disk.read("device/serial") or disk.read("serial"),
        "device_wwid": disk.read("device/wwid"),
        "loop_file": disk.read("loop/backing_file"),
    }
    if known["loop_file"]:
        found = file_id(known["loop_file"])
        known["loop_file_id"] = list(found) if found else None
    if target.device.parent:
        known.update(partition=target.device.read("partition"),
                     start=target.device.read("start"),
                     partuuid=target.device.event("PARTUUID"))
    return {"size": target.capacity,
            **{key: value for key, value in known.items() if value}}
