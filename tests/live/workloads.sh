#!/bin/sh
# SPDX-License-Identifier: MIT
# The functions of workloads take the time in their profiles.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"

hottest() {
	perf record -q -F 1000 -e cpu-clock:u -o data perf test -w "$1" 1 2>/dev/null || exit 77
	perf report -q --no-children --stdio -g none -s sym -i data 2>/dev/null |
		awk '/%/ { print $3; exit }'
}

for pair in noploop:noploop thloop:test_loop leafloop:leaf sqrtloop:take_roots \
	inlineloop:inlineloop_parent datasym:datasym; do
	found=$(hottest "${pair%:*}")
	[ "$found" = "${pair#*:}" ] || { echo "${pair%:*}: '$found' is hottest"; exit 1; }
done

# Threads and processes have their names and functions.
perf record -q -e cpu-clock:u -F 5000 -o data perf test -w named_threads 3 3000000 2>/dev/null || exit 77
for i in 1 2 3; do
	perf script -i data -F comm,ip,sym | grep -q "thread$i .*named_threads_thread$i" ||
		{ echo "thread$i is missing"; exit 1; }
done
# Code made at run time has a name.
perf record -q -k 1 -e cpu-clock:u -F 20000 -o data perf test -w jitdump 2>/dev/null
perf inject -i data -o injected --jit
perf script --show-mmap-events -i injected | grep -q "jitted-.*\.so" || { echo "no JIT code"; exit 1; }
