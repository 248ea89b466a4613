# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# devices: sata sata-error nvme
# What the engine does not write to, what is no SATA disk, and what the drive has not.
. "$LAB_TREE/tests/lab/sata_ncq.sh"
requires mkfs.ext4 sfdisk mkswap mdadm dmsetup module:dm-mod module:raid1
block=$(sata LABSATA)
other=$(sata LABSATAERR)
node=$(sg_node "$block")
job=(--rw=write --bs=4k --size=1M)
reading=(--rw=read --bs=4k --size=1M)

both() { # NAME: through both nodes
	refused "$1" "$node" "${job[@]}"
	refused "$1-block" "$block" "${job[@]}"
	good "$1-read" "$node" "${reading[@]}"
}

mkdir mnt
mkfs.ext4 -q -F "$block"
mount "$block" mnt
refused mounted "$node" "${job[@]}"
refused trim "$node" --rw=trim --bs=4k --size=1M
# Of this node fio knows it itself, and ends with status 0.
run_job mounted-block "$block" "${job[@]}"
came_to mounted-block
said mounted-block | anonymous
good read "$node" "${reading[@]}"
umount mnt
wipefs -qa "$block"

echo 'start=2048, size=100000' | sfdisk -q "$block"
wait_for 10 test -b "${block}1" || fail "no partition appears"
both partitioned
refused partition "${block}1" "${reading[@]}"
mkswap -f "${block}1" >/dev/null 2>&1
swapon "${block}1"
both swap-partition
swapoff "${block}1"
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
mdadm --create /dev/md7 --run --metadata=1.2 --level=1 --raid-devices=2 "$block" missing \
	>mdadm.log 2>&1 || fail "$(cat mdadm.log)"
both member
refused array /dev/md7 "${reading[@]}"
mdadm -q --stop /dev/md7
wipefs -qa "$block"
good unused "$node" "${job[@]}"

echo "--- no SATA disk"
touch file
refused file file "${reading[@]}"
refused null /dev/null "${reading[@]}"
refused missing /dev/sg99 "${job[@]}"
[ ! -e /dev/sg99 ] || fail "a file was made in /dev"
namespace=$(namespace LABNVME 1)
refused nvme "$namespace" "${reading[@]}"
refused nvme-generic "$(generic "$namespace")" "${reading[@]}"
scsi=$(scsi_disk)
refused scsi "$scsi" "${reading[@]}"
refused scsi-node "$(sg_node "$scsi")" "${reading[@]}"

echo "--- not with this drive"
refused odd "$node" --rw=write --bs=1000 --size=1M
refused offset "$node" "${reading[@]}" --offset=100
refused deep "$node" "${reading[@]}" --iodepth=33 --over_depth=refuse
refused deep-dma "$node" "${reading[@]}" --iodepth=2 --ncq=0 --over_depth=refuse
# How large a command may be differs between kernels.
refused large "$node" --rw=read --bs=1M --size=4M --max_transfer=refuse |
	sed -E 's/\([0-9]+ bytes, by/(N bytes, by/'
refused prio "$node" "${reading[@]}" --cmdprio_percentage=10
refused prio-dma "$node" "${reading[@]}" --cmdprio_percentage=10 --ncq=0
refused prio-scsi "$node" "${reading[@]}" --cmdprio_percentage=10 --commands=scsi
refused fua-dma "$node" "${reading[@]}" --readfua=1 --ncq=0
refused fua-dma-write "$node" "${job[@]}" --writefua=1 --ncq=0
refused queued-trim "$node" --rw=trim --bs=4k --size=1M --trim_mode=queued
refused unmap "$node" --rw=trim --bs=4k --size=1M --commands=scsi
refused dma-scsi "$node" "${reading[@]}" --ncq=0 --commands=scsi

echo "--- NCQ that is off, or shallow"
depth=/sys/block/${block#/dev/}/device/queue_depth
echo 4 >"$depth"
refused shallow "$node" "${reading[@]}" --iodepth=8 --over_depth=refuse
good shallow-cap "$node" "${reading[@]}" --iodepth=8
told shallow-cap
echo 1 >"$depth"
refused off "$node" "${reading[@]}" --iodepth=8 --over_depth=refuse
echo 32 >"$depth"

echo "--- no node of sg"
rmmod scsi_debug
rmmod sg
refused async "$other" "${reading[@]}" --transport=async
good sync "$other" "${reading[@]}"
told sync
