#!/bin/sh
# SPDX-License-Identifier: MIT
# Tests of `perf record --off-cpu` on this kernel: its times agree with the program's own clock; short waits are in
# sums, long ones are single samples; the choice of tasks; and that nothing stays in the kernel.
top=$(cd "$(dirname "$0")/../.." && pwd)
. "$top/tests/live/waiting"
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0

fail() {
	echo "FAILED: $*"
	failed=1
}

[ "$(id -u)" = 0 ] || { echo 'needs root'; exit 77; }
perf check -q feature bpf || { echo 'built without BPF'; exit 77; }
"${CC:-cc}" -O1 -fno-omit-frame-pointer -fno-optimize-sibling-calls -pthread -o load "$top/tests/live/off-cpu-load.c" ||
	{ echo 'no C compiler'; exit 77; }
perf record -q --off-cpu -e dummy -o p.data ./load >own 2>err || { cat err; exit 1; }

# own NAME: prints the program's own measure.
own() {
	awk -v name="$1" '$1 == name { print $2 }' own
}

# off FILE FUNCTION: prints the nanoseconds off the CPU in the stacks with that function; "": in all.
off() {
	perf script -i "$1" -F period,event,ip,sym | awk -v f="$2" '
		/offcpu-time:/ { if (hit) s += p; p = $1; hit = f == "" }
		$2 == f { hit = 1 } END { if (hit) s += p; printf "%.0f\n", s }'
}

# near WHAT GOT WANTED PERCENT MS: checks that the values differ by at most this.
near() {
	awk -v got="$2" -v wanted="$3" -v percent="$4" -v ms="$5" 'BEGIN {
		off = got < wanted ? wanted - got : got - wanted; exit !(off <= wanted * percent / 100 + ms * 1e6) }' ||
		fail "$1: $2 ns, and by the program's clock $3"
}

# between WHAT GOT LEAST BEGIN: checks that GOT is at least nine tenths of LEAST, and at most all of the time since
# BEGIN. A busy machine adds to it, because a task that wakes up waits for a CPU.
between() {
	passed=$(($(date +%s%N) - $4))
	[ "$2" -ge $(($3 * 9 / 10)) ] && [ "$2" -le $passed ] || fail "$1: $2 ns, not between $3 and $passed"
}

# The program's clock covers the time of its functions: waiting, waiting for a CPU afterwards, and very little else.
for function in take_nap wait_for_lock store; do
	near "$function" "$(off p.data $function)" "$(own $function)" 5 10
done
[ "$failed" = 0 ] || perf script -i p.data -F comm,tid,time,period,event,ip,sym --show-lost-events

# The threshold decides which waits have a sample of their own, and changes nothing in the sums.
perf record -q --off-cpu --off-cpu-thresh 0 -e dummy -o all.data ./load >own || fail 'no threshold'
perf script -i all.data -F time,event | grep -q '^ *1844674406' && fail 'a sum, though everything has a sample of its own'
near 'without sums' "$(off all.data take_nap)" "$(own take_nap)" 5 10
perf record -q --off-cpu --off-cpu-thresh 100000 -e dummy -o sums.data ./load >own || fail 'a threshold'
perf script -i sums.data -F time,event | grep offcpu-time | grep -v '^ *1844674406' >single
near 'all in sums' "$(off sums.data take_nap)" "$(own take_nap)" 5 10

# Running and waiting together are all the time of a thread, in a picture and in a table.
perf record -q --off-cpu -e cpu-clock -F 997 -g -o wall.data ./load >own 2>err || fail "wall: $(cat err)"
perf script --folded --wall -i wall.data >wall || fail 'script --folded --wall'
main=$(sed -n 's/^\([^;]*\);.*;take_nap[; ].*/\1/p' wall | head -1)
# total PATTERN...: prints the nanoseconds of the lines with all patterns.
total() {
	awk 'BEGIN { n = ARGC; for (i = 1; i < n; i++) p[i] = ARGV[i]; ARGC = 1 }
		{ for (i = 1; i < n; i++) if ($0 !~ p[i]) next; s += $NF } END { printf "%.0f\n", s }' "$@" <wall
}
near 'the life of the thread' "$(total "^$main;")" "$(own life)" 5 20
near 'running' "$(total "^$main;running;")" "$(own cpu)" 15 30
near 'a nap is sleep' "$(total "^$main;(sleep|runnable);" ';take_nap[; ]')" "$(own take_nap)" 5 10
near 'the table' "$(perf report -i wall.data --wall --stdio -q -s comm -F period,comm -g none --no-children |
	awk '$2 == "load" { print $1 }')" "$(total .)" 1 1

