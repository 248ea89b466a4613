# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash

# Every line of the output must match the pattern on the same line.
match_globs() { # PATTERNS OUTPUT
	local patterns lines i
	mapfile -t patterns <"$1"
	mapfile -t lines <"$2"
	if [ "${#patterns[@]}" -ne "${#lines[@]}" ]; then
		echo "expected ${#patterns[@]} lines, got ${#lines[@]}:"
		cat "$2"
		return 1
	fi
	for i in "${!patterns[@]}"; do
		# shellcheck disable=SC2053 # a pattern is what is wanted
		if [[ ${lines[i]} != ${patterns[i]} ]]; then
			printf 'line %d\n  expected: %s\n  got:      %s\n' \
				$((i + 1)) "${patterns[i]}" "${lines[i]}"
			return 1
		fi
	done
}

# WANTED is what is wanted exactly; WANTED.glob a pattern a line instead.
compare_output() { # WANTED OUTPUT
	if [ -e "$1.glob" ]; then
		match_globs "$1.glob" "$2"
	else
		diff -u "$1" "$2"
	fi
}
