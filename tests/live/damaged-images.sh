#!/bin/sh
# SPDX-License-Identifier: MIT
# Damaged programs, debug files and jitdumps lead to fewer names and do no harm.
top=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

"${CC:-cc}" -O1 -o load "$top/tests/live/jit-load.c" || {
	echo 'no C compiler'
	exit 77
}
cp load stripped
strip -o stripped load && objcopy --only-keep-debug load load.debug &&
	objcopy --add-gnu-debuglink=load.debug stripped
objcopy --only-keep-debug --strip-debug load mini && xz -f mini &&
	objcopy --add-section .gnu_debugdata=mini.xz stripped packed
[ -x packed ] || cp load packed
perf record -q -B -k mono -e cpu-clock -F 9000 -g -o p.data -- sh -c './load 3000000; ./stripped 3000000; ./packed 3000000' ||
	exit 1

# A tree with the program that was run, and its libraries.
set --
for file in load stripped packed load.debug jit-*.dump; do
	mkdir -p "root$work"
	cp "$file" "root$work/" && set -- "$@" "root$work/$file"
done
for file in $(ldd load | sed -n 's/.* => \(\/[^ ]*\) .*/\1/p'); do
	file=$(readlink -f "$file")
	mkdir -p "root${file%/*}"
	cp "$file" "root$file"
	set -- "$@" "root$file"
done

# The sanitizers' own tables take terabytes of address space.
unlimited=
! ldd "$(command -v perf)" | grep -q libasan || unlimited=-u
exec "$top/tests/live/damage-images.py" $unlimited -n "${DAMAGED_FILES:-300}" ${DAMAGED_SEED:+-s "$DAMAGED_SEED"} root p.data "$@"
