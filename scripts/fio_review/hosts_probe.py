# SPDX-License-Identifier: GPL-2.0-only
"""Looking at a host through its fio server, by reading a block at most."""
import errno
import os
import re
import socket
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Callable, Dict, List, Optional

from . import fio, hosts_job, verdict
from .errors import ReviewError, refuse, system_error
from .hosts import Host

_CONNECT_SECONDS, _ANSWER_SECONDS = 3.0, 20.0
_BLOCK = 4096
_SAYS = re.compile(r"^hostname=(.*), be=\d+, (\d+-bit), os=([^,]*), "
                   r"arch=([^,]*), fio=([^,]*), flags=", re.MULTILINE)


@dataclass(frozen=True)
class Answer:
    """What reading one block came to: fio's errno, and whether it read."""
    error: int
    ios: int
    said: List[str]
    # Host name, fio's version and so on, as the server tells them.
    about: Optional[Dict[str, str]]

    @property
    def why(self) -> str:
        """The error for a reader."""
        if self.error:
            return os.strerror(self.error)
        return self.said[0] if self.said else "no reason given"


def unreachable(host: Host) -> Optional[str]:
    """Why nothing can be connected to; None if something can."""
    try:
        with socket.create_connection((host.address, host.port),
                                      _CONNECT_SECONDS):
            return None
    except OSError as err:
        why = err.strerror or str(err)
        return f"no fio server answers at {host.place} ({why})"


def _job(names: str, count: int, more: str) -> str:
    return (f"[probe]\nfilename={names}\n{hosts_job.ONLY_OPEN}\nrw=read\n"
            f"bs={_BLOCK}\nsize={_BLOCK * count}\nnumber_ios={count}\n"
            f"thread=1\n{more}")


def _look_job(path: str) -> str:
    """Opens a path, after a file that is there in any case.

    fio makes the directories of a job's first file where they are missing,
    even where it must not make the file, but not those of the others.
    """
    name = path.replace(":", "\\:")
    return _job(f"/dev/zero:{name}", 2,
                f"nrfiles=2\nfilesize={_BLOCK}\nioengine=psync\n"
                "file_service_type=sequential\n")


def _end_job(host: Host, options: Dict[str, Any], size: Optional[int]) -> str:
    """Reads the last block of the region as a point would read it."""
    return _job(host.fio_name, 1,
                f"offset={size - _BLOCK if size else 0}\n"
                f"ioengine={options['ioengine']}\n"
                f"direct={options['direct_used']}\n")


def _about(text: str) -> Optional[Dict[str, str]]:
    found = _SAYS.search(text)
    return {key: verdict.readable(found[number][:100]) for key, number in (
        ("hostname", 1), ("os", 3), ("arch", 4), ("fio", 5))} if found \
        else None


def _understand(host: Host, text: str) -> Answer:
    said = verdict.telling(text.splitlines())
    try:
        entries = verdict.parse_document(text).get("client_stats") or []
        error = sum(int(one["error"]) for one in entries[:1])
        ios = sum(int(one["read"]["total_ios"]) for one in entries[:1])
    except (verdict.NoResult, AttributeError, KeyError, TypeError,
            ValueError):
        why = f": {said[0]}" if said else ""
        raise system_error(f"{host.name}: the fio server at {host.place} "
                           f"gives no result{why}") from None
    return Answer(error, ios, said, _about(text))


def ask(program: str, host: Host, text: str) -> Answer:
    """Let the host's fio do a job that only reads."""
    with tempfile.NamedTemporaryFile("w", suffix=".fio",
                                     encoding="utf-8") as job:
        job.write(text)
        job.flush()
        call = fio.Call([program, "--output-format=normal,json",
                         f"--client={host.client}", "--readonly", job.name])
        try:
            done = subprocess.run(
                call.argv, env=call.environment, stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                timeout=_ANSWER_SECONDS, check=False)
        except OSError as err:
            raise system_error(f"{program} cannot be run: {err.strerror}"
                               ) from err
        except subprocess.TimeoutExpired:
            raise system_error(
                f"{host.name}: the fio server at {host.place} took the "
                f"connection and does not answer within "
                f"{_ANSWER_SECONDS:.0f} s") from None
    return _understand(host, done.stdout.decode(errors="replace"))


def _check_new(program: str, host: Host) -> None:
    """Refuse a file that could not be made, or should not be."""
    if host.target.startswith("/dev/"):
        raise refuse(f"{host.name}: there is no device {host.target}, and a "
                     "file is not made in /dev")
    place = os.path.dirname(host.target)
    answer = ask(program, host, _look_job(place))
    if answer.error == errno.ENOENT:
        raise refuse(f"{host.name}: there is no directory {place}")
    # What may not be listed may still be entered.
    if answer.error not in (errno.EISDIR, errno.EACCES):
        raise refuse(f"{host.name}: {place} is no directory ({answer.why})")


@dataclass(frozen=True)
class Found:
    """A host's target as it stands there."""
    exists: bool
    about: Optional[Dict[str, str]]


def look(program: str, host: Host, options: Dict[str, Any],
         size: Optional[int], whole: bool = True) -> Found:
    """Is the target there and, if whole, readable to the end of the region?
    """
    why = unreachable(host)
    if why:
        raise system_error(f"{host.name}: {why}; start one there: "
                           f"fio --server={host.client}")
    answer = ask(program, host, _look_job(host.target))
    if answer.error == errno.ENOENT:
        _check_new(program, host)
        return Found(False, answer.about)
    if not whole:
        return Found(True, answer.about)
    answer = ask(program, host, _end_job(host, options, size))
    if answer.error == errno.EINVAL and options["direct_used"]:
        raise system_error(f"{host.full_name} does not take O_DIRECT; "
                           "--direct 0 measures through the page cache")
    if answer.error == errno.EIO and size or not answer.error \
            and not answer.ios and not answer.said:
        raise refuse(f"{host.full_name} can't be read at the end of the "
                     f"region of {size} bytes: it is smaller, or no regular "
                     "file and no block device")
    if answer.error or not answer.ios:
        raise refuse(f"{host.full_name} can't be read: {answer.why}")
    return Found(True, answer.about)


def for_each(hosts: List[Host], what: Callable[[Host], Any]
             ) -> Dict[str, Any]:
    """The same question to all hosts at once; the first error ends it."""
    with ThreadPoolExecutor(max_workers=min(16, len(hosts))) as pool:
        return dict(zip((one.name for one in hosts), pool.map(what, hosts)))


def silent(program: str, host: Host) -> Optional[str]:
    """Why the host is to be left out from now on; None if it answers."""
    why = unreachable(host)
    if why:
        return why
    try:
        ask(program, host, _look_job("/"))
    except ReviewError as err:
        return str(err).partition(": ")[2]
    return None
