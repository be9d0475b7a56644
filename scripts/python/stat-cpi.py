# SPDX-License-Identifier: MIT
#
# stat-cpi: cycles per instruction over time, from counts and not from samples.
#
#   perf stat record -e cycles,instructions -I 1000 -a sleep 10
#   perf script -s stat-cpi.py
#
# It is the example for stat__EVENT(): perf calls it with each count, and stat__interval() after all
# counts of one interval.

counts = {}         # (cpu, thread): {(time, event): count}
places = []         # (cpu, thread), in the order of their appearance


def count(event, cpu, thread, time, value):
    if (cpu, thread) not in counts:
        counts[cpu, thread] = {}
        places.append((cpu, thread))
    counts[cpu, thread][time, event] = value


def stat__cycles(cpu, thread, time, val, ena, run):
    count("cycles", cpu, thread, time, val)


def stat__instructions(cpu, thread, time, val, ena, run):
    count("instructions", cpu, thread, time, val)


# cycles:u and instructions:k are functions of their own.
stat__cycles_u = stat__cycles_k = stat__cycles
stat__instructions_u = stat__instructions_k = stat__instructions


def stat__interval(time):
    for cpu in dict.fromkeys(cpu for cpu, _ in places):
        for thread in dict.fromkeys(thread for _, thread in places):
            values = counts.get((cpu, thread), {})
            cycles = values.pop((time, "cycles"), None)
            instructions = values.pop((time, "instructions"), None)
            if cycles is None or instructions is None:
                continue
            cpi = cycles / instructions if instructions else 0
            print("%15f: cpu %d, thread %d -> cpi %f (%d/%d)"
                  % (time / 1e9, cpu, thread, cpi, cycles, instructions))


def trace_end():
    pass
