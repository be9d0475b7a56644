#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests of `perf stat -I` on a terminal: a table that is redrawn in place, and cases without such a table."""
import os
import re
import signal
import sys

from tap import equal, run, test
from terminal import ASCII, PERF, Terminal

if os.geteuid():
    print("1..0 # SKIP only root may count the whole system")
    sys.exit()

STAT = [PERF, "stat", "-I", "100", "-e", "task-clock,page-faults"]
HEAD = " event "
LINE = re.compile(r"^ +\d+\.\d{9} ")  # a line of the output without a table


def ok(condition, what):
    if not condition:
        raise AssertionError(what)


def tables(lines):
    return sum(line.startswith("After ") for line in lines)


def seconds(lines):
    """Returns the seconds of the last table. The tables above it stay as they are."""
    return ([0] + [float(line.split()[1]) for line in lines if line.startswith("After ")])[-1]


def is_redrawn(t, after=0.0):
    """Waits until a table has been replaced; returns its time."""
    first = t.until(lambda lines: seconds(lines) > after and seconds(lines), "a table")
    return t.until(lambda lines: seconds(lines) > first and seconds(lines), "the next table")


def wait_scrolling(t):
    """Waits until all lines scroll again, and the copy of the output says so."""
    t.until(lambda _: t.stream().rfind(b"\x1b[r") > t.stream().rfind(b"\x1b[1;"), "a terminal that scrolls")


@test
def the_table_is_redrawn_and_the_last_one_stays():
    with Terminal([*STAT, "-a"]) as t:
        is_redrawn(t)
        equal(tables(t.lines()), 1)
        ok(re.search("[▁-█] ", t.screen()), t.framed())
        t.keys("C-c")
        equal(t.end(), -signal.SIGINT)
        equal(tables(t.lines()), 1)
        t.wait(HEAD, "task-clock", "page-faults")
        t.check_restored()


@test
def without_utf8_the_spark_line_is_ascii():
    with Terminal([*STAT, "-p", "1"], locale=ASCII) as t:
        is_redrawn(t)
        ok(t.screen().isascii(), t.framed())
        t.keys("C-c")
        equal(t.end(), -signal.SIGINT)


@test
def a_command_keeps_its_lines_above_the_table():
    lines = "for i in 1 2 3 4 5 6 7 8 9; do echo line-$i; sleep 0.1; done; printf 'no newline'"
    with Terminal([*STAT, "sh", "-c", lines], height=20) as t:
        is_redrawn(t)
        equal(t.end(), 0)
        lines = t.lines()
        equal([line for line in lines if line.startswith("line-")], [f"line-{i}" for i in range(1, 10)])
        equal(tables(lines), 1)
        ok(t.row("no newline") < t.row("After "), t.framed())
        ok(b"\x1b[1;15r" in t.stream(), t.stream())
        wait_scrolling(t)
        t.check_restored()


@test
def enter_keeps_a_table_and_begins_another():
    with Terminal([*STAT, "-p", "1"]) as t:
        is_redrawn(t)
        t.keys("Enter")
        t.until(lambda lines: tables(lines) == 2, "a second table")
        t.keys("C-c")
        t.end()


@test
def a_stop_leaves_what_the_shell_writes_alone():
    for command in ([], ["sleep", "1000"]):
        with Terminal([*STAT, "-a", *command]) as t:
            last = is_redrawn(t)
            t.keys("C-z")
            t.wait_stopped()
            t.go_on()
            is_redrawn(t, last)
            t.keys("C-c")
            t.end()
            t.check_restored()


@test
def it_follows_the_size_of_the_terminal():
    for command in ([], ["sleep", "1000"]):
        with Terminal([*STAT, "-a", *command], width=100, height=30) as t:
            last = is_redrawn(t)
            t.resize(60, 15)
            last = is_redrawn(t, last)
            equal(tables(t.lines()), 1)
            equal([line for line in t.lines() if len(line) >= 60], [])
            t.resize(120, 8)
            is_redrawn(t, last)
            t.keys("C-c")
            t.end()
            t.check_restored()


@test
def more_rows_than_the_terminal_has_are_said_to_be_there():
    events = ",".join(f"task-clock/name=clock{i}/" for i in range(20))
    with Terminal([PERF, "stat", "-I", "100", "-e", events, "-p", "1"], height=12) as t:
        t.wait("more lines, in a higher terminal", "clock0")
        t.keys("C-c")
        t.end()
        t.wait("clock19")


@test
def those_who_want_lines_get_lines():
    line = f"{PERF} stat -I 50 --interval-count 2 -e task-clock,cs"
    for words, env in (("--no-live", {}), ("--log-fd 2", {}), ("", {"TERM": "dumb"}), ("", {"TERM": None}),
                       ("-r 2", {}), ("--interval-clear", {})):
        with Terminal(f"{line} {words} sleep 0.3", env=env) as t:
            equal(t.end(), 0)
            t.wait(LINE)
            equal(tables(t.lines()), 0)
            ok(b"\x1b[?2026" not in t.stream(), t.stream())
    with Terminal(f"{line} -x, true; {line} -j true; {line} true 2>&1 | cat; {line} -o /dev/stdout true") as t:
        equal(t.end(), 0)
        equal(tables(t.lines()), 0)
        ok(b"\x1b[?2026" not in t.stream(), t.stream())


@test
def totals_follow_when_they_are_asked_for():
    with Terminal([*STAT, "--interval-count", "2", "--summary", "sleep", "0.4"], height=30) as t:
        equal(t.end(), 0)
        t.wait(" Performance counter stats for", "seconds time elapsed")
        equal(tables(t.lines()), 1)


@test
def the_end_of_the_terminal_or_a_signal_ends_it():
    for number in (signal.SIGTERM, signal.SIGQUIT):
        with Terminal([*STAT, "-a", "sleep", "1000"]) as t:
            is_redrawn(t)
            t.signal(number)
            ok(t.end() != 0, "an exit status")
            wait_scrolling(t)
            t.check_restored()
    with Terminal([*STAT, "-a"]) as t:
        is_redrawn(t)
        t.hang_up()


run()
