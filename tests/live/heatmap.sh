#!/bin/sh
# SPDX-License-Identifier: MIT
# Heat maps of real recordings: the cells add up to the pairs that a script finds independently, in the text of all
# events. System calls and futexes of a program with threads, waits for a CPU, and a disk's requests with flushes where
# there is a disk.
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
PERF=${PERF:-$(command -v perf)}
failed=0

fail() {
	echo "FAILED: $*"
	failed=1
}

cat >load.py <<'END'
import threading, time
lock = threading.Lock()
def work(n):
    for i in range(40):
        with lock:
            time.sleep(0.0002 * n)
threads = [threading.Thread(target=work, args=(n,)) for n in (1, 2, 3)]
[t.start() for t in threads]
[t.join() for t in threads]
END

# Prints the number of pairs of kind $1 in the text of perf script on stdin.
cat >pairs.py <<'END'
import re, sys
kind, opened, n = sys.argv[1], {}, 0
LINE = re.compile(r"\s*(-?\d+)\s+\[(\d+)\]\s+[\d.]+:\s+(\S+):\s*(.*)")
for line in sys.stdin:
    tid, cpu, event, text = LINE.match(line).groups()
    if kind == "syscall":
        number = re.match(r"NR (-?\d+)", text).group(1)
        if event.endswith("sys_enter"):
            opened[tid] = number
        else:
            n += opened.pop(tid, None) == number
    elif kind == "futex":
        if "sys_enter" in event:
            opened[tid] = True
        else:
            n += opened.pop(tid, None) is not None
    elif kind == "softirq":
        key = cpu, re.match(r"vec=(\d+)", text).group(1)
        if event.endswith("entry"):
            opened[key] = True
        else:
            n += opened.pop(key, None) is not None
    elif kind == "sched":
        if "wakeup" in event:
            opened[re.search(r" pid=(\d+)", text).group(1)] = True
            continue
        before, state, after = re.search(r"prev_pid=(\d+) .*prev_state=(\S+) ==> .*next_pid=(\d+)", text).groups()
        n += after != "0" and opened.pop(after, None) is not None
        opened.pop(before, None)
        if state.startswith("R") and before != "0":
            opened[before] = True
    elif kind == "block":
        dev, rwbs, sector, length = re.match(r"(\S+) (\S+) (?:\d+ )?\(.*?\) (\d+) \+ (\d+)", text).groups()
        key = dev, "flush" if rwbs.startswith("FF") else sector
        if event.endswith("issue"):
            opened[key] = True
        elif length != "0" or rwbs.startswith("FF"):
            n += opened.pop(key, None) is not None
print(n)
END

# compares NAME: compares the cells of its heat map, the total, and the pairs of pairs.py
compare() {
	"$PERF" script -i "$1.data" -F tid,cpu,time,event,trace 2>err | python3 pairs.py "$1" >wanted || {
		fail "$1: pairs.py"
		cat err
	}
	"$PERF" heatmap "$1" -i "$1.data" -q --json >map.json 2>err || {
		fail "$1: perf heatmap: $(cat err)"
		return
	}
	python3 - "$(cat wanted)" <<'END' || fail "$1: the cells are not the pairs"
import json, sys
m, wanted = json.load(open("map.json")), int(sys.argv[1])
cells = sum(c[2] for c in m["cells"])
print(wanted, m["total"], cells)
sys.exit(not (0 < wanted == m["total"] == cells))
END
	"$PERF" heatmap "$1" -i "$1.data" -q -o "$1.svg" || fail "$1: SVG"
	xmllint --noout "$1.svg" 2>err || fail "$1: $(cat err)"
	"$PERF" heatmap "$1" -i "$1.data" -q --stdio >text || fail "$1: text"
	[ -s text ] || fail "$1: text is empty"
}

record() {
	name=$1 events=$2
	shift 2
	if "$PERF" record -q -e "$events" -o "$name.data" "$@" 2>err; then
		compare "$name"
	else
		cat err
		echo "SKIP: $name cannot be recorded here"
		skipped=1
	fi
}

record syscall raw_syscalls:sys_enter,raw_syscalls:sys_exit python3 load.py
[ -z "$skipped" ] || exit 77
record futex syscalls:sys_enter_futex,syscalls:sys_exit_futex python3 load.py
record softirq irq:softirq_entry,irq:softirq_exit -a sleep 0.2
record sched sched:sched_wakeup,sched:sched_wakeup_new,sched:sched_switch -a python3 load.py

# A disk may be missing, or may not report requests.
if "$PERF" record -q -e block:block_rq_issue,block:block_rq_complete -o block.data -a -- \
	dd if=/dev/zero of=zeros bs=64k count=8 conv=fsync 2>err &&
	"$PERF" script -i block.data 2>/dev/null | grep -q block_rq_complete; then
	compare block
fi

# The recipe of one guide records CPU stacks and looks for disk requests in them.
if "$PERF" record -q -e cpu-clock -o cpu.data true 2>err; then
	"$PERF" heatmap block -i cpu.data >out 2>err && fail 'there are no requests, and a picture'
	grep -q 'perf record -e block:block_rq_issue,block:block_rq_complete -a' err || fail "no advice: $(cat err)"
	"$PERF" record -q -e cpu-clock -o short.data sh -c 'i=0; while [ $i -lt 20000 ]; do i=$((i + 1)); done' 2>err
	"$PERF" heatmap --samples --stdio -i short.data >out 2>err
	! grep -q 'in columns of 1 s' out || fail 'a short recording has columns of a second'
fi
exit $failed
