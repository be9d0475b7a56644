# SPDX-License-Identifier: MIT
"""Tests as functions: each takes a browser, is named by a sentence, and fails by an exception.

    @test
    def a_click_zooms(browser): ...

    run()

This prints TAP for tests/run. Words on the command line choose the tests whose names contain one of them.
"""
import os
import sys
import traceback

import chromium

TESTS = []


class Skip(Exception):
    """The test cannot be done here; the text gives the reason."""


def test(function):
    TESTS.append(function)
    return function


def equal(got, wanted, what=""):
    if got != wanted:
        raise AssertionError(f"{what + ': ' if what else ''}wanted {wanted!r}, got {got!r}")


def run():
    wanted = sys.argv[1:]
    tests = [t for t in TESTS if not wanted or any(w in t.__name__ for w in wanted)]
    try:
        browser = chromium.Chromium()
    except chromium.Unavailable as e:
        print(f"1..0 # SKIP {e}")
        return
    with browser:
        print(f"1..{len(tests)}", flush=True)
        for number, function in enumerate(tests, 1):
            report(number, function, browser)


def report(number, function, browser):
    name = function.__name__.replace("_", " ")
    try:
        function(browser)
        print(f"ok {number} - {name}", flush=True)
    except (Skip, chromium.Unavailable) as e:
        print(f"ok {number} - {name} # SKIP {e}", flush=True)
    except Exception:  # whatever happened, the other tests go on
        print(f"not ok {number} - {name}")
        print(traceback.format_exc(), flush=True)


def keep(page, name):
    """Saves a screenshot for inspection, if KEEP names a folder for them."""
    if os.environ.get("KEEP"):
        page.screenshot(os.path.join(os.environ["KEEP"], f"{name}.png"))
