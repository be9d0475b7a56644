# SPDX-License-Identifier: MIT
#
# wakeup-latency: how long woken tasks wait for a CPU.
#
#   perf script record wakeup-latency -a sleep 10
#   perf script report wakeup-latency
#
# The time counts from the last wake-up for a CPU to the next switch on this CPU.

import os
import sys

sys.path.append(os.path.join(os.environ.get("PERF_EXEC_PATH", "."),
                             "scripts/python/Perf-Trace-Util/lib/Perf/Trace"))
import Script

last_wakeup = {}        # cpu: ns; 0 once the CPU switched
latencies = []          # ns


@Script.on("sched:sched_wakeup")
def woken(event):
    last_wakeup[event["target_cpu"]] = Script.time_ns(event)


@Script.on("sched:sched_switch")
def switched(event):
    woken_at = last_wakeup.pop(event["common_cpu"], 0)
    if woken_at:
        latencies.append(Script.time_ns(event) - woken_at)


def trace_end():
    print("wakeup_latency stats:\n")
    print("total_wakeups: %d" % len(latencies))
    if latencies:
        print("avg_wakeup_latency (ns): %u" % (sum(latencies) // len(latencies)))
    else:
        print("avg_wakeup_latency (ns): N/A")
    # The smallest value starts at one second, because scripts that read this output expect it.
    print("min_wakeup_latency (ns): %u" % min(latencies + [1000000000]))
    print("max_wakeup_latency (ns): %u" % max(latencies + [0]))
    Script.print_unhandled()


trace_unhandled = Script.dispatch
