#!/bin/sh
# SPDX-License-Identifier: MIT
# Tests of `perf stat` on this kernel: the choice of tasks, sums, starting and ending, the places of output, and error
# messages. Limits are generous, because the machine may be busy.
top=$(cd "$(dirname "$0")/../.." && pwd)
. "$top/tests/live/waiting"
ran=$top/tests/live/until-ran
work=$(mktemp -d) || exit 1
cd "$work" || exit 1
failed=0
skipped=
limit=
children=
cgroups=

cleanup() {
	for pid in $children; do
		kill -KILL "$pid" 2>/dev/null
	done
	for group in $cgroups; do
		until_true rmdir "$group" 2>/dev/null
	done
	rm -rf "$work"
}
trap cleanup EXIT

fail() {
	echo "FAILED: $*"
	failed=1
}

skip() {
	echo "skipped: $*"
	skipped=yes
}

now_ms() {
	echo $(($(date +%s%N) / 1000000))
}

# run STATUS ARGUMENT...: checks that perf stat with these arguments ends with this status; its stderr is then in ./err,
# and its time in $took, in ms. $limit is put before it.
run() {
	wanted=$1
	shift
	start=$(now_ms)
	$limit perf stat "$@" >out 2>err </dev/null
	status=$?
	took=$(($(now_ms) - start))
	[ $status = "$wanted" ] || { fail "perf stat $*: status $status, not $wanted"; cat err; }
}

# says PATTERN...: checks that ./err has a line for each of these.
says() {
	for pattern in "$@"; do
		grep -qE -- "$pattern" err || { fail "not said: '$pattern', but:"; cat err; }
	done
}

# between NAME VALUE LOW HIGH
between() {
	awk -v v="$2" -v low="$3" -v high="$4" 'BEGIN { exit !(v != "" && v + 0 == v && v >= low && v <= high) }' ||
		fail "$1: '$2' is not between $3 and $4"
}

# Prints the sum of the counts of event $1 in the CSV in ./err; field $2 has the name, which is "cs:u" for users who may
# not count the kernel.
sum_of() {
	awk -F, -v event="$1" -v name="${2:-3}" '$name == event || $name == event ":u" { sum += $(name - 2) } END { print sum + 0 }' err
}

rows_of() {
	awk -F, -v event="$1" -v name="${2:-3}" '$name == event || $name == event ":u" { n++ } END { print n + 0 }' err
}

is_root() {
	[ "$(id -u)" = 0 ]
}

perf stat -e task-clock true 2>err || {
	cat err
	echo "events cannot be opened here"
	exit 77
}
command -v "${CC:-cc}" >/dev/null || { echo 'no C compiler'; exit 77; }
"${CC:-cc}" -O1 -D_GNU_SOURCE -pthread -o load "$top/tests/live/stat-load.c" || exit 1
paranoid=$(cat /proc/sys/kernel/perf_event_paranoid)
online=$(getconf _NPROCESSORS_ONLN)

# --- how it ends ------------------------------------------------------------------------------

run 0 true
says "^ Performance counter stats for 'true':$" 'task-clock' ' seconds time elapsed$' ' seconds user$'
run 3 sh -c 'exit 3'
says "stats for 'sh -c exit 3':"
# shellcheck disable=SC2016 # for the other shell
run 143 sh -c 'kill -TERM $$'
says 'seconds time elapsed'
# shellcheck disable=SC2016
run 137 sh -c 'kill -KILL $$'
run 255 ./no-such-program
says '^perf stat: Workload failed: No such file or directory'
[ "$(wc -l <err)" = 1 ] || fail "more than one line about a program that is not there"
run 255 ./
says 'Workload failed: Permission denied'
run 0 -n true
says 'seconds time elapsed'
! grep -q task-clock err || fail '-n counts'
[ "$(perf stat -e task-clock echo hello 2>/dev/null)" = hello ] || fail 'the output of the workload is lost'

