#!/bin/sh
# SPDX-License-Identifier: MIT
# Damaged jitdumps and perf maps lead to fewer names and do no harm.
top=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

"${CC:-cc}" -O1 -o load "$top/tests/live/jit-load.c" || {
	echo 'no C compiler'
	exit 77
}
./load 1000 || {
	echo 'memory cannot be written and executed here'
	exit 77
}
mv jit-*.dump load.dump
# A dump of node, with unwinding tables and source lines.
cp "$top/tests/fuzz/seeds/jitdump/node" node.dump
cp "$top/tests/fuzz/seeds/perf-map/node" node.map

# The sanitizers' own tables take terabytes of address space.
unlimited=
! ldd "$(command -v perf)" | grep -q libasan || unlimited=-u
exec "$top/tests/live/damage-jit.py" $unlimited -n "${DAMAGED_FILES:-300}" ${DAMAGED_SEED:+-s "$DAMAGED_SEED"} load.dump node.dump node.map
