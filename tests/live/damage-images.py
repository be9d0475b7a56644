#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
Damages the files that names come from (programs, debug files, jitdumps, perf maps) and reads recordings that need them:
no crash, no hang, no runaway memory.

    damage-images.py [-n COUNT] [-s SEED] [-k DIR] [-u] ROOT RECORDING IMAGE...

ROOT is a --symfs tree; each IMAGE lies in it, and RECORDING has samples in all of them. Makes COUNT damaged copies of
the IMAGEs, the same for the same SEED. Each is read by one of the commands that name functions, in 4 GiB of address
space (unless -u). Copies that fail are kept in DIR.
"""
import argparse
import os
import random
import shutil
import struct
import sys

import damage

COMMANDS = (
    ["script", "-F", "ip,sym,symoff,dso"],
    ["script", "-F", "ip,sym", "--no-demangle"],
    ["report", "--stdio"],
    ["report", "--stdio", "-v", "-s", "dso,sym"],
    ["script"],
    ["script", "-F", "+srcline"],
    ["report", "--stdio", "--no-children", "-s", "srcline,srcfile,sym"],
    ["report", "--stdio", "-g", "caller", "--inline"],
    ["annotate", "--stdio"],
    ["annotate", "--stdio", "-l", "--asm-raw"],
    ["annotate", "--stdio2"],
)


def section_table(data):
    """Returns offset, entry size and count of the section headers of a 64-bit ELF file."""
    if len(data) < 64 or data[:5] != b"\x7fELF\x02":
        return 0, 0, 0
    offset, = struct.unpack_from("<Q", data, 40)
    size, count = struct.unpack_from("<HH", data, 58)
    return (offset, size, count) if size >= 64 and offset + size * count <= len(data) else (0, 0, 0)


def place(rng, data):
    """Chooses a place to damage: the header, the section headers, the tables they point to, or anywhere."""
    offset, size, count = section_table(data)
    kind = rng.randrange(5)
    if kind == 0 or not count:
        return rng.randrange(min(rng.choice((64, 512, len(data))), len(data)))
    if kind < 3:
        return offset + rng.randrange(size * count)
    if kind == 3:
        at, length = struct.unpack_from("<QQ", data, offset + size * rng.randrange(count) + 24)
        if length and at + length <= len(data):
            return at + rng.randrange(length)
    return rng.randrange(len(data))


def main():
    p = argparse.ArgumentParser()
    p.add_argument("-n", type=int, default=300)
    p.add_argument("-s", type=int, default=1)
    p.add_argument("-k", default=None)
    p.add_argument("-u", action="store_true")
    p.add_argument("root")
    p.add_argument("recording")
    p.add_argument("images", nargs="+")
    o = p.parse_args()
    rng = random.Random(o.s)
    originals = {f: open(f, "rb").read() for f in o.images}
    failures = 0

    for _ in range(o.n):
        name = rng.choice(o.images)
        data = bytearray(originals[name])
        done = []
        for _ in range(rng.choice((1, 1, 2, 5, 20))):
            if not data:
                break
            at = place(rng, data)
            how = rng.choice(damage.DAMAGES)
            how(rng, data, at)
            done.append(f"{how.__name__}@{at:#x}")
        with open(name, "wb") as f:
            f.write(data)
        command = rng.choice(COMMANDS)
        wrong = damage.read(command + ["--symfs", o.root], o.recording)[1]
        if wrong:
            failures += 1
            print(f"FAILED: {' '.join(command)} with {name} after {' '.join(done)}: {wrong}")
            if o.k:
                os.makedirs(o.k, exist_ok=True)
                shutil.copy(name, os.path.join(o.k, str(failures)))
        with open(name, "wb") as f:
            f.write(originals[name])

    print(f"{o.n} damaged images, {failures} failures")
    return failures > 0


if __name__ == "__main__":
    sys.exit(main())
