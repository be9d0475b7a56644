#!/bin/sh
# SPDX-License-Identifier: MIT
# Damaged debug information (plain, compressed, split, shared by dwz) and damaged unwinding tables lead to fewer lines,
# inlined functions and callers, but do no harm.
top=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

build() {
	out=$1
	shift
	"${CXX:-c++}" -O2 -g "$@" -o "$out" "$top/tests/live/debug-load.cc"
}
build plain && build packed -gdwarf-4 -gz && build split -gsplit-dwarf || {
	echo 'no C++ compiler'
	exit 77
}
programs='plain packed split'
if command -v dwz >/dev/null && build shared && cp shared twin && dwz -m "$work/common" shared twin; then
	programs="$programs shared"
fi
load=
for program in $programs; do
	load="$load ./$program 40;"
done
perf record -q -B -e cpu-clock -F 1999 --call-graph dwarf,2048 --unwind=later -o p.data -- \
	sh -c "$load" || exit 1

# A tree with the program that was run, and its libraries.
mkdir -p "root$work"
set --
for file in $programs common; do
	[ ! -e "$file" ] || { cp "$file" "root$work/" && set -- "$@" "root$work/$file"; }
done
for file in *.dwo; do
	cp "$file" "root$work/" && set -- "$@" "$work/$file" "root$work/$file"
done
for file in $(ldd plain | sed -n 's/.* => \(\/[^ ]*\) .*/\1/p'); do
	real=$(readlink -f "$file")
	mkdir -p "root${real%/*}"
	cp "$real" "root$real"
	case $real in
	*/libc.*) set -- "$@" "root$real" ;;
	esac
done

# The sanitizers' own tables take terabytes of address space.
unlimited=
! ldd "$(command -v perf)" | grep -q libasan || unlimited=-u
exec "$top/tests/live/damage-images.py" $unlimited -n "${DAMAGED_FILES:-250}" ${DAMAGED_SEED:+-s "$DAMAGED_SEED"} root p.data "$@"
