# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# devices: nvme
# Where io_uring is switched off, commands go by ioctl, which is said once.
. "$LAB_TREE/tests/lab/nvme_pt.sh"
switch=/proc/sys/kernel/io_uring_disabled
[ -e $switch ] || skip "this kernel can't switch io_uring off"
device=$(generic "$(namespace LABNVME 1)")
job=(--rw=randrw --bs=4k --size=1M --iodepth=16 --verify=crc32c)

echo 2 >$switch
good fallback "$device" "${job[@]}" --numjobs=4 --offset_increment=1M
told fallback
good asked "$device" "${job[@]}" --transport=ioctl
told asked && fail "what was asked for needs no words"
refused ring "$device" "${job[@]}" --transport=io_uring
echo 0 >$switch
good ring-again "$device" "${job[@]}"
told ring-again && fail "nothing is switched off"
true
