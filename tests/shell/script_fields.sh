#!/bin/sh
# SPDX-License-Identifier: MIT
# perf script, data convert and flamegraph read one recording alike
set -eu
skip() { echo "$*"; exit 2; }
fail() { echo "$*"; exit 1; }

perf record -q -o perf.data -e cpu-clock:u -F 500 -g -- perf test -w noploop 1 ||
	skip "this user may not record own programs: kernel.perf_event_paranoid"
lines=$(perf script -i perf.data -G -F comm,tid,time | wc -l)
[ "$lines" -ge 20 ] || fail "$lines samples in a second of work"

events=$(perf report -i perf.data --stdio --no-children -g none -n -s comm | awk '$3 ~ /^perf/ { n += $2 } END { print n + 0 }')
[ "$events" -ge $((lines * 9 / 10)) ] || fail "$lines samples in the script, $events in the report"

perf data convert -i perf.data --to-json samples.json >/dev/null 2>&1 || fail "the recording cannot be converted to JSON"
grep -q '"samples"' samples.json || fail "the JSON has no samples"

perf flamegraph -i perf.data -o graph.svg 2>errors || { cat errors; fail "there is no flame graph"; }
grep -q '<svg' graph.svg || fail "the flame graph is no picture"