# -r stops at the first Ctrl-C; here all runs are seen, and the last one decides.
run 0 -r 3 echo again
[ "$(grep -c again out)" = 3 ] || fail "-r 3 did not run three times"

# --- processes --------------------------------------------------------------------------------

./load spin 60000 &
spinner=$!
children="$children $spinner"

run 0 -x, -e task-clock -p $spinner "$ran" $spinner 200
between "-p, a spinning process, ms" "$(sum_of task-clock)" 150 $took
run 0 -e task-clock,page-faults -p $spinner sleep 0.1
says "stats for process id '$spinner':"
! grep -q 'seconds user' err || fail '-p shows the times of the sleep'
run 0 -e task-clock -t $spinner sleep 0.1
says "stats for thread id '$spinner':"
run 3 -e task-clock -p $spinner sh -c 'exit 3'

# Only the process is counted, not the command beside it.
run 0 -x, -e page-faults:u -p $spinner ./load getppid 1
between 'faults of a process that touches nothing' "$(sum_of page-faults:u)" 0 5

# Without a command it ends with the process, or with Ctrl-C.
./load spin 400 &
children="$children $!"
run 0 -x, -e task-clock -p $!
between '-p until the process ends, ms' "$(sum_of task-clock)" 1 500

env --default-signal=INT perf stat -x, -e task-clock -p $spinner 2>err &
watcher=$!
children="$children $watcher"
until_true has_events $watcher 1 || failed=1
"$ran" $spinner 100
kill -INT $watcher
wait $watcher
between 'the status after Ctrl-C' $? 130 130
between '-p until Ctrl-C, ms' "$(sum_of task-clock)" 10 60000

env --default-signal=INT perf stat -x, -e task-clock,page-faults ./load spin 20000 2>err &
watcher=$!
children="$children $watcher"
until_true pgrep -x -P $watcher load >/dev/null || failed=1
"$ran" "$(pgrep -P $watcher)" 100
kill -INT $watcher
wait $watcher
between 'the counts of a command after Ctrl-C, ms' "$(sum_of task-clock)" 90 20000

# --- threads ----------------------------------------------------------------------------------

mkfifo go
./load threads 4 go &
threads=$!
children="$children $threads"
ready() { [ "$(cat "/proc/$threads/task"/*/comm | grep -c worker)" = 4 ]; }
until_true ready || failed=1
# -D makes it print a message when it starts counting.
perf stat -D 1 -x, -e page-faults:u -p $threads 2>total &
one=$!
perf stat -D 1 -x, -e page-faults:u -p $threads --per-thread 2>err &
each=$!
children="$children $one $each"
if until_true grep -qx 'Events enabled' total && until_true grep -qx 'Events enabled' err; then
	echo >go
	wait $one $each
	total=$(grep page-faults total | cut -d, -f1)
	[ "$(rows_of page-faults:u 4)" = 5 ] || { fail "not a row for each of 5 threads:"; cat err; }
	[ "$(sum_of page-faults:u 4)" = "$total" ] || {
		fail "threads do not add up to $total:"
		cat err
	}
	between 'faults of all threads' "$total" 1000 1200
	grep -v '^Events' err | head -n 1 | grep -q worker4 || { fail 'the busiest thread is not the first:'; cat err; }
fi
run 129 --per-thread true
says 'only available when monitoring via -p -t -a options'

# --- CPUs -------------------------------------------------------------------------------------

