# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# devices: nvme
# The record of a drive: nvme-cli's words, its sensor, what was written; and that
# its serial number stands nowhere in a run with --redact.
requires nvme lsblk smartctl
device=$(namespace LABNVME 1)
measure "$device" /tmp/run --tbw 1T || {
	cat /tmp/run.log
	fail "the runner failed"
}
ls /tmp/run/device
head -n 1 /tmp/run/device/temperature.csv
readings=$(tail -n +2 /tmp/run/device/temperature.csv | wc -l)
[ "$readings" -ge 4 ] || fail "only $readings readings of the sensor"
python3 - /tmp/run/run.json <<'END'
import json, sys
run = json.load(open(sys.argv[1]))
heat, written = run["temperature"], run["written"]
print("sensor:", heat["sensor"], heat["each"], heat["problem"])
print("hottest:", heat["hottest"])
fill = run["filled"]["bytes"]
print("the kernel saw what fio wrote:",
      written["by_kernel_bytes"] >= written["by_fio_bytes"] > fill)
# It counts in 512,000 bytes.
print("the drive saw what the kernel wrote:",
      abs(written["by_drive_bytes"] - written["by_kernel_bytes"]) < 1 << 20)
print("share of a terabyte:", written["share"] >= fill / 1e12)
END
grep -rlq LABNVME /tmp/run || fail "the serial number is nowhere to be found"
measure "$device" /tmp/hidden --redact || {
	cat /tmp/hidden.log
	fail "the runner failed"
}
ls /tmp/hidden/device
if grep -rliE 'LABNVME|4c41424e564d45' /tmp/hidden; then
	fail "the serial number stands in a run with --redact"
fi
