#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests of scripts with a display: rwtop and sctop update themselves, and Ctrl-C ends them."""
import os
import sys

sys.dont_write_bytecode = True
from tap import equal, run, test
from terminal import PERF, Skip, Terminal, need

CLEAR = b"\x1b[H\x1b[2J"


def top(*words):
    need("libpython")
    if os.geteuid() != 0:
        raise Skip("tracepoints need root")
    return Terminal([PERF, "script", *words], height=60)


def leave(t):
    t.keys("C-c")
    equal(t.end(), 0)
    t.check_restored()


@test
def rwtop_renews_itself():
    with top("rwtop", "0.5") as t:
        t.wait("read counts by pid:", "write counts by pid:", "bytes_written")
        t.until(lambda lines: t.stream().count(CLEAR) >= 3, "the third screen")
        leave(t)


@test
def sctop_shows_one_command():
    with top("sctop", "tmux: server", "0.5") as t:
        t.wait("syscall events for tmux: server:")
        leave(t)


run()