if is_root || [ "$paranoid" -le 0 ]; then
	run 0 -x, -a -A -e cpu-clock sleep 0.3
	[ "$(rows_of cpu-clock 4)" = "$online" ] || { fail "-A: not a row for each of $online CPUs:"; cat err; }
	between '-A, the sum of all CPUs, ms' "$(sum_of cpu-clock 4)" $((online * 290)) $((online * took))
	run 0 -x, -a -e cpu-clock sleep 0.3
	between '-a, ms' "$(sum_of cpu-clock)" $((online * 290)) $((online * took))
	run 0 -x, -C 0 -A -e cpu-clock true
	grep -q '^CPU0,' err || { fail '-C 0 does not show CPU0:'; cat err; }
	[ "$(rows_of cpu-clock 4)" = 1 ] || fail '-C 0 shows other CPUs'
	run 0 -a -e cpu-clock true
	says "stats for 'system wide':"
	run 0 -C 0 -e cpu-clock true
	says "stats for 'CPU\(s\) 0':"
	# The calls of one process are among those of all CPUs, and of the one CPU to which it is bound.
	if [ -r /sys/kernel/tracing/events/syscalls/sys_enter_getppid/id ]; then
		run 0 -x, -a -A -e syscalls:sys_enter_getppid ./load getppid 5000
		between 'calls seen by all CPUs' "$(sum_of syscalls:sys_enter_getppid 4)" 5000 50000
		run 0 -x, -a --per-socket -e syscalls:sys_enter_getppid ./load getppid 5000
		between 'calls seen by all sockets' "$(sum_of syscalls:sys_enter_getppid 5)" 5000 50000
	fi
else
	skip "-a needs root or perf_event_paranoid <= 0"
fi
run 0 -vv -e context-switches true
says '^perf_event_attr:$'
says '^sys_perf_event_open: pid [0-9]*  cpu -1  group_fd -1  flags 0x8 = [0-9]'
says '^context-switches: -1: '
run 255 -C 4095 true
says 'CPU 4095 is not online'
run 129 -A true
says 'only available in system-wide mode'

# --- intervals, runs, time --------------------------------------------------------------------

run 0 -x, -I 100 --summary -e task-clock,page-faults:u ./load spin 550
intervals=$(grep -v summary err | grep -c task-clock)
between 'intervals of 100 ms' "$intervals" 5 $((took / 100 + 2))
grep -v summary err >rows
mv err all
mv rows err
parts=$(sum_of page-faults:u 4)
grep summary all >err
[ "$(sum_of page-faults:u 4)" = "$parts" ] || { fail "intervals add up to $parts, but:"; cat all; }
awk -F, 'NF > 3 && $1 + 0 < last { exit 1 } { last = $1 + 0 }' all ||
	grep -q summary all || fail 'time runs backwards'

run 0 -x, -I 50 --interval-count 3 -e task-clock sleep 1
[ "$(rows_of task-clock 4)" = 3 ] || { fail '--interval-count 3:'; cat err; }
run 129 --interval-count 3 true

run 0 -r 5 -e task-clock,page-faults:u ./load spin 20
says '\(5 runs\):$' 'task-clock.*\( \+- +[0-9.]+% \)' 'seconds time elapsed  \( \+- +[0-9.]+% \)'
run 0 -r 3 --table -e task-clock true
says '^ +# Table of individual measurements:$' '# Final result:'
run 0 -x, -r 3 -e page-faults:u ./load getppid 1
between 'the mean of three equal runs' "$(sum_of page-faults:u)" 10 200

run 0 -x, -D 300 -e task-clock ./load spin 600
between '-D 300 of 600 ms' "$(sum_of task-clock | cut -d. -f1)" 1 598
says '^Events disabled$' '^Events enabled$'
run 0 --timeout 200 -e task-clock sleep 60
[ $took -lt 30000 ] || fail "--timeout 200 took $took ms"
says 'seconds time elapsed'
run 129 --timeout 5 true
says 'timeout must be >= 10ms'

rm -f order
run 0 -r 2 --pre 'echo pre >>order' --post 'echo post >>order' sh -c 'echo run >>order'
[ "$(tr '\n' ' ' <order)" = 'pre run post pre run post ' ] || { fail 'the order of --pre and --post:'; cat order; }
rm -f order
run 255 --pre false sh -c 'echo run >>order'
[ ! -e order ] || fail 'the command ran although --pre failed'
says "^perf stat: --pre 'false' failed"

# --- switched by another program --------------------------------------------------------------

