# SPDX-License-Identifier: MIT
"""Files of other profilers and stores that are made to cost too much; see hostile.py."""
import gzip
import json
import os
import random
import sqlite3

MESSAGE, NUMBER = 2, 0
LOW = bytes(1 + i % 127 for i in range(256))


def varint(n):
    out = bytearray()
    while n > 127:
        out.append(n & 127 | 128)
        n >>= 7
    out.append(n)
    return bytes(out)


def field(number, value):
    if isinstance(value, bytes):
        return varint(number << 3 | MESSAGE) + varint(len(value)) + value
    return varint(number << 3 | NUMBER) + varint(value)


def pprof(samples, locations, types=2, functions=1):
    """Makes a pprof profile. Locations are lists of functions."""
    type_ = field(1, 1) + field(2, 2)
    out = [field(1, type_) * types]
    out += [field(6, text) for text in (b"", b"cpu", b"count")]
    out += [field(5, field(1, i + 1) + field(2, 1)) for i in range(functions)]
    out += [field(4, field(1, i + 1) + b"".join(field(4, field(1, f)) for f in lines))
            for i, lines in enumerate(locations)]
    return b"".join(out + samples)


def pprof_frames(size):
    """A small number of bytes: each sample has a stack of locations that have many functions each."""
    return pprof([field(2, field(1, varint(1 + i % 20) * 20) + field(2, b"\1\1")) for i in range(20)],
                 [[1] * 30] * 20)


def pprof_deep(size):
    """Locations of many functions, in stacks that differ at the outer end."""
    return pprof([field(2, field(1, varint(1 + i % 100) + varint(1) * 50) + field(2, b"\1\1"))
                  for i in range(size // 70)], [[1] * 90] * 100)


def pprof_types(size):
    return pprof([field(2, field(2, b"\1" * (size // 100)))] * 50, [], types=size // 12)


def pprof_locations(size):
    return pprof([field(2, field(1, varint(i)) + field(2, b"\1\1")) for i in range(1, size // 32)],
                 [[]] * (size // 24))


def pprof_packed(size):
    return gzip.compress(pprof_locations(4 * size))


def pprof_tight(size):
    """Shrinks to a twentieth; unpacked, it costs as much as is allowed."""
    noise = random.Random(1)
    stacks = [field(2, field(1, noise.randbytes(12).translate(LOW)) + field(2, b"\1\1"))
              for _ in range(16)]
    return gzip.compress(pprof(noise.choices(stacks, k=size), [[1 + i] * 2 for i in range(127)], functions=127))


def folded_tight(size):
    """Shrinks well: commands that differ little."""
    return gzip.compress(b"".join(b"commandcommandcomm%d;f 1\n" % i for i in range(size // 4)))


def pprof_zeros(size):
    return gzip.compress(field(6, bytes(64 * size)))


def folded_commands(size):
    return b"".join(b"c%d;f 1\n" % i for i in range(size // 12))


def folded_deep(size):
    return b"".join(b"c;" + b"a;" * (8000 + i) + b"b%d 1\n" % i for i in range(size // 17000 + 1))


def folded_functions(size):
    return b"".join(b"c;f%d 1\n" % i for i in range(size // 12))


def firefox_chain(size):
    """Each stack calls the next, and each has a sample."""
    n = size // 24
    return json.dumps({"meta": {}, "threads": [{
        "samples": {"stack": list(range(n))}, "frameTable": {"func": [0]},
        "stackTable": {"prefix": [None] + list(range(n - 1)), "frame": [0] * n}}]}).encode()


def store(rows):
    """Makes a store with these (minute, stack, samples), and the stacks (id, parent)."""
    samples, stacks = rows
    if os.path.exists("made.db"):
        os.unlink("made.db")
    with sqlite3.connect("made.db") as db:
        db.executescript("""
CREATE TABLE perf_schema (version INTEGER); INSERT INTO perf_schema VALUES (1);
CREATE TABLE perf_image (id INTEGER PRIMARY KEY, build_id TEXT, name TEXT, is_kernel INTEGER);
CREATE TABLE perf_frame (id INTEGER PRIMARY KEY, image INTEGER, function TEXT, is_inlined INTEGER, address INTEGER);
CREATE TABLE perf_stack (id INTEGER PRIMARY KEY, parent INTEGER, frame INTEGER);
CREATE TABLE perf_source (id INTEGER PRIMARY KEY, host TEXT, service TEXT, container TEXT, comm TEXT, rollup INTEGER);
CREATE TABLE perf_event (id INTEGER PRIMARY KEY, name TEXT, is_time INTEGER);
CREATE TABLE perf_batch (id INTEGER PRIMARY KEY, minute INTEGER, host TEXT, rolled INTEGER);
CREATE TABLE perf_sample (minute, batch, source, event, stack, samples, period);
CREATE TABLE perf_hour (hour, source, event, stack, samples, period);
INSERT INTO perf_image VALUES (1, '', '/x', 0);
INSERT INTO perf_frame VALUES (1, 1, 'f', 0, 0);
INSERT INTO perf_source VALUES (1, 'h', '', '', 'c', 0);
INSERT INTO perf_event VALUES (1, 'cycles', 0);""")
        db.executemany("INSERT INTO perf_stack VALUES (?, ?, 1)", stacks)
        db.executemany("INSERT INTO perf_hour VALUES (?, 1, 1, ?, ?, 1)", samples)
    db.close()
    with open("made.db", "rb") as made:
        return made.read()


def store_chain(size):
    n = size // 40
    return store(([(3600, i, 1) for i in range(1, n)], [(i, i - 1) for i in range(1, n)]))


def store_hours(size):
    """Repeats one row."""
    return store([[(3600 * i, 1, 1) for i in range(size // 20)], [(1, 0)]])


def store_counts(size):
    return store([[(3600, 1, 2**63 - 1)] * 100, [(1, 0)]])


CASES = (pprof_frames, pprof_deep, pprof_types, pprof_locations, pprof_packed, pprof_tight, folded_tight, pprof_zeros, folded_commands, folded_deep,
         folded_functions, firefox_chain, store_chain, store_hours, store_counts)
