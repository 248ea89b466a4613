# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash

# A C file without its comments and without the insides of its strings.
code_of() {
	"${CC:-cc}" -w -fpreprocessed -dD -E -P "$1" | sed -E 's/"([^"\\]|\\.)*"/""/g'
}
