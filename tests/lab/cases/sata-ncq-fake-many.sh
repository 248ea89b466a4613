# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# timeout: 300
# Where errors are many or of others, still only I/Os with a bad block fail: each
# number of errors is that of the I/Os that read one.
. "$LAB_TREE/tests/lab/sata_ncq.sh"

on=(--rw=randread --bs=4k --continue_on_error=all "--ignore_error=5:61,5:61")

begin() { # DISK [OPTION...]
	fake_sata "$@" --ncq-abort >/dev/null
}

# Half of the blocks. What is sent by itself has the disk for itself until it is
# done: the latency leaves time for others.
echo "--- one at a time"
begin LABHALF --no-log --latency 5000 \
	--bad-lba 8,24,32,48,72,96,104,112,128,144,168,192,200,208,232,248
good alone "$(find_sata LABHALF)" "${on[@]}" --iodepth=8 --size=128k --loops=12

begin LABSOME --latency 300 --bad-lba 1000,1248,1496,1744,1992,2240,2488
begin LABNOLOG --latency 300 --no-log --bad-lba 1000,1248,1496,1744,1992,2240,2488
for disk in LABSOME LABNOLOG; do
	block=$(find_sata $disk)
	echo "--- translated commands"
	good scsi "$block" "${on[@]}" --iodepth=32 --size=2M --commands=scsi
	echo "--- several jobs, and files, on a disk"
	good jobs "$block" "${on[@]}" --iodepth=16 --size=2M --numjobs=4 --group_reporting
	good late "$block" "${on[@]}" --iodepth=16 --size=2M --numjobs=4 --group_reporting \
		--create_serialize=0
	good files "$block:$(sg_node "$block")" "${on[@]}" --iodepth=32 --size=4M
done
