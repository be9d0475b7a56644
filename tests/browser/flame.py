#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests of flame graphs in a browser: the picture, and the effects of clicks and keys."""
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from xml.etree import ElementTree

sys.dont_write_bytecode = True
import chromium
import folded
from tap import equal, keep, run, test

SVG = "{http://www.w3.org/2000/svg}"
STACKS = {("sh", "main", "read"): 30, ("sh", "main", "read", "copy"): 10, ("sh", "main", "write", "copy"): 20,
          ("sh", "main"): 10, ("cat", "main", "read"): 30}
# before and after
CHANGED = "".join(f"{stack} {before} {after}\n" for stack, before, after in (
    ("sh;main;same", 5000, 5000), ("sh;main;slower", 1000, 4000), ("sh;main;quicker", 3000, 1000),
    ("sh;main;gone", 1000, 0), ("sh;main;new", 0, 500)))

# Expressions that the tests evaluate in a page.
BOX = "(Array.from(document.querySelectorAll('.boxes > g')).find(g => g.firstElementChild.textContent.startsWith('%s (')))"
SHOWN = """Array.from(document.querySelectorAll('.boxes > g'))
    .filter(g => getComputedStyle(g).display != 'none')
    .map(g => g.firstElementChild.textContent.split(' (')[0])"""
MATCHED = "document.querySelector('.matched').textContent"
DETAILS = "document.querySelector('footer').textContent"
FOCUS = "document.activeElement.getAttribute('aria-label')"


def new_path():
    return Path(tempfile.mkdtemp()) / "flame.svg"


def open_stacks(browser, stacks, *options, **how):
    text = stacks if isinstance(stacks, (str, bytes)) else folded.lines(stacks)
    return browser.open(folded.draw(text, new_path(), *options), **how)


def width_of(page, name):
    return page.evaluate(f"{BOX % name}.querySelector('rect').getBoundingClientRect().width")


def check_xml(path):
    done = subprocess.run(["xmllint", "--noout", "--nonet", str(path)], capture_output=True, text=True)
    equal((done.returncode, done.stderr), (0, ""), "xmllint")


def boxes_of_file(path):
    """Returns (title, x, y, width) of each box, read by an XML parser."""
    root = ElementTree.parse(path).getroot()
    boxes = next(g for g in root.iter(SVG + "g") if g.get("class") == "boxes")
    for g in boxes:
        rect = g.find(SVG + "rect")
        yield g.find(SVG + "title").text, *(float(rect.get(a)) for a in ("x", "y", "width"))


@test
def boxes_and_widths_are_those_of_the_stacks(_):
    for seed, options, width in ((1, (), 1200), (2, ("--width", "700"), 700)):
        stacks = folded.some_stacks(3000, seed)
        wanted = folded.drawn(stacks, width)
        got = list(boxes_of_file(folded.draw(folded.lines(stacks), new_path(), *options)))
        equal(len(got), len(wanted), "boxes")
        all_weight = wanted[0][4]
        bottom = got[0][2]
        for (name, depth, x, w, total), (title, got_x, got_y, got_w) in zip(wanted, got):
            share = "100" if not depth else f"{total * 100 / all_weight:.2f}"
            equal(title, f"{name} ({total:,} samples, {share}%)")
            equal((bottom - got_y) / 17, depth, title)
            if abs(x - got_x) > 0.051 or abs(w - got_w) > 0.051:
                raise AssertionError(f"{title}: {got_x} {got_w} instead of {x} {w}")


