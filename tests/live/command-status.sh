#!/bin/sh
# SPDX-License-Identifier: MIT
# A command that measures another one ends as that one did: with its status, or with 128 plus the signal that ended it.
[ "$(id -u)" = 0 ] || { echo "needs root"; exit 77; }
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0

# expect STATUS SCRIPT COMMAND...: skips a command that this kernel or build cannot run.
expect() {
	status=$1 script=$2
	shift 2
	perf "$@" -- true >/dev/null 2>&1 || { echo "perf $* cannot be run here"; return; }
	perf "$@" -- sh -c "$script" >/dev/null 2>err
	got=$?
	[ "$got" = "$status" ] || { echo "FAILED: perf $*, '$script': $got, not $status"; failed=1; }
}

# $$ is the process of the measured shell.
# shellcheck disable=SC2016
for how in 'exit 3:3' 'kill -SEGV $$:139' 'kill -TERM $$:143'; do
	for command in "stat -e cpu-clock" "hist block" "sched latency -I 100" "heatmap -I 100" "kmem stat --bpf" \
		"lock contention -b" "kwork report -b"; do
		# shellcheck disable=SC2086
		expect "${how##*:}" "${how%:*}" $command
	done
done
exit $failed
