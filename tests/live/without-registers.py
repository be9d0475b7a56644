#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
Copies a recording without the users' registers of its samples, and without samples that cannot be compared: those whose
times (in ns) are on the standard input, and those with a word in their stack that is not an address.

    without-registers.py IN OUT

On aarch64 `record -g` samples the link register, from which readers add the caller of a leaf; Linux's perf 6.1 does so
in places where there is none (docs/differences/stacks.md). Without the register, stacks can be compared, except those
with a call that never returns, which must be left out.

On x86_64 programs without frame pointers keep other values in that register, and the kernel takes whatever it finds
there for a return address. If that is a number like -1, which cannot be an address, perf 6.1 shows nothing of the
stack, not even the sampled address (docs/differences/stacks.md). It also takes the larger one of two numbers for the
smaller one if they are more than 2**63 apart, so that its rows have no order (docs/differences/report.md).
"""
import struct
import sys

IP, TID, TIME, ADDR, READ, CALLCHAIN, ID, CPU, PERIOD, STREAM, RAW, BRANCH, REGS_USER = (1 << n for n in range(13))
IDENTIFIER = 1 << 16
SAMPLE, TRACING_DATA = 9, 66
HEADER_SIZE, ATTR_USER_REGS = 104, 80
FAR = range(2**62, 2**64 - 2**62)  # values more than 2**63 from some addresses
MARKERS = {2**64 - n for n in (32, 128, 512, 2048, 2176, 2560)}  # PERF_CONTEXT_*, of the hypervisor to a guest's user
FIRST_MARKER = 2**64 - 4095


def word(data, at):
    return struct.unpack_from("<Q", data, at)[0]


class Attr:
    """An event: the contents of its samples, by the layout of struct perf_event_attr."""

    def __init__(self, data, at, size):
        self.at, self.sample_type, self.read_format = at, word(data, at + 24), word(data, at + 32)
        self.regs = word(data, at + ATTR_USER_REGS)
        ids_at, ids_size = struct.unpack_from("<QQ", data, at + size - 16)
        self.ids = [word(data, ids_at + i) for i in range(0, ids_size, 8)]

    def size_of(self, bits):
        return 8 * bin(self.sample_type & bits).count("1")

    def id_of(self, record):
        if self.sample_type & IDENTIFIER:
            return word(record, 8)
        return word(record, 8 + self.size_of(IP | TID | TIME | ADDR))

    def read_size(self, record, at):
        times = bin(self.read_format & 3).count("1")
        value = 1 + bin(self.read_format & (4 | 16)).count("1")
        return 8 * (1 + times + word(record, at) * value if self.read_format & 8 else times + value)

    def time_of(self, record):
        return word(record, 8 + self.size_of(IDENTIFIER | IP | TID)) if self.sample_type & TIME else None

    def chain_at(self, record):
        at = 8 + self.size_of(IDENTIFIER | IP | TID | TIME | ADDR | ID | STREAM | CPU | PERIOD)
        return at + self.read_size(record, at) if self.sample_type & READ else at

    def has_no_address(self, record):
        """True if the stack has a word that neither can be an address nor marks the kind of the next ones."""
        if not self.sample_type & CALLCHAIN:
            return False
        at = self.chain_at(record)
        stack = struct.unpack_from("<%dQ" % word(record, at), record, at + 8)
        return any(ip in FAR or (ip >= FIRST_MARKER and ip not in MARKERS) for ip in stack)

    def without_registers(self, record):
        if not self.sample_type & REGS_USER:
            return record
        if self.sample_type & BRANCH:
            sys.exit("without-registers.py: branches are not understood")
        at = self.chain_at(record)
        if self.sample_type & CALLCHAIN:
            at += 8 + 8 * word(record, at)
        if self.sample_type & RAW:
            at += 4 + struct.unpack_from("<I", record, at)[0]
        size = 8 + (8 * bin(self.regs).count("1") if word(record, at) else 0)
        kind, misc, _ = struct.unpack_from("<IHH", record)
        return struct.pack("<IHH", kind, misc, len(record) - size) + record[8:at] + record[at + size:]


def records(data, at, end):
    """Yields each record, with the data that follows it."""
    while at < end:
        kind, _, size = struct.unpack_from("<IHH", data, at)
        if kind == TRACING_DATA:
            size += (struct.unpack_from("<I", data, at + 8)[0] + 7) & ~7
        yield kind, data[at:at + size]
        at += size


def main(source, target):
    data = open(source, "rb").read()
    attr_size, attrs_at, attrs_size, data_at, data_size = struct.unpack_from("<5Q", data, 16)
    attrs = [Attr(data, at, attr_size) for at in range(attrs_at, attrs_at + attrs_size, attr_size)]
    by_id = {i: a for a in attrs for i in a.ids}
    start = bytearray(data[:data_at])
    for a in attrs:
        struct.pack_into("<Q", start, a.at + 24, a.sample_type & ~REGS_USER)
        struct.pack_into("<Q", start, a.at + ATTR_USER_REGS, 0)
    body = bytearray()
    left_out = {int(line) for line in sys.stdin}
    for kind, record in records(data, data_at, data_at + data_size):
        if kind == SAMPLE:
            owner = attrs[0] if len(attrs) == 1 else by_id[attrs[0].id_of(record)]
            if owner.time_of(record) in left_out or owner.has_no_address(record):
                continue
            record = owner.without_registers(record)
        body += record
    struct.pack_into("<Q", start, 48, len(body))
    rest = bytearray(data[data_at + data_size:])
    features = sum(bin(word(data, 72 + 8 * i)).count("1") for i in range(4))
    for i in range(features):
        at = word(rest, 16 * i)
        if at >= data_at + data_size:  # records needed for names may precede the samples
            struct.pack_into("<Q", rest, 16 * i, at + len(body) - data_size)
    with open(target, "wb") as out:
        out.write(start + body + rest)


main(*sys.argv[1:])
