#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares the events that two perfs request from the kernel.

usage: record-attrs.py LINES OURS THEIRS

Runs `perf record` with each command line of LINES under strace, with both programs, and compares the events that were
opened in the end: those that were mapped, or redirected to a ring buffer of another.
"""
import concurrent.futures
import re
import subprocess
import sys
import tempfile

OPEN = re.compile(r"perf_event_open\(\{(.*)\}, (-?\d+), (-?\d+), (-?\d+), (.*)\) += (\d+)")
IOCTL = re.compile(r"ioctl\((\d+), (PERF_EVENT_IOC_(?:SET_OUTPUT|ID|SET_FILTER))(?:, (.*?))?\) +=")
MMAP = re.compile(r"mmap\(NULL, \d+, [^,]*, MAP_SHARED, (\d+), 0\) +=")
CLOSE = re.compile(r"close\((\d+)\) +=")
WORKERS = 6


def whole_lines(path):
    """Returns the lines of strace -f; lines interrupted by another process are joined."""
    begun = {}
    with open(path, errors="replace") as lines:
        for line in lines:
            pid, _, text = line.rstrip("\n").partition(" ")
            text = text.strip()
            if text.endswith("<unfinished ...>"):
                begun[pid] = text[: -len("<unfinished ...>")].rstrip()
                continue
            resumed = re.match(r"<\.\.\. \w+ resumed>(.*)", text)
            yield re.sub(r", *\)", ")", begun.pop(pid, "") + resumed[1]) if resumed else text


def attr_of(text):
    fields = (f.split("=", 1) for f in re.split(r", (?=[a-z_0-9]+=)", re.sub(r"/\*.*?\*/", "", text)))
    return {k: v.strip() for k, v in fields if v.strip() != "0" and k != "size"}


def opened(path):
    """Returns the events in use, in the order in which they were opened."""
    events, by_fd = [], {}
    for line in whole_lines(path):
        if m := OPEN.match(line):
            event = {"attr": attr_of(m[1]), "pid": int(m[2]), "cpu": m[3], "group": by_fd.get(int(m[4])),
                     "flags": m[5].replace("PERF_FLAG_FD_CLOEXEC", ""), "filter": "", "used": False}
            by_fd[int(m[6])] = event
            events.append(event)
        elif m := CLOSE.match(line):
            by_fd.pop(int(m[1]), None)
        elif (m := MMAP.match(line)) and int(m[1]) in by_fd:
            by_fd[int(m[1])]["used"] = True
        elif (m := IOCTL.match(line)) and int(m[1]) in by_fd:
            by_fd[int(m[1])]["used"] = True
            if m[2].endswith("FILTER"):
                by_fd[int(m[1])]["filter"] = re.sub(r"common_pid != \d+", "common_pid != N", m[3])
    return [e for e in events if e["used"] and not is_sideband(e["attr"])]


def is_sideband(attr):
    dummy = attr.get("config") == "PERF_COUNT_SW_DUMMY"
    return dummy and ("mmap" in attr or attr.get("wakeup_watermark") == "1")


def rows(events):
    """Returns one comparable line for each event; processes are numbered in the order of their occurrence."""
    pids = []
    for e in events:
        if e["pid"] > 0 and e["pid"] not in pids:
            pids.append(e["pid"])
        pid = f"task {pids.index(e['pid'])}" if e["pid"] > 0 else str(e["pid"])
        group = events.index(e["group"]) if e["group"] in events else "-"
        attr = " ".join(f"{k}={v}" for k, v in sorted(e["attr"].items()))
        yield f"{attr} pid={pid} cpu={e['cpu']} group={group} {e['flags']} {e['filter']}"


def record(perf, line):
    with tempfile.TemporaryDirectory() as work:
        script = (f"sleep 1000 & PID=$!; strace -f -v -s 300 -o {work}/trace "
                  f"-e trace=perf_event_open,ioctl,mmap,close {perf} record -o {work}/perf.data {line}; "
                  "status=$?; kill $PID; exit $status")
        done = subprocess.run(["sh", "-c", script], cwd=work, stdin=subprocess.DEVNULL, check=False,
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        return done.returncode, list(rows(opened(f"{work}/trace")))


def compare(line, ours, theirs):
    """Returns the differences, as text; empty if there are none."""
    if theirs[0] not in (0, 143):
        return ""  # the installed perf cannot do this here
    if ours[1] == theirs[1] and ours[0] in (0, 143):
        return ""
    text = [f"perf record {line}: status {ours[0]}"]
    for a, b in zip(theirs[1] + [""] * len(ours[1]), ours[1] + [""] * len(theirs[1])):
        if a != b:
            a, b = set(a.split()), set(b.split())
            text.append(f"    theirs {' '.join(sorted(a - b))}\n    ours   {' '.join(sorted(b - a))}")
    return "\n".join(text)


def main(path, ours, theirs):
    with open(path) as f:
        lines = [line.strip() for line in f if line.strip() and not line.startswith("#")]
    with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
        # Ours requests build-ids unless told otherwise.
        a = pool.map(lambda line: record(ours, "--no-buildid-mmap " + line), lines)
        b = pool.map(lambda line: record(theirs, line), lines)
        wrong = [text for line, x, y in zip(lines, a, b) if (text := compare(line, x, y))]
    print("\n".join(wrong))
    print(f"{len(lines)} command lines, {len(wrong)} differ")
    return bool(wrong) or len(lines) < 80


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
