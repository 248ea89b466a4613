# SPDX-License-Identifier: GPL-2.0-only
"""How fast is fio-report?  Measures, prints, asserts nothing.

Usage: scripts/bench report BIN_DIR

Beside each figure stands what a yardstick needs for the same files in the same
run: Python's json module, which only parses them.
"""
import json
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

FIXTURE = Path(__file__).resolve().parents[1] / "fixtures/run"
RUNS, PROFILES = 5, 4
LOADS = [0] + list(range(10, 130, 10))
REPEATS = 5


def make_run(directory, number):
    """A run of 4 profiles x 13 points out of one real json+ point."""
    template = FIXTURE / "four-corners/4k-random-read/100.json"
    profiles = []
    for p in range(PROFILES):
        points = []
        for load in LOADS:
            name = f"p{p}/{load:03}.json"
            path = directory / name
            path.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(template, path)
            points.append({"load_percent": load, "state": "done",
                           "asked_iops": load * 600 or None,
                           "runtime_s": 30, "file": name, "reason": None})
        profiles.append({"id": f"p{p}", "title": f"Profile {p}",
                         "method": "4 KiB", "outstanding": 128,
                         "read_percent": 100, "block_bytes": 4096,
                         "points": points})
    (directory / "run.json").write_text(json.dumps(
        {"format": 1, "label": f"Drive {number}", "state": "complete",
         "facts": [], "profiles": profiles}))


def once(argv):
    """CPU seconds and wall seconds of one call."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    status = subprocess.run(argv, stdout=subprocess.DEVNULL).returncode
    wall = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if status not in (0, 1):
        sys.exit(f"{argv[0]} ended with {status}")
    return (after.ru_utime + after.ru_stime
            - before.ru_utime - before.ru_stime, wall)


def peak_memory(argv):
    """Most memory in MB, watched from outside.

    ru_maxrss would not do: it starts with the memory of this program.
    """
    child = subprocess.Popen(argv, stdout=subprocess.DEVNULL)
    most = 0
    while child.poll() is None:
        status = Path(f"/proc/{child.pid}/status").read_text()
        found = re.search(r"VmHWM:\s+(\d+) kB", status)
        most = max(most, int(found[1]) if found else 0)
    return most / 1e3


def measure(argv):
    """Median CPU and wall seconds, peak memory in MB."""
    cpu, wall = zip(*(once(argv) for _ in range(REPEATS)))
    return (sorted(cpu)[REPEATS // 2], sorted(wall)[REPEATS // 2],
            peak_memory(argv))


def line(what, cpu, wall, memory):
    print(f"{what:<44} {cpu * 1e3:8.1f} ms CPU {wall * 1e3:8.1f} ms wall "
          f"{memory:6.1f} MB")


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    report = str(Path(sys.argv[1]) / "fio-report")
    with tempfile.TemporaryDirectory() as work:
        runs = [Path(work) / f"run-{i}" for i in range(RUNS)]
        for number, run in enumerate(runs):
            make_run(run, number)
        files = [str(p) for run in runs for p in run.rglob("*.json")]
        size = sum(Path(f).stat().st_size for f in files)
        print(f"{RUNS} runs x {PROFILES} profiles x {len(LOADS)} points, "
              f"{size / 1e6:.1f} MB of JSON, median of {REPEATS}")
        line("fio-report --help", *measure([report, "--help"]))
        ours = measure([report, "review", *map(str, runs), "--no-charts",
                        "--out", f"{work}/review"])
        line("fio-report review without gnuplot", *ours)
        yardstick = measure(
            [sys.executable, "-c", "import json, sys\n"
             "for f in sys.argv[1:]: json.load(open(f))", *files])
        line("Python's json.load of the same files", *yardstick)
        print(f"ratio CPU: {ours[0] / yardstick[0]:.2f}")
        line("fio-report review with charts", *measure(
            [report, "review", *map(str, runs), "--out", f"{work}/review"]))


if __name__ == "__main__":
    main()
