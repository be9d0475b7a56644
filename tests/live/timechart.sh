#!/bin/sh
# SPDX-License-Identifier: MIT
# Tests of `perf timechart` on this kernel: the recorded events, and that the times of threads are true.
work=$(mktemp -d) || exit 1
cd "$work" || exit 1
failed=0
trap 'rm -rf "$work"' EXIT

fail() {
	echo "FAILED: $*"
	failed=1
}

[ "$(id -u)" = 0 ] || { echo 'needs root'; exit 77; }
[ -d /sys/kernel/tracing/events/sched ] || { echo 'needs tracepoints of the scheduler'; exit 77; }

# events OPTION...: prints the events recorded with these options.
events() {
	perf timechart record "$@" -o events.data true >log 2>&1 || { fail "record $*"; cat log; }
	perf evlist -i events.data | grep -v '^dummy\|^#' | tr '\n' ' '
}
tasks='sched:sched_wakeup sched:sched_switch '
power=
for event in cpu_frequency cpu_idle; do
	[ ! -d /sys/kernel/tracing/events/power/$event ] || power="${power}power:$event "
done
got=$(events)
[ "$got" = "$tasks$power" ] || fail "records $got"
got=$(events -T)
[ "$got" = "$tasks" ] || fail "-T records $got"
[ -z "$power" ] || {
	got=$(events -P)
	[ "$got" = "$power" ] || fail "-P records $got"
}
if [ -d /sys/kernel/tracing/events/syscalls/sys_enter_read ]; then
	got=$(events -I)
	case $got in
	*sys_enter_read*sys_exit_read*) ;;
	*) fail "-I records $got" ;;
	esac
fi

# titles FILE OPTION...: prints the titles of rows.
titles() {
	data=$1
	shift
	perf timechart -i "$data" -o - "$@" 2>/dev/null | grep -ao '<title>[^<]*' | sed 's/<title>//'
}

# A program that sleeps for 300 ms. It is called sh until its exec.
perf timechart record -g -o sleep.data -- sh -c 'sleep 0.3; exit 0' >log 2>&1 || { fail 'record sleep'; cat log; }
titles sleep.data -T -p sleep >rows
slept=$(sed -n 's/^sleep .*[:,] sleeping \([0-9.]*\) ms.*/\1/p' rows | sort -n | tail -1)
awk -v ms="${slept:-0}" 'BEGIN { exit !(ms >= 299 && ms < 1000) }' ||
	{ fail "slept ${slept:-not at all}"; cat rows; }

# Two programs that compete for one CPU, with 200 ms of CPU time each: while one runs, the other waits.
cat >spin.sh <<'SCRIPT'
spin() { timeout 30 awk 'BEGIN { for (i = 0; i < 4000000; i++) x += i }'; }
spin & spin & wait
SCRIPT
cpu=$(taskset -cp $$ | sed 's/.*: *\([0-9]*\).*/\1/')
perf timechart record -T -o spin.data -- taskset -c "$cpu" sh spin.sh >log 2>&1 || { fail 'record spin'; cat log; }
titles spin.data -T -p awk >rows
awk '{
	run = wait = 0
	for (i = 1; i < NF; i++) {
		if ($i == "running") run = $(i + 1) * ($(i + 2) ~ /^s/ ? 1000 : 1)
		if ($i == "CPU") wait = $(i + 1) * ($(i + 2) ~ /^s/ ? 1000 : 1)
	}
	if (run > 20 && wait > run / 3) n++
} END { exit n < 2 }' rows || { fail 'two programs on one CPU do not wait for each other'; cat rows; }

# The running times are those of perf sched timehist. The exceptions are threads that ran when the recording began or
# ended, or beside tasks that a machine hides: a missing switch ends their time here, and not there.
perf sched timehist -s -i spin.data 2>/dev/null >summary
titles spin.data -T -n 100000 >rows
python3 - summary rows <<'SCRIPT' || fail 'running times are not those of perf sched timehist'
import re, sys
unit = {"s": 1000, "ms": 1, "\u00b5s": 0.001, "us": 0.001, "ns": 0.000001}
theirs, ours = {}, {}
for line in open(sys.argv[1]):
    m = re.match(r" *\S.*\[(\d+)(?:/\d+)?\] +-?\d+ +\d+ +([0-9.]+) ", line)
    if m:
        theirs[m[1]] = theirs.get(m[1], 0) + float(m[2])
for line in open(sys.argv[2]):
    m = re.match(r".* (\d+): running ([0-9.]+) (\S+?)(,|$)", line)
    if m:
        ours[m[1]] = ours.get(m[1], 0) + float(m[2]) * unit[m[3]]
same = [t for t in theirs if t in ours and abs(ours[t] - theirs[t]) <= 0.002 + 0.001 * theirs[t]]
print(f"{len(same)} of {len(theirs)} threads")
sys.exit(len(theirs) < 3 or len(same) < 0.5 * len(theirs))
SCRIPT

# Stacks of a page, and the file of Linux's perf 6.1.
perf timechart -i sleep.data --html -o page.html 2>log || { fail 'page'; cat log; }
grep -q '"names":\["' page.html || fail 'the page has no stacks'
[ ! -x /usr/bin/perf ] || /usr/bin/perf timechart -i sleep.data -o theirs.svg 2>log ||
	{ fail 'Linux'"'"'s perf does not read our recording'; cat log; }

exit $failed
