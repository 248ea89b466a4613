# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# devices: sata
# expect-log: NCQ \(depth 32\)
# The SATA disk queues natively: what engines that know NCQ are tried on.
device=$(sata LABSATA)
echo "queue depth $(<"/sys/block/${device#/dev/}/device/queue_depth")"
generic=$(ls "/sys/block/${device#/dev/}/device/scsi_generic")
[ -c "/dev/$generic" ] && echo "sg node"
fio --name=ncq --filename="$device" --direct=1 --ioengine=libaio --rw=randread \
	--bs=4k --iodepth=32 --runtime=2 --time_based --allow_file_create=0 \
	--output-format=json --output=/tmp/ncq.json >/dev/null
python3 - <<'END'
import json
job = json.load(open("/tmp/ncq.json"))["jobs"][0]
deep = job["iodepth_level"]["32"]
print("32 at once" if deep > 90 else f"only {deep} % with 32 at once")
print("error", job["error"])
END
