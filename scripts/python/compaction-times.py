# SPDX-License-Identifier: MIT
#
# compaction-times: how long processes wait while the kernel moves pages together to get large free
# areas, and how many pages it moved for that.
#
#   perf script record compaction-times -a sleep 10
#   perf script report compaction-times -- [options] [pid|pid-range|comm-regex]

import os
import re
import sys

sys.path.append(os.path.join(os.environ.get("PERF_EXEC_PATH", "."),
                             "scripts/python/Perf-Trace-Util/lib/Perf/Trace"))
import Script

USAGE = ("usage: perf script report compaction-times.py -- [-h] [-u] [-p|-pv] [-t | [-m] [-fs]"
         " [-ms]] [pid|pid-range|comm-regex]\n")
HELP = """
-h	display this help
-p	display by process
-pv	display by process (verbose)
-t	display stall times only
-m	display stats for migration
-fs	display stats for free scanner
-ms	display stats for migration scanner
-u	display results in microseconds (default nanoseconds)
"""
PARTS = ("-m", "-fs", "-ms")


class Stall:
    """One time that a process waited, or the sum of many."""

    def __init__(self, start=0):
        self.ns = start         # the time of its start until it ends
        self.migrated = [0, 0]  # pages moved, failed
        self.free = [0, 0]      # pages scanned for free ones, isolated
        self.movable = [0, 0]   # pages scanned for movable ones, isolated

    def add(self, other):
        self.ns += other.ns
        for mine, theirs in ((self.migrated, other.migrated), (self.free, other.free),
                             (self.movable, other.movable)):
            mine[0] += theirs[0]
            mine[1] += theirs[1]

    def __str__(self):
        texts = {"-m": "migration: moved=%d failed=%d" % tuple(self.migrated),
                 "-fs": "free_scanner: scanned=%d isolated=%d" % tuple(self.free),
                 "-ms": "migration_scanner: scanned=%d isolated=%d" % tuple(self.movable)}
        length = "%dus" % (round(self.ns, -3) // 1000) if "-u" in options else "%dns" % self.ns
        return length + " " + " ".join(texts[part] for part in PARTS if part in parts)


class Process:
    def __init__(self, pid, comm):
        self.pid = pid
        self.comm = comm
        self.total = Stall()
        self.stalls = []        # kept for -pv
        self.pending = None


processes = {}      # pid: Process, None for excluded ones
total = Stall()


@Script.on("compaction:mm_compaction_begin")
def begins(event):
    pid, comm = event["common_pid"], event["common_comm"]
    if pid not in processes:
        processes[pid] = Process(pid, comm) if is_wanted(pid, comm) else None
    if processes[pid]:
        processes[pid].pending = Stall(Script.time_ns(event))


def pending(event):
    """Returns the process of an event and its current wait, (None, None) if that is not known."""
    pid = event["common_pid"]
    process = processes.get(pid)
    if process and process.pending:
        return process, process.pending
    if process or pid not in processes:
        sys.stderr.write("missing start compaction event for pid %d\n" % pid)
    return None, None


def count(event, part, first, second):
    _, stall = pending(event)
    if stall:
        numbers = getattr(stall, part)
        numbers[0] += event[first]
        numbers[1] += event[second]


@Script.on("compaction:mm_compaction_migratepages")
def migrated(event):
    count(event, "migrated", "nr_migrated", "nr_failed")


@Script.on("compaction:mm_compaction_isolate_freepages")
def free_isolated(event):
    count(event, "free", "nr_scanned", "nr_taken")


@Script.on("compaction:mm_compaction_isolate_migratepages")
def movable_isolated(event):
    count(event, "movable", "nr_scanned", "nr_taken")


@Script.on("compaction:mm_compaction_end")
def ends(event):
    process, stall = pending(event)
    if stall:
        stall.ns = Script.time_ns(event) - stall.ns
        total.add(stall)
        process.total.add(stall)
        if "-pv" in options:
            process.stalls.append(stall)
        process.pending = None


def trace_end():
    print("total: %s" % total)
    if "-p" in options or "-pv" in options:
        for process in filter(None, processes.values()):
            print("%d[%s]: %s" % (process.pid, process.comm, process.total))
            for i, stall in enumerate(process.stalls):
                print("%d[%s].%d: %s" % (process.pid, process.comm, i + 1, stall))


def process_filter(word):
    """Parses the last word: 12 or 10-20 (either end may be left out) are pids, anything else is a
    regular expression for the command name."""
    if word is None:
        return lambda pid, comm: True
    pids = re.match(r"(\d*)(?:(-)(\d*))?$", word)
    if word and pids:
        low = int(pids.group(1) or 0)
        high = int(pids.group(3) or 0) if pids.group(2) else low
        return lambda pid, comm: pid >= low and (high == 0 or pid <= high)
    try:
        pattern = re.compile(word)
    except re.error:
        sys.exit("invalid regex '%s'\n%s" % (word, USAGE))
    return lambda pid, comm: bool(pattern.search(comm))


words = sys.argv[1:]
options = [word for word in words if word.startswith("-")]
rest = [word for word in words if not word.startswith("-")]
if "-h" in options:
    sys.stdout.write(USAGE + HELP)
    sys.exit(0)
if len(rest) > 1 or set(options) - {"-u", "-p", "-pv", "-t", "-m", "-fs", "-ms"}:
    sys.exit(USAGE)
parts = [part for part in PARTS if part in options]
if not parts and "-t" not in options:
    parts = PARTS
is_wanted = process_filter(rest[0] if rest else None)
trace_unhandled = Script.dispatch
