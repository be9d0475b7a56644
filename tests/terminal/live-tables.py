#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests of commands that show a table at intervals: on a terminal in place, elsewhere one after the other."""
import os
import re
import subprocess
import sys

from tap import equal, run, test
from terminal import PERF, Skip, Terminal

if os.geteuid():
    print("1..0 # SKIP only root may look at the whole system")
    sys.exit()

# A line that only tables have, each of them once, for each command.
LIVE = {
    "heatmap": (["heatmap", "-I", "200", "sched"], re.compile(r"^Run queue latency")),
    "sched latency": (["sched", "latency", "-I", "200"], re.compile(r"^  Task +Runtime ms +Waits")),
    "lock contention -b": (["lock", "contention", "-a", "-b", "-I", "200"], re.compile(r"^ contended +total wait")),
    "lock contention": (["lock", "contention", "-a", "-I", "200"], re.compile(r"^ contended +total wait")),
    "hist": (["hist", "-I", "200", "sched"], re.compile(r"^ +Range +: Count")),
    "trace": (["trace", "-s", "-I", "200", "-a"], re.compile(r"^ After .* most time first")),
    "kwork top": (["kwork", "top", "-b", "-I", "200"], re.compile(r"^Total  :")),
}


def ok(condition, what):
    if not condition:
        raise AssertionError(what)


def can_run(words):
    """True if the kernel supports the command."""
    done = subprocess.run([PERF, *words, "--", "sleep", "0.1"], capture_output=True, text=True, check=False)
    if done.returncode:
        raise Skip(done.stderr.strip())


def count(lines, pattern):
    return sum(pattern.search(line) is not None for line in lines)


def written(t, begin):
    """Returns the lines that were written to the terminal since @begin."""
    text = t.stream()[begin:].decode(errors="replace")
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text).splitlines()


def redrawn(t, pattern):
    """Waits until a table has been drawn and redrawn, and is on the screen once."""
    def drawn():
        return t.stream().count(b"\x1b[?2026l")
    t.wait(pattern)
    before = drawn()
    t.until(lambda lines: drawn() > before + 1, "two more tables")


def check_alone(words, pattern, keeps):
    with Terminal([PERF, *words], height=40) as t:
        redrawn(t, pattern)
        equal(count(t.lines(), pattern), 1, t.framed())
        equal([line for line in t.lines() if len(line) >= 80], [])
        t.keys("C-z")
        t.wait_stopped()
        t.go_on()
        redrawn(t, pattern)
        before = len(t.stream())
        t.keys("C-c")
        t.end()
        t.check_restored()
        if keeps:  # the last table, which may be longer than the screen
            t.until(lambda lines: count(lines + written(t, before), pattern), pattern.pattern)


def check_beside_a_command(words, pattern):
    with Terminal([PERF, *words, "--", "sh", "-c", "for i in 1 2 3 4 5 6 7 8; do echo line-$i; sleep 0.2; done"],
                  height=60) as t:
        redrawn(t, pattern)
        t.end()
        wait_scrolling(t)
        for i in range(1, 9):
            ok(f"line-{i}\r\n".encode() in t.stream(), t.stream())
        t.check_restored()


def check_pipe(words, pattern):
    done = subprocess.run([PERF, *words, "--", "sleep", "1"], capture_output=True, text=True, check=False)
    lines = (done.stdout + done.stderr).splitlines()
    ok(count(lines, pattern) >= 2, lines[:50])
    ok("\x1b" not in done.stdout + done.stderr, "sequences for terminals in a pipe")


def wait_scrolling(t):
    """Waits until all lines scroll again, and the copy of the output says so."""
    t.until(lambda _: t.stream().rfind(b"\x1b[r") > t.stream().rfind(b"\x1b[1;"), "a terminal that scrolls")


@test
def tables_are_redrawn_in_place():
    for words, pattern in LIVE.values():
        can_run(words)
        check_alone(words, pattern, words[0] != "trace")


@test
def a_command_keeps_its_lines():
    for words, pattern in LIVE.values():
        can_run(words)
        check_beside_a_command(words, pattern)


@test
def pipes_have_one_table_after_the_other():
    for words, pattern in LIVE.values():
        can_run(words)
        check_pipe(words, pattern)


run()
