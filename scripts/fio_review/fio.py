# SPDX-License-Identifier: GPL-2.0-only
"""One call of fio: its command, its process group, its end."""
import ctypes
import os
import shlex
import shutil
import signal
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, Callable, Dict, List, Optional

from .errors import bad_input, refuse, system_error

PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
# Time that fio gets to end after each signal before the next one.
GRACE_SECONDS = ((signal.SIGINT, 2.0), (signal.SIGTERM, 1.0))
TICK_SECONDS = 0.5
# What is kept of fio's printing: its beginning, and the end with its verdict.
KEPT_HEAD, KEPT_TAIL = 1 << 20, 1 << 16
_NOTE_ROOM = 256
# fio is stopped that prints more.
MAX_PRINTED = 256 << 20
_PR_SET_PDEATHSIG = 1
# Engines of fio that have one I/O of a thread in flight.
_WAITING = ("sync", "psync", "vsync", "pvsync", "pvsync2")
_LIBC = ctypes.CDLL(None, use_errno=True)
Tick = Callable[[int], None]


@dataclass(frozen=True)
class Call:
    """What is run: arguments, environment and the limits around it."""
    argv: List[str]
    variables: Dict[str, str] = field(default_factory=dict)
    timeout_s: float = 60.0
    # Of this run: not for a shell, in which they would not be true.
    state: Dict[str, str] = field(default_factory=dict)
    # Where it runs, which is where its logs go; None: wherever we are.
    cwd: Optional[Path] = None

    @property
    def environment(self) -> Dict[str, str]:
        """All that fio sees of the environment."""
        return {"PATH": PATH, "LC_ALL": "C", **self.variables, **self.state}

    def shell(self, placeholders: Optional[Dict[str, str]] = None) -> str:
        """The call as a line for a shell.

        Placeholders replace values that are not known yet.
        """
        shown = {"LC_ALL": "C", **self.variables, **(placeholders or {})}
        words = [f"{name}={shlex.quote(value)}"
                 for name, value in shown.items()]
        line = " ".join(words + [shlex.quote(one) for one in self.argv])
        return f"(cd {shlex.quote(str(self.cwd))} && {line})" if self.cwd \
            else line


@dataclass(frozen=True)
class Ending:
    """How a call ended: exit code (negative: signal), or stopped."""
    code: int
    timed_out: bool
    seconds: float
    flooded: bool = False


def installed() -> Optional[str]:
    """The fio that is used when none is named; None where there is none."""
    program = shutil.which("fio", path=PATH) or shutil.which("fio")
    return os.path.abspath(program) if program else None


def find(asked: Optional[str]) -> str:
    """The fio program's path."""
    if asked:
        program = shutil.which(asked)
        if program:
            return os.path.abspath(program)
        raise system_error(f"--fio {asked}: there is no such program")
    found = installed()
    if found:
        return found
    raise system_error("fio is not installed; on Debian and Ubuntu: "
                       "apt install fio")


def _ask(program: str, *args: str,
         variables: Optional[Dict[str, str]] = None
         ) -> subprocess.CompletedProcess:
    """Run fio for an answer and not for I/O."""
    call = Call([program, *args], variables or {})
    try:
        return subprocess.run(
            call.argv, env=call.environment, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=20,
            check=False)
    except OSError as err:
        raise system_error(f"{program} cannot be run: {err.strerror}") from err
    except subprocess.TimeoutExpired as err:
        raise system_error(f"{' '.join(call.argv)} does not end") from err


def version(program: str) -> str:
    """fio's own version string, such as fio-3.33."""
    done = _ask(program, "--version")
    text = done.stdout.decode(errors="replace").strip()
    if done.returncode or not text.startswith("fio-"):
        raise system_error(f"{program} --version says {text[:80]!r}, which is "
                           "not fio")
    return text


def check_engine(program: str, engine: str) -> None:
    """Refuse an I/O engine that this fio does not have."""
    # --enghelp knows no "external:" before a path, the jobfile does; its exit
    # code is 1 for an engine without options, too.
    name = engine.removeprefix("external:")
    if b"not found" in _ask(program, f"--enghelp={name}").stdout:
        raise refuse(f"{program} has no I/O engine {engine!r}; "
                     f"{program} --enghelp lists them")


def queue_engine(ioengine: str) -> str:
    """An engine that keeps more than one I/O of a thread in flight.

    The one that was chosen, unless it waits for each I/O.
    """
    return "libaio" if ioengine in _WAITING else ioengine


def safeguards(destructive: bool) -> List[str]:
    """Arguments by which fio refuses to write, whatever the job says."""
    return [] if destructive else ["--readonly"]


def check_jobfile(program: str, path: Path, destructive: bool,
                  variables: Dict[str, str]) -> None:
    """Let fio parse the jobfile before anything is written."""
    done = _ask(program, *safeguards(destructive), "--parse-only", str(path),
                variables=variables)
    if done.returncode:
        said = done.stdout.decode(errors="replace").strip().splitlines()
        raise bad_input(f"{path}: fio does not take it: "
                        f"{said[0] if said else 'no reason given'}")


