#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Browsers end, stop and continue like other programs, and restore the terminal; without a terminal, they print
text."""
import os
import re
import signal
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
import memory
import recording
from tap import equal, run, test
from terminal import ASCII, FIXTURES, PERF, Terminal, need

CALLS = [PERF, "report", "-i", str(FIXTURES / "report" / "calls.data"), "--symfs", str(FIXTURES / "report" / "symfs")]
CODE = [PERF, "annotate", *CALLS[2:]]
HEAD = "Samples: "
FATAL = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGQUIT)
LONG_BYTES = 400 << 20


def report(*more, **how):
    need("ncurses")
    t = Terminal([*CALLS, *more], **how)
    t.wait(HEAD)
    return t


def leave(t):
    t.keys("q")
    t.wait_or_end("Do you really")
    t.keys("y")
    equal(t.end(), 0)
    t.check_restored()


def text(command, **how):
    """Returns the output of a command without a terminal."""
    done = subprocess.run(command, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL, **how)
    return done.stdout


def dies_of(t, number):
    t.signal(number)
    equal(t.end(), -number)
    t.check_restored()


@test
def signals_end_a_report():
    for number in FATAL:
        with report() as t:
            dies_of(t, number)


@test
def signals_end_an_open_menu():
    for number in (signal.SIGTERM, signal.SIGINT):
        with report() as t:
            t.keys("m")
            t.wait("Exit")
            dies_of(t, number)


@test
def signals_end_a_prompt():
    with report() as t:
        t.keys("/")
        t.type("wor")
        t.wait("wor")
        dies_of(t, signal.SIGTERM)


@test
def signals_end_help_and_code():
    with report() as t:
        t.keys("h")
        t.wait("Show this window")
        dies_of(t, signal.SIGTERM)
    need("ncurses")
    with Terminal(CODE) as t:
        t.wait(re.compile("work|Percent|Samples"))
        dies_of(t, signal.SIGTERM)


@test
def who_has_no_memory_gives_the_terminal_back():
    need("ncurses")
    with tempfile.TemporaryDirectory(prefix="memory-") as folder:
        env = memory.environment(folder)
        for command, term in ((CALLS, "xterm-256color"), (CODE, "tmux-256color")):
            with Terminal(command, env=env, term=term) as t:
                t.wait(re.compile("work|Percent|Samples"))
                t.signal(memory.GONE)
                t.keys("h")
                equal(t.end(), 1)
                t.check_restored()
                t.wait("perf: out of memory: ")


def lengthen(path, to):
    """Repeats the data of a recording in a file with holes that takes a while to read."""
    whole = Path(path).read_bytes()
    start, size = struct.unpack_from("<QQ", whole, 40)
    data = whole[start:start + size]
    n = LONG_BYTES // size
    with open(to, "wb") as f:
        f.write(whole[:40] + struct.pack("<QQ", start, n * size) + whole[56:72] + bytes(32) + whole[104:start])
        for _ in range(n):
            f.write(data)


@test
def signals_and_keys_end_what_is_still_reading():
    need("ncurses")
    with tempfile.TemporaryDirectory(prefix="long-") as folder:
        path = os.path.join(folder, "perf.data")
        lengthen(FIXTURES / "report" / "calls.data", path)
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            with Terminal([PERF, "report", "-i", path]) as t:
                t.until(lambda lines: any(line.strip() for line in lines), "anything")
                dies_of(t, number)
        with Terminal([PERF, "report", "-i", path]) as t:
            t.wait(HEAD)
            leave(t)


@test
def a_closed_terminal_ends_it():
    for keys in ((), ("m",), ("/",)):
        with report() as t:
            t.keys(*keys or ("Down",))
            t.hang_up()
            equal(t.end() in (-signal.SIGHUP, 1), True, "ended by the hangup")


@test
def ctrl_z_stops_and_fg_goes_on():
    with report() as t:
        before = t.lines()
        for _ in range(2):
            t.keys("C-z")
            t.wait_stopped()
            t.go_on()
            t.until(lambda lines: lines[:10] == before[:10], "the same screen")
        t.keys("m")
        t.wait("Exit")
        t.signal(signal.SIGTSTP)
        t.wait_stopped()
        t.resize(100, 30)
        t.go_on()
        t.wait("Exit", HEAD)
        t.keys("Escape")
        t.wait_gone("Exit")
        leave(t)


@test
def a_stopped_report_can_be_ended():
    with report() as t:
        t.keys("C-z")
        t.wait_stopped()
        t.signal(signal.SIGTERM)
        t.go_on()
        equal(t.end(), -signal.SIGTERM)
        t.check_restored()


@test
def terminals_that_are_unknown_or_without_a_cursor_get_text():
    for term in ("dumb", None, "no-such-terminal"):
        with Terminal([*CALLS, "-g", "none"], height=60, width=120, env={"TERM": term, "PERF_PAGER": "cat"}) as t:
            equal(t.end(), 0)
            t.wait("# Samples: 84  of event 'cpu-clock:u'", "compare")
            t.check_restored()


@test
def pipes_and_files_get_text():
    need("ncurses")
    words = " ".join(CALLS)
    plain = text(CALLS)
    equal("# Samples" in plain, True)
    with tempfile.TemporaryDirectory(prefix="text-") as folder:
        for line in (f"{words} | cat >{folder}/got", f"{words} >{folder}/got", f"{words} </dev/null >{folder}/got"):
            with Terminal(line) as t:
                equal(t.end(), 0)
                t.check_restored()
                equal(Path(folder, "got").read_text() == plain, True, f"the same text: {line}")


@test
def without_standard_input_there_is_text():
    need("ncurses")
    with Terminal(f"{' '.join(CALLS)} -g none </dev/null", height=60, width=120, env={"PERF_PAGER": "cat"}) as t:
        t.wait("# Samples")
        equal(t.end(), 0)


@test
def every_size_will_do():
    sizes = ((1, 1), (20, 5), (80, 24), (300, 80))
    for width, height in sizes:
        need("ncurses")
        with Terminal(CALLS, width=width, height=height) as t:
            for other in sizes:
                t.resize(*other)
                if other[0] >= 20:
                    t.wait("Samples: ")
            t.resize(90, 20)
            t.wait(HEAD)
            leave(t)


def colours(t):
    return {(c.fg, c.bg) for row in t.cells() for c in row if c.char.strip()}


@test
def colours_are_the_users():
    need("ncurses")
    with tempfile.TemporaryDirectory(prefix="config-") as folder:
        config = Path(folder, "config")
        config.write_text("[colors]\n\ttop = magenta, default\n\tselected = yellow, blue\n")
        with report(env={"PERF_CONFIG": str(config)}) as t:
            t.keys("Down")
            t.until(lambda _: any(fg == "5" for fg, _ in colours(t)), "shares in magenta")
            equal(any(bg == "4" for _, bg in colours(t)), True, "a blue cursor")
            leave(t)
        config.write_text("[colors]\n\ttop = no-such-colour\n")
        with Terminal(CALLS, env={"PERF_CONFIG": str(config)}) as t:
            t.wait("no-such-colour")
            equal(t.end() != 0, True)


@test
def no_color_is_heeded():
    with report(env={"NO_COLOR": "1"}) as t:
        equal({fg for fg, _ in colours(t)} | {bg for _, bg in colours(t)}, {""}, "colours")
        equal(any("reverse" in c.flags for row in t.cells() for c in row), True, "the cursor is seen")
        leave(t)


@test
def the_c_locale_gets_ascii():
    with report(locale=ASCII) as t:
        t.keys("m")
        t.wait("Exit")
        equal([c for c in t.screen() if ord(c) > 126], [], "ASCII only")
        t.keys("Escape")
        t.wait_gone("Exit")
        leave(t)


@test
def hostile_names_are_shown_escaped():
    need("ncurses")
    with tempfile.TemporaryDirectory(prefix="hostile-") as folder:
        path = os.path.join(folder, "perf.data")
        recording.write(path)
        with Terminal([PERF, "report", "-i", path, "-s", "comm,dso"], width=120, height=40) as t:
            t.wait(r"\x1b]0;own", r"\x1b[666m", "漢字", r"\u202e")
            leave(t)


run()
