#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints tasks as they begin, are renamed by exec and end: watch-tasks.py [PID [SECONDS]]; PID -1: all."""
import sys
import time

import perf


def main(pid=-1, seconds=None):
    cpus, threads = perf.cpu_map(), perf.thread_map(pid)
    event = perf.evsel(type=perf.TYPE_SOFTWARE, config=perf.COUNT_SW_DUMMY, task=1, comm=1, freq=0,
                       wakeup_events=1, watermark=1, sample_id_all=1, inherit=1,
                       sample_type=perf.SAMPLE_PERIOD | perf.SAMPLE_TID | perf.SAMPLE_CPU)
    event.open(cpus=cpus, threads=threads)
    events = perf.evlist(cpus, threads)
    events.add(event)
    events.mmap()
    end = time.monotonic() + seconds if seconds else None
    while end is None or time.monotonic() < end:
        events.poll(timeout=100)
        for cpu in cpus:
            record = events.read_on_cpu(cpu)
            while record is not None:
                print("cpu: %d, pid: %d, tid: %d %s" %
                      (record.sample_cpu, record.sample_pid, record.sample_tid, record))
                record = events.read_on_cpu(cpu)


if __name__ == "__main__":
    try:
        main(*map(int, sys.argv[1:]))
    except KeyboardInterrupt:
        pass
