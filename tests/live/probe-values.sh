#!/bin/sh
# SPDX-License-Identifier: MIT
# Probes record the program's true values: parameters, members, bit fields, arrays, texts and
# globals, for each installed compiler, with and without optimisation, in DWARF 4 and 5. One probe
# asks for all of it. A value that the compiler keeps nowhere must be refused, not false.
skip() {
	echo "$1"
	exit 77
}

PERF=${PERF:-$(command -v perf)}
here=$(cd "$(dirname "$0")" && pwd)
[ "$(id -u)" = 0 ] || skip 'only root makes probes'
events=/sys/kernel/tracing/uprobe_events
[ -w $events ] || events=/sys/kernel/debug/tracing/uprobe_events
[ -w $events ] || skip 'this kernel has no probes in programs'
dir=$(mktemp -d)
name=values$$
trap '"$PERF" probe -q -d "probe_$name*:*" 2>/dev/null; rm -rf "$dir"' EXIT
cd "$dir" || exit 1
HOME=$dir
export HOME
fail=0
asked=0

wrong() {
	echo "$*"
	fail=1
}

# check PROGRAM FUNCTION: makes a probe of each argument, and records all in one run.
check() {
	: >expected
	n=0
	events=
	while IFS='	' read -r argument value; do
		case $argument in '#'* | '') continue ;; esac
		n=$((n + 1))
		if "$PERF" probe -x "$1" --add "a$n=$2 $argument" >/dev/null 2>message; then
			echo "a$n	$argument	$value" >>expected
			events="$events -e probe_$1:a$n"
		elif ! grep -q -e 'optimised out' -e 'has no place' -e 'is computed' \
			-e 'not made yet' message; then
			wrong "$1: $argument: $(head -n 1 message)"
		fi
	done <"$here/probe-values.tsv"
	# shellcheck disable=SC2086
	"$PERF" record -q -o data $events "./$1" >/dev/null 2>message ||
		wrong "$1: record: $(head -n 1 message)"
	"$PERF" script -i data -F event,trace >text 2>/dev/null
	while IFS='	' read -r event argument value; do
		asked=$((asked + 1))
		line=$(grep -m 1 ":$event: " text)
		case $line in
		*" $value") ;;
		*) wrong "$1: $argument: expected '$value', got '$line'" ;;
		esac
	done <expected
	"$PERF" probe -q -d "probe_$1:*" >/dev/null 2>&1
	[ "$(wc -l <expected)" -ge "$3" ] ||
		wrong "$1: only $(wc -l <expected) of $n arguments could be recorded"
}

compiled=0
for compiler in gcc clang; do
	command -v $compiler >/dev/null || continue
	for version in 4 5; do
		for level in 0 2; do
			program=$name$(echo $compiler | cut -c1)$version$level
			$compiler -gdwarf-$version -O$level -o "$program" \
				"$here/probe-values-load.c" || continue
			compiled=$((compiled + 1))
			# Arguments that clang passes on the stack are not available before there is
			# a frame.
			least=40
			[ $compiler$level = clang2 ] && least=12
			check "$program" target $least
		done
	done
done
[ $compiled -gt 0 ] || skip 'there is no compiler'
echo "$asked values in $compiled programs"
exit $fail
