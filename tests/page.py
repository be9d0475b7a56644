#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Reads an HTML page that perf wrote, independently of its script: docs/format/page.md.

usage: tests/page.py FILE [sums|facts|code]
       tests/page.py FILE equals REPORT.json

As a program it prints what the page holds: `sums` (the default) the samples and weights by event,
task and innermost function. With `equals` it prints where the page counts other samples than
`perf report --json --no-children -n -s comm,dso,sym` did.
"""
import base64
import html.parser
import json
import sys
import zlib
from collections import Counter
from dataclasses import dataclass


class Blocks(html.parser.HTMLParser):
    """Collects the texts of all script elements with an id, and the names of everything the page would load."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.texts, self.loads, self.meta, self.title, self._at = {}, [], {}, "", None

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.loads += [attrs[a] for a in ("src", "href") if a in attrs]
        if tag == "meta" and "http-equiv" in attrs:
            self.meta[attrs["http-equiv"]] = attrs["content"]
        self._at = attrs.get("id", tag) if tag in ("script", "style", "title") else None
        if self._at:
            self.texts.setdefault(self._at, "")

    def handle_endtag(self, tag):
        self._at = None

    def handle_data(self, data):
        if self._at:
            self.texts[self._at] += data


def leb128(data, at, n):
    """Reads n numbers from data[at:]; returns them and the position after them."""
    numbers = []
    for _ in range(n):
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 0x7f) << shift
            shift += 7
            if byte < 0x80:
                break
        numbers.append(value)
    return numbers, at


@dataclass
class Cell:
    task: dict
    bin: int
    node: int
    cpu: int
    event: int
    cgroup: int
    side: int
    samples: int
    weight: int
    place: int


class Page:
    def __init__(self, text):
        self.blocks = Blocks()
        self.blocks.feed(text)
        self.facts = json.loads(self.blocks.texts["facts"])
        self.facts.update(json.loads(self._unpack(self.blocks.texts["lists"])))
        self.columns = self._columns()
        code = self._unpack(self.blocks.texts.get("code", ""))
        self.functions = json.loads(code)["functions"] if code else []

    def _unpack(self, text):
        data = base64.b64decode(text.strip(), validate=True)
        return zlib.decompress(data) if data and self.facts["packed"] == "zlib" else data

    def _columns(self):
        data, at, columns = self._unpack(self.blocks.texts["columns"]), 0, {}
        for column in self.facts["columns"]:
            columns[column["name"]], end = leb128(data, at, column["n"])
            assert end - at == column["bytes"], column
            at = end
        assert at == len(data), "bytes behind the last column"
        return columns

    def nodes(self):
        """Returns (parent, name, object, kind) of each node; those of node 0 are None."""
        f, c = self.facts, self.columns
        nodes = [(None, None, None, None)]
        for i, back in enumerate(c["node.parent"], 1):
            assert 0 < back <= i
            nodes.append((i - back, f["names"][c["node.name"][i - 1]],
                          f["objects"][c["node.object"][i - 1]], f["kinds"][c["node.kind"][i - 1]]))
        return nodes

    def cells(self):
        c, n = self.columns, len(self.columns["cell.node"])
        zeros = [0] * n
        optional = {name: c.get("cell." + name, zeros) for name in
                    ("cpu", "event", "cgroup", "side", "place")}
        at = 0
        for task, count in zip(self.facts["tasks"], c["task.cells"], strict=True):
            when = 0
            for i in range(at, at + count):
                when += c["cell.bin"][i]
                event = optional["event"][i]
                samples = c["cell.samples"][i]
                weight = (c["cell.weight"][i] if "cell.weight" in c else
                          samples * self.facts["events"][event]["period"])
                yield Cell(task, when, c["cell.node"][i], samples=samples, weight=weight,
                           **{name: values[i] for name, values in optional.items()})
            at += count
        assert at == n

    def sums(self, key):
        """Returns samples and weights by the key that `key` makes of a cell and its node."""
        nodes, samples, weights = self.nodes(), Counter(), Counter()
        for cell in self.cells():
            k = key(cell, nodes[cell.node])
            samples[k] += cell.samples
            weights[k] += cell.weight
        return samples, weights


def reported(report):
    """Returns the samples by event, command, image and function (None: without a name) of report's JSON."""
    samples = Counter()
    for block in report["events"]:
        for row in block["rows"]:
            counts = row["sample"] if isinstance(row["sample"], list) else [row["sample"]]
            name = None if row["symbol"].startswith("0x") else row["symbol"]
            for event, n in zip(block["names"], counts, strict=True):
                samples[event, row["comm"], row["dso"] or "", name] += n
    return +samples


def differences(page, report):
    events = page.facts["events"]
    ours, _ = page.sums(lambda cell, node: (
        events[cell.event]["name"], cell.task["comm"], node[2] or "",
        None if node[3] in ("unknown", None) else node[1]))
    theirs = reported(report)
    return [f"{key}: {ours[key]} on the page, {theirs[key]} in the report"
            for key in sorted(ours.keys() | theirs.keys(), key=str) if ours[key] != theirs[key]]


def main(path, what="sums", report=None):
    with open(path, encoding="utf-8") as f:
        page = Page(f.read())
    if what == "equals":
        with open(report, encoding="utf-8") as f:
            found = differences(page, json.load(f))
        print(*found, sep="\n", end="\n" if found else "")
    elif what == "facts":
        print(json.dumps({k: v for k, v in page.facts.items() if k not in ("names", "columns", "colours")},
                         indent=1, ensure_ascii=False))
    elif what == "code":
        print(json.dumps(page.functions, indent=1, ensure_ascii=False))
    else:
        events = page.facts["events"]
        samples, weights = page.sums(
            lambda cell, node: (events[cell.event]["name"], cell.task["comm"], node[1] or "-"))
        for key, n in sorted(samples.items(), key=lambda item: (-item[1], item[0])):
            print(n, weights[key], *key)


if __name__ == "__main__":
    main(*sys.argv[1:])
