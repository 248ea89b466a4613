# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# devices: nvme
# The drive is pulled while a point is measured.
device=$(namespace LABNVME 1)
pci=$(readlink -f "/sys/block/${device#/dev/}/device/device")
measuring() {
	pgrep -f 'fio .*/run/four-corners/' || pgrep -x fio
}
measure "$device" /tmp/run --fill none --runtime 20 --timeout 20 --points 50 &
runner=$!
wait_for 40 measuring || fail "fio was not started: $(cat /tmp/run.log)"
sleep 4
echo 1 >"$pci/remove"
code=0
wait "$runner" || code=$?
echo "status $code"
inspect_run /tmp/run
pgrep -x fio && fail "fio is still there"
code=0
fio_review run --resume --out /tmp/run --destroy-data-on "$device" \
	>/tmp/resume.log 2>&1 || code=$?
echo "resume: status $code"
cat /tmp/resume.log
