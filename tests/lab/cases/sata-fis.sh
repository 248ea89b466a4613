# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# devices: sata sata-null fis-trace
# What AHCI's disks are sent can be told: QEMU's log against tools whose commands are
# known. And a SCSI disk that is no ATA drive says so.
requires sg_raw
null=$(sata LABSATANULL)
node=$(sg_node "$null")
other=$(sata LABSATA)

# The driver chooses the tag, in bits 7:3 of COUNT.
without_tag() {
	sed -E 's/ (tag|count)=[0-9a-f]+//g'
}

fis_begin
sg_raw -r 4k "$node" 85 19 1d 00 08 80 28 00 cc 00 07 00 00 c0 60 00 >/dev/null 2>&1
sg_raw -s 4k -i /dev/zero "$node" 85 19 15 00 08 00 00 00 10 00 00 00 00 40 61 00 >/dev/null 2>&1
sg_raw "$node" 85 07 00 00 00 00 00 00 00 00 00 00 00 40 ea 00 >/dev/null 2>&1
dd if="$other" of=/dev/null bs=64k count=1 skip=3 iflag=direct status=none
echo "--- LABSATANULL"
fis "$null" | without_tag
echo "--- LABSATA"
fis "$other" | without_tag

echo "--- no ATA drive"
disk=$(scsi_disk)
sg_raw -r 512 "$(sg_node "$disk")" 85 09 0e 00 00 00 01 00 00 00 00 00 00 40 ec 00 2>&1 |
	grep -E '^(SCSI Status|Additional sense)' | sed 's/ *$//'
