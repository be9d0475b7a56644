#!/bin/sh
# SPDX-License-Identifier: MIT
# In a sandbox that refuses one system call, each command works without it or says in a sentence what is missing. It
# never hangs, is never killed by a signal, and never prints its usage.
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0

"${CC:-cc}" -O1 -o denied "$here/denied-call.c" || exit 1
./denied bpf true
[ $? -ne 77 ] || { echo "this kernel filters no system calls (CONFIG_SECCOMP_FILTER)"; exit 77; }
perf record -q -g -e cpu-clock -o perf.data -- sh -c 'i=0; while [ $i -lt 2000 ]; do i=$((i + 1)); done' || exit 1

# check CALL COMMAND...
check() {
	call=$1
	shift
	timeout -s KILL 60 ./denied "$call" perf "$@" >out 2>err </dev/null
	status=$?
	[ $status -ne 78 ] || return 0
	if [ $status -gt 129 ] && [ $status -ne 255 ]; then
		echo "perf $*, without $call: status $status: $(tail -n 3 err)"
		failed=1
	elif [ $status -ne 0 ] && ! [ -s err ]; then
		echo "perf $*, without $call: failed without a word, status $status"
		failed=1
	elif grep -q Usage err; then
		echo "perf $*, without $call: tells how it is used: $(head -n 3 err)"
		failed=1
	fi
}

# Sanitizers end a process whose signal mask they cannot change.
mask=rt_sigprocmask
! ldd "$(command -v perf)" | grep -q libasan || mask=
# shellcheck disable=SC2086 # there may be none
for call in bpf clone3 epoll_create1 epoll_ctl eventfd2 memfd_create perf_event_open pidfd_open poll ppoll \
	$mask sendto signalfd4 socketpair timerfd_create userfaultfd; do
	for command in 'record -a -e cpu-clock -o x' 'record --call-graph bpf -e cpu-clock -o x' stat 'trace -o x'; do
		# shellcheck disable=SC2086 # words
		check $call $command -- sleep 0.01
	done
	check $call report --stdio
done

# The command ends with its process.
for call in clone3 epoll_create1 eventfd2 perf_event_open; do
	sleep 1 &
	check $call top --stdio -d 1 -e cpu-clock -p $!
	wait $!
done
exit $failed
