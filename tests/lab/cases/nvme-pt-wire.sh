# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# devices: nvme
# timeout: 240
# What is in the commands: what the driver was given, and what the kernel's own NVMe
# target then asks of the drive behind it, which has a volatile cache.
. "$LAB_TREE/tests/lab/nvme_pt.sh"
disk=$(namespace LABNVME 2)
loop=$(loop_over "$disk")
events=/sys/kernel/tracing/events
mount -t tracefs none /sys/kernel/tracing
[ -e $events/nvme/nvme_setup_cmd ] || skip "this kernel does not trace NVMe commands"

number=$(tr : , <"/sys/block/${disk#/dev/}/dev")
# A namespace that may have more paths is named after the path.
path=$(sed -E 's#/dev/(nvme[0-9]+)(n[0-9]+)#\1c?[0-9]*\2#' <<<"$loop")

count() {
	sort | uniq -c | sed -E 's/^ +([0-9]+) /  \1x /'
}

# A job of four I/Os. Of the command: opcode, dword 12's upper half (8000h Limited Retry,
# 4000h FUA), the lower byte of dword 13. Of what gets to the drive: R or W; F before it
# a Flush, F behind it FUA; S synchronous.
traced() { # NAME DEVICE FIO-OPTION...
	echo >$events/../trace
	echo 1 >$events/nvme/nvme_setup_cmd/enable
	echo 1 >$events/block/block_rq_issue/enable
	good "$@" --bs=4k --size=16k
	echo 0 >$events/enable
	cp $events/../trace "$1.trace"
	sed -nE "s/.* disk=$path, .* cmd=\((nvme_cmd_[a-z]+) .*(ctrl=\w+, dsmgmt=\w+).*/\1 \2/p" \
		"$1.trace" | count
	sed -nE "s/.* block_rq_issue: $number ([A-Z]+) .*/drive: \1/p" "$1.trace" | count
}

for way in "$(generic "$loop")" "$(generic "$loop") --transport=ioctl"; do
	echo "--- $way" | anonymous
	# shellcheck disable=SC2086 # words are what is wanted
	set -- $way
	traced write "$@" --rw=write
	traced write-fua "$@" --rw=write --writefua=1 --readfua=0
	traced sync "$@" --rw=write --fsync=2
	traced read "$@" --rw=read
	traced read-all "$@" --rw=read --readfua=1 --writefua=0 --limited_retry=1 --dsm=0x27
done
