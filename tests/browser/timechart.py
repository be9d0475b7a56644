#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests of time charts in a browser: zoom, search, hover, and the reason why a thread was not running."""
import os
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
import chromium
from tap import equal, keep, run, test

TOP = Path(__file__).resolve().parents[2]
PERF = os.environ.get("PERF", str(TOP / "build" / "perf"))
STATES = TOP / "tests/fixtures/timechart/states.data"
CALLS = TOP / "tests/fixtures/timechart/calls.data"
STACKS = TOP / "tests/fixtures/timechart/stacks.data"
ANSWER = "document.querySelector('.tc-answer').textContent"
IS_READY = "Boolean(document.querySelector('.tc-rows canvas'))"
# Places of the picture: names take 190 pixels, the right margin 12. CPU 1 has a strip for idle states.
LABEL, MARGIN = 190, 12
ROWS = {"CPU 0": 0, "CPU 1": 20, "worker": 55, "sleeper": 75, "reader": 95, "markup": 115, "short": 135}


def draw(data=STATES, *options, name="chart.svg"):
    path = Path(tempfile.mkdtemp()) / name
    subprocess.run([PERF, "timechart", "-i", str(data), "-o", str(path), *options], check=True,
                   stderr=subprocess.DEVNULL)
    return path


def open_chart(browser, path, fragment="", **how):
    page = browser.open(f"file://{path}{fragment}" if fragment else path, **how)
    page.wait(IS_READY)
    page.settle()
    return page


def spot(page, row, ms, whole=100):
    """Returns the place of a row at a time, on the screen."""
    left, top, width = page.evaluate("""(() => {
        const box = document.querySelector('.tc-rows canvas').getBoundingClientRect();
        return [box.left, box.top, document.querySelector('.tc-rows').clientWidth];
    })()""")
    return left + LABEL + (width - LABEL - MARGIN) * ms / whole, top + 28 + ROWS[row] + 7


def click(page, row, ms, whole=100):
    x, y = spot(page, row, ms, whole)
    page.mouse("mouseMoved", x, y)
    page.mouse("mousePressed", x, y, button="left", clickCount=1)
    page.mouse("mouseReleased", x, y, button="left", clickCount=1)


def asked(page, row, ms):
    click(page, row, ms)
    page.wait(f"!document.querySelector('.tc-answer').hidden && {ANSWER}.startsWith('\u00d7{row}')")
    return page.evaluate(ANSWER)


@test
def a_click_tells_why_a_thread_waited_for_its_cpu(browser):
    page = open_chart(browser, draw())
    answer = asked(page, "worker", 37)
    for words in ("waiting for a CPU", "It waited 10 ms for CPU 0, from 32 ms to 42 ms.",
                  "reader 101 took its CPU 0", "Meanwhile on CPU 0:reader 101 10 ms"):
        equal(words in answer, True, f"{words!r} in {answer!r}")
    page.check()
    keep(page, "timechart")


@test
def a_click_tells_who_woke_a_blocked_thread(browser):
    page = open_chart(browser, draw())
    answer = asked(page, "reader", 20)
    for words in ("It was blocked for 20 ms, from 10 ms to 30 ms.", "worker 102 woke it at 30 ms.",
                  "Then it waited 2 ms for CPU 0.", "Meanwhile on CPU 0:worker 102 2 ms"):
        equal(words in answer, True, f"{words!r} in {answer!r}")
    page.check()


@test
def an_interrupt_is_named(browser):
    page = open_chart(browser, draw())
    equal("An interrupt woke it at 20 ms." in asked(page, "sleeper", 20.5), True)
    page.check()


@test
def a_name_in_an_answer_leads_to_its_thread(browser):
    page = open_chart(browser, draw())
    asked(page, "reader", 20)
    page.click(".tc-link")
    page.wait(f"{ANSWER}.startsWith('\u00d7worker 102')")
    page.back()
    page.wait(f"{ANSWER}.startsWith('\u00d7reader 101')")
    page.check()


@test
def cpus_tell_who_ran_and_their_power_states(browser):
    page = open_chart(browser, draw())
    answer = asked(page, "CPU 1", 30)
    equal("sleeper 103 ran for 19 ms" in answer and "2.4 GHz" in answer, True, answer)
    equal("Idle state 2 for 19 ms." in asked(page, "CPU 1", 10), True)
    page.check()


@test
def names_that_are_markup_stay_text(browser):
    page = open_chart(browser, draw())
    click(page, "markup", 45)
    page.wait(f"{ANSWER}.includes('<b>&\"')")
    equal(page.evaluate("document.querySelectorAll('.tc-answer b').length"), 0)
    equal(page.evaluate(f"{ANSWER}.includes('\\\\x1b[31m')"), True)
    page.check()


@test
def zoom_by_wheel_keys_and_selection(browser):
    page = open_chart(browser, draw())
    page.wheel(*spot(page, "worker", 50), -100, modifiers=2)
    page.wait("location.hash.includes('from=')")
    page.key("0")
    page.wait("!location.hash.includes('from=')")
    page.drag(spot(page, "reader", 10), spot(page, "reader", 30))
    page.wait("document.querySelector('.tc-selection').textContent.startsWith('Selected: ')")
    page.key("Enter")
    page.wait("location.hash.includes('from=')")
    start, end = page.evaluate("['from', 'to'].map(n => Number(new URLSearchParams(location.hash.slice(1)).get(n)))")
    equal(abs(start - 10e6) < 3e5 and abs(end - 30e6) < 3e5, True, f"{start} {end}")
    page.back()
    page.wait("!location.hash.includes('from=')")
    page.check()


