# SPDX-License-Identifier: MIT
#
# rwtop: the processes that read and write most, updated at intervals.
#
#   perf script rwtop [interval]            live, until control+C
#   perf script record rwtop -a sleep 10    or first record,
#   perf script report rwtop                then one table for the whole recording

import os
import sys

sys.path.append(os.path.join(os.environ.get("PERF_EXEC_PATH", "."),
                             "scripts/python/Perf-Trace-Util/lib/Perf/Trace"))
import Script

USAGE = "rwtop [interval]"
LINES = 20          # of each table

reads = {}          # pid: [comm, calls, bytes requested, bytes read]
writes = {}         # pid: [comm, calls, bytes]


@Script.on("syscalls:sys_enter_read")
def read_starts(event):
    refresh.check()
    entry = reads.setdefault(event["common_pid"], ["", 0, 0, 0])
    entry[0] = event["common_comm"]
    entry[1] += 1
    entry[2] += event["count"]


@Script.on("syscalls:sys_exit_read")
def read_ends(event):
    refresh.check()
    entry = reads.setdefault(event["common_pid"], ["", 0, 0, 0])
    entry[3] += max(event["ret"], 0)


@Script.on("syscalls:sys_enter_write")
def write_starts(event):
    refresh.check()
    entry = writes.setdefault(event["common_pid"], ["", 0, 0])
    entry[0] = event["common_comm"]
    entry[1] += 1
    entry[2] += event["count"]


@Script.on("syscalls:sys_exit_write")
def write_ends(event):
    refresh.check()


def busiest(table):
    """Returns the first rows by the last column, which contains bytes; equal ones by pid."""
    return sorted(table.items(), key=lambda row: (-row[1][-1], row[0]))[:LINES]


def print_tables():
    print("\nread counts by pid:\n")
    print("%6s  %20s  %10s  %10s  %10s" % ("pid", "comm", "# reads", "bytes_req", "bytes_read"))
    print("%6s  %-20s  %10s  %10s  %10s" % ("-" * 6, "-" * 20, "-" * 10, "-" * 10, "-" * 10))
    for pid, (comm, calls, requested, done) in busiest(reads):
        print("%6s  %-20s  %10s  %10s  %10s" % (pid, comm, calls, requested, done))

    print("\nwrite counts by pid:\n")
    print("%6s  %20s  %10s  %13s" % ("pid", "comm", "# writes", "bytes_written"))
    print("%6s  %-20s  %10s  %13s" % ("-" * 6, "-" * 20, "-" * 10, "-" * 13))
    for pid, (comm, calls, written) in busiest(writes):
        print("%6s  %-20s  %10s  %13s" % (pid, comm, calls, written))

    reads.clear()
    writes.clear()


def trace_end():
    Script.print_unhandled()
    Script.clear_screen()
    print_tables()


words = Script.arguments(USAGE, most=1)
refresh = Script.Refresh(Script.interval(words[0], USAGE) if words else 3, print_tables)
trace_unhandled = Script.dispatch
