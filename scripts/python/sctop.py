# SPDX-License-Identifier: MIT
#
# sctop: the most frequent system calls, updated at intervals.
#
#   perf script sctop [comm] [interval]     live, until control+C
#   perf script record sctop -a sleep 10    or first record,
#   perf script report sctop                then one table for the whole recording

import os
import sys

sys.path.append(os.path.join(os.environ.get("PERF_EXEC_PATH", "."),
                             "scripts/python/Perf-Trace-Util/lib/Perf/Trace"))
import Script

USAGE = "sctop [comm] [interval]"

counts = {}         # system call: count


# raw_syscalls has had the same fields in all kernels, so the function takes them by position, which
# is faster than by name.
def raw_syscalls__sys_enter(name, context, cpu, secs, nsecs, pid, comm, callchain,
                            number, args):
    refresh.check()
    if wanted is None or comm == wanted:
        counts[number] = counts.get(number, 0) + 1


def print_table():
    if wanted is not None:
        print("\nsyscall events for %s:\n" % wanted)
    else:
        print("\nsyscall events:\n")
    print("%-40s  %10s" % ("event", "count"))
    print("%-40s  %10s" % ("-" * 40, "-" * 10))
    for number, count in sorted(counts.items(), key=lambda c: (c[1], c[0]), reverse=True):
        print("%-40s  %10d" % (Script.syscall_name(number), count))
    counts.clear()


def trace_end():
    Script.clear_screen()
    print_table()


def is_number(word):
    return word.replace(".", "", 1).isdigit()


# A single word is an interval if it is a number, else a command name.
words = Script.arguments(USAGE, most=2)
wanted = words.pop(0) if words and (len(words) == 2 or not is_number(words[0])) else None
refresh = Script.Refresh(Script.interval(words[0], USAGE) if words else 3, print_table)
syscalls__sys_enter = raw_syscalls__sys_enter      # its name in old kernels
