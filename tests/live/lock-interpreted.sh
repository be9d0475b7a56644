#!/bin/sh
# SPDX-License-Identifier: MIT
# perf lock contention -b shows the Python functions that wait for a lock, in stacks that the kernel unwinds.
top=$(cd "$(dirname "$0")/../.." && pwd)
. "$top/tests/live/interpreted"
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0

[ "$(id -u)" = 0 ] || { echo 'needs root'; exit 77; }
perf check -q feature bpf || { echo 'this perf has no BPF programs'; exit 77; }
perf record -e cpu-clock --call-graph bpf -o try.data true >/dev/null 2>said || { cat said; exit 77; }
! grep -q 'instead of unwound in the kernel' said || { cat said; exit 77; }

cat >locks.py <<'END'
import threading, time
lock = threading.Lock()

def hold():
    with lock:
        time.sleep(0.01)

def worker(end):
    while time.time() < end:
        hold()

end = time.time() + 3
threads = [threading.Thread(target=worker, args=(end,)) for _ in range(3)]
for t in threads:
    t.start()
for t in threads:
    t.join()
END
perf lock contention -b --user-only -Y futex -v --output stacks -- python3 locks.py 2>err || fail "$(cat err)"
awk '/locks.py:hold$/ { hold = NR } /locks.py:worker$/ && hold == NR - 1 { found = 1 } END { exit !found }' stacks ||
	fail "no stack with the functions: $(head -n 40 stacks)"
perf lock contention -b --user-only -Y futex -S locks.py:hold -x , --output rows -- python3 locks.py 2>err || fail "$(cat err)"
# Two of three threads wait at each time, for three seconds.
awk -F', *' '!/^#/ { sum += $2 } END { exit !(sum > 3e9 && sum < 6.5e9) }' rows || fail "-S finds other waits: $(cat rows)"
exit $failed
