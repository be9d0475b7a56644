#!/bin/sh
# SPDX-License-Identifier: MIT
# --header and --header-only of a stream show the features that come during the stream.
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
wrong=0
fail() {
	echo "$@"
	wrong=1
}

# shellcheck disable=SC2016
perf record -q -o - -e cpu-clock -F 999 -- sh -c 'i=0; while [ $i -lt 5000 ]; do i=$((i+1)); done' \
	>stream.data || exit 1
for command in 'report --header-only' 'report --header --stdio' 'script --header-only' \
	'script --header'; do
	# shellcheck disable=SC2002,SC2086 # a pipe is what is tested; words
	cat stream.data | perf $command -i - 2>err >out || fail "$command:" "$(cat err)"
	for line in '# hostname : ' '# os release : ' '# arch : ' '# cmdline : ' \
		'# event : name = cpu-clock' '# CPU_TOPOLOGY info available, use -I'; do
		[ "$(grep -c "^$line" out)" = 1 ] || fail "$command: '$line' is not there once"
	done
	grep -v '^# captured on' out >piped
	# shellcheck disable=SC2086 # words
	perf $command -i stream.data 2>/dev/null | grep -v '^# captured on' >from-file
	# Tips differ from run to run.
	grep -v '^# (Tip' piped >a
	grep -v "^# (Tip" from-file >b
	cmp -s a b || fail "$command: another output than of the same stream in a file"
done

# The writer of the stream reaches its end.
{
	perf record -q -o - -e cpu-clock -- sh -c 'sleep 0.2; echo done >end' 2>record.err
	echo $? >status
} | perf report --header-only -i - >out
[ "$(cat status)" = 0 ] || fail "the recorder ended with $(cat status):" "$(cat record.err)"
[ -s end ] || fail "the workload did not come to its end"
exit $wrong