@test
def a_picture_is_xml_whatever_the_names_are(browser):
    # The first name is long, because perf treats a file that begins with control characters as a damaged recording.
    names = ["x" * 10000, "<>&\"'", "</title><script>window.hurt = 1</script>", "]]>", "\x01\x1b[31m\x7f", "\u202eleft",
             "\ufffe\uffff", "std::map<int, std::pair<a, b> >::operator[](int&&)", "\u6771\u4eac \U0001f427",
             "a (1 samples, 2%)", "${x}`"]
    text = b"".join(b"sh;" + name.encode("utf-8", "surrogatepass") + b" 1\n" for name in names)
    text += b"sh;bad\xff\xc0\x80\xed\xa0\x80 1\nsh;main;<img src=x onerror=alert(1)> 3\n"
    path = folded.draw(text, new_path(), "--title", "<b>\"&'</b>", "--count-name", "(a, b), c")
    check_xml(path)
    page = browser.open(path)
    page.wait("document.querySelector('h1')")
    equal(page.evaluate("window.hurt"), None)
    equal(page.evaluate("document.querySelector('h1').textContent"), "<b>\"&'</b>")
    equal(page.evaluate("document.images.length"), 0)
    shown = page.evaluate(SHOWN)
    for name in ("<>&\"'", "]]>", "\\u202eleft", "x" * 10000, "a", "\u6771\u4eac \U0001f427"):
        equal(name in shown, True, name[:50])
    page.click("input")
    page.type("^<>&")
    equal(page.evaluate(MATCHED), "Matched: 6.67%")
    page.check()


@test
def a_click_zooms_and_back_leads_back(browser):
    page = open_stacks(browser, STACKS)
    whole = width_of(page, "all")
    page.click(BOX % "write")
    equal(page.evaluate(SHOWN), ["all", "sh", "main", "write", "copy"])
    equal(width_of(page, "write"), whole)
    equal(page.evaluate("location.hash.length > 1"), True)
    page.back()
    page.wait(f"{SHOWN}.length == 10")
    page.forward()
    page.wait(f"{SHOWN}.length == 5")
    page.click("(Array.from(document.querySelectorAll('button')).find(b => b.textContent == 'Reset zoom'))")
    equal(page.evaluate(f"{SHOWN}.length"), 10)
    page.check()


@test
def text_fits_its_box_before_and_after_zooming(browser):
    page = open_stacks(browser, {("sh", "a_rather_long_name_of_a_function"): 1, ("sh", "other"): 12})
    narrow = "Array.from(document.querySelectorAll('.boxes text')).filter(t => t.textContent.startsWith('a_r'))[0]"
    equal(page.evaluate(f"{narrow}.textContent.endsWith('\\u2026')"), True)
    fits = """Array.from(document.querySelectorAll('.boxes > g')).every(g => !g.querySelector('text') ||
        g.querySelector('text').getBoundingClientRect().width <= g.querySelector('rect').getBoundingClientRect().width)"""
    equal(page.evaluate(fits), True)
    page.click(BOX % "a_rather_long_name_of_a_function")
    equal(page.evaluate(f"{narrow}.textContent"), "a_rather_long_name_of_a_function")
    page.look(330, 600)
    page.settle()
    equal(page.evaluate(fits), True)


@test
def a_search_tells_the_matched_share(browser):
    page = open_stacks(browser, STACKS)
    page.key("/")
    page.type("copy")
    equal(page.evaluate(MATCHED), "Matched: 30.00%")
    page.key("Escape")
    equal(page.evaluate(MATCHED), "")
    # copy within read is counted once.
    page.key("f", chromium.CTRL)
    page.type("READ|copy$")
    equal(page.evaluate(MATCHED), "Matched: 90.00%")
    equal(page.evaluate("document.querySelectorAll('.hit').length"), 4)
    page.click("(Array.from(document.querySelectorAll('button')).find(b => b.textContent == 'Aa'))")
    equal(page.evaluate(MATCHED), "Matched: 30.00%")
    page.click(BOX % "write")
    equal(page.evaluate(MATCHED), "Matched: 30.00% (100.00% of this view)")
    page.check()


@test
def a_broken_expression_is_told_and_does_no_harm(browser):
    page = open_stacks(browser, STACKS)
    page.click("input")
    page.type("re(")
    equal(page.evaluate(MATCHED), "Not a regular expression")
    page.type("ad)")
    equal(page.evaluate(MATCHED), "Matched: 70.00%")
    page.check()


