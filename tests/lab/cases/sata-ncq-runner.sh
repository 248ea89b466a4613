# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# devices: sata fis-trace
# timeout: 240
# The runner measures with the engine sata_ncq: a profile that writes, on a disk that the
# runner has claimed for it, and the pair that compares NCQ on and off.
requires module:sg
[ -f "$LAB_SHARE/sata_ncq.so" ] || skip "sata_ncq.so was not built"
cp "$LAB_SHARE/sata_ncq.so" .
device=$(sata LABSATA)

# Without its path, as one names an engine of fio's own.
measure "$device" /tmp/refused --profiles sata && fail "a profile of sata_ncq ran without it"
cat /tmp/refused.log

measure "$device" /tmp/write --ioengine ./sata_ncq.so || fail "$(cat /tmp/write.log)"
inspect_run /tmp/write target.fill

fis_begin
measure "$device" /tmp/ncq --profiles sata --fill region --ioengine ./sata_ncq.so ||
	fail "$(cat /tmp/ncq.log)"
inspect_run /tmp/ncq target.fill
review /tmp/ncq

# The trace slows the disk, so that rates need not be reached. What the disk was
# sent must be what fio counted, or more: ramps are not counted.
fis "$device" >/tmp/fis
python3 - <<'END'
import json
from pathlib import Path
sent = [line.split()[0] for line in open("/tmp/fis")]
for name, op in (("ncq-on", "60"), ("ncq-off", "25")):
    counted = sum(json.loads(path.read_text())["jobs"][0]["read"]["total_ios"]
                  for path in Path("/tmp/ncq/sata", name).glob("*.json"))
    times = sent.count(f"op={op}")
    enough = 0 < counted <= times < 3 * counted + 1000
    print(f"{name}: {op}h " + ("as often as fio counted" if enough else
          f"{times} times, and fio counted {counted}"))
END
