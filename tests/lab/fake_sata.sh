# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# For guest.sh: SATA disks in user space (target_core_user behind tcm_loop).

fake_sata_target=/sys/kernel/config/target

# The size and the blocks that its options give it, for the kernel.
fake_sata_geometry() { # [OPTION...]
	local mib=128 block=512
	while [ $# -gt 0 ]; do
		case $1 in
		--size) mib=$2 ;;
		--size=*) mib=${1#*=} ;;
		--4kn) block=4096 ;;
		esac
		shift
	done
	echo "dev_size=$((mib << 20)),hw_block_size=$block,hw_max_sectors=$(((32 << 20) / block))"
}

# A command may take for ever, and who gives one up tells the disk.
fake_sata_core() { # NAME GEOMETRY: makes the device of target_core_user
	local core=$fake_sata_target/core/user_0/$1
	mkdir -p "$core"
	echo "dev_config=lab/$1,$2" >"$core/control"
	echo 1 >"$core/enable"
	echo 0 >"$core/attrib/cmd_time_out"
	echo 1 >"$core/attrib/tmr_notification"
}

fake_sata_uio() { # NAME
	local found
	found=$(grep -lx "tcm-user/0/$1/lab/$1" /sys/class/uio/uio*/name) || return 1
	basename "$(dirname "$found")"
}

# The disk itself. When it vanishes, the kernel is told, as by an unplugged cable.
fake_sata_run() { # NAME UIO PORT [OPTION...]
	local name=$1 uio=$2 port=$3
	shift 3
	"$LAB_SHARE/fake_sata" --serial "$name" --uio "/dev/$uio" \
		--map-bytes "$(<"/sys/class/uio/$uio/maps/map0/size")" \
		--trace "/tmp/$name.ata" --offline "$port/transport_status" "$@" &
	echo $! >"/tmp/$name.pid"
	wait $!
	echo 1 >"/sys/block/$(<"/tmp/$name.device")/device/delete"
}

fake_sata_attached() { # NAME: the kernel has read what it wants
	local device
	device=$(find_sata "$1") || return 1
	[ -d "/sys/block/${device#/dev/}/device/scsi_generic" ] || return 1
	dmesg | grep "\[${device#/dev/}\] Attached SCSI disk"
}

# A SATA disk in user space. Each ATA command that it gets is a line of /tmp/NAME.ata;
# README.md has its options. Prints its block device.
fake_sata() { # NAME [OPTION...]
	local name=$1 number port uio device
	[ -x "$LAB_SHARE/fake_sata" ] || skip "fake_sata was not built"
	requires module:sd_mod module:sg module:target_core_user module:tcm_loop
	shift
	mountpoint -q /sys/kernel/config || mount -t configfs none /sys/kernel/config
	fake_sata_core "$name" "$(fake_sata_geometry "$@")"
	uio=$(fake_sata_uio "$name")
	number=$(printf '%09d' "${uio#uio}")
	port=$fake_sata_target/loopback/naa.6001405$number/tpgt_1
	mkdir -p "$port"
	fake_sata_run "$name" "$uio" "$port" "$@" >"/tmp/$name.log" 2>&1 &
	echo "naa.6001406$number" >"$port/nexus"
	mkdir "$port/lun/lun_0"
	ln -s "$fake_sata_target/core/user_0/$name" "$port/lun/lun_0/port"
	wait_for 20 fake_sata_attached "$name" ||
		fail "no fake disk $name: $(cat "/tmp/$name.log")"
	device=$(find_sata "$name")
	# As many as SATA has tags, which is what Linux's own SATA drivers have.
	echo 32 >"/sys/block/${device#/dev/}/device/queue_depth"
	# From now on it does what its options say.
	echo "${device#/dev/}" >"/tmp/$name.device"
	: >"/tmp/$name.ata"
	kill -USR1 "$(<"/tmp/$name.pid")"
	echo "$device"
}
