#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests of heat maps in a browser: the picture, and the effects of the pointer and the arrow keys."""
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from xml.etree import ElementTree

sys.dont_write_bytecode = True
import chromium
from tap import equal, keep, run, test

PERF = os.environ.get("PERF", str(Path(__file__).resolve().parents[2] / "build" / "perf"))
SVG = "{http://www.w3.org/2000/svg}"
LINE = "document.querySelector('text.cell').textContent"
CURSOR = "document.querySelectorAll('.cursor').length"
# In each of three seconds there are 8 short and 2 long ones; one more is in between.
POINTS = "".join(f"{second}.{i} {100 if i < 8 else 900}\n" for second in range(3) for i in range(10)) + "1.05 500\n"


def draw(points=POINTS, *options):
    path = Path(tempfile.mkdtemp()) / "heat.svg"
    subprocess.run([PERF, "heatmap", "-", "--unitstime=s", "--unitslat=us", "--step", "1s", "--max", "1000", "--rows", "10",
                    "-o", str(path), "-q", *options], input=points.encode(), check=True)
    return path


def cell(page, x, y):
    """Returns the middle of a cell on the screen: column and row, counted from the bottom."""
    return tuple(page.evaluate(f"""(() => {{
        const [left, top, width, height] = ['x', 'y', 'width', 'height'].map(
            (name) => Number(document.querySelector('.cells').getAttribute(name)));
        return [left + width * ({x} + 0.5) / 3, top + height * (10 - {y} - 0.5) / 10];
    }})()"""))


@test
def cells_are_those_of_the_points(_):
    root = ElementTree.parse(draw()).getroot()
    titles = [t.text for t in root.iter(SVG + "title")][1:]
    equal(len(titles), 7, "cells")
    equal(titles[0], "0 s to 1 s, 100 \u00b5s to 200 \u00b5s: 8 points, 80.0% of the column")
    equal(titles[3], "1 s to 2 s, 500 \u00b5s to 600 \u00b5s: 1 point, 9.1% of the column")


@test
def the_pointer_shows_a_cell(browser):
    page = browser.open(draw())
    equal(page.evaluate(LINE), "")
    page.mouse("mouseMoved", *cell(page, 0, 1))
    page.wait(f"{LINE}.startsWith('0 s to 1 s, 100 ')")
    equal(page.evaluate(CURSOR), 1)
    page.mouse("mouseMoved", *cell(page, 0, 4))
    page.wait(f"{LINE} === ''")
    page.check()
    keep(page, "heat")


@test
def arrow_keys_go_from_cell_to_cell(browser):
    page = browser.open(draw())
    page.key("Tab")
    page.wait(f"{LINE}.startsWith('0 s to 1 s, 100 ')")
    page.key("ArrowRight")
    page.wait(f"{LINE}.startsWith('1 s to 2 s, 100 ')")
    page.key("ArrowUp")
    page.wait(f"{LINE}.startsWith('1 s to 2 s, 500 ')")
    page.key("ArrowUp")
    page.wait(f"{LINE}.startsWith('1 s to 2 s, 900 ')")
    page.key("Escape")
    page.wait(f"{LINE} === ''")
    page.check()


@test
def the_picture_fits_the_window(browser):
    for width, height, dark in ((1280, 800, False), (600, 700, True)):
        page = browser.open(draw(), width=width, height=height, dark=dark)
        page.wait(f"document.querySelector('.cells').getBoundingClientRect().right <= {width}")
        equal(page.evaluate("document.querySelector('.cells').getBoundingClientRect().width > innerWidth * 0.8"), True)
        equal(page.evaluate("document.documentElement.scrollWidth <= innerWidth"), True, "no scroll bar")
        labels = page.evaluate("""Array.from(document.querySelectorAll('.axes text, .note, .title'))
            .filter(t => getComputedStyle(t).display !== 'none').map(t => t.getBoundingClientRect().left)""")
        equal([x for x in labels if x < 0], [], "texts outside")
        keep(page, f"heat-{width}{'-dark' if dark else ''}")


@test
def names_stay_text(browser):
    page = browser.open(draw(POINTS, "--title", "<script>window.bad = 1</script>&\"'", "--subtitle", "]]></svg>"))
    equal(page.evaluate("document.querySelector('.title').textContent"), "<script>window.bad = 1</script>&\"'")
    equal(page.evaluate("window.bad === undefined"), True)
    page.check()


@test
def the_html_page_has_the_same_cells(browser):
    path = Path(tempfile.mkdtemp()) / "heat.html"
    subprocess.run([PERF, "heatmap", "-", "--unitstime=s", "--unitslat=us", "--step", "1s", "--max", "1000", "--rows", "10",
                    "-o", str(path), "-q"], input=POINTS.encode(), check=True)
    page = browser.open(path)
    page.wait("document.documentElement.classList.contains('ready')")
    equal(page.evaluate("Array.from(page.heatView.grid).filter(n => n).length"), 7)
    equal(page.evaluate("page.heatView.grid.reduce((a, b) => a + b, 0)"), 31)
    equal(page.evaluate("page.heatView.most"), 8)
    page.check()
    keep(page, "heat-page")


if __name__ == "__main__":
    run()
