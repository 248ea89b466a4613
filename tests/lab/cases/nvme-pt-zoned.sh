# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# devices: nvme-zoned
# Zones: written in order, reset, appended to at depth; writes elsewhere fail.
. "$LAB_TREE/tests/lab/nvme_pt.sh"
block=$(namespace LABZONED 1)
char=$(generic "$block")

# Zones with data, and how much that is.
zones() {
	local count=0 sectors=0 pointer
	for pointer in $(blkzone report "$block" | sed -nE 's/.*wptr (0x[0-9a-f]+).*/\1/p'); do
		[ $((pointer)) -eq 0 ] || ((count += 1, sectors += pointer))
	done
	echo "$count zones, $((sectors / 2)) KiB"
}

# By ioctl writes have no order, so that the engine sends one at a time.
for way in "$char --iodepth=8" "$char --transport=ioctl --iodepth=8" \
	"$block --direct=1"; do
	echo "--- $way" | anonymous
	blkzone reset "$block"
	# shellcheck disable=SC2086 # words are what is wanted
	set -- $way
	good write "$@" --zonemode=zbd --rw=write --bs=64k --size=12M \
		--verify=crc32c
	zones
	good random "$@" --zonemode=zbd --rw=randwrite --bs=16k --size=8M \
		--verify=crc32c --max_open_zones=2
done

echo "--- trim"
good trim "$char" --zonemode=zbd --rw=trim --bs=4M --size=8M
zones

echo "--- append"
blkzone reset "$block"
good append "$char" --zonemode=zbd --rw=write --write_mode=append --bs=16k --size=8M \
	--iodepth=16 --status_json=append
statuses append
zones
blkzone reset "$block"
good appenders "$char" --zonemode=zbd --rw=randwrite --write_mode=append --bs=16k \
	--size=16M --io_size=2M --iodepth=8 --numjobs=4 --max_open_zones=4
blkzone reset "$block"
good append-verify "$char" --zonemode=zbd --rw=write --write_mode=append --bs=16k \
	--size=4M --iodepth=1 --verify=crc32c
refused append-deep "$char" --zonemode=zbd --rw=write --write_mode=append --bs=16k \
	--size=4M --iodepth=4 --verify=crc32c

echo "--- beyond the write pointer"
blkzone reset "$block"
bad beyond "$char" --rw=write --offset=64k --bs=16k --size=16k
told beyond
good beginning "$char" --rw=write --bs=16k --size=16k
bad again "$char" --rw=write --bs=16k --size=16k
told again
