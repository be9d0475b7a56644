#!/bin/sh
# SPDX-License-Identifier: MIT
# Damaged recordings of sched, lock, kmem, kwork and timechart are read as far as possible.
top=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

load='i=0; while [ $i -lt 40 ]; do i=$((i+1)); /bin/true | /bin/cat; done'
perf sched record -q -o sched.data -g -- sh -c "$load" || exit 1
perf kwork record -q -o kwork.data -g -- sh -c "$load" || exit 1
perf timechart record -o timechart.data -g -- sh -c "$load" 2>record.err || exit 1
perf kmem record -q -o kmem.data -- sh -c "$load" || exit 1
perf kmem --page record -q -o kmem.pages.data -- sh -c "$load" || exit 1
perf lock record -q -o lock.data -- sh -c "$load" || exit 1
cp "$top/tests/fixtures/lock/classes.data" lock.classes.data
set -- sched.data kwork.data timechart.data kmem.data kmem.pages.data lock.data lock.classes.data

# The sanitizers' own tables take terabytes of address space.
ldd "$(command -v perf)" | grep -q libasan && set -- -u "$@"
exec "$top/tests/live/damage.py" -e -n "${DAMAGED_FILES:-300}" ${DAMAGED_SEED:+-s "$DAMAGED_SEED"} "$@"
