# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# timeout: 150
# What the disk must get in order, as it was asked, once more, or not at all.
. "$LAB_TREE/tests/lab/sata_ncq.sh"

# Blocks in the order in which they came there.
came() { # DISK
	sed -nE 's/^seq=([0-9]+) .* op=(25|60) .* lba=([0-9]+) .*/\1 \3/p' "/tmp/$1.ata" |
		sort -n | cut -d' ' -f2
}

echo "--- I/Os that wait for room are sent in fio's order"
disk=$(fake_sata LABORDER --latency 300)
for way in async sync; do
	: >/tmp/LABORDER.ata
	good order "$disk" --rw=read --bs=4k --size=1M --offset=1M --iodepth=64 --ncq=0 \
		--transport=$way
	came LABORDER | grep -vx 0 >order
	sort -n order | cmp -s - order || fail "$way: not in order: $(head -40 order)"
done

echo "--- a priority is sent again"
disk=$(fake_sata LABPRIO --prio --ncq-abort --bad-lba 1000,1800 --no-log --latency 300)
well high "$disk" --rw=read --bs=4k --size=1M --iodepth=16 --cmdprio_percentage=100 \
	--continue_on_error=all --ignore_error=5:61
saw high LABPRIO kinds prio

# The file descriptor keeps the kernel from writing when dd ends.
echo "--- what the kernel has not written yet is not written over the job's data"
disk=$(fake_sata LABCACHE)
offsets expected 4096 1048576
exec 9<>"$disk"
head -c 1M /dev/zero | tr '\0' x >&9
good cached "$disk" --rw=write --bs=4k --size=1M --iodepth=8 --verify=pattern \
	--verify_pattern=%o --do_verify=0
sync
dd if="$disk" of=found bs=1M count=1 iflag=direct status=none
same "on the disk" found expected
dd if="$disk" of=found bs=1M count=1 status=none
same "for who reads it by the kernel" found expected
exec 9>&-

echo "--- beyond the end"
node=$(sg_node "$disk")
for at in 134213632 134217728 281474976710656; do
	printf '%s\n' "fio version 2 iolog" "$node add" "$node open" "$node write $at 8192" \
		"$node close" >trace
	: >/tmp/LABCACHE.ata
	bad beyond "$node" --read_iolog=trace --bs=8k
	! grep -E 'op=(61|35)' /tmp/LABCACHE.ata || fail "a write at $at came to the disk"
done

# The first job is over when the second one's disk is another.
echo "--- another disk under the name of the one that was looked at"
disk=$(fake_sata LABFIRST)
later=$(fake_sata LABSECOND --vanish-after 50)
later_node=$(sg_node "$later")
run_job swapped "$disk" --rw=read --bs=4k --size=1M --time_based --runtime=8 \
	--name=second --ioengine="$engine" --filename="$later_node" --stonewall --rw=read --bs=4k --size=64k &
sleep 4
dd if="$later" of=/dev/null bs=4k count=100 iflag=direct >dd.log 2>&1 || true
wait_for 10 test ! -e "$later_node" || fail "$later_node stays"
new=$(fake_sata LABTHIRD)
[ "$(sg_node "$new")" = "$later_node" ] || fail "$new has another node"
wait $! || true
told swapped || fail "$(said swapped)"
! grep -E 'op=60' /tmp/LABTHIRD.ata || fail "it was read"
