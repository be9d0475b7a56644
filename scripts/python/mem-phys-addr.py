# SPDX-License-Identifier: MIT
#
# mem-phys-addr: the kinds of memory (System RAM, Persistent Memory ...) that loads accessed.
#
#   perf script record mem-phys-addr PROGRAM
#   perf script report mem-phys-addr
#
# The ranges come from /proc/iomem of this machine, so report on the machine of the recording, and
# as root: from other users the kernel hides the addresses.

import bisect
import os
import sys

sys.path.append(os.path.join(os.environ.get("PERF_EXEC_PATH", "."),
                             "scripts/python/Perf-Trace-Util/lib/Perf/Trace"))
import Script

MAIN_TYPES = ("System RAM", "Persistent Memory")

ranges = []         # (first address, last address, type), sorted; ranges inside others are left out
counts = {}         # kind of memory: samples
events = []         # name of the first event


def read_ranges():
    """Reads lines `00100000-7fffffff : System RAM`, indented when they are part of the one
    above."""
    try:
        with open("/proc/iomem", errors="backslashreplace") as lines:
            for line in lines:
                addresses, _, kind = line.partition(":")
                first, _, last = addresses.strip().partition("-")
                if not line.startswith(" ") or kind.strip() in MAIN_TYPES:
                    ranges.append((int(first, 16), int(last, 16), kind.strip()))
    except (OSError, ValueError) as error:
        print("mem-phys-addr: cannot read /proc/iomem: %s" % error, file=sys.stderr)
    ranges.sort()


def memory_type(address):
    """Returns the type of the innermost range that contains the address."""
    i = bisect.bisect(ranges, (address, sys.maxsize, ""))
    while address and i:
        i -= 1
        first, last, kind = ranges[i]
        if first <= address <= last:
            return kind
    return "N/A"


def trace_begin():
    read_ranges()


def process_event(param):
    address = param["sample"].get("phys_addr", 0)
    if not events:
        events.append(param["ev_name"])
    kind = memory_type(address)
    counts[kind] = counts.get(kind, 0) + 1


def trace_end():
    print("Event: %s" % (events[0] if events else None))
    print("%-40s  %10s  %10s" % ("Memory type", "count", "percentage"))
    print("%-40s  %10s  %10s" % ("-" * 40, "-" * 11, "-" * 11))
    total = sum(counts.values())
    for kind, count in sorted(counts.items(), key=lambda c: (c[1], c[0]), reverse=True):
        print("%-40s  %10d  %10.1f%%" % (kind, count, 100 * count / total))


Script.arguments("mem-phys-addr", most=0)
