# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# devices: nvme-meta
# timeout: 400
# check-engine on formats with metadata, apart and in the blocks, with and
# without protection: made by the controller, and by the engine.
. "$LAB_TREE/tests/lab/nvme_pt.sh"
checked=--pi_chk=GUARD,APPTAG,REFTAG

format() { # WHAT NSID [FIO-OPTION...]
	local what=$1 char
	char=$(generic "$(namespace LABMETA "$2")")
	shift 2
	conforms "$what" "$char" block_mix "$@"
}

format "apart" 2 --md_pattern=0x5a --md_check=1
format "in the blocks" 3 --md_pattern=0x5a --md_check=1
format "in the blocks, ioctl" 3 --md_pattern=0x5a --md_check=1 --transport=ioctl
format "type 1, controller" 1 $checked
format "type 1, engine" 1 --pi_act=0 $checked
format "type 1 in the blocks, controller" 4 $checked
format "type 1 in the blocks, engine" 4 --pi_act=0 $checked
format "type 1 of 64 bits, engine" 5 --pi_act=0 $checked
format "type 2 and more, controller" 6 $checked --md_pattern=0x5a --md_check=1
format "type 2 and more, engine" 6 --pi_act=0 $checked --md_pattern=0x5a --md_check=1
format "type 3, engine" 7 --pi_act=0 --pi_chk=GUARD,APPTAG
conforms "type 1 on the block device" "$(namespace LABMETA 1)" verify_1m,block_mix \
	--pi_act=0 $checked
conforms "type 2 and more, 8 jobs" "$(generic "$(namespace LABMETA 6)")" \
	verify_1m,threads --pi_act=0 $checked
