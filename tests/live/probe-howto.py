#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the commands of the first part of docs/howto/probe.md and compares their output.

usage: probe-howto.py PAGE PERF
"""
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path


def blocks(page, kind):
    return re.findall(rf"^```{kind}\n(.*?)^```$", page, re.M | re.S)


def commands(page):
    """Returns pairs of a command and its expected output."""
    for block in blocks(page, "console"):
        for part in re.split(r"^\$ ", block, flags=re.M)[1:]:
            command, _, output = part.partition("\n")
            yield command, output


def normalized(text, scratch):
    text = text.replace(str(scratch), "/tmp/shop")
    text = re.sub(r"\([0-9a-f]{6,}( <- [0-9a-f]{6,})?\)",
                  lambda m: "(ADDR <- ADDR)" if m[1] else "(ADDR)", text)
    text = re.sub(r"on address 0x[0-9a-f]+ ", "on address ADDR ", text)
    return re.sub(r"@<add\+\d+>", "@<add+N>", text)


def run(page, scratch, env):
    """True if all commands print the output on the page."""
    good = True
    for command, expected in commands(page):
        done = subprocess.run(["sh", "-c", command], cwd=scratch, env=env, text=True,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT)
        said = normalized(done.stdout, scratch)
        if said.split() != normalized(expected, scratch).split():
            print(f"$ {command}\nexpected:\n{expected}\ngot:\n{done.stdout}")
            good = False
    return good


def main():
    page = Path(sys.argv[1]).read_text()
    perf = Path(sys.argv[2]).resolve()
    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name).resolve()
        (scratch / "shop.c").write_text(blocks(page, "c")[0])
        (scratch / "bin").mkdir()
        (scratch / "bin/perf").symlink_to(perf)
        env = dict(os.environ, PATH=f"{scratch}/bin:{os.environ['PATH']}", PERF_CONFIG="/dev/null",
                   LC_ALL="C", HOME=name)
        try:
            return not run(page.split("\n## The kernel")[0], scratch, env)
        finally:
            subprocess.run([str(perf), "probe", "-q", "-d", "probe_shop:*"], env=env,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


sys.exit(main())
