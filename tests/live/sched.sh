#!/bin/sh
# SPDX-License-Identifier: MIT
# Tests of `perf sched` on this kernel: run times, waits and switches of programs with known behaviour, the replay, that
# nothing is lost, and that the installed perf reads our recordings.
top=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d) || exit 1
cd "$work" || exit 1
failed=0
trap 'rm -rf "$work"' EXIT

fail() {
	echo "FAILED: $*"
	failed=1
}

# between WHAT NUMBER LOW HIGH
between() {
	awk -v n="${2:-none}" -v low="$3" -v high="$4" 'BEGIN { exit !(n != "none" && n >= low && n <= high) }' ||
		fail "$1 is ${2:-missing}, not $3 to $4"
}

[ "$(id -u)" = 0 ] || { echo 'needs root'; exit 77; }
perf list 2>/dev/null | grep -q sched:sched_switch || { echo 'the kernel has no sched:sched_switch'; exit 77; }
cc -O1 -o load "$top/tests/live/sched-load.c" || exit 77

# column FILE NAME N: prints a column of the row of NAME.
column() {
	perf sched latency -a -i "$1" 2>/dev/null | awk -F'|' -v name="$2" -v n="$3" \
		'$1 ~ "^ *" name ":" { gsub(/[^0-9.]/, "", $n); print $n }'
}

perf sched record -q -o load.data -- sh -c './load spin 200; ./load sleep 5 50; ./load pong 2000' ||
	fail 'perf sched record'

# 200 ms, with the exec before, and the time taken by interrupts.
between 'the run time of spinner' "$(column load.data spinner 2)" 150 260
between 'the run time of sleeper' "$(column load.data sleeper 2)" 0 60
# Timers wake it: some machines report few of their events on an idle CPU to perf.
between 'the waits of sleeper' "$(column load.data sleeper 3)" 1 150
# Each one waits once for each turn of the other, unless it is still running when that comes.
between 'the waits of pinger' "$(column load.data pinger 3)" 1500 3000
between 'the waits of ponger' "$(column load.data ponger 3)" 1500 3000

# The pair is on one CPU, with a line for each switch.
n=$(perf sched map -i load.data --cpus 0 2>/dev/null | grep -c '^  \*')
between 'the number of switches of CPU 0' "$n" 3000 1000000

# The replay takes about as much CPU time as was recorded; on a busy machine, caches multiply it several times.
total=$(perf sched latency -a -i load.data 2>/dev/null | sed -n 's/^  TOTAL: *| *\([0-9.]*\) ms.*/\1/p')
cpu=$(perf sched replay -a -r 1 -i load.data 2>/dev/null | sed -n 's!^#1 .*cpu: \([0-9.]*\) /.*!\1!p')
between "CPU time of replay, where $total ms were recorded," "$cpu" \
	"$(awk -v t="$total" 'BEGIN { print t * 0.4 }')" "$(awk -v t="$total" 'BEGIN { print t * 10 }')"
perf sched record -q -o short.data -- ./load sleep 5 2 || fail 'perf sched record'
timeout -s INT 60 perf sched replay -r -1 -i short.data 2>/dev/null | grep -q '^#2 ' || fail 'replay for ever'

# Many tasks that wake each other on all CPUs.
many='for i in 1 2 3 4 5 6 7 8; do ./load pong 3000 & done; wait'
perf sched record -q -o many.data -- sh -c "$many" 2>err || fail "perf sched record: $(cat err)"
perf report --stats -i many.data 2>/dev/null | grep LOST && fail 'events were lost'
perf sched latency -i many.data 2>/dev/null | grep 'lost events' && fail 'latency tells of lost events'
perf sched record -q -g -o stacks.data -- ./load pong 200 2>err || fail "perf sched record -g: $(cat err)"
perf sched script -i stacks.data -F comm,event,ip,sym 2>/dev/null | grep -q schedule || fail 'stacks are missing'

if installed=$(ls /usr/bin/perf 2>/dev/null) && "$installed" sched latency -i load.data >theirs 2>/dev/null; then
	perf sched latency -i load.data >ours 2>/dev/null
	diff theirs ours >differences || fail "latency differs from that of the installed perf: $(head -4 differences)"
	"$installed" sched map -i load.data >theirs 2>/dev/null
	perf sched map -i load.data >ours 2>/dev/null
	diff theirs ours >differences || fail "map differs from that of the installed perf: $(head -4 differences)"
fi

# Without its counters, stats names the kernel option that is needed.
if [ ! -e /proc/schedstat ]; then
	perf sched stats record -o stats.data -- true 2>err && fail 'stats without /proc/schedstat'
	grep -q CONFIG_SCHEDSTATS err || fail "stats does not say what it needs: $(cat err)"
else
	perf sched stats record -o stats.data -- ./load pong 2000 >/dev/null 2>err || fail "stats: $(cat err)"
	n=$(perf sched stats report -i stats.data | awk '/^CPU: 0$/ { cpu = 1 } cpu && /^sched_count/ { print $3; exit }')
	between 'sched_count of CPU 0' "$n" 3000 100000000
fi
exit $failed
