#!/bin/sh
# SPDX-License-Identifier: MIT
# Compares perf probe -L and the addresses of functions, lines and patterns with the installed perf, where that exists;
# and checks errors, which name the nearest lines.
skip() {
	echo "$1"
	exit 77
}

PERF=${PERF:-$(command -v perf)}
oracle=${ORACLE_PERF:-/usr/bin/perf}
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
static inline int scaled(int x)
{
	int y = x * 5;
	if (y > 30)
		y -= 7;
	return y ^ x;
}
END
cat >load.c <<'END'
#include <stdio.h>
#include "h.h"

int limit = 7;

static inline __attribute__((always_inline)) int inlined(int x)
{
	int y = x * 3;
	if (x > limit)
		y += scaled(x);
	return y;
}

static __attribute__((noinline)) int loop(int n)
{
	int sum = 0;

	for (int i = 0; i < n; i++)
		sum += inlined(i);
	return sum;
}

int main(int argc, char **argv)
{
	(void)argv;
	printf("%d\n", loop(argc) + inlined(argc));
	return scaled(argc) & 1;
}
END
cat >points <<'END'
main
loop
inlined
scaled
inlined+4
loop%return
loop:2
loop:5
main:3
inlined:4
scaled:3
load.c:15
load.c:27
load.c:28
h.h:4
loop@load.c
l*
loop;sum*
inlined;*y*
load.c;*return*
h.h;*
main;printf*
END
# If instructions differ in length, that offset may be within one: we refuse it, the installed perf does not.
[ "$(uname -m)" = aarch64 ] || sed -i '/+4$/d' points
cat >listings <<'END'
loop
loop:0-2
loop:2+2
main
scaled
main@load.c
load.c
load.c:18-23
h.h:2-5
END
for level in 0 2 g; do
	for version in 4 5; do
		"${CC:-cc}" -g -gdwarf-$version -O$level -o load load.c || skip 'no C compiler'
		name="-O$level, DWARF $version"
		"$PERF" probe -x load -L loop >own 2>&1 || problem "-L fails at $name: $(cat own)"
		head -n 1 own | grep -qx "<loop@$dir/load.c:0>" || problem "head at $name: $(head -n 1 own)"
		grep -q '^      0  static __attr' own || problem "line 0 at $name: $(cat own)"
		grep -q '^         {$' own || problem "a line without code at $name: $(cat own)"
		# Every line with a number can be probed.
		sed -n 's/^ *\([0-9][0-9]*\)  .*/\1/p' own >numbers
		while read -r number; do
			"$PERF" probe -x load -D "loop:$number" >/dev/null 2>&1 ||
				problem "loop:$number is listed, and cannot be probed at $name"
		done <numbers
		[ -x "$oracle" ] && [ -n "$("$oracle" probe -x load -D main 2>/dev/null)" ] || continue
		while read -r listing; do
			"$oracle" probe -x load -L "$listing" >theirs 2>/dev/null || continue
			"$PERF" probe -x load -L "$listing" >own 2>&1
			cmp -s theirs own || problem "-L $listing at $name: $(diff theirs own)"
		done <listings
		while read -r point; do
			"$oracle" probe -x load -D "$point" >theirs 2>/dev/null || continue
			"$PERF" probe -x load -D "$point" >own 2>&1
			cmp -s theirs own || problem "$point at $name: $(diff theirs own)"
		done <points
	done
done

"${CC:-cc}" -g -O0 -o load load.c
"$PERF" probe -x load -D loop:3 >own 2>&1 && problem 'a line without code is probed'
grep -q 'loop:2 and loop:4' own || problem "the nearest lines are not named: $(cat own)"
"$PERF" probe -x load -D 'loop;nothing like it' >own 2>&1 && problem 'a pattern without lines is probed'
"$PERF" probe -x load -L loop:100-120 >own 2>&1 && problem 'lines that are not there are shown'
mkdir elsewhere
mv load.c elsewhere
"$PERF" probe -x load -L loop >own 2>&1 && problem 'a source that is not there is shown'
grep -q -e '-s DIR' own || problem "-s is not named: $(cat own)"
"$PERF" probe -x load -s elsewhere -L loop:0-1 >own 2>&1 || problem "-s: $(cat own)"
head -n 1 own | grep -qx '<loop@elsewhere/load.c:0>' || problem "head with -s: $(cat own)"
exit $fail
