# SPDX-License-Identifier: MIT
#
# net_dropmonitor: the places in the kernel at which network packets are dropped.
#
#   perf script record net_dropmonitor -a sleep 10
#   perf script report net_dropmonitor
#
# Names come from /proc/kallsyms of this machine, so report on the machine of the recording, and as
# root: from other users the kernel hides its addresses.

import bisect
import os
import sys

sys.path.append(os.path.join(os.environ.get("PERF_EXEC_PATH", "."),
                             "scripts/python/Perf-Trace-Util/lib/Perf/Trace"))
import Script

drops = {}          # address in the kernel: number of packets


def trace_begin():
    print("Starting trace (Ctrl-C to dump results)")


@Script.on("skb:kfree_skb")
def dropped(event):
    drops[event["location"]] = drops.get(event["location"], 0) + 1


def read_kallsyms():
    """Returns (addresses, names), both in the order of the addresses."""
    symbols = []
    try:
        with open("/proc/kallsyms", errors="backslashreplace") as lines:
            for line in lines:
                address, _, name = line.split()[:3]
                if int(address, 16):        # 0: the address is hidden
                    symbols.append((int(address, 16), name))
    except (OSError, ValueError):
        pass
    symbols.sort()
    return [s[0] for s in symbols], [s[1] for s in symbols]


def trace_end():
    print("Gathering kallsyms data")
    addresses, names = read_kallsyms()
    print("%25s %25s %25s" % ("LOCATION", "OFFSET", "COUNT"))
    for location, count in drops.items():
        i = bisect.bisect_right(addresses, location) - 1
        if i >= 0:
            print("%25s %25s %25s" % (names[i], location - addresses[i], count))
        else:
            print("%25s %25s %25s" % (location, 0, count))


trace_unhandled = Script.dispatch
