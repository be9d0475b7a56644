# SPDX-License-Identifier: MIT
#
# syscall-counts-by-pid: how often each process called each system call.
#
#   perf script record syscall-counts-by-pid -a sleep 10
#   perf script report syscall-counts-by-pid [comm|pid]

import os
import sys

sys.path.append(os.path.join(os.environ.get("PERF_EXEC_PATH", "."),
                             "scripts/python/Perf-Trace-Util/lib/Perf/Trace"))
import Script

counts = {}         # comm: {pid: {system call: count}}


def trace_begin():
    print("Press control+C to stop and show the summary")


# raw_syscalls has had the same fields in all kernels, so the function takes them by position, which
# is faster than by name.
def raw_syscalls__sys_enter(name, context, cpu, secs, nsecs, pid, comm, callchain,
                            number, args):
    if is_wanted(pid, comm):
        calls = counts.setdefault(comm, {}).setdefault(pid, {})
        calls[number] = calls.get(number, 0) + 1


def trace_end():
    if words and not words[0].isdigit():
        print("\nsyscall events for %s:\n" % words[0])
    else:
        print("\nsyscall events by comm/pid:\n")
    print("%-40s  %10s" % ("comm [pid]/syscalls", "count"))
    print("%-40s  %10s" % ("-" * 40, "-" * 10))

    for comm, pids in counts.items():
        for pid, calls in pids.items():
            print("\n%s [%d]" % (comm, pid))
            for number, count in sorted(calls.items(), key=lambda c: (c[1], c[0]), reverse=True):
                print("  %-38s  %10d" % (Script.syscall_name(number), count))


words = Script.arguments("syscall-counts-by-pid [comm|pid]", most=1)
is_wanted = Script.task_filter(words[0] if words else None)
syscalls__sys_enter = raw_syscalls__sys_enter      # its name in old kernels