@test
def a_link_reproduces_the_view(browser):
    page = open_stacks(browser, STACKS)
    page.click(BOX % "read")
    page.key("/")
    page.type("copy")
    page.key("Enter")
    page.key("i")
    look = f"""JSON.stringify([{SHOWN}, {MATCHED}, Array.from(document.querySelectorAll('.boxes rect'),
        r => [r.getAttribute('x'), r.getAttribute('y'), r.getAttribute('width')].join())
        .filter((_, i) => getComputedStyle(document.querySelectorAll('.boxes > g')[i]).display != 'none')])"""
    other = browser.open(page.evaluate("location.href"))
    equal(other.evaluate(look), page.evaluate(look))
    equal(page.evaluate(MATCHED) != "", True)
    nonsense = browser.open(re.sub("#.*", "#zoom=999999&search=%5B&side=x", page.evaluate("location.href")))
    equal(nonsense.evaluate(f"{SHOWN}.length"), 10)
    for each in (page, other, nonsense):
        each.check()


@test
def keys_alone_suffice(browser):
    page = open_stacks(browser, STACKS)
    page.evaluate("document.querySelector('.boxes [tabindex]').focus()")
    equal(page.evaluate(FOCUS).startswith("all, 100 samples"), True)
    page.key("ArrowUp")
    equal(page.evaluate(FOCUS).split(",")[0], "sh")
    page.key("ArrowLeft")
    equal(page.evaluate(FOCUS).split(",")[0], "cat")
    page.key("ArrowRight")
    page.key("ArrowUp")
    page.key("ArrowUp")
    equal(page.evaluate(FOCUS).split(",")[0], "read")
    equal("40 samples" in page.evaluate(DETAILS), True)
    page.key("Enter")
    equal(page.evaluate(SHOWN), ["all", "sh", "main", "read", "copy"])
    page.key("ArrowDown")
    equal(page.evaluate(FOCUS).split(",")[0], "main")
    page.key("Escape")
    page.wait(f"{SHOWN}.length == 10")
    page.key("Enter")
    page.key("0")
    equal(page.evaluate(f"{SHOWN}.length"), 10)
    page.key("i")
    page.key("ArrowDown")
    equal(page.evaluate(FOCUS).split(",")[0], "sh")
    page.key("?")
    equal(page.evaluate("document.querySelector('dialog').open"), True)
    page.key("Escape")
    equal(page.evaluate("document.querySelector('dialog').open"), False)
    ring = "getComputedStyle(document.querySelector('.ring')).display"
    equal(page.evaluate(ring) != "none", True)
    page.check()


@test
def flipping_turns_the_picture_over(browser):
    page = open_stacks(browser, STACKS)
    top = f"{BOX % 'all'}.getBoundingClientRect().y < {BOX % 'copy'}.getBoundingClientRect().y"
    equal(page.evaluate(top), False)
    page.key("i")
    equal(page.evaluate(top), True)
    icicle = open_stacks(browser, STACKS, "--icicle")
    equal(icicle.evaluate(top), True)
    icicle.key("i")
    equal(icicle.evaluate(top), False)


@test
def hovering_tells_the_details(browser):
    page = open_stacks(browser, STACKS)
    page.hover(BOX % "write")
    details = page.evaluate(DETAILS)
    for part in ("write", "20 samples", "20.00%"):
        equal(part in details, True, details)
    page.hover((640, 20))
    equal("100 samples" in page.evaluate(DETAILS), True)


@test
def the_picture_follows_the_window(browser):
    page = open_stacks(browser, STACKS, width=1280, height=800)
    equal(width_of(page, "all"), 1260)
    page.look(600, 800)
    page.wait(f"{BOX % 'all'}.getBoundingClientRect().width == 580")
    equal(page.evaluate("document.documentElement.scrollWidth <= 600"), True)


