# SPDX-License-Identifier: GPL-2.0-only
"""fis.py LOG PORT [OFFSET]: ATA commands in QEMU's log, a line each.

The log has host-to-device register FISes (Serial ATA 3.x 10.5.5) of each port,
as the trace event handle_cmd_fis_dump writes them.
"""
import re
import sys

FPDMA = {0x60, 0x61, 0x63, 0x64, 0x65}
BLOCKS_IN_COUNT = {0x24, 0x25, 0x34, 0x35, 0x3D, 0x42}


def fises(lines, port):
    """The bytes of each FIS that the port got."""
    head = re.compile(rf"handle_cmd_fis_dump .*\[{port}\]: FIS:")
    row = re.compile(r"0x[0-9a-f]+: ((?:[0-9a-f]{2} ?)+)")
    fis = None
    for line in lines:
        if match := row.match(line):
            if fis is not None:
                fis += bytes.fromhex(match[1])
            continue
        if fis:
            yield fis
        fis = b"" if head.match(line) else None
    if fis:
        yield fis


def describe(fis):
    """As a line of fake_sata's trace, as far as a FIS has it."""
    feature = fis[3] | fis[11] << 8
    count = fis[12] | fis[13] << 8
    lba = int.from_bytes(fis[4:7] + fis[8:11], "little")
    queued = fis[2] in FPDMA
    fields = {
        "op": f"{fis[2]:02x}",
        "tag": count >> 3 & 31 if queued else 0,
        "prio": count >> 14 if queued else 0,
        "fua": int(fis[2] == 0x3D or fis[2] in (0x60, 0x61) and fis[7] >> 7),
        "icc": f"{fis[14]:02x}",
        "aux": f"{int.from_bytes(fis[16:20], 'little'):08x}",
        "feature": f"{feature:04x}",
        "count": f"{count:04x}",
        "device": f"{fis[7]:02x}",
        "lba": lba,
    }
    if fis[2] in (0x60, 0x61):
        fields["blocks"] = feature or 65536
    elif fis[2] in BLOCKS_IN_COUNT:
        fields["blocks"] = count or 65536
    else:
        fields["blocks"] = 0
    return " ".join(f"{name}={value}" for name, value in fields.items())


def main(path, port, offset="0"):
    with open(path, "rb") as log:
        log.seek(int(offset))
        lines = log.read().decode(errors="replace").splitlines()
    for fis in fises(lines, int(port)):
        # 27h with bit C: a command, not a change of the control register.
        if len(fis) >= 20 and fis[0] == 0x27 and fis[1] & 0x80:
            print(describe(fis))


if __name__ == "__main__":
    main(*sys.argv[1:])
