# SPDX-License-Identifier: MIT
#
# rw-by-pid: reads and writes of each process, and those that failed.
#
#   perf script record rw-by-pid -a sleep 10
#   perf script report rw-by-pid

import os
import sys

sys.path.append(os.path.join(os.environ.get("PERF_EXEC_PATH", "."),
                             "scripts/python/Perf-Trace-Util/lib/Perf/Trace"))
import Script


class Calls:
    """The calls of one system call by one process."""

    def __init__(self):
        self.comm = ""
        self.count = 0
        self.requested = 0      # bytes
        self.done = 0           # bytes
        self.errors = {}        # return value: count


reads = {}                      # pid: Calls
writes = {}


def calls_of(table, event):
    return table.setdefault(event["common_pid"], Calls())


def starts(calls, event):
    calls.comm = event["common_comm"]
    calls.count += 1
    calls.requested += event["count"]


def ends(calls, event):
    """Handles the end of a call. A read of 0 bytes, the end of a file, counts as an error here."""
    ret = event["ret"]
    if ret > 0:
        calls.done += ret
    else:
        calls.errors[ret] = calls.errors.get(ret, 0) + 1


@Script.on("syscalls:sys_enter_read")
def read_starts(event):
    starts(calls_of(reads, event), event)


@Script.on("syscalls:sys_exit_read")
def read_ends(event):
    ends(calls_of(reads, event), event)


@Script.on("syscalls:sys_enter_write")
def write_starts(event):
    starts(calls_of(writes, event), event)


@Script.on("syscalls:sys_exit_write")
def write_ends(event):
    ends(calls_of(writes, event), event)


def print_errors(table):
    print("%6s  %20s  %6s  %10s" % ("pid", "comm", "error #", "# errors"))
    print("%6s  %20s  %6s  %10s" % ("-" * 6, "-" * 20, "-" * 6, "-" * 10))
    rows = [(-count, pid, calls.comm, error)
            for pid, calls in table.items() for error, count in calls.errors.items()]
    for count, pid, comm, error in sorted(rows):
        print("%6d  %-20s  %6d  %10s" % (pid, comm, error, -count))


def trace_end():
    print("read counts by pid:\n")
    print("%6s  %20s  %10s  %10s  %10s"
          % ("pid", "comm", "# reads", "bytes_requested", "bytes_read"))
    print("%6s  %-20s  %10s  %10s  %10s" % ("-" * 6, "-" * 20, "-" * 11, "-" * 10, "-" * 10))
    for pid, calls in sorted(reads.items(), key=lambda item: (-item[1].done, item[0])):
        print("%6s  %-20s  %10s  %10s  %10s"
              % (pid, calls.comm, calls.count, calls.requested, calls.done))

    print("\nfailed reads by pid:\n")
    print_errors(reads)

    print("\nwrite counts by pid:\n")
    print("%6s  %20s  %10s  %10s" % ("pid", "comm", "# writes", "bytes_written"))
    print("%6s  %-20s  %10s  %10s" % ("-" * 6, "-" * 20, "-" * 11, "-" * 10))
    for pid, calls in sorted(writes.items(), key=lambda item: (-item[1].requested, item[0])):
        print("%6s  %-20s  %10s  %10s" % (pid, calls.comm, calls.count, calls.requested))

    print("\nfailed writes by pid:\n")
    print_errors(writes)
    Script.print_unhandled()


trace_unhandled = Script.dispatch
