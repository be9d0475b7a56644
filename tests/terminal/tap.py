# SPDX-License-Identifier: MIT
"""Tests as functions: each is named by a sentence, and fails by an exception.

    @test
    def a_click_moves_the_cursor(): ...

    run()

This prints TAP for tests/run. Words on the command line choose the tests whose names contain one of them.
"""
import sys
import traceback

from terminal import Skip

TESTS = []


def test(function):
    TESTS.append(function)
    return function


def equal(got, wanted, what=""):
    if got != wanted:
        raise AssertionError(f"{what + ': ' if what else ''}wanted {wanted!r}, got {got!r}")


def run():
    wanted = sys.argv[1:]
    tests = [t for t in TESTS if not wanted or any(w in t.__name__ for w in wanted)]
    print(f"1..{len(tests)}", flush=True)
    for number, function in enumerate(tests, 1):
        report(number, function)


def report(number, function):
    name = function.__name__.replace("_", " ")
    try:
        function()
        print(f"ok {number} - {name}", flush=True)
    except Skip as e:
        print(f"ok {number} - {name} # SKIP {e}", flush=True)
    except Exception:  # whatever happened, the other tests go on
        print(f"not ok {number} - {name}")
        print(traceback.format_exc(), flush=True)
