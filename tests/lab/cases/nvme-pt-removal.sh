# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# devices: nvme
# timeout: 400
# A controller that is reset or pulled while commands are in flight, and jobs that
# are ended: no hang, and nothing for the kernel to complain of.
. "$LAB_TREE/tests/lab/nvme_pt.sh"
block=$(namespace LABNVME 1)
device=$(generic "$block")
controller=$(readlink -f "/sys/block/${block#/dev/}/device")
pci=$(readlink -f "$controller/device")
load=(--rw=randrw --bs=4k --size=32M --iodepth=32 --numjobs=2 --time_based)

for way in "$device" "$device --transport=ioctl" "$block"; do
	echo "--- $way" | anonymous
	# shellcheck disable=SC2086 # words are what is wanted
	set -- $way
	begin reset "$@" "${load[@]}" --runtime=6 --retries=20
	echo 1 >"$controller/reset_controller"
	ends reset
	begin interrupt "$@" "${load[@]}" --runtime=60
	pkill -INT -x fio
	ends interrupt
	begin kill "$@" "${load[@]}" --runtime=60 --thread=0
	pkill -KILL -x fio
	wait "$job" || true
	wait_for 10 no_fio || fail "fio is still there"
	echo "kill: gone"
	good after "$@" --rw=randrw --bs=4k --size=1M --iodepth=8 --verify=crc32c
done

echo "--- pulled"
begin ring "$device" "${load[@]}" --runtime=30
ring=$job
begin threads "$block" "${load[@]}" --runtime=30 --retries=5
echo 1 >"$pci/remove"
ends threads
job=$ring
ends ring
told ring |
	sed -nE 's/.*(read|write) at offset [0-9]+, 4096 bytes: //p' | sort -u
wait_for 10 no_fio || fail "fio is still there"
