# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# devices: nvme
# timeout: 240
# What fio asked of a device when it began does not hold for another one, to which the
# same name leads when the job's turn comes.
. "$LAB_TREE/tests/lab/nvme_pt.sh"
first=$(generic "$(namespace LABNVME 1)")
loop=$(loop_over "$(namespace LABNVME 2)")

# A job that begins after another one, before whose I/O a command runs; fio has asked
# all devices by then.
changed() { # NAME COMMAND DEVICE DIRECTION
	bad "$1" "$first" --rw=read --bs=4k --size=4k --exec_prerun="$2" \
		--name="$1" --stonewall --filename="$3" --ioengine="$engine" \
		--allow_file_create=0 --thread --rw="$4" --bs=4k --size=1M
	told "$1"
}

# Another drive's namespace, of the same number.
ln -s "$(generic "$loop")" node
changed link "ln -sfn $first node" node write

# As after a hot plug: another controller by the same name, here even the same data.
# The name of one that is written is not given again, as that one is claimed.
cat >plug-again <<'END'
name=nqn.2014-08.org.example:lab
nvme disconnect --nqn=$name
sleep 1
nvme connect --transport=loop --nqn=$name
until [ -e "$1" ]; do sleep 0.2; done
END
changed plug "sh plug-again $(generic "$loop")" "$(generic "$loop")" read
[ "$(namespace LABLOOP 1)" = "$loop" ] || fail "the name has changed"
good again "$(generic "$loop")" --rw=write --bs=4k --size=1M
