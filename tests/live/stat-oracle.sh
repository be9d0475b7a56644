#!/bin/sh
# SPDX-License-Identifier: MIT
# For the same counts, `perf stat` prints the output of perf 6.1, or the output recorded in tests/oracle/stat where it
# differs on purpose.
skip() {
	echo "$1"
	exit 77
}

[ "$(id -u)" = 0 ] || skip 'only root may mount other files over those of sysfs'
command -v "${CC:-cc}" >/dev/null || skip 'no C compiler'
unshare -m -p -f --mount-proc true 2>/dev/null || skip 'unshare(1) makes no name spaces here'
# A sanitizer's library must be the first that is loaded, but ours is.
if ldd "$PERF" | grep -q 'lib[at]san'; then
	skip 'does not go with the sanitizers'
fi
# The cases about cgroups make groups of the same names, so only one run at a time is possible.
command -v flock >/dev/null || skip 'no flock(1)'
exec flock /tmp/perf-stat-oracle.lock "$(dirname "$0")/../oracle/stat/collect" --check --ours -v
