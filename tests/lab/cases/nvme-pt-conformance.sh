# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# devices: nvme nvme-zoned
# timeout: 400
# check-engine on plain and zoned namespaces: all of it on one, and on the others
# what depends on the device and on how commands get there.
. "$LAB_TREE/tests/lab/nvme_pt.sh"
small=$(generic "$(namespace LABNVME 1)")
large=$(namespace LABNVME 2)
zoned=$(generic "$(namespace LABZONED 2)")

conforms "512, io_uring" "$small" all
conforms "4 KiB, io_uring, direct=1" "$(generic "$large")" \
	verify_512,verify_4k,block_mix,unaligned --direct=1
conforms "4 KiB, ioctl" "$(generic "$large")" verify_1m,mixed --transport=ioctl
conforms "4 KiB, ioctl on the block device" "$large" \
	verify_direct,batches,block_mix,syncs,trim,unaligned,processes,interrupt,kill
conforms "zones, io_uring" "$zoned" verify_4k,verify_1m,verify_random,mixed \
	--zonemode=zbd
conforms "zones, ioctl" "$zoned" verify_4k,mixed --zonemode=zbd --transport=ioctl
