#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
Makes recordings whose tables claim more than they have, and reads them: resident memory stays below 64 MB and 64 times
the size of the file, whatever the file claims.

    hostile.py [-u] [NAME...]

-u: for sanitizers: without the limit on memory, and with files a quarter as large.

Data without a known end (compressed data, a stream) is held only in a window: the 64 MB are for it, too. The limit on
processor time ends runaway processes.
"""
import ctypes
import os
import random
import resource
import struct
import sys

import hostile_foreign
import hostile_traces

SIZE = 1 << 18 if "-u" in sys.argv else 1 << 20  # approximate size of each file
FLOOR, PER_BYTE = 64 << 20, 64
CPU_SECONDS = 60
COMMANDS = (
    ["report", "--stdio"],
    ["heatmap", "--samples"],
    ["heatmap", "--pair", "*,*"],
    ["script"],
    ["script", "-D"],
    ["report", "--header-only"],
    ["evlist", "-v"],
    ["buildid-list"],
    ["annotate", "--stdio"],
)
FOREIGN = (["report", "--stdio"], ["flamegraph", "-o", "/dev/null"], ["script", "-F", "comm,period"])
TRACES = (["report", "--stdio"], ["report", "--stdio", "--itrace=i1ige"], ["script", "--itrace=i1ibgleftmaMp"],
          ["script", "-D"], ["report", "-D"])
IP, TID, TIME, CHAIN, PERIOD, RAW, IDENTIFIER = 1, 2, 4, 0x20, 0x100, 0x400, 0x10000
PLAIN = IP | TID | TIME | PERIOD
NOISE = random.Random(1)


def attr(sample_type=PLAIN, kind=1, config=0, size=128):
    head = struct.pack("<IIQQQQQ", kind, size, config, 1000, sample_type, 0, 1 << 18)
    return head + bytes(size - len(head))


def record(kind, body, misc=0):
    return struct.pack("<IHH", kind, misc, 8 + len(body)) + body


def sample(ip, time, pid=7):
    return record(9, struct.pack("<QIIQQ", ip, pid, pid, time, 1), 2)


def comm(time=1, pid=7):
    return record(3, struct.pack("<II8sIIQ", pid, pid, b"prog", pid, pid, time))


def mmap2(time, addr, length, name):
    name += bytes(8 - len(name) % 8)
    return record(10, struct.pack("<IIQQQIIQQII", 7, 7, addr, length, 0, 0, 0, 0, 0, 5, 2) + name +
                  struct.pack("<IIQ", 7, 7, time), 2)


def fork(time, pid, parent):
    return record(7, struct.pack("<IIIIQIIQ", pid, parent, pid, parent, time, pid, pid, time))


def text(s):
    return struct.pack("<I", len(s) + 1) + s + b"\0"


FEW = comm() + b"".join(sample(0x1000 + i, 10 + i) for i in range(100))


def file(events, data, features=None, behind=b""):
    """Makes a file. events: (attr, offset of its ids, their size); a feature is bytes, or (offset, size)."""
    features = {3: text(b"host"), **(features or {})}
    entry = len(events[0][0]) + 16
    attrs = b"".join(a + struct.pack("<QQ", *where) for a, *where in events)
    bits = [0] * 4
    for f in features:
        bits[f // 64] |= 1 << f % 64
    at = 104 + len(attrs) + len(behind)
    out = b"PERFILE2" + struct.pack("<12Q", 104, entry, 104, len(attrs), at, len(data), 0, 0, *bits)
    out += attrs + behind + data
    slots, payloads = b"", b""
    for f in sorted(features):
        where = features[f]
        if isinstance(where, bytes):
            payloads += where
            where = (len(out) + 16 * len(features) + len(payloads) - len(where), len(where))
        slots += struct.pack("<QQ", *where)
    return out + slots + payloads


def one(data=FEW, features=None, sample_type=PLAIN, **rest):
    return file([(attr(sample_type), 0, 0)], data, features, **rest)


def stream(*records):
    return b"PERFILE2" + struct.pack("<Q", 16) + b"".join(records)


def zstd(data):
    lib = ctypes.CDLL("libzstd.so.1")
    lib.ZSTD_compressBound.restype = lib.ZSTD_compress.restype = ctypes.c_size_t
    lib.ZSTD_compressBound.argtypes = [ctypes.c_size_t]
    lib.ZSTD_compress.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_char_p,
                                  ctypes.c_size_t, ctypes.c_int]
    room = ctypes.create_string_buffer(lib.ZSTD_compressBound(len(data)))
    n = lib.ZSTD_compress(room, len(room), data, len(data), 3)
    return b"".join(record(81, room.raw[i:min(i + 65000, n)]) for i in range(0, n, 65000))


def tracepoint(n_events, fmt):
    fmt = (b"name: x\nID: 5\nformat:\n\tfield:unsigned short common_type;\toffset:0;\tsize:2;\t"
           b"signed:0;\n\n\tfield:int a;\toffset:8;\tsize:4;\tsigned:1;\n\nprint fmt: " + fmt + b"\n")
    blob = (b"\x17\x08Dtracing0.6\0\0\x08" + struct.pack("<I", 4096) + b"header_page\0" + bytes(8) +
            b"header_event\0" + bytes(8) + struct.pack("<II", 0, 1) + b"sched\0" +
            struct.pack("<IQ", 1, len(fmt)) + fmt + bytes(16))
    event = (attr(PLAIN | RAW, 2, 5), 0, 0)
    return file([event] * n_events, comm(), {1: blob})


def ids_overlap():
    """Every event has the whole file as its ids."""
    event = (attr(PLAIN | IDENTIFIER), 0, SIZE // 2)
    return file([event] * (SIZE // 2 // 144), FEW, behind=NOISE.randbytes(SIZE // 2))


def unknown_features_overlap():
    """Each of 223 features is the whole file."""
    return one(features={f: (0, SIZE) for f in range(33, 256)}, behind=bytes(SIZE))


def lists_overlap():
    """Ten features are the same long list of empty texts."""
    n = SIZE // 40
    lists = {f: (248, 4 + SIZE) for f in (11, 14, 16, 17, 20, 25, 26, 28, 30, 31)}
    return one(features=lists, behind=struct.pack("<I", n) + bytes(SIZE))


def empty_texts():
    return one(features={11: struct.pack("<I", SIZE // 4) + bytes(SIZE)})


def empty_capabilities():
    return one(features={31: struct.pack("<I", SIZE // 8) + bytes(SIZE)})


def many_events():
    return file([(attr(config=i, size=64), 0, 0) for i in range(SIZE // 80)], FEW)


def many_descriptions():
    desc = attr(size=64) + struct.pack("<I", 0) + text(b"name")
    n = SIZE // len(desc)
    return one(features={12: struct.pack("<II", n, 64) + n * desc})


def groups_overlap():
    n = SIZE // 2 // 144
    groups = [text(b"") + struct.pack("<II", i % n, n - i % n) for i in range(SIZE // 2 // 13)]
    return file([(attr(config=i), 0, 0) for i in range(n)], FEW,
                {17: struct.pack("<I", len(groups)) + b"".join(groups)})


def event_types():
    """Many events, and many records that name them all."""
    name = record(65, struct.pack("<Q64s", 0, b"name"))
    return stream(record(64, attr(size=64)) * (SIZE // 2 // 72), name * (SIZE // 2 // len(name)), FEW)


def descriptions_again():
    """Many events, and many features that describe the first of them."""
    desc = struct.pack("<II", 1, 64) + attr(size=64) + struct.pack("<I", 0) + text(b"name123")
    feature = record(80, struct.pack("<Q", 12) + desc + bytes(-len(desc) % 8))
    return stream(record(64, attr(size=64)) * (SIZE // 2 // 72), feature * (SIZE // 2 // len(feature)),
                  FEW)


def endless_trace():
    """Trace data claims that 4 EB follow it."""
    return stream(record(64, attr()), FEW, record(71, struct.pack("<QQQIIII", 1 << 62, *[0] * 6)),
                  bytes(64 * SIZE))


def endless_tracing_data():
    return stream(record(64, attr()), FEW, record(66, struct.pack("<II", 0xffffffff, 0)), bytes(SIZE))


def same_tracepoint():
    """Many events of a tracepoint with a long format."""
    return tracepoint(SIZE // 2 // 144, b'"' + b"%d" * (SIZE // 8) + b'"' + b",1" * (SIZE // 8))


def long_expression():
    return tracepoint(1, b'"%d", ' + b"1+" * (SIZE // 2) + b"1")


def backwards():
    """Every record is older than the previous one, and no round ends."""
    return one(b"".join(record(9, struct.pack("<QQ", 1, SIZE - i)) for i in range(SIZE // 24)),
               sample_type=IP | TIME)


def distinct_addresses():
    return one(b"".join(record(9, NOISE.randbytes(8), 2) for _ in range(SIZE // 16)), sample_type=IP)


def distinct_chains():
    return one(b"".join(record(9, struct.pack("<QQ", 1, 1000) + NOISE.randbytes(8000), 2)
                        for _ in range(SIZE // 8024)), sample_type=IP | CHAIN)


def maps_and_forks():
    maps = b"".join(mmap2(2 + i, NOISE.randrange(1 << 20) << 12, NOISE.randrange(1, 1 << 19) << 12,
                          b"/x%d" % i) for i in range(SIZE // 3 // 112))
    forks = b"".join(fork(SIZE + i, 100 + i, 99 + i if i else 7) + sample(0x5000, SIZE + i, 100 + i)
                     for i in range(SIZE // 2 // 88))
    return one(comm() + maps + forks)


def bomb():
    """128 MB of samples without a round in 12 KB."""
    return one(comm() + zstd(sample(0x1000, 10) * ((128 << 20) // 40)),
               {27: struct.pack("<5I", 1, 1, 1, 100, 1 << 20)})


def colliding_ids():
    """Ids with the same place in a hash that multiplies by 2^64 / phi."""
    inverse = pow(0x9e3779b97f4a7c15, -1, 1 << 64)
    n = SIZE // 4
    ids = [((i << 32 | i ^ 0x12345678) * inverse) % (1 << 64) for i in range(n)]
    return file([(attr(PLAIN | IDENTIFIER), 248, 8 * n)], FEW, behind=struct.pack(f"<{n}Q", *ids))


WINDOWED = (bomb, endless_trace)
CASES = (ids_overlap, unknown_features_overlap, lists_overlap, empty_texts, empty_capabilities,
         many_events, many_descriptions, groups_overlap, event_types, descriptions_again,
         endless_trace, endless_tracing_data, same_tracepoint, long_expression, backwards,
         distinct_addresses, distinct_chains, maps_and_forks, colliding_ids, bomb)


def run(command, path, piped):
    """Returns the status and the resident memory in bytes of a command that reads @path."""
    name = "-" if piped else path
    pid = os.fork()
    if pid == 0:
        resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
        os.dup2(os.open(path if piped else "/dev/null", os.O_RDONLY), 0)
        if piped:
            r, w = os.pipe()
            if os.fork() == 0:
                os.dup2(w, 1)
                os.dup2(os.open("/dev/null", os.O_WRONLY), 2)
                os.execvp("cat", ["cat"])
            os.dup2(r, 0)
            os.close(r)
            os.close(w)
        null = os.open("/dev/null", os.O_WRONLY)
        os.dup2(null, 1)
        os.dup2(null, 2)
        os.execvp("perf", ["perf", *command, "-i", name])
    _, status, usage = os.wait4(pid, 0)
    return os.waitstatus_to_exitcode(status), usage.ru_maxrss << 10


def check(case, limited):
    """Returns what is wrong with reading the file that @case makes, one line each."""
    path = f"{case.__name__}.data"
    is_foreign = case in hostile_foreign.CASES
    is_traced = case in hostile_traces.CASES
    data = case(SIZE) if is_foreign or is_traced else case()
    with open(path, "wb") as f:
        f.write(data)
    commands = FOREIGN if is_foreign else TRACES if is_traced else COMMANDS[:2] if case in WINDOWED else COMMANDS
    limit = FLOOR + (0 if case in WINDOWED else PER_BYTE * min(len(data), 2 * SIZE))
    is_stream = data[8:16] == struct.pack("<Q", 16)
    data_is_store = data[:6] == b"SQLite"
    del data  # the child's memory begins with ours
    for command in commands:
        for piped in (False, True) if is_stream else (False,):
            if case is endless_trace and not piped:
                continue  # a file is mapped, and the kernel decides what stays in memory
            status, resident = run(command, f"sqlite:{path}" if data_is_store else path, piped)
            how = f"{case.__name__}: perf {' '.join(command)}{' from a pipe' if piped else ''}"
            if status not in (0, 1, 255):
                yield f"{how}: status {status}"
            if limited and resident > limit:
                yield f"{how}: {resident >> 20} MB, at most {limit >> 20} expected"
    os.unlink(path)


def main():
    names = sys.argv[1:]
    limited = "-u" not in names
    names = [n for n in names if n != "-u"]
    wrong = 0
    for case in CASES + hostile_foreign.CASES + hostile_traces.CASES:
        if names and case.__name__ not in names:
            continue
        try:
            for line in check(case, limited):
                print(line)
                wrong += 1
        except OSError as e:
            if case is not bomb:
                raise
            print(f"{case.__name__}: left out: {e}")
    return 1 if wrong else 0


sys.exit(main())
