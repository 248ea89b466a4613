# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# timeout: 200
# What is told of the queue and the link is what the disk saw.
. "$LAB_TREE/tests/lab/sata_ncq.sh"

watched() { # NAME DISK [FIO-OPTION...]
	local name=$1 disk=$2
	shift 2
	well "$name" "$(find_sata "$disk")" --rw=randread --bs=4k --io_size=2M --size=64M \
		--queue_stats=1 --status_json="$name" "$@"
	told "$name" >words || fail "$name: nothing is told of the queue"
	saw "$name" "$disk" queue
}

echo "--- depth, order, events of the link"
fake_sata LABFAKE --latency 1000 --crc-errors 10 --prio --priority-first >/dev/null
watched deep LABFAKE --iodepth=32
watched shallow LABFAKE --iodepth=4
watched one LABFAKE --iodepth=1
watched off LABFAKE --iodepth=32 --ncq=0
fake_sata LABNOLOG --no-log --latency 1000 >/dev/null
watched no-log LABNOLOG --iodepth=32

echo "--- blocks of 4096 bytes"
disk=$(fake_sata LAB4K --4kn)
good sizes "$disk" --rw=write --bs=64k --iodepth=16 --size=16M --verify=crc32c
refused small "$disk" --rw=randread --bs=512
refused odd "$disk" --rw=randread --bs=6k
