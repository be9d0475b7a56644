# SPDX-License-Identifier: MIT
# perf test on a machine with kprobes and, on aarch64, hardware counters: nothing fails.
work=$(mktemp -d)
cd "$work"
perf test -v >out 2>&1 || { cat out; exit 1; }
! grep -q ': FAILED!' out || { cat out; exit 1; }
grep -q '(kprobes) *: Ok' out || { cat out; exit 1; }
[ "$(uname -m)" != aarch64 ] || grep -q 'Counter reading of cycles *: Ok' out || { cat out; exit 1; }
