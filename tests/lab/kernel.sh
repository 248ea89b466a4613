# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# shellcheck disable=SC2154,SC2034 # what scripts/lab defines and reads
# The guest's kernel and busybox, unpacked from Debian's packages and never
# installed. For scripts/lab, which defines top, cache and say().

# shellcheck source=scripts/lib/apt.sh
. "$top/scripts/lib/apt.sh"

kernel_trouble() { # SENTENCE
	echo "skipped: $*"
	exit 77
}

# Where to look for a kernel, best first.
suites_of() { # RELEASE
	case $1 in
	6.12) echo trixie bookworm-backports ;;
	6.1) echo bookworm ;;
	esac
}

# The mirror that this system takes Debian itself from.
debian_mirror() {
	local mirror
	# shellcheck disable=SC2016 # apt expands these
	mirror=$(apt-get indextargets --format '$(REPO_URI) $(ORIGIN) $(LABEL)' \
		'Created-By: Packages' 2>/dev/null |
		awk '$2 == "Debian" && $3 == "Debian" { print $1; exit }')
	echo "${mirror:-http://deb.debian.org/debian}"
}

# apt's package sources: one suite, of which the lists are fetched.
debian_apt() { # DIR SUITE: with DIR/log
	rm -rf "${1:?}"/{etc,state,debs}
	private_apt "$1"
	printf 'deb [signed-by=%s] %s %s main\n' \
		/usr/share/keyrings/debian-archive-keyring.gpg \
		"$(debian_mirror)" "$2" >"$1/etc/sources.list.d/lab.list"
	apt-get -q -c "$1/apt.conf" update >>"$1/log" 2>&1
}

# What apt complained of.
apt_words() { # LOG
	grep -E '^[EW]:' "$1" | grep -v unsandboxed | sort -u | head -n 3 >&2 || true
}

get_debs() { # DIR SUITE PACKAGE...: with the kernel
	local dir=$1 suite=$2 real
	shift 2
	: >"$dir/log"
	debian_apt "$dir" "$suite" || return
	mkdir "$dir/debs"
	# The package linux-image-amd64 only names the newest kernel.
	real=$(apt-cache -c "$dir/apt.conf" depends linux-image-amd64 2>/dev/null |
		sed -nE 's/^ *Depends: (linux-image-[0-9].*)/\1/p' | head -n 1)
	[[ $real == linux-image-"$kernel".* ]] || return
	(cd "$dir/debs" && apt-get -q -c "$dir/apt.conf" download "$real" "$@") \
		>>"$dir/log" 2>&1 </dev/null
}

# What the guest needs before it can read the host's files: modules, unpacked,
# with their order in DIR/ready/early/order.
unpack_early_modules() { # DIR VERSION
	local early=$1/ready/early file base module
	mkdir "$early"
	for module in virtio_pci 9pnet_virtio 9p overlay; do
		modprobe -d "$1/tree" -S "$2" --show-depends "$module"
	done | awk '$1 == "insmod" && !seen[$2]++ { print $2 }' >"$1/early"
	while read -r file; do
		base=${file##*/}
		case $file in
		*.xz) xz -dc "$file" >"$early/${base%.xz}" ;;
		*) cp "$file" "$early/" ;;
		esac
		echo "${base%.xz}" >>"$early/order"
	done <"$1/early"
}

unpack_kernel() { # DIR: into DIR/ready
	local dir=$1 deb version
	mkdir "$dir/tree" "$dir/ready"
	for deb in "$dir"/debs/*.deb; do
		dpkg-deb -x "$deb" "$dir/tree"
	done
	[ -d "$dir/tree/lib/modules" ] || ln -sT usr/lib "$dir/tree/lib"
	version=$(ls "$dir/tree/lib/modules")
	depmod -b "$dir/tree" "$version" 2>>"$dir/log"
	unpack_early_modules "$dir" "$version"
	python3 "$top/tests/lab/vmlinux.py" "$dir/tree/boot/vmlinuz-$version" \
		"$dir/ready/vmlinux"
	mv "$dir/tree/lib/modules" "$dir/ready/modules"
	find "$dir/tree" -name busybox -type f -exec cp {} "$dir/ready/" \;
	echo "$version" >"$dir/ready/version"
}

# Sets kernel_dir: vmlinux, modules/, busybox, early/, version, origin. Whatever stops
# this, the folder is complete or absent.
get_kernel() {
	local suite work
	kernel_dir=$cache/linux-$kernel
	[ ! -f "$kernel_dir/version" ] || return 0
	mkdir -p "$cache"
	work=$(mktemp -d "$cache/.kernel.XXXXXX")
	scratch+=("$work")
	for suite in $(suites_of "$kernel"); do
		say "Fetching Linux $kernel of Debian $suite (100 MB, once)"
		if get_debs "$work" "$suite" busybox-static; then
			unpack_kernel "$work"
			echo "Debian $suite, Linux $(<"$work/ready/version")" >"$work/ready/origin"
			mv -T "$work/ready" "$kernel_dir" 2>/dev/null ||
				[ -f "$kernel_dir/version" ]
			rm -rf "$work"
			say "The kernel is of $(<"$kernel_dir/origin")"
			return
		fi
	done
	apt_words "$work/log"
	kernel_trouble "Linux $kernel could not be fetched from $(suites_of "$kernel"): is there a network?"
}
