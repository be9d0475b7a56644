# SPDX-License-Identifier: MIT
"""Pages of made-up recordings, for the tests of the page's script.

usage: python3 tests/browser/pages.py NAME > page.html     NAME: one of RECORDINGS below

An independent writer of docs/format/page.md: it shares no code with the one in C, so that the script is
tested against the format. A recording here keeps every cell as a tuple; tests add these up themselves and
compare with what the page shows.
"""
import base64
import collections
import hashlib
import json
import random
import re
import sys
import zlib
from pathlib import Path

PARTS = Path(__file__).resolve().parent.parent.parent / "src/view/picture"
KINDS = ["all", "task", "user", "kernel", "jit", "inlined", "unknown", "wait", "waker"]
SHADES, HUES = 5, 24

Cell = collections.namedtuple("Cell", "task bin node cpu event cgroup side samples weight place",
                              defaults=(0, 0, 0, 0, 1, 0, 0))


class Recording:
    """Stacks, cells, and the page's facts about them."""

    def __init__(self, title, views="flame time threads table code facts"):
        self.title, self.views = title, views.split()
        self.names, self.objects = [], [""]
        self.nodes = [(0, 0, 0, 0, 0)]  # parent, name, object, kind, change; number 0 stands for no stack
        self.known = {}
        self.cells, self.functions = [], []
        self.tasks, self.cpus, self.cgroups = [], [0], []
        self.events = [("cycles", "")]
        self.bins, self.bin_ns = 0, 1000000
        self.more = {}  # members of the facts
        self.columns = {}  # further columns

    def place_of(self, table, text):
        key = (id(table), text)
        if key not in self.known:
            self.known[key] = table.index(text) if text in table else len(table)
            if self.known[key] == len(table):
                table.append(text)
        return self.known[key]

    def node(self, parent, name, obj="app", kind="user", change=0):
        key = (parent, self.place_of(self.names, name), self.place_of(self.objects, obj))
        if key not in self.known:
            self.known[key] = len(self.nodes)
            self.nodes.append(key + (KINDS.index(kind), change))
        return self.known[key]

    def stack(self, *frames):
        """Returns the node of @frames, outermost first; a frame is a name, or (name, object, kind)."""
        node = 0
        for frame in frames:
            node = self.node(node, *([frame] if isinstance(frame, str) else frame))
        return node

    def path(self, node):
        """Returns the names of the frames of @node, outermost first."""
        names = []
        while node:
            names.append(self.names[self.nodes[node][1]])
            node = self.nodes[node][0]
        return names[::-1]


# --- writing ----------------------------------------------------------------------------------------

def leb128(numbers):
    out = bytearray()
    for n in numbers:
        while n >= 0x80:
            out.append(n & 0x7f | 0x80)
            n >>= 7
        out.append(n)
    return bytes(out)


def differences(cells):
    """Returns cell.bin: the difference between each cell's bin and that of the previous cell of the same task."""
    task, last = -1, 0
    for cell in cells:
        if cell.task != task:
            task, last = cell.task, 0
        yield cell.bin - last
        last = cell.bin


def columns_of(rec):
    """Returns name and numbers of each column."""
    cells = rec.cells = sorted(rec.cells, key=lambda c: (c.task, c.bin))
    nodes = rec.nodes[1:]
    yield "node.parent", [i - node[0] for i, node in enumerate(nodes, 1)]
    for place, name in enumerate(("name", "object", "kind", "change"), 1):
        if name != "change" or "changes" in rec.more:
            yield "node." + name, [node[place] for node in nodes]
    counts = collections.Counter(c.task for c in cells)
    yield "task.cells", [counts[i] for i in range(len(rec.tasks))]
    yield "cell.bin", list(differences(cells))
    yield "cell.node", [c.node for c in cells]
    for name in ("cpu", "event", "cgroup", "side", "place"):
        if any(getattr(c, name) for c in cells):
            yield "cell." + name, [getattr(c, name) for c in cells]
    yield "cell.samples", [c.samples for c in cells]
    yield "cell.weight", [c.weight for c in cells]
    yield from rec.columns.items()


