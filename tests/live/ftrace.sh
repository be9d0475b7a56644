#!/bin/sh
# SPDX-License-Identifier: MIT
# Tests of `perf ftrace` on this kernel: its messages where functions cannot be traced, and that nothing stays in
# tracefs. The output of the tracers is tested in the virtual machine (tests/vm/guest/ftrace.sh).
work=$(mktemp -d) || exit 1
cd "$work" || exit 1
failed=0
tracing=/sys/kernel/tracing
trap 'rm -rf "$work"' EXIT

fail() {
	echo "FAILED: $*"
	failed=1
}

[ "$(id -u)" = 0 ] || { echo 'needs root'; exit 77; }
[ -d $tracing/instances ] || { echo 'tracefs has no instances'; exit 77; }

left() {
	for i in "$tracing"/instances/perf-*; do
		[ -d "$i" ] && ! [ -d "/proc/${i##*perf-}" ] && echo "${i##*/}"
	done
}

# A tracer that the kernel lacks is named, with the kernel option that it needs.
if ! grep -qw function_graph $tracing/available_tracers; then
	for command in trace 'latency -T schedule' profile; do
		# shellcheck disable=SC2086 # a subcommand and its options
		perf ftrace $command true >out 2>said && fail "$command without the tracer"
		grep -q CONFIG_FUNCTION_GRAPH_TRACER said || { fail "$command: no reason"; cat said; }
	done
fi

# The function tracer works, or the kernel forbids it.
if grep -qw function $tracing/available_tracers; then
	if perf ftrace -t function -m 64K true >out 2>said; then
		grep -q '^# tracer: function$' out || fail 'no header'
	else
		grep -q 'does not let even root trace' said || { fail 'no reason'; cat said; }
	fi
fi
[ -z "$(left)" ] || fail "left behind: $(left)"

# The leftovers of a killed perf are removed, and a note says so.
if grep -qw function $tracing/available_tracers; then
	mkdir $tracing/instances/perf-2147483647
	perf ftrace -t function true >out 2>said
	[ ! -d $tracing/instances/perf-2147483647 ] || fail 'an instance stays'
	grep -q 'left the trace instance perf-2147483647 behind' said || { fail 'not said'; cat said; }
	rmdir $tracing/instances/perf-2147483647 2>/dev/null
fi

# A sleep of 0.1 s, measured in the kernel from one event to another.
if perf check -q feature bpf && [ -e $tracing/events/syscalls/sys_enter_clock_nanosleep ]; then
	pair=syscalls:sys_enter_clock_nanosleep,syscalls:sys_exit_clock_nanosleep
	perf ftrace latency -b -e $pair --hide-empty sleep 0.1 >out 2>said || fail 'latency -b -e'
	grep -q '^    64 -  128 ms |          1 | #####' out || { fail 'no sleep of 0.1 s'; cat out said; }
	grep -qE '^ +min time: +1[0-9]{5}$' out || { fail 'no such minimum'; cat out; }
	perf ftrace latency -n -b -e $pair --bucket-range 60000000 --max-latency 180000000 sleep 0.1 >out 2>said
	grep -qE '^ +60000.00 - 120000.00 us \| +1 ' out || { fail 'no such range'; cat out said; }
	perf ftrace latency -b -e $pair true >out 2>said
	[ "$(cat out)" = 'No data found' ] || { fail 'there is no sleep in true'; cat out; }
fi

# Users other than root get a message.
if command -v setpriv >/dev/null; then
	setpriv --reuid=65534 --regid=65534 --clear-groups "$(command -v perf)" ftrace true >out 2>said &&
		fail 'anybody may trace'
	grep -q 'only works for root' said || { fail 'not root'; cat said; }
fi
exit $failed
