# SPDX-License-Identifier: GPL-2.0-only
"""fio's mirror of sysbench fileio: the same I/O on the same files."""
import re
from pathlib import Path
from typing import Any, Dict, List

from .. import verdict
from ..verdict import NoResult
from .histogram import Histogram, merge, percentile

Row = Dict[str, Any]
# Processes and not threads: 192 threads with 64 files each are more open
# files than one process may have.
_COMMON = ("--name=mirror", "--ioengine=psync", "--direct=1", "--bs=4k",
           "--norandommap=1", "--randrepeat=0", "--file_service_type=random",
           "--time_based=1", "--group_reporting=1", "--end_fsync=1",
           "--allow_file_create=0",
           # sysbench writes nothing but zeros.
           "--zero_buffers=1", "--lat_percentiles=1",
           "--output-format=json+")
_RW = {"rndrd": ("--rw=randread", "--readonly"), "rndwr": ("--rw=randwrite",),
       "rndrw": ("--rw=randrw", "--rwmixread=60")}


def command(program: str, mode: str, options: Row, output: Path) -> List[str]:
    """The call, to be made in the folder of the files."""
    files = ":".join(f"test_file.{one}" for one in range(options["files"]))
    return [program, *_COMMON, *_RW[mode], f"--filename={files}",
            f"--size={options['size']}", f"--numjobs={options['threads']}",
            f"--openfiles={options['files']}",
            f"--runtime={options['time']}s", f"--output={output}"]


def _bins(part: Row) -> Histogram:
    return {float(ns): count for ns, count
            in part["lat_ns"].get("bins", {}).items()
            if re.fullmatch(r"\d+", ns)}


def metrics(output: Path, seconds: float) -> Row:
    """The numbers of fio's document; NoResult if it measured nothing."""
    result = verdict.read_result(output, seconds)
    document = verdict.parse_document(
        output.read_text(encoding="utf-8", errors="replace"))
    try:
        jobs = document["jobs"]
        counts = merge(_bins(job[way]) for job in jobs
                       for way in ("read", "write"))
        reads, writes = (sum(job[way]["iops"] for job in jobs)
                         for way in ("read", "write"))
        return {"iops": result.iops, "read_iops": reads, "write_iops": writes,
                "mean_ns": result.mean_ns,
                "p99_ns": percentile(counts, 99),
                "p99_kind": "fio's histogram"}
    except (KeyError, TypeError, ValueError, AttributeError) as err:
        raise NoResult(f"fio's JSON lacks {err}") from None
