# SPDX-License-Identifier: MIT
#
# syscall-counts: how often each system call was called.
#
#   perf script record syscall-counts -a sleep 10
#   perf script report syscall-counts [comm]

import os
import sys

sys.path.append(os.path.join(os.environ.get("PERF_EXEC_PATH", "."),
                             "scripts/python/Perf-Trace-Util/lib/Perf/Trace"))
import Script

counts = {}         # system call: how often


def trace_begin():
    print("Press control+C to stop and show the summary")


@Script.on("raw_syscalls:sys_enter", "syscalls:sys_enter")
def syscall_starts(event):
    if not words or event["common_comm"] == words[0]:
        number = event["id"]
        counts[number] = counts.get(number, 0) + 1


def trace_end():
    if words:
        print("\nsyscall events for %s:\n" % words[0])
    else:
        print("\nsyscall events:\n")
    print("%-40s  %10s" % ("event", "count"))
    print("%-40s  %10s" % ("-" * 40, "-" * 11))
    for number, count in sorted(counts.items(), key=lambda c: (c[1], c[0]), reverse=True):
        print("%-40s  %10d" % (Script.syscall_name(number), count))


words = Script.arguments("syscall-counts [comm]", most=1)
trace_unhandled = Script.dispatch
