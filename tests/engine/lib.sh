# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# For the tests that each engine gets: TEST ENGINE.so FOLDER, with FIO_RELEASE,
# the release that the engine is for, in the environment.
set -u
# shellcheck disable=SC2034 # for the tests that read this file
engine=$1 folder=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# shellcheck disable=SC2034
fio=$(command -v fio) || { echo "skipped: fio is not installed"; exit 77; }
[ "$(fio --version)" = "$FIO_RELEASE" ] || {
	echo "skipped: the engines are for $FIO_RELEASE, the installed fio is $(fio --version)"
	exit 77
}

fail() { # SENTENCE
	echo "$(basename "$engine"): $*"
	exit 1
}
