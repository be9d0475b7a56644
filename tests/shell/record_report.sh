#!/bin/sh
# SPDX-License-Identifier: MIT
# perf record, report, script and annotate agree on a known program
set -eu
skip() { echo "$*"; exit 2; }
fail() { echo "$*"; exit 1; }

perf record -q -o perf.data -e cpu-clock:u -F 500 -g -- perf test -w leafloop 1 ||
	skip "this user may not record own programs: kernel.perf_event_paranoid"
perf report --stdio -i perf.data --no-children -g none -s sym >report
grep -q '\[\.\] leaf$' report || grep -q '\[\.\] leaf ' report || skip "perf itself is stripped"

share=$(awk '/\[\.\] leaf/ { print int($1); exit }' report)
[ "$share" -ge 80 ] || fail "leaf() has $share % of the time in the report"

samples=$(perf script -i perf.data -G -F ip,sym | grep -c leaf || :)
[ "$samples" -ge 20 ] || fail "leaf() has $samples samples in the script"

if perf annotate --stdio -i perf.data leaf >listing 2>errors; then
	grep -q 'Percent' listing || fail "the listing of leaf() is empty"
else
	cat errors
fi
perf evlist -i perf.data | grep -q cpu-clock || fail "the event is not listed"
perf buildid-list -i perf.data >ids
[ -s ids ] || fail "no build-id was recorded"
