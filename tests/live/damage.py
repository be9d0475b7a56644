#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
Damages recordings in many ways and reads them: no crash, no hang, no runaway memory, and the data before the damage is
shown.

    damage.py [-n COUNT] [-s SEED] [-k DIR] [-u] [-e] FILE...

Makes COUNT damaged files from the FILEs, the same for the same SEED. Each is given to one of the commands that read
recordings, in 4 GiB of address space (unless -u); with -e to one of those that understand events: FILE is named after
it, as sched.data. Damaged files that fail are kept in DIR.
"""
import argparse
import os
import random
import resource
import signal
import struct
import subprocess
import sys
import tempfile

PATH = "{}"  # stands for the recording, in a command that does not take it with -i
COMMANDS = (
    ["script"],
    ["script", "-D"],
    ["script", "--header", "-F", "+addr,+period,+symoff"],
    ["script", "--header-only"],
    ["script", "--show-mmap-events", "--show-task-events"],
    ["evlist", "-v"],
    ["buildid-list"],
    ["buildid-list", "-H"],
    ["report", "--stdio"],
    ["report", "--stdio", "--no-children", "-g", "fractal,0", "-n"],
    ["report", "--stdio", "-g", "caller", "-s", "comm,dso"],
    ["report", "--stdio", "--no-children", "-g", "folded", "-s", "sym,cpu,time"],
    ["report", "--stdio", "--hierarchy", "--header"],
    ["report", "--stdio", "--group", "-t", ",", "-s", "trace_fields,pid"],
    ["report", "--json"],
    ["report", "--stdio", "--stats"],
    ["report", "--stdio", "--tasks", "--mmaps"],
    ["report", "--stdio", "-D"],
    ["report", "--stdio", "--no-children", "-s", "srcline,srcfile"],
    ["annotate", "--stdio"],
    ["annotate", "--stdio2", "-l"],
    ["diff", "-f", PATH, PATH],
    ["diff", "-f", "-c", "ratio", "-s", "comm,dso", PATH, PATH],
    ["inject", "-o", "/dev/null"],
    ["inject", "-b", "-o", "/dev/null"],
    ["inject", "--unwind", "-o", "/dev/null"],
    ["data", "convert", "--to-json", "/dev/null", "--force"],
)
EVENT_COMMANDS = {
    "sched": (
        ["sched", "latency"],
        ["sched", "latency", "-p", "-s", "max,pid"],
        ["sched", "map", "--compact"],
        ["sched", "map", "--task-name", "s", "--fuzzy-name"],
        ["sched", "timehist", "-MVw", "--state"],
        ["sched", "timehist", "-g", "-n", "-S"],
        ["sched", "timehist", "-I", "-s"],
        ["sched", "script"],
        ["timechart", "-o", "/dev/null"],
    ),
    "lock": (
        ["lock", "contention"],
        ["lock", "contention", "-t", "-v"],
        ["lock", "contention", "-l", "-x", ","],
        ["lock", "report"],
        ["lock", "report", "-t"],
        ["lock", "report", "-c"],
        ["lock", "info", "-t"],
        ["lock", "info", "-m"],
    ),
    "kmem": (
        ["kmem", "stat"],
        ["kmem", "stat", "--caller", "--alloc"],
        ["kmem", "stat", "--page", "--caller", "--alloc"],
        ["kmem", "stat", "--page", "--live", "-s", "order,hit"],
        ["kmem", "stat", "--slab", "--caller", "-s", "frag,hit", "--raw-ip"],
    ),
    "kwork": (
        ["kwork", "report", "-S"],
        ["kwork", "latency"],
        ["kwork", "timehist", "-g"],
        ["kwork", "top"],
    ),
    "timechart": (
        ["timechart", "-o", "/dev/null"],
        ["timechart", "-o", "/dev/null", "-T", "--highlight", "1000000"],
        ["timechart", "-o", "/dev/null", "-P", "-t"],
        ["timechart", "-o", "/dev/null", "--html"],
    ),
}
CPU_SECONDS = 20
UNLIMITED = "-u" in sys.argv
RESIDENT_MAX = (1 << 30) if UNLIMITED else (256 << 20)  # sanitizers do not reuse freed memory at once


def flip(rng, data, at):
    data[at] ^= 1 << rng.randrange(8)


def scribble(rng, data, at):
    data[at:at + 8] = rng.randbytes(min(8, len(data) - at))


def extreme(rng, data, at):
    size = rng.choice((1, 2, 4, 8))
    value = rng.choice((0, 1, (1 << (8 * size)) - 1, 1 << (8 * size - 1), (1 << (8 * size - 1)) - 1))
    data[at:at + size] = value.to_bytes(size, "little")[:len(data) - at]


def blank(rng, data, at):
    size = rng.randrange(1, 4096)
    data[at:at + size] = bytes(min(size, len(data) - at))


def cut(rng, data, at):
    del data[at:]


def remove(rng, data, at):
    del data[at:at + rng.randrange(1, 256)]


def insert(rng, data, at):
    data[at:at] = rng.randbytes(rng.randrange(1, 256))


DAMAGES = (flip, flip, scribble, extreme, extreme, blank, cut, remove, insert)


def data_section(data):
    """Returns offset and size of the records; a stream (header size 16) is all records."""
    if struct.unpack_from("<Q", data, 8)[0] == 16:
        return 16, len(data) - 16
    return struct.unpack_from("<QQ", data, 40)


def place(rng, data):
    """Chooses a place to damage: the header, the part after the data, or anywhere."""
    offset, size = data_section(data)
    kind = rng.randrange(5)
    if kind == 0:
        return rng.randrange(min(104, len(data)))
    if kind == 1:
        return rng.randrange(min(104, len(data) - 1), min(max(offset, 105), len(data)))
    if kind == 2 and offset + size < len(data):
        return rng.randrange(offset + size, len(data))
    return rng.randrange(len(data))


def limits():
    if not UNLIMITED:
        resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS + 1))


def run(argv, folder):
    """Returns status, output, messages and the largest resident memory of a program."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        p = subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=out, stderr=err, cwd=folder, preexec_fn=limits)
        _, status, usage = os.wait4(p.pid, 0)
        p.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        return p.returncode, out.read(), err.read(), usage.ru_maxrss << 10


