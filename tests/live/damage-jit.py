#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
Damages the files that JIT compilers write (jit-PID.dump, perf-PID.map) and reads recordings that need them: no crash,
no hang, no runaway memory.

    damage-jit.py [-n COUNT] [-b BATCH] [-s SEED] [-k DIR] [-u] FILE...

FILEs are good dumps (*.dump) and maps (others). Makes COUNT damaged copies of them, the same for the same SEED. A
recording has BATCH processes, each with a damaged file of its own and with samples in the code that the good one
describes; report, script, annotate and inject read it, in 4 GiB of address space (unless -u). The files of a batch that
fails are kept in DIR.
"""
import argparse
import os
import platform
import random
import shutil
import struct
import sys
import tempfile

import damage

COMMANDS = (
    ["script"],
    ["script", "-F", "ip,sym,symoff,dso,srcline"],
    ["report", "--stdio", "-s", "dso,sym", "-g", "caller,0"],
    ["annotate", "--stdio"],
    ["inject", "-j", "-o", "/dev/null"],
)
FIRST_PID = 5000000  # beyond the kernel's largest PID
COMM, SAMPLE, MMAP = 3, 9, 1
MISC_USER = 2
ARM = platform.machine() == "aarch64"
REGISTERS = (1 << 33) - 1 if ARM else 0xff0fff
SP, PC = (31, 32) if ARM else (7, 8)
STACK = 0x7fff00000000
STACK_SIZE = 512
HEADER_SIZE = 104
ATTR_SIZE = 136
# IP, TID, TIME, CALLCHAIN, REGS_USER, STACK_USER
SAMPLE_TYPE = 1 | 2 | 4 | 1 << 5 | 1 << 12 | 1 << 13


def attr():
    """Returns the attr of cpu-clock with the clock of dumps, and all that unwinding needs."""
    flags = 1 << 8 | 1 << 9 | 1 << 13 | 1 << 18 | 1 << 25  # mmap, comm, task, id of all, clock
    a = struct.pack("<IIQQQQQIIQQQQIi", 1, ATTR_SIZE, 0, 1000, SAMPLE_TYPE, 0, flags, 0, 0, 0, 0, 0,
                    REGISTERS, STACK_SIZE, 1)
    return a.ljust(ATTR_SIZE, b"\0")


def record(kind, misc, body):
    body += bytes(-len(body) % 8)
    return struct.pack("<IHH", kind, misc, 8 + len(body)) + body


def identity(pid, time):
    return struct.pack("<IIQ", pid, pid, time)


def text(s):
    b = s.encode() + b"\0"
    return b + bytes(-len(b) % 8)


def mapped(pid, addr, size, path):
    return record(MMAP, MISC_USER, struct.pack("<IIQQQ", pid, pid, addr, size, 0) + text(path) +
                  identity(pid, 1))


def sample(rng, pid, ip, time):
    values = [rng.choice((0, ip, STACK + rng.randrange(STACK_SIZE)))
              for _ in range(bin(REGISTERS).count("1"))]
    values[SP], values[PC] = STACK, ip
    words = [rng.choice((0, ip, ip + 8, STACK + 16, rng.getrandbits(64))) for _ in range(STACK_SIZE // 8)]
    body = struct.pack("<QIIQ", ip, pid, pid, time) + struct.pack("<QQQ", 2, (1 << 64) - 512, ip)
    body += struct.pack(f"<Q{len(values)}Q", 2, *values)
    body += struct.pack(f"<Q{len(words)}QQ", STACK_SIZE, *words, STACK_SIZE)
    return record(SAMPLE, MISC_USER, body)


def code_of_dump(data):
    """Returns addresses and times of the first functions of a good dump."""
    at, found = struct.unpack_from("<I", data, 8)[0], []
    while at + 56 <= len(data) and len(found) < 8:
        kind, size, time = struct.unpack_from("<IIQ", data, at)
        if kind == 0:
            found.append((struct.unpack_from("<Q", data, at + 32)[0], time))
        at += max(size, 16)
    return found


def code_of_map(data):
    lines = [line.split() for line in data.decode(errors="replace").splitlines()[:8]]
    return [(int(line[0], 16), 1) for line in lines if len(line) > 2]


class Batch:
    """Damaged files in @folder and a recording that needs them."""

    def __init__(self, rng, folder):
        self.rng, self.folder = rng, folder
        self.records, self.files = [], []

    def add(self, name, original):
        pid = FIRST_PID + len(self.files)
        is_dump = name.endswith(".dump")
        path = os.path.join(self.folder, f"jit-{pid}.dump") if is_dump else f"/tmp/perf-{pid}.map"
        data = bytearray(original)
        if is_dump:
            struct.pack_into("<I", data, 20, pid)
        for _ in range(self.rng.choice((1, 1, 2, 5, 20))):
            if not data:
                break
            at = self.rng.randrange(min(self.rng.choice((64, 512, len(data))), len(data)))
            self.rng.choice(damage.DAMAGES)(self.rng, data, at)
        if is_dump and len(data) >= 24 and self.rng.randrange(8):
            struct.pack_into("<I", data, 20, pid)  # otherwise the whole dump would be rejected
        with open(path, "wb") as f:
            f.write(data)
        self.files.append(path)
        self.records.append(record(COMM, 0, struct.pack("<II", pid, pid) + text("jit") + identity(pid, 1)))
        self.records.append(mapped(pid, 0x10000, 0x1000, path if is_dump else "/bin/true"))
        for addr, time in (code_of_dump if is_dump else code_of_map)(original):
            self.records.append(mapped(pid, addr & ~0xfff, 0x2000, "//anon"))
            for _ in range(2):
                self.records.append(sample(self.rng, pid, addr + self.rng.randrange(16),
                                           time + self.rng.randrange(1000)))

    def write(self, path):
        data = b"".join(self.records)
        start = HEADER_SIZE + ATTR_SIZE + 16
        header = struct.pack("<8sQQQQQQ", b"PERFILE2", HEADER_SIZE, ATTR_SIZE + 16, HEADER_SIZE,
                             ATTR_SIZE + 16, start, len(data)) + bytes(16)
        with open(path, "wb") as f:
            f.write(header.ljust(HEADER_SIZE, b"\0") + attr() + bytes(16) + data)

    def remove(self):
        for path in self.files:
            if os.path.exists(path):
                os.unlink(path)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("-n", type=int, default=300)
    p.add_argument("-b", type=int, default=100)
    p.add_argument("-s", type=int, default=1)
    p.add_argument("-k", default=None)
    p.add_argument("-u", action="store_true")
    p.add_argument("files", nargs="+")
    o = p.parse_args()
    rng = random.Random(o.s)
    originals = {f: open(f, "rb").read() for f in o.files}
    failures = named = done = 0

    while done < o.n:
        with tempfile.TemporaryDirectory() as folder:
            batch = Batch(rng, folder)
            for _ in range(min(o.b, o.n - done)):
                name = rng.choice(o.files)
                batch.add(name, originals[name])
            done += len(batch.files)
            path = os.path.join(folder, "perf.data")
            batch.write(path)
            for command in COMMANDS:
                shown, wrong = damage.read(command, path)
                named += command == ["script"] and shown.count(b"+0x")
                if not wrong:
                    continue
                failures += 1
                print(f"FAILED: {' '.join(command)} with files {done - len(batch.files)} to {done}: {wrong}")
                if o.k:
                    kept = os.path.join(o.k, str(failures))
                    shutil.copytree(folder, kept)
                    for f in batch.files:
                        shutil.copy(f, kept)
            batch.remove()

    print(f"{done} damaged files, {failures} failures, {named} names all the same")
    return failures > 0 or not named


if __name__ == "__main__":
    sys.exit(main())
