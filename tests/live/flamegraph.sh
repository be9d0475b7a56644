#!/bin/sh
# SPDX-License-Identifier: MIT
# Stacks of a real recording: folded lines equal those that awk makes of the text of all events, and nearly equal those
# of the installed perf's stackcollapse script (which finds other callers of a small number of functions:
# docs/differences/stacks.md). A picture of the recording and one of its lines have the same boxes, whose samples are
# those of the report.
top=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
PERF=${PERF:-$(command -v perf)}
oracle=${ORACLE_PERF:-/usr/bin/perf}
collapse=/usr/lib/perf-core/scripts/python/stackcollapse.py
failed=0

fail() {
	echo "FAILED: $*"
	failed=1
}

cat >load.c <<'END'
#include <fcntl.h>
#include <sys/syscall.h>

#include "with-frames.h"

volatile unsigned long sink;

__attribute__((noinline)) void leaf(unsigned long n)
{
	KEEP_FRAME();
	while (n--)
		sink += n;
}

__attribute__((noinline)) void reads(int fd)
{
	char page[4096];

	for (int i = 0; i < 50; i++)
		sink += system_call(SYS_read, fd, (long)page, sizeof(page), 0);
}

__attribute__((noinline)) void both(int fd)
{
	leaf(20000);
	reads(fd);
}

int main(void)
{
	int fd = open("/dev/zero", O_RDONLY);

	for (int i = 0; i < 3000; i++)
		both(fd);
	return 0;
}
END
cc -O1 -g -fno-omit-frame-pointer -fno-optimize-sibling-calls -I "$top/tests/live" -o load load.c || exit 1
if ! "$PERF" record -q -e cpu-clock -F 5000 -g -o g.data ./load 2>err; then
	cat err
	echo 'SKIP: samples with stacks cannot be recorded here'
	exit 77
fi

"$PERF" script --folded -i g.data >folded || fail 'script --folded'
grep -q '^load;.*;main;both;leaf [0-9]*$' folded || fail 'leaf() has no line of its own'
sed 's/ [0-9]*$//' folded | LC_ALL=C sort -c || fail 'lines are not sorted'

# The counts of all lines add up to all samples, and those of a function to its row.
lines=$(awk '{ n += $NF } END { print n }' folded)
rows=$("$PERF" report --stdio --no-children -g none -n -s comm -i g.data 2>/dev/null |
	awk '$1 ~ /%$/ { n += $2 } END { print n }')
[ "$lines" = "$rows" ] || fail "$lines samples in lines, $rows in the report"
lines=$(sed -n 's/.*;leaf \([0-9]*\)$/\1/p' folded | awk '{ n += $1 } END { print n }')
rows=$("$PERF" report --stdio --no-children -g none -F sample,sym -i g.data 2>/dev/null |
	awk '$3 == "leaf" { print $1 }')
[ "$lines" = "$rows" ] || fail "$lines samples of leaf() in lines, $rows in the report"

# The boxes are the same for both inputs.
boxes() {
	grep -o '<title>[^<]*</title>' | sed 1d
}
"$PERF" flamegraph -i g.data >g.svg || fail 'flamegraph of a recording'
boxes <g.svg >of-recording
"$PERF" flamegraph folded | boxes >of-lines
"$PERF" record -q -e cpu-clock -F 5000 -g -o - ./load 2>/dev/null >stream.data
"$PERF" flamegraph - <stream.data | grep -q '<title>leaf ' || fail 'a stream has no boxes'
[ -s of-recording ] || fail 'there are no boxes'
cmp of-recording of-lines || fail 'the boxes of lines are others'
if command -v xmllint >/dev/null; then
	xmllint --noout g.svg || fail 'the picture is not XML'
fi

# grep finds the stacks through a function.
"$PERF" script --folded -i g.data | grep ';reads;' | "$PERF" flamegraph - | boxes >of-reads
grep -q '<title>reads ' of-reads || fail 'reads() is missing'
grep -q '<title>leaf ' of-reads && fail 'leaf() was not filtered'

# The text of all events, folded by awk.
"$PERF" script -F comm,ip,sym -i g.data | awk '
	NF == 1 { comm = $1 }
	NF > 1 { $1 = ""; sub(/^ /, ""); stack = ";" $0 stack }
	NF == 0 && comm != "" { n[comm stack]++; stack = comm = "" }
	END { for (s in n) print s " " n[s] }' | LC_ALL=C sort >by-awk
LC_ALL=C sort folded | cmp - by-awk || fail 'awk folds otherwise'

# Prints how many samples of a hundred are in lines that both files have. BPF programs of other users may have no names
# in one of them.
common() {
	awk '/;bpf_trace_run/ { next } NR == FNR { seen[$0]; next } { all += $NF } $0 in seen { both += $NF }
		END { print all ? int(100 * both / all) : 0 }' "$1" "$2"
}
if [ -f $collapse ] && "$oracle" version 2>/dev/null | grep -q 'version 6\.1\.'; then
	"$oracle" script -i g.data -s $collapse -- --kernel >collapsed 2>/dev/null
	"$PERF" script --folded=kinds -i g.data >kinds
	if [ -s collapsed ]; then
		[ "$(common collapsed kinds)" -ge 90 ] || fail 'the installed perf folds otherwise'
	else
		echo 'the installed perf cannot run scripts: not compared'
	fi
else
	echo 'no perf 6.1 with its scripts: not compared'
fi
exit $failed
