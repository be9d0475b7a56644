#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests of flame bars, the time strip and exports, reached from the rows of a report."""
import json
import os
import re
import subprocess
import sys
import tempfile
import xml.dom.minidom
from pathlib import Path

sys.dont_write_bytecode = True
from tap import Skip, equal, run, test
from terminal import ASCII, FIXTURES, PERF, Terminal, need

# _start calls middle and other, which call leaf; a sample each millisecond from 1.001 s to 1.023 s.
CALLS = ["--symfs", str(FIXTURES / "lines/symfs"), "-f", "-i", str(FIXTURES / "lines/calls.data")]
BARS = re.compile(r"^.middle +.other", re.M)
ROWS = "Event count (approx.): 25530"


def report(*words, **how):
    need("ncurses")
    return Terminal([PERF, "report", *CALLS, *words], **how)


def leave(t, *keys):
    t.keys(*keys, "q")
    equal(t.end(), 0)
    t.check_restored()


@test
def bars_are_as_wide_as_their_share():
    with report() as t:
        t.wait(ROWS)
        t.type("f")
        t.wait("Flame bars: 23 samples of event 'cycles'", "all  (everything)", BARS)
        line = next(l for l in t.lines() if "middle" in l)
        equal((line.index("middle"), line.index("other")), (1, 56))
        t.type("q")
        t.wait(ROWS)
        leave(t)


@test
def arrows_go_to_parents_children_and_neighbours():
    with report() as t:
        t.wait(ROWS)
        t.type("b")
        t.wait(BARS)
        t.keys("Down", "Down", "Down")
        t.wait("middle  [prog]  (user)", "70.00% of all")
        t.keys("Right")
        t.wait("other  [prog]", "30.00% of all")
        t.keys("Down")
        t.wait("leaf  [prog]", "30.00% of all, 30.00% itself")
        t.keys("Left")
        t.wait("60.79% of all")
        t.keys("Up", "Up")
        t.wait("_start  [prog]")
        leave(t, "q")


@test
def enter_zooms_in_and_backspace_out():
    with report() as t:
        t.wait(ROWS)
        t.type("f")
        t.wait(BARS)
        t.keys("Down", "Down", "Down", "Right", "Enter")
        t.wait("all > prog > _start >", "100.00% of other")
        t.wait_gone("│middle")
        t.keys("BSpace")
        t.wait(BARS)
        t.keys("Enter")
        t.wait("all > prog > _start >")
        t.keys("Escape")
        t.wait(BARS)
        t.keys("Escape")
        t.wait(ROWS)
        leave(t)


@test
def a_search_tells_the_share_of_what_matches():
    with report() as t:
        t.wait(ROWS)
        t.type("f")
        t.wait(BARS)
        t.type("/")
        t.wait("A part of the name of functions:")
        t.type("LEA")
        t.wait("'LEA' matches 90.80% in 2 bars")
        t.keys("Enter")
        t.wait_gone("A part of the name")
        t.wait("leaf  [prog]", "60.79% of all")
        t.type("n")
        t.wait("30.00% of all")
        t.type("N")
        t.wait("60.79% of all")
        t.keys("Escape")
        t.wait_gone("matches")
        t.type("/nobody")
        t.keys("Enter")
        t.wait("No name in sight has 'nobody'")
        leave(t, "q")


@test
def callers_are_the_other_way_round():
    with report() as t:
        t.wait(ROWS)
        t.type("fi")
        t.wait("Flame bars, callers:", re.compile(r"^.leaf +.middle", re.M),
               re.compile(r"^.middle +.other +._start", re.M))
        t.type("i")
        t.wait(BARS)
        leave(t, "q")


@test
def bars_of_one_function_are_in_the_menu():
    with report() as t:
        t.wait(ROWS)
        t.keys("Down", "Down", "Enter")
        t.wait("Flame bars of what is below [middle]")
        t.type("f")
        t.wait("Flame bars: 16 samples of event 'cycles' in middle", "│middle", "│leaf")
        t.wait_gone("_start")
        leave(t, "q")


