#!/bin/sh
# SPDX-License-Identifier: MIT
# `perf trace -s` counts every call, with BPF programs and without them, of threads and of processes that come and go;
# draws its table on a terminal while it counts; and leaves nothing in the kernel.
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

skip() {
	echo "$*"
	exit 77
}

[ "$(id -u)" = 0 ] || skip 'needs root'
"${CC:-cc}" -O1 -D_GNU_SOURCE -pthread -o load "$top/tests/live/trace-summary-load.c" || skip 'no C compiler'
perf check -q feature bpf && has_bpf=yes || has_bpf=

# calls FILE NAME: prints how many calls of that name all tables of FILE have together.
calls() {
	awk -v name="$2" '$1 == name { n += $2 } END { print n + 0 }' "$1"
}

# errors FILE NAME: prints how many of them failed.
errors() {
	awk -v name="$2" '$1 == name { n += $3 } END { print n + 0 }' "$1"
}

# tables FILE: prints how many there are.
tables() {
	grep -c '^ .*, [0-9]* events' "$1"
}

# expect WHAT GOT WANTED: checks for exactly this number; without BPF for less only if losses are reported, as on a busy
# machine.
expect() {
	[ "$2" = "$3" ] || { [ "$way" = --no-bpf ] && grep -q 'events were lost' err; } || fail "$1: $2, not $3"
}

ways='--no-bpf'
[ -z "$has_bpf" ] || ways='--bpf --no-bpf'
for way in $ways; do
	for mode in thread total; do
		where="$way, $mode"
		perf trace "$way" -m 8M -s --summary-mode=$mode --errno-summary -o out ./load threads 2>err ||
			fail "threads, $where: $(cat err)"
		expect "getppid of threads, $where" "$(calls out getppid)" 100000
		expect "nanosleep of threads, $where" "$(calls out nanosleep)" 500
		expect "close that fails, $where" "$(errors out close)" 1500
		expect "EBADF, $where" "$(awk '$1 == "EBADF:" { n += $2 } END { print n + 0 }' out)" 1500
		[ $mode = total ] || expect "tables of threads, $where" "$(tables out)" 6
		perf trace "$way" -m 8M -s --summary-mode=$mode -o out ./load forks 2>err ||
			fail "forks, $where: $(cat err)"
		expect "getppid of forks, $where" "$(calls out getppid)" 20000
		expect "forks, $where" "$(calls out clone)" 200
		[ $mode = total ] || expect "tables of processes, $where" "$(tables out)" 201
	done
	perf trace "$way" -m 8M -s -e getppid -o out ./load threads 2>err || fail "-e, $way: $(cat err)"
	expect "chosen calls, $way" "$(calls out getppid)" 100000
	expect "calls that were not chosen, $way" "$(calls out nanosleep)" 0
done

# While perf is stopped the ring is full, and nothing comes after that: the losses are reported nevertheless, since
# Linux 6.0. (The shell calls getppid, too, and records of tasks are lost as well.)
if [ "$(uname -r | cut -d. -f1)" -ge 6 ]; then
	perf trace --no-bpf -m 64K -s -e getppid -o out \
		sh -c 'kill -STOP $PPID; ./load threads; kill -CONT $PPID' 2>err || fail "stopped: $(cat err)"
	lost=$(sed -n 's/.* \([0-9]*\) events were lost.*/\1/p' err)
	all=$((2 * $(calls out getppid) + ${lost:-0}))
	[ "$all" -ge 199900 ] && [ "$all" -le 200300 ] || fail "stopped: $all events are known of 200000: $(cat err)"
fi
[ -n "$has_bpf" ] || exit $failed

# The counts of strace. The number of calls that unmap memory depends on the addresses.
if command -v strace >/dev/null; then
	strace -f -c -S name -o counts.strace ls /etc >/dev/null 2>&1 || fail 'strace'
	perf trace -s --summary-mode=total -o out ls /etc >/dev/null 2>err || fail "ls: $(cat err)"
	awk 'NF >= 5 && $1 + 0 == $1 && $NF != "total" { print $NF, $4 }' counts.strace | grep -v munmap | sort >theirs
	awk 'NF == 8 && $2 + 0 == $2 { print $1, $2 }' out | grep -v munmap | sort >ours
	cmp -s theirs ours || fail "strace counts otherwise: $(diff theirs ours)"
fi

# A million calls, none of them lost; the table as text and as JSON.
perf trace -s -o out dd if=/dev/zero of=/dev/null bs=512 count=500000 2>err || fail "dd: $(cat err)"
expect 'writes of dd' "$(calls out write | awk '{ print ($1 >= 500000 && $1 < 500010) }')" 1
perf trace -s --json --histogram -o out dd if=/dev/zero of=/dev/null bs=512 count=1000 2>err ||
	fail "JSON: $(cat err)"
command -v python3 >/dev/null && python3 - out <<'SCRIPT' || fail "JSON: $(cat out)"
import json, sys
lines = [json.loads(line) for line in open(sys.argv[1])]
read = next(c for c in lines[0]["calls"] if c["syscall"] == "read")
assert len(lines) == 1 and lines[0]["summary"] == "thread" and lines[0]["comm"] == "dd", lines
assert read["calls"] >= 1000 and read["calls"] == sum(row["count"] for row in read["histogram"]), read
assert read["min_ns"] <= read["p50_ns"] <= read["p99_ns"] <= read["max_ns"], read
assert read["min_ns"] <= read["mean_ns"] <= read["max_ns"], read
SCRIPT

# Cgroups have their paths.
perf trace -s --summary-mode=cgroup -a -o out ./load forks 2>err || fail "cgroups: $(cat err)"
[ "$(calls out getppid)" -ge 20000 ] || fail "cgroups: $(head -20 out)"
grep -q '^ cgroup /.*, [0-9]* events$' out || fail "no path of a cgroup: $(grep events out)"

# On a terminal the table is visible while it counts, and is erased before the last one is printed.
if command -v python3 >/dev/null; then
	python3 "$top/tests/live/trace-summary.py" || fail 'the table on a terminal'
fi

# Nothing stays in the kernel after kill -9.
programs() {
	bpftool prog list 2>/dev/null | grep -c 'name on_return\|name on_enter'
}
if command -v bpftool >/dev/null; then
	before=$(programs)
	perf trace -s -o out ./load busy 2>err &
	trace=$!
	more_programs() { [ "$(programs)" -gt "$before" ]; }
	as_before() { [ "$(programs)" -le "$before" ]; }
	until_true more_programs || fail 'no BPF program is there while it counts'
	load=$(pgrep -P $trace)
	kill -KILL $trace
	wait $trace 2>/dev/null
	until_true as_before || fail 'a BPF program is left after kill -9'
	kill -KILL "$load"
else
	echo 'skipped: what is left in the kernel: no bpftool'
fi
exit $failed
