# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# devices: sata sata-null sata-large fis-trace
# timeout: 240
# What AHCI's disks are sent: QEMU's log of each FIS.
. "$LAB_TREE/tests/lab/sata_ncq.sh"
block=$(sata LABSATANULL)
node=$(sg_node "$block")
large=$(sata LABSATALARGE)
data=$(sata LABSATA)

# A job that must end well, and how often each command was sent, but for IDENTIFY
# DEVICE. The engine tries NCQ with a block of its own, LBA 0.
wire() { # NAME DEVICE FIO-OPTION...
	fis_begin
	good "$@"
	fis "$disk" | grep -v '^op=ec ' |
		sed -E 's/ (tag|count|feature|icc|aux)=\w+//g; s/ lba=[0-9]+//' | counted
}

# Each command, in the order of LBAs.
each() { # NAME DEVICE FIO-OPTION...
	fis_begin
	good "$@"
	fis "$disk" | grep -v '^op=ec ' | sed -E 's/ (tag|icc|aux)=\w+//g' |
		sed -E '/^op=6/s/ count=\w+//' | sort -t = -k 7n | sed 's/^/  /'
}

disk=$block job=(--bs=4k --size=128k --iodepth=16)
for way in "$node" "$block --transport=sync"; do
	echo "--- $way" | anonymous
	# shellcheck disable=SC2086 # words are what is wanted
	set -- $way
	wire read "$@" --rw=randread "${job[@]}"
	wire write "$@" --rw=randwrite "${job[@]}"
	wire fua "$@" --rw=randrw "${job[@]}" --readfua=1 --writefua=1 --randseed=1
	wire fua-reads "$@" --rw=rw "${job[@]}" --readfua=1 --randseed=1
	wire sync "$@" --rw=write "${job[@]}" --fsync=8
	wire dma "$@" --rw=randrw "${job[@]}" --ncq=0 --randseed=1
	wire dma-sync "$@" --rw=write "${job[@]}" --ncq=0 --fsync=16 --end_fsync=1
	wire scsi "$@" --rw=randrw "${job[@]}" --commands=scsi --fsync=8 --randseed=1
done

echo "--- tags"
fis_begin
good deep "$node" --rw=randread --bs=4k --size=4M --iodepth=32
fis "$disk" | sed -nE 's/^op=60 tag=([0-9]+) .*/\1/p' | sort -nu | wc -l

echo "--- blocks"
# How large a command may be differs between kernels.
fis_begin
good split "$node" --rw=write --bs=1M --size=2M --iodepth=2
fis "$disk" | sed -nE 's/^op=61 .* lba=([0-9]+) blocks=([0-9]+)$/\1 \2/p' | sort -n |
	awk '$1 != next_one { print "  a gap before", $1 } { next_one = $1 + $2 }
		END { print (NR > 2 ? "  more than" : "  only"), 2, "commands,", next_one, "blocks" }'
each most "$node" --rw=write --bs=512 --size=2k --offset=1023M --iodepth=4
disk=$large
each far "$large" --rw=read --bs=8k --size=16k --offset=5T
each far-dma "$large" --rw=write --bs=8k --size=16k --offset=5T --ncq=0

echo "--- trim"
disk=$data
each trim "$data" --rw=trim --bs=64k --size=256k --offset=64M --iodepth=4
each trim-dma "$data" --rw=trim --bs=64k --size=128k --offset=64M --ncq=0
