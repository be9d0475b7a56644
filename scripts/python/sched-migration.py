# SPDX-License-Identifier: MIT
#
# sched-migration: how tasks are spread over the CPUs, and which ones move between them.
#
#   perf script record sched-migration -a sleep 10
#   perf script report sched-migration [FILE.svg]
#
# Prints a table of the CPUs and one of the tasks that moved. With a file it also draws the length
# of the run queues over time: one row for each CPU, the redder the longer its queue.

import os
import sys

sys.path.append(os.path.join(os.environ.get("PERF_EXEC_PATH", "."),
                             "scripts/python/Perf-Trace-Util/lib/Perf/Trace"))
import Script

WIDTH, ROW, GAP = 1600, 40, 8       # of the picture, in pixels
# The meaning of a bar above a row
COLORS = {"woken": "#ffff00", "new": "#00ff00", "in": "#00f0ff", "out": "#ff00ff",
          "sleep": "#0000ff"}


class Cpu:
    def __init__(self):
        self.tasks = set()      # tasks that wait for the CPU or run on it
        self.counts = dict.fromkeys(["switches"] + list(COLORS), 0)
        self.load_ns = 0        # length of the queue, summed over time
        self.load_max = 0
        self.since = None       # time of the last change, ns

    def change(self, time, kind, add=None, remove=None):
        """Adds a task to the queue or removes it. Task 0 is the CPU's own idle task: not
        counted."""
        self.advance(time)
        self.counts[kind] += 1
        if add:
            self.tasks.add(add)
        self.tasks.discard(remove)
        self.load_max = max(self.load_max, len(self.tasks))

    def advance(self, time):
        if self.since is not None:
            self.load_ns += (time - self.since) * len(self.tasks)
        self.since = time


cpus = {}           # number: Cpu
names = {0: "idle"} # tid: comm
moves = {}          # (tid, from, to): count
changes = []        # (ns, cpu, kind, {cpu: length of its queue}), for the picture
span = [0, 0]       # first and last event, ns


def note(event, number, kind, add=None, remove=None):
    time = Script.time_ns(event)
    span[0] = span[0] or time
    span[1] = time
    cpus.setdefault(number, Cpu()).change(time, kind, add, remove)
    if picture:
        changes.append((time, number, kind, {n: len(c.tasks) for n, c in cpus.items()}))


@Script.on("sched:sched_switch")
def switched(event):
    prev, next_ = event["prev_pid"], event["next_pid"]
    names[prev], names[next_] = event["prev_comm"], event["next_comm"]
    cpu = event["common_cpu"]
    # The low byte is the reason why a task stopped; 0 means that it was still runnable.
    sleeps = event["prev_state"] & 0xff
    note(event, cpu, "sleep" if sleeps and prev else "switches", next_, prev if sleeps else None)
    if sleeps and prev:
        cpus[cpu].counts["switches"] += 1
    elif prev:
        cpus[cpu].tasks.add(prev)


@Script.on("sched:sched_wakeup")
def woken(event):
    names[event["pid"]] = event["comm"]
    note(event, event["target_cpu"], "woken", event["pid"])


@Script.on("sched:sched_wakeup_new")
def created(event):
    names[event["pid"]] = event["comm"]
    note(event, event["target_cpu"], "new", event["pid"])


@Script.on("sched:sched_migrate_task")
def moved(event):
    tid, old, new = event["pid"], event["orig_cpu"], event["dest_cpu"]
    names[tid] = event["comm"]
    moves[tid, old, new] = moves.get((tid, old, new), 0) + 1
    # A sleeping task is moved while it is woken; only a task in the queue takes its place in the
    # queue along.
    queued = tid in cpus[old].tasks if old in cpus else False
    note(event, old, "out", remove=tid)
    note(event, new, "in", add=tid if queued else None)


def trace_end():
    length = max(span[1] - span[0], 1)
    print("%5s %10s %10s %10s %10s %10s %10s %10s %10s"
          % ("cpu", "switches", "woken", "new", "in", "out", "sleep", "avg queue", "max queue"))
    for number, cpu in sorted(cpus.items()):
        cpu.advance(span[1])
        counts = tuple(cpu.counts[kind] for kind in
                       ("switches", "woken", "new", "in", "out", "sleep"))
        print("%5d %10d %10d %10d %10d %10d %10d %10.2f %10d"
              % ((number,) + counts + (cpu.load_ns / length, cpu.load_max)))
    print("\n%-24s %5s %5s %10s" % ("task", "from", "to", "count"))
    for (tid, old, new), count in Script.by_count(moves):
        print("%-24s %5d %5d %10d" % ("%s:%d" % (names[tid], tid), old, new, count))
    if picture:
        write_picture(length)


def write_picture(length):
    """Draws one rectangle for each time that a queue had a length, at least a pixel wide."""
    height = len(cpus) * (ROW + GAP)
    rows = {number: i * (ROW + GAP) for i, number in enumerate(sorted(cpus))}
    parts = ['<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family='
             '"monospace" font-size="11">' % (WIDTH + 60, height)]
    for number, y in rows.items():
        parts.append('<text x="2" y="%d">cpu %d</text>' % (y + ROW // 2, number))
    drawn = {}      # cpu: the x up to which its row is drawn
    for i, (time, number, kind, loads) in enumerate(changes):
        end = changes[i + 1][0] if i + 1 < len(changes) else span[1]
        left = (time - span[0]) * WIDTH // length
        right = max((end - span[0]) * WIDTH // length, left + 1)
        all_load = sum(loads.values())
        for cpu, load in loads.items():
            if right > drawn.get(cpu, 0):
                light = 255 - (255 * load // all_load if all_load else 0)
                parts.append('<rect x="%d" y="%d" width="%d" height="%d" fill="#ff%02x%02x"/>'
                             % (60 + left, rows[cpu] + 5, right - left, ROW - 5, light, light))
                drawn[cpu] = right
        if kind in COLORS:
            parts.append('<rect x="%d" y="%d" width="1" height="5" fill="%s"/>'
                         % (60 + left, rows[number], COLORS[kind]))
    try:
        with open(picture, "w") as file:
            file.write("\n".join(parts + ["</svg>\n"]))
    except OSError as error:
        sys.exit("sched-migration: cannot write '%s': %s" % (picture, error.strerror))


words = Script.arguments("sched-migration [FILE.svg]", most=1)
picture = words[0] if words else None
trace_unhandled = Script.dispatch
