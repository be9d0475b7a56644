#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests of perf top in the browser, on a load of its own: rows, freezing, zeroing, saving, annotation, other keys."""
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
import memory
from tap import equal, run, test
from terminal import PERF, Terminal, need

SOURCE = Path(__file__).resolve().parent.parent / "live" / "top-load.c"
work = Path(tempfile.mkdtemp())
compiler = os.environ.get("CC", "cc").split()
subprocess.run([*compiler, "-O1", "-g", "-fno-omit-frame-pointer", "-o", work / "load", SOURCE], check=True)
load = subprocess.Popen([work / "load"], stdin=subprocess.PIPE)


def top(*words, **how):
    need("ncurses")
    how.setdefault("width", 130)
    how.setdefault("height", 24)
    return Terminal([PERF, "top", "-d", "0.5", "-p", str(load.pid), *words], cwd=str(work), **how)


def leave(t, status=0):
    t.keys("q")
    equal(t.end(), status)
    t.check_restored()


@test
def functions_of_the_process_are_shown_with_its_frequency():
    with top() as t:
        t.wait("of event 'c", " Hz, Event count (approx.): ", "lost: 0/0 drop: 0/0", "spin_sixty", "spin_ten")
        equal("[.] spin_sixty" in t.lines()[2], True)
        leave(t)


@test
def events_are_stopped_and_go_on():
    with top() as t:
        t.wait("spin_ten")
        t.keys("f")
        t.wait("Press 'f' again to re-enable the events", "[frozen]")
        t.keys("f")
        t.wait_gone("[frozen]")
        leave(t)


@test
def code_has_samples_from_when_it_is_looked_at():
    with top() as t:
        t.wait("spin_ten")
        t.keys("a")
        t.wait("spin_sixty  ", "ret")
        t.keys("q")
        t.wait("Event count")
        leave(t)


@test
def what_is_seen_is_saved():
    with top() as t:
        t.wait("spin_ten")
        t.keys("w")
        t.wait("saved in perf-top.data.1")
        t.until(lambda _: (work / "perf-top.data.1").exists(), "the file")
        leave(t)
    report = subprocess.run([PERF, "report", "-i", work / "perf-top.data.1", "--stdio", "-s", "symbol"],
                            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True, text=True).stdout
    equal("spin_sixty" in report, True)


@test
def interpreted_functions_are_named_while_they_run_and_when_they_are_saved():
    need("bpf")
    source = SOURCE.parent / "interpreted-load.py"
    folder = work / "interpreted"
    folder.mkdir()
    env = {"HOME": str(folder)}
    with subprocess.Popen([sys.executable, source, "600", folder / "stacks"]) as other, \
            Terminal([PERF, "top", "-d", "0.5", "-e", "cpu-clock", "--call-graph", "bpf", "--dsos", "python", "-p", str(other.pid)],
                     cwd=str(folder), width=130, height=24, env=env) as t:
        t.wait("interpreted-load.py:main")
        t.keys("/")
        t.keys(":spin", "Enter")
        t.wait("interpreted-load.py:spin")
        other.kill()
        other.wait()
        t.keys("w")
        t.wait("saved in perf-top.data.1")
        t.keys("s")
        t.wait("Sort by")
        t.keys("Down", "Enter")
        t.wait_gone("Sort by")
        t.wait("] interpreted-load.py:spin")
        leave(t)
    report = subprocess.run([PERF, "report", "-i", folder / "perf-top.data.1", "--stdio", "-s", "symbol,srcline", "--no-children"], env={**os.environ, **env},
                            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True, text=True).stdout
    equal("interpreted-load.py:spin" in report and "interpreted-load.py:4" in report, True)


@test
def rows_can_be_made_of_something_else():
    with top("-s", "comm") as t:
        t.wait("load")
        t.keys("s")
        t.wait("Sort by")
        t.keys("Down", "Enter")
        t.wait("spin_sixty")
        leave(t)


@test
def a_delay_that_is_none_is_refused():
    with top() as t:
        t.wait("spin_ten")
        t.keys("D")
        t.wait("Seconds between two refreshes")
        t.keys("x", "Enter")
        t.wait("x' is not a number of seconds")
        leave(t)


@test
def orders_are_obeyed_when_the_process_has_ended():
    need("ncurses")
    other = subprocess.Popen([work / "load"], stdin=subprocess.PIPE)
    with Terminal([PERF, "top", "-d", "0.5", "-s", "comm", "-p", str(other.pid)], cwd=str(work), width=130,
                  height=24) as t:
        t.wait("load")
        other.kill()
        other.wait()
        t.keys("w")
        t.wait("saved in perf-top.data.2")
        equal((work / "perf-top.data.2").stat().st_size > 0, True)
        t.keys("s")
        t.wait("Sort by")
        t.keys("Down", "Enter")
        t.wait("spin_sixty")
        t.keys("w")
        t.wait("saved in perf-top.data.3")
        equal((work / "perf-top.data.3").stat().st_size > 0, True)
        leave(t)


@test
def text_shows_the_code_of_a_function():
    with top("--stdio", "--sym-annotate", "spin_sixty") as t:
        t.wait("for spin_sixty", "Events  Pcnt (>=5%)", "percent: local period")
        t.keys("C-c")
        equal(t.end(), 0)
        t.check_restored()


@test
def who_has_no_memory_gives_the_terminal_back():
    env = memory.environment(work)
    for words in ((), ("--stdio",)):
        with top(*words, env=env) as t:
            t.wait("spin_ten")
            t.signal(memory.GONE)
            t.keys("h")
            equal(t.end(), 1)
            t.check_restored()
            t.wait("perf: out of memory: ")


@test
def a_signal_ends_it_and_the_terminal_is_as_before():
    with top() as t:
        t.wait("spin_ten")
        t.signal(signal.SIGTERM)
        t.end()
        t.check_restored()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
        with top("--stdio") as t:
            t.wait("spin_ten")
            t.signal(number)
            equal(t.end(), 0 if number == signal.SIGINT else -number)
            t.check_restored()


try:
    run()
finally:
    load.stdin.close()
    load.wait()
    shutil.rmtree(work)
