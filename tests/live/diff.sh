#!/bin/sh
# SPDX-License-Identifier: MIT
# Tests of `perf diff` with programs whose change is known: a function that takes half as long again is found among
# repeated recordings and exceeds a limit, and the same program compared with itself shows no change. The output for
# single recordings is byte for byte that of the installed perf 6.1.
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
PERF=${PERF:-$(command -v perf)}
oracle=${ORACLE_PERF:-/usr/bin/perf}
"$oracle" version 2>/dev/null | grep -q 'version 6\.1\.' || oracle=
failed=0

fail() {
	echo "FAILED: $*"
	failed=1
}

cat >load.c <<'END'
#include <stdlib.h>

volatile unsigned long sink;

#ifdef NEW /* so that nothing lies where it was */
__attribute__((noinline)) void added(unsigned long n)
{
	while (n--)
		sink += n * 7;
}
#endif

__attribute__((noinline)) void steady(unsigned long n)
{
	while (n--)
		sink += n;
}

__attribute__((noinline)) void slower(unsigned long n)
{
	while (n--)
		sink += n * 3;
}

int main(int argc, char **argv)
{
	unsigned long n = strtoul(argv[argc - 1], NULL, 10);

	for (int i = 0; i < 10; i++) {
		steady(2 * n);
#ifdef NEW
		slower(n + n / 2);
		added(n / 4);
#else
		slower(n);
#endif
	}
}
END
mkdir next
"${CC:-cc}" -O1 -o old load.c || { echo 'no C compiler'; exit 77; }
"${CC:-cc}" -O1 -DNEW -o next/old load.c || exit 1
for i in 1 2 3 4 5 6; do
	perf record -q -e cpu-clock:u -F 2000 -o old-$i.data ./old 1500000 || { echo 'cannot record here'; exit 77; }
	perf record -q -e cpu-clock:u -F 2000 -o new-$i.data next/old 1500000 || exit 1
done

# limits STATUS LIMITS OPTION...: checks the result of the limits.
limits() {
	wanted=$1
	limit=$2
	shift 2
	perf diff --fail-if "$limit" "$@" >out 2>err
	got=$?
	[ "$got" = "$wanted" ] || {
		fail "--fail-if '$limit' $*: status $got, not $wanted"
		cat out err
	}
}

# Shares: slower() had a third of the whole; now it has 1.5 of 3.75 parts.
limits 1 'slower > +3%' 'old-*.data' 'new-*.data'
grep -q '^ .*+[0-9.]*% .*\*  *old  *\[\.\] added$' out || fail 'added() is not marked as new'
grep -q '^# total .* more$' out || fail 'the whole does not take longer'
# Periods: half as long again, plus or minus a fifth; steady() takes as long as before.
limits 1 'slower > +30%' -c ratio 'old-*.data' 'new-*.data'
limits 0 'slower > +70%' -c ratio 'old-*.data' 'new-*.data'
limits 0 'steady > +25%' -c ratio 'old-*.data' 'new-*.data'
# The other way round.
limits 0 'slower > +3%' 'new-*.data' 'old-*.data'
limits 1 'slower < -3%' 'new-*.data' 'old-*.data'
# Nothing has changed: no function of weight is marked.
limits 0 'slower > +3%, steady > +3%' old-1.data,old-3.data,old-5.data old-2.data,old-4.data,old-6.data
perf diff -q old-1.data,old-3.data,old-5.data old-2.data,old-4.data,old-6.data | grep '\*.*\(slower\|steady\)' &&
	fail 'a change where there is none'
# One recording of each is not enough to tell.
limits 2 'slower > +3%' old-1.data new-1.data
limits 2 'slowest > +3%' 'old-*.data' 'new-*.data'
perf diff --json 'old-*.data' 'new-*.data' | python3 -m json.tool >/dev/null || fail 'no JSON'
mkdir base this && cp old-?.data base && cp new-?.data this
limits 1 'slower > +3%' base this

# same OPTION...: compares with the output of the installed perf.
same() {
	"$oracle" diff "$@" >theirs 2>/dev/null
	"$PERF" diff "$@" >ours 2>/dev/null
	cmp -s theirs ours || {
		fail "not as the installed perf: diff $*"
		diff theirs ours | head -5
	}
}

if [ -n "$oracle" ]; then
	for options in '' '-c delta' '-c ratio -p' '-c wdiff:2,3 -F' '-b' '-o 0' '-s dso' '-s sym' '-s comm,dso' \
		'-t ,' '-q' '-d old' '-S slower,steady --percentage relative' '--time 0%-50%'; do
		# shellcheck disable=SC2086 # several options
		same $options old-1.data new-1.data
		# shellcheck disable=SC2086
		same $options old-1.data old-2.data new-1.data
	done
	same -o 2 old-1.data old-2.data new-1.data
	cp old-1.data perf.data.old
	cp new-1.data perf.data
	same
	same new-2.data
fi
# The same program under another name: nothing is the same, and a message says so.
cp "$(readlink -f /bin/sh)" old-name && cp old-name new-name
# shellcheck disable=SC2016 # expanded by the inner shell
for name in old-name new-name; do
	perf record -q -e cpu-clock:u -o $name.data ./$name -c 'i=0; while [ $i -lt 200000 ]; do i=$((i + 1)); done' 2>/dev/null
done
perf diff old-name.data new-name.data >/dev/null 2>err
grep -q 'old-name and new-name are different programs' err || { echo "FAILED: other names are not told:"; cat err; failed=1; }
perf diff -s symbol old-name.data new-name.data >/dev/null 2>err
! grep -q 'different programs' err || { echo "FAILED: -s symbol does not help:"; cat err; failed=1; }
exit $failed
