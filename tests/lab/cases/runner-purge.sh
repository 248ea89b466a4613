# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# devices: nvme sata
# timeout: 300
# A namespace is formatted, and one is discarded, before a run; the other one of
# the drive keeps its data. A SATA drive that cannot be erased is refused.
requires nvme blkdiscard hdparm od
device=$(namespace LABNVME 1)
other=$(namespace LABNVME 2)
write_x() { # DEVICE MIB
	head -c 1M /dev/zero | tr '\0' x |
		dd of="$1" bs=1M seek="$2" iflag=fullblock oflag=direct status=none
}
write_x "$other" 0
for kind in nvme-format blkdiscard; do
	write_x "$device" 128
	od -A n -c -j 128M -N 4096 "$device" | sort -u
	measure "$device" "/tmp/$kind" --purge "$kind" --fill none || {
		cat "/tmp/$kind.log" /tmp/$kind/purge-*.log
		fail "the runner failed"
	}
	grep -o "^purged .* by $kind" "/tmp/$kind.log" | sed "s#/dev/[a-z0-9]*#DEVICE#"
	# Beyond the region nothing has been written since.
	od -A n -t x1 -j 128M -N 4096 "$device" | sort -u
done
od -A n -c -N 1048576 "$other" | sort -u
disk=$(sata LABSATA)
measure "$disk" /tmp/sata --purge ata-secure-erase &&
	fail "a drive without the security feature set was accepted"
sed "s#/dev/[a-z0-9]*#DEVICE#" /tmp/sata.log
