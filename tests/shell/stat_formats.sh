#!/bin/sh
# SPDX-License-Identifier: MIT
# perf stat prints the same count as text, CSV and JSON
set -eu
skip() { echo "$*"; exit 2; }
fail() { echo "$*"; exit 1; }

perf stat -e task-clock:u -o text -- true || skip "this user may not count own programs: kernel.perf_event_paranoid"
grep -q task-clock text || fail "text has no count"
perf stat -x, -e task-clock:u -o csv -- true
awk -F, '/task-clock/ && $1 > 0 && NF >= 7 { ok = 1 } END { exit !ok }' csv || fail "CSV has no count"
perf stat -j -e task-clock:u -o json -- true
grep -q '"event" *: *"task-clock:u"' json || fail "JSON has no count"

# More memory is more faults.
faults() { perf stat -x, -e page-faults:u -o csv -- awk "BEGIN { for (i = 0; i < $1; i++) a[i] = i }"; awk -F, '/page-faults/ { print $1 }' csv; }
few=$(faults 10)
many=$(faults 100000)
[ "$many" -gt $((few + 100)) ] || fail "with 100,000 numbers more there are $many page faults instead of $few"

# The file says why nothing was counted.
perf stat -x, -e instructions:u -o csv -- true
grep -qE '^([0-9]+|<not supported>|<not counted>),' csv || fail "a count is neither a number nor a reason"
