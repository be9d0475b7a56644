#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
Puts records of unknown types, and features with such numbers, into a recording, like those of Android's simpleperf.

    own-records.py FROM TO
"""
import struct
import sys

TYPES = (32769, 32770, 32774, 32777)
FIRST_FEATURE = 128
N_FEATURES = 2


def records(data):
    at = 0
    while at < len(data):
        size = struct.unpack_from("=H", data, at + 6)[0]
        yield data[at:at + size]
        at += size


def own(types):
    return b"".join(struct.pack("=IHH", t, 0, 8 + 8 * (t % 5)) + b"x" * (8 * (t % 5)) for t in types)


def main():
    source = open(sys.argv[1], "rb").read()
    header = bytearray(source[:104])
    begin, size = struct.unpack_from("=QQ", header, 40)
    flags = int.from_bytes(header[72:104], sys.byteorder)
    sections = [struct.unpack_from("=QQ", source, begin + size + 16 * i) for i in range(bin(flags).count("1"))]
    features = [source[at:at + n] for at, n in sections] + [b"own feature\0"] * N_FEATURES
    for i in range(N_FEATURES):
        flags |= 1 << FIRST_FEATURE + i
    there = list(records(source[begin:begin + size]))
    middle = len(there) // 2
    data = own(TYPES) + b"".join(there[:middle]) + own(TYPES) + b"".join(there[middle:]) + own(TYPES)
    struct.pack_into("=Q", header, 48, len(data))
    header[72:104] = flags.to_bytes(32, sys.byteorder)
    at = begin + len(data) + 16 * len(features)
    table = b""
    for feature in features:
        table += struct.pack("=QQ", at, len(feature))
        at += len(feature)
    with open(sys.argv[2], "wb") as out:
        out.write(bytes(header) + source[104:begin] + data + table + b"".join(features))


main()
