# SPDX-License-Identifier: MIT
#
# failed-syscalls-by-pid: failed system calls and their errors, by process.
#
#   perf script record failed-syscalls-by-pid -a sleep 10
#   perf script report failed-syscalls-by-pid [comm|pid]

import os
import sys

sys.path.append(os.path.join(os.environ.get("PERF_EXEC_PATH", "."),
                             "scripts/python/Perf-Trace-Util/lib/Perf/Trace"))
import Script

failed = {}         # comm: {pid: {system call: {return value: count}}}


def trace_begin():
    print("Press control+C to stop and show the summary")


# raw_syscalls has had the same fields in all kernels, so the function takes them by position, which
# is faster than by name.
def raw_syscalls__sys_exit(name, context, cpu, secs, nsecs, pid, comm, callchain,
                           number, ret):
    if ret < 0 and is_wanted(pid, comm):
        errors = failed.setdefault(comm, {}).setdefault(pid, {}).setdefault(number, {})
        errors[ret] = errors.get(ret, 0) + 1


def trace_end():
    if words and not words[0].isdigit():
        print("\nsyscall errors for %s:\n" % words[0])
    else:
        print("\nsyscall errors:\n")
    print("%-30s  %10s" % ("comm [pid]", "count"))
    print("%-30s  %10s" % ("-" * 30, "-" * 10))

    for comm, pids in failed.items():
        for pid, calls in pids.items():
            print("\n%s [%d]" % (comm, pid))
            for number, errors in calls.items():
                print("  syscall: %-16s" % Script.syscall_name(number))
                for ret, count in sorted(errors.items(), key=lambda e: (e[1], e[0]), reverse=True):
                    print("    err = %-20s  %10d" % (Script.error_name(ret), count))


words = Script.arguments("failed-syscalls-by-pid [comm|pid]", most=1)
is_wanted = Script.task_filter(words[0] if words else None)
syscalls__sys_exit = raw_syscalls__sys_exit        # its name in old kernels
