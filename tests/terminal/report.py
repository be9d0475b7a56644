#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests of the browser of reports: rows, call trees, zooms, menus."""
import os
import shutil
import sys
import tempfile

sys.dont_write_bytecode = True
from tap import equal, run, test
from terminal import ASCII, FIXTURES, PERF, Terminal, need

REPORT = FIXTURES / "report"
NAMES = ["--symfs", str(REPORT / "symfs"), "--kallsyms", str(REPORT / "kallsyms"), "-f"]


def report(data, *words, **how):
    need("ncurses")
    how.setdefault("width", 110)
    how.setdefault("height", 30)
    return Terminal([PERF, "report", *NAMES, "-i", str(REPORT / f"{data}.data"), *words], **how)


def leave(t, status=0):
    t.keys("q")
    equal(t.end(), status)
    t.check_restored()


def rows(t):
    """Returns the rows below the heads, up to the first empty line or the strip of times."""
    found = []
    for line in t.lines()[2:]:
        text = line.rstrip().rstrip("▒◆").rstrip()
        if not text or text[0] not in "+- ":
            break
        found.append(text)
    return found


@test
def title_heads_and_rows_are_those_of_perf():
    with report("calls") as t:
        t.wait("Samples: 84  of event 'cpu-clock:u', Event count (approx.): 84000000", "Tip: ")
        equal(rows(t), [
            "+   58.33%     0.00%  work     work           [.] _start",
            "+   58.33%     0.00%  work     work           [.] begin",
            "+   42.86%    42.86%  work     work           [.] hash",
            "+   41.67%     0.00%  helper   work           [.] _start",
            "+   41.67%     0.00%  helper   work           [.] begin",
            "+   41.67%     0.00%  helper   work           [.] helper",
            "+   30.95%    30.95%  helper   work           [.] hash",
            "+   27.38%     1.19%  work     work           [.] parse",
            "+   26.19%     0.00%  work     work           [.] sort",
            "+   14.29%    14.29%  work     work           [.] compare",
            "+   10.71%    10.71%  helper   work           [.] compare"])
        equal(t.lines()[1].rstrip(), "  Children      Self  Command  Shared Object  Symbol")
        leave(t)


@test
def a_row_opens_one_level_at_a_time():
    with report("calls") as t:
        t.wait("+   58.33%     0.00%  work     work           [.] _start")
        t.type("+")
        t.wait("-   58.33%", "   + begin")
        equal(rows(t)[:4], ["-   58.33%     0.00%  work     work           [.] _start",
                            "     _start", "   + begin",
                            "+   58.33%     0.00%  work     work           [.] begin"])
        t.keys("Down", "Down")
        t.type("+")
        t.wait("   - begin", "        30.95% hash", "      + 27.38% parse")
        t.type("+")
        t.wait("   + begin")
        t.wait_gone("27.38% parse")
        leave(t)


@test
def all_of_a_row_and_all_rows_open_and_close():
    with report("calls") as t:
        t.wait("[.] _start")
        t.type("e")
        t.wait("                    3.57% compare")
        t.type("c")
        t.wait_gone("3.57% compare")
        t.type("E")
        t.wait("-   58.33%     0.00%  work     work           [.] begin")
        t.type("C")
        t.wait("+   58.33%     0.00%  work     work           [.] begin")
        leave(t)


@test
def columns_scroll_one_by_one():
    with report("calls") as t:
        t.wait("  Children      Self  Command")
        t.keys("Right")
        t.wait("      Self  Command  Shared Object  Symbol", "+    0.00%  work")
        t.wait_gone("Children")
        t.keys("Left")
        t.wait("Children")
        leave(t)


@test
def interpreted_functions_are_shown_alone_or_left_out():
    need("ncurses")
    interpreted = FIXTURES / "interpreted"
    with Terminal([PERF, "report", "-f", "--symfs", str(interpreted / "symfs"), "-i", str(interpreted / "stacks.data"),
                   "--no-children", "-s", "dso,symbol"], width=110, height=30) as t:
        t.wait("27.78%  python         [.] app.py:load", "34.44%  engine         [.] copy")
        t.type("I")
        t.wait("Only native frames are shown", ", Frames: native", "60.56%  engine         [.] run",
               "1.67%  [interpreted]  [.] [interpreted]")
        t.type("I")
        t.wait("Only functions of interpreted languages are shown", ", Frames: interpreted",
               "41.67%  python         [.] app.py:load", "10.00%  [native]       [.] [native]")
        t.type("I")
        t.wait("All frames are shown", "27.78%  python         [.] app.py:load")
        t.wait_gone("Frames:")
        leave(t)


