# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# devices: nvme
# timeout: 240
# What is in the commands: what the driver was given, and what the kernel's own NVMe
# target then asks of the drive behind it, which has a volatile cache.
. "$LAB_TREE/tests/lab/nvme_pt.sh"
disk=$(namespace LABNVME 2)
device=$(generic "$(loop_over "$disk")")
number=$(tr : , <"/sys/block/${disk#/dev/}/dev")
mount -t tracefs none $tracing
echo 1 >$tracing/events/block/block_rq_issue/enable

# And what gets to the drive: R or W; F before it a Flush, F behind it FUA; S synchronous.
traced() { # NAME DEVICE FIO-OPTION...
	sent "$@" --bs=4k --size=16k
	sed -nE "s/.* block_rq_issue: $number ([A-Z]+) .*/drive: \1/p" "$1.trace" | counted
}

for way in "$device" "$device --transport=ioctl"; do
	echo "--- $way" | anonymous
	# shellcheck disable=SC2086 # words are what is wanted
	set -- $way
	traced write "$@" --rw=write
	traced write-fua "$@" --rw=write --writefua=1 --readfua=0
	traced sync "$@" --rw=write --fsync=2
	traced read "$@" --rw=read
	traced read-all "$@" --rw=read --readfua=1 --writefua=0 --limited_retry=1 --dsm=0x27
done
