# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# devices: nvme
# What the engine does not write to, and what is no namespace.
. "$LAB_TREE/tests/lab/nvme_pt.sh"
requires mkfs.ext4 sfdisk mkswap dmsetup module:dm-mod
block=$(namespace LABNVME 1)
device=$(generic "$block")
controller=/dev/$(basename "$(readlink -f "/sys/block/${block#/dev/}/device")")
job=(--rw=write --bs=4k --size=1M)

both() { # NAME: through both nodes
	refused "$1" "$device" "${job[@]}"
	refused "$1-block" "$block" "${job[@]}"
	good "$1-read" "$device" --rw=read --bs=4k --size=1M
}

mkdir mnt
mkfs.ext4 -q -F "$block"
mount "$block" mnt
refused mounted "$device" "${job[@]}"
refused trim "$device" --rw=trim --bs=4k --size=1M
# Of this node fio knows it itself, and ends with status 0.
run_job mounted-block "$block" "${job[@]}"
came_to mounted-block
said mounted-block | anonymous
good read "$device" --rw=read --bs=4k --size=1M
umount mnt
wipefs -qa "$block"

echo 'start=2048, size=100000' | sfdisk -q "$block"
wait_for 10 test -b "${block}p1" || fail "no partition appears"
both partitioned
refused partition "${block}p1" --rw=read --bs=4k --size=1M
mkswap -f "${block}p1" >/dev/null 2>&1
swapon "${block}p1"
both swap-partition
swapoff "${block}p1"
wipefs -qaf "$block"
blockdev --rereadpt "$block"

mkswap -f "$block" >/dev/null 2>&1
swapon "$block"
both swap
swapoff "$block"
dmsetup create --noudevsync lab --table "0 65536 linear $block 0"
both held
dmsetup remove --noudevsync lab
wipefs -qa "$block"
good unused "$device" "${job[@]}"

echo "--- no namespace"
touch file
refused controller "$controller" --rw=read --bs=4k --size=1M
refused file file --rw=read --bs=4k --size=1M
refused null /dev/null --rw=read --bs=4k --size=1M
refused missing /dev/ng9n9 "${job[@]}"
[ ! -e /dev/ng9n9 ] || fail "a file was made in /dev"
refused ring-of-block "$block" --rw=read --bs=4k --size=1M --transport=io_uring
