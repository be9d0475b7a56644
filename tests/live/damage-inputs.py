#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
Damages other input files of perf: profiles of other tools, stores, recordings with hardware traces, recordings in a
folder, archives, and the files that perf keeps for its next run. No crash, no hang, no runaway memory; nothing is
written in the wrong place.

    damage-inputs.py [-n COUNT] [-s SEED] [-k DIR] [-u] KIND:INPUT...

KIND is a class below, in small letters; INPUT a file or a folder. Makes COUNT damaged copies of the INPUTs, the same
for the same SEED. Each is given to one of the commands for its KIND, in 4 GiB of address space (unless -u). Copies that
fail are kept in DIR.
"""
import argparse
import bz2
import gzip
import os
import random
import shutil
import sys
import tempfile

import damage

HERE = os.path.dirname(os.path.abspath(__file__))
FIXTURES = os.path.join(HERE, "../fixtures")


def harm(rng, data, damages=damage.DAMAGES):
    """Damages @data in a small number of places, sometimes at its beginning."""
    for _ in range(rng.choice((1, 1, 1, 2, 5))):
        if data:
            at = rng.randrange(min(rng.choice((64, 4096, len(data), len(data), len(data))), len(data)))
            rng.choice(damages)(rng, data, at)


class Input:
    """An input that a command reads; its copy is at @path."""
    COMMANDS = ()

    def __init__(self, source, work):
        self.path = os.path.join(work, "input")
        with open(source, "rb") as f:
            self.data = f.read()

    def write(self, rng):
        data = bytearray(self.data)
        harm(rng, data)
        with open(self.path, "wb") as f:
            f.write(data)

    def read(self, command):
        """Returns what is wrong with the way in which the command ended."""
        return damage.read(command, self.path)[1]


class Foreign(Input):
    """A profile of another tool, compressed or not."""
    COMMANDS = (
        ["report", "--stdio"],
        ["report", "--stdio", "-g", "caller", "-s", "comm,dso,sym,srcline"],
        ["report", "--json"],
        ["script"],
        ["script", "--folded"],
        ["flamegraph", "-o", "/dev/null"],
        ["annotate", "--stdio"],
        ["diff", "-f", damage.PATH, damage.PATH],
        ["query", "SELECT count(*), sum(period) FROM samples", "--force", "-i", damage.PATH],
        ["data", "convert", "--to-json", "/dev/null", "--force"],
    )

    def write(self, rng):
        is_packed = self.data[:2] == b"\x1f\x8b"
        data = bytearray(gzip.decompress(self.data) if is_packed else self.data)
        harm(rng, data)
        if is_packed and rng.randrange(2):
            data = bytearray(gzip.compress(data, 1))
            if not rng.randrange(8):
                harm(rng, data)
        with open(self.path, "wb") as f:
            f.write(data)


class Store(Input):
    """A store that perf push wrote into SQLite."""
    COMMANDS = (
        ["report", "--stdio", "-i", damage.PATH],
        ["script", "-i", damage.PATH],
        ["flamegraph", "-o", "/dev/null", "-i", damage.PATH],
        ["diff", damage.PATH, damage.PATH],
    )

    def read(self, command):
        return damage.read(command, "sqlite:" + self.path)[1]


class Pushed(Input):
    """A store that is written to."""
    COMMANDS = (["push", "-q", "-i", os.path.join(FIXTURES, "foreign/stacks.folded"), "--to", damage.PATH],)

    def read(self, command):
        return damage.read(command, "sqlite:" + self.path)[1]


class Trace(Input):
    """A recording with traces of the hardware."""
    COMMANDS = (
        ["report", "--stdio"],
        ["report", "--stdio", "--itrace=i1ige"],
        ["script"],
        ["script", "--itrace=i1ibgleftmaMp"],
        ["script", "--itrace=bcr"],
        ["script", "-D"],
        ["report", "--mem-mode", "--stdio"],
        ["inject", "--itrace=i100usle", "-o", "/dev/null"],
    )
    IN_PLACE = (damage.flip, damage.scribble, damage.extreme)  # the bytes after the damage keep their places

    def __init__(self, source, work):
        super().__init__(source, work)
        root = os.path.join(os.path.dirname(source), "root")
        self.options = ["--symfs", root] if os.path.isdir(root) else []

    def write(self, rng):
        data = bytearray(self.data)
        begin, size = damage.data_section(data)
        only_traces = rng.randrange(4)
        for _ in range(rng.choice((1, 1, 2, 5, 20))):
            if only_traces:
                rng.choice(self.IN_PLACE)(rng, data, begin + rng.randrange(size - 8))
            elif len(data) > 110:
                rng.choice(damage.DAMAGES)(rng, data, damage.place(rng, data))
        with open(self.path, "wb") as f:
            f.write(data)

    def read(self, command):
        return damage.read(command + (self.options if command[0] != "inject" else []), self.path)[1]


class Folder(Input):
    """A recording in a folder: one of its files is damaged, missing, or of another kind."""
    COMMANDS = (["report", "--stdio"], ["script"], ["script", "-D"], ["evlist", "-v"], ["buildid-list"])

    def __init__(self, source, work):
        self.source, self.path = source, os.path.join(work, "input.dir")

    def write(self, rng):
        shutil.rmtree(self.path, ignore_errors=True)
        shutil.copytree(self.source, self.path)
        names = sorted(os.listdir(self.path))
        victim = os.path.join(self.path, rng.choice(names))
        if not rng.randrange(8):
            os.unlink(victim)
            other = os.path.join(self.path, rng.choice(names))
            rng.choice((lambda: None, lambda: os.mkdir(victim), lambda: os.mkfifo(victim),
                        lambda: os.symlink(other, victim), lambda: os.symlink(victim, victim)))()
            return
        with open(victim, "rb") as f:
            data = bytearray(f.read())
        harm(rng, data)
        with open(victim, "wb") as f:
            f.write(data)


class Archive(Input):
    """An archive of perf archive. Its members get other names and types, and their checksums are right."""
    COMMANDS = (["archive", "--unpack", damage.PATH], ["archive", "--unpack", "-f", damage.PATH])
    BLOCK = 512
    NAMES = (b"../out", b"/tmp/perf-out", b"a/../../out", b".bashrc", b"perf.data", b"perf.data/../../out", b"",
             b".build-id", b".build-id/ab", b"perf.symbols.tar.gz", b"x.data", b"-rf", b"\x1b]0;x\x07", b"a\nb", b"a" * 100)
    TYPES = b"0123456767xgLKSDM\0\xff"
    FIELDS = {"mode": (100, 8), "size": (124, 12), "time": (136, 12), "prefix": (345, 155)}

    def __init__(self, source, work):
        super().__init__(source, work)
        self.data = (bz2 if source.endswith("bz2") else gzip).decompress(self.data)
        self.outer = os.path.join(work, "outer")
        self.here = os.path.join(self.outer, "here")
        self.cache = os.path.join(self.outer, "cache")

    def headers(self, data):
        """Returns the places of the headers of members, as far as the sizes are valid."""
        at = 0
        while at + self.BLOCK <= len(data) and data[at]:
            yield at
            size = int(bytes(data[at + 124:at + 135]) or b"0", 8)
            at += self.BLOCK + (size + self.BLOCK - 1) // self.BLOCK * self.BLOCK

    def harm_member(self, rng, data, at):
        kind = rng.randrange(5)
        if kind == 0:
            data[at:at + 100] = rng.choice(self.NAMES)[:100].ljust(100, b"\0")
        elif kind == 1:
            data[at + 156] = rng.choice(self.TYPES)
            data[at + 157:at + 257] = rng.choice(self.NAMES)[:100].ljust(100, b"\0")
        elif kind == 2:
            begin, size = rng.choice(list(self.FIELDS.values()))
            data[at + begin:at + begin + size] = rng.choice((b"7" * size, bytes(size), b"\xff" * size, b"0000644".ljust(size, b"\0")))
        else:
            damage.flip(rng, data, at + rng.randrange(self.BLOCK))
        data[at + 148:at + 156] = b" " * 8
        data[at + 148:at + 156] = b"%06o\0 " % sum(data[at:at + self.BLOCK])

    def write(self, rng):
        data = bytearray(self.data)
        headers = list(self.headers(data))
        for _ in range(rng.choice((0, 1, 2, 5))):
            self.harm_member(rng, data, rng.choice(headers))
        if not rng.randrange(3):
            harm(rng, data)
        data = bytearray(rng.choice((gzip.compress, bz2.compress, bytes))(bytes(data)))
        if not rng.randrange(4):
            harm(rng, data)
        with open(self.path, "wb") as f:
            f.write(data)

    def read(self, command):
        shutil.rmtree(self.outer, ignore_errors=True)
        os.makedirs(self.here)
        wrong = damage.read(["--buildid-dir", self.cache] + command, self.path, folder=self.here)[1]
        return wrong or self.misplaced()

    def misplaced(self):
        """Returns files that should not have been extracted."""
        outside = set(os.listdir(self.outer)) - {"here", "cache"}
        strange = {n for n in os.listdir(self.here) if n.startswith(".") or not (n.startswith("perf.data") or n.endswith(".data"))}
        for folder, folders, files in os.walk(self.cache):
            is_links = "/.build-id" in folder
            for name in folders + files:
                path = os.path.join(folder, name)
                if not is_links and os.path.islink(path) or not os.path.realpath(path).startswith(os.path.realpath(self.cache)):
                    strange.add(path)
        if os.path.lexists("/tmp/perf-out"):
            outside.add("/tmp/perf-out")
        return f"left behind: {outside | strange}" if outside or strange else ""


class Kept(Input):
    """A folder with a recording, its symfs and a cache with perf's kept files: the results stay the same."""
    COMMANDS = (
        ["report", "--stdio", "-s", "sym,srcline"],
        ["report", "--stdio", "-s", "sym,type,typeoff"],
        ["annotate", "--stdio", "-l"],
    )

    def __init__(self, source, work):
        self.source, self.path = source, os.path.join(work, "kept")
        shutil.rmtree(self.path, ignore_errors=True)
        shutil.copytree(source, self.path, symlinks=True)
        self.files = sorted(os.path.join(folder, name) for folder, _, names in os.walk(os.path.join(self.path, "cache"))
                            for name in names if not os.path.islink(os.path.join(folder, name)))
        self.answers = {}

    def run(self, command):
        command = ["--buildid-dir", os.path.join(self.path, "cache"), *command, "--symfs", os.path.join(self.path, "symfs")]
        return damage.read(command, os.path.join(self.path, "perf.data"))

    def write(self, rng):
        if not self.answers:
            self.answers = {tuple(c): self.run(c)[0] for c in self.COMMANDS}
        shutil.rmtree(self.path)
        shutil.copytree(self.source, self.path, symlinks=True)
        victim = rng.choice(self.files)
        with open(victim, "rb") as f:
            data = bytearray(f.read())
        harm(rng, data)
        with open(victim, "wb") as f:
            f.write(data)

    def read(self, command):
        shown, wrong = self.run(command)
        if not wrong and shown != self.answers[tuple(command)]:
            wrong = "another answer"
        return wrong


