#!/bin/sh
# SPDX-License-Identifier: MIT
# Damaged recordings are read as far as possible, by every command that reads them.
top=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

load='i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done; while [ $i -lt 20040 ]; do i=$((i+1)); /bin/true; done'
perf record -q -o plain.data -e cpu-clock -F 9000 -- sh -c "$load" || exit 1
perf record -q -o stacks.data -e cpu-clock -F 9000 -g -d -- sh -c "$load" || exit 1
perf record -q -o copied.data -e cpu-clock -F 4000 --call-graph dwarf,1024 --unwind=later -- \
	sh -c "$load" || exit 1
perf record -q -o points.data -e 'sched:*' -e 'syscalls:sys_*_openat' -- sh -c "$load" || exit 1
perf record -q -o - -e cpu-clock,page-faults -c 100000 -- sh -c "$load" >pipe.data || exit 1
set -- plain.data stacks.data copied.data points.data pipe.data
perf record -q -z -o packed.data -e cpu-clock -F 9000 -g -- sh -c "$load" && set -- "$@" packed.data

# The sanitizers' own tables take terabytes of address space.
ldd "$(command -v perf)" | grep -q libasan && set -- -u "$@"
exec "$top/tests/live/damage.py" -n "${DAMAGED_FILES:-400}" ${DAMAGED_SEED:+-s "$DAMAGED_SEED"} "$@"
