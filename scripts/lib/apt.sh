# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash

# A configuration for apt, DIR/apt.conf, that leaves the system's lists, caches
# and hooks alone. What DIR/etc/sources.list.d holds are its package sources.
private_apt() { # DIR
	mkdir -p "$1/etc/sources.list.d" "$1/state/lists/partial" \
		"$1/cache/archives/partial"
	cat >"$1/apt.conf" <<CONF
#clear APT::Update::Pre-Invoke;
#clear APT::Update::Post-Invoke;
#clear APT::Update::Post-Invoke-Success;
Dir::Etc::SourceList "/dev/null";
Dir::Etc::SourceParts "$1/etc/sources.list.d";
Dir::State "$1/state";
Dir::Cache "$1/cache";
Acquire::Languages "none";
Acquire::Retries "1";
Acquire::http::Timeout "20";
Acquire::https::Timeout "20";
CONF
}
