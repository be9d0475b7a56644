#!/bin/sh
# SPDX-License-Identifier: MIT
# Inlined functions as frames: their shares in `perf report`, and in `perf script` the names that addr2line gives for
# each address. Lines are byte for byte those of the installed perf 6.1.
here=$(cd "$(dirname "$0")" && pwd)
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

skip() {
	echo "$1"
	exit 77
}

command -v addr2line >/dev/null || skip 'no addr2line'
"${CC:-cc}" -O2 -g -fno-omit-frame-pointer -o load "$here/inlines-load.c" || skip 'no C compiler'
"$PERF" record -q -N -o dwarf.data -e cpu-clock:u -F 4000 --call-graph dwarf,4096 ./load 200000 >out ||
	skip 'cannot record here'
"$PERF" record -q -N -o fp.data -e cpu-clock:u -F 4000 -g ./load 200000 >out || skip 'cannot record here'

# between LOW HIGH WORDS OPTION...: checks that the percentage in the row's first column is between these.
between() {
	low=$1
	high=$2
	words=$3
	shift 3
	got=$("$PERF" report --stdio -t , -g none "$@" 2>/dev/null |
		awk -F, -v words="$words" '!/^#/ && index($0, words) { sub("%", "", $1); print $1 + 0; exit }')
	awk -v got="${got:--1}" -v low="$low" -v high="$high" 'BEGIN { exit !(got >= low && got <= high) }' ||
		fail "$words $*: ${got:-no row}, not $low to $high %"
}

for how in '-i dwarf.data' '-i fp.data --inline'; do
	# shellcheck disable=SC2086 # words
	{
		between 95 100 'wrap (inlined)' $how
		between 85 100 'mix (inlined)' $how
		between 50 85 'twice (inlined)' $how
		between 95 100 '[.] leaf' $how --no-children
	}
done
for how in '-i dwarf.data --no-inline' '-i fp.data'; do
	# shellcheck disable=SC2086
	! "$PERF" report --stdio $how 2>/dev/null | grep -q '(inlined)' || fail "inlined functions: $how"
done

# The functions at every address of the program, innermost first. addr2line has no name for the table of stubs.
"$PERF" script -i dwarf.data -F ip,sym,dso 2>/dev/null | awk '
	$NF == "(inlined)" { names = names " " $2; next }
	NF == 3 && $3 ~ /\/load\)$/ { print $1 names " " $2; names = ""; next }
	{ names = "" }' | grep -v ' \.plt$' | sort -u >ours
cut -d ' ' -f 1 ours >addresses
[ -s addresses ] || fail 'no addresses'
while read -r address; do
	echo "$address $(addr2line -f -i -e load "0x$address" | awk 'NR % 2' | tr '\n' ' ' | sed 's/ $//')"
done <addresses >theirs
diff theirs ours >differences || fail "functions at addresses: $(head -n 5 differences)"

# same COMMAND OPTION...: checks that both print the same for places in the program.
same() {
	command=$1
	shift
	"$oracle" "$command" -i fp.data "$@" 2>/dev/null | grep -v '^# (Tip' >theirs
	"$PERF" "$command" -i fp.data "$@" 2>/dev/null | grep -v '^# (Tip' >ours
	cmp -s theirs ours || fail "$command $*: $(diff theirs ours | head -n 5)"
}

if [ -n "$oracle" ]; then
	same report --stdio --no-children -g none -d load -s srcline
	same report --stdio --no-children -g none -d load -s srcfile,sym,srcline
	same report --stdio --no-children -g none -d load -s srcline --full-source-path
	same script -G --dsos load -F ip,sym,srcline
	same script -G --dsos load -F +srccode
fi
exit $failed
