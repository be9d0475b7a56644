#!/bin/sh
# SPDX-License-Identifier: MIT
# perf top names Python functions, and their lines, while they run: by --call-graph bpf, by -g with the variable, and in
# listings; and says at its end how it went.
top=$(cd "$(dirname "$0")/../.." && pwd)
. "$top/tests/live/waiting"
. "$top/tests/live/interpreted"
work=$(mktemp -d) || exit 1
load=
trap '[ -z "$load" ] || { kill "$load"; wait "$load"; } 2>/dev/null; rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0

perf check -q feature bpf || { echo 'this perf has no BPF programs'; exit 77; }
perf record -e cpu-clock --call-graph bpf -o try.data true >/dev/null 2>said || { cat said; exit 77; }
! grep -q 'instead of unwound in the kernel' said || { cat said; exit 77; }

HOME=$work
export HOME
cp "$top/tests/live/interpreted-load.py" .
python3 interpreted-load.py 600 stacks & load=$!

# until_shown FILE PATTERN OPTION...: runs perf top into the file until a line matches.
until_shown() {
	file=$1
	pattern=$2
	shift 2
	perf top -d 0.5 -e cpu-clock -F 999 -p $load "$@" >"$file" 2>err & pid=$!
	until_true grep -qE "$pattern" "$file" || { fail "perf top $*: no '$pattern'"; tail -n 30 "$file"; cat err; }
	kill -INT $pid
	wait $pid || fail "perf top $*: status $? after SIGINT"
}

# Each line of the function is right; which of them is seen first depends on the machine.
from=$(grep -n '^def spin' interpreted-load.py | cut -d: -f1)
lines=$(awk -v from="$from" 'NR > from { if (!NF) exit; printf "%s%d", n++ ? "|" : "", NR }' interpreted-load.py)
until_shown lines.txt "interpreted-load.py:spin +interpreted-load.py:($lines)\$" \
	--call-graph bpf,none --no-children -s symbol,srcline
grep -q '^\[ perf top: Unwound [1-9][0-9]* of ' err || { cat err; fail 'nothing about stacks at the end'; }
grep -q '^\[ perf top: Python frames in [1-9][0-9.]* % of [1-9][0-9]* stacks' err || { cat err; fail 'no line about Python'; }

# Callers have the shares of their callees.
until_shown callers.txt ' python +\[\.\] interpreted-load.py:main' --call-graph bpf,none

printf '[call-graph]\nrecord-mode = bpf\n' >config
PERF_CONFIG=$work/config until_shown usual.txt 'interpreted-load.py:spin' -g
until_shown code.txt '^ +[1-9][0-9.]* : [0-9]+ ' --call-graph bpf --sym-annotate interpreted-load.py:spin

until_shown without.txt '_PyEval_EvalFrameDefault' --call-graph bpf,none --interpreters java
! grep -q 'interpreted-load.py' without.txt || fail 'a language that was left out is there'
exit $failed
