# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# devices: nvme nvme-zoned
# A queue of few tags: no I/O fails, whatever the depth, with fixed buffers and
# without. Queues that are polled.
. "$LAB_TREE/tests/lab/nvme_pt.sh"

# The driver anew, with parameters.
driver() { # PARAMETER=VALUE...
	modprobe -r nvme || fail "the driver is in use"
	modprobe nvme "$@"
	echo "--- $*"
	block=$(namespace LABNVME 1)
	device=$(generic "$block")
	large=$(generic "$(namespace LABNVME 2)")
}

deep=(--rw=randwrite --bs=4k --size=2M --iodepth=64 --verify=crc32c)
# Jobs, together on the first namespace. They are told where they have a limit.
together() { # JOBS FIXEDBUFS
	good "jobs-$1-fixedbufs-$2" "$device" "${deep[@]}" --fixedbufs="$2" \
		--numjobs="$1" --offset_increment=2M
	told "jobs-$1-fixedbufs-$2" | sort -u || true
}

# The queue is the controller's, not the namespace's.
neighbours() { # FIXEDBUFS
	good "neighbours-fixedbufs-$1" "$device" "${deep[@]}" --fixedbufs="$1" \
		--name=neighbour --filename="$large" --ioengine="$engine" --thread \
		"${deep[@]}" --fixedbufs="$1"
}

# Of two a queue keeps one free: a single tag.
driver io_queue_depth=2
together 1 1
together 1 0
together 4 1
for jobs in 1 4; do
	good "jobs-$jobs-ioctl" "$block" "${deep[@]}" --numjobs=$jobs --offset_increment=2M
done
neighbours 1
# Reads between the writes: what is held must not confuse the verification.
good mixed "$device" --rw=randrw --bs=4k --size=2M --iodepth=64 --verify=crc32c \
	--fixedbufs=0
good batches "$device" "${deep[@]}" --iodepth_batch=32 --iodepth_batch_complete_min=16
good split "$device" --rw=write --bs=2M --size=8M --iodepth=8 --verify=crc32c
# Writes of a zone that wait for a tag would come in another order.
zoned=$(namespace LABZONED 1)
for transport in io_uring ioctl; do
	blkzone reset "$zoned"
	good "zones-$transport" "$(generic "$zoned")" --transport=$transport --zonemode=zbd \
		--rw=write --bs=64k --size=12M --iodepth=16 --verify=crc32c
	told "zones-$transport"
done
# For comparison.
fio --name=builtin --filename="$device" --ioengine=io_uring_cmd --cmd_type=nvme \
	--thread "${deep[@]}" --output-format=json >builtin.log 2>&1 || true
echo "fio's io_uring_cmd: $(came_to builtin)"

# Without fixed buffers there must be a tag for each job.
driver io_queue_depth=5
together 4 0
neighbours 0

driver poll_queues=1
good poll "$device" "${deep[@]}" --hipri=1
good poll-unfixed "$device" "${deep[@]}" --hipri=1 --fixedbufs=0 --registerfiles=0
