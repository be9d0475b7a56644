#!/bin/sh
# SPDX-License-Identifier: MIT
# perf probe adds a probe to a program, which is recorded and removed (exclusive)
set -eu
skip() { echo "$*"; exit 2; }
fail() { echo "$*"; exit 1; }

[ "$(id -u)" = 0 ] || skip "only root may add probes"
perf probe -x "$(readlink -f "$(command -v perf)")" -F 2>/dev/null | grep -qx leafloop || skip "perf itself is stripped"
group=perf_shell_$$
trap 'perf probe -q -d "$group:*" 2>/dev/null || :' EXIT

perf probe -q -x "$(readlink -f "$(command -v perf)")" -a "$group:begin=leafloop" ||
	skip "this kernel has no uprobes: CONFIG_UPROBE_EVENTS"
perf probe -l | grep -q "$group:begin" || fail "the probe is not listed"
perf record -q -o perf.data -e "$group:begin" -- perf test -w leafloop 1
hits=$(perf script -i perf.data | grep -c "$group:begin" || :)
[ "$hits" = 1 ] || fail "a function that is called once was hit $hits times"