mkfifo ctl ack end
perf stat -x, -D -1 --control fifo:ctl,ack -e task-clock -p $spinner sh -c 'read -r x <end' 2>err &
watcher=$!
children="$children $watcher"
exec 8<>ctl 9<>ack
until_true has_events $watcher 1 || failed=1
answer() {
	read -r word <&9
	[ "$word" = ack ] || fail "'$1' was answered with '$word'"
}
echo ping >&8 && answer ping
start=$(now_ms)
echo enable >&8 && answer enable
"$ran" $spinner 100
echo disable >&8 && answer disable
took=$(($(now_ms) - start))
"$ran" $spinner 100
echo >end
wait $watcher
between 'what ran while enabled by a fifo, ms' "$(sum_of task-clock)" 80 $took
says '^Events disabled$' '^Events enabled$'
exec 8>&- 9<&-

perf stat -x, -D -1 --control fifo:ctl -e task-clock ./load spin 20 2>err
says '^<not counted>,msec,task-clock(:u)?,0,100.00'
run 255 --control fifo:/nonexistent true
says "cannot open '/nonexistent'"

# --- formats ----------------------------------------------------------------------------------

cat >parse.py <<'PYTHON'
import json, sys
lines = [line for line in open("err") if line.strip()]
for line in lines:
    try:
        row = json.loads(line)
    except ValueError as e:
        sys.exit(f"not JSON: {e}: {line}")
    if not isinstance(row, dict) or not row:
        sys.exit(f"not a row: {line}")
if not lines:
    sys.exit("no rows")
PYTHON

# both_parse ARGUMENT...: checks JSON, and CSV whose rows all have the same number of fields.
both_parse() {
	run 0 -j "$@"
	python3 -I parse.py || fail "perf stat -j $*"
	run 0 -x';' "$@"
	case " $* " in
	*' --metric-only '*) ;;
	*)
		awk -F';' 'NR == 1 { n = NF } NF != n { print "fields: " $0; exit 1 } END { exit !NR }' err ||
			{ fail "perf stat -x; $*: not a table"; cat err; }
		;;
	esac
}

events=task-clock,page-faults,cycles,duration_time
both_parse true
both_parse -e $events true
both_parse -d true
both_parse -I 20 --interval-count 2 -e $events sleep 0.2
both_parse -I 20 --summary -e $events sleep 0.1
both_parse -r 3 -e $events true
both_parse -M page_fault_rate true
both_parse -p $spinner --per-thread -e $events sleep 0.1
both_parse --metric-only -M page_fault_rate true
if is_root || [ "$paranoid" -le 0 ]; then
	for mode in -A --per-core --per-socket --per-die --per-node --per-cache --per-thread; do
		both_parse -a $mode -e cpu-clock,page-faults,cycles true
		both_parse -a $mode -I 20 --interval-count 2 -e cpu-clock,page-faults,cycles sleep 0.2
		both_parse -a $mode -r 2 -e cpu-clock,page-faults,cycles true
	done
	for mode in -A --per-core --per-socket --per-die --per-node; do
		both_parse -a $mode --metric-only -M page_fault_rate true
	done
fi
run 0 -x '\t' -e task-clock true
grep -qE "$(printf '\tmsec\ttask-clock(:u)?\t')" err || { fail "-x '\\t':"; cat err; }

# --- where it is written ----------------------------------------------------------------------

run 0 -o file -e task-clock true
[ ! -s err ] || fail '-o writes to stderr too'
head -n 1 file | grep -q '^# started on ' || { fail '-o has no first line:'; cat file; }
grep -q task-clock file || fail '-o has no counts'
run 0 -o file --append -x, -e page-faults true
[ "$(grep -c '^# started on ' file)" = 2 ] || { fail '--append:'; cat file; }
grep -q ',page-faults' file || fail '--append has no counts'
perf stat -x, --log-fd 3 -e task-clock true 3>log 2>err
grep -q msec,task-clock log || fail '--log-fd 3 has no counts'
[ ! -s err ] || fail '--log-fd writes to stderr too'
run 0 --quiet -e task-clock true
[ ! -s err ] || { fail '--quiet is not'; cat err; }

