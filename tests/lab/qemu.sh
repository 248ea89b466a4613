# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# shellcheck disable=SC2154,SC2034 # what scripts/lab defines and reads
# A newer QEMU than the system's, of Debian's packages, unpacked with every library
# that it needs and never installed. For scripts/lab, which defines top, lab, cache,
# scratch and say().

qemu_lacks=''

qemu_suite_of() { # RELEASE: nothing for an unknown one
	case $1 in
	10) echo trixie ;;
	esac
}

# With an empty database of packages apt thinks that nothing is installed, and so
# fetches libraries as new as the program.
fetch_qemu() { # DIR RELEASE
	local candidate
	: >"$1/log"
	debian_apt "$1" "$(qemu_suite_of "$2")" || return
	: >"$1/state/status"
	candidate=$(apt-cache -c "$1/apt.conf" policy qemu-system-x86 |
		sed -nE 's/^ *Candidate: ([0-9]+:)?//p')
	[[ $candidate == "$2".* ]] || return
	apt-get -q -y -c "$1/apt.conf" -o Dir::State::status="$1/state/status" \
		--no-install-recommends --download-only install qemu-system-x86 \
		>>"$1/log" 2>&1 </dev/null
}

unpack_qemu() { # DIR: into DIR/ready
	local dir=$1 deb folder
	mkdir -p "$dir/tree" "$dir/ready/usr/bin" "$dir/ready/usr/share"
	for deb in "$dir"/cache/archives/*.deb; do
		dpkg-deb -x "$deb" "$dir/tree"
	done
	mv "$dir/tree/usr/bin/qemu-system-x86_64" "$dir/ready/usr/bin/"
	for folder in lib64 lib/x86_64-linux-gnu share/qemu share/seabios; do
		mkdir -p "$(dirname "$dir/ready/usr/$folder")"
		mv -T "$dir/tree/usr/$folder" "$dir/ready/usr/$folder"
	done
}

# Whatever stops this, the folder is complete or absent.
get_qemu() { # RELEASE
	local work place=$cache/qemu-$1
	[ ! -d "$place" ] || return 0
	mkdir -p "$cache"
	work=$(mktemp -d "$cache/.qemu.XXXXXX")
	scratch+=("$work")
	say "Fetching QEMU $1 of Debian $(qemu_suite_of "$1") (40 MB, once)"
	fetch_qemu "$work" "$1" || {
		apt_words "$work/log"
		kernel_trouble "QEMU $1 could not be fetched from $(qemu_suite_of "$1"): is there a network?"
	}
	unpack_qemu "$work"
	mv -T "$work/ready" "$place" 2>/dev/null || [ -d "$place" ]
	rm -rf "$work"
}

# Sets the array qemu, the command: "# qemu: RELEASE" of a device, or else the system's.
# Status 1 if that one is not here, with the reason in qemu_lacks.
choose_qemu() { # DEVICES...
	local name release='' place
	for name; do
		[ -n "$release" ] || release=$(head_of "$lab/devices/$name.qemu" qemu)
	done
	qemu=(qemu-system-x86_64)
	[ -n "$release" ] || return 0
	place=$cache/qemu-$release/usr
	if [ ! -d "$place" ]; then
		qemu_lacks="needs QEMU $release, which scripts/lab --qemu $release --prepare fetches"
		return 1
	fi
	# By its own loader: the system's C library may be older.
	qemu=("$place/lib64/ld-linux-x86-64.so.2"
		--library-path "$place/lib/x86_64-linux-gnu"
		"$place/bin/qemu-system-x86_64"
		-L "$place/share/qemu" -L "$place/share/seabios")
}
