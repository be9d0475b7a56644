# SPDX-License-Identifier: MIT
#
# flamegraph: a flame graph as a web page, or its data as JSON.
#
#   perf script record flamegraph -a sleep 10
#   perf script report flamegraph [options]
#
# The page is drawn with a template of d3-flame-graph if one is installed or given (--template).
# Otherwise `perf flamegraph` draws it, which needs no template. On its own it does more:
# differences of two recordings, time spent waiting, colours by module.

import argparse
import json
import os
import subprocess
import sys

TEMPLATE = "/usr/share/d3-flame-graph/d3-flamegraph-base.html"


class Node:
    """A frame with the frames it calls. kind is "root", "kernel" or "" for user space."""

    def __init__(self, name, kind):
        self.name = name
        self.kind = kind
        self.samples = 0        # samples that end here
        self.children = {}      # name: Node

    def child(self, name, kind):
        if name not in self.children:
            self.children[name] = Node(name, kind)
        return self.children[name]


root = Node("all", "root")


def kind_of(dso):
    return "kernel" if dso and (dso == "[kernel.kallsyms]" or dso.endswith("/vmlinux")) else ""


def process_event(event):
    if options.event and event.get("ev_name") != options.event:
        return
    pid = event.get("sample", {}).get("pid", 0)
    if pid == 0:
        node = root.child(event["comm"], "kernel")
    else:
        node = root.child("%s (%d)" % (event["comm"], pid), "")
    if "callchain" in event:
        for entry in reversed(event["callchain"]):
            node = node.child(entry.get("sym", {}).get("name", "[unknown]"),
                              kind_of(entry.get("dso")))
    else:
        node = node.child(event.get("symbol", "[unknown]"), kind_of(event.get("dso")))
    node.samples += 1


def trace_unhandled(event_name, context, event_fields_dict, event):
    """Tracepoints have stacks like any other event."""
    process_event(event)


def to_json(top):
    """Returns the tree as {"n": name, "l": kind, "v": samples, "c": [children]}. Stacks can be
    deeper than Python's limit on the recursion of functions and its json module, so this walks the
    tree without recursion."""
    parts = []
    work = [top]
    while work:
        item = work.pop()
        if isinstance(item, str):
            parts.append(item)
            continue
        parts.append('{"n": %s, "l": "%s", "v": %d, "c": ['
                     % (json.dumps(item.name), item.kind, item.samples))
        work.append("]}")
        for i, node in enumerate(reversed(list(item.children.values()))):
            work += [", ", node] if i else [node]
    return "".join(parts)


def folded(top):
    """Returns the tree as lines `a;b;c 17`, kernel functions marked, as perf flamegraph reads
    them."""
    work = [(node, "") for node in top.children.values()]
    while work:
        node, prefix = work.pop()
        name = node.name.replace(";", ":") + ("_[k]" if node.kind == "kernel" and prefix else "")
        if node.samples:
            yield "%s%s %d\n" % (prefix, name, node.samples)
        work += [(child, prefix + name + ";") for child in node.children.values()]


def draw(name):
    """Draws the page with perf flamegraph."""
    command = ["perf", "flamegraph", "--html", "-q", "-"]
    lines = "".join(folded(root)).encode("utf-8", "backslashreplace")
    try:
        return subprocess.run(command, input=lines, stdout=subprocess.PIPE,
                              check=True).stdout.decode("utf-8", "replace")
    except (OSError, subprocess.CalledProcessError) as error:
        sys.exit("flamegraph: %s does not exist, and perf flamegraph failed: %s" % (name, error))


def header():
    """Returns the header of the recording, which the page shows."""
    if options.input == "-":
        return ""       # a pipe cannot be read twice
    command = ["perf", "report", "--header-only"] + (["-i", options.input] if options.input else [])
    try:
        return subprocess.check_output(command).decode("utf-8", "backslashreplace")
    except (OSError, subprocess.CalledProcessError) as error:
        print("Error reading report header: %s" % error, file=sys.stderr)
        return ""


def page():
    settings = json.dumps({"colorscheme": options.colorscheme, "context": header()})
    try:
        with open(options.template, encoding="utf-8") as template:
            text = template.read()
    except (OSError, UnicodeDecodeError) as error:
        sys.exit("Error reading template file: %s" % error)
    return (text.replace("/** @options_json **/", settings)
            .replace("/** @flamegraph_json **/", to_json(root).replace("</", "<\\/")))


def write(text, name):
    if name == "-":
        sys.stdout.write(text)
        return
    print("dumping data to %s" % name)
    try:
        with open(name, "w", encoding="utf-8") as output:
            output.write(text)
    except OSError as error:
        sys.exit("Error writing output file: %s" % error)


def trace_end():
    if options.format == "json":
        write(to_json(root), options.output or "stacks.json")
    else:
        write(page() if os.path.isfile(options.template) else draw(options.template),
              options.output or "flamegraph.html")


parser = argparse.ArgumentParser(prog="flamegraph", description="Create flame graphs.")
parser.add_argument("-f", "--format", default="html", choices=["json", "html"],
                    help="output file format")
parser.add_argument("-o", "--output", help="output file name")
parser.add_argument("--template", default=TEMPLATE, help="path to flame graph HTML template")
parser.add_argument("--colorscheme", default="blue-green", choices=["blue-green", "orange"],
                    help="flame graph color scheme")
parser.add_argument("-i", "--input", help=argparse.SUPPRESS)
parser.add_argument("-e", "--event", help="only samples of this event")
options = parser.parse_args()
if options.template != TEMPLATE and not os.path.isfile(options.template):
    sys.exit("flamegraph: the template '%s' does not exist; without --template perf flamegraph"
             " draws the page" % options.template)
