#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints which tasks hand a CPU to which, from a tracepoint: switches.py [NUMBER]."""
import sys

import perf


def main(wanted=10):
    cpus, threads = perf.cpu_map(), perf.thread_map(-1)
    event = perf.evsel(type=perf.TYPE_TRACEPOINT, config=perf.tracepoint("sched", "sched_switch"), freq=0,
                       sample_period=1, wakeup_events=1, sample_id_all=1,
                       sample_type=perf.SAMPLE_TID | perf.SAMPLE_TIME | perf.SAMPLE_CPU | perf.SAMPLE_RAW)
    event.open(cpus=cpus, threads=threads)
    events = perf.evlist(cpus, threads)
    events.add(event)
    events.mmap()
    while wanted > 0:
        events.poll(timeout=1000)
        for cpu in cpus:
            sample = events.read_on_cpu(cpu)
            if isinstance(sample, perf.sample_event) and wanted > 0:
                wanted -= 1
                print("%.6f [%03d] %s/%d -> %s/%d" %
                      (sample.sample_time / 1e9, sample.sample_cpu, sample.prev_comm, sample.prev_pid,
                       sample.next_comm, sample.next_pid))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
