#!/bin/sh
# SPDX-License-Identifier: MIT
# The functions of workloads are those that take the time.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"

hottest() {
	perf record -q -F 1000 -e cpu-clock:u -o data perf test -w "$1" 1 2>/dev/null || exit 77
	perf report -q --no-children --stdio -g none -s sym -i data 2>/dev/null |
		awk '/%/ { print $3; exit }'
}

for pair in noploop:noploop thloop:test_loop leafloop:leaf sqrtloop:take_roots; do
	found=$(hottest "${pair%:*}")
	[ "$found" = "${pair#*:}" ] || { echo "${pair%:*}: '$found' is hottest"; exit 1; }
done
