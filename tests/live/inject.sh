#!/bin/sh
# SPDX-License-Identifier: MIT
# The output of inject is read alike by us and by the installed perf: plain and compressed files, streams and
# directories in, files and streams out; with build-ids, with stacks unwound, with compiled code.
skip() {
	echo "$1"
	exit 77
}

top=$(cd "$(dirname "$0")/../.." && pwd)
PERF=${PERF:-$(command -v perf)}
oracle=${ORACLE_PERF:-/usr/bin/perf}
"$oracle" version 2>/dev/null | grep -q 'version 6\.1\.' || oracle=
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

# Prints the samples of $1 with both tools, into $2.ours and $2.theirs.
shown() {
	"$PERF" script -i "$1" >"$2.ours" 2>/dev/null
	[ -z "$oracle" ] || "$oracle" script -i "$1" >"$2.theirs" 2>/dev/null
}

# Checks that the samples of $2 are those of $1, for both tools.
same() {
	shown "$1" before
	shown "$2" after
	[ -s before.ours ] || problem "$1: no samples"
	cmp -s before.ours after.ours ||
		problem "$2: ours differs from $1:" "$(diff before.ours after.ours | head -n 4)"
	[ -z "$oracle" ] || cmp -s before.theirs after.theirs ||
		problem "$2: theirs differs from $1:" "$(diff before.theirs after.theirs | head -n 4)"
}

record() {
	"$PERF" record -q -e cpu-clock -F 2000 "$@" sh -c 'i=0; while [ $i -lt 30000 ]; do i=$((i + 1)); done'
}

record -g -o plain.data || skip 'cannot record'
"$PERF" inject -i plain.data -o out.data || problem 'inject fails'
same plain.data out.data
"$PERF" inject -b -i plain.data -o out.data || problem 'inject -b fails'
same plain.data out.data
"$PERF" buildid-list -i out.data | grep -q 'libc.so' || problem '-b: libc has no build-id'
[ -s out.data.old ] || problem 'the old output is gone'
"$PERF" inject -b -i out.data -o out.data || problem 'in place: inject fails'
same plain.data out.data

# Streams.
"$PERF" inject -i plain.data | "$PERF" inject -b | "$PERF" inject -o out.data || problem 'streams: inject fails'
same plain.data out.data
"$PERF" inject -b -i plain.data >stream.data
"$PERF" script -i - <stream.data >after.ours 2>/dev/null
cmp -s before.ours after.ours || problem 'a stream differs:' "$(diff before.ours after.ours | head -n 4)"

# Another form.
if record -z -g -o packed.data 2>/dev/null; then
	"$PERF" inject -i packed.data -o out.data || problem 'compressed: inject fails'
	same packed.data out.data
	"$PERF" script -D -i out.data | grep -q COMPRESSED && problem 'some is still compressed'
	"$PERF" script --header-only -i out.data | grep -q compressed && problem 'the header says compressed'
fi
if record --threads -a -o several.data 2>/dev/null; then
	"$PERF" inject -i several.data -o out.data || problem 'a directory: inject fails'
	"$PERF" script -i several.data >before.ours 2>/dev/null
	"$PERF" script -i out.data >after.ours 2>/dev/null
	cmp -s before.ours after.ours || problem 'a directory differs:' "$(diff before.ours after.ours | head -n 4)"
fi

# Stacks.
"${CC:-cc}" -O1 -o load "$top/tests/live/jit-load.c" || skip 'no C compiler'
if record --call-graph dwarf,4096 --unwind later -o stacks.data 2>/dev/null ||
	record --call-graph dwarf,4096 -o stacks.data; then
	"$PERF" inject --unwind -i stacks.data -o out.data 2>notes || problem '--unwind fails:' "$(cat notes)"
	"$PERF" script -i stacks.data --max-stack 1000 >before.ours 2>/dev/null
	"$PERF" script -i out.data --max-stack 1000 >after.ours 2>/dev/null
	cmp -s before.ours after.ours || problem 'unwound stacks differ:' "$(diff before.ours after.ours | head -n 4)"
	[ "$(wc -c <out.data)" -lt "$(($(wc -c <stacks.data) / 2))" ] || problem '--unwind does not make it small'
	if [ -n "$oracle" ]; then
		"$oracle" script -F ip -i out.data >theirs 2>/dev/null
		"$PERF" script --no-inline -F ip -i out.data >ours 2>/dev/null
		cmp -s ours theirs || problem 'the installed perf reads other stacks:' "$(diff ours theirs | head -n 4)"
	fi
fi

# Compiled code.
"$PERF" record -q -k mono -e cpu-clock -F 2000 -o jit.data ./load 30000000
if ls jit-*.dump >/dev/null 2>&1; then
	"$PERF" inject -j -i jit.data -o out.data || problem '-j fails'
	[ -s "$(ls jitted-*-1.so)" ] || problem '-j makes no files'
	"$PERF" script -F time,ip,sym -i jit.data >before.ours 2>/dev/null
	"$PERF" script -F time,ip,sym -i out.data >after.ours 2>/dev/null
	cmp -s before.ours after.ours || problem '-j: names differ:' "$(diff before.ours after.ours | head -n 4)"
	if [ -n "$oracle" ]; then
		"$oracle" script -F time,ip,sym -i out.data >theirs 2>/dev/null
		# Leaves out the code before the first stub of .plt, which only ours names: docs/differences/symbols.md.
		awk 'FNR == NR { if ($NF == ".plt") skip[FNR]; next } !(FNR in skip)' after.ours theirs >theirs.rest
		grep -v ' \.plt$' after.ours >ours.rest
		mv ours.rest after.ours
		mv theirs.rest theirs
		cmp -s after.ours theirs || problem '-j: the installed perf sees other names:' \
			"$(diff after.ours theirs | head -n 4)"
	fi
	if command -v eu-elflint >/dev/null; then
		eu-elflint -q --gnu-ld jitted-*-1.so || problem 'jitted-*-1.so is no good ELF file'
	fi
fi

# A damaged file is passed on completely.
cp plain.data cut.data
truncate -s "$(($(wc -c <plain.data) * 2 / 3))" cut.data
"$PERF" inject -i cut.data -o whole.data 2>/dev/null || problem 'a cut file: inject fails'
"$PERF" script -i cut.data >before.ours 2>/dev/null
"$PERF" script -i whole.data >after.ours 2>notes
cmp -s before.ours after.ours || problem 'a cut file differs:' "$(diff before.ours after.ours | head -n 4)"

# JSON that other programs can read.
if command -v python3 >/dev/null; then
	"$PERF" data convert --all --to-json - -i plain.data 2>/dev/null | python3 -c '
import json, sys
d = json.load(sys.stdin)
assert d["samples"] and d["records"] and d["headers"]["cmdline"]
assert all(s["callchain"] and s["event"] for s in d["samples"])
times = [s["timestamp"] for s in d["samples"]]
assert times == sorted(times)
' || problem 'the JSON is not as it should be'
fi
exit $fail
