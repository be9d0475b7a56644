#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The cells of the browsers are the same in tmux and in xterm.js, which is an independent terminal.

xterm.js comes only from npm.
"""
import functools
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.append(str(Path(__file__).parent.parent))
import npm
import recording
from tap import equal, run, test
from terminal import ASCII, FIXTURES, PERF, Skip, Terminal, UTF8, need

folder = tempfile.TemporaryDirectory()
CALLS = [PERF, "report", "-i", str(FIXTURES / "report" / "calls.data"), "--symfs", str(FIXTURES / "report" / "symfs")]
BOLD, REVERSE, UNDERLINE = 1, 2, 4


@functools.cache
def package():
    if not shutil.which("node"):
        raise Skip("node is not installed")
    try:
        return npm.package("@xterm/headless", folder.name)
    except npm.Unavailable as e:
        raise Skip(e) from None


def xterm(stream, width, height):
    done = subprocess.run(["node", str(Path(__file__).with_name("xterm.cjs")), package(), str(width), str(height)],
                          input=stream, capture_output=True, check=True)
    return json.loads(done.stdout)


def number(colour):
    return int(colour) if colour else -1


def of_tmux(t, width, height):
    """Returns the cells in the form of xterm.cjs; cells that tmux leaves out at the ends of rows are blanks."""
    rows = []
    for row in t.cells():
        cells = [[c.char, number(c.fg), number(c.bg), (BOLD if "bold" in c.flags else 0) +
                  (REVERSE if "reverse" in c.flags else 0) + (UNDERLINE if "underscore" in c.flags else 0)]
                 for c in row]
        rows.append(cells + [[" ", -1, -1, 0]] * (width - len(cells)))
    return rows + [[[" ", -1, -1, 0]] * width] * (height - len(rows))


def plain(cell):
    """For blanks, keeps only the character, because tmux does not report the background of a row's end."""
    return cell if cell[0].strip() else " "


def compare(command, keys=(), width=100, height=30, locale=UTF8):
    need("ncurses")
    package()
    with Terminal(command, width=width, height=height, locale=locale, term="xterm-256color") as t:
        t.wait("Samples: " if "report" in command else "task-clock")
        for key, text in keys:
            t.keys(key)
            t.wait(text)

        def agree(_):
            ours = xterm(t.stream(), width, height)
            return ours["alternate"] and [list(map(plain, row)) for row in ours["screen"]] == [
                list(map(plain, row)) for row in of_tmux(t, width, height)]
        try:
            t.until(agree, "the same cells")
        except AssertionError:
            difference(t, width, height)


def difference(t, width, height):
    for y, (a, b) in enumerate(zip(xterm(t.stream(), width, height)["screen"], of_tmux(t, width, height))):
        for x, (c, d) in enumerate(zip(a, b)):
            equal(plain(c), plain(d), f"row {y}, column {x}: tmux and xterm.js")


@test
def a_report_has_the_same_cells():
    compare(CALLS, [("Down", "Samples"), ("m", "Exit")])
    compare(CALLS, [("h", "Show this window")], width=80, height=24)
    compare(CALLS, [("e", "Samples")], width=300, height=80)


@test
def plain_characters_have_the_same_cells():
    compare(CALLS, [("m", "Exit")], locale=ASCII)


@test
def hostile_names_have_the_same_cells():
    with tempfile.TemporaryDirectory(prefix="hostile-") as folder:
        path = os.path.join(folder, "perf.data")
        recording.write(path)
        compare([PERF, "report", "-i", path, "-s", "comm,dso"], [("Down", "漢字")])


@test
def the_list_of_events_has_the_same_cells():
    compare([PERF, "list", "-i", "sw"], [("Down", "task-clock"), ("F1", "Keys of the list of events")])


run()
