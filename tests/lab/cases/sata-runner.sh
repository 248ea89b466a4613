# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# devices: sata
# The runner fills and measures a SATA disk, and the review is made of it.
requires smartctl
device=$(sata LABSATA)
if ! measure "$device" /tmp/run; then
	cat /tmp/run.log
	fail "the runner failed"
fi
inspect_run /tmp/run target.kind target.model target.firmware target.size \
	target.region target.scheduler target.fill
grep '^smart ' /tmp/run.log
review /tmp/run