KINDS = {c.__name__.lower(): c for c in (Foreign, Store, Pushed, Trace, Folder, Archive, Kept)}


def keep(source, folder, number):
    """Copies a failing input to @folder."""
    os.makedirs(folder, exist_ok=True)
    to = os.path.join(folder, str(number))
    if os.path.isdir(source):
        shutil.copytree(source, to, symlinks=True)
    else:
        shutil.copy(source, to)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("-n", type=int, default=300)
    p.add_argument("-s", type=int, default=1)
    p.add_argument("-k", default=None)
    p.add_argument("-u", action="store_true")
    p.add_argument("inputs", nargs="+")
    o = p.parse_args()
    rng = random.Random(o.s)
    failures = 0

    with tempfile.TemporaryDirectory() as work:
        inputs = {}
        for word in o.inputs:
            kind, _, source = word.partition(":")
            inputs[word] = KINDS[kind](os.path.abspath(source), tempfile.mkdtemp(dir=work))
        for _ in range(o.n):
            word = rng.choice(o.inputs)
            one = inputs[word]
            one.write(rng)
            command = rng.choice(one.COMMANDS)
            wrong = one.read(command)
            if wrong:
                failures += 1
                print(f"FAILED: {failures}: {' '.join(command)} of {word}: {wrong}", flush=True)
                if o.k:
                    keep(one.path, o.k, failures)
    print(f"{o.n} damaged inputs, {failures} failures")
    return failures > 0


if __name__ == "__main__":
    sys.exit(main())
