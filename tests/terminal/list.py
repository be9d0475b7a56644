#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests of perf list -i: searching, describing, counting and choosing events."""
import re
import signal
import subprocess
import sys

sys.dont_write_bytecode = True
from tap import equal, run, test
from terminal import ASCII, PERF, Skip, Terminal, need


def listed(*words):
    return subprocess.run([PERF, "list", *words], capture_output=True, text=True, check=False).stdout


def open_list(*words, **how):
    need("ncurses")
    return Terminal([PERF, "list", "-i", *words], **how)


def leave(t, status=1):
    t.keys("q")
    equal(t.end(), status)
    t.check_restored()


def marked(lines):
    return [line.split()[1] for line in lines if line.startswith("* ")]


@test
def enter_prints_the_event_under_the_cursor():
    with open_list("sw") as t:
        t.wait("alignment-faults", "Type to search")
        t.keys("Down", "Enter")
        t.wait("SPACE mark")
        t.keys("Enter")
        equal(t.end(), 0)
        t.check_restored()
        t.wait("-e bpf-output")


@test
def marks_are_printed_in_the_order_of_marking():
    with open_list("sw") as t:
        t.wait("page-faults")
        t.type("/migra")
        t.wait("1 event  Search: migra")
        t.keys("Enter", "Space", "Escape")
        t.wait("* cpu-migrations", "alignment-faults")
        t.keys("Home", "Space")
        t.wait("2 marked")
        t.keys("Enter")
        t.wait("-e cpu-migrations,alignment-faults")


@test
def stdout_may_be_a_pipe():
    need("ncurses")
    with Terminal(f"echo got: $({PERF} list -i sw)") as t:
        t.wait("alignment-faults")
        t.type("/context")
        t.wait("Search: context")
        t.keys("Enter", "Enter")
        t.wait("got: -e context-switches")
        equal(t.end(), 0)
        t.check_restored()


@test
def a_search_shows_what_has_the_words():
    with open_list("sw") as t:
        t.wait("alignment-faults")
        t.type("/fault ma")
        t.wait("Search: fault ma", "major-faults")
        t.wait_gone("minor-faults")
        t.keys("BSpace", "BSpace", "BSpace")
        t.wait("minor-faults", "alignment-faults")
        t.type("nothing-has-this")
        t.wait("0 events")
        t.keys("Enter", "Enter")
        t.wait("No event has these words")
        t.keys("Escape")
        t.wait("cpu-clock")
        leave(t)


@test
def the_fields_of_tracepoints_are_shown():
    if "sched:sched_switch" not in listed("sched:sched_switch"):
        raise Skip("tracepoints cannot be read")
    with open_list("sched:sched_s*", height=40) as t:
        t.wait("sched:sched_switch")
        t.type("/prev_comm")
        t.wait("1 event ", re.compile(r"Fields: +prev_comm +char\[16\]"), "Printed as:")
        t.keys("Enter", "d")
        t.wait_gone("Search")
        t.wait("next_prio")
        t.keys("q")
        t.wait("Search: prev_comm")
        t.keys("Escape")
        leave(t)


@test
def an_event_is_counted_while_it_is_looked_at():
    if subprocess.run([PERF, "stat", "-a", "-e", "cpu-clock", "true"], capture_output=True, check=False).returncode:
        raise Skip("no events can be counted here")
    with open_list("sw") as t:
        t.wait("cpu-clock")
        t.type("/cpu-clock")
        t.keys("Enter", "c")
        t.wait(re.compile(r"cpu-clock: [\d.,]+ msec/s, [\d.,]+ msec in \d+\.\d s on all CPUs"))
        before = t.row("cpu-clock: ")
        first = t.lines()[before]
        t.until(lambda lines: lines[before].startswith("cpu-clock: ") and lines[before] != first, "another count")
        t.keys("c")
        t.wait_gone("msec/s")
        t.keys("Escape")
        leave(t)


@test
def what_is_no_event_is_not_chosen():
    with open_list() as t:
        t.type("/rNNN")
        t.wait("1 event ", "Not an event")
        t.keys("Enter", "Enter")
        t.wait("'rNNN' is a way to write events")
        t.keys("Space", "c")
        t.wait("'rNNN' is a way to write events")
        t.keys("Escape")
        leave(t)


@test
def a_command_line_is_made_and_run():
    with open_list("sw") as t:
        t.wait("alignment-faults")
        t.type("/page-f")
        t.wait("Search: page-f")
        t.keys("Enter", "s")
        t.wait("Command line", "perf stat -e page-faults -a -I 1000")
        t.keys("C-u")
        t.type("perf version")
        t.wait("perf version")
        t.keys("Enter")
        t.wait("$ perf version", re.compile("^perf version [0-9]"))
        equal(t.end(), 0)
        t.check_restored()


@test
def a_command_line_is_printed_into_a_pipe():
    need("ncurses")
    with Terminal(f"{PERF} list -i tool | tr a-z A-Z") as t:
        t.wait("duration_time")
        t.keys("Escape", "r")
        t.wait("perf record -e duration_time")
        t.keys("Enter")
        t.wait("PERF RECORD -E DURATION_TIME")


@test
def commands_refuse_what_they_do_not_take():
    with open_list("sw") as t:
        t.wait("alignment-faults")
        t.keys("Escape", "T")
        t.wait("perf trace does not take 'alignment-faults' (Software event)")
        leave(t)


@test
def help_lists_the_keys():
    with open_list("sw", height=40) as t:
        t.wait("alignment-faults")
        t.keys("Escape", "h")
        t.wait("Search names, descriptions and fields as you type", "Count the event on all CPUs")
        t.keys("Escape")
        t.wait_gone("Count the event")
        leave(t)


@test
def tab_goes_from_group_to_group():
    with open_list("sw") as t:
        t.wait("alignment-faults", "duration_time")
        t.keys("Escape", "Tab", "Space", "BTab", "BTab", "Space")
        t.until(lambda lines: marked(lines) == ["alignment-faults", "duration_time"], "two marks")
        t.keys("u")
        t.until(lambda lines: not marked(lines), "no marks")
        leave(t)


@test
def it_works_in_any_size_without_colours_and_utf_8():
    for width, height in ((80, 24), (20, 5), (300, 80), (1, 1)):
        with open_list("sw", width=width, height=height, term="vt100", locale=ASCII) as t:
            if width >= 20:
                t.wait("alignment-f")
            t.resize(100, 30)
            t.wait("alignment-faults", "task-clock")
            equal(all(ord(c) < 128 for c in t.screen()), True, "ASCII only")
            t.resize(width, height)
            t.keys("Escape")
            leave(t)


@test
def a_signal_gives_the_terminal_back():
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGQUIT, signal.SIGHUP):
        with open_list("sw") as t:
            t.wait("alignment-faults")
            t.signal(number)
            equal(t.end(), -number)
            t.check_restored()


@test
def it_stops_and_goes_on():
    with open_list("sw") as t:
        t.wait("alignment-faults")
        t.type("/page")
        t.wait("Search: page")
        t.keys("C-z")
        t.wait_stopped()
        t.go_on()
        t.wait("Search: page", "page-faults")
        t.keys("Escape")
        leave(t)


@test
def without_a_terminal_it_says_so():
    need("ncurses")
    with Terminal(f"setsid -w {PERF} list -i sw </dev/null 2>&1 | cat") as t:
        t.wait("perf list: cannot browse", "Without -i the events are printed.")
    with Terminal([PERF, "list", "-i", "sw"], term="dumb") as t:
        t.wait("perf list: cannot browse")
        equal(t.end(), 1)


run()
