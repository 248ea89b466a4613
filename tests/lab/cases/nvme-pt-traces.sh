# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# devices: nvme
# What fio waits for while few commands stand for many I/Os, and traces.
. "$LAB_TREE/tests/lab/nvme_pt.sh"
device=$(generic "$(namespace LABNVME 2)")

good shared-trims "$device" --rw=randtrim --bs=4k --size=4M --iodepth=32 \
	--iodepth_batch=32 --iodepth_batch_complete_min=32 --trim_ranges=16

# A trace of reads of 16 KiB.
trace() { # COUNT
	echo "fio version 2 iolog"
	printf '%s add\n%s open\n' "$device" "$device"
	seq 0 16384 $(($1 * 16384 - 1)) | sed "s#.*#$device read & 16384#"
	echo "$device close"
}
trace 64 >trace.log
good replay "$device" --read_iolog=trace.log --iodepth=8 --bs=16k
# Room is made for what bs= says, or for what fio finds in the trace.
good replay-smaller "$device" --read_iolog=trace.log --iodepth=8 --bs=4k