@test
def zooms_are_told_in_the_title_and_left_again():
    with report("calls") as t:
        t.wait("[.] _start")
        t.type("t")
        t.wait(", Thread: work")
        t.wait_gone("helper")
        t.type("d")
        t.wait(", Thread: work, DSO: work")
        t.keys("Escape")
        t.wait_gone("DSO: work")
        t.type("t")
        t.wait_gone("Thread: work")
        t.wait("helper")
        leave(t)


@test
def functions_are_filtered_by_a_part_of_their_name():
    with report("calls") as t:
        t.wait("[.] _start")
        t.type("/")
        t.wait("Please enter the name of symbol you want to see.")
        t.type("comp")
        t.keys("Enter")
        t.wait(", Symbol: comp")
        t.wait_gone("hash")
        equal(len(rows(t)), 2)
        t.type("/")
        t.wait("Please enter")
        t.keys("Enter")
        t.wait("hash")
        leave(t)


@test
def the_cursor_stays_on_its_row_when_keys_change():
    with report("calls") as t:
        t.wait("[.] _start")
        t.keys(*["Down"] * 9)
        t.type("L")
        t.wait("Percent Limit")
        t.type("14")
        t.keys("Enter")
        t.wait_gone("10.71%")
        t.type("+")
        t.wait("-   14.29%    14.29%  work     work           [.] compare")
        leave(t)


@test
def other_sort_keys_are_chosen_or_typed():
    with report("calls") as t:
        t.wait("[.] _start")
        t.type("s")
        t.wait("Sort by", "Type sort keys")
        t.keys("Down", "Enter")
        t.wait("  Children      Self  Symbol")
        t.type("s")
        t.wait("Sort by")
        t.type("t")
        t.wait("Sort keys")
        t.keys("C-u")
        t.type("nosuch")
        t.keys("Enter")
        t.wait("there is no sort key 'nosuch'")
        t.keys("Escape")
        t.wait_gone("nosuch")
        t.type("d")
        t.wait(", DSO: work")
        leave(t)


@test
def a_search_goes_to_rows_and_marks_them():
    with report("calls", "--no-children") as t:
        t.wait("[.] hash")
        t.keys("C-f")
        t.wait("A part of a row.")
        t.type("comp")
        t.keys("Enter")
        t.wait_gone("A part of a row.")
        t.type("+")
        t.wait("-   14.29%  work     work           [.] compare")
        t.type("nn")
        t.type("+")
        t.wait("-   10.71%  helper   work           [.] compare")
        leave(t)


@test
def several_events_begin_with_a_menu():
    with report("events") as t:
        t.wait("Available samples", "33 cpu-clock/period=2000000/", "9 page-faults/period=1/",
               "ESC: exit, ENTER|->: Browse histograms")
        t.keys("Down", "Enter")
        t.wait("Samples: 9  of event 'page-faults/period=1/'")
        t.keys("Tab")
        t.wait("Samples: 33  of event 'cpu-clock/period=2000000/'")
        t.keys("Escape")
        t.wait("Available samples")
        t.keys("Escape")
        t.wait("Do you really want to exit?")
        t.keys("Enter")
        equal(t.end(), 0)
        t.check_restored()


@test
def events_of_a_group_stand_side_by_side():
    with report("group") as t:
        t.wait("of events 'anon group { cpu-clock/period=2000000/u, page-faults/period=1/u }'",
               "          Children              Self  Command")
        t.type("1")
        t.wait("[.] _start")
        t.type("7")
        t.wait("the group has only 2")
        leave(t)


@test
def a_hierarchy_opens_level_by_level():
    with report("calls", "--hierarchy") as t:
        t.wait("  Overhead        Command / Shared Object / Symbol", "+   58.33%        work")
        t.type("+")
        t.wait("   +   58.33%        work")
        t.keys("Down")
        t.type("+")
        t.wait("      +   42.86%        [.] hash")
        t.type("E")
        t.wait("      -   42.86%        [.] hash")
        leave(t)


@test
def the_menu_names_what_is_at_the_cursor():
    with report("calls") as t:
        t.wait("[.] _start")
        t.keys("Down", "Down", "Enter")
        t.wait("Annotate hash", "Zoom into work thread", "Zoom into work DSO", "Expand [hash] callchain",
               "Browse map details", "Run scripts for samples of symbol [hash]",
               "Switch to another data file in PWD", "Exit")
        t.keys("Down", "Enter")
        t.wait(", Thread: work")
        t.keys("Enter")
        t.wait("Zoom out of work thread")
        t.keys("Escape")
        leave(t)


