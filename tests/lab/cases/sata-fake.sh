# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# timeout: 400
# The SATA disks in user space behave as they should, by tools that know nothing of
# this project. Other cases rely on them.
requires sg_raw sg_sat_identify hdparm smartctl blkdiscard fio

# Lines of a trace, of which only some fields do not differ from run to run.
asked() { # NAME
	sed -E 's/ (arrived|ended|tag|feature|count|device)=[0-9a-f]+//g; s/^seq=[0-9]+ //' \
		"/tmp/$1.ata" | uniq -c | sed -E 's/^ +//'
	: >"/tmp/$1.ata"
}

# ATA PASS-THROUGH by sg_raw: what it comes to, without the data.
pass() { # NODE SG_RAW-OPTIONS CDB...
	local node=$1 options=$2
	shift 2
	# shellcheck disable=SC2086 # words are what is wanted
	sg_raw $options "$node" "$@" 2>&1 |
		sed -nE 's/^(SCSI Status: .*[a-zA-Z]) *$/\1/p; s/^[A-Z][a-z]+ format, .*(Sense key: .*)/  \1/p
			s/^Additional sense: /  /p; s/.*Host_status=(\w+).*/  host status \1/p'
}

# READ FPDMA QUEUED of 8 blocks at an LBA of 16 bits, with COUNT 15:8 for the priority.
read_fpdma() { # NODE LBA [COUNT-15:8 [DEVICE]]
	local lba
	lba=$(printf '%04x' "$2")
	pass "$1" "-r 4k" 85 19 1d 00 08 "${3:-00}" 28 00 "${lba:2}" 00 "${lba:0:2}" 00 00 "${4:-40}" 60 00
}

# READ LOG EXT of one page, into a file.
read_log() { # NODE ADDRESS FILE
	pass "$1" "-r 512 -o $3" 85 09 0e 00 00 00 01 00 "$2" 00 00 00 00 40 2f 00
}

bytes() { # FILE FIRST N
	od -An -tx1 -j "$2" -N "$3" "$1"
}

echo "--- data"
disk=$(fake_sata LABFAKE --prio --send-receive --autosense --bad-lba 2000 --crc-errors 2)
node=$(sg_node "$disk")
echo "queue depth $(<"/sys/block/${disk#/dev/}/device/queue_depth")"
head -c 64k /dev/urandom >data
dd if=data of="$disk" bs=64k oflag=direct status=none
dd if="$disk" of=back bs=64k count=1 iflag=direct status=none
cmp data back
sg_raw -r 4k -o back "$node" 85 19 1d 00 08 00 00 00 08 00 00 00 00 40 60 00 2>/dev/null
cmp -n 4096 -i 4096:0 data back && echo "the same bytes"
asked LABFAKE

echo "--- what it is"
sg_sat_identify --raw "$node" >identify
python3 -c 'import sys; print("checksum", sum(open("identify", "rb").read()) % 256)'
hdparm -I "$disk" | sed -nE 's/^\s+(Model|Serial|Queue depth|\*\s+(Native|NCQ p|Data Set)|LBA48  user)/\1/p'
smartctl -i "$disk" | grep -E '^(Serial|TRIM|SATA V|Rotation)'
: >LABFAKE.ata

echo "--- queued commands"
read_fpdma "$node" 16
read_fpdma "$node" 16 80
read_fpdma "$node" 16 00 c0
pass "$node" "-r 4k" 7f 00 00 00 00 00 00 18 1f f0 19 1d 00 00 00 00 00 00 00 20 00 08 40 00 40 60 00 33 00 00 00 00
asked LABFAKE

echo "--- a bad block"
read_fpdma "$node" 1999
read_log "$node" 10 log
bytes log 0 17
read_log "$node" 10 log
bytes log 0 1
dd if="$disk" of=/dev/null bs=4k skip=250 count=1 iflag=direct 2>&1 | sed -n '1s/.*: //p'
asked LABFAKE

echo "--- trim"
blkdiscard -f -o 4096 -l 8192 "$disk" 2>/dev/null
# One range of 8 blocks from 40 on, queued: bit 0 of AUXILIARY.
printf '\x28\0\0\0\0\0\x08\0' | dd of=range bs=512 conv=sync status=none
pass "$node" "-s 512 -i range" 7f 00 00 00 00 00 00 18 1f f0 19 05 00 00 00 00 00 00 00 00 00 01 00 00 40 64 00 00 00 00 00 01
dd if="$disk" of=back bs=24k count=1 iflag=direct status=none
python3 - <<'END'
data, back = open("data", "rb").read(), open("back", "rb").read()
same = [data[at:at + 512] == back[at:at + 512] for at in range(0, len(back), 512)]
zero = [not any(back[at:at + 512]) for at in range(0, len(back), 512)]
print("zero:", [n for n, is_zero in enumerate(zero) if is_zero])
print("neither:", [n for n in range(48) if same[n] == zero[n]])
END
sed -i '/ op=6[01] /d' LABFAKE.ata
asked LABFAKE

echo "--- the link"
events() {
	smartctl -l sataphy "$disk" | sed -nE 's/^0x000b  4 +([0-9]+) .*/\1/p'
}
before=$(events)
dd if="$disk" of=/dev/null bs=4k count=8 iflag=direct status=none
echo "$(($(events) - before > 3)) counted"

echo "--- all that are queued fail with one"
disk=$(fake_sata LABABORT --latency 4000000 --priority-first --ncq-abort --bad-lba 100)
node=$(sg_node "$disk")
read_fpdma "$node" 8 >abort.1 &
read_fpdma "$node" 96 80 >abort.2 &
read_fpdma "$node" 200 >abort.3 &
wait
cat abort.*
grep -o 'lba=.*result=.*' LABABORT.ata | sed 's/outstanding=. //' | sort
read_log "$node" 10 log
bytes log 2 12

echo "--- out of order"
disk=$(fake_sata LABORDER --latency 5000 --4kn --size 64)
blockdev --getss --getsize64 "$disk"
fio --name=order --filename="$disk" --direct=1 --ioengine=libaio --rw=randread \
	--bs=4k --iodepth=32 --size=1M --allow_file_create=0 >fio.log
awk -F'[= ]' '$2 < last { late++ } { last = $2; if ($(NF - 2) > most) most = $(NF - 2) }
	END { print (late > 50), "out of order,", most, "at once" }' LABORDER.ata

echo "--- without NCQ"
disk=$(fake_sata LABREFUSE --refuse-fpdma --no-log)
node=$(sg_node "$disk")
read_fpdma "$node" 8
read_log "$node" 10 log
asked LABREFUSE

echo "--- no answer"
disk=$(fake_sata LABSILENT --silent-lba 800 --vanish-after 8)
node=$(sg_node "$disk")
pass "$node" "-t 2 -r 4k" 85 19 1d 00 08 00 00 00 20 00 03 00 00 40 60 00
echo "--- vanished"
: >LABSILENT.ata
for skip in 1 2 3 4 5 6 7 8; do
	dd if="$disk" of=/dev/null bs=4k skip=$skip count=1 iflag=direct status=none 2>&1 || break
done
vanished() { [ ! -e "$disk" ] && [ ! -e "$node" ]; }
wait_for 10 vanished || fail "the disk is still there"
echo "gone"
