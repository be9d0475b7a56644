#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests of long names of C++ functions and tables: on a terminal lines fit, in files nothing is left out."""
import os
import re
import subprocess
import tempfile
from pathlib import Path

from tap import equal, run, test
from terminal import ASCII, PERF, Terminal

STRING = "std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >"
PUT = f"shop::Catalogue<{STRING}, std::vector<std::map<{STRING}, int> > >::put"
FIXTURES = Path(__file__).parent.parent / "fixtures"
FOLDER = Path(tempfile.mkdtemp(prefix="names-"))
PROFILE = FOLDER / "profile.folded"
PROFILE.write_text(f"prog;main;{PUT} 90\nprog;main 10\n")
REPORT = [PERF, "--no-pager", "report", "--stdio", "-i", PROFILE]


def shown(command, **how):
    with Terminal(command, **how) as t:
        t.end()
        return [line.rstrip("\n") for line in t.lines()]


def ok(condition, what):
    if not condition:
        raise AssertionError(what)


@test
def arguments_are_left_out_where_the_line_is_full():
    lines = shown([*REPORT, "-s", "sym"], height=60)
    ok(any(line.endswith("[.] shop::Catalogue<std::string, std::vector<…> >::put") for line in lines), lines)
    ok(any("---shop::Catalogue<std::string, std::vector<std::map<…> > >::put" in line for line in lines), lines)
    lines = shown([*REPORT, "-s", "sym"], width=50, height=60)
    ok(any(line.endswith("[.] shop::Catalogue<…>::put") for line in lines), lines)


@test
def where_there_is_room_types_are_called_as_in_the_source():
    lines = shown([*REPORT, "-s", "sym"], width=200, height=50)
    name = "shop::Catalogue<std::string, std::vector<std::map<std::string, int> > >::put"
    ok(any(line.endswith(name) for line in lines), lines)


@test
def without_utf8_the_dots_are_ascii():
    lines = shown([*REPORT, "-s", "sym"], height=60, locale=ASCII)
    ok(any(line.endswith("[.] shop::Catalogue<std::string, std::vector<...> >::put") for line in lines), lines)


@test
def whole_names_are_there_on_request_and_in_files():
    for more in (["--full-names"], ["-v"]):
        text = "".join(shown([*REPORT, "-s", "sym", *more], width=250, height=50))
        ok(PUT in text, text)
    text = subprocess.run([*REPORT, "-s", "sym"], capture_output=True, text=True, check=True).stdout
    ok(PUT in text, text)


@test
def the_browser_shortens_them_too():
    with Terminal([PERF, "report", "-s", "sym", "-i", PROFILE]) as t:
        t.wait("shop::Catalogue<std::string, std::vector<…> >::put")
        t.resize(46, 24)
        t.wait("[.] …::Catalogue<…>::put")
        t.resize(200, 30)
        t.wait("shop::Catalogue<std::string, ")
        t.keys("q")
        t.end()


@test
def comparisons_shorten_them_too():
    command = [PERF, "--no-pager", "diff", PROFILE, PROFILE]
    lines = shown(command, height=60)
    ok(any(line.endswith("…::Catalogue<…>::put") or line.endswith("shop::Catalogue<…>::put") for line in lines), lines)
    ok(all(len(line) <= 80 for line in lines), lines)
    text = "".join(shown([*command, "--full-names"], width=250, height=60))
    ok(PUT in text, text)
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    ok(PUT in text, text)


@test
def tables_are_narrower_on_a_terminal_and_whole_in_a_pipe():
    data = FIXTURES / "sched" / "made.data"
    for command in (["sched", "latency"], ["sched", "timehist"], ["sched", "latency", "--quantiles"]):
        lines = shown([PERF, "--no-pager", *command, "-i", data], height=200)
        ok(lines and all(len(line) <= 80 for line in lines), lines)
    whole = subprocess.run([PERF, "sched", "latency", "-i", data], capture_output=True, text=True, check=True).stdout
    ok("max start:" in whole and "more columns" not in whole, whole)
    text = "\n".join(shown([PERF, "--no-pager", "sched", "latency", "-i", data], height=200))
    ok("2 more columns are shown on a wider terminal" in text, text)


def written(command, **how):
    """Returns the lines as they were written: the terminal has not broken any."""
    with Terminal(command, **how) as t:
        t.end()
        return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", t.stream().decode()).split("\r\n")


MEMORY = FIXTURES / "memory"
C2C = ["c2c", "report", "-i", MEMORY / "intel.data", "--symfs", MEMORY / "symfs",
       "--kallsyms", MEMORY / "kallsyms.x86_64"]
KWORK = ["kwork", "timehist", "-i", FIXTURES / "kwork" / "runs.data"]
SAMPLES = ["query", "-i", PROFILE, "SELECT * FROM samples"]
WIDE = {
    "kwork timehist": (KWORK, "Runtime start      Runtime end  "),
    "c2c report": (C2C, "Core Load Hit"),
    "c2c report --functions": ([*C2C, "--functions"], "other_function_with_a_long_name (prog-x86_64)"),
    "c2c report --sides": ([*C2C, "--sides"], "entry (prog-x86_64)                | "),
    "query": (SAMPLES, PUT),
    "list --details": (["list", "--details", "sw"], "alignment-faults"),
    "sched timehist -s": (["sched", "timehist", "-s", "-i", FIXTURES / "sched" / "made.data"], "migrations"),
    "help -a": (["help", "-a"], "with the samples of each instruction"),
}


@test
def lines_of_wide_tables_fit():
    for words, whole in WIDE.values():
        lines = written([PERF, "--no-pager", *words])
        equal([line for line in lines if len(line) > 80], [])
        text = subprocess.run([PERF, *words], capture_output=True, text=True, check=True).stdout
        ok(whole in text and "wider terminal" not in text, text)


@test
def columns_that_do_not_fit_are_counted():
    text = "\n".join(written([PERF, "--no-pager", *C2C]))
    ok("The tables have 14 and 13 more columns on a wider terminal" in text, text)
    ok("[.] other_function_with_a_long  prog.c:24" in text, text)
    text = "\n".join(written([PERF, "--no-pager", *SAMPLES]))
    ok("more columns are shown on a wider terminal" in text, text)


@test
def counts_have_no_blanks_at_the_end_of_lines():
    with Terminal([PERF, "stat", "-e", "page-faults,task-clock", "true"]) as t:
        t.end()
        lines = t.stream().decode().split("\r\n")
    equal([line for line in lines if line.endswith(" ")], [])
    ok(all(len(line) <= 80 for line in lines), lines)


try:
    run()
finally:
    PROFILE.unlink()
    os.rmdir(FOLDER)
