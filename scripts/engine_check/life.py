# SPDX-License-Identifier: GPL-2.0-only
"""Cases about life and death: errors, signals, leaks."""
import os
import shutil
import signal
import statistics
import subprocess
import time
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Dict, List, Tuple

from .bench import MIB, Bench
from .fio import Call, Failed, Result, Skipped

ENDLESS: Dict[str, object] = {"rw": "randrw", "bs": 4096, "size": MIB,
                              "iodepth": 16, "time_based": True}
END_SECONDS = 5.0


def loads(bench: Bench) -> None:
    """fio takes the engine"""
    argv = [bench.program, f"--enghelp={bench.engine}"]
    bench.last = argv
    done = subprocess.run(argv, capture_output=True, text=True, check=False,
                          timeout=bench.timeout, errors="replace")
    if done.returncode:
        if "has no options" in done.stderr + done.stdout:
            return
        raise Failed(" / ".join((done.stderr + done.stdout).split("\n"))[:300])


def time_based(bench: Bench) -> None:
    """a job that is limited by time goes on until then"""
    bench.clear(MIB)
    result = bench.run(**ENDLESS, runtime="1s").check_good()
    ran = max(job["job_runtime"] for job in result.jobs)
    if not 900 <= ran <= 3000:
        raise Failed(f"runtime is 1 s, but the job ran {ran} ms")


def reopen(bench: Bench) -> None:
    """files opened and closed again and again, and loops"""
    bench.clear(MIB)
    result = bench.run(rw="write", bs=4096, size=MIB, loops=20, iodepth=16,
                       verify="crc32c").check_good()
    if result.total("write", "total_ios") != 20 * 256:
        raise Failed(f"{result.total('write', 'total_ios')} of 5120 writes "
                     "of 20 loops done")
    if not bench.is_file:
        return
    folder = bench.work / "many"
    folder.mkdir(exist_ok=True)
    result = bench.run(filename=None, directory=folder, nrfiles=64,
                       openfiles=3, filesize=65536, rw="randwrite", bs=4096,
                       file_service_type="random", iodepth=16,
                       verify="crc32c").check_good()
    shutil.rmtree(folder)
    if result.total("write", "total_ios") != 1024:
        raise Failed(f"{result.total('write', 'total_ios')} of 1024 writes "
                     "to 64 files done")


def short_jobs(bench: Bench) -> None:
    """ten jobs one after the other"""
    bench.clear(MIB)
    for depth in (1, 64) * 5:
        bench.run(rw="randread", bs=4096, size=65536,
                  iodepth=depth).check_good()


def _must_fail(bench: Bench, what: str, **options: object) -> None:
    for thread in (True, False):
        result = bench.run(bs=4096, size=MIB, iodepth=16, thread=thread,
                           **options).check_alive()
        if not result.code:
            raise Failed(f"{what}: fio ends with status 0")
        moved = sum(result.total(direction, "io_bytes")
                    for direction in ("read", "write"))
        if moved and not result.errors:
            raise Failed(f"{what}: no job has an error")


def missing_target(bench: Bench) -> None:
    """a target that does not exist is an error"""
    _must_fail(bench, "no such target", rw="read", allow_file_create=False,
               filename=bench.work / "missing" / "target")


def full_target(bench: Bench) -> None:
    """a write that fails is an error (/dev/full)"""
    _must_fail(bench, "no space on the target", rw="write",
               filename="/dev/full")


def _catches_interrupts(pid: int) -> bool:
    """fio's own handler is there; before, ^C just kills it."""
    try:
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("SigCgt:"):
                return bool(int(line.split()[1], 16)
                            & 1 << (signal.SIGINT - 1))
    except OSError:
        pass
    return False


def _wait_for_io(call: Call, seconds: float = 1.0) -> None:
    while call.process.poll() is None and call.seconds < call.timeout \
            and not _catches_interrupts(call.process.pid):
        time.sleep(0.02)
    time.sleep(seconds)
    if call.process.poll() is not None:
        call.wait().check_good()
        raise Failed("an endless job ended by itself")


def _interrupted(bench: Bench, thread: bool, seconds: float) -> Result:
    bench.clear(MIB)
    call = bench.start(bench.argv(**ENDLESS, runtime="60s", thread=thread))
    _wait_for_io(call, seconds)
    call.process.send_signal(signal.SIGINT)
    call.timeout = call.seconds + END_SECONDS
    return call.wait().check_alive()


def interrupt(bench: Bench) -> None:
    """^C ends the job soon, with its results"""
    for thread in (True, False):
        # On a busy or emulated machine I/O may not have begun so soon.
        for seconds in (1.0, 4.0, 16.0):
            result = _interrupted(bench, thread, seconds)
            if result.document is None:
                raise Failed("^C: fio wrote no JSON")
            if result.errors or result.total("read", "total_ios"):
                break
        if result.errors or not result.total("read", "total_ios"):
            raise Failed(f"^C: error {result.errors}, "
                         f"{result.total('read', 'total_ios')} reads")


