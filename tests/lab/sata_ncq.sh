# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# For cases of the engine sata_ncq on SATA disks in user space.

requires fio
[ -f "$LAB_SHARE/sata_ncq.so" ] || skip "sata_ncq.so was not built"
cp "$LAB_SHARE/sata_ncq.so" .
engine=$PWD/sata_ncq.so

# A job, limited in time. What fio says goes to NAME.log, with its JSON.
pt() { # NAME DEVICE [FIO-OPTION...]
	local name=$1 device=$2
	shift 2
	timeout -s KILL "${limit:-40}" fio --name="$name" --filename="$device" \
		--ioengine="$engine" --allow_file_create=0 --thread \
		--output-format=json "$@" >"$name.log" 2>&1
}

said() { # NAME
	sed '/^{$/,$d' "$1.log"
}

well() { # NAME DEVICE [FIO-OPTION...]
	pt "$@" || fail "$1: status $?: $(said "$1")"
}

badly() { # NAME DEVICE [FIO-OPTION...]
	local code=0
	pt "$@" || code=$?
	[ "$code" -ne 0 ] || fail "$1 ends with status 0: $(said "$1")"
	[ "$code" -le 128 ] || fail "$1 ends with status $code: $(said "$1")"
}

anonymous() {
	sed -E 's#/dev/(sd|sg)[a-z0-9]+#/dev/\1X#g'
}

told() { # NAME
	local words
	words=$(grep -a '^sata_ncq: ' "$1.log") || return 1
	anonymous <<<"$words"
}

refused() { # NAME DEVICE [FIO-OPTION...]
	badly "$@"
	told "$1" || fail "$1: no sentence of the engine: $(said "$1")"
}

# What a job came to, and what the disk saw of it, whose log begins anew.
saw() { # JOB DISK [sent|errors|queue|priority|trims [FIELD...]]
	python3 "$LAB_TREE/tests/lab/inspect_ata.py" "$@" ||
		fail "$1: $(said "$1")"
	: >"/tmp/$2.ata"
}
