# SPDX-License-Identifier: MIT
"""Recordings with hardware traces that are made to cost too much; see hostile.py."""
import struct

SAMPLE_TYPE = 0x10087  # IP, TID, TIME, CPU, IDENTIFIER
PT, BTS, CORESIGHT, SPE = 1, 2, 3, 4
PMU = 8
HUGE = 1 << 62
AUX, ITRACE_START, SWITCH_CPU_WIDE, HW_ID = 11, 12, 15, 21


def words(*values):
    return struct.pack(f"<{len(values)}Q", *values)


def record(kind, body, misc=0):
    return struct.pack("<IHH", kind, misc, 8 + len(body)) + body


def of_kernel(kind, body, cpu=0, time=1, misc=0):
    return record(kind, body + struct.pack("<IIQIIQ", 7, 7, time, cpu, 0, 1), misc)


def info(kind, *values):
    return record(70, struct.pack("<II", kind, 0) + words(*values))


def trace(data, index=0, offset=0, tid=0xffffffff, cpu=0, size=None):
    size = len(data) if size is None else size
    return record(71, struct.pack("<QQQIIII", size, offset, 0, index, tid, cpu, 0)) + data


def file(data, config=1 << 14 | 1 << 28):
    """Makes a file with one event of the PMU, and @data."""
    attr = struct.pack("<IIQQQQQ", PMU, 128, config, 1, SAMPLE_TYPE, 0, 1 << 18) + bytes(80)
    ids = words(1)
    head = words(104, len(attr) + 16, 112, len(attr) + 16, 112 + len(attr) + 16, len(data), 0, 0, 1 << 6, 0, 0, 0)
    arch = struct.pack("<I8s", 8, b"aarch64")
    where = words(256 + len(data) + 16, len(arch))
    return b"PERFILE2" + head + ids + attr + words(104, 8) + data + where + arch


SPE_INFO = info(SPE, PMU, 1)
BTS_INFO = info(BTS, PMU, 10, 642, 0, 1, 0)
PT_INFO = info(PT, PMU, 10, 642, 0, 1, 0x400, 0x800, 3, 0, 1, 0x200, 0x3c000, 84, 2, 2, 34)


def unit(number, cpu=None):
    return (0x4040404040404040, number if cpu is None else cpu, 7, 0x840, number, 0x28000ea1, 0x4100f424, 0x20001088, 0, 0xcc)


def units(n):
    """Describes a CoreSight with @n trace units."""
    return info(CORESIGHT, 1, PMU << 32 | n, 0, *(w for i in range(n) for w in unit(1 + i)))


