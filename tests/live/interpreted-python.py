#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares the interpreted frames of a recording with the stacks that the program has written: RECORDING STACKS LEAST

Every stack with a spin() must be one of them, with its lines. Status 1 if more than one in a thousand is not, as one
that is taken in the middle of a call may be, or if fewer than LEAST of a hundred stacks have interpreted frames at all.
"""
import subprocess
import sys

recording, stacks, least = sys.argv[1], sys.argv[2], int(sys.argv[3])
known = {line.rstrip('\n') for line in open(stacks, encoding='utf-8')}
text = subprocess.run(['perf', 'script', '-i', recording, '-F', 'comm,tid,ip,sym,dso,srcline', '--no-inline', '--max-stack', '2000'],
                      capture_output=True, text=True, check=True).stdout
right = wrong = without = partial = all_stacks = 0
met = set()
for block in text.split('\n\n'):
    lines = [line.strip() for line in block.split('\n') if line.strip()][1:]
    frames = []
    for frame, source in zip(lines, lines[1:]):
        if frame.endswith(' (/interpreted/python)'):
            frames.append(frame.split(' ', 1)[1][:-len(' (/interpreted/python)')] + ':' + source.rpartition(':')[2])
    if not lines:
        continue
    all_stacks += 1
    if not frames:
        without += 1
        continue
    spins = [i for i, frame in enumerate(frames) if frame.startswith('interpreted-load.py:spin:')]
    if not spins:
        continue
    chain = ' '.join(reversed(frames[spins[-1] + 1:]))
    # The stack is written a moment after spin() has begun.
    if chain in known:
        right += 1
        met.add(chain)
    elif '[unread]' in chain or any(stack.endswith(' ' + chain) for stack in known):
        # Code that exec() has made may be gone before its name is read, and the memory of outer frames may be paged out.
        partial += 1
    else:
        wrong += 1
        if wrong < 4:
            print('not known:', chain[:150], '...', chain[-150:])
print(f'{right} right, {wrong} wrong, {partial} partial, {without} of {all_stacks} without; {len(met)} of {len(known)} stacks were met')
sys.exit(wrong * 1000 > all_stacks or partial > right * 0.03 or without * 100 > all_stacks * (100 - least) or len(met) * 2 < min(len(known), right // 20))
