#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests of the code browser: the effects of its keys on a function."""
import os
import re
import sys
import tempfile

sys.dont_write_bytecode = True
from tap import equal, run, test
from terminal import ASCII, FIXTURES, PERF, Terminal, need

LINES = ["--symfs", str(FIXTURES / "lines/symfs"), "-f", "-i", str(FIXTURES / "lines/calls.data")]
X86 = ["--symfs", str(FIXTURES / "branches/symfs"), "-f", "-i", str(FIXTURES / "branches/branches.data")]


def annotate(*words, **how):
    need("ncurses")
    return Terminal([PERF, "annotate", *words], **how)


def leave(t, status=0):
    t.keys("q")
    equal(t.end(), status)
    t.check_restored()


@test
def the_hottest_function_is_shown_first():
    with annotate(*X86) as t:
        t.wait("Samples: ", "leaf  /usr/bin/prog [Percent: local period]", "│")
        t.wait("Press 'h' for help on key bindings")
        leave(t)


@test
def a_jump_is_a_line_to_its_target():
    with annotate(*X86, "--no-source", "pick") as t:
        t.wait("pick  /usr/bin/prog", "↓ jne")
        t.keys("Home", "Down")
        t.wait("┌──jne", "└─→", "ENTER to follow the jump to 12")
        t.keys("j")
        t.wait_gone("┌──")
        t.keys("j", "Enter")
        t.wait("↓ jne")
        t.wait_gone("└─→")
        leave(t)


@test
def a_call_is_gone_into_and_back_from():
    with annotate(*X86, "--no-source", "pick") as t:
        t.wait("pick  /usr/bin/prog", "→ call")
        t.type("/")
        t.wait("Search")
        t.type("call")
        t.keys("Enter")
        t.wait_gone("Search")
        t.keys("Enter")
        t.wait("leaf  /usr/bin/prog", "q to go back to the caller")
        t.keys("q")
        t.wait("pick  /usr/bin/prog", "ENTER to go into leaf")
        leave(t)


@test
def functions_follow_each_other_by_weight():
    with annotate(*X86) as t:
        t.wait("leaf  /usr/bin/prog")
        t.type(">")
        t.wait_gone("leaf  /usr/bin/prog")
        t.type("<")
        t.wait("leaf  /usr/bin/prog")
        t.type("<")
        t.wait("This function has the most samples.")
        leave(t)


@test
def figures_and_bases_change():
    with annotate(*X86, "pick") as t:
        t.wait("Percent", "[Percent: local period]")
        t.type("p")
        t.wait("[Percent: global period]")
        t.type("b")
        t.wait("[Percent: global hits]")
        t.type("t")
        t.wait("Period")
        t.type("t")
        t.wait(re.compile("^Samples *│"))
        leave(t)


@test
def cycles_have_columns():
    with annotate(*X86, "--no-source", "pick") as t:
        t.wait(re.compile(r"0\.30    25  11:.← ret"))
        t.type("c")
        t.wait("Cycle(min/max)", re.compile(r"25\(\d+/\d+\)"))
        leave(t)


@test
def source_comes_and_goes():
    with annotate(*LINES, "leaf") as t:
        t.wait("leaf  /")
        t.keys("Home")
        t.wait("Disassembly of section")
        t.type("s")
        t.wait_gone("Disassembly of section")
        t.type("s")
        t.keys("Home")
        t.wait("Disassembly of section")
        leave(t)


@test
def addresses_take_the_place_of_offsets():
    with annotate(*X86, "--no-source", "pick") as t:
        t.wait("↓ jne")
        t.type("o")
        t.wait("<pick+0x")
        t.type("oOO")
        t.wait(" 0:", "4:")
        leave(t)


@test
def help_lists_the_keys():
    with annotate(*X86, height=50) as t:
        t.wait("Samples: ")
        t.keys("h")
        t.wait("Go to hottest instruction", "Search string backwards", "Toggle source code view")
        t.keys("x")
        t.wait_gone("Search string backwards")
        leave(t)


@test
def what_is_shown_becomes_a_file():
    with tempfile.TemporaryDirectory() as folder, annotate(*X86, "pick", cwd=folder) as t:
        t.wait("pick  /usr/bin/prog", "jne")
        t.type("P")
        t.wait("pick.annotation was written")
        with open(os.path.join(folder, "pick.annotation"), encoding="utf-8") as f:
            equal(f.read().splitlines()[1], "pick() /usr/bin/prog")
        leave(t)


@test
def a_function_without_samples_is_told():
    with annotate(*X86, "picks") as t:
        t.wait('No samples for the "picks" symbol.', "Did you mean 'pick'?")
        leave(t)


@test
def code_that_is_missing_has_a_reason():
    with annotate("--symfs", "/nowhere", "-f", "-i", X86[-1]) as t:
        t.wait("No function has samples of this event.")
        leave(t)


@test
def without_utf8_arrows_are_ascii():
    with annotate(*X86, "--no-source", "pick", locale=ASCII) as t:
        t.wait("pick  /usr/bin/prog")
        t.until(lambda lines: any("jne" in line for line in lines), "a jump")
        equal([line for line in t.lines() if not line.isascii()], [])
        leave(t)


@test
def a_click_at_an_arrow_follows_it():
    with annotate(*X86, "--no-source", "pick", term="xterm-256color") as t:
        t.wait("─jne  12")
        t.keys("PPage")
        t.wait("↓ jne  12")
        row = t.row("↓ jne  12")
        t.click(row, t.lines()[row].index("↓"))
        t.keys("Enter")  # this line leads to a call
        t.wait("leaf  /usr/bin/prog")
        t.keys("Left")
        t.wait("pick  /usr/bin/prog")
        leave(t)


@test
def small_terminals_and_other_sizes_do():
    with annotate(*X86, "pick") as t:
        t.wait("pick  /usr/bin/prog")
        for width, height in ((1, 1), (20, 3), (300, 80), (80, 24)):
            t.resize(width, height)
        t.wait("pick  /usr/bin/prog")
        leave(t)


@test
def configuration_and_stdio_mean_text():
    with Terminal([PERF, "--no-pager", "annotate", *X86, "--stdio", "pick"], height=60) as t:
        equal(t.end(), 0)
        t.wait("Source code & Disassembly of")
    with tempfile.NamedTemporaryFile("w") as config:
        config.write("[tui]\n\tannotate = false\n")
        config.flush()
        with Terminal([PERF, "--no-pager", "annotate", *X86, "pick"], height=60, env={"PERF_CONFIG": config.name}) as t:
            equal(t.end(), 0)
            t.wait("Source code & Disassembly of")


run()
