#!/bin/sh
# SPDX-License-Identifier: MIT
# Tests of `perf kwork` on this kernel: the recorded events; counts agree with those of the kernel (/proc/softirqs,
# /proc/interrupts), of a recording and of BPF programs; nothing stays in the kernel.
top=$(cd "$(dirname "$0")/../.." && pwd)
. "$top/tests/live/waiting"
work=$(mktemp -d) || exit 1
cd "$work" || exit 1
failed=0
trap 'rm -rf "$work"' EXIT

fail() {
	echo "FAILED: $*"
	failed=1
}

[ "$(id -u)" = 0 ] || { echo 'needs root'; exit 77; }
[ -d /sys/kernel/tracing/events/irq ] || { echo 'needs tracepoints irq:*'; exit 77; }
perf check -q feature bpf && has_bpf=yes || has_bpf=

# The kernel releases programs some time after their owner has ended, so this is checked before there are any.
programs() {
	bpftool prog list 2>/dev/null | grep -c 'name on_softirq'
}
before=$(programs)

# softirqs NAME FILE, interrupts NAME FILE: prints the count on all CPUs in a copy of /proc/softirqs or
# /proc/interrupts.
softirqs() {
	awk -v name="$1:" '$1 == name { for (i = 2; i <= NF; i++) n += $i } END { print n + 0 }' "$2"
}
# A line has a number for each CPU after its own name; then come words.
interrupts() {
	awk -v name="$1" '$NF == name { for (i = 2; i <= NF && $i ~ /^[0-9]+$/; i++) n += $i } END { print n + 0 }' "$2"
}

# counted CLASS NAME FILE: prints the sum of the column Count of rows with that name.
counted() {
	awk -v name="$1" -F'|' '$1 ~ "^ *" name ":[0-9]+ *$" { n += $4 } END { print n + 0 }' "$2"
}

# between WHAT LOW N HIGH: checks that N is at least the kernel's count while the command ran, and at most its count
# while perf ran.
between() {
	[ "$3" -ge "$2" ] && [ "$3" -le "$4" ] || fail "$1: $3 is not between $2 and $4"
}

# Timers, and packets over the loopback device if there is a program to send them; then the counts of the kernel.
cat >load.sh <<'SCRIPT'
cp /proc/softirqs softirqs.1
cp /proc/interrupts interrupts.1
i=0
while [ $i -lt 20 ]; do
	sleep 0.01
	i=$((i + 1))
done
dd if=/dev/zero of=written bs=64k count=50 conv=fsync 2>/dev/null
cp /proc/interrupts interrupts.2
cp /proc/softirqs softirqs.2
SCRIPT

# compare WHAT FILE SHARE: compares the counts of the report FILE with those of the kernel around it and inside of it,
# of which at least SHARE percent are seen.
compare() {
	for name in TIMER SCHED RCU BLOCK NET_RX; do
		low=$(($(softirqs $name softirqs.2) - $(softirqs $name softirqs.1)))
		high=$(($(softirqs $name softirqs.3) - $(softirqs $name softirqs.0)))
		between "$1: softirq $name" $((low * $3 / 100)) "$(counted "[(]s[)]$name" "$2")" $high
	done
	for name in $(awk '$1 ~ /^[0-9]+:$/ { print $NF }' interrupts.0 | sort | uniq -u | grep -E '^[a-z0-9_]+$'); do
		low=$(($(interrupts "$name" interrupts.2) - $(interrupts "$name" interrupts.1)))
		high=$(($(interrupts "$name" interrupts.3) - $(interrupts "$name" interrupts.0)))
		between "$1: interrupt $name" $((low * $3 / 100)) "$(counted "$name" "$2")" $high
	done
}

around() {
	cp /proc/softirqs softirqs.0
	cp /proc/interrupts interrupts.0
	"$@"
	cp /proc/interrupts interrupts.3
	cp /proc/softirqs softirqs.3
}

around perf kwork record -q -m 8M -o kwork.data -- sh load.sh >out 2>err || fail "record: $(cat err)"
perf kwork report -i kwork.data >report 2>err || fail "report: $(cat err)"
if grep -q 'lost events' report; then
	echo 'skipped: counts of the recording: events were lost'
else
	# A machine may hide the tasks of its own agents from perf events, and the work that interrupts them.
	compare 'a recording' report 5
fi

# timehist has a line for every run that report has counted, and a softirq never runs before it was raised.
runs=$(awk -F'|' '$4 ~ /^ *[0-9]+ *$/ { n += $4 } END { print n + 0 }' report)
perf kwork timehist -i kwork.data 2>/dev/null | sed 1,3d >timehist
[ "$(wc -l <timehist)" = "$runs" ] || fail "timehist has $(wc -l <timehist) lines for $runs runs"
perf kwork latency -i kwork.data 2>/dev/null | grep -q '(s)TIMER:1' || fail 'no delay of the timer softirq'

# The activities of the CPUs add up to the time of the recording. A recording cut short by a hidden task is repeated.
usage() {
	perf kwork -k irq,softirq,sched record -q -m 8M -o usage.data -- sleep 0.3 >out 2>err || fail "record: $(cat err)"
	perf kwork top -i usage.data >top 2>err || fail "top: $(cat err)"
	[ "$(awk '/^Total/ { print int($3) }' top)" -ge 200 ]
}
usage || usage || usage || fail "top: less than was recorded: $(cat top)"

if [ -n "$has_bpf" ]; then
	around perf kwork report -b -- sh load.sh >report 2>err || fail "report -b: $(cat err)"
	# A run that overlaps the copying of the files may be in only one of them.
	compare BPF report 90
	perf kwork latency -b -- sh load.sh >latency 2>err || fail "latency -b: $(cat err)"
	grep -q '(s)TIMER:1' latency || fail 'latency -b: no delay of the timer softirq'
	# Half a second of all CPUs, whichever task used it.
	perf kwork top -b -- timeout 0.5 sh -c 'while :; do :; done' >top 2>err || :
	total=$(awk '/^Total/ { print int($3) }' top)
	cpus=$(awk '/^Total/ { print $5 }' top)
	[ "$total" -ge $((450 * cpus)) ] || fail "top -b: $total ms of $cpus CPUs: $(cat err)"
else
	echo 'skipped: counts by BPF: a build without it'
fi

# Nothing stays in the kernel after kill -9.
if [ -n "$has_bpf" ] && command -v bpftool >/dev/null; then
	perf kwork report -b >out 2>err &
	counting=$!
	more_programs() { [ "$(programs)" -gt "$before" ]; }
	as_before() { [ "$(programs)" -le "$before" ]; }
	until_true more_programs || fail "no BPF program is there while it counts: $(cat err)"
	kill -KILL $counting
	wait $counting 2>/dev/null
	until_true as_before || fail 'a BPF program is left after kill -9'
else
	echo 'skipped: what is left in the kernel: no bpftool, or a build without BPF'
fi
exit $failed
