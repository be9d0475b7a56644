#!/bin/sh
# SPDX-License-Identifier: MIT
# Stacks unwound in the kernel equal stacks unwound from copies of the stack; files are smaller; nothing stays in the
# kernel.
top=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0

fail() {
	echo "FAILED: $*"
	failed=1
}

perf check -q feature bpf || { echo 'this perf has no BPF programs'; exit 77; }
"${CC:-cc}" -O2 -fomit-frame-pointer -o load "$top/tests/live/bpf-stacks-load.c" || { echo 'no C compiler'; exit 77; }
perf record -e cpu-clock -F 2000 --call-graph bpf,check -o check.data ./load 2 >/dev/null 2>said || { cat said; exit 77; }
! grep -q 'instead of unwound in the kernel' said || { cat said; exit 77; }
python3 "$top/tests/live/bpf-stacks.py" check.data 50 || { cat said; fail 'the stacks differ'; }

perf record -e cpu-clock -F 2000 --call-graph bpf -o bpf.data ./load 1 >/dev/null 2>said || fail "$(cat said)"
grep -q 'Unwound [0-9]* of [0-9]* stacks in the kernel' said || { cat said; fail 'it says nothing'; }
perf record -q -e cpu-clock -F 2000 --call-graph dwarf --unwind=later -o dwarf.data ./load 1 >/dev/null 2>&1
bpf=$(stat -c %s bpf.data)
dwarf=$(stat -c %s dwarf.data)
[ "$dwarf" -gt $((4 * bpf)) ] || fail "$bpf bytes instead of $dwarf"

# Two capabilities are enough. (The program under test may be in a place that other users cannot reach.)
two="setpriv --reuid 65534 --clear-groups --inh-caps=+bpf,+perfmon --ambient-caps=+bpf,+perfmon"
if [ "$(id -u)" = 0 ] && $two perf version >/dev/null 2>&1; then
	chmod 755 "$work"
	mkdir "$work/theirs"
	chmod 777 "$work/theirs"
	$two perf record -e cpu-clock -F 2000 --call-graph bpf -o theirs/bpf.data ./load 1 >/dev/null 2>said || fail "$(cat said)"
	grep -q 'Unwound [1-9][0-9]* of [0-9]* stacks in the kernel' said || { cat said; fail 'CAP_BPF and CAP_PERFMON'; }
fi

# An event that cannot have such stacks is recorded as before.
perf record -e cpu-clock:p --call-graph bpf -o p.data ./load 0.1 >/dev/null 2>said
grep -q 'stacks of cpu-clock:p are copied' said || { cat said; fail 'a precise event'; }
perf record -k boottime -e cpu-clock --call-graph bpf -o p.data ./load 0.1 >/dev/null 2>said
grep -q 'CLOCK_MONOTONIC' said || { cat said; fail 'another clock'; }
exit $failed