@test
def tab_shows_the_next_event():
    need("ncurses")
    with Terminal([PERF, "report", "-f", "-i", str(FIXTURES / "report/group.data")]) as t:
        t.wait("Samples: 53")
        t.type("f")
        t.wait("Flame bars: 45 samples of event 'cpu-clock")
        t.keys("Tab")
        t.wait("Flame bars: 8 samples of event 'page-faults")
        t.keys("Tab")
        t.wait("Flame bars: 45 samples")
        leave(t, "q")


@test
def a_function_can_be_filtered_to():
    with report() as t:
        t.wait(ROWS)
        t.type("f")
        t.wait(BARS)
        t.keys("Down", "Down", "Down")
        t.wait("middle  [prog]")
        t.type("d")
        t.wait("Only samples in middle")
        t.wait_gone("│other")
        leave(t, "q")


@test
def a_function_alone_is_put_together_from_all_its_callers():
    with report() as t:
        t.wait(ROWS)
        t.type("f")
        t.wait(BARS)
        t.keys("Down", "Down", "Down", "Down")
        t.wait("leaf  [prog]")
        t.type("m")
        t.wait("Flame bars: 21 samples of event 'cycles' in leaf", "│leaf")
        t.wait_gone("│middle")
        t.type("i")
        t.wait("Flame bars, callers: 21 samples", re.compile(r"^.middle +.other", re.M))
        t.type("i")
        t.wait_gone("│middle")
        t.keys("Escape")
        t.wait(BARS)
        t.keys("Down", "Down")
        t.wait("_start  [prog]")
        t.type("d")
        t.wait("No sample was taken in _start itself")
        leave(t, "q")


@test
def bars_are_plain_where_the_terminal_is():
    with report(locale=ASCII, term="vt100") as t:
        t.wait(ROWS)
        t.type("f")
        t.wait(re.compile(r"^\|middle +\|other", re.M))
        leave(t, "q")


@test
def a_click_selects_and_two_zoom():
    with report(term="xterm-256color") as t:
        t.wait(ROWS)
        t.type("f")
        t.wait(BARS)
        y = next(i for i, l in enumerate(t.lines()) if "other" in l)
        t.click(y, 70)
        t.wait("other  [prog]")
        t.click(y, 10)
        t.wait("middle  [prog]")
        t.click(y, 70)
        t.click(y, 70)
        t.wait("all > prog > _start >", "100.00% of other")
        t.mouse(2, y, 70)
        t.wait(BARS)
        leave(t, "q")


@test
def bars_follow_the_size_of_the_screen():
    with report() as t:
        t.wait(ROWS)
        t.type("f")
        t.wait(BARS)
        t.resize(40, 12)
        t.until(lambda lines: any(re.match(r".middle {20}.other", l) for l in lines), "narrower bars")
        t.resize(100, 30)
        t.until(lambda lines: any(re.match(r".middle {62}.other", l) for l in lines), "wider bars")
        leave(t, "q")


@test
def a_time_is_selected_in_the_strip():
    with report() as t:
        t.wait(ROWS, "1.001000", "1.023000")
        t.type("T")
        t.wait("SPACE marks")
        t.keys("PPage", "NPage", "NPage", "Space", "NPage", "NPage", "NPage")
        t.wait("...")
        t.keys("Enter")
        t.wait(re.compile(r"Samples: [0-9]+ +of event 'cycles'.*Time: 1\.00"))
        t.wait_gone("25530")
        t.type("f")
        t.wait(re.compile(r"Flame bars: \d+ samples of event 'cycles', time 1\.00"))
        t.type("q")
        t.wait("Time: 1.00")
        t.keys("Escape")
        t.wait(ROWS)
        leave(t)


@test
def shift_selects_a_time_as_well():
    with report(term="xterm-256color") as t:
        t.wait(ROWS, "1.001000")
        t.type("T")
        t.wait("SPACE marks")
        t.bytes(b"\033[1;2C" * 20)
        t.wait("...")
        t.keys("Enter")
        t.wait("Time: 1.00")
        leave(t)


@test
def the_mouse_selects_a_time():
    with report(term="xterm-256color") as t:
        t.wait(ROWS, "1.001000")
        y = next(i for i, l in enumerate(t.lines()) if "1.001000" in l) - 1
        t.mouse(0, y, 20, release=False)
        t.bytes(b"\033[<0;%d;%dm" % (40, y + 1))
        t.wait("Time: 1.00")
        leave(t)


