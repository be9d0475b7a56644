# SPDX-License-Identifier: MIT
"""Folded stacks, and the boxes of their flame graph, computed independently."""
import os
import random
import subprocess
from pathlib import Path

MARGIN, NARROWEST = 10, 0.1


class Box:
    """A box: its name, weight, start, and the boxes that stand on it."""

    def __init__(self, name, depth):
        self.name, self.depth, self.total, self.start, self.above = name, depth, 0, 0, {}


def merge(stacks):
    """Returns the first box of {("sh", "main"): 3, ...}."""
    root = Box("all", 0)
    for names, weight in stacks.items():
        box = root
        box.total += weight
        for name in names:
            box = box.above.setdefault(name, Box(name, box.depth + 1))
            box.total += weight
    return root


def place(box, start=0):
    """Yields all boxes in the order in which they are drawn, with their starts."""
    box.start = start
    yield box
    for name in sorted(box.above, key=lambda s: s.encode()):
        yield from place(box.above[name], start)
        start += box.above[name].total


def drawn(stacks, width=1200):
    """Returns (name, depth, x, width, total) of each box that is wide enough."""
    root = merge(stacks)
    scale = (width - 2 * MARGIN) / root.total
    return [(b.name, b.depth, MARGIN + b.start * scale, b.total * scale, b.total)
            for b in place(root) if b.total * scale >= NARROWEST]


def lines(stacks):
    return "".join(f"{';'.join(names)} {weight}\n" for names, weight in stacks.items())


def some_stacks(n, seed=1, depth=12):
    """Returns n random stacks whose functions call each other as in real programs: a small number of paths carries most
    of the weight.
    """
    chance = random.Random(seed)
    stacks = {}
    for _ in range(n):
        length = 1 + chance.randrange(depth)
        names = tuple(f"f{i}_{int(chance.paretovariate(1.1)) % 9}" for i in range(length))
        key = (chance.choice(("sh", "cat", "make")),) + names
        stacks[key] = stacks.get(key, 0) + chance.randrange(1, 50)
    return stacks


def draw(text, path, *options):
    """Runs perf to draw folded lines (text or bytes) into the file @path."""
    data = text if isinstance(text, bytes) else text.encode()
    done = subprocess.run([os.environ["PERF"], "flamegraph", "-", "-o", str(path), *options], input=data,
                          capture_output=True)
    if done.returncode:
        raise AssertionError(done.stderr.decode(errors="replace"))
    return Path(path)