@test
def keys_go_from_piece_to_piece(browser):
    page = open_chart(browser, draw(), "#row=0&at=5000000")
    page.wait(f"{ANSWER}.startsWith('\u00d7reader 101 at 5')")
    page.key("ArrowRight")
    page.wait(f"{ANSWER}.includes('blocked for 20 ms')")
    page.key("ArrowUp")
    page.wait(f"{ANSWER}.startsWith('\u00d7sleeper 103')")
    page.key("Escape")
    page.wait("document.querySelector('.tc-answer').hidden")
    page.check()


@test
def search_leaves_the_rows_that_match(browser):
    page = open_chart(browser, draw())
    page.key("/")
    page.type("er 10[12]")
    page.wait("document.querySelector('.tc-found').textContent === '2 of 5'")
    page.key("Escape")
    page.wait("document.querySelector('.tc-found').textContent === ''")
    page.key("/")
    page.type("(")
    page.wait("document.querySelector('.tc-found').textContent === 'no regular expression'")
    page.check()


@test
def hover_tells_state_and_length(browser):
    page = open_chart(browser, draw())
    page.mouse("mouseMoved", *spot(page, "reader", 20))
    page.wait("document.querySelector('.tc-tip').textContent.endsWith('blocked, 20 ms')")
    page.check()


@test
def io_calls_have_sizes_and_errors(browser):
    page = open_chart(browser, draw(CALLS), "#row=0&at=6000000")
    page.wait(f"{ANSWER}.includes('read of descriptor 3, 2 ms, 4 KiB')")
    page = open_chart(browser, draw(CALLS), "#row=1&at=50500000")
    page.wait(f"{ANSWER}.includes('failed with error 2')")
    page.check()
    keep(page, "timechart-calls")


def open_page(browser, data, *options, **how):
    page = open_chart(browser, draw(data, "--html", *options, name="chart.html"), **how)
    page.wait("performance.getEntriesByName('chart').length === 1")
    return page


@test
def a_page_answers_clicks_as_the_picture_does(browser):
    page = open_page(browser, STATES)
    equal("It waited 10 ms for CPU 0" in asked(page, "worker", 37), True)
    equal(page.evaluate("[...document.querySelectorAll('[role=tab]')].map(t => t.textContent)"),
          ["Time chart", "Facts"])
    page.check()


@test
def a_selection_has_its_flame_graph(browser):
    page = open_page(browser, STACKS)
    whole = page.evaluate("page.flame().total[1][0]")
    equal(whole, 20e6 + 12e6 + 2e6, "ns of waiting")
    x, y, width = page.evaluate("""(() => {
        const box = document.querySelector('.tc-rows canvas').getBoundingClientRect();
        return [box.left + 190, box.top + 40, document.querySelector('.tc-rows').clientWidth - 202];
    })()""")
    page.drag((x + width * 0.26, y), (x + width * 0.49, y))
    page.wait("document.querySelector('.tc-selection').textContent.includes('Flame graph')")
    page.key("f")
    page.wait("location.hash.includes('view=flame') && location.hash.includes('time=')")
    part = page.evaluate("page.flame().total[1][0]")
    equal(part, 10e6, "from 10 to 20 ms there is one wait")
    page.check()
    keep(page, "timechart-flame")


@test
def stacks_tell_where_a_thread_waited(browser):
    page = open_page(browser, STACKS)
    page.evaluate("document.querySelector('.tc-rows canvas').focus()")
    for _ in range(3):
        page.key("ArrowDown")
    page.wait(f"{ANSWER}.includes('It was blocked for 20 ms')")
    for words in ("Where it waited", "client 302 woke it at 25 ms.", "Stack of the waker",
                  "Then it waited 3 ms for CPU 0.", "Meanwhile on CPU 0:client 302 3 ms"):
        equal(words in page.evaluate(ANSWER), True, words)
    equal(page.evaluate("document.querySelectorAll('.tc-stack li').length"), 5)
    page.check()


@test
def a_page_has_the_colours_of_its_theme(browser):
    page = open_page(browser, STATES, dark=True)
    colour = "getComputedStyle(document.querySelector('.timechart-page')).backgroundColor"
    equal(page.evaluate(colour), "rgb(22, 24, 27)")
    page.click("#theme")
    page.wait(f"{colour} === 'rgb(255, 255, 255)'")
    page.check()


@test
def it_fits_small_and_dark_windows(browser):
    for width, height, dark in ((1280, 800, True), (480, 640, False)):
        page = open_chart(browser, draw(), "#row=1&at=37000000", width=width, height=height, dark=dark)
        equal(page.evaluate("document.documentElement.scrollWidth <= innerWidth"), True)
        page.check()
        keep(page, f"timechart-{width}{'-dark' if dark else ''}")


if __name__ == "__main__":
    run()
