# SPDX-License-Identifier: MIT
"""Counts system calls by symbol: each call comes with its sample."""
counts = {}


def count(sample):
    symbol = sample.get("symbol")
    counts[symbol] = counts.get(symbol, 0) + 1


def raw_syscalls__sys_enter(event_name, context, common_cpu, common_secs, common_nsecs, common_pid,
                            common_comm, common_callchain, id, args, perf_sample_dict):
    count(perf_sample_dict)


def raw_syscalls__sys_exit(event_name, context, common_cpu, common_secs, common_nsecs, common_pid,
                           common_comm, common_callchain, id, ret, perf_sample_dict):
    count(perf_sample_dict)


def trace_end():
    print(counts)
