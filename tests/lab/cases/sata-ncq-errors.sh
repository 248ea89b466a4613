# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# devices: sata-error
# timeout: 300
# A bad block, at 32 MiB for reads and at 100 MiB for writes, under Linux's own SATA
# driver; and NCQ that the kernel turns off. QEMU's drive does not tell which queued
# command failed and, after an error, lets good ones fail, too (Linux 6.1: all that
# come after it). So of jobs with NCQ is asked that the bad one fails, that each
# failure is counted, and that all other I/Os are done. How good the engine is at
# finding whose error it was, is shown by sata-ncq-fake-errors.
. "$LAB_TREE/tests/lab/sata_ncq.sh"
block=$(sata LABSATAERR)
node=$(sg_node "$block")
around=(--bs=16k --size=2M --iodepth=32 --continue_on_error=all "--ignore_error=5:61,5:61")

# Whether what fio counted is what the engine did, and the bad I/O among it.
accounted() { # NAME OFFSET
	grep -qE "at offset $2, 16384 bytes|more errors are only counted" "$1.log" ||
		fail "$1: no word of offset $2: $(said "$1")"
	python3 - "$1" <<'END' || fail "$1: $(said "$1")"
import json
import sys
name = sys.argv[1]
told = json.load(open(f"{name}.1.json"))
text = open(f"{name}.log", errors="replace").read()
job = json.JSONDecoder(strict=False).raw_decode(text[text.index("{\n"):])[0]["jobs"][0]
ios = job["read"]["total_ios"] + job["write"]["total_ios"]
assert told["failed"] == job["total_err"] >= 1, (told["failed"], job["total_err"])
assert told["commands"] == ios + told["requeued"], (told, ios)
print(f"{name}: {ios} done, all counted")
END
}

depth=/sys/block/${block#/dev/}/device/queue_depth

# After some errors the kernel turns it off.
ncq_on() {
	echo 1 >"$depth"
	echo 32 >"$depth"
}

# NAME-read and NAME-write with these options.
over_bad() { # NAME [FIO-OPTION...]
	local name=$1
	shift
	ncq_on
	well "$name-read" "$node" --rw=read "${around[@]}" --offset=31M \
		--status_json="$name-read" "$@"
	accounted "$name-read" 33554432
	well "$name-write" "$node" --rw=write "${around[@]}" --offset=99M \
		--status_json="$name-write" "$@"
	accounted "$name-write" 104857600
}

over_bad async
over_bad sync --transport=sync
over_bad scsi --commands=scsi
echo "--- one at a time"
over_bad dma --ncq=0
for name in dma-read dma-write; do
	told $name | grep -oE '[0-9]+ of [0-9]+ commands failed'
	told $name | grep -oE 'at offset [0-9]+, [0-9]+ bytes'
done
ncq_on
bad ends "$node" --rw=read --bs=16k --size=2M --offset=31M --iodepth=1

echo "--- NCQ is turned off"
for ((i = 0; i < 10; i++)); do
	run_job errors "$node" --rw=read "${around[@]}" --offset=31M --commands=scsi || true
	run_job off "$node" --rw=read --bs=16k --size=16k || break
done
told off
ncq_on

# The depth may be told before the kernel has changed it.
lost=(--rw=randrw --bs=4k --size=8M --iodepth=32 --verify=crc32c --loops=50)
for way in async sync; do
	for what in fail continue; do
		[ $what = fail ] && seconds=30 || seconds=8
		begin "$what" "$node" "${lost[@]}" --time_based --runtime="$seconds" \
			--transport=$way --ncq_lost=$what
		echo 1 >"$depth"
		ends "$what"
		told "$what" | grep -o 'NCQ was turned off after .*' |
			sed 's/depth [0-9]*/depth N/'
		echo 32 >"$depth"
	done
done
