# SPDX-License-Identifier: MIT
"""Counts system calls by name of the program."""
counts = {}


def raw_syscalls__sys_enter(event_name, context, common_cpu, common_secs, common_nsecs, common_pid,
                            common_comm, common_callchain, id, args):
    counts[common_comm] = counts.get(common_comm, 0) + 1


def raw_syscalls__sys_exit(event_name, context, common_cpu, common_secs, common_nsecs, common_pid,
                           common_comm, common_callchain, id, ret):
    counts[common_comm] = counts.get(common_comm, 0) + 1


def trace_end():
    print(counts)
