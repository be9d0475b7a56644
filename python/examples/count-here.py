#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Counts the cost of a piece of this program itself: count-here.py [EVENTS]."""
import os
import sys

import perf


def main(names="task-clock,page-faults,context-switches"):
    events = perf.parse_events(names, perf.cpu_map(), perf.thread_map(os.getpid()))
    events.open()
    events.enable()
    sorted(range(1000000), key=lambda n: -n)
    events.disable()
    for event in events:
        counts = [event.read(cpu, os.getpid()) for cpu in event.cpus()]
        print("%15d %s" % (sum(c.val for c in counts), event.name))


if __name__ == "__main__":
    main(*sys.argv[1:])
