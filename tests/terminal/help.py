#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests of help on a terminal: page by page, in lines that fit."""
import subprocess

from tap import equal, run, test
from terminal import PERF, Terminal


def ok(condition, what):
    if not condition:
        raise AssertionError(what)


def shown(command, **how):
    with Terminal(command, **how) as t:
        status = t.end()
        return status, t.stream().decode().split("\r\n")


@test
def options_go_through_the_pager():
    # The pager reads its whole input: one that ends early would sometimes end perf with SIGPIPE.
    status, lines = shown([PERF, "report", "-h"], env={"PERF_PAGER": "sed -n 1,2p"})
    equal(status, 129)
    equal([line for line in lines if line], [" Usage: perf report [<options>] [<file>]"])


@test
def options_have_lines_that_fit():
    _, lines = shown([PERF, "--no-pager", "stat", "-h"])
    ok(len(lines) > 24, lines)
    equal([line for line in lines if len(line) > 80], [])


@test
def in_a_pipe_each_help_text_is_one_line():
    text = subprocess.run([PERF, "stat", "-h"], capture_output=True, text=True, check=False).stdout
    ok(any(len(line) > 80 for line in text.split("\n")), text)


@test
def perf_alone_fits_the_screen():
    with Terminal([PERF]) as t:
        equal(t.end(), 1)
        t.wait("usage: perf", "perf itself:", "perf help COMMAND")


run()
