#!/bin/sh
# SPDX-License-Identifier: MIT
# perf push --every with --call-graph bpf: Python functions arrive in the store with their names, those too that are met
# only when recordings of the same run have been sent already.
top=$(cd "$(dirname "$0")/../.." && pwd)
. "$top/tests/live/interpreted"
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0

perf check -q feature bpf || { echo 'this perf has no BPF programs'; exit 77; }
perf check -q feature sqlite3 || { echo 'this perf has no SQLite'; exit 77; }
perf record -e cpu-clock --call-graph bpf -o try.data true >/dev/null 2>said || { cat said; exit 77; }
! grep -q 'instead of unwound in the kernel' said || { cat said; exit 77; }

HOME=$work
export HOME
cat >phases.py <<'END'
import time

def first(end):
    while time.process_time() < end:
        sum(range(100))

def second(end):
    while time.process_time() < end:
        sum(range(100))

def third(end):
    while time.process_time() < end:
        sum(range(100))

for function in (first, second, third):
    end = time.time() + 2.5
    while time.time() < end:
        function(time.process_time() + 0.1)
END
perf push --to sqlite:fleet.db --queue queue --every 1s -e cpu-clock -F 999 --call-graph bpf -- python3 phases.py 2>said ||
	fail "$(cat said)"
grep -qE ' ([2-9]|[1-9][0-9]+) batches sent' said || fail "recordings were not sent one by one: $(cat said)"
# What is in the store needs nothing of this machine.
rm -rf .debug
perf report -i sqlite:fleet.db --stdio --children -g none -s dso,sym >shown 2>/dev/null
for function in first second third '<module>'; do
	grep -q " python  *\[\.\] phases.py:$function *\$" shown || fail "no $function: $(head -n 40 shown)"
done
perf data convert -i sqlite:fleet.db --to-folded folded >/dev/null 2>&1
grep -q 'phases.py:<module>;phases.py:third' folded || fail "no stack: $(grep third folded | head -n 3)"
exit $failed
