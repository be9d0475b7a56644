# SPDX-License-Identifier: MIT
#
# check-perf-trace: tests the connection between perf and Python. It prints the values that perf
# passes, and is the example for the other way to take events: functions named SYSTEM__EVENT, which
# get the fields by position, and words for numbers through Core.
#
#   perf record -a -e kmem:kmalloc -e irq:softirq_entry -e kmem:kfree sleep 1
#   perf script -s check-perf-trace.py

import os
import sys

sys.path.append(os.path.join(os.environ.get("PERF_EXEC_PATH", "."),
                             "scripts/python/Perf-Trace-Util/lib/Perf/Trace"))
import Core
import perf_trace_context

# perf looks for these names in the script itself.
define_flag_field = Core.define_flag_field
define_flag_value = Core.define_flag_value
define_symbolic_field = Core.define_symbolic_field
define_symbolic_value = Core.define_symbolic_value

unhandled = {}      # event: its number


def trace_begin():
    print("trace_begin")


# *more takes the fields that newer kernels have added.
def irq__softirq_entry(event_name, context, common_cpu, common_secs, common_nsecs, common_pid,
                       common_comm, common_callchain, vec, *more):
    print_header(event_name, common_cpu, common_secs, common_nsecs, common_pid, common_comm)
    print_uncommon(context)
    print("vec=%s" % Core.symbol_str("irq__softirq_entry", "vec", vec))


def kmem__kmalloc(event_name, context, common_cpu, common_secs, common_nsecs, common_pid,
                  common_comm, common_callchain, call_site, ptr, bytes_req, bytes_alloc,
                  gfp_flags, *more):
    print_header(event_name, common_cpu, common_secs, common_nsecs, common_pid, common_comm)
    print_uncommon(context)
    print("call_site=%u, ptr=%u, bytes_req=%u, bytes_alloc=%u, gfp_flags=%s"
          % (call_site, ptr, bytes_req, bytes_alloc,
             Core.flag_str("kmem__kmalloc", "gfp_flags", gfp_flags)))


def trace_unhandled(event_name, context, event_fields_dict):
    unhandled[event_name] = unhandled.get(event_name, 0) + 1


def print_header(event_name, cpu, secs, nsecs, pid, comm):
    print("%-20s %5u %05u.%09u %8u %-20s " % (event_name, cpu, secs, nsecs, pid, comm), end=" ")


def print_uncommon(context):
    """Prints fields that handlers do not get, but perf_trace_context has."""
    print("common_preempt_count=%d, common_flags=%s, common_lock_depth=%d, "
          % (perf_trace_context.common_pc(context),
             Core.trace_flag_str(perf_trace_context.common_flags(context)),
             perf_trace_context.common_lock_depth(context)))


def trace_end():
    if not unhandled:
        return
    print("\nunhandled events:\n")
    print("%-40s  %10s" % ("event", "count"))
    print("%-40s  %10s" % ("-" * 40, "-" * 11))
    for event_name, count in unhandled.items():
        print("%-40s  %10d\n" % (event_name, count))
