#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests of what the other tests of this folder rely on: keys arrive, cells are read, damage is noticed."""
import signal
import sys

sys.dont_write_bytecode = True
from tap import equal, run, test
from terminal import ASCII, Terminal

ECHO = "stty -echo -icanon; echo ready; dd bs=1 count=%d 2>/dev/null | od -An -c -w100; stty sane; cat"


def keys_arrive(send, n, wanted):
    with Terminal(ECHO % n) as t:
        t.wait("ready")
        send(t)
        t.until(lambda lines: any(line.split() == wanted.split() for line in lines), wanted)


@test
def keys_arrive_by_name_and_as_text():
    keys_arrive(lambda t: t.keys("Down", "q", "C-a"), 5, r"033 [ B q 001")
    keys_arrive(lambda t: t.type("/a b;"), 5, "/ a b ;")


@test
def a_mouse_is_the_bytes_that_terminals_send():
    keys_arrive(lambda t: t.click(2, 9), 20, r"033 [ < 0 ; 1 0 ; 3 M 033 [ < 0 ; 1 0 ; 3 m")
    keys_arrive(lambda t: t.mouse(65, 0, 0), 10, r"033 [ < 6 5 ; 1 ; 1 M")


@test
def cells_have_colours():
    with Terminal(r"printf '\033[31;1mred\033[0m \033[48;5;200mback\033[m 漢x\n'; cat") as t:
        t.wait("x")
        row = t.cells()[0]
        equal((row[0].char, row[0].fg, row[0].bg, set(row[0].flags)), ("r", "1", "", {"bold"}))
        equal((row[3].fg, row[3].flags), ("", frozenset()))
        equal((row[4].char, row[4].bg), ("b", "200"))
        equal([c.char for c in row[9:12]], ["漢", "", "x"])


@test
def the_size_is_the_one_that_was_asked_for():
    with Terminal("stty size; trap 'stty size' WINCH; while :; do sleep 0.1; done", width=33, height=7) as t:
        t.wait("7 33")
        t.resize(120, 40)
        t.wait("40 120")
        t.resize(1, 1)
        t.until(lambda lines: len(lines) == 1, "a terminal of one cell")


@test
def statuses_and_signals_are_told():
    with Terminal("exit 3") as t:
        equal(t.end(), 3)
        t.check_restored()
    with Terminal(["sleep", "1000"]) as t:
        t.signal(signal.SIGTERM)
        equal(t.end(), -signal.SIGTERM)


@test
def ctrl_c_ends_and_ctrl_z_stops():
    with Terminal("echo ready; exec sleep 1000") as t:
        t.wait("ready")
        t.keys("C-z")
        t.wait_stopped()
        t.go_on()
        t.keys("C-c")
        equal(t.end(), -signal.SIGINT)


@test
def a_terminal_can_be_closed():
    with Terminal("echo ready; exec sleep 1000") as t:
        t.wait("ready")
        t.hang_up()
        equal(t.end(), -signal.SIGHUP)


@test
def the_environment_is_that_of_the_test():
    with Terminal("echo $TERM/$LC_ALL/$MORE/${HOME-none}", term="vt100", locale=ASCII,
                  env={"MORE": "x", "HOME": None}) as t:
        t.wait("vt100/C/x/none")


def damaged(command):
    with Terminal(command) as t:
        t.end()
        try:
            t.check_restored()
        except AssertionError as e:
            return str(e)
    return ""


@test
def a_terminal_that_is_not_restored_is_noticed(modes=("[?1049h", "[?25l", "[?1000h", "[?1h")):
    import terminal
    limit, terminal.LIMIT_S = terminal.LIMIT_S, 0.5  # the condition never becomes true
    try:
        said = [damaged(rf"printf '\033{mode}'") for mode in modes] + [damaged("stty -echo")]
    finally:
        terminal.LIMIT_S = limit
    equal([bool(s) for s in said], [True] * len(said), "noticed")
    equal("settings" in said[-1], True)


run()
