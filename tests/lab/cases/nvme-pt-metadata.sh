# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# devices: nvme nvme-meta
# timeout: 400
# What the engine writes is what nvme-cli reads, data and metadata, and the other
# way round. Wrong tags and metadata are told, by the device or by the engine.
. "$LAB_TREE/tests/lab/nvme_pt.sh"
verified=(--bs=16k --size=64k --iodepth=4 --verify=pattern --verify_pattern=%o)
all=--pi_chk=GUARD,APPTAG,REFTAG

expect() { # NSID|plain [WORD...]: files expected.data and expected.meta
	python3 "$LAB_TREE/tests/lab/blocks.py" "$1" expected "${@:2}"
}

# Nobody checks and nobody changes what passes: prinfo 0.
transfer() { # read|write DEVICE FILE: as many blocks and bytes as expected
	local size meta apart=() blocks=16
	size=$(stat -c %s expected.data) meta=$(stat -c %s expected.meta)
	[ "$meta" -eq 0 ] || apart=(-y "$meta" -M "$3.meta")
	[ "$(nvme id-ns "$2" | sed -n 's/.*lbads:\([0-9]*\) .*in use.*/\1/p')" = 12 ] ||
		blocks=128
	nvme "$1" "$2" -s 0 -c $((blocks - 1)) -z "$size" -d "$3.data" \
		"${apart[@]}" >nvme.log 2>&1 ||
		fail "nvme $1: $(cat nvme.log)"
}

both_ways() { # WHAT NSID|plain [FIO-OPTION...]
	local what=$1 name=$2 device
	device=$(device_of "$name")
	shift 2
	expect "$name" --apptag 0x1234 --metadata-byte 0x5a
	rm -f found.*
	run_job write "$device" --rw=write --do_verify=0 "${verified[@]}" "$@" ||
		fail "$what: $(said write)"
	: >found.meta
	transfer read "$device" found
	cmp expected.data found.data || fail "$what: nvme read finds other data"
	cmp expected.meta found.meta || fail "$what: nvme read finds other metadata"
	# So that the next read finds what nvme-cli writes.
	nvme write-zeroes "$device" -s 0 -c 15 >nvme.log 2>&1 || fail "$(cat nvme.log)"
	transfer write "$device" expected
	run_job read "$device" --rw=read "${verified[@]}" "$@" || fail "$what: $(said read)"
	echo "$what: as nvme-cli"
}

device_of() { # NSID|plain
	if [ "$1" = plain ]; then
		generic "$(namespace LABNVME 1)"
	else
		generic "$(namespace LABMETA "$1")"
	fi
}

tag=--apptag=0x1234
filled=(--md_pattern=0x5a --md_check=1)
both_ways "no metadata" plain
both_ways "apart" 2 "${filled[@]}"
both_ways "in the blocks" 3 "${filled[@]}"
both_ways "type 1, controller" 1 $tag $all
both_ways "type 1, engine" 1 $tag --pi_act=0 $all
both_ways "type 1 in the blocks, engine" 4 $tag --pi_act=0 $all
both_ways "type 1 of 64 bits, engine" 5 $tag --pi_act=0 $all
both_ways "type 2 and more, controller" 6 $tag "${filled[@]}" $all
both_ways "type 2 and more, engine" 6 $tag "${filled[@]}" --pi_act=0 $all
both_ways "type 3, engine" 7 $tag --pi_act=0 --pi_chk=GUARD,APPTAG

read_back() { # NAME NSID [FIO-OPTION...]
	bad "$1" "$(device_of "$2")" --rw=read --bs=16k --size=64k "${@:3}"
	told "$1"
}

echo "--- wrong tags"
for wrong in guard apptag reftag; do
	expect 1 --apptag 0x1234 --break $wrong
	transfer write "$(device_of 1)" expected
	read_back $wrong 1 $all $tag
done
read_back reftag-engine 1 --pi_act=0 $all $tag
good unchecked "$(device_of 1)" --rw=read --bs=16k --size=64k
good masked "$(device_of 1)" --rw=read --bs=16k --size=64k --pi_chk=APPTAG \
	--apptag=0x1299 --apptag_mask=0xff00
expect 3 --metadata-byte 0x5b
transfer write "$(device_of 3)" expected
read_back metadata 3 --md_pattern=0x5a --md_check=1
