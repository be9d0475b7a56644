#!/bin/sh
# SPDX-License-Identifier: MIT
# Tests of perf probe's kept index of debug information: definitions are the same without one, with a new one, with a
# kept one, and with one that is damaged or belongs to another program; in every form of debug information (DWARF 2 to
# 5, 64 bits, packed, split, link-time optimised).
skip() {
	echo "$1"
	exit 77
}

PERF=${PERF:-$(command -v perf)}
CC=${CC:-cc}
command -v "$CC" >/dev/null || skip 'there is no C compiler'
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
HOME=$dir
export HOME
fail=0

problem() {
	echo "$*"
	fail=1
}

cat >h.h <<'END'
static inline __attribute__((always_inline)) int twice(int value)
{
	volatile int copy = value;
	return copy * 2;
}
END
cat >a.c <<'END'
#include "h.h"
int other(int number);
__attribute__((noinline)) static int local_one(int first)
{
	return twice(first) + other(first);
}
int main(int argc, char **argv)
{
	return local_one(argc) + (argv == 0);
}
END
cat >b.c <<'END'
#include "h.h"
__attribute__((noinline)) int other(int number)
{
	volatile int before = number;
	return twice(before) + 3;
}
END

# Prints the answers about PROGRAM with the cache DIR.
ask() {
	for point in main local_one other 'other number' twice 'twice value' 'h.h:3' 'm*' nothing; do
		"$PERF" --buildid-dir "$2" probe -x "$1" -D "$point" 2>&1
	done
}

indexes() {
	find cache -path '*index*' -type f
}

# Checks a program made with OPTIONS, in which COPIES of twice() must be found.
check() {
	copies=$1
	shift
	rm -rf cache program ./*.dwo
	"$CC" -g -O2 "$@" -Wl,--build-id a.c b.c -o program 2>/dev/null || return
	ask ./program /dev/null >without
	ask ./program "$dir/cache" >new
	ask ./program "$dir/cache" >kept
	cmp -s without new || problem "$*: an index makes a difference: $(diff without new)"
	cmp -s without kept || problem "$*: an index that was kept does: $(diff without kept)"
	[ "$(grep -c 'probe_program/twice .*value=' without)" = "$copies" ] ||
		problem "$*: copies of twice: $(cat without)"
	grep -q 'probe_program/other .*number=' without || problem "$*: other: $(cat without)"
}

for version in 2 3 4 5; do
	check 2 -gdwarf-$version
done
check 2 -gdwarf-5 -gdwarf64
check 2 -gz
check 2 -gsplit-dwarf
check 2 -flto -fno-ipa-cp
check 2 -gdwarf-4 -fdebug-types-section
check 2

[ "$(indexes | wc -l)" = 1 ] || problem "no index was kept: $(find cache)"
index=$(indexes)
for damage in 'truncate -s 100' 'truncate -s -1' 'truncate -s +1' 'cp /bin/sh'; do
	$damage "$index"
	ask ./program "$dir/cache" >damaged
	cmp -s without damaged || problem "after $damage: $(diff without damaged)"
done
printf x | dd of="$index" bs=1 seek=150 conv=notrunc 2>/dev/null
ask ./program "$dir/cache" >damaged
cmp -s without damaged || problem "after a change: $(diff without damaged)"

chmod -R a-w cache
ask ./program "$dir/cache" >damaged
cmp -s without damaged || problem "in a cache that is not to be written: $(diff without damaged)"
chmod -R u+w cache
[ $fail = 0 ]
