# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# devices: sata sata-error
# timeout: 300
# A link that is reset and a disk that is removed while commands are in flight, and
# jobs that are ended: no hang, and nothing for the kernel to complain of.
. "$LAB_TREE/tests/lab/sata_ncq.sh"
block=$(sata LABSATA)
node=$(sg_node "$block")
other=$(sata LABSATAERR)
host=$(readlink -f "/sys/block/${block#/dev/}" | grep -oE '/host[0-9]+/')
host=/sys/class/scsi_host/${host//\//}
load=(--rw=randrw --bs=4k --size=16M --iodepth=32 --time_based)

# To look for disks, libata resets the link.
links_up() {
	dmesg | grep -c 'SATA link up'
}

for way in "$node" "$block --transport=sync"; do
	echo "--- $way" | anonymous
	# shellcheck disable=SC2086 # words are what is wanted
	set -- $way
	begin reset "$@" "${load[@]}" --runtime=4
	ups=$(links_up)
	echo "- - -" >"$host/scan"
	ends reset
	[ "$(links_up)" -gt "$ups" ] || fail "the link was not reset"
	begin interrupt "$@" "${load[@]}" --runtime=60 --numjobs=2
	pkill -INT -x fio
	ends interrupt
	begin kill "$@" "${load[@]}" --runtime=60 --numjobs=2 --thread=0
	pkill -KILL -x fio
	wait "$job" || true
	wait_for 10 no_fio || fail "fio is still there"
	echo "kill: gone"
	good after "$@" --rw=randrw --bs=4k --size=1M --iodepth=8 --verify=crc32c
done

echo "--- removed"
removed() { # DISK FIO-OPTION...
	local disk=$1
	shift
	begin removed "$@" "${load[@]}" --runtime=30
	echo 1 >"/sys/block/${disk#/dev/}/device/delete"
	ends removed
	told removed | grep -E '(read|write) at offset' |
		grep -vE 'bytes: (Error of the host adapter|No such device|No connection)' || true
	came_to removed | grep -qE 'Input/output error|No such device' ||
		fail "removed: another error: $(said removed)"
	wait_for 10 no_fio || fail "fio is still there"
	[ ! -e "$disk" ] || fail "$disk is still there"
}
removed "$block" "$node"
removed "$other" "$other" --transport=sync
