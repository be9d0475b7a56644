# SPDX-License-Identifier: MIT
# perf test on a machine with kprobes and, on aarch64, hardware counters: nothing fails.
work=$(mktemp -d)
cd "$work"
# Prints failures first.
wrong() { grep -A 12 'FAILED!' out || :; echo "$1; all of it:"; cat out; exit 1; }
perf test -v >out 2>&1 || wrong "status $?"
! grep -q ': FAILED!' out || wrong 'status 0'
grep -q '(kprobes) *: Ok' out || wrong 'no kprobe was tested'
[ "$(uname -m)" != aarch64 ] || grep -q 'Counter reading of cycles *: Ok' out || wrong 'cycles were not counted'
