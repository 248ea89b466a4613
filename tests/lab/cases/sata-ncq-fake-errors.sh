# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# timeout: 400
# Errors under sata_ncq's queue: only the I/O that is to blame fails, named by its
# sector; what the drive ended with it is sent again.
. "$LAB_TREE/tests/lab/sata_ncq.sh"

# EIO, which fio goes on after unless it is told of others, and ENODATA.
on=(--iodepth=32 --continue_on_error=all "--ignore_error=5:61,5:61")

failing() { # NAME DISK [FIO-OPTION...]
	local name=$1 disk=$2
	shift 2
	well "$name" "$(find_sata "$disk")" "${on[@]}" --status_json="$name" "$@"
	told "$name" | grep ' at offset ' | sort
	saw "$name" "$disk" errors
}

reading() { # NAME DISK [FIO-OPTION...]
	failing "$@" --rw=read --bs=4k --size=768k
}

begin() { # DISK [OPTION...]
	fake_sata "$@" --latency 300 >/dev/null
}

echo "--- the log says which one"
begin LABLOG --ncq-abort --bad-lba 1000,3000,3008,70000
reading log LABLOG
echo "--- and with the drive's own sense"
begin LABSENSE --ncq-abort --bad-lba 1000 --autosense
reading sense LABSENSE
echo "--- no log, one of another error, one that can't be trusted"
begin LABNOLOG --ncq-abort --bad-lba 1000 --no-log
reading no-log LABNOLOG
begin LABSTALE --ncq-abort --bad-lba 1000 --stale-log
reading stale LABSTALE
begin LABSUM --ncq-abort --bad-lba 1000,3000,3008 --wrong-log-checksum
reading checksum LABSUM
echo "--- two"
two=(--rw=read --bs=4k --size=1M --offset=1M "${on[@]}")
well two "$(find_sata LABLOG)" "${two[@]}"
told two | grep ' at offset ' | sort
saw two LABLOG
well two-no-log "$(find_sata LABSUM)" "${two[@]}"
told two-no-log | grep ' at offset ' | sort
saw two-no-log LABSUM
echo "--- only the one ends"
begin LABOWN --bad-lba 1000
reading own LABOWN
reading scsi LABOWN --commands=scsi
reading no-ncq LABOWN --ncq=0

# What was written is read back: all others hold it.
echo "--- writes"
failing write LABLOG --rw=randwrite --bs=4k --size=1M --verify=crc32c
echo "--- a part of an I/O"
# Whether other parts were with the disk just then is chance.
failing part LABLOG --rw=read --bs=4M --offset=16M --size=48M |
	sed 's/, \(no \)\?others aborted//'

echo "--- of two disks"
begin LABOTHER
well both "$(find_sata LABLOG):$(find_sata LABOTHER)" "${on[@]}" --rw=read --bs=4k \
	--size=1M --status_json=both
told both | grep ' at offset '
saw both LABLOG kinds
saw both LABOTHER sent result
