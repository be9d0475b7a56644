#!/bin/sh
# SPDX-License-Identifier: MIT
# perf trace --call-graph bpf shows the Python functions below each system call, in stacks that the kernel unwinds.
top=$(cd "$(dirname "$0")/../.." && pwd)
. "$top/tests/live/interpreted"
work=$(mktemp -d) || exit 1
pid=
trap '[ -z "$pid" ] || { kill "$pid"; wait "$pid"; } 2>/dev/null; rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0

[ "$(id -u)" = 0 ] || { echo 'needs root'; exit 77; }
perf check -q feature bpf || { echo 'this perf has no BPF programs'; exit 77; }
perf record -e cpu-clock --call-graph bpf -o try.data true >/dev/null 2>said || { cat said; exit 77; }
! grep -q 'instead of unwound in the kernel' said || { cat said; exit 77; }

cat >files.py <<'END'
import os, time

def touch(path):
    os.close(os.open(path, os.O_RDONLY))

def serve():
    while True:
        touch('files.py')
        time.sleep(0.002)

serve()
END
python3 files.py & pid=$!
sleep 1

# stacks_of FILE: prints each call of openat on a line, with its frames: the innermost first, each preceded by " < "
stacks_of() {
	awk '/^ *[0-9.?]+ \(/ { if (n++) print ""; printf "%s", $5 } !/^ *[0-9.?]+ \(/ && NF { printf " < %s", $1 } END { print "" }' "$1"
}

perf trace --call-graph bpf -e openat -o out -p $pid -- sleep 2 2>err || fail "$(cat err)"
grep -q '^\[ perf trace: Unwound [1-9][0-9]* of [1-9][0-9]* stacks in the kernel' err || fail "no line about stacks: $(cat err)"
grep -q '^\[ perf trace: Python frames in [1-9][0-9.]* % of ' err || fail "no line about Python: $(cat err)"
stacks_of out >all
share all ' < ' 100 100
share all ' < files.py:touch < files.py:serve < files.py:<module> < ' 80 100
! grep 'files.py:touch' all | grep 'EvalFrameDefault' || fail 'functions of the interpreter are beside those that it runs'
# The stack goes on to the beginning of the program.
share all ' < _start' 95 100

perf trace --json --call-graph bpf -e openat -o out.json -p $pid -- sleep 1 2>err || fail "$(cat err)"
grep -q '"symbol":"files.py:touch","dso":"/interpreted/python"' out.json || fail "no function in JSON: $(tail -n 1 out.json)"

perf trace --call-graph bpf --kernel-syscall-graph --max-stack 100 -e openat -o out -p $pid -- sleep 1 2>err || fail "$(cat err)"
stacks_of out >all
share all 'syscall' 95 100
grep 'syscall' all >both
share both ' < files.py:touch < files.py:serve < ' 60 100

perf trace --call-graph bpf --interpreters java -e openat -o out -p $pid -- sleep 1 2>err || fail "$(cat err)"
grep -q 'EvalFrameDefault' out || fail 'without Python the functions of its interpreter are missing'
! grep 'files.py:touch' out || fail 'a language that was left out is there'

# Page faults: those of a process that begins new memory all the time.
cat >memory.py <<'END'
import mmap, time

def fill(m):
    for at in range(0, len(m), 4096):
        m[at] = 1

end = time.time() + 2
while time.time() < end:
    with mmap.mmap(-1, 1 << 20) as m:
        fill(m)
END
perf trace -F all --no-syscalls --call-graph bpf -o out python3 memory.py 2>err || fail "$(cat err)"
grep -q 'memory.py:fill (/interpreted/python)' out || fail "no function that touches memory: $(tail -n 20 out) $(cat err)"

# Every call has its stack, copied ones too.
perf trace --call-graph dwarf -e openat -o out -p $pid -- sleep 2 2>err || fail "$(cat err)"
stacks_of out >all
share all ' < ' 99 100
exit $failed
