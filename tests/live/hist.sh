#!/bin/sh
# SPDX-License-Identifier: MIT
# Tests of `perf hist` on this kernel: BPF, filters, samples and a recording give the same counts; the choice of
# processes; that nothing stays in the kernel; and messages about missing rights.
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
perf check -q feature bpf && has_bpf=yes || has_bpf=

# 300 reads of 13577 bytes, in a grandchild. No other process on the system reads this number of bytes.
cat >reads.sh <<'SCRIPT'
sh -c 'dd if=/dev/zero of=/dev/null bs=13577 count=300 2>/dev/null; true'
SCRIPT

# counted NAME OPTION...: checks the number of reads of 13577 bytes that perf hist counts with these options.
counted() {
	name=$1
	shift
	n=$(perf hist --json -b "13577 13578" "$@" 2>err |
		sed -n 's/.*"first": 13577, "last": 13577, "count": \([0-9]*\).*/\1/p')
	[ "$n" = 300 ] || { fail "$name: ${n:-no} reads, not 300"; cat err; }
}

field='syscalls:sys_enter_read count'
ways='--no-bpf'
[ -z "$has_bpf" ] || ways='--bpf --no-bpf'
for way in $ways; do
	# shellcheck disable=SC2086 # an event and a field
	counted "a command, $way" $way $field -- sh reads.sh
	# shellcheck disable=SC2086
	counted "the system, $way" $way -a $field -- sh reads.sh
done
# shellcheck disable=SC2086
counted 'a filter' --filter 'count > 1' $field -- sh reads.sh
perf record -q -o reads.data -e syscalls:sys_enter_read sh reads.sh || fail 'perf record'
# shellcheck disable=SC2086
counted 'a recording' -i reads.data $field

# One thread and all threads count the same.
perf record -q -m 8M -o many.data -e syscalls:sys_enter_read dd if=/dev/zero of=/dev/null bs=1 count=30000 \
	2>/dev/null || fail 'perf record'
# shellcheck disable=SC2086
taskset -c 0 perf hist -i many.data $field >one 2>err || fail "one thread: $(cat err)"
# shellcheck disable=SC2086
perf hist -i many.data $field >all 2>err || fail "all threads: $(cat err)"
cmp -s one all || fail "threads count something else: $(diff one all)"
grep -q ' 30000 ' one || fail "30000 reads are not there: $(cat one)"

# Rows outside the field's range: an unsigned number is never negative, a byte never above 255.
for way in $ways; do
	perf hist --json "$way" -b "-5 0 100000" syscalls:sys_enter_read fd -- sh reads.sh >out 2>err ||
		fail "bounds beyond the field, $way: $(cat err)"
	grep -q '"first": null, "last": -6, "count": 0}' out || fail "a negative count, $way: $(cat out)"
done

# CPUs; other counters keep their counts, although a program sees the events first.
for way in $ways; do
	# shellcheck disable=SC2086
	counted "a CPU, $way" $way -C 0 $field -- taskset -c 0 sh reads.sh
	# shellcheck disable=SC2086
	perf hist $way -a $field -- perf stat -x, -o stat.csv -e syscalls:sys_enter_read sh reads.sh >out 2>err ||
		fail "hist of stat, $way: $(cat err)"
	[ "$(sed -n 's/,.*sys_enter_read.*//p' stat.csv)" -ge 300 ] ||
		fail "perf stat below perf hist, $way: $(cat stat.csv)"
done

# A thread that calls exec takes the id of the first one.
cat >exec.py <<'SCRIPT'
import os, threading
threading.Thread(target=os.execvp, args=("sh", ["sh", "reads.sh"])).start()
threading.Event().wait()
SCRIPT
for way in $ways; do
	# shellcheck disable=SC2086
	counted "exec of a thread, $way" $way $field -- python3 exec.py
done

# A process that is already running, with its later children.
is_counting() {
	[ -n "$(find "/proc/$1/fd" -lname '*bpf*link*' 2>/dev/null)" ] || has_events "$1" 1
}
mkfifo go
for way in $ways; do
	sh -c 'read -r line <go; sh reads.sh' &
	child=$!
	# shellcheck disable=SC2086
	perf hist --json $way -b "13577 13578" -p $child $field >out 2>err &
	hist=$!
	until_true is_counting $hist
	until_true at_rest $hist
	echo now >go
	wait $hist || fail "-p, $way: $(cat err)"
	grep -q '"first": 13577, "last": 13577, "count": 300' out || fail "-p, $way: $(cat out)"
	wait $child
done

# Latencies: each read is a pair, in every method of counting.
for way in $ways; do
	perf hist --json "$way" --unit s -b 1 --pair syscalls:sys_enter_read,syscalls:sys_exit_read \
		-- dd if=/dev/zero of=/dev/null bs=13577 count=300 >out 2>err || fail "pairs, $way: $(cat err)"
	sed -n 's/.*"total": \([0-9]*\).*/\1/p' out >>totals
done
[ "$(sort -u totals | wc -l)" = 1 ] || fail "pairs differ: $(tr '\n' ' ' <totals)"
for latency in block futex syscall sched softirq irq; do
	perf hist "$latency" 0.1 >out 2>err || fail "$latency: $(cat err)"
	grep -q "^Tracing $latency in us, power-of-4, max 1048576, for 0.1 seconds...\$" out ||
		fail "$latency: $(head -1 out)"
done

# Intervals add up to the whole.
# shellcheck disable=SC2086
perf hist --json -I 100 -b "13577 13578" $field 0.5 >out 2>err || fail "intervals: $(cat err)"
[ "$(wc -l <out)" -ge 4 ] || fail "only $(wc -l <out) intervals"

# The command's status is that of perf; a missing command is named.
# shellcheck disable=SC2086
perf hist $field -- sh -c 'exit 7' >out 2>err
[ $? = 7 ] || fail 'the status of the command is lost'
# shellcheck disable=SC2086
perf hist $field -- ./no-such-program >out 2>err && fail 'a command that is not there succeeds'
grep -q no-such-program err || fail "a command that is not there: $(cat err)"

# Nothing stays in the kernel after kill -9.
programs() {
	bpftool prog list 2>/dev/null | grep -c 'name count_field\|name on_fork'
}
if [ -n "$has_bpf" ] && command -v bpftool >/dev/null; then
	before=$(programs)
	# shellcheck disable=SC2086
	perf hist $field >out 2>err &
	hist=$!
	more_programs() { [ "$(programs)" -gt "$before" ]; }
	as_before() { [ "$(programs)" -le "$before" ]; }
	until_true more_programs || fail 'no BPF program is there while it counts'
	kill -KILL $hist
	wait $hist 2>/dev/null
	until_true as_before || fail 'a BPF program is left after kill -9'
else
	echo 'skipped: what is left in the kernel: no bpftool, or a build without BPF'
fi

# A user without the rights is told how to get them.
if command -v setpriv >/dev/null; then
	# shellcheck disable=SC2086
	setpriv --reuid 65534 --regid 65534 --clear-groups "$(command -v perf)" hist $field 1 >out 2>err &&
		fail 'user nobody traces system calls'
	grep -qE 'root|sudo|perf_event_paranoid' err || fail "user nobody is told: $(cat err)"
fi
exit $failed
