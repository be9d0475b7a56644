#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests of the output of `perf data convert --to-speedscope` in speedscope: weights of functions, by thread."""
import base64
import collections
import json
import os
import re
import sys
from pathlib import Path

sys.dont_write_bytecode = True
os.environ.setdefault("PERF", "perf")
sys.path += [str(Path(__file__).parent.parent), str(Path(__file__).parent.parent / "live")]
import exports
import npm
from tap import Skip, equal, keep, run, test

NS = {"": 1, "ns": 1, "µs": 1e3, "ms": 1e6, "s": 1e9}
RELEASE = "dist/release/index.html"


def program(browser):
    try:
        return Path(npm.package("speedscope", browser.folder)) / RELEASE
    except npm.Unavailable as e:
        raise Skip(e) from None


def open_profile(browser, index, document):
    """Opens the file as `speedscope FILE` does: by a script that hands it over."""
    script = Path(browser.folder) / "profile.js"
    data = base64.b64encode(document).decode()
    script.write_text(f"speedscope.loadFileFromBase64('profile', '{data}')")
    page = browser.open(f"{index.as_uri()}#localProfilePath={script}")
    page.wait("document.body.innerText.includes('Sandwich')")
    page.click("([...document.querySelectorAll('div')].find((d) => /Sandwich$/.test(d.innerText)"
               " && d.children.length <= 1))")
    return page


def weight(text):
    """Returns the value of "8.00ms (16%)" in nanoseconds, or that of "2 (40%)" in samples."""
    number, unit = re.match(r"([0-9.,]+)(\D*?)(?: \(|$)", text).groups()
    return float(number.replace(",", "")) * NS[unit]


def shown_functions(page):
    """Returns total and self weight of each function of the profile that is shown."""
    rows = page.evaluate("[...document.querySelectorAll('tr')].map((r) =>"
                         " [...r.children].map((c) => c.innerText))")
    begin = rows.index(["Total", "Self", "Symbol Name"])
    return {name: (weight(total), weight(own)) for total, own, name in rows[begin + 1:]}


def wanted_functions(profile, frames):
    totals, owns = collections.Counter(), collections.Counter()
    for stack, value in zip(profile["samples"], profile["weights"]):
        for frame in set(stack):
            totals[frames[frame]["name"]] += value
        owns[frames[stack[-1]]["name"]] += value
    return {name: (totals[name], owns[name]) for name in totals}


def close(shown, wanted):
    """True if the numbers agree in the digits shown, which are three or four."""
    return all(abs(a - b) <= 0.006 * b for a, b in zip(shown, wanted))


@test
def functions_of_each_thread_have_the_weights_that_were_written(browser):
    index = program(browser)
    for recording in ("events", "stacks"):
        data = exports.convert(recording, "--to-speedscope", "-")
        document = json.loads(data)
        page = open_profile(browser, index, data)
        for profile in document["profiles"]:
            page.wait(f"document.body.innerText.includes({json.dumps(profile['name'])})")
            shown = shown_functions(page)
            wanted = wanted_functions(profile, document["shared"]["frames"])
            equal(sorted(shown), sorted(wanted), profile["name"])
            for name in wanted:
                equal(close(shown[name], wanted[name]), True, f"{name}: {shown[name]}, {wanted[name]}")
            page.key("n")
        keep(page, f"speedscope-{recording}")
        page.check()
        page.close()


@test
def hostile_names_are_names(browser):
    index = program(browser)
    data = exports.convert(exports.hostile_recording(browser.folder), "--to-speedscope", "-")
    page = open_profile(browser, index, data)
    page.wait("document.body.innerText.includes('Symbol Name')")
    wanted = sorted(float(n) for n in exports.hostile_counts().values())
    equal(sorted(own for _, own in shown_functions(page).values()), wanted)
    equal(page.evaluate("document.querySelectorAll('img[src=hostile]').length"), 0)
    page.check()


run()
