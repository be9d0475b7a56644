# SPDX-License-Identifier: MIT
"""Runs perf with a pseudo terminal and checks the output while it reads a long recording.

The recording is made long by repeating its data. perf is stopped again and again while it works, so that the work takes
long on any machine.
"""
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import time

SIZE = 60 << 20
STOPS = 40
STOP_S = 0.6
WORK_NS = 3000000  # between two stops
ERASE = b"\r\x1b[K"


def lengthen(path, to):
    """Repeats the data section of @path until it is long enough, without the features."""
    with open(path, "rb") as f:
        whole = f.read()
    start, size = struct.unpack_from("<QQ", whole, 40)
    data = whole[start:start + size]
    n = SIZE // size + 1
    with open(to, "wb") as f:
        f.write(whole[:40] + struct.pack("<QQ", start, n * size) + whole[56:72] + bytes(32) + whole[104:start])
        for _ in range(n):
            f.write(data)


def read_some(fd, seconds):
    """Returns the output from @fd within @seconds: b"" if there is none, None if the terminal is closed."""
    if not select.select([fd], [], [], seconds)[0]:
        return b""
    try:
        return os.read(fd, 65536) or None
    except OSError:
        return None


def cpu_ns(pid):
    """Returns how long the threads of @pid have run."""
    total = 0
    try:
        for task in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{task}/schedstat", encoding="ascii") as f:
                total += int(f.read().split()[0])
    except (OSError, IndexError):  # a thread that has just ended
        pass
    return total


def run(arguments, out):
    """Returns perf's output on its terminal; @out is the place of its standard output: 'terminal', or a descriptor.

    perf has the CPU for a few milliseconds at a time and is then stopped for longer than it waits before it shows a
    bar, until it has shown one.
    """
    master, slave = pty.openpty()
    p = subprocess.Popen(["nice", "perf"] + arguments, stdin=subprocess.DEVNULL, stderr=slave,
                         stdout=slave if out == "terminal" else out)
    os.close(slave)
    seen = b""
    stops = worked_ns = 0
    while (part := read_some(master, 0.003)) is not None:
        seen += part
        if p.poll() is None and stops < STOPS and cpu_ns(p.pid) >= worked_ns + WORK_NS and not has_bar(seen):
            worked_ns = cpu_ns(p.pid)
            p.send_signal(signal.SIGSTOP)
            time.sleep(STOP_S)
            p.send_signal(signal.SIGCONT)
            stops += 1
    os.close(master)
    status = p.wait()
    if status != 0:
        print("perf", *arguments, "ended with", status, seen[-500:])
    return seen


def check(what, good, seen):
    if not good:
        print(what + ":", seen[:300], b"...", seen[-300:])
    return good


def has_bar(seen):
    return b"%" in seen and (b"\rScanning the recording [" in seen or b"\rReading " in seen)


def is_erased(seen):
    """True if, after the last bar, everything is erased before anything else is written."""
    last = max(seen.rfind(b"\rReading "), seen.rfind(b"\rScanning "))
    return seen[last:].find(ERASE) > 0 and b"\n" not in seen[last:last + seen[last:].find(ERASE)]


def main():
    lengthen("perf.data", "long.data")
    report = ["--no-pager", "report", "--stdio", "-i", "long.data"]
    script = ["--no-pager", "script", "-i", "long.data"]
    good = True
    with open("out", "wb") as out, open("/dev/null", "wb") as null:
        seen = run(report, out)
        good &= check("report into a file", has_bar(seen) and is_erased(seen), seen)
        seen = run(report, "terminal")
        good &= check("report on the terminal", has_bar(seen) and is_erased(seen), seen)
        seen = run(report + ["-q"], out)
        good &= check("report -q", not has_bar(seen), seen)
        seen = run(script, null)
        good &= check("script into nothing", has_bar(seen) and is_erased(seen), seen)

        reader, writer = os.pipe()
        cat = subprocess.Popen(["cat"], stdin=reader, stdout=null)
        os.close(reader)
        seen = run(report, writer)
        os.close(writer)
        cat.wait()
        good &= check("report into a pipe", not has_bar(seen), seen)
    with open("out", "rb") as out:
        good &= check("the output", b"\r" not in out.read(), b"")
    sys.exit(0 if good else 1)


main()
