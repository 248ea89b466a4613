# SPDX-License-Identifier: GPL-2.0-only
"""The drive's temperature each second of a point, by the kernel's hwmon.

In a thread of its own: a sensor that hangs must hold up neither fio's time
limit nor ^C. The kernel asks an NVMe drive through the admin queue, at most
once a second, beside the queues of its I/O. It asks a SATA drive (drivetemp)
by a command for which the drive's queue must run empty, so unless it is asked
for, that is done between the points only.
"""
import csv
import io
import os
import statistics
import threading
import time
from pathlib import Path
from typing import Any, Callable, Dict, List, NamedTuple, Optional

from . import facts
from .blockdev import Device
from .observer import Observer
from .progress import Progress
from .runfile import now
from .target import Target

Row = Dict[str, Any]
FILE = "device/temperature.csv"
HEAD = ("time", "seconds", "point", "celsius")
# Drivers whose readings leave the queues of the drive's I/O alone.
_QUIET = ("nvme",)
_PERIOD_S = 1.0
# A reading takes milliseconds; one that takes this long hangs.
_PATIENCE_S = 5.0


class Sensor(NamedTuple):
    """A file of the kernel's with thousandths of a degree."""
    name: str
    path: Path

    def read(self) -> float:
        """Degrees Celsius; OSError without an answer."""
        text = self.path.read_text(errors="replace").strip()
        try:
            return round(int(text) / 1000, 3)
        except ValueError:
            raise OSError(None, f"{self.path} holds no number") from None


def find(disk: Device) -> Optional[Sensor]:
    """The first sensor of a disk; None where the kernel has none."""
    places = [disk.dir / "device", disk.dir / "device/device"]
    # Of a drive with several paths the controllers lie below it.
    places += sorted(disk.dir.glob("device/nvme[0-9]*"))
    for place in places:
        for pattern in ("hwmon[0-9]*", "hwmon/hwmon[0-9]*"):
            for one in sorted(place.glob(f"{pattern}/temp1_input")):
                name = Device("", "", one.parent).read("name")
                return Sensor(name or "unknown", one)
    return None


class _Sampler(threading.Thread):
    """Takes readings until it is told to stop; all of them, or only one."""

    def __init__(self, sensor: Sensor, keep: Callable[[float, float], None],
                 once: bool):
        super().__init__(daemon=True)
        self._sensor, self._keep, self._once = sensor, keep, once
        self._stop_it = threading.Event()
        self.values: List[float] = []
        self.problem: Optional[str] = None

    def run(self) -> None:
        begun, due = time.monotonic(), 0.0
        try:
            while True:
                seconds = time.monotonic() - begun
                value = self._sensor.read()
                # Not of a time after the point; but one there is of each.
                if self.values and self._stop_it.is_set():
                    return
                self._keep(seconds, value)
                self.values.append(value)
                # By the clock of the point: no drift, and nothing made up.
                while due <= time.monotonic() - begun:
                    due += _PERIOD_S
                if self._once or self._stop_it.wait(
                        begun + due - time.monotonic()):
                    return
        except OSError as err:
            self.problem = err.strerror or "input/output error"

    def finish(self) -> None:
        """Let it end; one that hangs stays behind, and says so."""
        self._stop_it.set()
        self.join(_PATIENCE_S)
        if self.is_alive():
            self.problem = f"no reading within {_PATIENCE_S:g} s"


def _open_log(path: Path) -> int:
    """The log to append to, less a line that a crash has cut."""
    path.parent.mkdir(exist_ok=True)
    fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC,
                 0o644)
    whole = path.read_bytes().rfind(b"\n") + 1
    os.ftruncate(fd, whole)
    if not whole:
        os.write(fd, _line(HEAD))
    return fd


def _line(cells: Any) -> bytes:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerow(cells)
    return text.getvalue().encode("utf-8", "replace")


def _logged(path: Path) -> List[float]:
    """Degrees that earlier sessions of the run have written."""
    found = []
    with open(path, encoding="utf-8", errors="replace", newline="") as log:
        for cells in csv.reader(log):
            try:
                found.append(float(cells[3]))
            except (IndexError, ValueError):
                continue
    return found


def _summary(values: List[float]) -> Row:
    return {"samples": len(values), "median": statistics.median(values),
            "hottest": max(values)} if values else \
        {"samples": 0, "median": None, "hottest": None}


class Temperature(Observer):
    """Readings of one run, and what they add up to in run.json."""

    def __init__(self, directory: Path, run: Row, target: Target,
                 progress: Progress):
        self.path = directory / FILE
        self.run = run
        self.progress = progress
        wanted = run["options"].get("temperature", "auto")
        self._disk = target.device.disk if target.device else None
        self._active = wanted != "off" and self._disk is not None
        self._always = wanted == "always"
        self._sensor: Optional[Sensor] = None
        self._sampler: Optional[_Sampler] = None
        self._log = -1
        self._all: List[float] = []
        self._point: List[float] = []

    def _give_up(self, why: str) -> None:
        self.progress.line(f"heat       not recorded: {why}", "yellow")
        self._kept["problem"] = why
        self._active = False

    @property
    def _kept(self) -> Row:
        if not self.run.get("temperature"):
            self.run["temperature"] = {
                "sensor": None, "each": None, "file": None, "problem": None,
                **_summary([]), "points": {}}
        return self.run["temperature"]

    def _begin(self) -> None:
        assert self._disk
        self._sensor = find(self._disk)
        if not self._sensor:
            hint = "; modprobe drivetemp may bring one" \
                if self._disk.name.startswith("sd") else ""
            self._give_up(f"the kernel has no sensor of {self._disk.name} (hwmon)"
                          f"{hint}")
            return
        self._log = _open_log(self.path)
        self._all = _logged(self.path)
        each = "second" if self._each_second else "point"
        self._kept.update(sensor=self._sensor.name, each=each, file=FILE,
                          problem=None)

    @property
    def _each_second(self) -> bool:
        return self._always or bool(self._sensor
                                    and self._sensor.name in _QUIET)

    def _start(self, name: str) -> None:
        assert self._sensor
        log = self._log

        def keep(seconds: float, celsius: float) -> None:
            os.write(log, _line((now(), f"{seconds:.3f}", name,
                                 f"{celsius:g}")))
        self._sampler = _Sampler(self._sensor, keep, not self._each_second)
        self._sampler.start()

    def _finish(self) -> None:
        sampler, self._sampler = self._sampler, None
        if not sampler:
            return
        sampler.finish()
        # A copy: the thread may have stayed behind.
        values = list(sampler.values)
        self._all += values
        self._point += values
        if sampler.problem:
            self._give_up(f"{self._sensor.name if self._sensor else ''}: "
                          f"{sampler.problem}")

    def before_point(self, name: str, last: Optional[str]) -> None:
        """Begin to read, or read once where reading disturbs."""
        if self._active and not self._sensor:
            self._begin()
        if not self._active:
            return
        self._point = []
        self._start(name)
        if not self._each_second:
            self._finish()

    def after_point(self, name: str) -> None:
        """Stop reading, or read once more; note what it was."""
        if not self._active:
            return
        if not self._each_second:
            self._start(name)
        self._finish()
        self._kept["points"][name] = _summary(self._point)
        self._kept.update(_summary(self._all))
        if self._all:
            each = "each second" if self._each_second \
                else "before and after each point"
            facts.put(self.run["facts"], "target.temperature",
                      f"median {self._kept['median']:g} C, hottest "
                      f"{self._kept['hottest']:g} C ({each})")
