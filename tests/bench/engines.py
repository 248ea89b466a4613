# SPDX-License-Identifier: GPL-2.0-only
"""Compares an engine of this project with fio's own; see README.md here."""
import argparse
import json
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any, Dict, List

import tables
import variants

TOP = Path(__file__).resolve().parents[2]
BUILD = TOP / "build-bench"
SILENCE = 300  # seconds
PARTS = ("speed", "instructions", "settings")

EPILOG = """\
parts: speed         IOPS by the clock that counts instructions
       instructions  of user space per I/O, by callgrind
       settings      what makes io_uring_cmd fastest; only if named

nvme_pt is compared with io_uring_cmd, sata_ncq with sg.

exit status: 0 measured, whatever came out; 1 not measured, 2 usage"""


def stop(sentence: str, status: int = 1) -> None:
    """End with a sentence."""
    print(f"bench: {sentence}", file=sys.stderr)
    sys.exit(status)


def say(what: str, begin: float) -> None:
    """A line of progress."""
    print(f"[{time.monotonic() - begin:4.0f} s] {what}", file=sys.stderr,
          flush=True)


def numbers(text: str) -> List[int]:
    """"1,32" as a list."""
    found = [int(word) for word in text.split(",")]
    if not all(1 <= number <= 100000000 for number in found):
        raise ValueError(text)
    return found


def two_numbers(text: str) -> List[int]:
    """Two of them, the first smaller."""
    few, many = numbers(text)
    if few >= many:
        raise ValueError(text)
    return [few, many]


def read_options() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="scripts/bench engines", epilog=EPILOG,
        description="Compares an engine with fio's own.",
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--of", choices=sorted(variants.SUBJECTS),
                        default="nvme_pt", help="the engine to compare, which "
                        "is built into build-bench/; default: nvme_pt")
    parser.add_argument("--engine", type=Path, metavar="FILE",
                        help="a shared object in its place")
    parser.add_argument("--option", action="append", default=[],
                        metavar="NAME=VALUE", help="an option for this engine")
    parser.add_argument("--parts", default="speed,instructions",
                        metavar="PART,...", help="default: %(default)s")
    parser.add_argument("--depths", type=numbers, metavar="N,...",
                        help="of speed; default: 1,32,128, of sata_ncq "
                        "1,16,32")
    parser.add_argument("--repeats", type=int, default=5, metavar="N",
                        help="of each row; default: 5")
    parser.add_argument("--milliseconds", type=int, default=500, metavar="N",
                        help="of the guest's time for each; default: 500")
    parser.add_argument("--latency", type=int, default=0, metavar="US",
                        help="microseconds that the drive of nvme_pt takes; "
                        "default: 0")
    parser.add_argument("--counted-depth", type=int, metavar="N",
                        help="iodepth of instructions; default: 32, of "
                        "sata_ncq 16")
    parser.add_argument("--ios", type=two_numbers, default=[2000, 12000],
                        metavar="N,M", help="lengths of the two runs of which "
                        "the difference is taken; default: 2000,12000")
    parser.add_argument("--top", type=int, default=0, metavar="N",
                        help="show the N functions of user space with the "
                             "most instructions")
    parser.add_argument("--fio", default="fio", metavar="PROGRAM",
                        help="of the release that the engine is built for; "
                             "one with symbols makes --top say more")
    options = parser.parse_args()
    options.parts = options.parts.split(",")
    for part in options.parts:
        if part not in PARTS:
            parser.error(f"{part}: parts are {', '.join(PARTS)}")
    subject = variants.SUBJECTS[options.of]
    options.depths = options.depths or subject.depths
    if options.counted_depth is None:
        options.counted_depth = subject.counted_depth
    if min(options.repeats, options.milliseconds, options.counted_depth) < 1:
        parser.error("numbers are at least 1")
    if not 0 <= options.latency <= 1000000:
        parser.error("--latency: up to a second")
    if options.of != "nvme_pt" and (options.latency
                                    or "settings" in options.parts):
        parser.error("--latency and the part settings are for nvme_pt")
    return options


def build(target: str) -> Path:
    """An engine, optimized and without sanitizers."""
    log = BUILD / "bench.log"
    BUILD.mkdir(exist_ok=True)
    with log.open("w") as out:
        for argv in (
                ["cmake", "-S", str(TOP), "-B", str(BUILD),
                 "-DCMAKE_BUILD_TYPE=RelWithDebInfo",
                 "-DFIO_REVIEW_SANITIZE=OFF", "-DFIO_REVIEW_TESTS=OFF"],
                ["cmake", "--build", str(BUILD), "--target", target]):
            if subprocess.run(argv, stdout=out, stderr=out,
                              check=False).returncode:
                stop(f"{target} can't be built; see {log}")
    return BUILD / f"engines/{target}.so"


