# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# shellcheck disable=SC2034 # for engine.sh
# For cases of the engine nvme_pt.

requires nvme
engine_name=nvme_pt interrupts_of=nvme
names='s#/dev/(nvme|ng)[0-9]+#/dev/\1X#g; s#/dev/((nvme|ng)X)n[0-9]+#/dev/\1nY#g
	s#\b(nvme)[0-9]+n[0-9]+#\1XnY#g'
# shellcheck source=tests/lab/engine.sh
. "$LAB_TREE/tests/lab/engine.sh"

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
