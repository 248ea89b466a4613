# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# machine: icount
# On the machine whose clock counts instructions a speed is the same each time.
char=$(generic "$(loop_namespace)")

iops() {
	fio --name=read --filename="$char" --ioengine=io_uring_cmd --cmd_type=nvme \
		--allow_file_create=0 --rw=randread --bs=4k --iodepth=1 \
		--time_based --runtime=300ms --ramp_time=100ms --output-format=terse |
		cut -d';' -f8
}

first=$(iops) second=$(iops)
[ "$first" -gt 0 ] || fail "no I/O"
apart=$(((first - second) * 1000 / first))
if [ "${apart#-}" -gt 20 ]; then
	fail "$first IOPS and then $second"
fi
echo "the same within 2 %"
