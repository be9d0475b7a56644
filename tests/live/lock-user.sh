#!/bin/sh
# SPDX-License-Identifier: MIT
# Waits for locks of user space and of the kernel, counted by BPF, by ring buffers and from a recording. The program
# knows how long it waited. The tests check the waiting threads, the owner of the lock, and its name.
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
[ -d /sys/kernel/tracing/events/lock/contention_begin ] || mount -t tracefs none /sys/kernel/tracing 2>/dev/null
[ -d /sys/kernel/tracing/events/lock/contention_begin ] || { echo 'needs lock:contention_begin (Linux 5.19)'; exit 77; }
perf check -q feature bpf && has_bpf=yes || has_bpf=
cc -g -O1 -fno-omit-frame-pointer -o load "$top/tests/live/lock-user-load.c" -lpthread || exit 1

# total LOCK FILE: prints the sum of nanoseconds in the CSV rows of FILE that have LOCK.
total() {
	awk -F', ' -v lock="$1" 'index($0, lock) && !/^#/ { sum += $2 } END { printf "%.0f\n", sum }' "$2"
}

# truth LOCK FILE: prints how long the program waited by its own measure.
truth() {
	awk -v lock="$1" '$1 == lock { print $3 }' "$2"
}

# near NAME FOUND EXPECTED: checks equality within 15 %. A wake-up that loses the lock again lies between two waits.
near() {
	awk -v a="${2:-0}" -v b="${3:-0}" 'BEGIN { exit !(b > 0 && a > 0.85 * b && a < 1.15 * b) }' ||
		fail "$1: ${2:-nothing} ns instead of ${3:-nothing}"
}

# counted NAME OPTION...: prints the report of perf lock contention on both locks, by caller and by lock.
counted() {
	name=$1
	shift
	for rows in '' -l; do
		# shellcheck disable=SC2086 # no word, or one
		perf lock contention --user $rows "$@" -x , --output out -- ./load mp >said 2>err ||
			fail "$name $rows: $(cat err)"
		near "$name $rows, hot_lock" "$(total hot_lock out)" "$(truth hot_lock said)"
		near "$name $rows, pi_lock" "$(total pi_lock out)" "$(truth pi_lock said)"
	done
}

[ -z "$has_bpf" ] || counted 'by BPF' -b
counted 'by ring buffers'

# A recording that is read after the process has ended.
perf lock record --user -q -o futex.data -- ./load mp >said || fail 'perf lock record --user'
for rows in '' -l; do
	# shellcheck disable=SC2086
	perf lock contention --user $rows -x , -i futex.data --output out || fail 'a recording'
	near "a recording $rows, hot_lock" "$(total hot_lock out)" "$(truth hot_lock said)"
	near "a recording $rows, pi_lock" "$(total pi_lock out)" "$(truth pi_lock said)"
done
grep -q 'futex:pi' out && fail '-l shows the whole type'
# Debian's libc has frame pointers on aarch64 only; elsewhere the callers of its functions need its unwind rules.
cp futex.data callers.data
if [ "$(uname -m)" != aarch64 ]; then
	perf lock record --user -q --call-graph dwarf -o callers.data -- ./load mp >said || fail 'perf lock record --call-graph dwarf'
fi
perf lock contention --user -i callers.data --output out
grep -q 'futex:pi *take_turn+0x[0-9a-f]* (pi_lock)$' out || fail "the caller of pi_lock: $(cat out)"
grep -q 'futex *take_turn+0x[0-9a-f]* (hot_lock)$' out || fail "the caller of hot_lock: $(cat out)"

# Without --user no user-space waits are shown (locks that the kernel takes in futex_wake() are), and a recording
# without futexes says how to get them.
perf lock contention -i futex.data --output out
grep -qE ' futex(:pi)? ' out && fail 'futexes are shown without --user'
perf lock record -q -o kernel.data -- true || fail 'perf lock record'
perf lock contention --user -i kernel.data >out 2>&1 && fail 'no futexes are there, but nothing is said'
grep -q 'perf lock record --user' out || fail "no way is shown: $(cat out)"

