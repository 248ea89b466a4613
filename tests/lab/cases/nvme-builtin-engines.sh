# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# devices: nvme
# timeout: 180
# fio's own engines on a namespace: the ground on which new ones will stand.
device=$(namespace LABNVME 2)
char=$(generic "$device")
"$LAB_TREE/scripts/check-engine" io_uring --target "$device" \
	--destroy-data-on "$device" --only verify_4k,batches -- --direct=1 \
	>/tmp/check.log 2>&1 || fail "$(cat /tmp/check.log)"
cat /tmp/check.log

passthrough() { # NAME FIO-OPTION...
	local name=$1
	shift
	fio --name="$name" --filename="$char" --ioengine=io_uring_cmd \
		--cmd_type=nvme --allow_file_create=0 --size=8M --bs=4k \
		--iodepth=32 --output-format=json --output="/tmp/$name.json" \
		"$@" >/dev/null 2>"/tmp/$name.err" || fail "$name: $(cat "/tmp/$name.err")"
	python3 - "$name" <<'END'
import json
import sys
job = json.load(open(f"/tmp/{sys.argv[1]}.json"))["jobs"][0]
print(sys.argv[1], "error", job["error"], "read", job["read"]["io_bytes"],
      "written", job["write"]["io_bytes"])
END
}

passthrough write --rw=randwrite --verify=crc32c --do_verify=0 --randseed=7
passthrough read --rw=randwrite --verify=crc32c --verify_only=1 --randseed=7
passthrough fixed --rw=randread --fixedbufs=1 --registerfiles=1
# What passthrough wrote is what the block device reads.
fio --name=write --filename="$device" --ioengine=psync --direct=1 --rw=randwrite \
	--size=8M --bs=4k --verify=crc32c --verify_only=1 --randseed=7 \
	--allow_file_create=0 >/dev/null && echo "the block device reads the same"
