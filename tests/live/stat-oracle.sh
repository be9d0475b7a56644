#!/bin/sh
# SPDX-License-Identifier: MIT
# `perf stat` prints, for the same counts, what perf 6.1 printed, or what is recorded where it differs on
# purpose (tests/oracle/stat).
skip() {
	echo "$1"
	exit 77
}

[ "$(id -u)" = 0 ] || skip 'only root may mount other files over those of sysfs'
command -v "${CC:-cc}" >/dev/null || skip 'no C compiler'
unshare -m -p -f --mount-proc true 2>/dev/null || skip 'unshare(1) makes no name spaces here'
# A sanitizer's library insists on being the first that is loaded; ours is.
if ldd "$PERF" | grep -q 'lib[at]san'; then
	skip 'does not go with the sanitizers'
fi
# The cases of cgroups make groups of the same names, so no other run may be on.
command -v flock >/dev/null || skip 'no flock(1)'
exec flock /tmp/perf-stat-oracle.lock "$(dirname "$0")/../oracle/stat/collect" --check --ours -v