def kill(bench: Bench) -> None:
    """SIGKILL leaves nothing behind"""
    bench.clear(MIB)
    for thread in (True, False):
        call = bench.start(bench.argv(**ENDLESS, runtime="60s", numjobs=2,
                                      thread=thread))
        _wait_for_io(call)
        if thread:
            # Threads end with their process; what the engine forked would not.
            call.process.kill()
        else:
            # fio's own forked jobs would go on.
            call.signal_all(signal.SIGKILL)
        call.wait()


class Watch:
    """Counts open files and threads of a process while it runs."""

    def __init__(self) -> None:
        self.samples: List[Tuple[float, int, int]] = []

    def __call__(self, pid: int) -> None:
        try:
            self.samples.append((time.monotonic(),
                                 len(os.listdir(f"/proc/{pid}/fd")),
                                 len(os.listdir(f"/proc/{pid}/task"))))
        except OSError:
            pass

    def at_end(self, seconds: float) -> Tuple[float, float]:
        """Medians of the last seconds."""
        end = self.samples[-1][0] - 0.1
        last = [one for one in self.samples
                if end - seconds <= one[0] <= end] or self.samples[-1:]
        return (statistics.median(one[1] for one in last),
                statistics.median(one[2] for one in last))


def _after_jobs(bench: Bench, count: int) -> Tuple[float, float]:
    """Open files and threads of a fio that already did count jobs."""
    argv = bench.argv(rw="randread", bs=4096, size=65536, iodepth=8)
    engine = [f"--ioengine={bench.engine}", *bench.extra]
    same = argv[2 + len(engine):]
    for number in range(count - 1):
        argv += [f"--name=more{number}", "--stonewall", *engine, *same]
    argv += ["--name=last", "--stonewall", *engine, *same, "--time_based=1",
             "--runtime=1s"]
    watch = Watch()
    bench.start(argv).wait(watch).check_good()
    return watch.at_end(0.5)


def leaks(bench: Bench) -> None:
    """no open files or threads are left by finished jobs or reopened files"""
    bench.clear(MIB)
    before = _after_jobs(bench, 1)
    after = _after_jobs(bench, 11)
    for what, one, eleven in zip(("open files", "threads"), before, after):
        if eleven - one >= 5:
            raise Failed(f"{eleven:.0f} {what} after 11 jobs, "
                         f"{one:.0f} after one: {what} leak")
    if not bench.is_file:
        return
    folder = bench.work / "many"
    folder.mkdir(exist_ok=True)
    watch = Watch()
    argv = bench.argv(filename=None, directory=folder, nrfiles=16, openfiles=2,
                      filesize=65536, rw="randread", bs=4096, iodepth=8,
                      file_service_type="random:1", time_based=True,
                      runtime="2s")
    bench.start(argv).wait(watch).check_good()
    shutil.rmtree(folder)
    middle = watch.samples[len(watch.samples) // 2:]
    if max(one[1] for one in middle) - min(one[1] for one in middle) > 16:
        raise Failed("the number of open files grows while files are "
                     "opened and closed")


def _blamed(log: Path, engine: Path) -> List[str]:
    """valgrind's findings in whose stack the engine is."""
    found = []
    for error in ElementTree.parse(log).getroot().iter("error"):
        frames = list(error.iter("frame"))
        ours = [frame for frame in frames
                if (frame.findtext("obj") or "").endswith(engine.name)]
        if ours:
            what = error.findtext("what") or error.findtext("xwhat/text") or ""
            found.append(f"{what} in {ours[0].findtext('fn')}()")
    return found


def valgrind(bench: Bench) -> None:
    """no memory error and no definite leak in the engine (valgrind)"""
    if not bench.path:
        raise Skipped("the engine is part of fio")
    if not shutil.which("valgrind"):
        raise Skipped("valgrind is not installed")
    bench.clear(MIB)
    log = bench.work / "valgrind.xml"
    tool = ["valgrind", "--leak-check=full", "--show-leak-kinds=definite",
            "--keep-debuginfo=yes", "--xml=yes", f"--xml-file={log}"]
    argv = tool + bench.argv(rw="randwrite", bs=4096, size=262144, iodepth=8,
                             numjobs=2, offset_increment=262144, fsync=8,
                             verify="crc32c")
    result: Result = bench.start(argv, bench.timeout * 3).wait()
    result.check_good()
    found = _blamed(log, bench.path)
    if found:
        raise Failed(f"{len(found)} findings, the first: {found[0]}")


CASES = [time_based, reopen, short_jobs, missing_target, full_target,
         interrupt, kill, leaks, valgrind]
