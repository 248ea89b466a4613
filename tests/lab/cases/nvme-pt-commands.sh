# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# devices: nvme
# Each command that the engine has does its work on the device, or is refused
# before the job if the device has it not.
. "$LAB_TREE/tests/lab/nvme_pt.sh"
device=$(generic "$(namespace LABNVME 1)")
large=$(generic "$(namespace LABNVME 2)")

content() { # MIB FILE: a MiB of the device, by nvme-cli
	local half
	for half in 0 1; do
		nvme read "$device" -s $(($1 * 2048 + half * 1024)) -c 1023 -z 512k \
			-d half.data >nvme.log 2>&1 || fail "nvme read: $(cat nvme.log)"
		cat half.data
	done >"$2"
}

holds() { # MIB PATTERN-BYTE
	content "$1" found
	head -c 1M /dev/zero | tr '\0' "\\$(printf %o "$2")" >expected
	cmp expected found || fail "MiB $1 is not of $2"
	echo "MiB $1: $2"
}

fill() { # BYTE
	run_job fill "$device" --rw=write --bs=64k --size=8M --buffer_pattern="$1" ||
		fail "fill: $(said fill)"
}

job=(--bs=64k --iodepth=8)
echo "--- Dataset Management"
fill 0x11
good trim "$device" --rw=trim --size=2M "${job[@]}" --trim_ranges=8 \
	--iodepth_batch=8 --iodepth_batch_complete_min=8 --status_json=trim
statuses trim
holds 0 0
holds 1 0
holds 2 0x11
good trim-1 "$device" --rw=randtrim --offset=2M --size=1M "${job[@]}" --status_json=trim-1
statuses trim-1
holds 2 0
# Error Recovery, DULBE: such blocks shall be errors, not zeros.
nvme set-feature "$device" -n 1 -f 5 -v 0x10000 >/dev/null
bad deallocated "$device" --rw=read --size=64k "${job[@]}"
told deallocated
nvme set-feature "$device" -n 1 -f 5 -v 0 >/dev/null
good hints "$device" --rw=randrw --size=1M "${job[@]}" --dsm=0x27 --limited_retry=1

echo "--- Write Zeroes"
fill 0x12
good zeroes "$device" --rw=write --write_mode=zeroes --size=1M "${job[@]}"
holds 0 0
holds 1 0x12

echo "--- Compare"
good match "$device" --rw=write --write_mode=compare --offset=2M --size=1M "${job[@]}" \
	--buffer_pattern=0x12
bad miscompare "$device" --rw=write --write_mode=compare --offset=2M --size=64k \
	"${job[@]}" --buffer_pattern=0x13
told miscompare
good all "$device" --rw=write --write_mode=compare --offset=2M --size=1M "${job[@]}" \
	--buffer_pattern=0x13 --continue_on_error=all --ignore_error=,61 \
	--status_json=all
statuses all
holds 2 0x12

echo "--- Copy"
good other "$device" --rw=write --size=1M "${job[@]}" --buffer_pattern=0x14
good copy "$device" --rw=write --write_mode=copy --copy_distance=2M --size=1M "${job[@]}"
holds 0 0x12

echo "--- Flush, FUA"
good sync "$device" --rw=write --bs=4k --size=1M --iodepth=16 --fsync=32
# fio 3.33 counts each fdatasync as a short read.
good fdatasync "$device" --rw=write --bs=4k --size=1M --fdatasync=32
good fua "$device" --rw=randrw --size=4M "${job[@]}" --readfua=1 --writefua=1 \
	--verify=crc32c

echo "--- transfers larger than the device's"
good split "$device" --rw=write --bs=1536k --size=6M --iodepth=4 --verify=crc32c \
	--status_json=split
statuses split
good split-odd "$device" --rw=randwrite --bs=525312 --size=8M --iodepth=4 \
	--verify=crc32c
good submit-thread "$device" --rw=randrw --size=4M "${job[@]}" --sqthread_poll=1 \
	--verify=crc32c
good nothing-fixed "$device" --rw=randrw --size=4M "${job[@]}" --fixedbufs=0 \
	--registerfiles=0 --verify=crc32c
good more-devices "$device:$large" --rw=randrw --bs=16k --size=8M --iodepth=32 \
	--verify=crc32c

echo "--- refused"
refused max-transfer "$device" --rw=write --bs=1M --size=4M --max_transfer=refuse
refused verify "$device" --rw=read --size=1M "${job[@]}" --read_mode=verify
refused verify-write "$device" --rw=write --size=1M "${job[@]}" --write_mode=verify
refused uncor "$device" --rw=write --size=1M "${job[@]}" --write_mode=uncor
refused deac "$device" --rw=write --size=1M "${job[@]}" --write_mode=zeroes --deac=1
refused append "$device" --rw=write --size=1M "${job[@]}" --write_mode=append
refused stream "$device" --rw=write --size=1M "${job[@]}" --dir_type=1 --dir_spec=3
refused placement "$device" --rw=write --size=1M "${job[@]}" --dir_type=2 --dir_spec=1
refused small "$large" --rw=write --bs=512 --size=1M
refused odd "$device" --rw=write --bs=1000 --size=1M
refused tags "$device" --rw=read --size=1M "${job[@]}" --pi_chk=GUARD
refused no-tag "$device" --rw=read --size=1M "${job[@]}" --pi_chk=GUARD,TAG
refused metadata "$device" --rw=read --size=1M "${job[@]}" --md_check=1
refused poll "$device" --rw=read --size=1M "${job[@]}" --hipri=1
refused poll-ioctl "$device" --rw=read --size=1M "${job[@]}" --hipri=1 --transport=ioctl
refused copy-far "$device" --rw=write --size=1M "${job[@]}" --write_mode=copy \
	--copy_distance=100
refused verified-zeroes "$device" --rw=write --size=1M "${job[@]}" --write_mode=zeroes \
	--verify=crc32c