@test
def a_comparison_switches_between_its_sides(browser):
    page = open_stacks(browser, CHANGED)
    equal("compared with before" in page.evaluate("document.querySelector('header').textContent"), True)
    legend = "document.querySelector('.legend').textContent"
    equal("red: takes a larger share than before" in page.evaluate(legend), True)

    def hue(name):
        red, _, blue = (int(x) for x in re.findall(r"\d+", page.evaluate(
            f"getComputedStyle({BOX % name}.querySelector('rect')).fill"))[:3])
        return "red" if red > blue + 30 else "blue" if blue > red + 30 else "grey"

    equal([hue(n) for n in ("slower", "new", "quicker", "same")], ["red", "red", "blue", "grey"])
    equal("gone" in page.evaluate(SHOWN), False)
    equal("gone since before: 10.00%, see Before" in page.evaluate(legend), True)
    all_width = width_of(page, "all")
    equal(round(width_of(page, "slower") / all_width, 2), round(4000 / 10500, 2))
    title = page.evaluate(f"{BOX % 'slower'}.firstElementChild.textContent")
    equal(title, "slower (4,000 samples, 38.10%; before 10.00%: +28.10 points)")
    page.hover(BOX % "slower")
    equal("before 10.00%, after 38.10%: +28.10 points" in page.evaluate(DETAILS), True, page.evaluate(DETAILS))
    page.click("button[value=before]")
    equal("gone" in page.evaluate(SHOWN), True)
    equal("new" in page.evaluate(SHOWN), False)
    equal(round(width_of(page, "gone") / all_width, 2), 0.1)
    equal("shares before" in page.evaluate(legend), True)
    page.key("a")
    equal(round(width_of(page, "slower") / all_width, 2), round(4000 / 10500, 2))
    page.back()
    page.wait(f"{SHOWN}.includes('gone')")
    page.evaluate("document.querySelector('button[value=before]').focus()")
    page.key("ArrowLeft")
    equal(page.evaluate("document.activeElement.value"), "difference")
    page.key("ArrowRight")
    equal("gone" in page.evaluate(SHOWN), True)
    # A box that is gone cannot stay the zoom of a side without it.
    page.click(BOX % "gone")
    page.key("d")
    equal("all" in page.evaluate(SHOWN) and "slower" in page.evaluate(SHOWN), True)
    page.check()


@test
def colours_follow_the_reader(browser):
    page = open_stacks(browser, STACKS)
    ground = "getComputedStyle(document.documentElement).backgroundColor"
    equal(page.evaluate(ground), "rgb(255, 255, 255)")
    light = page.evaluate(f"getComputedStyle({BOX % 'read'}).fill")
    page.look(1280, 800, dark=True)
    equal(page.evaluate(ground), "rgb(22, 24, 27)")
    equal(page.evaluate(f"getComputedStyle({BOX % 'read'}).fill") != light, True)
    page.look(1280, 800, dark=True, media="print")
    equal(page.evaluate(ground), "rgb(255, 255, 255)")


@test
def a_function_has_the_same_colour_in_the_page(browser):
    """Here palette.c chooses the swatches, in the page its script does."""
    kinds = {"user": "", "kernel": "_[k]", "jit": "_[j]", "inlined": "_[i]", "waker": "_[w]"}
    frames = [(f"{kind}_{i}", kind) for i in range(12) for kind in kinds]
    line = ";".join(["sh"] + [name + kinds[kind] for name, kind in frames]) + " 1\n"
    path = folded.draw(line, new_path().with_suffix(".html"), "--html")
    fills = """Object.fromEntries(Array.from(document.querySelectorAll('.boxes > g'),
        g => [g.firstElementChild.textContent.split(' (')[0], getComputedStyle(g).fill]))"""
    colours = """(() => { const graph = page.flame(), { of, list } = page.boxColours(), paper = document.createElement('p');
        return Object.fromEntries(Array.from(of, (code, i) => [graph.text(i),
            (paper.style.color = list[code], paper.style.color)])); })()"""
    for palette in ("kind", "function", "java"):
        for dark in (False, True):
            svg = open_stacks(browser, line, "--color", palette, dark=dark).evaluate(fills)
            page = browser.open(path.as_uri() + f"#color={palette}", dark=dark)
            page.wait("document.documentElement.classList.contains('ready')")
            there = page.evaluate(colours)
            wanted = {name: svg[name] for name, _ in frames}
            equal({name: there.get(name) for name, _ in frames}, wanted, f"{palette}, dark: {dark}")


