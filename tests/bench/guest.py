# SPDX-License-Identifier: GPL-2.0-only
"""guest.py PLAN DEVICE: the measurements, in the guest.

Prints lines "@progress TEXT" and "@result JSON", for engines.py.
"""
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Dict, List

import callgrind
from variants import Plan, Variant, plan_from

BLOCK = 4096


class NotMeasured(Exception):
    """With the reason."""


def tell(kind: str, what: str) -> None:
    """A line for the host."""
    print(f"@{kind} {what}", flush=True)


def drive_did(counter: Path) -> int:
    """Reads of one block that the drive has done since the boot."""
    text = counter.read_text()
    if counter.name == "stat":
        return int(text.split()[2]) * 512 // BLOCK
    return int(text, 16)


def run(counter: Path, argv: List[str]) -> Dict[str, Any]:
    """One fio; the job's part of its JSON.

    Without a limit of time: the guest's clock leaps while it waits for a file
    of the host, so the host watches over it.
    """
    with tempfile.TemporaryDirectory() as work:
        out = Path(work) / "out.json"
        before = drive_did(counter)
        done = subprocess.run(
            argv + ["--output-format=json", f"--output={out}"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE, text=True, check=False)
        said = [line for line in done.stderr.splitlines()
                if line and not line.startswith("==")]
        text = out.read_text() if out.exists() else ""
        if done.returncode or "{" not in text:
            raise NotMeasured(said[0] if said else
                              f"fio ended with {done.returncode}")
        job = json.loads(text[text.index("{"):])["jobs"][0]
    seen = drive_did(counter) - before
    told = job["read"]["total_ios"]
    if job["error"] or not told:
        raise NotMeasured(f"error {job['error']}, {told} I/Os")
    if seen < told:
        raise NotMeasured(f"fio tells of {told} reads, the drive saw {seen}")
    return job


def command(plan: Plan, device: str, variant: Variant, depth: int,
            *more: str) -> List[str]:
    """fio's command line, the same for both parts."""
    other = any(word.startswith("--filename=") for word in variant.options)
    name = [] if other else [f"--filename={device}"]
    return [plan.fio, "--name=bench", *name, "--allow_file_create=0", "--rw=randread", f"--bs={BLOCK}",
            "--norandommap=1", f"--iodepth={depth}", *variant.options, *more]


def speed(plan: Plan, device: str) -> None:
    """IOPS, one variant after the other, and that several times."""
    rounds = [(variant, depth) for depth in
              sorted({d for row in plan.speed for d in row.depths})
              for _ in range(plan.repeats)
              for variant in plan.speed if depth in variant.depths]
    broken = set()
    for number, (variant, depth) in enumerate(rounds):
        if variant.title in broken:
            continue
        tell("progress", f"speed {number + 1}/{len(rounds)}: "
                         f"{variant.title}, depth {depth}")
        result: Dict[str, Any] = {"title": variant.title, "depth": depth}
        try:
            side = run(Path(plan.counter), command(
                plan, device, variant, depth, "--time_based",
                f"--runtime={plan.milliseconds}ms",
                "--ramp_time=100ms"))["read"]
            result["iops"] = side["total_ios"] * 1000 / side["runtime"]
        except NotMeasured as reason:
            result["failed"] = str(reason)
            tell("progress", str(reason))
            broken.add(variant.title)
        tell("result", json.dumps(result))


def counted_run(plan: Plan, device: str, variant: Variant,
                ios: int) -> callgrind.Profile:
    """The profile of the job's process."""
    with tempfile.TemporaryDirectory() as work:
        valgrind = ["valgrind", "--tool=callgrind", "--compress-strings=no",
                    "--compress-pos=no", f"--callgrind-out-file={work}/%p"]
        run(Path(plan.counter), valgrind + command(
            plan, device, variant, variant.depths[0], f"--number_ios={ios}"))
        # fio forks the job's process last. The counts that this one begins
        # with, of its parent until then, cancel out.
        job = max(Path(work).iterdir(), key=lambda path: int(path.name))
        with job.open() as lines:
            return callgrind.parse(lines)


def count(plan: Plan, device: str) -> None:
    """Instructions of user space per I/O, by function."""
    for number, variant in enumerate(plan.counted):
        result: Dict[str, Any] = {"title": variant.title, "counted": True}
        try:
            profiles = []
            for ios in plan.ios:
                tell("progress", f"instructions {number + 1}/"
                                 f"{len(plan.counted)}: {variant.title}, "
                                 f"{ios:,} I/Os under callgrind")
                profiles.append(counted_run(plan, device, variant, ios))
            few, many = plan.ios
            result["profile"] = callgrind.to_rows(
                callgrind.per_io(*profiles, many - few))
        except NotMeasured as reason:
            result["failed"] = str(reason)
            tell("progress", str(reason))
        tell("result", json.dumps(result))


def main() -> None:
    """Follow the plan."""
    plan = plan_from(json.loads(Path(sys.argv[1]).read_text()))
    speed(plan, sys.argv[2])
    count(plan, sys.argv[2])


main()