run 255 -o /nonexistent/file true
says "^perf stat: .*'/nonexistent/file': there is no folder"
run 255 --log-fd 77 true
says 'logfd 77'
if [ -w /dev/full ]; then
	run 1 -o /dev/full true
	says '^perf stat: cannot write the counts: No space left on device$'
	perf stat true 2>/dev/full
	between 'the status with stderr full' $? 1 1
fi
perf stat -o file -e task-clock true >&- 2>&- <&- || fail 'closed standard files'
grep -q task-clock file || fail 'no counts with closed standard files'
perf stat -e task-clock ./load getppid 1 2>err >&- || fail 'a closed stdout'
perf stat -x, -e task-clock true 2>&1 | :

# --- mistakes: one clear line each -------------------------------------------------------------

# mistake STATUS PATTERN ARGUMENT...
mistake() {
	wanted=$1
	pattern=$2
	shift 2
	run "$wanted" "$@"
	says "$pattern"
	head -n 1 err | grep -qE '^(perf stat:| Error:)' || { fail "the first line of:"; cat err; }
}

mistake 255 'there is no process 4194999' -p 4194999
mistake 255 'there is no thread 4194999' -t 4194999
mistake 129 "unknown event 'nope'" -e nope true
mistake 129 "Cannot find metric or group .nope'" -M nope true
mistake 129 "there is no user 'no-such-user'" -u no-such-user
mistake 129 'Run count must be a positive number' -r -1 true
mistake 129 'choose one' -x, -j true
mistake 129 'both --output and --log-fd' -o x --log-fd 1 true
[ ! -d /sys/fs/cgroup ] || mistake 129 'cgroup' -a -e task-clock -G no-such-group true
[ ! -d /sys/fs/cgroup ] || mistake 129 'cgroup' -a -e task-clock --for-each-cgroup no-such-group true

# --- many events ------------------------------------------------------------------------------

tracing=/sys/kernel/tracing/events
if [ -r $tracing/syscalls/sys_enter_getppid/id ]; then
	n=$(find $tracing/syscalls -maxdepth 1 -name 'sys_enter_*' | wc -l)
	before=$(date +%s%N)
	run 0 -x, -e 'syscalls:sys_enter_*' ./load getppid 1000
	took=$((($(date +%s%N) - before) / 1000000))
	between 'a glob over all system calls, ms' $took 0 6000
	[ "$(wc -l <err)" = "$n" ] || fail "the glob has $(wc -l <err) rows of $n"
	[ "$(sum_of syscalls:sys_enter_getppid)" = 1000 ] || { fail 'not 1000 calls:'; grep getppid err; }
	# The end of the output does not wait for the events to be closed.
	before=$(date +%s%N)
	perf stat -x, --log-fd 3 -e 'syscalls:sys_enter_*' true 3>&1 2>/dev/null | cat >rows
	took=$((($(date +%s%N) - before) / 1000000))
	between 'the same through a pipe, ms' $took 0 6000
	[ "$(wc -l <rows)" = "$n" ] || fail 'rows are lost in a pipe'

	hard=$(prlimit --nofile --output HARD --noheadings --raw)
	if [ "$hard" != unlimited ] && [ "$hard" -le "$n" ]; then
		skip "the limit of descriptors cannot be raised beyond $hard"
	else
		limit='prlimit --nofile=64:'
		run 0 -x, -e 'syscalls:sys_enter_*' true
		[ "$(wc -l <err)" = "$n" ] || fail 'the soft limit of descriptors is not raised'
	fi
	limit='prlimit --nofile=64:64'
	run 255 -x, -e 'syscalls:sys_enter_*' true
	limit=
	says '^perf stat: .*too many open files \(the limit is 64\)$' 'ulimit -n'
	run 0 -x, -e syscalls:sys_enter_getppid --filter 'common_pid == 0' ./load getppid 1000
	between 'calls that a filter keeps out' "$(sum_of syscalls:sys_enter_getppid)" 0 0
