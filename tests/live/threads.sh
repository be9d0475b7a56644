#!/bin/sh
# SPDX-License-Identifier: MIT
# Results with several threads equal those with one: report, script, annotate, data types, diff, data convert, stacks
# unwound while recording and later, and the index that probe makes of debug information. Under ThreadSanitizer (`./dev
# test tsan`) the test also fails if two threads race.
top=$(cd "$(dirname "$0")/../.." && pwd)
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
PERF=${PERF:-$(command -v perf)}
HOME=$dir
export HOME
failed=0

skip() {
	echo "$*"
	exit 77
}

fail() {
	echo "FAILED: $*"
	failed=1
}

command -v taskset >/dev/null || skip 'there is no taskset'
[ "$(nproc)" -gt 1 ] || skip 'there is one CPU, so perf starts no threads'
"${CC:-cc}" -g -O1 -D_GNU_SOURCE -fno-omit-frame-pointer -fno-optimize-sibling-calls -pthread -o load \
	"$top/tests/live/report-load.c" || skip 'there is no C compiler'
perf record -q -o p.data -e cpu-clock:u true 2>err || skip 'cannot record here'
cpu=$(taskset -cp $$ | sed 's/.*: *\([0-9]*\).*/\1/')

# A program with two threads, and processes that come and go.
cat >work <<'END'
./load 60000000 &
for i in 1 2 3 4 5 6 7 8 9 10; do
	sh -c 'for j in 1 2 3; do /bin/true; done'
done
wait
END

# with RESULT COMMAND...: writes the output to RESULT; a race makes it fail.
with() {
	to=$1
	shift
	"$@" >"$to" 2>err || fail "$*: $(head -n 40 err)"
}

# alike COMMAND...: checks that one CPU, for which perf makes no thread, and all CPUs give the same.
alike() {
	with one taskset -c "$cpu" perf "$@"
	with all perf "$@"
	[ -s one ] || fail "perf $*: printed nothing"
	cmp -s one all || fail "perf $*: threads print something else: $(diff one all | head -n 6)"
}

with out perf record -o a.data -F 15000 -g sh work
with out perf record -o b.data -F 15000 -g -z sh work
with out perf record -o t.data -F 15000 -g --threads sh work
with out perf record -o d.data -F 1000 --call-graph dwarf sh work
[ "$(stat -c %s a.data)" -gt $((640 << 10)) ] || skip 'too few samples to be shared out'

alike report --stdio -g caller -i a.data
alike report --stdio -g -s comm,dso,sym,srcline -i a.data
alike report --stdio -g -i b.data
alike report --stdio -g -i t.data
alike report --stdio -g -i d.data
alike report -q --html -i a.data
alike report -q --html -i t.data
alike script -i a.data
alike script -F +srcline -i a.data
alike script -i t.data
alike annotate --stdio -l -i a.data
# Types are computed in both runs: --buildid-dir /dev/null keeps nothing.
alike --buildid-dir /dev/null report --stdio -s type,typeoff -i a.data
alike --buildid-dir /dev/null annotate --stdio --data-type -i a.data
alike diff a.data b.data
for way in one all; do
	rm -f json
	if [ $way = one ]; then cpus=$cpu; else cpus=0-$(($(nproc) - 1)); fi
	with out taskset -c "$cpus" perf data convert --to-json json -i a.data
	mv json $way
done
cmp -s one all || fail 'data convert --to-json: threads write something else'

# Copies of stacks that the reader unwinds, with rules of images that all threads share.
with out perf record -o c.data -F 1000 --call-graph dwarf,4096 --unwind=later sh work
alike report --stdio -g -i c.data
alike script -i c.data

if readelf -S "$PERF" 2>/dev/null | grep -q '\.debug_info' && [ "$(stat -c %s "$PERF")" -gt $((4 << 20)) ]; then
	taskset -c "$cpu" "$PERF" probe -x "$PERF" -D 'main' >one 2>err || fail "probe: $(cat err)"
	rm -rf "$HOME/.debug"
	with all perf probe -x "$PERF" -D 'main'
	cmp -s one all || fail 'probe: threads find something else'
fi
exit $failed
