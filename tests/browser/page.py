#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests of the HTML page (view/picture/page/): it shows exactly the recorded data, and all controls work.

The pages are those of pages.py. Sums are computed independently here, from the cells, and compared.
"""
import collections
import functools
import json
import random
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
import chromium
import pages
from tap import equal, keep, run, test


@functools.cache
def recording(name):
    rec = pages.RECORDINGS[name]()
    return rec, pages.html(rec)


def open_page(browser, name, link="", **how):
    """Opens the page of a made-up recording, at @link; returns the page and the recording."""
    rec, text = recording(name)
    path = Path(tempfile.mkdtemp(dir=browser.folder)) / "page.html"
    path.write_text(text)
    page = browser.open(path.as_uri() + (f"#{link}" if link else ""), **how)
    page.wait("document.documentElement.classList.contains('ready')")
    return page, rec


def text_of(page, selector):
    return page.evaluate(f"document.querySelector({json.dumps(selector)}).textContent")


def state(page, name):
    return page.evaluate(f"page.state()[{json.dumps(name)}]")


def box_place(page, name):
    """Returns the middle of the first box called @name in the flame graph."""
    return tuple(page.evaluate("""(() => {
        const graph = page.flame(), { x, width } = page.layout(), view = page.flameView;
        for (let i = 0; i < graph.n; i++) {
            if (graph.text(i) !== %s)
                continue;
            const r = view.canvas.getBoundingClientRect(), scale = r.width / (view.to - view.from);
            return [r.x + (x[i] + width[i] / 2 - view.from) * scale, r.y + view.rowTop(graph.depth[i]) + 9];
        }
    })()""" % json.dumps(name)))


def inside(page, selector, x, y):
    """Returns a point of an element, given as shares of its width and height."""
    left, top, width, height = page.evaluate(
        f"(r => [r.x, r.y, r.width, r.height])(document.querySelector({json.dumps(selector)}).getBoundingClientRect())")
    return left + x * width, top + y * height


def share(n, of):
    return f"{n / of * 100:.2f}%"


# --- sums ------------------------------------------------------------------------------------------------

def boxes_of(rec, passes, reverse=False):
    """Returns samples and weight of every box, by the names on the path to it; its root is the command."""
    sums = collections.defaultdict(lambda: [0, 0])
    for cell in filter(passes, rec.cells):
        way = [rec.tasks[cell.task][2], *rec.path(cell.node)]
        way = way[::-1] if reverse else way
        for n in range(len(way) + 1):
            box = sums["/".join(["all", *way[:n]])]
            box[0] += cell.samples
            box[1] += cell.weight
    return dict(sums)


def shown_boxes(page):
    return page.evaluate("""(() => {
        const graph = page.flame(), boxes = {};
        for (let i = 0; i < graph.n; i++)
            boxes[graph.path(i).map((k) => graph.text(k)).join('/')] = [graph.total[0][i], graph.total[1][i]];
        return boxes;
    })()""")


@test
def boxes_have_the_sums_of_their_cells(browser):
    page, rec = open_page(browser, "small")
    equal(shown_boxes(page), boxes_of(rec, lambda c: c.event == 0))
    page.check()


@test
def every_filter_changes_the_sums(browser):
    through = recording("small")[0].names.index("hash")
    for link, passes in (
            ("event=1", lambda c: c.event == 1),
            ("time=1000-1999", lambda c: c.event == 0 and 1000 <= c.bin < 2000),
            ("tasks=0,2", lambda c: c.event == 0 and c.task in (0, 2)),
            ("cpus=1&time=6000-6499", lambda c: c.event == 0 and c.cpu == 1 and 6000 <= c.bin < 6500),
            (f"fn={through}&only=1", lambda c: c.event == 0 and "hash" in rec.path(c.node))):
        page, rec = open_page(browser, "small", link)
        equal(shown_boxes(page), boxes_of(rec, passes), link)
        page.check()


@test
def merged_from_the_leaf_the_sums_are_the_same_the_other_way_round(browser):
    page, rec = open_page(browser, "small", "reverse=1")
    equal(shown_boxes(page), boxes_of(rec, lambda c: c.event == 0, reverse=True))
    page.check()


@test
def the_table_has_self_and_total_and_counts_recursion_once(browser):
    page, rec = open_page(browser, "small", "view=table&by=samples")
    own, total, whole = collections.Counter(), collections.Counter(), 0
    for cell in rec.cells:
        if cell.event:
            continue
        whole += cell.samples
        own[rec.path(cell.node)[-1]] += cell.samples
        for name in set(rec.path(cell.node)):
            total[name] += cell.samples
    rows = page.evaluate("page.tableView.rows.map((r) => [r.text, r.self0, r.total0])")
    equal({name: (share(a, 1), share(b, 1)) for name, a, b in rows},
          {name: (share(own[name], whole), share(total[name], whole)) for name in total})
    page.check()


@test
def numbers_are_decoded_whatever_their_size(browser):
    page, _ = open_page(browser, "small")
    rng = random.Random(4)
    numbers = [rng.randrange(2 ** rng.randrange(1, 54)) for _ in range(2000)] + [0, 127, 128, 2 ** 53 - 1]
    data = pages.leb128(numbers)
    read = f"Array.from(page.readNumbers(new Uint8Array({list(data)}), 0, {len(data)}, {len(numbers)}, Float64Array))"
    equal(page.evaluate(read), numbers)
    for end in (len(data) - 1, len(data) + 1):
        damaged = read.replace(f", 0, {len(data)},", f", 0, {end},")
        equal(page.evaluate(f"(() => {{ try {{ {damaged}; return ''; }} catch (e) {{ return e.message; }} }})()"),
              "The data of this page is damaged: a column ends at the wrong place.")


@test
def a_page_without_zlib_reads_the_same(browser):
    rec, _ = recording("small")
    path = Path(browser.folder) / "plain.html"
    path.write_text(pages.html(rec, "none"))
    page = browser.open(path)
    page.wait("document.documentElement.classList.contains('ready')")
    equal(shown_boxes(page), boxes_of(rec, lambda c: c.event == 0))
    page.check()


@test
def colours_follow_the_hash_of_the_name(browser):
    """The hash of view/picture/palette.c: FNV-1a of 32 bits, and the end of MurmurHash3."""
    page, _ = open_page(browser, "small")
    for name in ("", "main", "std::vector<int>", "\u540d\u524d"):
        h = 0x811c9dc5
        for byte in name.encode():
            h = (h ^ byte) * 0x01000193 % 2 ** 32
        h = (h ^ h >> 16) * 0x85ebca6b % 2 ** 32
        h = (h ^ h >> 13) * 0xc2b2ae35 % 2 ** 32
        equal(page.evaluate(f"page.hashText({json.dumps(name)})"), h ^ h >> 16, name)


@test
def siblings_go_by_name_and_cpus_by_number(browser):
    page, _ = open_page(browser, "big", "root=comm")
    order = "page.flame().children(0).map((i) => page.flame().text(i))"
    equal(page.evaluate(order), [f"worker/{i}" for i in range(8)])
    page.evaluate("page.update({ root: 'cpu' })")
    equal(page.evaluate(order), [f"CPU {i}" for i in range(16)])
    page, rec = open_page(browser, "small")
    equal(page.evaluate(order), ["server", "sh", "worker"])


@test
def spans_are_read_and_written(browser):
    page, _ = open_page(browser, "small")
    equal(page.evaluate("page.parseSpans('3-5,9,x,-,7-')"), [[3, 6], [9, 10]])
    equal(page.evaluate("page.spansText([9, 3, 5, 4])"), "3-5,9")


# --- the flame graph ---------------------------------------------------------------------------------------

@test
def a_click_zooms_and_escape_goes_back(browser):
    page, _ = open_page(browser, "small")
    page.click(box_place(page, "parse"))
    page.wait("page.flameView.to - page.flameView.from < 0.5")
    equal(text_of(page, "#path").split("\u2026")[-1].endswith("parse"), True)
    page.key("Escape")
    page.wait("page.flameView.to - page.flameView.from === 1")
    page.forward()
    page.wait("page.flameView.to - page.flameView.from < 0.5")
    page.click("#reset")
    equal(page.evaluate("location.hash"), "")
    page.check()


@test
def a_link_opens_the_view_that_it_was_copied_from(browser):
    page, _ = open_page(browser, "small")
    page.click(box_place(page, "hash"))
    page.click("#icicle, #direction button[data-value=icicle]")
    link = page.evaluate("location.hash.slice(1)")
    again, _ = open_page(browser, "small", link)
    equal([again.evaluate("[page.flameView.from, page.flameView.to]"), state(again, "icicle")],
          [page.evaluate("[page.flameView.from, page.flameView.to]"), True])


@test
def links_that_make_no_sense_show_everything(browser):
    for link in ("zoom=zz.top&event=99&time=x&fn=99999&x=5-1&view=nothing&listing=77", "__proto__=1&only=1&sort=constructor",
                 "time=99999999-999999999&tasks=500&root=moon&color=nothing", "color=constructor"):
        page, _ = open_page(browser, "small", link)
        page.check()


@test
def hovering_tells_everything_about_a_box(browser):
    page, rec = open_page(browser, "small")
    page.hover(box_place(page, "ksys_write"))
    sums = boxes_of(rec, lambda c: c.event == 0)
    samples, weight = sums["all/server/_start/main/serve/reply/write/ksys_write"]
    tip = text_of(page, "#tip")
    for part in ("ksys_write", "[kernel.kallsyms]", "kernel", f"{samples:,} samples", f"{weight:,} cycles",
                 share(samples, sums["all"][0]) + " of all", "100.00% of write", "in itself"):
        equal(part in tip, True, f"{part} in {tip}")
    page.check()


@test
def searching_tells_the_matched_share(browser):
    page, rec = open_page(browser, "small")
    page.key("/")
    page.type("^(mix|loop)$")
    cells = [c for c in rec.cells if c.event == 0]
    hits = sum(c.weight for c in cells if {"mix", "loop"} & set(rec.path(c.node)))
    equal(text_of(page, "#matched"), share(hits, sum(c.weight for c in cells)) + " matched")
    page.key("Enter")
    equal(page.evaluate("document.activeElement.id"), "flame-box")
    page.evaluate("page.update({ search: '(' })")
    equal(text_of(page, "#matched"), "0.00% matched (as plain text)")
    page.check()


@test
def the_wheel_zooms_at_the_pointer(browser):
    page, _ = open_page(browser, "small")
    x, y = inside(page, "#flame-box", 0.75, 0.9)
    page.wheel(x, y, -240, chromium.CTRL)
    page.wait("page.flameView.to - page.flameView.from < 0.9")
    equal(page.evaluate("page.flameView.from > 1 - page.flameView.to"), True)
    page.wait("page.state().x !== ''")
    page.check()


@test
def a_filter_keeps_the_zoom_as_far_as_it_can(browser):
    page, _ = open_page(browser, "small")
    page.click(box_place(page, "ksys_write"))
    page.evaluate("page.update({ time: '6000-6499' })")
    equal(page.evaluate("page.flame().text(page.flameView.cursor)") in ("serve", "reply", "write", "ksys_write", "main"), True)
    page.check()


# --- the selection -------------------------------------------------------------------------------------------

@test
def dragging_over_the_heat_map_selects_a_time(browser):
    page, rec = open_page(browser, "small")
    frame = page.evaluate("(({ left, top, w, height }) => ({ left, top, w, height }))(page.timeView.frame())")
    x, y = inside(page, "#time-box", 0, 0)
    at = lambda second, part: (x + frame["left"] + (second + 0.5) * frame["w"], y + frame["top"] + (1 - part) * frame["height"])
    page.drag(at(2, 0.001), at(3, 0.999))
    equal(state(page, "time"), "2000-3999")
    samples = sum(c.samples for c in rec.cells if c.event == 0 and 2000 <= c.bin < 4000)
    equal(f"{samples:,} of " in text_of(page, "#chips"), True)
    page.click("#chips .chip button")
    equal(state(page, "time"), "")
    page.back()
    equal(state(page, "time"), "2000-3999")
    page.check()


@test
def dragging_over_the_threads_selects_a_time(browser):
    page, _ = open_page(browser, "small")
    page.drag(inside(page, "#threads-box", 0.5, 0.2), inside(page, "#threads-box", 0.7, 0.3))
    first, last = map(int, state(page, "time").split("-"))
    equal(0 < first < last < 9999, True)
    equal(state(page, "tasks"), "")
    page.check()


@test
def a_thread_is_selected_by_a_click_and_another_with_ctrl(browser):
    page, rec = open_page(browser, "small")
    page.click("#line-0 .name")
    equal(state(page, "tasks"), "0")
    page.click("#line-1 .name", modifiers=chromium.CTRL)
    equal(state(page, "tasks"), "0-1")
    samples = sum(c.samples for c in rec.cells if c.event == 0 and c.task < 2)
    equal(f"{samples:,} of " in text_of(page, "#chips"), True)
    page.click("#lines-switch [data-value=cpus]")
    page.click("#line-0 .name")
    equal(len(state(page, "cpus")), 1)
    page.key("Escape")
    equal(state(page, "cpus"), "")
    page.check()


@test
def two_selections_are_compared(browser):
    page, rec = open_page(browser, "small", "time=1000-1999")
    page.click("#compare")
    equal([state(page, "compare"), state(page, "edit")], [True, "b"])
    page.evaluate("page.update({ btime: '6000-6499' })")
    before = boxes_of(rec, lambda c: c.event == 0 and 1000 <= c.bin < 2000)
    after = boxes_of(rec, lambda c: c.event == 0 and 6000 <= c.bin < 6500)
    equal(page.evaluate("[page.flame().total[0][0], page.flame().total[2][0]]"), [before["all"][0], after["all"][0]])
    equal("red: takes a larger share in B than in A" in text_of(page, "#legend"), True)
    page.hover(box_place(page, "mix"))
    way = "all/server/_start/main/serve/hash/mix"
    for part in (f"A: {share(before[way][1], before['all'][1])}", f"B: {share(after[way][1], after['all'][1])}", "more in B"):
        equal(part in text_of(page, "#tip"), True, part)
    page.click("#show [data-value=before]")
    width = page.evaluate("page.layout().width[page.flame().n - 1]")
    page.click("#show [data-value=after]")
    equal(page.evaluate("page.layout().width[page.flame().n - 1]") != width, True)
    page.click("#tab-table")
    equal("Change of self" in text_of(page, "#functions thead"), True)
    page.click("#compare")
    equal(state(page, "btime"), "")
    page.check()


@test
def dragging_with_shift_makes_the_second_selection(browser):
    page, _ = open_page(browser, "small")
    start, end = inside(page, "#threads-box", 0.5, 0.2), inside(page, "#threads-box", 0.6, 0.2)
    page.mouse("mouseMoved", *start)
    page.mouse("mousePressed", *start, button="left", clickCount=1, modifiers=chromium.SHIFT)
    page.mouse("mouseMoved", *end, button="left", buttons=1, modifiers=chromium.SHIFT)
    page.mouse("mouseReleased", *end, button="left", clickCount=1, modifiers=chromium.SHIFT)
    equal([state(page, "compare"), state(page, "time"), state(page, "btime") != ""], [True, "", True])
    page.check()


@test
def a_comparison_shows_the_changes_that_were_found(browser):
    page, rec = open_page(browser, "comparison")
    equal(page.evaluate("""(() => {
        const graph = page.flame(), { of } = page.boxColours(), changes = {};
        for (let i = 1; i < graph.n; i++)
            changes[graph.text(i)] = Math.sign(of[i] - 16);
        return changes;
    })()"""), {"server": 0, "_start": 0, "main": 0, "mix": 1, "parse": -1, "hash": 0, "gone": -1, "fresh": 1})
    equal(page.evaluate("page.flame().total[2][0]"), sum(c.samples for c in rec.cells if c.side))
    equal("red: takes a larger share in after than in before" in text_of(page, "#legend"), True)
    equal("20.00% of before is gone in after" in text_of(page, "#gone"), True)
    page.click("#gone")
    page.hover(box_place(page, "gone"))
    equal("before: 20.00%" in text_of(page, "#tip"), True)
    page.check()


# --- table and code --------------------------------------------------------------------------------------------

def first_rows(page, n=3):
    return page.evaluate(f"[...document.querySelectorAll('#functions tbody [data-row]')].slice(0, {n})"
                         ".map((r) => r.querySelector('.text').textContent)")


@test
def the_table_is_sorted_by_its_heads(browser):
    page, _ = open_page(browser, "small", "view=table")
    for column, order in (("total", "descending"), ("total", "ascending"), ("text", "ascending"), ("text", "descending")):
        page.click(f"[data-sort={column}]")
        equal(page.evaluate(f"document.querySelector('[data-sort={column}]').parentElement.getAttribute('aria-sort')"), order)
        equal(page.evaluate("document.querySelectorAll('#functions [aria-sort]').length"), 1)
    equal(first_rows(page, 1), ["write"])
    page.check()


@test
def the_table_is_filtered_and_marks_a_function_everywhere(browser):
    page, rec = open_page(browser, "small", "view=table")
    page.click("#filter")
    page.type("^m")
    equal(sorted(first_rows(page, 9)), ["main", "malloc", "memcpy", "mix"])
    page.click("#functions tbody [data-row='0']")
    equal(rec.names[state(page, "fn")], first_rows(page, 1)[0])
    page.click("#only-box")
    equal(state(page, "only"), True)
    page.check()


@test
def a_large_table_has_only_the_rows_in_view(browser):
    page, _ = open_page(browser, "big", "view=table")
    equal(page.evaluate("document.querySelectorAll('#functions tbody tr').length < 80"), True)
    before = first_rows(page)
    page.evaluate("document.querySelector('#table-box').scrollTop = 50000")
    page.settle()
    equal(first_rows(page) != before, True)
    equal(page.evaluate("Number(document.querySelector('#functions').getAttribute('aria-rowcount')) > 4000"), True)
    page.check()


@test
def the_code_has_the_weights_of_the_selection(browser):
    page, rec = open_page(browser, "small", "view=table&time=6000-6499")
    row = page.evaluate("page.tableView.rows.findIndex((r) => r.text === 'mix')")
    page.click(f"#functions tbody [data-row='{row}']", count=1)
    page.click(f"#functions tbody [data-row='{row}']", count=2)
    page.wait("page.state().view === 'code'")
    sums = collections.Counter()
    for c in rec.cells:
        if c.event == 0 and c.place and 6000 <= c.bin < 6500:
            sums[c.place] += c.weight
    shown = page.evaluate("""(() => {
        const rows = page.codeView.rows.filter((r) => r.a !== undefined);
        return rows.map((r) => page.codeView.weights[r.k]);
    })()""")
    equal(shown, [sums[1 + i] for i in range(36)])
    page.click("#hottest")
    page.click("#code-rows [data-value=source]")
    equal(page.evaluate("document.querySelectorAll('#listing-rows .instruction').length"), 0)
    page.check()


@test
def a_function_without_a_listing_says_why(browser):
    rec, _ = recording("small")
    page, _ = open_page(browser, "small", f"view=code&fn={rec.names.index('main')}")
    equal("No listing of main" in text_of(page, "#code .empty"), True)
    page, _ = open_page(browser, "no-time", "view=code")
    equal("no listings" in text_of(page, "#code .empty"), True)
    page.check()


# --- special pages ----------------------------------------------------------------------------------------------

@test
def hostile_names_stay_text(browser):
    for link in ("", "view=table", "view=code", "view=facts", "root=thread&search=%3Cscript"):
        page, _ = open_page(browser, "hostile", link)
        equal(page.evaluate("document.querySelectorAll('body b b, body i b, img, h1 *, main script').length"), 0, link)
        page.check()
    page, rec = open_page(browser, "hostile", "view=table&sort=text")
    equal(page.evaluate("document.title"), rec.title)
    shown = page.evaluate("page.tableView.rows.map((r) => r.text)")
    equal(pages.HOSTILE[0] in shown and pages.HOSTILE[1] in shown, True)
    equal(any(c in name for name in shown for c in "\x01\u202e\t"), False)
    equal("tab\\there\\x01\\x7f" in shown and "right\\u202eto\\u2066left" in shown, True)


@test
def empty_pages_say_so(browser):
    for link in ("", "view=table", "view=code", "view=facts", "view=table&reverse=1"):
        page, _ = open_page(browser, "empty", link)
        page.check()
    page, _ = open_page(browser, "empty")
    equal("no samples" in text_of(page, "#flame .empty"), True)
    page, _ = open_page(browser, "no-time")
    equal("no times" in text_of(page, "#time .empty"), True)
    page.check()
    page, _ = open_page(browser, "small", "time=1-2&tasks=2")
    equal("Nothing was sampled" in text_of(page, "#flame .empty"), True)
    page.check()


@test
def damaged_data_is_said(browser):
    _, text = recording("small")
    path = Path(browser.folder) / "damaged.html"
    path.write_text(text.replace('"name": "cell.samples", "n": ', '"name": "cell.samples", "n": 1'))
    page = browser.open(path)
    page.wait("document.querySelector('#loading') && document.querySelector('#loading').textContent.includes('damaged')")


@test
def times_of_waiting_are_not_called_samples(browser):
    page, _ = open_page(browser, "waits")
    equal("all 45 ms" in text_of(page, "#chips"), True)
    page.hover(box_place(page, "sleep"))
    equal("40 ms" in text_of(page, "#tip"), True)
    for view in ("flame", "table"):
        page.click(f"#tab-{view}")
        equal("samples" in text_of(page, "#selection") + text_of(page, "#" + view), False)
    page.check()


@test
def deep_stacks_scroll(browser):
    page, _ = open_page(browser, "deep")
    equal(page.evaluate("page.flame().rows.length"), 502)
    page.evaluate("document.querySelector('#flame-box').scrollTop = 100")
    page.settle()
    page.hover(inside(page, "#flame-box", 0.001, 0.5))
    equal("recurse_" in text_of(page, "#tip"), True)
    page.check()


@test
def a_cell_of_the_latency_heat_map_tells_its_count(browser):
    page, rec = open_page(browser, "heat")
    (column, row), count = rec.heat.most_common(1)[0]
    of = sum(n for (c, _), n in rec.heat.items() if c == column)
    x, y = inside(page, "#heat-box", 0, 0)
    left, top, w, h = page.evaluate("(({ left, top, w, h }) => [left, top, w, h])(page.heatView.frame())")
    page.hover((x + left + (column + 0.5) * w, y + top + (50 - row - 0.5) * h))
    tip = text_of(page, "#tip")
    for part in (f"{row * 1000:,} \u2013 {(row + 1) * 1000:,} us", f"{column} \u2013 {column + 1} s", f"count {count}",
                 f"{share(count, of)} of its column"):
        equal(part in tip, True, f"{part} in {tip}")
    page.check()


# --- looks, keys, screen readers, paper ---------------------------------------------------------------------------

def colours_in(page, selector):
    """Returns the number of different colours of a canvas."""
    return page.evaluate(f"""(() => {{
        const c = document.querySelector({json.dumps(selector)});
        const data = new Uint32Array(c.getContext('2d').getImageData(0, 0, c.width, c.height).data.buffer);
        return new Set(data).size;
    }})()""")


@test
def pictures_are_not_blank_in_light_and_dark_wide_and_narrow(browser):
    grounds = set()
    for dark in (False, True):
        for width, height in ((1280, 800), (600, 900)):
            page, _ = open_page(browser, "small", width=width, height=height, dark=dark)
            for canvas in ("#flame-box canvas", "#time-box canvas", "#threads-box canvas"):
                page.wait(f"document.querySelector('{canvas}').width > 200")
                page.settle()
                equal(colours_in(page, canvas) > 10, True, canvas)
            x, y = box_place(page, "all")
            equal(0 < y < height, True, "the root is in sight")
            grounds.add(page.evaluate("getComputedStyle(document.body).backgroundColor"))
            equal(page.evaluate("document.scrollingElement.scrollWidth <= innerWidth"), True, "no scrolling sideways")
            keep(page, f"page-{'dark' if dark else 'light'}-{width}")
            page.check()
    equal(len(grounds), 2)


@test
def the_theme_can_be_chosen(browser):
    page, _ = open_page(browser, "small")
    before = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.click("#theme")
    equal(page.evaluate("getComputedStyle(document.body).backgroundColor") != before, True)
    page.check()


@test
def everything_can_be_done_with_keys(browser):
    page, rec = open_page(browser, "small")
    visited = []
    for _ in range(60):
        page.key("Tab")
        visited.append(page.evaluate("document.activeElement.id || document.activeElement.className || document.activeElement.tagName"))
    for name in ("query", "event", "time-box", "lines", "tab-flame", "root", "flame-box"):
        equal(name in visited, True, f"Tab gets to {name}")
    page.evaluate("document.querySelector('#flame-box').focus()")
    for _ in range(3):
        page.key("ArrowUp")
    equal(page.evaluate("page.flame().text(page.flameView.cursor)"), "main")
    equal("main" in text_of(page, "#live"), True)
    page.key("Enter")
    equal(state(page, "zoom") != "", True)
    page.key("Backspace")
    equal(state(page, "zoom"), "")
    page.key("h")
    for _ in range(2):
        page.key("ArrowRight", chromium.SHIFT)
    equal(state(page, "time"), "0-2019")
    page.key("t")
    page.key("ArrowDown")
    page.key("Enter")
    equal(state(page, "tasks"), "1")
    page.key("2")
    equal(state(page, "view"), "table")
    page.evaluate("document.querySelector('#functions tbody tr[tabindex=\"0\"]').focus()")
    page.key("ArrowDown")
    page.key("Enter")
    equal(state(page, "view"), "code")
    page.key("0")
    equal(state(page, "tasks"), "")
    page.key("?")
    equal(page.evaluate("document.querySelector('#help').open"), True)
    page.key("Escape")
    equal(page.evaluate("document.querySelector('#help').open"), False)
    page.check()


@test
def the_picture_is_also_a_list(browser):
    page, _ = open_page(browser, "small")
    page.click("#flame-list summary")
    page.wait("document.querySelectorAll('#flame-list li button').length === 3")
    page.click("#flame-list li button")
    equal("_start" in text_of(page, "#flame-list"), True)
    page.check()


@test
def screen_readers_find_nothing_serious(browser):
    for name, link in (("small", ""), ("small", "view=table"), ("small", "view=code"), ("small", "view=facts"),
                       ("small", "compare=1&btime=6000-6499"), ("comparison", ""), ("heat", ""), ("empty", "")):
        for dark in (False, True):
            page, _ = open_page(browser, name, link, dark=dark)
            equal(page.axe(), [], f"{name} #{link}")


@test
def on_paper_all_views_stand_one_below_the_other(browser):
    page, _ = open_page(browser, "small", dark=True)
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    equal(page.evaluate("[...document.querySelectorAll('.panel')].every((p) => p.offsetHeight > 50)"), True)
    equal(page.evaluate("getComputedStyle(document.body).backgroundColor"), "rgb(255, 255, 255)")
    equal(page.evaluate("getComputedStyle(document.querySelector('#tools')).display"), "none")
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    equal(page.evaluate("[...document.querySelectorAll('.panel')].filter((p) => p.offsetHeight).length"), 1)
    page.pdf(Path(browser.folder) / "page.pdf")
    equal((Path(browser.folder) / "page.pdf").stat().st_size > 20000, True)
    page.check()


@test
def zooming_among_a_hundred_thousand_boxes_is_measured(browser):
    page, _ = open_page(browser, "boxes", "root=none")
    equal(page.evaluate("page.flame().n > 50000"), True)
    page.call("Emulation.setEmulatedMedia", media="", features=[])
    page.evaluate("page.flameView.click(page.flame().rows[9][3])")
    page.wait("page.flameView.target === null")
    page.settle()
    draws = page.evaluate("page.flameView.frames.draws")
    print(f"# a frame of the zoom took {sum(draws) / len(draws):.1f} ms to draw, at most {max(draws):.1f} ms")
    page.check()


@test
def the_first_picture_of_a_large_page_is_measured(browser):
    page, rec = open_page(browser, "big")
    ready = page.evaluate("performance.getEntriesByName('ready')[0].startTime")
    print(f"# {len(rec.cells):,} cells, {len(rec.nodes):,} stacks: first picture after {ready:.0f} ms")
    page.check()


run()
