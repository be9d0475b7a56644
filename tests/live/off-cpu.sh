#!/bin/sh
# SPDX-License-Identifier: MIT
# Off-CPU and wall-clock stacks of a program that measures its own waits: for a timer, a lock, a disk. perf's results
# from context switches must agree with the program's clock, whatever else the machine does.
top=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0

fail() {
	echo "FAILED: $*"
	failed=1
}

"${CC:-cc}" -O1 -fno-omit-frame-pointer -fno-optimize-sibling-calls -pthread -o load "$top/tests/live/off-cpu-load.c" ||
	{ echo 'no C compiler'; exit 77; }
perf record -q --switch-events -e cpu-clock -e sched:sched_switch -e sched:sched_waking -g -o p.data ./load >own ||
	{ echo 'cannot record tracepoints here'; exit 77; }

# own NAME: prints the program's own measure.
own() {
	awk -v name="$1" '$1 == name { print $2 }' own
}

# sum FILE PATTERN...: prints the nanoseconds of the lines of FILE with all patterns.
sum() {
	awk 'BEGIN { file = ARGV[1]; n = ARGC; for (i = 2; i < n; i++) p[i] = ARGV[i]; ARGC = 2 }
		{ for (i = 2; i < n; i++) if ($0 !~ p[i]) next; s += $NF } END { printf "%.0f\n", s }' "$@"
}

# near WHAT GOT WANTED PERCENT MS: checks that the values differ by at most this.
near() {
	awk -v got="$2" -v wanted="$3" -v percent="$4" -v ms="$5" 'BEGIN {
		off = got < wanted ? wanted - got : got - wanted; exit !(off <= wanted * percent / 100 + ms * 1e6) }' ||
		fail "$1: $2 ns, and by the program's clock $3"
}

perf script --folded --off-cpu -i p.data >waits || fail 'script --folded --off-cpu'
# The program's clock covers the time of its functions: waiting, waiting for a CPU afterwards, and very little else.
for function in take_nap wait_for_lock store; do
	near "$function" "$(sum waits ";$function;")" "$(own $function)" 5 10
done
# The kinds of waits: a stack is of one kind, apart from the time that it waits for a CPU.
[ "$(sum waits ';take_nap;' '^[^;]*;sleep;')" -gt 150000000 ] || fail 'a nap is no sleep'
[ "$(sum waits ';wait_for_lock;' '^[^;]*;lock;')" -gt 200000000 ] || fail 'a mutex is no lock'
[ "$(sum waits ';take_nap;' '^[^;]*;(lock|I/O);')" = 0 ] || fail 'a nap is more than sleep'
[ "$(sum waits ';wait_for_lock;' '^[^;]*;(sleep|I/O);')" = 0 ] || fail 'a mutex is more than a lock'
if [ "$(sum waits ';store;' '^[^;]*;(sleep|uninterruptible);')" -gt "$(sum waits ';store;' '^[^;]*;(I/O|lock|runnable);')" ]; then
	fail 'a disk is no I/O'
fi
[ "$(sum waits ';spin;' '^[^;]*;(sleep|lock|I/O);')" = 0 ] || fail 'spinning waits'
# The lock is released by the other thread.
grep ';wait_for_lock;' waits | grep -q -- '-- woken by load --;.*;hold_lock;main;' || fail 'who releases the lock is not there'
# Threads are distinguished, and short waits can be left out.
perf script --folded --off-cpu --min-wait 100ms -i p.data >long 2>/dev/null
[ "$(sum long ';store;')" = 0 ] || [ "$(own store)" -gt 100000000 ] || fail '--min-wait'
near 'take_nap with --min-wait' "$(sum long ';take_nap;')" "$(own take_nap)" 5 10

perf script --folded --wall -i p.data >wall || fail 'script --folded --wall'
main=$(sed -n 's/^\([^;]*\);.*;take_nap;.*/\1/p' wall | head -1)
# The process lives longer than main(), because the program is loaded before.
[ "$(sum wall "^$main;")" -ge "$(own life)" ] || fail "$main lived $(sum wall "^$main;") ns, and main() $(own life)"
near 'running' "$(sum wall "^$main;running")" "$(own cpu)" 10 20
near 'spin' "$(sum wall "^$main;" ';spin')" "$(own spin)" 10 20
near 'waiting' "$(($(sum wall .) - $(sum wall '^[^;]*;running')))" "$(sum waits .)" 5 10

# Incomplete recordings say what they lack, and a complete one gives a picture.
perf flamegraph -q --wall -i p.data -o wall.svg || fail 'no picture'
grep -q '>take_nap' wall.svg || fail 'an empty picture'
perf record -q -e cpu-clock -g -o clock.data ./load >own
perf flamegraph --off-cpu -i clock.data -o none.svg 2>err && fail 'a picture of no switches'
grep -q 'Record a command with: perf record -e sched:sched_switch .*--switch-events' err || fail "no next step: $(cat err)"
perf record -q -e sched:sched_switch -g -o leaves.data ./load >own
perf flamegraph --off-cpu -i leaves.data -o none.svg 2>err && fail 'a picture of departures only'
grep -q 'not when they come back' err || fail "no reason: $(cat err)"
exit $failed