def read(command, path, folder=None):
    """Returns the output, and what is wrong with the way the command ended ("" if nothing is)."""
    argv = ["perf"] + [path if word == PATH else word for word in command]
    if PATH not in command:
        argv += ["-f", "-i", path]
    status, out, err, resident = run(argv, folder)
    if status == -signal.SIGXCPU:
        return b"", f"still running after {CPU_SECONDS} s of CPU time"
    if status < 0:
        return out, f"killed by signal {-status}: {err[-300:]!r}"
    if status not in (0, 1):
        return out, f"status {status}: {err[-300:]!r}"
    if b"Sanitizer" in err or b"runtime error:" in err:
        return out, f"the sanitizers complain: {err[-300:]!r}"
    if status == 1 and not err:
        return out, "failed without a word"
    if resident > RESIDENT_MAX:
        return out, f"{resident >> 20} MB of memory"
    return out, ""


def check_cut(path, data):
    """Checks that a file cut in its data shows the remaining whole records, whatever follows."""
    offset, size = data_section(data)
    at = offset + size // 4 * 3
    with open(path, "wb") as f:
        f.write(data[:at])
    shown, wrong = read(["script", "-F", "ip,time"], path)
    return wrong or ("" if shown.count(b"\n") > 0 else "nothing is shown of three quarters of the data")


def main():
    p = argparse.ArgumentParser()
    p.add_argument("-n", type=int, default=400)
    p.add_argument("-s", type=int, default=1)
    p.add_argument("-k", default=None)
    p.add_argument("-u", action="store_true")
    p.add_argument("-e", action="store_true")
    p.add_argument("files", nargs="+")
    o = p.parse_args()
    rng = random.Random(o.s)
    originals = {f: open(f, "rb").read() for f in o.files}
    failures = 0

    with tempfile.TemporaryDirectory() as work:
        path = os.path.join(work, "perf.data")

        def judge(wrong, what):
            nonlocal failures
            if not wrong:
                return
            failures += 1
            print(f"FAILED: {what}: {wrong}")
            if o.k:
                os.makedirs(o.k, exist_ok=True)
                os.system(f"cp '{path}' '{o.k}/{failures}.data'")

        for name, original in originals.items():
            # A small recording is one block, and half a block contains nothing; only a small number of locks are
            # contended.
            if "packed" in name or o.e:
                continue
            judge(check_cut(path, original), f"{name} cut at three quarters")
        for i in range(o.n):
            name = rng.choice(o.files)
            data = bytearray(originals[name])
            done = []
            for _ in range(rng.choice((1, 1, 1, 2, 5))):
                if len(data) < 2:
                    break
                at = place(rng, data) if len(data) > 110 else rng.randrange(len(data))
                damage = rng.choice(DAMAGES)
                damage(rng, data, at)
                done.append(f"{damage.__name__}@{at:#x}")
            with open(path, "wb") as f:
                f.write(data)
            family = os.path.basename(name).partition(".")[0]
            command = rng.choice(EVENT_COMMANDS[family] if o.e else COMMANDS)
            judge(read(command, path)[1], f"{' '.join(command)} of {name} after {' '.join(done)}")

    print(f"{o.n} damaged files, {failures} failures")
    return failures > 0


if __name__ == "__main__":
    sys.exit(main())
