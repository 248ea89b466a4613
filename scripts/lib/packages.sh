# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash

is_installed() { # PACKAGE
	dpkg-query -W -f '${Status}' "$1" 2>/dev/null | grep -q 'ok installed'
}

# Install the Debian packages that are missing.  Where none is, apt is not
# asked and no rights are needed.  apt's own words appear only if it fails.
install_packages() { # PACKAGE...
	local package missing=() as_root=() log
	command -v dpkg-query >/dev/null || {
		echo "This is not a Debian system. Please install what these packages hold: $*" >&2
		return 0
	}
	for package; do
		is_installed "$package" || missing+=("$package")
	done
	[ ${#missing[@]} -gt 0 ] || return 0
	if [ "$(id -u)" -ne 0 ]; then
		command -v sudo >/dev/null || {
			echo "Neither root nor sudo: please install ${missing[*]}" >&2
			return 1
		}
		as_root=(sudo)
	fi
	echo "Installing ${missing[*]}"
	log=$(mktemp)
	if ! {
		"${as_root[@]}" apt-get -q update &&
			"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
				apt-get -q install -y --no-install-recommends "${missing[@]}"
	} >"$log" 2>&1 </dev/null; then
		cat "$log" >&2
		rm -f "$log"
		return 1
	fi
	rm -f "$log"
}
