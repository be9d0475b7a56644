#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests of what the other tests of this folder rely on: input arrives, and errors are noticed."""
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
import chromium
from tap import equal, run, test

PAGE = """<!doctype html><title>x</title><style>@media print { p { display: none } }</style>
<input id="field"><button id="button">b</button><p>text</p><script>
const seen = [];
document.getElementById("button").onclick = () => seen.push("click");
addEventListener("keydown", e => seen.push(e.key));
</script>"""


def open_page(browser, text, **how):
    path = Path(tempfile.mkdtemp(dir=browser.folder)) / "page.html"
    path.write_text(text)
    return browser.open(path, **how)


@test
def clicks_and_keys_arrive(browser):
    page = open_page(browser, PAGE)
    page.click("#button")
    page.click("#field")
    page.type("a/Z")
    page.key("Enter")
    page.key("f", chromium.CTRL)
    equal(page.evaluate("seen"), ["click", "a", "/", "Z", "Enter", "f"])
    equal(page.evaluate("document.querySelector('#field').value"), "a/Z")
    page.check()


@test
def the_window_has_the_size_and_colours_that_were_asked_for(browser):
    page = open_page(browser, PAGE, width=600, height=400, dark=True)
    equal(page.evaluate("[innerWidth, innerHeight, matchMedia('(prefers-color-scheme: dark)').matches]"),
          [600, 400, True])
    page.look(600, 400, media="print")
    equal(page.evaluate("getComputedStyle(document.querySelector('p')).display"), "none")


@test
def screenshots_and_prints_are_files(browser):
    page = open_page(browser, PAGE)
    image, paper = (Path(browser.folder) / name for name in ("x.png", "x.pdf"))
    page.screenshot(image)
    page.pdf(paper)
    equal([image.read_bytes()[1:4], paper.read_bytes()[1:4]], [b"PNG", b"PDF"])


def complaint(page):
    try:
        page.check()
    except chromium.Failure as e:
        return str(e)
    raise AssertionError("check() found nothing")


@test
def a_script_that_fails_is_noticed(browser):
    page = open_page(browser, "<!doctype html><script>nobody.knows()</script>")
    equal("nobody is not defined" in complaint(page), True)


@test
def a_network_request_is_noticed(browser):
    page = open_page(browser, "<!doctype html><img src='http://example.invalid/x.png'>")
    equal("asks for http://example.invalid/x.png" in complaint(page), True)


@test
def what_a_policy_forbids_is_noticed(browser):
    page = open_page(browser, "<!doctype html><meta http-equiv='Content-Security-Policy' "
                              "content=\"default-src 'none'\"><script>1</script>")
    equal("Content Security Policy" in complaint(page), True)


run()