# Without frame pointers stacks are unwound in the kernel, once the rules are loaded.
cat >bare.c <<'END'
#include <unistd.h>
__attribute__((noinline)) int nap(int ms) { return usleep(ms * 1000) + 1; }
__attribute__((noinline)) int naps(int n) { int sum = 0; for (int i = 0; i < n; i++) sum += nap(10); return sum; }
int main(void) { return naps(100) != 100; }
END
"${CC:-cc}" -O2 -fomit-frame-pointer -o bare bare.c || fail 'a program without frame pointers'
perf record -q --off-cpu --call-graph bpf -e dummy -o bare.data ./bare || fail 'without frame pointers'
perf script -i bare.data -F period,event,ip,sym >bare.text || fail 'script'
awk '/offcpu-time:/ { p = $1; n = 0 } $2 == "nap" { n = 1; } $2 == "naps" && n == 1 { n = 2 }
	$2 == "main" && n == 2 { whole += p } END { exit !(whole > 500e6) }' bare.text ||
	fail "of 1 s in nap less than a half has its callers: $(cat bare.text)"

# Children count, by their own names, even after they have ended; -p and -a find a running process, and unfinished waits
# last until the end.
begin=$(date +%s%N)
perf record -q --off-cpu -e dummy -o tree.data sh -c 'sleep 0.3 & sh -c "sleep 0.2; true"; wait' || fail 'children'
perf report -i tree.data --stdio -q -s comm -F period,comm -g none --no-children >comms 2>err || fail "$(cat err)"
between 'two sleeps' "$(awk '$2 == "sleep" { printf "%d\n", $1 / 2 }' comms)" 250000000 "$begin"
cp "$(command -v sleep)" nap
cp nap doze # no other process has this name
sh -c 'while :; do ./nap 0.02; done' &
shell=$!
for target in "-p $shell" -a; do
	begin=$(date +%s%N)
	# shellcheck disable=SC2086 # an option and its value
	perf record -q --off-cpu -e dummy $target -o running.data -- sh -c './doze 0.2' || fail "$target"
	perf evlist -i running.data | grep -q offcpu-time || fail "$target has no event"
done
between 'the command of -a' "$(perf report -i running.data --stdio -q -s comm -F period,comm -g none --no-children 2>err |
	awk '$2 == "doze" { print $1 }')" 200000000 "$begin"
kill "$shell" 2>/dev/null

# -D: the time before does not count, and the part of a wait inside the window does.
perf record -q --off-cpu -e dummy -D 300-600 -o part.data sleep 1 2>/dev/null
[ "$(off part.data '')" -lt 400000000 ] || fail "of 300 ms $(off part.data '') ns were off the CPU"

# With switched output, each file has its part of the sums.
begin=$(date +%s%N)
perf record -q --off-cpu -e dummy --switch-output=1s -o part sh -c 'for i in 1 2 3 4 5 6 7 8; do sleep 0.25; done' \
	2>err || fail "--switch-output: $(cat err)"
sum=0
for file in part.2*; do
	sum=$((sum + $(perf script -i "$file" -F comm,period,event 2>/dev/null | awk '$1 == "sleep" { s += $2 } END { printf "%.0f", s }')))
done
between 'the files together' "$sum" 2000000000 "$begin"

# A pipe, compression and threads give the same samples.
perf record -q --off-cpu -e dummy -o - sleep 0.2 2>/dev/null | perf script -i - -F event,period 2>/dev/null | grep -q offcpu-time ||
	fail 'a pipe'
perf record -q --off-cpu -e dummy -z -o z.data sleep 0.2 2>/dev/null
perf script -i z.data -F event 2>/dev/null | grep -q offcpu-time || fail 'compressed'
perf record -q --off-cpu -a --threads -o threads.data sleep 0.2 2>/dev/null
perf script -i threads.data -F event 2>/dev/null | grep -q offcpu-time || fail '--threads'

# Nothing stays in the kernel after kill -9.
programs() {
	bpftool prog list 2>/dev/null | sed -n 's/^\([0-9]*\): .* name off_cpu_switch .*/\1/p' | sort
}
if command -v bpftool >/dev/null; then
	programs >before
	new_program() { programs | comm -13 before - >new && [ -s new ]; }
	is_gone() { ! programs | grep -qxF -f new; }
	perf record -q --off-cpu -a -o killed.data 2>/dev/null &
	recorder=$!
	until_true new_program || fail 'no BPF program is there while it records'
	kill -KILL "$recorder"
	wait "$recorder" 2>/dev/null
	until_true is_gone || fail 'a BPF program is left after kill -9'
fi

# A user without the rights is told how to get them, and about an alternative.
if command -v setpriv >/dev/null; then
	setpriv --reuid 65534 --regid 65534 --clear-groups "$(command -v perf)" record --off-cpu -o nobody.data true >out 2>err &&
		fail 'user nobody loads BPF programs'
	grep -qE 'root|CAP_BPF|perf_event_paranoid' err || fail "user nobody is told: $(cat err)"
fi
exit $failed
