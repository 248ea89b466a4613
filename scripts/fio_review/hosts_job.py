# SPDX-License-Identifier: GPL-2.0-only
"""What fio's client is told: a job of its own for each host, in one call."""
import re
from pathlib import Path
from typing import Any, Dict, List

from . import fio, session
from .errors import system_error
from .hosts import Host
from .profile import Profile

Row = Dict[str, Any]
_VARIABLE = re.compile(r"\$\{(\w+)\}")
_NO_CREATING = re.compile(r"^[ \t]*allow_file_create[ \t]*=[ \t]*0[ \t]*$",
                          re.MULTILINE)
# fio removes a file that is shorter than filesize before it finds that it must
# not make one. With this it only opens what is there.
ONLY_OPEN = "allow_file_create=0\ncreate_on_open=1"


def point_job(profile: Profile, host: Host, options: Row, rate: str) -> str:
    """The jobfile with the values of one host.

    fio's client would take all of them from one environment, which has room
    for one target and one rate.
    """
    values = session.variables(profile, host, options, rate)
    text = _NO_CREATING.sub(ONLY_OPEN,
                            profile.path.read_text(encoding="utf-8"))
    return _VARIABLE.sub(lambda found: values.get(found[1], found[0]), text)


def fill_job(host: Host, options: Row) -> str:
    """Write the region once with data that neither compress nor repeat."""
    making = "create_on_open=1" if not host.existed else ONLY_OPEN
    return (f"[fill]\nfilename={host.fio_name}\nfilesize={options['size']}\n"
            f"{making}\nrw=write\nbs=1m\nioengine=psync\n"
            f"direct={options['direct_used']}\nthread=1\nrefill_buffers=1\n"
            "randrepeat=0\nfallocate=none\nend_fsync=1\n")


def write(path: Path, text: str) -> Path:
    """Keep a job where it is sent from."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    except OSError as err:
        raise system_error(f"{path} cannot be written: "
                           f"{err.strerror}") from err
    return path


def call(program: str, jobs: Dict[Host, Path], destructive: bool, part: Path,
         timeout_s: float) -> fio.Call:
    """One call for all hosts: fio lets them begin together."""
    argv: List[str] = [program, "--output-format=json+", f"--output={part}"]
    for host, job in jobs.items():
        # Before --client they would bind the client alone.
        argv += [f"--client={host.client}", *fio.safeguards(destructive),
                 str(job)]
    return fio.Call(argv, {}, timeout_s)
