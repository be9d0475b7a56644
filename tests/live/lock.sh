#!/bin/sh
# SPDX-License-Identifier: MIT
# Tests of `perf lock` on this kernel: a program that waits for a lock for a known time, through ring buffers and from a
# recording; the same sums as bpftrace's on the same run; recordings that the installed perf reads, and the reverse.
top=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d) || exit 1
cd "$work" || exit 1
failed=0
trap 'rm -rf "$work"' EXIT

fail() {
	echo "FAILED: $*"
	failed=1
}

[ "$(id -u)" = 0 ] || { echo 'needs root'; exit 77; }
perf list tracepoint | grep -q lock:contention_begin || { echo 'no lock:contention_begin'; exit 77; }
cc -O1 -pthread -o load "$top/tests/live/lock-load.c" || { echo 'needs a C compiler'; exit 77; }
./load file >/dev/null
[ $? = 77 ] && { echo 'needs userfaultfd'; exit 77; }

# Expects the two waits of 60 ms, in CSV: "2, total, max, avg, rwsem:W, caller". Both are longer than 50 ms, and no
# other task waits that long for that lock. They are two rows if another perf began or stopped to use the tracepoint
# between them: the kernel calls a single user of a tracepoint directly, so its stacks have one frame less.
expect_waits() {
	awk -F', ' '$4 >= 55000000 && $5 == "rwsem:W" { n += $1; total += $2 }
		END { exit n != 2 || total < 110000000 }' "$2" || { fail "$1: not two waits of 60 ms for a rwsem"; cat "$2"; }
}

perf lock contention -x, --output live.csv -- ./load file >tids || fail 'contention of a command'
expect_waits 'a command' live.csv

perf lock record -o locks.data -- ./load file >tids 2>err || { fail 'record'; cat err; }
perf lock contention -i locks.data -x, --output file.csv || fail 'contention of a recording'
expect_waits 'a recording' file.csv
perf lock record -o - -- sh -c './load file >/dev/null' 2>err | perf lock contention -i - -x, --output pipe.csv ||
	fail 'contention of a stream'
expect_waits 'a stream' pipe.csv

# The waiting threads are those that the program prints.
perf lock contention -i locks.data -t -x, -F wait_total --output threads.csv
for tid in $(cat tids); do
	awk -F', ' -v tid="$tid" '$2 == tid && $1 >= 55000000 { found = 1 } END { exit !found }' threads.csv ||
		{ fail "thread $tid did not wait for 60 ms"; cat threads.csv; }
done

# The lock has an address, and can be found by it. On a busy machine others may wait longer for another lock.
address=$(perf lock contention -i locks.data -l -x, -q | awk -F', ' '$1 == 2 && $4 >= 55000000 { print $5; exit }')
perf lock contention -i locks.data -L "0x$address" -Y rwsem -x, -q --output lock.csv
expect_waits 'the lock alone' lock.csv
[ "$(grep -vc rwsem:W lock.csv)" = 0 ] || { fail "other locks than $address"; cat lock.csv; }
perf lock contention -i locks.data -S no_such_function -q --output none
[ -s none ] && { fail 'stacks with a function that does not exist'; cat none; }

# The installed perf's view of our recording, and ours of its recording.
oracle=${ORACLE_PERF:-/usr/bin/perf}
if "$oracle" version >version 2>&1 && grep -q ' 6\.1' version; then
	# It dies beside a perf that records with build-ids in mappings.
	theirs=theirs.data
	"$oracle" lock record -o theirs.data -- ./load file >/dev/null 2>&1 || theirs=
	for data in locks.data $theirs; do
		for what in contention 'contention -t' report 'report -t' 'info -t' 'info -m'; do
			# shellcheck disable=SC2086 # a subcommand and options
			"$oracle" lock $what -i $data >expected 2>&1
			# shellcheck disable=SC2086
			perf lock $what -i $data >got 2>&1
			cmp -s expected got || { fail "$what of $data differs"; diff expected got | head; }
		done
	done
else
	echo '# no perf 6.1 to compare with'
fi

# The sums of bpftrace, from the same run.
if command -v bpftrace >/dev/null; then
	perf lock record -q -a -o both.data -- bpftrace -e '
		tracepoint:lock:contention_begin /comm == "load"/ { @at[tid, args->lock_addr] = nsecs; }
		tracepoint:lock:contention_end /@at[tid, args->lock_addr]/ {
			@ns = sum(nsecs - @at[tid, args->lock_addr]); @n = count(); delete(@at[tid, args->lock_addr]); }
		END { clear(@at); }' -c './load file' >trace 2>&1
	theirs=$(awk '$1 == "@ns:" { print $2 }' trace)
	perf lock contention -i both.data -S write_iter -t -x, -q -F wait_total --output both.csv
	ours=$(awk -F', ' '{ sum += $1 } END { printf "%d", sum }' both.csv)
	awk -v a="${ours:-0}" -v b="${theirs:-0}" 'BEGIN { exit !(b && a > b * 0.95 && a < b * 1.05) }' ||
		{ fail "the waits of load take ${ours:-0} ns, and bpftrace says ${theirs:-nothing}"; tail -5 trace; cat both.csv; }
else
	echo '# no bpftrace to compare with'
fi

exit $failed
