# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# devices: nvme sata
# timeout: 240
# Two drives and a set of them, built, measured and taken apart; what a runner
# that was killed has left is found again.
requires mdadm module:raid0
first=$(sata LABSATA)
second=$(namespace LABNVME 1)

raid0() { # OPTION...
	fio_review raid0 --target "$first" --target "$second" --out /tmp/set \
		--destroy-data-on "$first" --destroy-data-on "$second" \
		--profiles four-corners/64k-sequential-read --points 50 --fill region \
		--runtime 1 --ramp 0 --no-smart --ioengine "${engine:-psync}" "$@" >/tmp/raid0.log 2>&1
}

md_devices() {
	find /sys/class/block -name 'md*' | wc -l
}

raid0 --dry-run || fail "$(cat /tmp/raid0.log)"
grep -c '^mdadm' /tmp/raid0.log

raid0 || fail "$(cat /tmp/raid0.log)"
for run in /tmp/set/*/run.json; do
	python3 - "$run" <<'END'
import json
import sys
run = json.load(open(sys.argv[1]))
points = [one["state"] for one in run["profiles"][0]["points"]]
print(sys.argv[1].split("/")[3], run["state"], *points)
END
done
grep -o '"label": "RAID0.*"' /tmp/set/raid0/run.json
echo "sets left: $(md_devices)"
for member in "$first" "$second"; do
	mdadm --examine "$member" >/dev/null 2>&1 && fail "$member is still a member"
done

# Killed while the set is measured.
rm -r /tmp/set
raid0 &
wait_for 120 test -e /tmp/set/raid0/run.json || fail "$(cat /tmp/raid0.log)"
pkill -9 -f 'fio-review raid0'
wait
echo "sets left by a kill: $(md_devices)"
raid0 && fail "a folder that exists was taken"
raid0 --resume || fail "$(cat /tmp/raid0.log)"
echo "sets left: $(md_devices)"
