# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# timeout: 300
# Disks that do not answer, or go: a job ends, in bounded time, and says why.
. "$LAB_TREE/tests/lab/sata_ncq.sh"

job=(--rw=randread --bs=4k --size=1M --iodepth=32)

# Far from the time that a job without an end would take (limit, 40 s).
in_time() { # NAME
	[ "$SECONDS" -lt 30 ] || fail "$1 took $SECONDS s"
}

echo "--- no answer"
for way in async sync; do
	disk=$(fake_sata "LABSILENT-$way" --silent-lba 1000)
	SECONDS=0
	badly "silent-$way" "$disk" "${job[@]}" --cmd_timeout=1000 --transport=$way
	in_time "silent-$way"
	told "silent-$way"
	saw "silent-$way" "LABSILENT-$way" kinds | sed 's/[0-9]* reads/some reads/'
	good "after-$way" "$disk" "${job[@]}" --offset=1M --transport=$way
done

echo "--- no answer to several"
disk=$(fake_sata LABDUMB --silent-lba 8,80,160,240,320,400,480,560)
SECONDS=0
well dumb "$disk" "${job[@]}" --cmd_timeout=1000 --continue_on_error=all --ignore_error=110
in_time dumb
told dumb | sed 's/offset [0-9]*/some offset/' | uniq
saw dumb LABDUMB sent result

# What ends first, and with which words, differs from run to run.
echo "--- gone"
for way in async sync; do
	disk=$(fake_sata "LABGONE-$way" --vanish-after 200 --latency 100)
	SECONDS=0
	badly "gone-$way" "$disk" "${job[@]}" --transport=$way
	in_time "gone-$way"
	told "gone-$way" | grep -q 'read at offset' || fail "gone-$way: no I/O is told"
	echo "gone-$way"
done

echo "--- ended by a signal"
disk=$(fake_sata LABSLOW --latency 20000)
for signal in KILL INT; do
	run_job "ended-$signal" "$disk" "${job[@]}" --time_based --runtime=30 2>/dev/null &
	wait_for 20 grep -q result=good /tmp/LABSLOW.ata || fail "ended-$signal: no I/O"
	SECONDS=0
	pkill -"$signal" -x fio
	wait_for 20 no_fio || fail "fio is still there after SIG$signal"
	in_time "$signal"
	: >/tmp/LABSLOW.ata
	good "after-$signal" "$disk" --rw=read --bs=4k --size=64k
done
