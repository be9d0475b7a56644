#!/bin/sh
# SPDX-License-Identifier: MIT
# Requests refused for lack of descriptors, memory or a stack lead to a sentence and a status, never to a hang or a
# fatal signal.
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0

# check NAME COMMAND...: checks that the command ends by itself, without a signal, and prints something if it fails.
check()
{
	what=$1
	shift
	timeout -s KILL 120 "$@" >out 2>err </dev/null
	status=$?
	if [ $status -ge 126 ] && [ $status -ne 255 ]; then
		echo "$what: status $status: $(tail -n 3 err)"
		failed=1
	elif [ $status -ne 0 ] && ! [ -s err ]; then
		echo "$what: failed without a word, status $status"
		failed=1
	fi
}

for n in 7 8 9 10 11 12 13 14; do
	check "record, $n descriptors" prlimit --nofile=$n:$n \
		perf record -a -e cpu-clock -- sleep 0.01
	check "record of a command, $n descriptors" prlimit --nofile=$n:$n \
		perf record -e cpu-clock -- sleep 0.01
	check "sched record, $n descriptors" prlimit --nofile=$n:$n perf sched record -- sleep 0.01
	check "trace, $n descriptors" prlimit --nofile=$n:$n perf trace -- sleep 0.01
	check "stat, $n descriptors" prlimit --nofile=$n:$n perf stat -- sleep 0.01
done

# Resources that perf lacks are not reported as the user's mistake.
for n in 4 5 6 7; do
	check "top, $n descriptors" prlimit --nofile=$n:$n timeout -s INT 2 perf top --stdio -d 1 -e cpu-clock
	if grep -q Usage err; then
		echo "top, $n descriptors: tells how it is used: $(cat err)"
		failed=1
	fi
done

perf record -q -g -e cpu-clock -o perf.data -- sh -c 'i=0; while [ $i -lt 20000 ]; do i=$((i + 1)); done'

# Without sanitizers, which take terabytes of address space. Not annotate, because libdw (0.188) does not check whether
# it got the memory for its tables.
if ! ldd "$(command -v perf)" | grep -q libasan; then
	for mb in 20 40 80; do
		for command in 'report --stdio' script list 'stat true' 'record -o x true' \
			'flamegraph -o x.svg'; do
			# shellcheck disable=SC2086 # words
			check "$command, $mb MB" prlimit --as=${mb}000000 perf $command
		done
	done
	for command in 'report --stdio' script 'annotate --stdio' list 'stat true' 'record -o x true' \
		'trace true' 'ftrace true' 'top --stdio -d 1 -e cpu-clock' 'sched latency' \
		'bench sched pipe -l 10' 'record --call-graph dwarf -o x true'; do
		# shellcheck disable=SC2086 # words
		check "$command, a stack of 64 KB" prlimit --stack=65536:65536 \
			timeout -s INT 2 perf $command
	done
fi

# ends SIGNAL COMMAND...: the command waits for a pipe, and the signal ends it before the minute is over.
ends()
{
	number=$1
	shift
	timeout -k 60 -s "$number" 1 "$@" >out 2>err </dev/null
	status=$?
	if [ $status -ne 124 ]; then
		echo "$*: status $status after SIG$number: $(tail -n 3 err)"
		failed=1
	fi
}

# A FIFO without a reader.
mkfifo fifo
ends TERM perf record -e cpu-clock -o fifo -- sleep 100
ends HUP perf record -e cpu-clock -o fifo -- sleep 100
ends INT perf stat -o fifo -- sleep 100

# A FIFO with a reader that does not read.
# shellcheck disable=SC2217 # the reader does not read, on purpose
sleep 100 <fifo &
ends TERM perf record -a -e cpu-clock -F 10000 -o fifo -- sleep 100
kill $!
wait $!

# A FIFO with a reader that has ended.
head -c 100 <fifo >/dev/null &
check "record into a FIFO whose reader ends" perf record -a -e cpu-clock -F 1000 -o fifo -- sleep 100
wait $!
if [ $status -ne 255 ]; then
	echo "record into a FIFO whose reader ends: status $status"
	failed=1
fi

# Repeated tables end when nothing reads them any more.
for command in 'sched latency -I 50' 'heatmap -I 50 sched' 'hist -I 50 sched' 'hist -I 50 --json sched' 'trace -a -o /dev/stdout'; do
	# shellcheck disable=SC2086 # words
	{ timeout -s KILL 60 perf $command 2>/dev/null; echo $? >status; } | head -c 10 >/dev/null
	[ "$(cat status)" != 137 ] || { echo "perf $command | head: did not end"; failed=1; }
done

exit $failed
