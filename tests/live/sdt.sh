#!/bin/sh
# SPDX-License-Identifier: MIT
# Markers of programs: known by buildid-cache, set while record and stat need them, with their arguments and semaphores.
skip() {
	echo "$1"
	exit 77
}

top=$(cd "$(dirname "$0")/../.." && pwd)
. "$top/tests/live/waiting"
PERF=${PERF:-$(command -v perf)}
oracle=${ORACLE_PERF:-/usr/bin/perf}
events=/sys/kernel/tracing/uprobe_events
[ "$(id -u)" = 0 ] || skip 'only root may set probes'
[ -w "$events" ] || skip 'this kernel has no uprobes'
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

nothing_left() {
	grep -q 'sdt_load/' $events && problem "$1 leaves probes behind:" "$(grep sdt_load/ $events)"
}

# Prints events and numbers of the recording $1, without addresses.
texts() {
	"$PERF" script -i "$1" -F trace:event,trace | sed 's/([0-9a-f]*) //; s/ arg2=[0-9]*//; s/^ *//'
}

"${CC:-cc}" -O1 -o load "$top/tests/live/sdt-load.c" || skip 'no C compiler'
grep -q 'sdt_load/' $events && skip 'somebody has set probes at these markers'

"$PERF" record -q -o x.data -e sdt_load:tick ./load 2>stderr && problem 'a marker is known before it is'
grep -q 'perf buildid-cache --add PROGRAM' stderr || problem 'not told how it becomes known:' "$(cat stderr)"
"$PERF" buildid-cache --add load || problem 'cannot add a program'
"$PERF" list sdt >list
grep -q '^  sdt_load:tick  *\[SDT event\]$' list || problem 'the marker is not listed:' "$(cat list)"

# Values are those of the program, at both places of one marker.
"$PERF" record -q -o x.data -e sdt_load:tick ./load 4 >/dev/null || problem 'cannot record a marker'
nothing_left 'perf record'
texts x.data >ours
cat >true <<'END'
sdt_load:tick: arg1=0
sdt_load:tick: arg1=-1
sdt_load:tick: arg1=2000
sdt_load:tick: arg1=-3
END
cmp -s true ours || problem 'the values are not true:' "$(cat ours)"
if "$oracle" version 2>/dev/null | grep -q 'version 6\.1\.'; then
	"$oracle" script -i x.data >theirs 2>&1
	"$PERF" script -i x.data >ours
	cmp -s theirs ours || problem 'the installed perf reads other things:' "$(diff theirs ours)"
fi

# A semaphore counts the observers.
[ "$(./load 5)" = 'guarded 0' ] || problem 'a semaphore is set without anybody looking'
[ "$("$PERF" record -q -o x.data -e sdt_load:guarded ./load 5)" = 'guarded 5' ] ||
	problem 'the semaphore is not set while recording'
[ "$("$PERF" script -i x.data | wc -l)" = 5 ] || problem 'not all behind the semaphore is recorded'
[ "$(./load 5)" = 'guarded 0' ] || problem 'the semaphore stays set'

# Globs, groups, filters.
"$PERF" stat -x, -o counts -e '{sdt_load:*}' ./load 6 >/dev/null || problem 'cannot count markers'
nothing_left 'perf stat'
[ "$(awk -F, '/sdt_load/ { n += $1 } END { print n }' counts)" = 12 ] || problem 'wrong counts:' "$(cat counts)"
"$PERF" record -q -o x.data -e 'sdt_load:*' --filter 'arg1 >= 2' ./load 4 >/dev/null || problem 'no filter'
texts x.data | sort >ours
printf '%s\n' 'sdt_load:guarded: arg1=2' 'sdt_load:guarded: arg1=3' 'sdt_load:tick: arg1=2000' >true
cmp -s true ours || problem 'the filter lets other things through:' "$(cat ours)"

# No probe is left behind, however the command ends.
"$PERF" record -q -o x.data -e sdt_load:tick,nonsense ./load 2>/dev/null && problem 'nonsense is recorded'
nothing_left 'a mistake beside it'
"$PERF" record -q -o x.data -e sdt_load:tick ./no-such-program 2>/dev/null
nothing_left 'a workload that is none'
for signal in INT TERM HUP; do
	"$PERF" record -q -o x.data -e 'sdt_load:*' ./load 10000 1000 >/dev/null 2>&1 &
	pid=$!
	until_true grep -q 'sdt_load/' $events || fail=1
	kill -s $signal $pid
	wait $pid
	nothing_left "SIG$signal"
done

# A probe that existed before still exists afterwards.
"$PERF" probe -q 'sdt_load:tick' || problem 'cannot set a probe at a marker'
"$PERF" record -q -o x.data -e sdt_load:tick ./load >/dev/null || problem 'cannot record what is set'
[ "$(grep -c 'sdt_load/tick' $events)" = 2 ] || problem "a user's own probe is gone:" "$(cat $events)"
"$PERF" probe -q -d 'sdt_load:tick' || problem 'cannot remove it'
nothing_left 'perf probe -d'

# A rebuilt program has its markers at other addresses.
"${CC:-cc}" -O0 -o load "$top/tests/live/sdt-load.c"
"$PERF" record -q -o x.data -e sdt_load:tick ./load >/dev/null 2>stderr && problem 'old offsets are used'
grep -q 'is no longer the one' stderr || problem 'not told that the program has changed:' "$(cat stderr)"
"$PERF" buildid-cache --add load
"$PERF" record -q -o x.data -e sdt_load:tick ./load 2 >/dev/null || problem 'cannot record the new one'
[ "$(texts x.data | wc -l)" = 2 ] || problem 'not all of the new one is recorded'
exit $fail
