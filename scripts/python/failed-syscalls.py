# SPDX-License-Identifier: MIT
#
# failed-syscalls: how many system calls failed, by program.
#
#   perf script record failed-syscalls -a sleep 10
#   perf script report failed-syscalls [comm]

import os
import sys

sys.path.append(os.path.join(os.environ.get("PERF_EXEC_PATH", "."),
                             "scripts/python/Perf-Trace-Util/lib/Perf/Trace"))
import Script

failed = {}         # comm: count


# raw_syscalls has had the same fields in all kernels, so the function takes them by position, which
# is faster than by name.
def raw_syscalls__sys_exit(name, context, cpu, secs, nsecs, pid, comm, callchain,
                           number, ret):
    if ret < 0:
        failed[comm] = failed.get(comm, 0) + 1


def trace_end():
    print("\nfailed syscalls by comm:\n")
    print("%-20s  %10s" % ("comm", "# errors"))
    print("%-20s  %6s  %10s" % ("-" * 20, "-" * 10, ""))
    for comm, count in Script.by_count(failed):
        if not words or comm == words[0]:
            print("%-20s  %10s" % (comm, count))


words = Script.arguments("failed-syscalls [comm]", most=1)
syscalls__sys_exit = raw_syscalls__sys_exit        # its name in old kernels
