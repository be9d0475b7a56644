#!/bin/sh
# SPDX-License-Identifier: MIT
# Python functions in stacks that the kernel unwinds: the frames, their order and their lines are those that Python
# itself reports, and the installed perf reads them from the same file.
top=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
oracle=${ORACLE_PERF:-/usr/bin/perf}
failed=0

fail() {
	echo "FAILED: $*"
	failed=1
}

perf check -q feature bpf || { echo 'this perf has no BPF programs'; exit 77; }
perf record -e cpu-clock --call-graph bpf -o try.data true >/dev/null 2>said || { cat said; exit 77; }
! grep -q 'instead of unwound in the kernel' said || { cat said; exit 77; }

HOME=$work
export HOME
cp "$top/tests/live/interpreted-load.py" .
perf record -e cpu-clock -F 999 --call-graph bpf -o started.data python3 interpreted-load.py 2 stacks >/dev/null 2>said ||
	fail "$(cat said)"
python3 "$top/tests/live/interpreted-python.py" started.data stacks 60 || { cat said; fail 'a program that perf starts'; }
grep -q 'Python frames in [1-9][0-9.]* % of [1-9][0-9]* stacks' said || { cat said; fail 'it says nothing'; }
! grep -q 'have no names' said || { cat said; fail 'wrong advice'; }

# It has run for a while, and nothing about it is known.
python3 interpreted-load.py 4 stacks &
sleep 1
perf record -e cpu-clock -F 999 --call-graph bpf -o late.data -p $! sleep 2 >/dev/null 2>said || fail "$(cat said)"
wait
python3 "$top/tests/live/interpreted-python.py" late.data stacks 70 || { cat said; fail 'a program that runs'; }

# Names and lines are in a file of the build-id cache, as those of compiled code.
perf report -i late.data --stdio -s sym,srcline 2>/dev/null | grep -q 'interpreted-load.py:spin *interpreted-load.py:' ||
	fail 'report has no lines'
if "$oracle" version >/dev/null 2>&1; then
	"$oracle" script -i late.data -F ip,sym 2>/dev/null | grep -q 'interpreted-load.py:spin' ||
		fail 'the installed perf shows no names'
fi
exit $failed