def fill_call(program: str, path: str, size: int, direct: int, device: bool,
              timeout_s: float) -> Call:
    """Write the target once with data that neither compress nor repeat."""
    argv = [program, "--name=fill", f"--filename={path}",
            f"--filesize={size}", "--rw=write", "--bs=1m", "--ioengine=psync",
            f"--direct={direct}", "--thread=1", "--refill_buffers=1",
            "--randrepeat=0", "--fallocate=none", "--end_fsync=1",
            "--output-format=json+"]
    if device:
        argv.append("--allow_file_create=0")
    return Call(argv, {}, timeout_s)


def die_with_parent(parent: int) -> Callable[[], None]:
    """For a child to call before it becomes a program."""
    def prepare() -> None:
        _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        # The parent may have died before the line above.
        if os.getppid() != parent:
            os.kill(os.getpid(), signal.SIGKILL)
    return prepare


def _signal_group(process: subprocess.Popen, number: int) -> None:
    try:
        os.killpg(process.pid, number)
    except ProcessLookupError:
        pass


def stop(process: subprocess.Popen) -> None:
    """End fio's process group: politely, then firmly, then for certain."""
    for number, grace in GRACE_SECONDS:
        _signal_group(process, number)
        try:
            process.wait(grace)
            break
        except subprocess.TimeoutExpired:
            continue
    # Also after a polite end: a forked job may have stayed.
    _signal_group(process, signal.SIGKILL)
    process.wait()


def _floods(log: BinaryIO) -> bool:
    return os.fstat(log.fileno()).st_size > MAX_PRINTED


def _wait(process: subprocess.Popen, timeout_s: float, log: BinaryIO,
          on_tick: Optional[Tick]) -> bool:
    """Wait for the end; False when time or room is up."""
    end = time.monotonic() + timeout_s
    while True:
        left = end - time.monotonic()
        if left <= 0 or _floods(log):
            return False
        try:
            process.wait(min(TICK_SECONDS, left))
            return True
        except subprocess.TimeoutExpired:
            if on_tick:
                on_tick(process.pid)


def cut(path: Path) -> None:
    """Shorten what fio printed to its head and tail, and say so in it."""
    size = path.stat().st_size
    away = size - KEPT_HEAD - KEPT_TAIL
    # What was cut before is a little longer, and is not cut again.
    if away <= _NOTE_ROOM:
        return
    with open(path, "r+b") as text:
        text.seek(-KEPT_TAIL, os.SEEK_END)
        tail = text.read(KEPT_TAIL)
        text.seek(KEPT_HEAD)
        text.write(f"\n[{away} bytes cut here]\n".encode() + tail)
        text.truncate()


def run(call: Call, log: Path, on_tick: Optional[Tick] = None) -> Ending:
    """Run fio to its end, its time limit or an interruption.

    Command, standard output and standard error go to log, cut if they are
    long.
    """
    try:
        ending = _run(call, log, on_tick)
        cut(log)
    except OSError as err:
        raise system_error(f"{err.filename or log}: {err.strerror}") from err
    return ending


def _run(call: Call, log: Path, on_tick: Optional[Tick]) -> Ending:
    """The call gets a session of its own: ^C reaches it only through stop().
    """
    started = time.monotonic()
    with open(log, "wb") as out:
        out.write(f"$ {call.shell()}\n".encode("utf-8", "surrogateescape"))
        out.flush()
        try:
            process = subprocess.Popen(
                call.argv, env=call.environment, stdin=subprocess.DEVNULL,
                stdout=out, stderr=out, start_new_session=True, cwd=call.cwd,
                preexec_fn=die_with_parent(os.getpid()))
        except OSError as err:
            raise system_error(
                f"{call.argv[0]} cannot be run: {err.strerror}") from err
        ended = False
        try:
            ended = _wait(process, call.timeout_s, out, on_tick)
        finally:
            if not ended:
                with undisturbed():
                    stop(process)
            _signal_group(process, signal.SIGKILL)
        flooded = _floods(out)
    return Ending(process.returncode, not ended and not flooded,
                  time.monotonic() - started, flooded)


class undisturbed:
    """Hold back a second ^C while fio is being stopped."""

    def __enter__(self) -> None:
        self.before = {number: signal.signal(number, signal.SIG_IGN)
                       for number in (signal.SIGINT, signal.SIGTERM,
                                      signal.SIGHUP)}

    def __exit__(self, *_: object) -> None:
        for number, handler in self.before.items():
            signal.signal(number, handler)


def written_bytes(pid: int) -> Optional[int]:
    """Bytes the process has sent to storage; None where /proc is silent."""
    try:
        text = Path(f"/proc/{pid}/io").read_text()
    except OSError:
        return None
    for line in text.splitlines():
        name, _, value = line.partition(":")
        if name == "write_bytes":
            return int(value)
    return None
