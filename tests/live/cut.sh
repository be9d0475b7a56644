#!/bin/sh
# SPDX-License-Identifier: MIT
# A message says that a recording was cut, wherever it was cut. If nothing is left to show, that is an error.
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
wrong=0

# Nearly all samples, in either half, are in a function that can be annotated. On a busy machine the program gets a
# small number of them a second. On one CPU, the maps of the program come before its samples in the file.
cpu=$(taskset -pc $$ | sed 's/.*: //; s/[,-].*//')
for seconds in 1 4 16; do
	taskset -c "$cpu" perf record -q -o whole.data -e cpu-clock:u -F 4000 -- perf test -w noploop $seconds || exit 1
	[ "$(perf script -i whole.data -F ip,sym | grep -c ' noploop$')" -lt 2000 ] || break
done

# check SIZE STATUS COMMAND...: the file cut to SIZE bytes gives this status and a message.
check() {
	size=$1 expected=$2
	shift 2
	head -c "$size" whole.data >cut.data
	"$@" >out 2>err </dev/null
	status=$?
	if [ "$status" != "$expected" ]; then
		echo "$* of $size bytes: status $status, expected $expected"
		cat err
		wrong=1
	fi
	[ -s err ] || { echo "$* of $size bytes: nothing is told"; wrong=1; }
}

word() {
	od -A n -t u8 -j "$1" -N 8 whole.data | tr -d ' '
}

data=$(word 40)
end=$((data + $(word 48)))
for size in 8 100 104 160 256; do
	for command in 'report --stdio' script 'annotate --stdio' evlist buildid-list \
		'report --header-only' 'inject -o /dev/null'; do
		# shellcheck disable=SC2086 # words
		check $size 1 perf $command -i cut.data
	done
	check "$size" 1 perf diff cut.data whole.data
done
# Cut within the first records, before any sample.
for size in "$data" $((data + 100)); do
	check "$size" 1 perf report --stdio -i cut.data
	check "$size" 1 perf script -i cut.data
	check "$size" 1 perf annotate --stdio -i cut.data
	check "$size" 1 perf diff whole.data cut.data
	check "$size" 0 perf script -D -i cut.data
	check "$size" 0 perf evlist -i cut.data
	check "$size" 0 perf buildid-list -i cut.data
	check "$size" 0 perf report --header-only -i cut.data
done
# Some samples are shown, but not all.
size=$(((data + end) / 2))
for command in 'report --stdio' script 'annotate --stdio'; do
	# shellcheck disable=SC2086 # words
	check "$size" 1 perf $command -i cut.data
	[ -s out ] || { echo "$command of $size bytes: nothing is shown"; cat err; wrong=1; }
done
for command in 'report -D' 'report --stats' 'script -D'; do
	# shellcheck disable=SC2086 # words
	check "$size" 0 perf $command -i cut.data
done
for size in $(((data + end) / 2)) "$end" $((end + 40)); do
	for command in evlist buildid-list 'report --header-only' 'inject -o /dev/null'; do
		# shellcheck disable=SC2086 # words
		check "$size" 0 perf $command -i cut.data
	done
	check "$size" 0 perf diff whole.data cut.data
done
# All of the data is there; only the descriptions after it are missing.
for size in "$end" $((end + 40)); do
	for command in 'report --stdio' script; do
		# shellcheck disable=SC2086 # words
		check "$size" 0 perf $command -i cut.data
	done
done
exit $wrong
