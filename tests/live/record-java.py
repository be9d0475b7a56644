#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Judges the stacks of record-java-load.java on standard input: the output of perf script -F ip,sym,srcline.

usage: record-java.py LEAST       of 100 stacks with its code, so many must be whole
"""
import re
import sys

# The callers that each method may have.
CALLERS = {
    "Load.spin": r"Load\.recurse$",
    "Load.recurse": r"Load\.(recurse|heavy|light)$",
    "Load.heavy": r"Load\$\$Lambda\S*\.run$",
    "Load.light": r"Load\.lambda\$main\$\d+$",
}
LINES = {"Load.heavy": {"22"}, "Load.light": {"26"}, "Load.spin": {"7", "8", "9", "10", "12"}}
DEPTHS = {"Load.heavy": 5, "Load.light": 3}


def stacks():
    frames = []
    for line in sys.stdin:
        frame = re.match(r"\s+[0-9a-f]+ (.*)", line)
        if frame:
            frames.append([frame[1].strip(), ""])
        elif line.strip() and frames:
            frames[-1][1] = line.strip()
        elif frames:
            yield frames
            frames = []
    if frames:
        yield frames


def main():
    least = int(sys.argv[1])
    shares = {"Load.heavy": 0, "Load.light": 0}
    seen = whole = wrong = 0
    for frames in stacks():
        names = [name for name, _ in frames]
        if not any(n.startswith("Load.") for n in names):
            continue
        seen += 1
        whole += names.count("Load.main") == 1
        for i, (name, line) in enumerate(frames):
            caller = names[i + 1] if i + 1 < len(names) else None
            if name in CALLERS and caller and not re.match(CALLERS[name], caller):
                print(f"{name} was called by {caller}: {names}")
                wrong += 1
            if name in LINES and (i or name == "Load.spin") and not re.fullmatch("Load.java:(%s)" % "|".join(LINES[name]), line):
                print(f"{name} is at {line}")
                wrong += 1
        for name in shares:
            if name in names:
                shares[name] += 1
                if names[0] == "Load.spin" and names.count("Load.recurse") != DEPTHS[name]:
                    print(f"{names.count('Load.recurse')} recursions: {names}")
                    wrong += 1
    both = sum(shares.values())
    part = 100 * shares["Load.heavy"] / both if both else 0
    print(f"{seen} stacks, {whole} whole, {wrong} wrong, heavy() has {part:.1f} %")
    return not (seen >= 300 and whole * 100 >= seen * least and wrong * 100 <= seen and 68 <= part <= 82)


sys.exit(main())
