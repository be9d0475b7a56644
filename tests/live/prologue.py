#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints the synthesised records of a little-endian perf.data file, for comparing.

usage: prologue.py PID FILE

It prints only the records about process PID and those about no process, without ids and clocks,
which differ in every recording.
"""
import struct
import sys

TIED_TO_A_RUN = {65, 69, 79}  # the recorder's own, ID_INDEX, TIME_CONV
ABOUT_A_PROCESS = {3, 7, 10, 16}  # COMM, FORK, MMAP2, NAMESPACES
MMAP, MMAP2, EVENT_UPDATE, FINISHED_INIT = 1, 10, 78, 82
NOBODY = 0xFFFFFFFF


def records(data):
    at, size = struct.unpack_from("<QQ", data, 40)
    end = at + size
    while at + 8 <= end:
        kind, misc, length = struct.unpack_from("<IHH", data, at)
        yield kind, misc, data[at + 8:at + length]
        at += length


def without_garbage(kind, payload):
    """Cuts names of modules at their end, because perf 6.1 leaves old contents of its buffer after
    them.
    """
    start = {MMAP: 32, MMAP2: 64}[kind]
    end = payload.index(b"\0", start)
    return payload[:end]


def main(pid, path):
    for kind, misc, payload in records(open(path, "rb").read()):
        if kind == FINISHED_INIT:
            break
        if kind in TIED_TO_A_RUN:
            continue
        if kind in ABOUT_A_PROCESS and struct.unpack_from("<I", payload)[0] not in (pid, NOBODY):
            continue
        size = len(payload)
        if kind == EVENT_UPDATE:  # its id, and padding of any length
            payload, size = (payload[:8] + payload[16:]).rstrip(b"\0"), 0
        elif kind in (MMAP, MMAP2):
            payload = without_garbage(kind, payload)
        print(kind, hex(misc), size, payload.hex(), repr(payload.replace(b"\0", b".")))


main(int(sys.argv[1]), sys.argv[2])
