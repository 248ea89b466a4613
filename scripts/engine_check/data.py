# SPDX-License-Identifier: GPL-2.0-only
"""Cases about data: what was written is what is read, all of it."""
import errno
import os
import sys
from typing import Dict

from .bench import MIB, Bench
from .fio import Failed, Result, Skipped

NO_TRIM = {errno.EOPNOTSUPP, errno.ENOTTY, errno.EINVAL, errno.ENOSYS}
MAGIC = 0xACCA.to_bytes(2, sys.byteorder)
VERIFY: Dict[str, object] = {"verify": "crc32c", "verify_fatal": True}


def check_counts(result: Result, count: int, size: int) -> None:
    """Each block written once and read back once."""
    for direction in ("write", "read"):
        done = result.total(direction, "total_ios")
        moved = result.total(direction, "io_bytes")
        if done != count or moved != size:
            raise Failed(f"{done} of {count} {direction}s and {moved} of "
                         f"{size} bytes were done, and no error was told")


def check_content(bench: Bench, bs: int, count: int, start: int = 0) -> None:
    """fio's header begins each block, at its place, as others see it.

    An engine that is wrong in the same way both times deceives fio, and of a
    fake engine (FIO_FAKEIO) fio verifies nothing.
    """
    data = bench.content(start + count * bs)
    for number in range(count):
        at = start + number * bs
        if data[at:at + 2] != MAGIC:
            raise Failed(f"what was written to offset {at} is not there, "
                         "although it can be read back through the engine")


