# SPDX-License-Identifier: MIT
#
# rw-by-file: reads and writes of one program, by file descriptor.
#
#   perf script record rw-by-file -- cat /etc/passwd
#   perf script report rw-by-file cat

import os
import sys

sys.path.append(os.path.join(os.environ.get("PERF_EXEC_PATH", "."),
                             "scripts/python/Perf-Trace-Util/lib/Perf/Trace"))
import Script

USAGE = "rw-by-file <comm>"

reads = {}          # file descriptor: [calls, bytes]
writes = {}


def count(table, event):
    if event["common_comm"] == wanted:
        entry = table.setdefault(event["fd"], [0, 0])
        entry[0] += 1
        entry[1] += event["count"]


@Script.on("syscalls:sys_enter_read")
def read_starts(event):
    count(reads, event)


@Script.on("syscalls:sys_enter_write")
def write_starts(event):
    count(writes, event)


def print_table(table, calls, amount):
    print("%6s  %10s  %10s" % ("fd", calls, amount))
    print("%6s  %10s  %10s" % ("-" * 6, "-" * 10, "-" * 11))
    for fd, (number, size) in sorted(table.items(), key=lambda row: (-row[1][1], row[0])):
        print("%6u  %10u  %10u" % (fd, number, size))


def trace_end():
    print("file read counts for %s:\n" % wanted)
    print_table(reads, "# reads", "bytes_requested")
    print("\nfile write counts for %s:\n" % wanted)
    print_table(writes, "# writes", "bytes_written")
    Script.print_unhandled()


words = Script.arguments(USAGE, most=1)
if not words:
    sys.exit("usage: perf script report " + USAGE)
wanted = words[0]
trace_unhandled = Script.dispatch
