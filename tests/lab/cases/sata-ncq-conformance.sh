# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# devices: sata
# timeout: 400
# check-engine on a SATA disk: what depends on the disk, and on how commands get
# there. Without valgrind, which takes minutes in the guest.
. "$LAB_TREE/tests/lab/sata_ncq.sh"
block=$(sata LABSATA)
node=$(sg_node "$block")

conforms "async" "$node" \
	loads,verify_512,verify_1m,verify_random,batches,mixed,unaligned,threads,missing_target,interrupt,kill,leaks
conforms "the block device" "$block" syncs,trim
conforms "sync" "$node" verify_random,mixed,processes,kill --transport=sync
conforms "sync, the block device" "$block" verify_direct,block_mix --transport=sync
conforms "without NCQ" "$block" mixed,trim --ncq=0
conforms "SCSI commands" "$node" verify_random,mixed,syncs --commands=scsi