def run(n, red, green, blue):
    """Returns @n colours from grey to the given one."""
    return "".join("%02x%02x%02x" % tuple(128 + (c - 128) * i // (n - 1) for c in (red, green, blue)) for i in range(n))


def colours(most):
    """Returns the colours of a theme; @most: the brightness of the brightest ones."""
    return {"ink": "000000" if most > 128 else "ffffff", "families": run(10 * SHADES, most, 0, 0),
            "hues": run((1 + HUES) * SHADES, 0, most, 0), "heat": run(64, most, most, 0),
            "difference": run(33, 0, 0, most)}


COLOURS = {"shades": SHADES, "palettes": {"kind": [0, 0, 2, 8, 6, 3, 1, 9, 7], "java": [0, 0, 5, 4, 6, 7, 1, 8, 9]},
           "light": colours(255), "dark": colours(100)}


def facts_of(rec, packed, columns):
    facts = {"version": 1, "views": rec.views, "title": rec.title, "subtitle": "a made-up recording",
             "tool": "pages.py 1", "packed": packed, "header": [["hostname", "box"], ["arch", "aarch64"]],
             "quality": [], "kinds": KINDS, "colours": COLOURS}
    facts["events"] = [{"name": name, "unit": unit,
                        "samples": sum(c.samples for c in rec.cells if c.event == i),
                        "total": sum(c.weight for c in rec.cells if c.event == i)}
                       for i, (name, unit) in enumerate(rec.events)]
    if rec.bins:
        facts["time"] = {"start": "123456789012345678", "bin": rec.bin_ns, "bins": rec.bins}
    facts["columns"] = [{"name": name, "n": n, "bytes": len(data)} for name, n, data in columns]
    return {**facts, **rec.more}


def lists_of(rec):
    lists = {"tasks": [dict(zip(("pid", "tid", "comm"), t)) for t in rec.tasks], "cpus": rec.cpus,
             "names": rec.names, "objects": rec.objects}
    return {**lists, "cgroups": rec.cgroups} if rec.cgroups else lists


def block(data, packed):
    return base64.b64encode(zlib.compress(data) if packed == "zlib" else data).decode()


def digest(text):
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def script_of_page():
    """Returns the parts of the script, in the order in which the build joins them."""
    listed = re.search(r"page_script = files\((.*?)\)", (PARTS.parent / "meson.build").read_text(), re.S)[1]
    return "".join((PARTS.parent / name).read_text() for name in re.findall(r"'([^']+)'", listed))


def html(rec, packed="zlib"):
    """Returns the page of @rec."""
    columns = [(name, len(numbers), leb128(numbers)) for name, numbers in columns_of(rec)]
    facts = json.dumps(facts_of(rec, packed, columns)).replace("<", "\\u003c")
    code = json.dumps({"functions": rec.functions}).encode() if rec.functions else b""
    skeleton, style = ((PARTS / f"page.{end}").read_text() for end in ("html", "css"))
    script = script_of_page()
    title = rec.title.replace("&", "&amp;").replace("<", "&lt;")
    parts = {"title": title, "style": style, "script": script, "style-digest": digest(style),
             "script-digest": digest(script), "facts": facts, "code": block(code, packed) if code else "",
             "lists": block(json.dumps(lists_of(rec)).encode(), packed),
             "columns": block(b"".join(data for _, _, data in columns), packed)}
    # No recording here has a time chart.
    parts |= {name: "" for name in ("chart-style-digest", "chart-script-digest", "chart-style", "chart")}
    out, rest = [], skeleton
    while "@{" in rest:
        before, _, rest = rest.partition("@{")
        name, _, rest = rest.partition("}")
        out += [before, parts[name]]
    return "".join(out + [rest])


# --- recordings -------------------------------------------------------------------------------------

def listing(rec, name, obj, lines):
    """Adds a listing for function @name; returns the place of its first instruction."""
    first = sum("a" in row for f in rec.functions for row in f["rows"])
    rows = []
    for number in range(lines):
        rows.append({"s": 10 + number, "f": "main.c", "t": f"\tsum += table[i] * {number}; // {name}"})
        for k in range(3):
            rows.append({"a": f"{0x401000 + 12 * number + 4 * k:x}", "t": f"ldr\tx{k}, [x1, #{8 * k}]"})
    rows[-1].update(t="b.ne\t401000", to=1)
    rec.functions.append({"name": rec.names.index(name), "object": rec.objects.index(obj), "rows": rows})
    return 1 + first


def small():
    """Ten seconds of a program of three threads on two CPUs, with a burst in second 6."""
    rng = random.Random(1)
    rec = Recording("perf.data")
    rec.tasks = [(100, 100, "server"), (100, 101, "worker"), (200, 200, "sh")]
    rec.cpus, rec.bins = [0, 1], 10000
    rec.events = [("cycles", ""), ("page-faults", "")]
    libc, kernel = ("libc.so.6", "user"), ("[kernel.kallsyms]", "kernel")
    stacks = [rec.stack("_start", "main", "serve", "parse", ("memcpy", *libc)),
              rec.stack("_start", "main", "serve", "parse"),
              rec.stack("_start", "main", "serve", "reply", ("write", *libc), ("ksys_write", *kernel)),
              rec.stack("_start", "main", "serve", "hash", "mix"),
              rec.stack(("clone", *libc), "work", "hash", "hash", "mix"),
              rec.stack(("clone", *libc), "work", ("malloc", *libc), ("clear_page", *kernel)),
              rec.stack(("[unknown]", "[JIT] tid 200", "jit"), ("loop", "[JIT] tid 200", "jit"))]
    mix = listing(rec, "mix", "app", 12)
    listing(rec, "parse", "app", 4)
    for bin_ in range(0, rec.bins, 4):
        burst = 6000 <= bin_ < 6500
        task = rng.choice([0, 0, 1, 2])
        node = stacks[6] if task == 2 else rng.choice(stacks[4:6] if task else stacks[:4])
        node = stacks[3] if burst and task == 0 else node
        place = mix + rng.randrange(36) if rec.path(node)[-1] == "mix" else 0
        samples = rng.randrange(1, 5) * (3 if burst else 1)
        rec.cells.append(Cell(task, bin_, node, rng.randrange(2), 0, 0, 0, samples, samples * 250000, place))
        if bin_ % 100 == 0:
            rec.cells.append(Cell(task, bin_, node, 0, 1, 0, 0, 1, 1, 0))
    rec.more["quality"] = [
        {"level": "warning", "text": "1.2% of the samples were lost.", "help": "Record with -m 1024."},
        {"level": "note", "text": "3 stacks were cut at 127 frames.", "help": "See kernel.perf_event_max_stack."},
        {"level": "fine", "text": "No throttling."}]
    rec.more["header"] = [["hostname", "box"], ["os release", "6.1.0"], ["cmdline", "perf record -g ./server"]]
    return rec


def tree(rec, rng, n, depth, names):
    """Adds about @n nodes by random walks that prefer existing nodes."""
    nodes = [(rec.stack("_start", "main"), 2)]
    while len(rec.nodes) < n:
        parent, level = rng.choice(nodes) if rng.random() < .3 else nodes[-1]
        if level >= depth:
            continue
        name = f"function_{rng.randrange(names)}"
        nodes.append((rec.node(parent, name, "app" if rng.random() < .7 else "libbig.so"), level + 1))
    return [node for node, _ in nodes]


def big(n_nodes=50000, n_cells=400000, n_tasks=64, depth=40):
    """Makes @n_nodes stacks, @n_cells cells, a minute."""
    rng = random.Random(2)
    rec = Recording("big.data")
    rec.tasks = [(1000 + i // 4, 1000 + i, f"worker/{i % 8}") for i in range(n_tasks)]
    rec.cpus, rec.bins = list(range(16)), 60000
    nodes = tree(rec, rng, n_nodes, depth, 5000)
    for i in range(n_cells):
        node = nodes[i] if i < len(nodes) else nodes[int(len(nodes) * rng.random() ** 2)]
        rec.cells.append(Cell(int(n_tasks * rng.random() ** 2), rng.randrange(rec.bins), node,
                              rng.randrange(16), 0, 0, 0, 1 + rng.randrange(3), 1000 + rng.randrange(9000)))
    return rec


def boxes():
    """A hundred thousand boxes."""
    rec = big(100000, 120000, 1, 60)
    rec.title = "100,000 boxes"
    return rec


def deep():
    """Stacks of 500 frames."""
    rec = Recording("deep.data", "flame table facts")
    rec.tasks, node = [(1, 1, "deep")], 0
    for level in range(500):
        node = rec.node(node, f"recurse_{level}")
        rec.cells.append(Cell(0, 0, node))
    return rec


HOSTILE = ["</script><script>alert(1)</script>", "<img src=x onerror=alert(1)>", "a&amp;b\"c'd", "tab\there\x01\x7f",
           "bad\ufffd\ufffdutf-8", "right\u202eto\u2066left", "]]>-->", "__proto__", "constructor", "<!--<script>",
           "std::vector<" + "std::pair<int, long>, " * 450 + "int>::push_back", "名前", "", "(.*)+$", "@{script}"]


def hostile():
    """Names that imitate markup, scripts and other things that are not text."""
    rec = Recording("<b>&\"hostile\"</b></title><script>alert(1)</script>")
    rec.tasks = [(i, i, name[:15]) for i, name in enumerate(HOSTILE)]
    rec.bins, rec.events = 100, [("<i>event</i>", "<u>")]
    for i, name in enumerate(HOSTILE):
        node = rec.stack((name, name, "user"), (HOSTILE[i - 1], HOSTILE[i - 1], "kernel"))
        rec.cells.append(Cell(i, i, node, samples=3, weight=3))
    rec.functions = [{"name": 0, "object": 1, "rows": [{"s": 1, "f": name, "t": name} for name in HOSTILE]
                      + [{"a": "zz<b>", "t": name, "to": 99999} for name in HOSTILE]}]
    rec.more["quality"] = [{"level": "warning", "text": HOSTILE[0], "help": HOSTILE[1]}]
    rec.more["header"] = [[name, name] for name in HOSTILE]
    return rec


def empty():
    """No sample at all."""
    rec = Recording("empty.data")
    rec.events = []
    rec.more["quality"] = [{"level": "warning", "text": "The recording has no samples.", "help": "Record longer."}]
    return rec


def no_time():
    """Samples without times and without stacks."""
    rec = Recording("no-time.data", "flame time threads table code facts")
    rec.tasks = [(1, 1, "sh"), (2, 2, "ls")]
    for i in range(20):
        rec.cells.append(Cell(i % 2, 0, rec.stack(f"function_{i}"), samples=i + 1, weight=i + 1))
    return rec


def comparison():
    """Two recordings: mix got slower, parse faster, gone() is gone."""
    rec = Recording("before.data and after.data", "flame table facts")
    rec.tasks = [(1, 1, "server")]
    rec.more.update(sides=["before", "after"], changes=["noise", "more", "less"])
    main = rec.node(rec.node(0, "_start"), "main")
    for name, before, after, change in (("mix", 100, 400, 1), ("parse", 400, 100, 2), ("hash", 300, 310, 0),
                                        ("gone", 200, 0, 2), ("fresh", 0, 190, 1)):
        node = rec.node(main, name, change=change)
        for side, n in enumerate((before, after)):
            if n:
                rec.cells.append(Cell(0, 0, node, side=side, samples=n, weight=n * 1000))
    return rec


def heat():
    """Latencies over time, as perf heatmap writes them."""
    rng = random.Random(3)
    rec = Recording("block: issue to complete", "heat facts")
    rec.events = []
    cells = collections.Counter()
    for _ in range(20000):
        slow = rng.random() < .2
        cells[int(60 * rng.random()), min(49, int(abs(rng.gauss(20 if slow else 3, 4 if slow else 1))))] += 1
    cells[30, 48] = 1
    places = sorted(cells)
    rec.columns = {"heat.row": [row for _, row in places],
                   "heat.x": [x - (places[i - 1][0] if i else 0) for i, (x, _) in enumerate(places)],
                   "heat.count": [cells[p] for p in places]}
    rec.more["heat"] = {"x": {"start": 0, "step": 1, "n": 60, "unit": "s"},
                        "y": {"start": 0, "step": 1000, "n": 50, "unit": "us", "log": False}, "over": 3}
    rec.heat = cells
    return rec


def waits():
    """Times of waiting: cells weigh nanoseconds, and no samples were counted."""
    rec = Recording("waits.data", "flame table facts")
    rec.tasks, rec.events = [(1, 1, "waits")], [("waiting", "ns")]
    for name, ns in (("sleep", 40000000), ("lock", 5000000)):
        rec.cells.append(Cell(0, 0, rec.stack((name, "", "wait"), "main"), samples=ns, weight=ns))
    rec.more["events"] = [{"name": "waiting", "unit": "ns", "samples": 45000000, "total": 45000000, "period": 1}]
    return rec


RECORDINGS = {make.__name__.replace("_", "-"): make
              for make in (small, big, boxes, deep, hostile, empty, no_time, comparison, heat, waits)}

if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1] not in RECORDINGS:
        sys.exit(__doc__ + "\nRECORDINGS: " + " ".join(RECORDINGS))
    sys.stdout.write(html(RECORDINGS[sys.argv[1]]()))