def plan_for(options: argparse.Namespace, work: Path) -> variants.Plan:
    """What the guest is to do.  It sees nothing of /tmp, and nothing that it
    uses may change meanwhile, so it gets copies."""
    asked = shutil.which(options.fio)
    if not asked:
        stop(f"{options.fio} is not installed")
    fio = str(Path(asked).resolve())
    if options.fio != "fio":
        fio = shutil.copy(fio, work / "fio")
    name, engine = "", []
    if {"speed", "instructions"} & {*options.parts}:
        built = options.engine or build(options.of)
        if not built.is_file():
            stop(f"{built}: no such file", 2)
        name = built.stem
        engine = [f"--ioengine={shutil.copy(built, work / built.name)}"]
        engine += [f"--{word}" for word in options.option]
    speed: List[variants.Variant] = []
    counted: List[variants.Variant] = []
    ratios: List[variants.Ratio] = []
    if "speed" in options.parts:
        yardstick = shutil.copy(build("sync_ioctl"), work)
        speed += variants.speed_variants(options.of, name, engine, yardstick,
                                         options.depths)
        ratios = variants.ratios(options.of, name, options.depths)
    if "settings" in options.parts:
        speed += variants.settings_variants(options.depths)
    if "instructions" in options.parts:
        counted = variants.counted_variants(options.of, name, engine,
                                            options.counted_depth)
    subject = variants.SUBJECTS[options.of]
    return variants.Plan(str(fio), subject.drive.counter, speed,
                         options.repeats, options.milliseconds, counted,
                         options.ios, ratios, subject.own)


class Watch:
    """Ends a process from which nothing was heard for so long."""

    def __init__(self, process: "subprocess.Popen[str]", seconds: int):
        self.process, self.seconds = process, seconds
        self.expired = False
        self._start()

    def _start(self) -> None:
        self.timer = threading.Timer(self.seconds, self._expire)
        self.timer.daemon = True
        self.timer.start()

    def _expire(self) -> None:
        self.expired = True
        self.process.terminate()

    def heard(self) -> None:
        """Begin to wait anew."""
        self.timer.cancel()
        self._start()

    def over(self) -> None:
        """Watch no more."""
        self.timer.cancel()


def in_guest(plan: variants.Plan, drive: variants.Drive, latency: int,
             work: Path) -> List[Dict[str, Any]]:
    """Follow the plan in the lab; the results as the guest tells them."""
    (work / "plan.json").write_text(json.dumps(plan._asdict()))
    begin = time.monotonic()
    say("booting a guest", begin)
    results = []
    case = (f'LATENCY={latency}\ndevice=$({drive.find})\n'
            'echo "@progress Linux $(uname -r), $(fio --version)"\n'
            'python3 -B "$LAB_TREE/tests/bench/guest.py" '
            f'"$LAB_TREE/build-bench/{work.name}/plan.json" '
            '"$device"')
    with subprocess.Popen(
            [str(TOP / "scripts/lab"), "--no-install", "--machine", "icount",
             "--shell", drive.devices, "--", case], stdout=subprocess.PIPE,
            text=True) as lab:
        assert lab.stdout
        watch = Watch(lab, SILENCE)
        for line in lab.stdout:
            watch.heard()
            kind, _, rest = line.rstrip("\n").partition(" ")
            if kind == "@result":
                results.append(json.loads(rest))
            else:
                say(rest if kind == "@progress" else line.rstrip("\n"), begin)
        watch.over()
    if watch.expired:
        say(f"the last hangs: nothing for {SILENCE} s", begin)
    elif lab.returncode:
        stop("the guest did not get through")
    say("done", begin)
    return results


def main() -> None:
    """Measure and print."""
    options = read_options()
    BUILD.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="run.", dir=BUILD) as folder:
        work = Path(folder)
        plan = plan_for(options, work)
        results = in_guest(plan, variants.SUBJECTS[options.of].drive,
                           options.latency, work)
    print(f"\nThe drive itself takes {options.latency} microseconds.")
    tables.show(plan, results, options.top)
    if not any("failed" not in result for result in results):
        sys.exit(1)


try:
    main()
except KeyboardInterrupt:
    sys.exit(130)