def write_and_verify(bench: Bench, bs: int, size: int,
                     **options: object) -> None:
    """Write size bytes once and read them back."""
    size -= size % bs
    bench.clear(size)
    result = bench.run(**{"rw": "write", "bs": bs, "size": size, **VERIFY,
                          **options})
    check_counts(result.check_good(), size // bs, size)
    check_content(bench, bs, size // bs)


def _sizes(bench: Bench, bs: int, size: int, depths) -> None:
    for depth in depths:
        write_and_verify(bench, bs, size, iodepth=depth)


def verify_512(bench: Bench) -> None:
    """512-byte blocks, iodepth 1 to 256"""
    if bench.block > 512:
        raise Skipped(f"the target's blocks have {bench.block} bytes")
    _sizes(bench, 512, MIB, (1, 4, 32, 256))


def verify_4k(bench: Bench) -> None:
    """4 KiB blocks, iodepth 1 to 256"""
    _sizes(bench, 4096, 4 * MIB, (1, 4, 32, 256))


def verify_64k(bench: Bench) -> None:
    """64 KiB blocks, iodepth 1 to 256"""
    _sizes(bench, 65536, 16 * MIB, (1, 32, 256))


def verify_1m(bench: Bench) -> None:
    """1 MiB blocks, iodepth 1 to 32"""
    _sizes(bench, MIB, 32 * MIB, (1, 32))


def verify_random(bench: Bench) -> None:
    """random order, each block once"""
    write_and_verify(bench, 4096, 8 * MIB, rw="randwrite", iodepth=64)


def verify_direct(bench: Bench) -> None:
    """O_DIRECT"""
    try:
        bench.clear(MIB)
        os.close(os.open(bench.target, os.O_RDWR | os.O_DIRECT))
    except OSError as err:
        raise Skipped(f"no O_DIRECT on the target ({err.strerror})") from err
    write_and_verify(bench, 4096, 4 * MIB, direct=True, iodepth=32)


def batches(bench: Bench) -> None:
    """submission and completion in batches of every kind"""
    for options in (
            {"iodepth_batch": 8},
            {"iodepth_batch": 32, "iodepth_batch_complete_min": 32},
            {"iodepth_batch": 7, "iodepth_batch_complete_min": 1,
             "iodepth_batch_complete_max": 5},
            {"iodepth_batch": 16, "iodepth_low": 4},
            {"iodepth_batch_complete_min": 0}):
        write_and_verify(bench, 4096, 4 * MIB, iodepth=32, rw="randwrite",
                         **options)


def mixed(bench: Bench) -> None:
    """reads and writes mixed, writes read back afterwards"""
    bench.clear(8 * MIB)
    result = bench.run(rw="randrw", bs=4096, size=8 * MIB, iodepth=32,
                       **VERIFY).check_good()
    written = result.total("write", "total_ios")
    done = result.total("read", "total_ios")
    # What is not written is read, and what was written is read back.
    if not written or done != 8 * MIB // 4096:
        raise Failed(f"{written} writes, {done} reads of 2048 blocks")


def block_mix(bench: Bench) -> None:
    """blocks of 512 bytes (or the target's) to 64 KiB in one job"""
    bench.clear(8 * MIB)
    result = bench.run(rw="randwrite", bs_unaligned=False, size=8 * MIB,
                       bsrange=f"{max(512, bench.block)}-65536", iodepth=16,
                       **VERIFY).check_good()
    for key in ("total_ios", "io_bytes"):
        if result.total("write", key) != result.total("read", key):
            raise Failed(f"write and read differ in {key}")


def syncs(bench: Bench) -> None:
    """fsync, fdatasync and end_fsync"""
    # fio 3.33 counts no fdatasync, but adds them to the short reads.
    for option in ("fsync", "fdatasync", "end_fsync"):
        bench.clear(MIB)
        result = bench.run(rw="write", bs=4096, size=MIB, iodepth=16,
                           **{option: 1 if option == "end_fsync" else 8},
                           **VERIFY).check_good(option != "fdatasync")
        check_counts(result, 256, MIB)
        done = result.total("sync", "total_ios")
        if option == "fsync" and done < 31:
            raise Failed(f"fsync=8 made {done} syncs of 256 writes")


def trim(bench: Bench) -> None:
    """trim, and zeros where it was (files)"""
    write_and_verify(bench, 65536, 4 * MIB)
    result = bench.run(rw="trim", bs=65536, size=4 * MIB,
                       iodepth=8).check_alive()
    if set(result.errors) & NO_TRIM:
        raise Skipped("engine or target has no trim: "
                      + os.strerror(result.errors[0]))
    result.check_good()
    if result.total("trim", "total_ios") != 64:
        raise Failed(f"{result.total('trim', 'total_ios')} of 64 trims done")
    if bench.is_file and any(bench.target.read_bytes()[:4 * MIB]):
        raise Failed("64 trims succeed, but the data are still there")


def _right_or_refused(bench: Bench, size: int, **options: object) -> None:
    bench.clear(size + MIB)
    result = bench.run(size=size, rw="write", iodepth=16, **VERIFY,
                       **options).check_alive()
    if result.code:
        return
    result.check_good()
    bs = int(str(options["bs"]))
    check_counts(result, size // bs, size // bs * bs)
    check_content(bench, bs, size // bs, int(str(options.get("offset", 0))))


def unaligned(bench: Bench) -> None:
    """odd sizes and offsets: right, or refused with an error"""
    for direct in (False, True):
        _right_or_refused(bench, 1000 * 1000, bs=1000, direct=direct)
        _right_or_refused(bench, MIB, bs=4096, offset=513, direct=direct)
        _right_or_refused(bench, 513 * 1000, bs=513, direct=direct)


def odd_end(bench: Bench) -> None:
    """a file whose size is no multiple of the block"""
    if not bench.is_file:
        raise Skipped("the target is no file")
    bench.clear(MIB + 1000)
    result = bench.run(rw="read", bs=65536, iodepth=8).check_good()
    if result.total("read", "io_bytes") not in (MIB, MIB + 1000):
        raise Failed(f"{result.total('read', 'io_bytes')} bytes of a file "
                     f"of {MIB + 1000} were read")


def _many(bench: Bench, thread: bool) -> None:
    bench.clear(8 * MIB)
    result = bench.run(rw="randwrite", bs=4096, size=MIB, numjobs=8,
                       offset_increment=MIB, iodepth=16, thread=thread,
                       **VERIFY).check_good()
    check_counts(result, 2048, 8 * MIB)
    check_content(bench, 4096, 2048)


def threads(bench: Bench) -> None:
    """8 jobs as threads"""
    _many(bench, True)


def processes(bench: Bench) -> None:
    """8 jobs as processes"""
    _many(bench, False)


CASES = [verify_512, verify_4k, verify_64k, verify_1m, verify_random,
         verify_direct, batches, mixed, block_mix, syncs, trim, unaligned,
         odd_end, threads, processes]