else
	skip "tracepoints of system calls cannot be read"
fi

# --- cgroups ----------------------------------------------------------------------------------

root=$(awk '$3 == "cgroup" && $4 ~ /(^|,)perf_event(,|$)/ { print $2; exit }' /proc/mounts)
[ -n "$root" ] || root=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts)
group=perf-test-$$
if ! is_root || [ -z "$root" ] || ! mkdir "$root/$group" 2>err; then
	skip "no cgroup can be made"
else
	cgroups="$root/$group/inner $root/$group"
	mkdir "$root/$group/inner"
	sh -c "echo \$\$ >'$root/$group/inner/cgroup.procs' && exec ./load spin 60000" &
	burner=$!
	children="$children $burner"
	in_group() { grep -qx "$burner" "$root/$group/inner/cgroup.procs"; }
	until_true in_group || failed=1
	run 0 -x, -a -e task-clock,cpu-clock -G $group/inner "$ran" $burner 100
	[ "$(grep -c ",$group/inner," err)" = 2 ] || { fail "-G: two rows with its name:"; cat err; }
	between '-G of a busy group, ms' "$(sum_of cpu-clock)" 50 $took
	# On a busy machine the second event may begin long after the first.
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		run 0 -x, -a -e cpu-clock,cpu-clock -G $group, "$ran" $burner 100
		inside=$(awk -F, 'NR == 1 { print $1 }' err)
		all=$(awk -F, 'NR == 2 { print $1 }' err)
		awk "BEGIN { exit !($inside <= $all) }" && break
	done
	between 'the whole group, with the group in it, ms' "$inside" 10 "$all"
	both_parse -a -e cpu-clock,page-faults --for-each-cgroup $group,$group/inner sleep 0.1
	[ "$(grep -c ";cpu-clock;" err)" = 2 ] || { fail '--for-each-cgroup:'; cat err; }
	run 0 -x, -a -e cpu-clock --for-each-cgroup "$group.*" true
	[ "$(grep -c ',cpu-clock,' err)" = 2 ] || { fail '--for-each-cgroup with a pattern:'; cat err; }
	kill -KILL $burner
	wait $burner 2>/dev/null
	run 0 -x, -a -e cpu-clock -G $group/inner sleep 0.1
	says '^<not counted>,msec,cpu-clock,'
	run 129 -e cpu-clock -G $group true
	says 'only available in system-wide mode'
fi

# --- without privileges -----------------------------------------------------------------------

if ! is_root || ! command -v setpriv >/dev/null; then
	skip "needs root and setpriv"
else
	# A folder that other users cannot reach.
	open=$(mktemp -d)
	chmod 755 "$open"
	cp "$(command -v perf)" "$open/perf"
	as_nobody() {
		HOME=/ setpriv --reuid 65534 --regid 65534 --clear-groups --inh-caps=-all "$open/perf" stat "$@" 2>err >out
	}
	if [ "$paranoid" = 2 ]; then
		as_nobody -e task-clock,page-faults true || fail 'nobody cannot count its own'
		says ' task-clock:u ' ' page-faults:u '
		as_nobody -a -e task-clock true && fail 'nobody counts the system'
		says '^perf stat: .*perf_event_paranoid is 2'
	else
		skip "perf_event_paranoid is $paranoid, not 2"
	fi
	if [ "$(stat -c %a /sys/kernel/tracing)" = 700 ]; then
		as_nobody -e sched:sched_switch true && fail 'nobody counts tracepoints'
		says '^perf stat: tracepoints in .* are readable by root only$'
		[ "$(head -n 1 err | wc -l)" = 1 ] || fail 'more than a line'
	fi
	as_nobody -p $spinner -e task-clock true && fail "nobody counts root's process"
	[ "$paranoid" -gt 2 ] || says '^perf stat: task-clock.*: not allowed on a process of another user$'
	rm -rf "$open"
fi

[ $failed = 0 ] && [ -n "$skipped" ] && echo "parts were skipped"
exit $failed
