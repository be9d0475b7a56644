#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""usage: dwarf-stacks.py SCRIPT TRACE

Compares the last stack of each thread in SCRIPT (perf script -F tid,ip,sym) with that in TRACE (gdb's `thread apply all
bt`): both have the same number of frames, at the same places of their pages. The innermost frame is left out, because a
system call that will be restarted has its place moved. A frame that gdb shows without an address is the function that
another one is inlined into, or the frame of a signal, which may be anywhere. With debug information gdb also shows
functions that have jumped to the next one, and are not on the stack: TRACE ends with the output of `thread apply all
frame apply all info frame`, which names these "tail call frame". Prints the differences; status 1 if there are any.
"""
import re
import sys

USER = 1 << 56  # kernel addresses are above this one
PAGE = 4096


def by_perf(path):
    stacks, tid = {}, None
    for line in open(path):
        head = re.match(r"\s*(\d+)\s*$", line)
        entry = re.match(r"\s+([0-9a-f]+) (.*)", line)
        if head:
            tid = int(head[1])
            stacks[tid] = []
        elif entry and int(entry[1], 16) < USER:
            stacks[tid].append((int(entry[1], 16), entry[2]))
    return {tid: stack for tid, stack in stacks.items() if stack}


def tail_calls(path):
    """Returns (thread, number of the frame) of the frames that gdb knows from debug information only."""
    found, tid, level = set(), None, None
    for line in open(path):
        head = re.match(r"Thread .*LWP (\d+)", line)
        frame = re.match(r"Stack level (\d+),", line)
        if head:
            tid = int(head[1])
        elif frame:
            level = frame[1]
        elif line.startswith(" tail call frame"):
            found.add((tid, level))
    return found


def by_gdb(path):
    stacks, stack, left_out = {}, None, tail_calls(path)
    for line in open(path):
        head = re.match(r"Thread .*LWP (\d+)", line)
        entry = re.match(r"#(\d+)\s+(?:0x([0-9a-f]+) in )?(.*)", line)
        if head:
            tid = int(head[1])
            stack = stacks.setdefault(tid, [])
        elif entry and stack is not None and (tid, entry[1]) not in left_out:
            place = int(entry[2], 16) if entry[2] else None
            if place or entry[1] == "0" or entry[3].startswith("<signal"):
                stack.append((place, entry[3]))
    return stacks


def is_same(ours, theirs):
    """Compares addresses. Return addresses come after the calls, whose addresses we show."""
    place = theirs[0]
    return place is None or place % PAGE in (ours[0] % PAGE, (ours[0] + 1) % PAGE)


def main(script, trace):
    ours, theirs = by_perf(script), by_gdb(trace)
    failed = not theirs
    for tid, wanted in theirs.items():
        got = ours.get(tid, [])
        if len(got) == len(wanted) and all(map(is_same, got[1:], wanted[1:])):
            continue
        failed = True
        print(f"thread {tid}:")
        for i in range(max(len(got), len(wanted))):
            left = "%x %s" % got[i] if i < len(got) else "-"
            right = "%x %s" % (wanted[i][0] or 0, wanted[i][1]) if i < len(wanted) else "-"
            print(f"\t{left:50} {right}")
    return failed


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