@test
def deep_stacks_stay_usable(browser):
    names = tuple(f"frame_{i}" for i in range(500))
    path = folded.draw(folded.lines({("sh",) + names: 5, ("sh",) + names[:20]: 5}), new_path())
    check_xml(path)
    page = browser.open(path)
    in_window = "(e => e.getBoundingClientRect().bottom <= innerHeight && e.getBoundingClientRect().top >= 0)"
    equal(page.evaluate(f"{in_window}({BOX % 'all'})"), True)
    page.evaluate("document.querySelector('.boxes [tabindex]').focus()")
    for _ in range(60):
        page.key("ArrowUp")
    equal(page.evaluate(f"{in_window}(document.activeElement)"), True)
    equal(page.evaluate(FOCUS).split(",")[0], "frame_58")
    page.check()


@test
def twenty_thousand_boxes_are_zoomed_into_and_out_of(browser):
    stacks = {("sh", f"a{i % 20}", f"b{i % 400}", f"c{i}", f"d{i}"): 1 for i in range(10000)}
    page = open_stacks(browser, stacks)
    equal(page.evaluate("document.querySelectorAll('.boxes > g').length") > 20000, True)
    shown = page.evaluate(f"""['a1', 'all', 'a2', 'all'].map((name) => {{
        {BOX.replace("'%s ('", "name + ' ('")}.dispatchEvent(new MouseEvent('click', {{ bubbles: true }}));
        return [...document.querySelectorAll('.boxes > g')].filter((g) => getComputedStyle(g).display != 'none').length;
    }})""")
    # Below a1 are 20 of the b, 500 of the c and of the d; above it are sh and all.
    equal(shown, [1 + 20 + 500 + 500 + 2, shown[1], shown[0], shown[1]])
    equal(shown[1] > 20000, True)
    page.check()


@test
def a_large_count_is_told_exactly(browser):
    page = open_stacks(browser, {("sh", "main"): 2**53 + 1, ("sh", "f"): 2**53})
    equal(page.evaluate(f"{BOX % 'main'}.firstElementChild.textContent"), "main (9,007,199,254,740,993 samples, 50.00%)")
    page.check()


@test
def times_are_as_people_read_them(browser):
    page = open_stacks(browser, {("sh", "a (1 s, 2%)"): 6508465035, ("sh", "f"): 12300000}, "--count-name", "ns")
    equal(page.evaluate(SHOWN), ["all", "sh", "a", "f"])
    page.hover(BOX % "a (1 s, 2%)")
    equal(page.evaluate("document.querySelector('footer .name').textContent"), "a (1 s, 2%)")
    equal("6.508 s" in page.evaluate(DETAILS), True, page.evaluate(DETAILS))
    page.check()


@test
def it_prints_on_paper(browser):
    page = open_stacks(browser, folded.some_stacks(300))
    page.look(1280, 800, media="print")
    page.settle()
    equal(page.evaluate("getComputedStyle(document.querySelector('.tools')).display"), "none")
    paper = new_path().with_suffix(".pdf")
    page.pdf(paper)
    equal(paper.read_bytes()[:4], b"%PDF")


@test
def without_scripts_it_is_a_picture_with_tooltips(browser):
    path = folded.draw(folded.lines(STACKS), new_path())
    page = browser.open("about:blank")
    page.call("Emulation.setScriptExecutionDisabled", value=True)
    page.go(path)
    page.call("Emulation.setScriptExecutionDisabled", value=False)
    equal(page.evaluate("document.documentElement.localName"), "svg")
    equal(width_of(page, "all"), 1180)
    keep(page, "flame-no-script")


@test
def a_screen_reader_gets_along(browser):
    page = open_stacks(browser, STACKS)
    found = page.axe("{ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'] }")
    equal(found, [])
    page = open_stacks(browser, CHANGED, dark=True)
    equal(page.axe("{ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'] }"), [])


def screenshots_for_people(browser):
    stacks = folded.some_stacks(2000, depth=20)
    for width in (1280, 600):
        for dark in (False, True):
            name = f"{width}-{'dark' if dark else 'light'}"
            keep(open_stacks(browser, stacks, width=width, dark=dark), f"flame-{name}")
            keep(open_stacks(browser, CHANGED, width=width, dark=dark), f"difference-{name}")


if os.environ.get("KEEP"):
    test(screenshots_for_people)
run()
