#!/bin/sh
# SPDX-License-Identifier: MIT
# Code that programs make while they run is named by their jit-PID.dump, without a pass over the recording: with the
# names of the installed perf's `perf inject -j`, where that is installed.
skip() {
	echo "$1"
	exit 77
}

top=$(cd "$(dirname "$0")/../.." && pwd)
PERF=${PERF:-$(command -v perf)}
oracle=${ORACLE_PERF:-/usr/bin/perf}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
HOME=$dir
export HOME
fail=0

problem() {
	echo "$*"
	fail=1
}

# Counts each name in the recording $1 ($2...: options of script).
names() {
	data=$1
	shift
	"$PERF" script -i "$data" -F ip,sym,dso "$@" 2>stderr | sed "s,^ *[0-9a-f]* ,," | sort | uniq -c
}

# Prints the number of samples of $2 in the list $1.
count() {
	awk -v name="$2" 'index($0, name) { n += $1 } END { print n + 0 }' "$1"
}

"${CC:-cc}" -O1 -o load "$top/tests/live/jit-load.c" || skip 'no C compiler'
"$PERF" record -q -k mono -e cpu-clock -F 5000 -o jit.data ./load 60000000 ||
	problem 'cannot record'
ls jit-*.dump >/dev/null 2>&1 || skip 'memory cannot be written and executed here'

names jit.data >ours
first=$(count ours 'jitted_first (')
second=$(count ours 'jitted second(int) (')
[ "$first" -gt 20 ] || problem "jitted_first has $first samples:" "$(cat ours)"
# Twice the number: the code was moved, and called again.
[ "$second" -gt $((first * 3 / 2)) ] && [ "$second" -lt $((first * 3)) ] ||
	problem "the second has $second samples, the first $first"
grep -q 'jitted_first ('"$dir"'/jit-[0-9]*.dump)' ours || problem 'the object is not the dump:' "$(cat ours)"
[ ! -s stderr ] || problem 'something is said:' "$(cat stderr)"

# Programs that another one starts, each by an exec of its own.
"$PERF" record -q -k mono -e cpu-clock -F 5000 -o started.data \
	sh -c './load 20000000; exec env -- ./load 20000000' || problem 'cannot record'
names started.data >ours
[ "$(grep -c 'jitted_first ('"$dir"'/jit-[0-9]*.dump)' ours)" = 2 ] ||
	problem 'names are missing of programs that a shell started:' "$(cat ours)"

# With another clock the times are meaningless.
"$PERF" record -q -e cpu-clock -F 5000 -o other.data ./load 20000000 || problem 'cannot record'
names other.data >ours
[ "$(count ours 'jitted second(int) (')" -gt 20 ] || problem 'no names in another clock:' "$(cat ours)"
[ "$(count ours 'jitted_first (')" = 0 ] || problem 'a function that was replaced is shown'
grep -q 'jit-[0-9]*.dump: .*-k mono' stderr || problem 'the clock is not told:' "$(cat stderr)"

# Another user could invent names.
if [ "$(id -u)" = 0 ]; then
	chown 1:1 jit-*.dump
	names jit.data >ours
	[ "$(count ours 'jitted_first')" = 0 ] || problem "another user's names are shown"
	grep -q '\.dump is not read: it belongs to .*(*uid 1)*, .*-f reads it' stderr ||
		problem 'the owner is not told:' "$(cat stderr)"
	names jit.data -f >ours
	[ "$(count ours 'jitted_first')" -gt 0 ] || problem '-f does not help'
	chown 0:0 jit-*.dump
fi

# Names are the same as after inject, address by address. The exceptions are call stubs, which perf 6.1 takes for a part
# of _init or does not name, and the BPF programs of other users, which it may not name.
compare() {
	"$oracle" inject -j -i "$1" -o injected.data >/dev/null 2>&1 || return
	"$oracle" script -i injected.data -F time,ip,sym 2>/dev/null >theirs
	"$PERF" script -i "$1" -F time,ip,sym 2>/dev/null >ours
	[ -s theirs ] || return
	paste theirs ours | awk -F '\t' -v OFS='\t' '$1 !~ / _init$/ && $2 !~ / (bpf_prog_|\.plt$)/' >rest
	cut -f 1 rest >theirs
	cut -f 2 rest >ours
	cmp -s theirs ours || problem "$1: names differ:" "$(diff theirs ours | head -n 6)"
}

"$oracle" version 2>/dev/null | grep -q 'version 6\.1\.' || exit $fail
compare jit.data
compare started.data

cat >fib.js <<'END'
function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
function mix(n) { let s = 0; for (let i = 0; i < n; i++) s = (s * 31 + i) | 0; return s; }
let sum = 0;
for (let i = 0; i < 4; i++) sum += fib(25) + mix(3e6);
END
if command -v node >/dev/null; then
	"$PERF" record -q -k mono -e cpu-clock -F 2000 -o node.data node --perf-prof fib.js
	names node.data >ours
	[ "$(count ours 'mix ')" -gt 0 ] || problem 'node: no name of mix():' "$(head -n 5 ours)"
	compare node.data
	"$PERF" record -q -k mono -e cpu-clock -F 2000 -o inner.data sh -c 'node --perf-prof fib.js; true'
	names inner.data >ours
	[ "$(count ours 'mix ')" -gt 0 ] || problem 'node started by a shell: no name of mix():' "$(head -n 5 ours)"
	compare inner.data
fi
exit $fail
