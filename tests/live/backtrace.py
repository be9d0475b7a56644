#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
Compares the stacks of a recording with those that the traced program found itself, by libgcc's backtrace()
(backtrace-preload.c): the same return addresses, in the same order, down to the root.

    backtrace.py RECORDING DIRECTORY
"""
import collections
import struct
import subprocess
import sys
from pathlib import Path


def sampled(recording):
    """Returns the stacks of each thread, the innermost frame first: (offset in the file, name and file)."""
    text = subprocess.run(["perf", "script", "-i", recording, "--no-inline", "-F", "tid,ip,sym,dso",
                           "--max-stack", "300"], stdout=subprocess.PIPE, check=True).stdout
    stacks = collections.defaultdict(list)
    tid = None
    for line in text.decode(errors="replace").splitlines():
        words = line.split(None, 1)
        if not words:
            tid = None
        elif tid is None:
            tid = int(words[0])
            stacks[tid].append([])
        else:
            stacks[tid][-1].append((int(words[0], 16), words[1]))
    return stacks


def logged(path):
    data = path.read_bytes()
    at = 0
    while at < len(data):
        count, = struct.unpack_from("<Q", data, at)
        yield struct.unpack_from(f"<{count}Q", data, at + 8)
        at += 8 + 8 * count


def is_same(ours, wanted):
    """Compares addresses. Return addresses are shown as addresses in the call; an address interrupted by a signal is
    unchanged.
    """
    return len(ours) == len(wanted) and all(o in (w - 1, w) for o, w in zip(ours, wanted))


def main(recording, directory):
    stacks = sampled(recording)
    equal = wrong = 0
    for path in sorted(Path(directory).iterdir()):
        # Programs also call getppid for reasons of their own.
        ours = [s for s in stacks[int(path.name)] if any("backtrace-preload" in what for _, what in s)]
        for stack, frames in zip(ours, logged(path)):
            user = [ip for ip, _ in stack if ip < 1 << 63]
            # The innermost frames are those of the system call, and place() was at another point then.
            start = next((i for i, ip in enumerate(user) if ip + 1 == frames[1]), len(user))
            if is_same(user[start:], frames[1:]):
                equal += 1
                continue
            wrong += 1
            if wrong <= 3:
                print(f"thread {path.name}: {[hex(a) for a in frames]}, but sampled was")
                print("".join(f"    {ip:x} {what}\n" for ip, what in stack), end="")
    print(f"{equal} stacks equal, {wrong} not")
    return wrong > 0 or equal == 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