@test
def samples_without_times_have_no_strip():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "perf.data")
        need("ncurses")
        record_without_times(path)
        with Terminal([PERF, "report", "-f", "-i", path]) as t:
            t.wait("Samples:")
            t.type("T")
            t.wait("The samples have no times")
            leave(t)


def record_without_times(path):
    loop = "i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done"
    r = subprocess.run([PERF, "record", "-q", "-e", "cpu-clock:u", "--no-timestamp", "-o", path, "--", "sh", "-c", loop],
                       capture_output=True, text=True)
    if r.returncode:
        raise Skip(r.stderr.strip())


def exported(t, letter, name):
    t.type("x")
    t.wait("Export", "Flame graph (SVG)")
    t.type(letter)
    t.wait("The name of the file:", name)
    t.keys("Enter")
    t.wait(re.compile("^" + re.escape(name) + ": [0-9]+", re.M))


@test
def what_is_shown_is_exported():
    with tempfile.TemporaryDirectory() as folder, report(cwd=folder) as t:
        t.wait(ROWS)
        exported(t, "s", "perf-report.svg")
        exported(t, "h", "perf-report.html")
        exported(t, "f", "perf-report.folded")
        exported(t, "j", "perf-report.json")
        exported(t, "t", "perf-report.txt")
        leave(t)
        files = Path(folder)
        xml.dom.minidom.parse(str(files / "perf-report.svg"))
        page = (files / "perf-report.html").read_text()
        equal(page.lower().startswith("<!doctype html>") and page.rstrip().endswith("</html>"), True)
        equal((files / "perf-report.folded").read_text().splitlines()[0].rsplit(" ", 1)[0], "prog;_start;middle")
        equal(json.loads((files / "perf-report.json").read_text())["events"][0]["samples"], 23)
        equal("# Samples: 23  of event 'cycles'" in (files / "perf-report.txt").read_text(), True)


@test
def a_file_is_replaced_only_after_a_question():
    with tempfile.TemporaryDirectory() as folder, report(cwd=folder) as t:
        path = Path(folder) / "perf-report.svg"
        path.write_text("mine")
        t.wait(ROWS)
        exported(t, "s", "perf-report-2.svg")
        t.type("xs")
        t.wait("perf-report-3.svg")
        t.keys("C-u")
        t.type("perf-report.svg")
        t.keys("Enter")
        t.wait("'perf-report.svg' exists. Replace it?")
        t.type("n")
        t.wait_gone("Replace it?")
        equal(path.read_text(), "mine")
        t.type("xs")
        t.wait("perf-report-3.svg")
        t.keys("C-u")
        t.type("perf-report.svg")
        t.keys("Enter")
        t.wait("Replace it?")
        t.type("y")
        t.wait("perf-report.svg: ")
        leave(t)
        equal(path.read_text().startswith("<?xml"), True)


@test
def what_is_zoomed_into_is_exported_alone():
    with tempfile.TemporaryDirectory() as folder, report(cwd=folder) as t:
        t.wait(ROWS)
        t.type("f")
        t.wait(BARS)
        t.keys("Down", "Down", "Down", "Right", "Enter")
        t.wait("all > prog > _start >")
        exported(t, "f", "perf-report.folded")
        leave(t, "q")
        equal((Path(folder) / "perf-report.folded").read_text(), "prog;_start;other;leaf 7\n")


@test
def code_is_left_for_the_export_of_the_report():
    with tempfile.TemporaryDirectory() as folder, report(cwd=folder) as t:
        t.wait(ROWS)
        t.type("f")
        t.wait(BARS)
        t.keys("Down", "Down", "Down", "Down")
        t.wait("leaf  [prog]")
        t.type("a")
        t.wait("leaf  ")
        t.wait_gone("Flame bars")
        exported(t, "j", "perf-report.json")
        t.type("q")
        t.wait(BARS)
        leave(t, "q")


@test
def a_folder_that_is_not_there_is_told():
    with tempfile.TemporaryDirectory() as folder, report(cwd=folder) as t:
        t.wait(ROWS)
        t.type("xs")
        t.wait("The name of the file:")
        t.keys("C-u")
        t.type("nowhere/x.svg")
        t.keys("Enter")
        t.wait("nowhere")
        leave(t)


run()
