# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# shellcheck disable=SC2154 # what the engine's own file sets
# For cases of an engine that this machine must have built. nvme_pt.sh or another
# file sets engine_name, interrupts_of (the driver's in /proc/interrupts) and
# names (sed: nodes without what changes from boot to boot), and reads this one.

requires fio
[ -f "$LAB_SHARE/$engine_name.so" ] || skip "$engine_name.so was not built"
cp "$LAB_SHARE/$engine_name.so" .
engine=$PWD/$engine_name.so

# A job, limited in time. What fio says goes to NAME.log, with its JSON.
run_job() { # NAME DEVICE [FIO-OPTION...]
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

# A job that must end well, and what it came to.
well() { # NAME DEVICE [FIO-OPTION...]
	run_job "$@" || fail "$1: status $?: $(said "$1")"
}

good() { # NAME DEVICE [FIO-OPTION...]
	well "$@"
	came_to "$1"
}

# A job that must end with an error, after its I/O or before it.
badly() { # NAME DEVICE [FIO-OPTION...]
	local code=0
	run_job "$@" || code=$?
	[ "$code" -ne 0 ] || fail "$1 ends with status 0: $(said "$1")"
	[ "$code" -le 128 ] || fail "$1 ends with status $code: $(said "$1")"
}

bad() { # NAME DEVICE [FIO-OPTION...]
	badly "$@"
	came_to "$1"
}

# Names of nodes change from boot to boot.
anonymous() {
	sed -E "$names"
}

# The engine's own words; status 1 if there are none.
told() { # NAME
	local words
	words=$(grep -a "^$engine_name: " "$1.log") || return 1
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

# check-engine on a device: a line of the cases' ends, and the faults.
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

# How often each line comes.
counted() {
	sort | uniq -c | sed -E 's/^ +([0-9]+) /  \1x /'
}

# A job in the background, when it has begun its I/O; its process is $job.
begin() { # NAME DEVICE [FIO-OPTION...]
	local before
	before=$(interrupts)
	run_job "$@" 2>/dev/null &
	job=$!
	wait_for 20 more_than "$before" || fail "$1 does no I/O: $(said "$1")"
	sleep 1
}

# Interrupts of the drive: passthrough is in no statistics of the block device.
interrupts() {
	awk -v driver="$interrupts_of" '$0 ~ driver { for (i = 2; i <= 3; i++) n += $i }
		END { print n + 0 }' /proc/interrupts
}

more_than() { # NUMBER
	[ "$(interrupts)" -gt $(($1 + 200)) ]
}

no_fio() {
	! pgrep -x fio
}

# Of the job of begin: soon, and whether well.
ends() { # NAME
	local code=0
	wait "$job" || code=$?
	[ "$code" -le 128 ] || fail "$1 hangs: $(said "$1")"
	echo "$1: status $code"
	came_to "$1" >/dev/null
}
