#!/bin/sh
# SPDX-License-Identifier: MIT
# Stacks that are unwound while recording equal those that the same samples give when their copies are unwound later;
# the installed perf reads them like ours; and the process supplies what a copy lacks.
top=$(cd "$(dirname "$0")/../.." && pwd)
. "$top/tests/live/waiting"
theirs=/usr/bin/perf
[ -x $theirs ] || theirs=
dir=$(mktemp -d) || exit 1
pid='' now='' later=''
cleanup() {
	for p in $pid $now $later; do kill -KILL "$p" 2>/dev/null; done
	rm -rf "$dir"
}
trap cleanup EXIT
cd "$dir" || exit 1
failed=0
fail() {
	echo "$*"
	failed=1
}

"${CC:-cc}" -O2 -fomit-frame-pointer -fno-optimize-sibling-calls -o load "$top/tests/live/unwind-load.c" ||
	{ echo 'no C compiler'; exit 77; }
perf record -q -e cpu-clock:u --call-graph dwarf -o p.data true 2>err || { echo 'cannot record here'; exit 77; }

# same FILE: checks that both perfs print it alike, except for the functions that ours finds inlined, and the first call
# stubs, which theirs takes for a part of _init
same() {
	perf script --no-inline -i "$1" >ours 2>/dev/null
	[ -s ours ] || fail "$1: nothing in it"
	[ -z "$theirs" ] && return
	$theirs script --no-inline -i "$1" >reference 2>/dev/null
	awk 'FNR == NR { if (/ _init\+/) skip[FNR]; next } !(FNR in skip)' reference ours >ours.rest
	mv ours.rest ours
	sed -i '/ _init+/d' reference
	cmp -s ours reference || fail "$1: $theirs prints something else: $(diff ours reference | head -n 6)"
}

# stacks FILE: prints names of functions, a line for each stack, outermost last
stacks() {
	perf script --no-inline -i "$1" -F ip,sym 2>/dev/null | awk -v RS= '{ for (i = 2; i <= NF; i += 2) printf "%s ", $i; print "" }'
}

# Two recorders see the same page faults of one run.
mkfifo gate
./load faults <gate &
pid=$!
exec 3>gate
perf record -q -e page-faults:u -c 1 --call-graph dwarf,16384 --unwind=now -o now.data -p $pid 2>err &
now=$!
perf record -q -e page-faults:u -c 1 --call-graph dwarf,16384 --unwind=later -o later.data -p $pid 2>err &
later=$!
for p in $now $later; do
	until_true is_recording $p || exit 1
done
echo >&3
exec 3>&-
wait $pid $now $later
pid='' now='' later=''
perf evlist -v -i now.data | grep -q 'STACK_USER\|REGS_USER' && fail 'now: copies are in the file'
perf evlist -v -i later.data | grep -q 'STACK_USER' || fail 'later: no copies are in the file'
stacks now.data >now.txt
stacks later.data >later.txt
[ "$(grep -c 'descend .*main .*_start $' now.txt)" -ge 32 ] || fail "now: $(grep -c _start now.txt) stacks are complete"
diff later.txt now.txt >diff.txt || fail "later <, now >: $(head -n 6 diff.txt)"
same now.data
[ "$(stat -c %s later.data)" -gt $((3 * $(stat -c %s now.data))) ] ||
	fail "$(stat -c %s later.data) bytes with copies, $(stat -c %s now.data) without"
if [ -n "$theirs" ]; then
	$theirs report --stdio -i now.data --no-children -g caller 2>/dev/null | grep -q 'descend' || fail "$theirs report shows no stacks"
	$theirs evlist -v -i now.data >/dev/null 2>&1 || fail "$theirs evlist fails"
fi

# A stack of 64 KiB, of which 2 are copied: the rest is in the process, which waits (for an ordinary user: nothing).
perf record -e context-switches -c 1 --call-graph dwarf,2048 --unwind=now -o p.data ./load wait 64 0.5 2>err
stacks p.data | grep 'doze ' >deep.txt
all=$(wc -l <deep.txt)
good=$(grep -cE ' doze (dive ){65}main .*_start $' deep.txt)
if [ "$all" -gt 0 ]; then
	grep -q "by the process's own memory" err || { fail 'wait: nothing came from memory'; cat err; }
	[ "$good" -ge $((all / 2)) ] || fail "wait: $good of $all stacks are complete"
	same p.data
fi

# Every form of file.
perf record -q -z -e cpu-clock:u -F 997 --call-graph dwarf --unwind=now -o p.data ./load deep 16 0.2 2>err && same p.data
perf record -q -e cpu-clock:u -F 997 --call-graph dwarf --unwind=now -o - ./load deep 16 0.2 >p.data 2>err && same p.data
perf record -q -e cpu-clock:u -F 997 --call-graph dwarf --unwind=now --switch-output=1s -o p.data ./load deep 16 1.5 2>err
for file in p.data.2*; do
	same "$file"
	stacks "$file" | grep -q '^compute .*_start $' || fail "$file has no complete stacks"
done
rm -f p.data.2*

# A killed perf leaves the data recorded so far.
perf record -q -e cpu-clock:u -F 997 --call-graph dwarf --unwind=now -o killed.data ./load deep 16 1000 2>err &
now=$!
has_stacks() {
	[ "$(stacks killed.data | grep -cE '^compute (dive ){17}main .*_start $')" -gt 300 ]
}
until_true has_stacks || failed=1
pid=$(pgrep -P $now)
kill -KILL $now
wait $now 2>/dev/null
now=
has_stacks || fail 'killed: too little is left'
[ -z "$theirs" ] || $theirs script -i killed.data 2>/dev/null | grep -q compute || fail "killed: $theirs cannot read it"

# The configured method is used, and a note says so if it cannot be.
printf '[record]\n\tunwind = later\n' >config
PERF_CONFIG=config perf record -q -e cpu-clock:u --call-graph dwarf -o p.data true 2>err
perf evlist -v -i p.data | grep -q 'sample_stack_user: 8192' || fail 'record.unwind is not looked at'
printf '[record]\n\tunwind = soon\n' >config
PERF_CONFIG=config perf record -q -e cpu-clock:u --call-graph dwarf -o p.data true 2>err && fail 'record.unwind = soon is taken'
perf record -e cpu-clock:u --call-graph dwarf --threads -o p.dir true 2>err
grep -q 'unwound later: with --threads' err || fail '--threads: it is not said that stacks are copied'
exit $failed
