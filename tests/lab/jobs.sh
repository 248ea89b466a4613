# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# shellcheck disable=SC2154 # what scripts/lab defines
# Cases side by side, each in a scripts/lab of its own. For scripts/lab, which
# defines top, lab, cache, scratch, jobs, passed_on, say() and timeout_of().

# What each process that runs a case will need of all, in seconds, and its output.
declare -A working=()

# A guest for each processor, if there are 2 GiB of memory for each.
default_jobs() {
	local fit
	fit=$(awk '$1 == "MemAvailable:" { print int($2 / 2097152) }' /proc/meminfo)
	[ "$fit" -ge 1 ] || fit=1
	[ "$fit" -lt "$(nproc)" ] || fit=$(nproc)
	echo "$fit"
}

stop_cases() {
	[ ${#working[@]} -gt 0 ] || return 0
	kill "${!working[@]}" 2>/dev/null || true
	wait
	working=()
}

# So that at the end no processor waits for a long one. Their time limits stand
# for how long they are.
longest_first() { # CASE...: lines of seconds and name
	local name
	for name; do
		echo "$(timeout_of "$lab/cases/$name.sh") $name"
	done | sort -s -k1,1nr
}

start_case() { # SECONDS NAME
	local output
	output=$(mktemp "$outputs/XXXXXX")
	# Should this script be killed, that one ends its guest.
	setpriv --pdeathsig TERM "$top/scripts/lab" "${passed_on[@]}" "$2" \
		>"$output" 2>&1 </dev/null &
	working[$!]="$1 $output"
}

# Prints what the next case that ends came to.
finish_case() {
	local pid seconds output code=0 left=''
	wait -n -p pid "${!working[@]}" || code=$?
	read -r seconds output <<<"${working[$pid]}"
	unset "working[$pid]"
	case $code in
	0) ok=$((ok + 1)) ;;
	77) skipped=$((skipped + 1)) ;;
	*) failed=$((failed + 1)) ;;
	esac
	ended=$((ended + 1)) past=$((past + seconds))
	if [ "$ended" -lt "$count" ]; then
		left=$(((SECONDS - begin) * (all - past) / past))
		left=", $(((left + 59) / 60)) min left"
	fi
	echo "[$ended/$count$left] $(<"$output")"
}

run_side_by_side() { # CASE...: status 0 all pass, 1 one fails, 77 all are skipped
	local count=$# ended=0 ok=0 failed=0 skipped=0
	local all=0 past=0 begin=$SECONDS outputs line lines
	outputs=$(mktemp -d "$cache/run.XXXXXX")
	scratch+=("$outputs")
	mapfile -t lines < <(longest_first "$@")
	for line in "${lines[@]}"; do
		all=$((all + ${line% *}))
	done
	say "$count cases, $jobs at a time"
	for line in "${lines[@]}"; do
		[ ${#working[@]} -lt "$jobs" ] || finish_case
		start_case "${line% *}" "${line#* }"
	done
	while [ ${#working[@]} -gt 0 ]; do
		finish_case
	done
	say "$ok passed, $failed failed, $skipped skipped in $((SECONDS - begin)) s"
	[ $failed -eq 0 ] || return 1
	[ $ok -gt 0 ] || return 77
}
