# SPDX-License-Identifier: MIT
"""Makes recordings with names that would affect a terminal."""
import struct
from pathlib import Path

IP, TID, TIME, CHAIN, PERIOD = 1, 2, 4, 0x20, 0x100
NAMES = (b"\x1b]0;own\x07", b"\x1b[666m", b"\x1b[666;1H", b"a\tb\nc", "\u202egnp".encode(), b"\x1bP0;0|own\x1b\\",
         b"\x9b666m\xff", "\u009b666m".encode(), b"%s%n%d", "漢字".encode(), b"")
# Bytes that would be written if names were not escaped.
FORBIDDEN = (b"\x1b]", b"\x07", b"\x1b[666", b"\xc2\x9b", "\u202e".encode(), b"\x1bP")
CONTEXT_USER = 2 ** 64 - 512


def padded(name):
    return name + bytes(8 - len(name) % 8)


def record(kind, body, misc=0):
    return struct.pack("<IHH", kind, misc, 8 + len(body)) + body


def text(s):
    return struct.pack("<I", len(s) + 1) + s + b"\0"


def attr():
    head = struct.pack("<IIQQQQQ", 1, 128, 0, 1000, IP | TID | TIME | CHAIN | PERIOD, 0, 1 << 18)
    return head + bytes(128 - len(head))


def thread(number, name):
    """Returns a thread with a name, a mapped file, and samples there with callers."""
    pid, base = 100 + number, 0x100000 * (number + 1)
    who = struct.pack("<IIQ", pid, pid, 1)
    out = record(3, struct.pack("<II", pid, pid) + padded(name[:15]) + who)
    out += record(10, struct.pack("<IIQQQIIQQII", pid, pid, base, 0x10000, 0, 0, 0, 0, 0, 5, 2) +
                  padded(b"/no/" + name + b".so") + who, 2)
    for i in range(20):
        ip = base + 16 * (i % 5)
        out += record(9, struct.pack("<QIIQQ", ip, pid, pid, 10 + 20 * number + i, 1) +
                      struct.pack("<QQQQ", 3, CONTEXT_USER, ip, base + 0x800), 2)
    return out


def write(path, names=NAMES):
    """Writes a file with a thread for each name, and with an event and a host that have such names."""
    data = b"".join(thread(i, name) for i, name in enumerate(names))
    description = struct.pack("<II", 1, 128) + attr() + struct.pack("<I", 0) + text(names[0] + names[1])
    features = {3: text(names[1]), 12: description}
    bits = sum(1 << f for f in features)
    attrs = attr() + struct.pack("<QQ", 0, 0)
    at = 104 + len(attrs)
    out = b"PERFILE2" + struct.pack("<12Q", 104, 144, 104, len(attrs), at, len(data), 0, 0, bits, 0, 0, 0)
    out += attrs + data
    where = len(out) + 16 * len(features)
    for payload in features.values():
        out += struct.pack("<QQ", where, len(payload))
        where += len(payload)
    Path(path).write_bytes(out + b"".join(features.values()))
