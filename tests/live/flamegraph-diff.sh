#!/bin/sh
# SPDX-License-Identifier: MIT
# Tests of `perf flamegraph --diff` with programs whose change is known: in repeated recordings, the functions that
# changed are marked in the right direction, those that did not are not, and a program compared with itself shows no
# change.
top=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0

fail() {
	echo "FAILED: $*"
	failed=1
}

cat >load.c <<'END'
#include <stdlib.h>

#include "with-frames.h"

#define OWN_FRAME __attribute__((noinline, noclone))

volatile unsigned long sink;

#ifdef NEW /* so that nothing lies where it was */
OWN_FRAME void added(unsigned long n)
{
	KEEP_FRAME();
	while (n--)
		sink += n * 7;
}
#endif

OWN_FRAME void grown(unsigned long n)
{
	KEEP_FRAME();
	while (n--)
		sink += n * 3;
}

OWN_FRAME void shrunk(unsigned long n)
{
	KEEP_FRAME();
	while (n--)
		sink += n * 5;
}

OWN_FRAME void steady(unsigned long n)
{
	KEEP_FRAME();
	while (n--)
		sink += n;
}

int main(int argc, char **argv)
{
	unsigned long n = strtoul(argv[argc - 1], NULL, 10);

	for (int i = 0; i < 10; i++) {
		steady(4 * n);
#ifdef NEW
		grown(2 * n);
		added(n);
#else
		grown(n);
		shrunk(2 * n);
#endif
	}
}
END
mkdir next
"${CC:-cc}" -O1 -fno-omit-frame-pointer -I "$top/tests/live" -o load load.c || { echo 'no C compiler'; exit 77; }
"${CC:-cc}" -O1 -fno-omit-frame-pointer -I "$top/tests/live" -DNEW -o next/load load.c || exit 1
for i in 1 2 3 4 5; do
	perf record -q -g -e cpu-clock:u -F 2000 -o old-$i.data ./load 1500000 || { echo 'cannot record here'; exit 77; }
	perf record -q -g -e cpu-clock:u -F 2000 -o new-$i.data next/load 1500000 || exit 1
done

# titles BEFORE AFTER: prints the titles of the load's functions in the picture.
titles() {
	perf flamegraph -q --diff "$1" "$2" -o - >diff.svg || fail "--diff $1 $2"
	grep -oE '<title>(main|grown|shrunk|steady|added) [^<]*' diff.svg
}

# says FUNCTION PATTERN: matches the title of the function in `got`.
says() {
	grep -q "<title>$1 .*$2" got || fail "$1: $(grep "<title>$1 " got)"
}

for sides in "old-*.data new-*.data" "old-1.data new-1.data"; do
	titles "${sides% *}" "${sides#* }" >got
	says grown ': +[0-9.]* points)'
	says added 'before 0.00%: +[0-9.]* points)'
	says shrunk '(0 samples, 0.00%; .*: -[0-9.]* points)'
	says main 'no change of its own beyond chance'
done
# The function has 4 of 7 parts before and after.
titles 'old-*.data' 'new-*.data' >got
says steady '; before'
titles 'new-*.data' 'old-*.data' >got
says grown ': -[0-9.]* points)'
says shrunk 'before 0.00%: +[0-9.]* points)'
# For the same program, 1 comparison in 20 may show a change by chance, but no large one.
titles old-1.data,old-3.data,old-5.data old-2.data,old-4.data >got
grep -v 'beyond chance' got | grep -E '[+-]([5-9]|[0-9]{2})\.[0-9]* points' && fail 'a change where there is none'
exit $failed