def spe_records(size):
    """The end of a record is one byte, and a record is a sample of each event."""
    body = bytes([0x52, 0xff, 0x07]) + bytes([0x49, 0x00]) + bytes([0x01])
    return file(SPE_INFO + trace(body * (size // len(body))))


def spe_bad(size):
    return file(SPE_INFO + trace(bytes([0x01]) + b"\xff" * size))


def spe_queues(size):
    """Many CPUs, each with one byte."""
    return file(SPE_INFO + b"".join(trace(bytes(7) + b"\1", i, cpu=i) for i in range(size // 56)))


def spe_cpus(size):
    """As many CPUs as the information can describe, and as many queues as fit."""
    cpus = [w for i in range(1600) for w in (0x1010101010101010, i, 2, 0x410fd0c0, 0)]
    return file(info(SPE, 1, 4, PMU, 1600, *cpus)
                + b"".join(trace(bytes(7) + b"\1", i, cpu=70000 + i) for i in range(size // 56)))


def spe_lies(size):
    """Traces claim to be larger than the file."""
    return file(SPE_INFO + trace(b"\1" * size, size=HUGE))


def spe_offsets(size):
    return file(SPE_INFO + b"".join(trace(b"\1" * 8, offset=HUGE - i) for i in range(size // 56)))


def spe_switches(size):
    """Traces of CPUs with high numbers, the last first."""
    switches = [of_kernel(SWITCH_CPU_WIDE, struct.pack("<II", 7, 7), 65535 - i % 65536, size - i)
                for i in range(size // 2 // 48)]
    return file(SPE_INFO + b"".join(switches) + trace(bytes([0x49, 0, 1]) * (size // 6)))


def infos(size):
    """Repeats the information, with all kinds of traces."""
    return file(b"".join(info(kind, *[PMU] * 18) for kind in (SPE, BTS, CORESIGHT, PT)) * (size // 640)
                + trace(b"\1" * 100))


def bts_branches(size):
    return file(BTS_INFO + trace(words(0x401000, 0x401020, 0) * (size // 24)))


def bts_queues(size):
    return file(BTS_INFO + b"".join(trace(words(1, 2, 0), i, cpu=i) for i in range(size // 72)))


def pt_packets(size):
    """The shortest packets, each with six branches."""
    return file(PT_INFO + trace(bytes([2, 0x82]) * 8 + b"\xaa" * size))


def cs_units(size):
    """Many units, and many queues that may contain all of them."""
    return file(units(100) + b"".join(trace(bytes(8), i, cpu=i) for i in range(size // 56)))


def cs_ids(size):
    """Many units, many ids of them and many queues."""
    ids = [of_kernel(HW_ID, words(1), 1000 + i) for i in range(size // 2 // 48)]
    return file(units(100) + b"".join(ids) + b"".join(trace(bytes(8), i, cpu=i) for i in range(size // 2 // 56)))


def cs_writes(size):
    """Many writes, none to an existing queue, and many queues."""
    writes = [of_kernel(AUX, words(0, 8, 0), 1 << 20) for i in range(size // 2 // 64)]
    return file(units(1) + b"".join(writes) + b"".join(trace(bytes(8), i, cpu=i) for i in range(size // 2 // 56)))


def cs_pieces(size):
    """Many writes to one queue with many pieces."""
    writes = [of_kernel(AUX, words(8 * i, 8, 0)) for i in range(size // 2 // 64)]
    return file(units(1) + b"".join(writes) + b"".join(trace(bytes(8), offset=8 * i) for i in range(size // 2 // 56)))


def cs_no_writes(size):
    """Many writes, of snapshots, and many pieces."""
    writes = [of_kernel(AUX, words(0, 8, 2)) for i in range(size // 2 // 64)]
    return file(units(1) + b"".join(writes) + b"".join(trace(bytes(8)) for i in range(size // 2 // 56)))


def frames(size):
    """Frames of unit 16: an address, and a byte for every three branches."""
    start = bytes(11) + b"\x80\x01\x01\x00\x04\x9d\x35\x00" + struct.pack("<Q", 0x4000d4)[2:]
    body, out = start + b"\xff" * size, b""
    for i in range(0, size - 14, 14):
        part, low = list(body[i:i + 14]), 0
        f = [0x10 << 1 | 1] + part
        for k in range(2, 15, 2):
            low |= (f[k] & 1) << k // 2
            f[k] &= 0xfe
        out += bytes(f + [low])
    return out


def cs_atoms(size):
    out = frames(size)
    return file(units(0x10) + of_kernel(AUX, words(0, len(out), 0)) + trace(out))


def cs_overlaps(size):
    """Many writes, each of the whole trace."""
    out = frames(size // 2)
    writes = [of_kernel(AUX, words(0, len(out), 0)) for i in range(size // 2 // 64)]
    return file(units(0x10) + b"".join(writes) + trace(out))


def cs_stretches(size):
    """Many units, and many short stretches that may contain all of them."""
    writes = [of_kernel(AUX, words(8 * i, 8, 0)) for i in range(size // 80)]
    return file(units(100) + b"".join(writes) + trace(bytes(8 * len(writes))))


def cs_raw(size):
    """Stretches with a single unit, which differs from the one before."""
    raw = [of_kernel(AUX, words(8 * (i // 100), 8, 0x100), 1 + i % 100) for i in range(size // 2 // 64)]
    pieces = [trace(bytes(8), i % 100, 8 * (i // 100), cpu=1 + i % 100) for i in range(len(raw))]
    return file(units(100) + b"".join(raw) + b"".join(pieces))


CASES = (spe_records, spe_bad, spe_queues, spe_cpus, spe_lies, spe_offsets, spe_switches, infos, bts_branches,
         bts_queues, pt_packets, cs_units, cs_ids, cs_writes, cs_pieces, cs_no_writes, cs_atoms, cs_overlaps,
         cs_stretches, cs_raw)
