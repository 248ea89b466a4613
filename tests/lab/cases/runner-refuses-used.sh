# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# devices: nvme
# A namespace that anything uses is not written, whatever the user consents to.
device=$(namespace LABNVME 1)
name=${device#/dev/}
requires mkfs.ext4 sfdisk mkswap blkid dmsetup mdadm module:dm-mod module:raid0

written() { # sectors since the boot
	awk '{ print $7 }' "/sys/block/$name/stat"
}

# Refused with a reason that holds the words, and not a byte is written.
refused() { # WHAT WORDS
	local before after code=0
	sync
	before=$(written)
	measure "$device" /tmp/run || code=$?
	after=$(written)
	grep -qF -e "$2" /tmp/run.log || fail "$1: $(cat /tmp/run.log)"
	[ "$code" -eq 2 ] || fail "$1: status $code"
	[ ! -e /tmp/run ] || fail "$1: a run directory was made"
	[ "$before" = "$after" ] || fail "$1: something was written"
	echo "$1: refused"
}

mkdir /tmp/mnt
mkfs.ext4 -q -F "$device"
mount -o ro "$device" /tmp/mnt
refused "mounted" "$device is mounted at /tmp/mnt"
umount /tmp/mnt

wipefs -qa "$device"
echo 'start=2048, size=100000' | sfdisk -q "$device"
wait_for 10 test -b "${device}p1" || fail "no partition appears"
mkfs.ext4 -q -F "${device}p1"
mount -o ro "${device}p1" /tmp/mnt
refused "mounted partition" "${name}p1, which shares its space, is mounted at /tmp/mnt"
umount /tmp/mnt

mkswap -f "${device}p1" >/dev/null 2>&1
swapon "${device}p1"
refused "swap partition" "is used as swap space"
swapoff "${device}p1"
wipefs -qa "${device}p1"

dmsetup create --noudevsync lab --table "0 65536 linear ${device}p1 0"
refused "device mapper" "is held by dm-"
dmsetup remove --noudevsync lab
wipefs -a "$device" >/dev/null 2>&1
blockdev --rereadpt "$device"

mdadm --quiet --create /dev/md/lab --run --level=0 --raid-devices=1 --force \
	--metadata=1.2 "$device" >/tmp/mdadm.log 2>&1 </dev/null ||
	fail "mdadm: $(cat /tmp/mdadm.log)"
refused "md, running" "is held by md"
mdadm --quiet --stop /dev/md/lab
refused "md, stopped" "is a member of an md array"
mdadm --quiet --zero-superblock "$device"

measure "$device" /tmp/free --fill none --points 100 || fail "$(cat /tmp/free.log)"
echo "unused: measured"
