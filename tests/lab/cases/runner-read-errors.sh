# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# devices: nvme-error sata-error
# Reads at 32 MiB fail: the point is a failed one, with fio's reason.
nvme=$(namespace LABNVMEERR 1)
sata=$(sata LABSATAERR)
for device in "$nvme" "$sata"; do
	run=/tmp/${device#/dev/}
	code=0
	fio_review run --target "$device" --out "$run" --size 64M --points 50 \
		--profiles four-corners/64k-sequential-read --runtime 10 --ramp 0 \
		>"$run.log" 2>&1 || code=$?
	echo "status $code"
	inspect_run "$run"
done
