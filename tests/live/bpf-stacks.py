#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares the two stacks of each sample in a recording of --call-graph bpf,check: FILE LEAST

One was unwound in the kernel, the other from the copy of the stack. A copy may be cut, so that one stack may be the
beginning of the other. Prints how many there are; status 1 if any differ, or if there are fewer than LEAST.
"""
import collections
import subprocess
import sys

text = subprocess.run(['perf', 'script', '-i', sys.argv[1], '-F', 'tid,time,ip,sym', '--no-inline'],
                      capture_output=True, text=True, check=True).stdout
tasks = collections.defaultdict(list)
for block in text.split('\n\n'):
    lines = [line for line in block.split('\n') if line.strip()]
    if lines:
        tid, time = lines[0].split()[:2]
        tasks[tid].append((float(time.rstrip(':')), [line.strip() for line in lines[1:]]))
same = other = deepest = 0
for samples in tasks.values():
    i = 0
    while i + 1 < len(samples):
        (time_a, a), (time_b, b) = samples[i:i + 2]
        if time_b - time_a > 0.0001 or a[:1] != b[:1]:
            i += 1
            continue
        i += 2
        n = min(len(a), len(b))
        deepest = max(deepest, len(a), len(b))
        if a[:n] == b[:n]:
            same += 1
        else:
            other += 1
            print('differ:', a, b, sep='\n')
print(f'{same} pairs of stacks are the same, {other} differ; the deepest has {deepest} frames')
sys.exit(other > same // 100 or same < int(sys.argv[2]))
