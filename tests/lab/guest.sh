# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# guest.sh CASE|--shell: runs in the guest, as root, with what a case may call.
set -eu

fail() { # SENTENCE
	echo "failed: $*" >&2
	exit 1
}

skip() { # REASON
	echo "skipped: $*" >&2
	exit 77
}

# The case is skipped where one of these commands or modules is missing.
requires() { # [module:]NAME...
	local one
	for one; do
		case $one in
		module:*)
			modprobe -q "${one#module:}" ||
				skip "this kernel has no module ${one#module:}"
			;;
		*) command -v "$one" >/dev/null || skip "$one is not installed" ;;
		esac
	done
}

# Wait until a command succeeds. It is tried five times a second.
wait_for() { # SECONDS COMMAND...
	local left=$(($1 * 5))
	shift
	until "$@" >/dev/null; do
		[ $((left -= 1)) -gt 0 ] || return 1
		sleep 0.2
	done
}

# Controllers get their numbers in the order of probing, which differs from
# boot to boot: a namespace is found by its drive's serial and its own id.
find_namespace() { # SERIAL NSID
	local block serial
	for block in /sys/class/block/nvme*; do
		[ -e "$block/nsid" ] || continue
		# nvme0c0n1 is one path to nvme0n1, and has no node.
		[[ ${block##*/} =~ ^nvme[0-9]+n[0-9]+$ ]] || continue
		serial=$(cat "$block/device/serial" 2>/dev/null ||
			cat "$block"/device/nvme*/serial) || continue
		if [ "${serial%% *}" = "$1" ] && [ "$(<"$block/nsid")" = "$2" ]; then
			echo "/dev/${block##*/}"
			return
		fi
	done
	return 1
}

find_sata() { # SERIAL
	local block serial
	for block in /sys/class/block/sd*; do
		[ -r "$block/device/vpd_pg80" ] || continue
		# Four bytes of head, then the serial, padded.
		serial=$(tail -c +5 "$block/device/vpd_pg80" | tr -d ' \0')
		if [ "$serial" = "$1" ] && [ ! -e "$block/partition" ]; then
			echo "/dev/${block##*/}"
			return
		fi
	done
	return 1
}

find_scsi_debug() {
	local block
	for block in /sys/class/block/sd*; do
		[ -e "$block/device/scsi_generic" ] || continue
		if [ "$(tr -d ' ' <"$block/device/model")" = scsi_debug ]; then
			echo "/dev/${block##*/}"
			return
		fi
	done
	return 1
}

namespace() { # SERIAL NSID
	wait_for 20 find_namespace "$@" || fail "no namespace $2 of the drive $1"
	find_namespace "$@"
}

sata() { # SERIAL
	wait_for 20 find_sata "$1" || fail "no SATA disk $1"
	find_sata "$1"
}

# A SCSI disk that is no ATA drive. Prints its block device.
scsi_disk() { # [PARAMETER-OF-SCSI_DEBUG...]
	requires module:sd_mod module:sg
	modprobe -q scsi_debug dev_size_mb=16 "$@" ||
		skip "this kernel has no module scsi_debug"
	wait_for 20 find_scsi_debug || fail "no disk of scsi_debug"
	find_scsi_debug
}

# The sg node of a SCSI or SATA disk: /dev/sg0 of /dev/sda.
sg_node() { # /dev/sdX
	echo "/dev/$(ls "/sys/block/${1#/dev/}/device/scsi_generic")"
}

# With the device fis-trace: what AHCI disks are sent from now on.
fis_begin() {
	stat -c %s "$LAB_SHARE/fis.log" >/tmp/fis.begin
}

# The ATA commands that a SATA disk was sent since, a line each.
fis() { # /dev/sdX
	local ata
	ata=$(readlink -f "/sys/block/${1#/dev/}" | grep -oE '/ata[0-9]+/')
	python3 "$LAB_TREE/tests/lab/fis.py" "$LAB_SHARE/fis.log" \
		$(($(<"/sys/class/ata_port/${ata//\//}/port_no") - 1)) "$(</tmp/fis.begin)"
}

# A namespace LABLOOP that the kernel itself plays (nvme-loop), with the data of a
# block device. Prints its own block device.
loop_over() { # BLOCK-DEVICE
	local target=/sys/kernel/config/nvmet name=nqn.2014-08.org.example:lab
	local subsystem=$target/subsystems/$name
	requires nvme module:nvmet module:nvme-loop
	mount -t configfs none /sys/kernel/config
	mkdir "$subsystem" "$subsystem/namespaces/1" "$target/ports/1"
	echo LABLOOP >"$subsystem/attr_serial"
	echo 1 >"$subsystem/attr_allow_any_host"
	echo "$1" >"$subsystem/namespaces/1/device_path"
	echo 1 >"$subsystem/namespaces/1/enable"
	echo loop >"$target/ports/1/addr_trtype"
	ln -s "$subsystem" "$target/ports/1/subsystems/$name"
	nvme connect --transport=loop --nqn="$name" >/dev/null
	namespace LABLOOP 1
}

# One without a drive (null_blk): data are lost, I/O takes only instructions and so
# many microseconds.
loop_namespace() { # [MICROSECONDS]
	modprobe null_blk nr_devices=1 gb=1 bs=512 hw_queue_depth=128 \
		irqmode=$((${1:-0} ? 2 : 0)) completion_nsec=$((${1:-0} * 1000))
	loop_over /dev/nullb0
}

# The character device of a namespace: /dev/ng0n1 of /dev/nvme0n1.
generic() { # /dev/nvmeXnY
	echo "/dev/ng${1#/dev/nvme}"
}

fio_review() {
	"$LAB_TREE/scripts/fio-review" "$@"
}

# A short curve; more options may follow. What is printed goes to RUN.log.
measure() { # DEVICE RUN [OPTION...]
	local device=$1 run=$2
	shift 2
	fio_review run --target "$device" --destroy-data-on "$device" --out "$run" \
		--profiles four-corners/64k-sequential-write --points 50,100 \
		--runtime 1 --ramp 0.5 "$@" >"$run.log" 2>&1
}

inspect_run() { # RUN [FACT...]
	python3 "$LAB_TREE/tests/lab/inspect_run.py" "$@"
}

# The review of a run, if this machine has built fio-report.
review() { # RUN
	[ -x "$LAB_SHARE/fio-report" ] || {
		echo "no review: fio-report was not built"
		return
	}
	"$LAB_SHARE/fio-report" review "$1" --out "$1-review" >"$1-review.log" 2>&1 ||
		fail "no review: $(cat "$1-review.log")"
	[ -s "$1-review/index.html" ] || fail "the review has no page: $(ls "$1-review")"
	echo "a review is there"
}

load_modules() {
	local module
	while read -r module; do
		modprobe "$module"
	done <"$LAB_SHARE/modules"
}

# shellcheck source=tests/lab/fake_sata.sh
. "$LAB_TREE/tests/lab/fake_sata.sh"
load_modules
cd /tmp
if [ "$1" = --shell ]; then
	export -f namespace sata generic find_namespace find_sata wait_for fail \
		skip requires sg_node scsi_disk find_scsi_debug fis_begin fis \
		fake_sata fake_sata_geometry fake_sata_core fake_sata_uio \
		fake_sata_run fake_sata_attached
	export fake_sata_target
	echo "The tree is in $LAB_TREE, $LAB_SHARE can be written. End with: exit"
	setsid --ctty bash -i <>/dev/ttyS1 >&0 2>&1 || true
	exit 0
fi
# shellcheck disable=SC1090 # the case
. "$1"
