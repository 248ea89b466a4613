# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# devices: sata sata-error
# In /dev a name may lead to another disk, as in a container that was made before a
# disk was plugged in: what is written must not go there, nor its use be overlooked.
. "$LAB_TREE/tests/lab/sata_ncq.sh"
block=$(sata LABSATA)
other=$(sata LABSATAERR)
node=$(sg_node "$block")
job=(--rw=write --bs=4k --size=1M)

number() { # NODE
	stat -c '%Hr %Lr' "$1"
}

make() { # NODE b|c "MAJOR MINOR"
	rm "$1"
	# shellcheck disable=SC2086 # two numbers
	mknod "$1" "$2" $3
}

before=$(head -c 2M "$other" | cksum)
its=$(number "$node")
make "$node" c "$(number "$(sg_node "$other")")"
refused commands "$block" "${job[@]}"
make "$node" c "$its"

its=$(number "$block")
make "$block" b "$(number "$other")"
refused claim "$node" "${job[@]}"
refused no-sg "$node" "${job[@]}" --transport=sync
make "$block" b "$its"
sync
[ "$(head -c 2M "$other" | cksum)" = "$before" ] || fail "the other disk was written to"

good right "$block" "${job[@]}" --verify=crc32c