@test
def a_function_without_samples_is_not_annotated():
    with report("calls") as t:
        t.wait("[.] _start")
        t.type("a")
        t.wait('No samples for the "_start" symbol.')
        t.keys("Escape")
        t.wait_gone("No samples for")
        leave(t)


@test
def samples_of_a_row_are_printed_by_perf_script():
    with report("calls") as t:
        t.wait("[.] _start")
        t.type("r")
        t.wait("Show individual samples")
        t.keys("Enter")
        t.wait("cpu-clock:u:")
        t.keys("q")
        t.wait("[.] _start")
        leave(t)


@test
def scripts_are_offered_that_the_events_are_enough_for():
    need("libpython")
    with report("syscalls") as t:
        t.wait("NR 60 (")
        t.type("r")
        t.wait("Show individual samples", "syscall-counts")
        equal(any("futex-contention" in line for line in t.lines()), False)
        t.keys("End", "Enter")
        t.wait("syscall events")
        t.keys("q")
        t.wait("NR 60 (")
        leave(t)


@test
def rows_are_printed_to_a_new_file():
    with tempfile.TemporaryDirectory() as folder, report("calls", cwd=folder) as t:
        t.wait("[.] _start")
        t.type("P")
        t.wait("perf.hist.0 written!")
        t.type("P")
        t.wait("perf.hist.1 written!")
        with open(os.path.join(folder, "perf.hist.0")) as f:
            equal(f.readline(), "+   58.33%     0.00%  work     work           [.] _start\n")
        leave(t)


@test
def another_recording_is_opened():
    with tempfile.TemporaryDirectory() as folder:
        for name in ("calls", "group"):
            shutil.copy(REPORT / f"{name}.data", folder)
        with report("calls", cwd=folder) as t:
            t.wait("[.] _start")
            t.type("s")
            t.wait("Sort by")
            t.type("s")
            t.wait("Data files", "group.data")
            t.keys("Down", "Enter")
            t.wait("of events 'anon group {")
            leave(t)


@test
def the_header_is_a_text():
    with report("calls") as t:
        t.wait("[.] _start")
        t.type("i")
        t.wait("Header information", "# hostname : ")
        t.keys("q")
        t.wait("[.] _start")
        leave(t)


@test
def heads_can_be_hidden_and_percentages_turned():
    with report("calls") as t:
        t.wait("  Children      Self")
        t.type("H")
        t.wait_gone("  Children      Self")
        t.type("H")
        t.type("t")
        t.wait(", Thread: work")
        t.type("F")
        t.wait("+  100.00%     0.00%  work")
        leave(t)


@test
def the_mouse_moves_opens_and_asks():
    with report("calls", term="xterm-256color") as t:
        t.wait("[.] _start")
        t.click(4, 0)
        t.wait("-   42.86%    42.86%  work")
        t.click(4, 0)
        t.wait("+   42.86%    42.86%  work")
        leave(t)


@test
def small_and_large_screens_and_resizing():
    for width, height in ((20, 5), (300, 80), (1, 1), (80, 24)):
        with report("calls", width=width, height=height) as t:
            if height > 4:
                t.wait("Samples:" if width > 10 else "S")
            t.type("E")
            t.keys("End", "Home")
            t.resize(40, 10)
            t.wait("Samples: 84")
            leave(t)


@test
def a_terminal_without_utf8_gets_ascii():
    with report("calls", locale=ASCII) as t:
        t.wait("[.] _start")
        t.type("m")
        t.wait("Exit")
        t.until(lambda lines: all(ord(c) < 128 for line in lines for c in line), "only ASCII")
        t.keys("Escape")
        leave(t)


@test
def text_is_printed_where_it_was_asked_for():
    with report("calls", "--stdio", "-g", "none", env={"PERF_PAGER": "cat"}) as t:
        equal(t.end(), 0)
        t.wait("[.] hash")
    with report("calls", env={"TERM": "dumb", "PERF_PAGER": "cat"}) as t:
        equal(t.end(), 0)


@test
def what_is_not_for_a_browser_is_refused():
    with report("calls", "--tui", "--json") as t:
        t.wait("--tui is a browser in the terminal: --json is not for it")
        equal(t.end(), 129)


run()
