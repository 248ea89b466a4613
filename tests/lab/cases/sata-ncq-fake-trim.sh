# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# timeout: 200
# Trims as the drive gets them, by both commands, and what is then read.
. "$LAB_TREE/tests/lab/sata_ncq.sh"

disk=$(fake_sata LABTRIM --send-receive --size 256)
plain=$(fake_sata LABPLAIN --size 256)
job=(--rw=trim --bs=64k --size=2M --iodepth=8)

echo "--- one by one"
for mode in queued dsm auto; do
	well "$mode" "$disk" "${job[@]}" --trim_mode="$mode"
	saw "$mode" LABTRIM trims
done
well scsi "$disk" "${job[@]}" --commands=scsi
saw scsi LABTRIM trims
well no-ncq "$disk" "${job[@]}" --ncq=0
saw no-ncq LABTRIM trims
well plain "$plain" "${job[@]}"
saw plain LABPLAIN trims
refused plain-queued "$plain" "${job[@]}" --trim_mode=queued

# The trim is refused, and NCQ is not lost.
echo "--- no ATA PASS-THROUGH(32)"
short=$(fake_sata LABSHORT --send-receive --refuse-32)
for lost in fail continue; do
	bad "$lost" "$short" --rw=trim --bs=64k --size=2M --trim_mode=queued --ncq_lost=$lost
	told "$lost"
done

echo "--- large"
for size in 32M 64M 128M; do
	well "$size" "$disk" --rw=trim --bs="$size" --size=256M --iodepth=2 --trim_mode=queued
	saw "$size" LABTRIM trims
done

echo "--- zeros, and nothing else"
queued=(--iodepth=4 --trim_mode=queued)
good fill "$disk" --rw=write --bs=1M --size=64M --iodepth=4 --verify=crc32c
good hole "$disk" --rw=trim --bs=1M --offset=16M --size=16M "${queued[@]}"
good zero "$disk" --rw=read --bs=1M --offset=16M --size=16M --verify=pattern --verify_pattern=0
good before "$disk" --rw=read --bs=1M --size=16M --verify=crc32c
good after "$disk" --rw=read --bs=1M --offset=32M --size=32M --verify=crc32c
good mixed "$disk" --rw=randtrimwrite --bs=64k --size=16M --iodepth=16 --trim_mode=queued
