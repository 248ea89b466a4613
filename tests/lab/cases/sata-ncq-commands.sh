# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# devices: sata sata-error
# timeout: 300
# Each command does its work on the disk, at every depth and size, and beside others.
. "$LAB_TREE/tests/lab/sata_ncq.sh"
block=$(sata LABSATA)
node=$(sg_node "$block")
other=$(sg_node "$(sata LABSATAERR)")

# The first MiB of the disk, by the kernel's own commands.
content() { # FILE MIB
	dd if="$block" of="$1" bs=1M count="$2" iflag=direct status=none
}

wipe() { # MIB
	dd if=/dev/zero of="$block" bs=1M count="$1" oflag=direct status=none
}

# Written by the engine and read by dd, and the other way round.
both_ways() { # BYTES-OF-A-BLOCK MIB [FIO-OPTION...]
	local bs=$1 mib=$2 words
	local pattern=(--bs="$bs" --size="${mib}M" --verify=pattern --verify_pattern=%o)
	shift 2
	offsets expected "$bs" $((mib << 20))
	wipe "$mib"
	good write "$node" --rw=randwrite "${pattern[@]}" --do_verify=0 "$@"
	content found "$mib"
	same "bs=$bs $*" found expected
	printf x | dd of=expected bs=1 seek=$((bs - 1)) conv=notrunc status=none
	dd if=expected of="$block" bs=1M oflag=direct status=none
	words=$(bad wrong "$node" --rw=randread "${pattern[@]}" "$@")
	grep -aq 'verify failed at file .* offset 0' wrong.log || fail "$words: $(said wrong)"
	offsets expected "$bs" $((mib << 20))
	dd if=expected of="$block" bs=1M oflag=direct status=none
	good read "$node" --rw=randread "${pattern[@]}" "$@"
}

echo "--- read and written by another tool"
both_ways 512 1 --iodepth=32
both_ways 4096 2 --iodepth=1
both_ways 4096 2 --iodepth=16 --transport=sync
both_ways 65536 4 --iodepth=8 --ncq=0
both_ways 1048576 8 --iodepth=32
both_ways 1048576 4 --iodepth=4 --ncq=0 --transport=sync
both_ways 65536 4 --iodepth=32 --commands=scsi

echo "--- depth"
job=(--rw=randrw --bs=4k --size=2M --verify=crc32c --queue_stats=1)
for depth in 1 2 31 32 33 256; do
	good "depth-$depth" "$node" "${job[@]}" --iodepth=$depth --status_json="depth-$depth"
	told "depth-$depth" | grep 'iodepth=' || true
	queue_of "depth-$depth"
done
good queue "$node" "${job[@]}" --iodepth=256 --over_depth=queue --status_json=queue
told queue | grep 'iodepth='
queue_of queue
good dma "$node" "${job[@]}" --iodepth=8 --ncq=0 --status_json=dma
told dma | grep 'iodepth='
queue_of dma
told dma | grep -o '0.0 % completed out of order'

echo "--- flush, FUA"
good sync "$node" --rw=write --bs=4k --size=1M --iodepth=16 --fsync=32
good fua "$node" --rw=randrw --bs=4k --size=2M --iodepth=8 --readfua=1 --writefua=1 \
	--verify=crc32c

echo "--- trim"
offsets expected 65536 4194304
zeros() { # KIB SKIP-KIB
	dd if=/dev/zero of=expected bs=1k seek="$2" count="$1" conv=notrunc status=none
}
dd if=expected of="$block" bs=1M oflag=direct status=none
good trim "$node" --rw=trim --bs=64k --size=1M --offset=1M --iodepth=8
zeros 1024 1024
content found 4
same "trimmed" found expected
good randtrim "$node" --rw=randtrim --bs=512 --size=64k --offset=2M --iodepth=32
zeros 64 2048
content found 4
same "trimmed by blocks" found expected
good trim-large "$node" --rw=trim --bs=1536k --size=1536k
zeros 1536 0
content found 4
same "trimmed at once" found expected
head -c 2M /dev/zero | tr '\0' '\132' >expected
# Deeper, fio sends a block's write before its trim is done.
good trimwrite "$node" --rw=trimwrite --bs=16k --size=2M --buffer_pattern=0x5a
content found 2
same "trimmed and written" found expected

echo "--- more than one"
good jobs "$node" --rw=randrw --bs=4k --size=2M --offset_increment=4M --numjobs=4 \
	--iodepth=16 --verify=crc32c
good disks "$node:$other" --rw=randrw --bs=4k --size=4M --iodepth=48 --verify=crc32c
good disks-sync "$block:$other" --rw=randrw --bs=16k --size=4M --iodepth=32 \
	--verify=crc32c --transport=sync
fio --name=beside --filename="$block" --ioengine=libaio --direct=1 --rw=randrw --bs=4k \
	--size=8M --offset=128M --iodepth=16 --verify=crc32c --allow_file_create=0 \
	--loops=3 >beside.txt 2>&1 &
good shared "$node" --rw=randrw --bs=4k --size=8M --iodepth=32 --verify=crc32c
wait $! || fail "beside: $(cat beside.txt)"

echo "--- what is told"
good told "$node" --rw=randread --bs=4k --size=4M --iodepth=32 --queue_stats=1 \
	--status_json=told
told told | sed -E 's/[0-9]+\.[0-9] %/N %/g; s/(32 or more|16-31|8-15|4-7|2-3|1|0): N %(, )?//g'
python3 - <<'END'
import json
told = json.load(open("told.1.json"))
del told["queue"]
for key, value in told.items():
    print(f"{key}: {json.dumps(value)}")
END
