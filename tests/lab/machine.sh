# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# shellcheck disable=SC2154,SC2034 # what scripts/lab defines and reads
# One guest from its start to its end. For scripts/lab, which defines top, lab,
# cache, keep, mode, scratch, kernel_dir and the command qemu.

run='' guest=''

stop_guest() {
	[ -n "$guest" ] || return 0
	kill "$guest" 2>/dev/null || true
	wait "$guest" 2>/dev/null || true
	guest=
}

clean_up() {
	stop_cases
	stop_guest
	[ ${#scratch[@]} -eq 0 ] || rm -rf "${scratch[@]}"
}

new_run() {
	run=$(mktemp -d "$cache/run.XXXXXX")
	scratch+=("$run")
	mkdir "$run/share"
	: >"$run/qemu.log"
	: >"$run/kernel.log"
}

end_run() {
	if $keep; then
		say "Kept: $run"
		scratch=()
	else
		rm -rf "$run"
	fi
}

# QEMU takes a doubled comma for a comma.
quoted() { # PATH
	echo "${1//,/,,}"
}

# Fresh images, the modules to load, and the options, into the array machine.
add_devices() { # DEVICES...
	local name file image size line
	for name; do
		file=$lab/devices/$name.qemu
		[ -f "$file" ] || { echo "lab: no devices $name" >&2; exit 2; }
		while read -r image size; do
			truncate -s "$size" "$run/$image"
		done < <(head_of "$file" image)
		head_of "$file" modules | tr ' ' '\n' >>"$run/share/modules"
		while IFS= read -r line; do
			line=${line//@IMAGES@/$(quoted "$run")}
			machine+=("${line%% *}" "${line#* }")
		done < <(grep '^-' "$file")
	done
}

make_initrd() { # OUT
	local dir=$run/initrd
	mkdir "$dir"
	cp -r "$kernel_dir/busybox" "$kernel_dir/early" "$lab/init" "$dir/"
	chmod +x "$dir/init" "$dir/busybox"
	(cd "$dir" && find . | cpio -o -H newc --quiet) >"$1"
	# With the guest's PATH, so that it is the guest's programs.
	PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
		python3 -B "$lab/resident.py" resident >>"$1"
	rm -rf "$dir"
}

# What this machine has built, the first that is there.
copy_built() { # NAME PATH...
	local name=$1 one
	shift
	for one; do
		if [ -f "$one" ]; then
			cp "$one" "$run/share/$name"
			return
		fi
	done
}

export_folder() { # TAG PATH [OPTION]
	machine+=(-virtfs "local,path=$(quoted "$2"),mount_tag=$1,security_model=none,multidevs=remap${3:-}")
}

# Only TCG: that /dev/kvm exists does not mean that a guest's kernel runs on it.
processors_of() { # MACHINE: the options of QEMU; nothing for an unknown machine
	case $1 in
	normal) echo -accel tcg,thread=multi -smp 2 ;;
	# The clock is the count of instructions, 2 ns each; idle time is skipped.
	icount) echo -accel tcg,thread=single -smp 1 -icount shift=1,sleep=off ;;
	esac
}

# With rdrand the random generator is ready before there is a second CPU: the code
# that is patched then is not patched while it runs, of which kernels died here.
# Watchdogs are patient, as an emulated CPU on a busy machine may stand still.
# Where programs are always at the same addresses, QEMU need not translate them
# anew each time, which is most of what a short job takes.
describe_machine() { # MACHINE
	[ -n "$(processors_of "$1")" ] || { echo "lab: no machine $1" >&2; exit 2; }
	# shellcheck disable=SC2207 # words are what is wanted
	machine=($(processors_of "$1") -machine q35 -cpu "Nehalem,+rdrand" -m 1536
		-nodefaults -display none -no-reboot
		-kernel "$kernel_dir/vmlinux" -initrd "$run/initrd.cpio"
		-append "console=ttyS0 loglevel=8 panic=-1 tsc=reliable norandmaps mitigations=off watchdog_thresh=30 rcupdate.rcu_cpu_stall_timeout=60 sysctl.kernel.hung_task_timeout_secs=40 lab_tree=$top lab_share=$run/share"
		-serial "file:$(quoted "$run/kernel.log")")
	if [ -e "$run/share/interactive" ]; then
		machine+=(-serial mon:stdio)
	fi
	export_folder root / ,readonly=on
	export_folder tree "$top" ,readonly=on
	export_folder share "$run/share"
	export_folder modules "$kernel_dir/modules" ,readonly=on
}

# A command's output as it comes; ends with the guest.
follow_output() {
	if [ "$mode" = shell ] && [ ! -e "$run/share/interactive" ]; then
		: >"$run/share/output"
		tail -n +1 -s 0.2 -f --pid="$guest" "$run/share/output" &
	fi
}

# Sets ending: exited (and status), timeout, panic or died.
run_guest() { # MACHINE SECONDS DEVICES...
	local code=0 limit=$(($2 + 60)) machine
	: >"$run/share/modules"
	describe_machine "$1"
	shift 2
	add_devices "$@"
	make_initrd "$run/initrd.cpio"
	copy_built fio-report "${FIO_REPORT:-}" "$top"/build*/report/fio-report
	copy_built nvme_pt.so "${NVME_PT:-}" "$top"/build*/engines/nvme_pt.so
	copy_built sata_ncq.so "${SATA_NCQ:-}" "$top"/build*/engines/sata_ncq.so
	copy_built fake_sata "${FAKE_SATA:-}" "$top"/build*/tests/lab/fake_sata/fake_sata
	# Should this script be killed, the kernel kills both.
	setpriv --pdeathsig KILL timeout --foreground -k 5 "$limit" \
		setpriv --pdeathsig KILL "${qemu[@]}" "${machine[@]}" \
		<"$(stdin_of_guest)" 2>>"$run/qemu.log" &
	guest=$!
	follow_output
	wait "$guest" || code=$?
	wait
	guest=
	status=
	[ ! -f "$run/share/status" ] || status=$(<"$run/share/status")
	if [ -n "$status" ]; then
		ending=exited
	elif [ "$code" -eq 124 ] || [ "$code" -eq 137 ]; then
		ending=timeout
	elif grep -aq 'Kernel panic' "$run/kernel.log"; then
		ending=panic
	else
		ending=died
	fi
}

stdin_of_guest() {
	if [ -e "$run/share/interactive" ]; then echo /dev/tty; else echo /dev/null; fi
}
