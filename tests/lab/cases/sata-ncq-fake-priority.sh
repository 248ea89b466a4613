# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# timeout: 200
# NCQ priority as the drive gets it, and what it makes of it.
. "$LAB_TREE/tests/lab/sata_ncq.sh"

disk=$(fake_sata LABPRIO --prio --priority-first --latency 1000)
plain=$(fake_sata LABPLAIN)
job=(--bs=4k --iodepth=16 --io_size=4M --size=64M)

echo "--- a share of reads, writes, both, none"
for share in randread:25 randwrite:0,25 randrw:25,50 randrw:0,50 randread:100 randread:0; do
	well "$share" "$disk" --rw="${share%:*}" "${job[@]}" \
		--cmdprio_percentage="${share#*:}" --status_json="$share"
	# How many are high is drawn anew each time.
	saw "$share" LABPRIO priority |
		sed -E 's/: [1-9][0-9]* of [0-9]+ high, /: some are high, /; s/[0-9]+ (reads|writes)/some \1/g
			s/: 0 of [0-9]+ high/: none is high/; s/: ([0-9]+) of \1 high/: all are high/'
	rm -f -- *.json
done

echo "--- by size"
well split "$disk" --rw=randread --bssplit=4k/50:8k/50 --iodepth=16 --io_size=4M \
	--size=64M --cmdprio_bssplit=4k/0:8k/100
saw split LABPRIO kinds blocks prio | sed 's/[0-9]* reads/some reads/'

echo "--- of another class, and with FUA"
well class "$disk" --rw=randread "${job[@]}" --cmdprio_percentage=50 --cmdprio_class=2
saw class LABPRIO sent prio
well fua "$disk" --rw=randread "${job[@]}" --cmdprio_percentage=100 --readfua=1
saw fua LABPRIO sent prio fua

echo "--- not queued, not there"
refused off "$disk" --rw=randread "${job[@]}" --cmdprio_percentage=25 --ncq=0
refused scsi "$disk" --rw=randread "${job[@]}" --cmdprio_percentage=25 --commands=scsi
refused plain "$plain" --rw=randread "${job[@]}" --cmdprio_percentage=25
refused plain-sizes "$plain" --rw=randread "${job[@]}" --cmdprio_bssplit=4k/50
