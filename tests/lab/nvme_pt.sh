# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# shellcheck disable=SC2034 # for the cases that read this file
# For cases of the engine nvme_pt, which this machine must have built.

requires fio nvme
[ -f "$LAB_SHARE/nvme_pt.so" ] || skip "nvme_pt.so was not built"
cp "$LAB_SHARE/nvme_pt.so" .
engine=$PWD/nvme_pt.so

# A job, limited in time. What fio says goes to NAME.log, with its JSON.
pt() { # NAME DEVICE [FIO-OPTION...]
	local name=$1 device=$2
	shift 2
	timeout -s KILL "${limit:-40}" fio --name="$name" --filename="$device" \
		--ioengine="$engine" --allow_file_create=0 --thread \
		--output-format=json "$@" >"$name.log" 2>&1
}

# What it came to.
came_to() { # NAME
	python3 "$LAB_TREE/tests/lab/inspect_job.py" "$@"
}

# What was said, for a failure: without the JSON.
said() { # NAME
	sed '/^{$/,$d' "$1.log"
}

# A job that must end well.
good() { # NAME DEVICE [FIO-OPTION...]
	pt "$@" || fail "$1: status $?: $(said "$1")"
	came_to "$1"
}

# A job that must end with an error, after its I/O or before it.
bad() { # NAME DEVICE [FIO-OPTION...]
	local code=0
	pt "$@" || code=$?
	[ "$code" -ne 0 ] || fail "$1 ends with status 0: $(said "$1")"
	[ "$code" -le 128 ] || fail "$1 ends with status $code: $(said "$1")"
	came_to "$1"
}

# Names of nodes change from boot to boot.
anonymous() {
	sed -E 's#/dev/(nvme|ng)[0-9]+#/dev/\1X#g; s#/dev/((nvme|ng)X)n[0-9]+#/dev/\1nY#g
		s#\b(nvme)[0-9]+n[0-9]+#\1XnY#g'
}

# The engine's own words; status 1 if there are none.
told() { # NAME
	local words
	words=$(grep -a '^nvme_pt: ' "$1.log") || return 1
	anonymous <<<"$words"
}

# A job that the engine refuses before anything is sent to the device.
refused() { # NAME DEVICE [FIO-OPTION...]
	local words
	words=$(bad "$@")
	[[ ! $words =~ [0-9]\ (reads|writes|trims) ]] || fail "$words: $(said "$1")"
	told "$1" || fail "$1: no sentence of the engine: $(said "$1")"
}

# What status_json=NAME of a job's NAME holds.
statuses() { # NAME...
	python3 "$LAB_TREE/tests/lab/inspect_job.py" --statuses "$@"
}

# check-engine on a namespace: a line of the cases' ends, and the faults.
conforms() { # WHAT DEVICE CASES|all [FIO-OPTION...]
	local what=$1 device=$2 only=()
	[ "$3" = all ] || only=(--only "$3")
	shift 3
	"$LAB_TREE/scripts/check-engine" "$engine" --target "$device" \
		--destroy-data-on "$device" "${only[@]}" -- "$@" >check.log 2>&1 || true
	echo "$what: $(sed -n '$s/ in [0-9]* s$//p' check.log)"
	grep -A 1 -E '^FAIL' check.log || true
	sed -nE 's/^skip  ([a-z_0-9]*).*: (.*)/  \1: \2/p' check.log
}

# What differs from the expected bytes: nothing, or the place.
same() { # WHAT FILE FILE
	cmp "$2" "$3" >cmp.log 2>&1 || fail "$1: $(cat cmp.log)"
	echo "$1: the same bytes"
}

# A job that must end well, and what the driver was given: opcode, dword 12's upper
# half (8000h Limited Retry, 4000h FUA, 200h DEAC), the lower byte of dword 13. The
# trace is in NAME.trace, with whatever else is enabled in $tracing/events.
tracing=/sys/kernel/tracing
sent() { # NAME DEVICE FIO-OPTION...
	local path event=$tracing/events/nvme/nvme_setup_cmd
	# A namespace that may have more paths is named after the path.
	path=$(sed -E 's#/dev/ng([0-9]+)(n[0-9]+)#nvme\1c?[0-9]*\2#' <<<"$2")
	[ -e $tracing/trace ] || mount -t tracefs none $tracing
	[ -e $event ] || skip "this kernel does not trace NVMe commands"
	echo >$tracing/trace
	echo 1 >$event/enable
	good "$@"
	echo 0 >$event/enable
	cp $tracing/trace "$1.trace"
	sed -nE "s/.* disk=$path, .* cmd=\((nvme_cmd_[a-z_]+) .*(ctrl=\w+, dsmgmt=\w+).*/\1 \2/p" \
		"$1.trace" | counted
}

# How often each line comes.
counted() {
	sort | uniq -c | sed -E 's/^ +([0-9]+) /  \1x /'
}
