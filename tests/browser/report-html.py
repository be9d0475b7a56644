#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests of the page of `perf report --html`: its boxes have the counts that `perf script --folded` prints."""
import collections
import os
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True
from tap import equal, keep, run, test

PERF = os.environ.get("PERF", "perf")
FIXTURES = Path(os.environ["FIXTURES"]) if "FIXTURES" in os.environ else Path(__file__).parent.parent / "fixtures"


def perf(*words):
    return subprocess.run([PERF, *map(str, words)], capture_output=True, text=True, check=True).stdout


def open_report(browser, data, *options, dark=False):
    path = Path(browser.folder) / "report.html"
    perf("report", "-i", data, *options, f"--html={path}")
    page = browser.open(path, dark=dark)
    page.wait("document.documentElement.classList.contains('ready')")
    return page


def folded_boxes(data, *options):
    """Returns the samples of every box of a flame graph, by the names on the path to it."""
    sums = collections.Counter()
    for line in perf("script", "-i", data, *options, "--folded").splitlines():
        stack, _, count = line.rpartition(" ")
        way = ["all", *stack.split(";")]
        for n in range(len(way)):
            sums[";".join(way[:n + 1])] += int(count)
    return dict(sums)


def shown_boxes(page):
    return page.evaluate("""(() => {
        const graph = page.flame(), boxes = {};
        for (let i = 0; i < graph.n; i++)
            boxes[graph.path(i).map((k) => graph.text(k)).join(';')] = graph.total[0][i];
        return boxes;
    })()""")


@test
def boxes_have_the_counts_of_folded_stacks(browser):
    for name in ("report/system.data", "dwarf/aarch64/stacks.data", "dwarf/x86_64/stacks.data"):
        page = open_report(browser, FIXTURES / name)
        equal(shown_boxes(page), folded_boxes(FIXTURES / name), name)
        keep(page, "report-" + name.replace("/", "-"))
        page.check()


@test
def options_that_choose_samples_choose_them_here_too(browser):
    data = FIXTURES / "report/system.data"
    for options in (["--comm", "helper"], ["--time", "0%-50%"], ["--cpu", "0"]):
        page = open_report(browser, data, *options)
        whole = page.evaluate("page.flame().total[0][0]")
        everything = sum(int(line.rpartition(" ")[2]) for line in perf("script", "-i", data, "--folded").splitlines())
        equal(0 < whole < everything, True, f"{options}: {whole} of {everything}")
        page.check()


def svg_colours(browser, data, palette, dark):
    """Returns the colour of each box of the SVG, by its name."""
    path = Path(browser.folder) / "flame.svg"
    perf("flamegraph", "-i", data, "--color", palette, "--min-percent", "0", "-o", path)
    page = browser.open(path, dark=dark)
    return page.evaluate("""Object.fromEntries(Array.from(document.querySelectorAll('.boxes > g'), (g) =>
        [g.firstElementChild.textContent.replace(/ \\([^(]*\\)$/, ''), getComputedStyle(g.querySelector('rect')).fill]))""")


def page_colours(browser, data, palette, dark):
    page = open_report(browser, data, dark=dark)
    page.evaluate(f"page.update({{ color: '{palette}' }})")
    return page.evaluate("""(() => {
        const graph = page.flame(), { of, list } = page.boxColours(), paper = document.createElement('p');
        return Object.fromEntries(Array.from(of, (code, i) => [graph.text(i),
            (paper.style.color = list[code], paper.style.color)]));
    })()""")


@test
def functions_have_the_colours_that_the_svg_gives_them(browser):
    data = FIXTURES / "dwarf/aarch64/stacks.data"
    for palette in ("kind", "function", "object"):
        for dark in (False, True):
            equal(page_colours(browser, data, palette, dark), svg_colours(browser, data, palette, dark), palette)


@test
def every_view_of_a_report_opens(browser):
    page = open_report(browser, FIXTURES / "report/system.data")
    for view in page.evaluate("[...document.querySelectorAll('[role=tab]')].map((tab) => tab.id)"):
        page.click(f"#{view}")
        equal(page.evaluate("[...document.querySelectorAll('.panel')].filter((p) => p.offsetHeight > 50).length"), 1, view)
    page.check()


run()