[ -n "$has_bpf" ] || { echo 'no BPF: the rest is left out'; exit "$failed"; }

# A condition variable is not a lock.
perf lock contention -b --user-only -l --output out -- ./load c || fail 'a condition'
grep -q something_happened out && fail "a condition counts as a lock: $(cat out)"
perf lock contention -b --user-only -l -Y futex:cond --output out -- ./load c || fail 'futex:cond'
grep -q '1 *[0-9.]* ms .*something_happened' out || fail "the condition is not shown: $(cat out)"

# Only the requested lock, by name and by a part of a function's name.
perf lock contention -b --user-only -l -L pi_lock --output out -- ./load mp >/dev/null
grep -q hot_lock out && fail '-L lets another lock pass'
grep -q pi_lock out || fail '-L does not let its lock pass'
perf lock contention -b --user -S take_turn --output out -- ./load m >/dev/null
grep -q hot_lock out || fail '-S does not find a function of user space'
perf lock contention -b --user-only -S no_such_function -q --output out -- ./load m >/dev/null
[ -s out ] && fail "-S lets something pass: $(cat out)"

# The owners: the four threads, with their names although they have ended.
perf lock contention -b --user-only -o -t -q --output out -- ./load m >said || fail '-o -t'
near 'owners' "$(awk '{ sum += $2 * ($3 == "ms" ? 1e6 : $3 == "us" ? 1e3 : $3 == "s" ? 1e9 : 1) }
	END { printf "%.0f\n", sum }' out)" "$(truth hot_lock said)"
[ "$(grep -c ' load$' out)" -ge 2 ] || fail "owners have no names: $(cat out)"
[ "$(wc -l <out)" -le 5 ] || fail "there are more owners than threads: $(cat out)"

# Locks of the kernel in the same table; and options that do not fit are reported.
perf lock contention -b --user --output out -- ./load mk >/dev/null || fail 'both'
grep -q hot_lock out || fail "one table: $(cat out)"
perf lock contention -b --user -M 1 --output out -- ./load mp >/dev/null 2>err
grep -q 'no room for their rows' err || fail "a full map is not told: $(cat err)"

# Nothing stays in the kernel after kill -9.
programs() {
	bpftool prog list 2>/dev/null | grep -q 'name on_begin'
}
no_programs() {
	! programs
}
if command -v bpftool >/dev/null; then
	# The programs of earlier runs disappear a moment after their perf.
	until_true no_programs || fail 'BPF programs stay'
	perf lock contention -b --user -a >out 2>err &
	counting=$!
	until_true programs || fail 'no BPF program is there while it counts'
	kill -KILL $counting
	wait $counting 2>/dev/null
	until_true no_programs || fail 'a BPF program is left after kill -9'
else
	echo 'skipped: what is left in the kernel: no bpftool'
fi

# A user without the rights is told how to get them, and about another method.
if command -v setpriv >/dev/null; then
	setpriv --reuid 65534 --regid 65534 --clear-groups "$(command -v perf)" lock contention -b -- true >out 2>err &&
		fail 'user nobody counts'
	grep -qE 'root|sudo' err || fail "user nobody is told: $(cat err)"
fi

# Refused options lead to a sentence.
perf lock contention -b -J 1ms@tasklist_lock -- true 2>err && fail '-J'
grep -q 'inject-delay is not supported' err || fail "-J: $(cat err)"
perf lock contention -b -L no_such_lock -- true 2>err && fail '-L no_such_lock'
grep -q "no lock called 'no_such_lock'" err || fail "-L: $(cat err)"
perf lock contention -b -G no/such/group -- true 2>err && fail '-G'
grep -q "no/such/group" err || fail "-G: $(cat err)"
exit "$failed"
