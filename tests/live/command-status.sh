#!/bin/sh
# SPDX-License-Identifier: MIT
# A command that measures another one ends as that did: with its status, or 128 and the signal that ended it.
[ "$(id -u)" = 0 ] || { echo "needs root"; exit 77; }
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0

# expect STATUS SCRIPT COMMAND...: a command that this kernel or build cannot run is passed over.
expect() {
	status=$1 script=$2
	shift 2
	perf "$@" -- true >/dev/null 2>&1 || { echo "perf $* cannot be run here"; return; }
	perf "$@" -- sh -c "$script" >/dev/null 2>err
	got=$?
	[ "$got" = "$status" ] || { echo "FAILED: perf $*, '$script': $got, not $status"; failed=1; }
}

# $$ is that of the shell that is measured.
# shellcheck disable=SC2016
for how in 'exit 3:3' 'kill -SEGV $$:139' 'kill -TERM $$:143'; do
	for command in "stat -e cpu-clock" "hist block" "sched latency -I 100" "heatmap -I 100" "kmem stat --bpf" \
		"lock contention -b" "kwork report -b"; do
		# shellcheck disable=SC2086
		expect "${how##*:}" "${how%:*}" $command
	done
done
exit $failed
