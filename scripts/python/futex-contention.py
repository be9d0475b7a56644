# SPDX-License-Identifier: MIT
#
# futex-contention: how long threads waited for each lock.
#
#   perf script record futex-contention -- PROGRAM
#   perf script report futex-contention
#
# Locks of the C library call the kernel (futex) only when they have to wait.

import os
import sys

sys.path.append(os.path.join(os.environ.get("PERF_EXEC_PATH", "."),
                             "scripts/python/Perf-Trace-Util/lib/Perf/Trace"))
import Script

# linux/futex.h; the upper bits of op are flags
FUTEX_WAIT = 0
FUTEX_FLAGS = 128 | 256

waiting = {}        # tid: (address of the lock, start of the wait)
waits = {}          # (tid, lock): [shortest, longest, average, count], in ns
names = {}          # tid: comm


def trace_begin():
    print("Press control+C to stop and show the summary")


@Script.on("syscalls:sys_enter_futex")
def futex_starts(event):
    if event["op"] & ~FUTEX_FLAGS == FUTEX_WAIT:
        tid = event["common_pid"]
        names[tid] = event["common_comm"]
        waiting[tid] = (event["uaddr"], Script.time_ns(event))


@Script.on("syscalls:sys_exit_futex")
def futex_ends(event):
    tid = event["common_pid"]
    if tid in waiting:
        lock, since = waiting.pop(tid)
        add(waits, (tid, lock), Script.time_ns(event) - since)


def add(table, key, value):
    """Adds a value. The average is a running one: each new value weighs one half."""
    if key not in table:
        table[key] = [value, value, value, 1]
        return
    low, high, average, count = table[key]
    table[key] = [min(low, value), max(high, value), (average + value) / 2, count + 1]


def trace_end():
    for (tid, lock), (low, high, average, count) in waits.items():
        print("%s[%d] lock %x contended %d times, %d avg ns [max: %d ns, min %d ns]"
              % (names[tid], tid, lock, count, average, high, low))


trace_unhandled = Script.dispatch
