# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# timeout: 200
# NCQ goes after errors, or is not passed on from the start.
. "$LAB_TREE/tests/lab/sata_ncq.sh"

job=(--rw=randwrite --bs=4k --size=1M --iodepth=32 --verify=crc32c
	--continue_on_error=all "--ignore_error=5:61,5:61")

# Of the words without how many commands there had been until then.
lost() { # NAME
	told "$1" | sed -E 's/[0-9]+ of [0-9]+ commands failed.*;/.../' | sort
}

begin() { # DISK [OPTION...]
	fake_sata "$@" --latency 200 --bad-lba 1000 --drop-ncq-after 1
}

echo "--- the job ends"
disk=$(begin LABEND)
badly end "$disk" "${job[@]}" --status_json=end
lost end
# Whether fio first has the refused write or that NCQ is gone is chance.
saw end LABEND kinds | sed -E 's/[0-9]+ writes/some writes/
	s/(Remote I|Input)\/(O|output) error$/with an error/'

# All but the bad block are written, and hold what they should.
echo "--- it goes on"
disk=$(begin LABGOON)
well goes-on "$disk" "${job[@]}" --ncq_lost=continue --status_json=goes-on
lost goes-on
saw goes-on LABGOON kinds
disk=$(begin LABABORT --ncq-abort)
well aborted "$disk" "${job[@]}" --ncq_lost=continue --status_json=aborted
lost aborted
saw aborted LABABORT kinds

echo "--- never there"
disk=$(fake_sata LABREFUSE --refuse-fpdma)
refused ata "$disk" "${job[@]}"
: >/tmp/LABREFUSE.ata
well auto "$disk" "${job[@]}" --commands=auto --numjobs=2 --offset_increment=4M
told auto
saw auto LABREFUSE sent via result
well scsi "$disk" "${job[@]}" --commands=scsi
saw scsi LABREFUSE sent via result
well no-ncq "$disk" "${job[@]}" --ncq=0
saw no-ncq LABREFUSE sent via result
