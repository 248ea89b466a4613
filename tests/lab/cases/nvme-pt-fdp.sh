# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# devices: nvme-fdp
# Writes get to the reclaim unit that their placement identifier names.
. "$LAB_TREE/tests/lab/nvme_pt.sh"
block=$(namespace LABFDP 1)
device=$(generic "$block")

# Of each identifier: its handle, and how many blocks its reclaim unit still takes.
units() {
	nvme fdp status "$block" --output-format=json | python3 -c '
import json, sys
for unit in json.load(sys.stdin)["ruhss"]:
    print("  identifier", unit["pid"], "handle", unit["ruhid"], "free", unit["ruamw"])'
}

write() { # NAME FIO-OPTION...
	local name=$1
	shift
	good "$name" "$device" --rw=write --bs=16k --iodepth=4 --verify=crc32c "$@"
	units
}

units
write first --size=64k --dir_type=2 --dir_spec=0
write second --size=128k --dir_type=2 --dir_spec=1
write third --size=256k --dir_type=2 --dir_spec=2 --transport=ioctl
# A write that says nothing goes where identifier 0 does.
write unsaid --size=16k
# More than the unit takes: the handle gets the next one.
write filled --size=896k --dir_type=2 --dir_spec=2

# Of the emulated drives only this one says what it does then.
echo "--- Write Zeroes that deallocate"
sent zeroes "$device" --rw=write --write_mode=zeroes --bs=64k --size=64k
sent deac "$device" --rw=write --write_mode=zeroes --deac=1 --bs=64k --size=64k
nvme set-feature "$device" -n 1 -f 5 -v 0x10000 >/dev/null # Error Recovery, DULBE
bad deallocated "$device" --rw=read --bs=64k --size=64k
told deallocated
