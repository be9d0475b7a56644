#!/bin/sh
# SPDX-License-Identifier: MIT
# Tests of `perf top` as text, on this kernel: shares of a known load, in pipes and files, of a process that ends, of
# tracepoints, as another user; and that it ends correctly.
top=$(cd "$(dirname "$0")/../.." && pwd)
. "$top/tests/live/waiting"
work=$(mktemp -d) || exit 1
cd "$work" || exit 1
chmod 755 .
failed=0
load=
theirs=
mkfifo hold
trap 'exec 3>&-; [ -z "$load" ] || wait "$load"; rm -rf "$work"' EXIT

fail() {
	echo "FAILED: $*"
	failed=1
}

[ "$(id -u)" = 0 ] || { echo 'needs root'; exit 77; }
${CC:-cc} -O1 -fno-omit-frame-pointer -o load "$top/tests/live/top-load.c" || exit 1
./load <hold & load=$!
exec 3>hold

# shown FILE PATTERN: true if a line of the file matches.
shown() {
	grep -qE "$2" "$1" 2>/dev/null
}

# until_shown FILE PATTERN OPTION...: runs perf top into the file until a line matches.
until_shown() {
	file=$1
	pattern=$2
	shift 2
	"${self:-perf}" top "$@" >"$file" 2>err 3>&- & pid=$!
	until_true shown "$file" "$pattern" || { fail "perf top $*: no '$pattern'"; cat "$file" err; }
	kill -INT $pid
	wait $pid || fail "perf top $*: status $? after SIGINT"
}

# Prints the share on the last page of a file that has $2 in it, in percent.
share() {
	sed -n "s/^ *\\([0-9.]*\\)%.* $2\$/\\1/p" "$1" | tail -1
}

# near NAME FILE FUNCTION LEAST MOST
near() {
	s=$(share "$2" "$3")
	awk "BEGIN { exit !(\"$s\" != \"\" && ${s:-0} >= $4 && ${s:-0} <= $5) }" || fail "$1: $3 has '$s' %, not $4 to $5"
}

# A process: three functions, with their shares.
until_shown page.txt 'spin_ten' -d 0.5 -p $load
shown page.txt '^   PerfTop: +[0-9]+ irqs/sec  kernel: *[0-9.]+%  exact: +[0-9.]+% lost: 0/0 drop: 0/0 \[4000Hz .*\],  \(target_pid: '$load'\)$' ||
	{ fail 'the first line'; head -3 page.txt; }
near 'a process' page.txt spin_sixty 45 75
near 'a process' page.txt spin_thirty 18 42
! grep -q "$(printf '\033')" page.txt || fail 'a file has sequences for terminals'

# With stacks, callers include the shares of their callees.
until_shown stacks.txt 'spin_ten' -d 0.5 -g -p $load -E 100
near 'stacks' stacks.txt main 80 100

# The whole system, sorted by other keys; the options of a well-known one-liner.
until_shown system.txt ' load ' -d 0.5 -F 99 -ns comm,dso
# Only the kernel; without perf itself.
until_shown kernel.txt '\[k\]' -d 0.5 -U
! grep -q '\[\.\]' kernel.txt || fail '-U shows functions of user space'
# Another user may run a perf, too, so this one has a name of its own.
cp "$(command -v perf)" this-perf
self=./this-perf
until_shown user.txt ' spin_sixty' -d 0.5 -K --hide-self
! grep -qE '\[k\]| this-perf  ' user.txt || fail "-K --hide-self shows the kernel, or perf: $(cat user.txt)"
self=

# Tracepoints: each has a page, and every occurrence counts.
until_shown trace.txt '\[sched:sched_switch\]' -d 0.5 -e sched:sched_switch,sched:sched_wakeup -ns comm
shown trace.txt '\[sched:sched_wakeup\]' || fail 'the second event is not shown'
until_shown calls.txt ' load' -d 0.5 -e raw_syscalls:sys_enter -ns comm -p $load

# A closed reader ends it, without a message.
perf top -d 0.1 -p $load 2>err 3>&- | head -4 >head.txt
[ "$(wc -l <head.txt)" = 4 ] || fail 'head has not got four lines'
! grep -qi 'pipe' err || { fail 'a word about the pipe'; cat err; }

# Zeroing, and hierarchies.
until_shown zero.txt 'spin_sixty' -d 0.5 -z -p $load
until_shown levels.txt 'spin_sixty' -d 0.5 -H -s comm,symbol -p $load

# Another user measures their own processes, and is told how to measure the rest.
paranoid=$(cat /proc/sys/kernel/perf_event_paranoid)
perf=$(command -v perf)
if [ "$paranoid" -ge 1 ] && su nobody -s /bin/sh -c "$perf version" >/dev/null 2>&1; then
	su nobody -s /bin/sh -c "$perf top" >nobody.txt 2>&1 && fail 'nobody may measure the system'
	shown nobody.txt 'perf_event_paranoid' || { fail 'no cure for nobody'; cat nobody.txt; }
	su nobody -s /bin/sh -c ./load <hold 3>&- & theirs=$!
	until_true pgrep -u nobody load >pid
	until_shown theirs.txt 'spin_sixty' -d 0.5 -u nobody
fi

# It ends with the measured process.
perf top -d 0.5 -p $load >end.txt 2>err 3>&- & pid=$!
until_true has_events $pid 1
exec 3>&-
wait $load
load=
wait $pid || fail "status $? at the end of the process"
[ -z "$theirs" ] || wait "$theirs"
exit $failed
