#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares functions and lines in `perf script -F ip,sym,srcline` text with those of addr2line.

usage: lines.py WHAT PROGRAM <TEXT
"""
import os
import re
import subprocess
import sys

OURS = {"mix", "twice", "work", "main"}  # the program's own functions


def frames(text):
    """Returns [address, function, line, True if it is inlined] of each frame."""
    found = []
    for line in text.splitlines():
        frame = re.match(r"\s+([0-9a-f]+) (\S+)( \(inlined\))?$", line)
        where = re.match(r"  (\S+:\d+)( \(inlined\))?$", line)
        if frame:
            found.append([frame[1], frame[2], "??:0", bool(frame[3])])
        elif where:
            found[-1][2:] = [where[1], bool(where[2]) or found[-1][3]]
    return found


def places(text):
    """Returns the functions at each address, inlined ones first."""
    chains, chain = {}, []
    for address, function, line, is_inlined in frames(text):
        chain.append([function.partition(".")[0], line])  # main.cold, work.constprop.0
        if not is_inlined:
            if chain[-1][0] in OURS:
                chains[address] = chain
            chain = []
    return chains


def expected(program, addresses):
    out = subprocess.run(["addr2line", "-a", "-i", "-f", "-e", program, *addresses],
                         stdout=subprocess.PIPE, check=True, text=True).stdout
    answers, current = {}, None
    lines = iter(out.splitlines())
    for line in lines:
        if line.startswith("0x"):
            current = answers.setdefault(f"{int(line, 16):x}", [])
        else:
            path, _, number = next(lines).split(" ")[0].replace(":?", ":0").rpartition(":")
            current.append([line, f"{os.path.basename(path)}:{number}"])
    return answers


def is_equal(ours, theirs):
    """addr2line 2.40 names the innermost function like the real one if DWARF has only a plain name,
    and takes file 0 of DWARF 5 for the unit's."""
    if len(ours) != len(theirs):
        return False
    for i, (mine, other) in enumerate(zip(ours, theirs)):
        if mine[0] != other[0] and not (i == 0 and other[0] == theirs[-1][0]):
            return False
        if mine[1] != other[1].replace("<artificial>", mine[1].partition(":")[0]):
            return False
    return True


def main(what, program):
    ours = places(sys.stdin.read())
    theirs = expected(program, sorted(ours))
    wrong = [a for a in ours if not is_equal(ours[a], theirs[a])]
    for a in wrong[:3]:
        print(f"{what}: {a}: {ours[a]} instead of {theirs[a]}")
    inlined = sum(len(f) > 1 for f in ours.values())
    if not inlined or len(ours) < 3:
        print(f"{what}: only {len(ours)} places, {inlined} with inlined functions")
        return 1
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
