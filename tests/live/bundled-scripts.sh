#!/bin/sh
# SPDX-License-Identifier: MIT
# Tests of the bundled scripts on real recordings: each can be recorded and reported by name, and its output is that of
# the installed perf's script on the same recording, up to the order of equal counts.
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
oracle=${ORACLE_PERF:-/usr/bin/perf}
theirs=/usr/lib/perf-core/scripts
ours=$TOP/scripts/python
failed=0

fail() {
	echo "FAILED: $*"
	failed=1
}

grep -q 'HAVE_LIBPYTHON 1' "$BUILD/config.h" || { echo "perf is built without Python"; exit 77; }
[ "$(id -u)" -eq 0 ] || { echo "tracepoints need root"; exit 77; }
perf record -q -o none.data -e raw_syscalls:sys_enter true 2>/dev/null || { echo "no tracepoints here"; exit 77; }

load='for i in 1 2 3; do cat /etc/passwd /nonexistent | head -2; done'

# record NAME [option...]: records into NAME.data
record() {
	name=$1
	shift
	perf script record "$name" "$@" -o "$name.data" -- sh -c "$load" >out 2>&1 ||
		{ fail "cannot record $name"; cat out; }
}

# report NAME [argument...]: reports into NAME.out; there are no errors
report() {
	name=$1
	shift
	perf script report "$name" "$@" -i "$name.data" >"$name.out" 2>err || fail "report $name: status $?"
	[ ! -s err ] || { fail "report $name: $(cat err)"; }
	[ -s "$name.out" ] || fail "report $name: prints nothing"
}

# same NAME SCRIPT [argument...]: compares with the output of the installed perf's script
same() {
	[ -e "$theirs/$2" ] && [ -x "$oracle" ] || return
	name=$1 script=$2
	shift 2
	$oracle script -i "$name.data" -s "$theirs/$script" "$@" 2>/dev/null | sed 's/.\[H.\[2J//' |
		sed '/^Install the audit/,/^$/d' | sort >wanted
	sort "$name.out" >got
	cmp -s wanted got || { fail "$name is not as $script"; diff wanted got | head; }
}

for name in rwtop rw-by-pid failed-syscalls wakeup-latency failed-syscalls-by-pid sctop futex-contention \
	syscall-counts syscall-counts-by-pid net_dropmonitor netdev-times sched-migration; do
	record "$name"
	report "$name"
done
record rw-by-file
report rw-by-file cat
same rwtop perl/rwtop.pl
same rw-by-pid perl/rw-by-pid.pl
same rw-by-file perl/rw-by-file.pl cat
same failed-syscalls perl/failed-syscalls.pl
same futex-contention python/futex-contention.py
grep -qE '^(read|openat) +[0-9]+$' syscall-counts.out || fail "system calls have no names"

record task-analyzer -a
perf script report task-analyzer -i task-analyzer.data --summary >out || fail "task-analyzer"
grep -q '^Summary' out || fail "task-analyzer: no summary"

# Samples are taken by time, because there may be no counters. A loop gives enough of them.
# shellcheck disable=SC2016 # the shell that is recorded expands it
perf record -q -g -e cpu-clock -F 2000 -o samples.data -- sh -c 'i=0; while [ $i -lt 200000 ]; do i=$((i + 1)); done'
for name in stackcollapse event_analyzing_sample; do
	cp samples.data "$name.data"
	report "$name"
done
grep -q '^sh;' stackcollapse.out || fail "stackcollapse: no stack of sh"
perf script report flamegraph -i samples.data -f json -o tree.json >out || fail "flamegraph"
perf script report gecko -i samples.data --save-only gecko.json >out || fail "gecko"
perf script report export-to-sqlite x.db -i samples.data >out || fail "export-to-sqlite"
python3 - <<'END' || failed=1
import json, sqlite3, subprocess, sys
def total(node):
    return node["v"] + sum(total(child) for child in node["c"])
lines = open("stackcollapse.out").read().split("\n")
stacks = sum(int(line.rpartition(" ")[2]) for line in lines if line)
tree = total(json.load(open("tree.json")))
gecko = sum(len(t["samples"]["data"]) for t in json.load(open("gecko.json"))["threads"])
(rows,) = sqlite3.connect("x.db").execute("select count(*) from samples_view where id > 0").fetchone()
if not stacks == tree == gecko == rows > 0:
    sys.exit("FAILED: samples: %d in lines, %d in the tree, %d for Firefox, %d in the database" % (stacks, tree, gecko, rows))
END

# Live: the command after the name is run.
perf script syscall-counts cat /etc/passwd >out 2>&1 || fail "live syscall-counts"
grep -qE '^openat +[0-9]+$' out || { fail "live syscall-counts counts nothing"; cat out; }

# Control+C ends a continuous display, which then prints its results.
. "$TOP/tests/live/waiting"
: >top
perf script sctop 1 >top 2>err &
pid=$!
until_true grep -q 'syscall events' top || fail "sctop does not refresh"
kill -INT $pid
wait $pid || fail "sctop: status $? after control+C"
! grep -q "$(printf '\033')" top || fail "sctop: control codes in a file"

if command -v pyflakes3 >pyflakes; then
	find "$ours" -name '*.py' -exec pyflakes3 {} + || failed=1
fi
exit $failed
