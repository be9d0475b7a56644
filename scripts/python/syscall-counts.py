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

counts = {}         # system call: count


def trace_begin():
    print("Press control+C to stop and show the summary")


# raw_syscalls has had the same fields in all kernels, so the function takes them by position, which
# is faster than by name.
def raw_syscalls__sys_enter(name, context, cpu, secs, nsecs, pid, comm, callchain,
                            number, args):
    if not words or comm == words[0]:
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
syscalls__sys_enter = raw_syscalls__sys_enter      # its name in old kernels
