# SPDX-License-Identifier: MIT
#
# gecko: a profile for https://profiler.firefox.com (Gecko profile format).
#
#   perf script record gecko -a sleep 10
#   perf script report gecko --save-only profile.json      then load the file there
#   perf script report gecko                               or open the page with it
#
# Without --save-only a small web server on this machine passes the file to the page; the profile
# goes to the browser, not to the internet.

import argparse
import http.server
import json
import os
import platform
import sys
import threading
import time
import urllib.parse
import webbrowser

sys.path.append(os.path.join(os.environ.get("PERF_EXEC_PATH", "."),
                             "scripts/python/Perf-Trace-Util/lib/Perf/Trace"))
import Script

PAGE = "https://profiler.firefox.com"
COLORS = ["yellow", "blue", "purple", "green", "orange", "red", "grey", "magenta"]
USER, KERNEL = 0, 1         # index in categories
FRAME_COLUMNS = ["location", "relevantForJS", "innerWindowID", "implementation", "optimizations",
                 "line", "column", "category", "subcategory"]


class Table:
    """Rows that are stored once and known by their number."""

    def __init__(self, columns):
        self.columns = columns
        self.rows = []
        self.numbers = {}

    def number(self, key, row):
        if key not in self.numbers:
            self.numbers[key] = len(self.rows)
            self.rows.append(row)
        return self.numbers[key]

    def to_dict(self):
        return {"schema": {name: i for i, name in enumerate(self.columns)}, "data": self.rows}


class Thread:
    def __init__(self, pid, tid):
        self.pid = pid
        self.tid = tid
        self.comm = ""
        self.samples = Table(["stack", "time", "responsiveness"])
        self.frames = Table(FRAME_COLUMNS)
        self.stacks = Table(["prefix", "frame"])
        self.strings = Table([])

    def add(self, stack, milliseconds):
        """Adds a stack, a list of texts, outermost first."""
        prefix = None
        for text in stack:
            string = self.strings.number(text, text)
            kernel = "kallsyms" in text or "/vmlinux" in text or text.endswith(".ko)")
            frame = self.frames.number(text, [string, False, 0, None, None, None, None,
                                              KERNEL if kernel else USER, None])
            prefix = self.stacks.number((prefix, frame), [prefix, frame])
        if prefix is not None:
            self.samples.rows.append([prefix, milliseconds, 0])

    def to_dict(self):
        markers = Table(["name", "startTime", "endTime", "phase", "category", "data"])
        return {"tid": self.tid, "pid": self.pid, "name": self.comm,
                "markers": markers.to_dict(), "samples": self.samples.to_dict(),
                "frameTable": self.frames.to_dict(), "stackTable": self.stacks.to_dict(),
                "stringTable": self.strings.rows, "registerTime": 0, "unregisterTime": None,
                "processType": "default"}


threads = {}        # tid: Thread
times = []          # the first sample's, in ms


def process_event(param):
    sample = param["sample"]
    milliseconds = sample["time"] // 1000 / 1000
    if not times:
        times.append(milliseconds)
    stack = ["%s (in %s)" % (entry.get("sym", {}).get("name", "[unknown]"),
                             entry.get("dso", "[unknown]"))
             for entry in reversed(param.get("callchain") or [])]
    if not param.get("callchain"):
        stack = ["%s (in %s)" % (param.get("symbol", "[unknown]"), param.get("dso", "[unknown]"))]
    thread = threads.setdefault(sample["tid"], Thread(sample["pid"], sample["tid"]))
    thread.comm = param["comm"]     # the newest name: threads are named after they start
    thread.add(stack, milliseconds)


def trace_unhandled(event_name, context, event_fields_dict, param):
    process_event(param)


def profile():
    meta = {"interval": 1, "processType": 0, "stackwalk": 1, "debug": 0, "gcpoison": 0,
            "product": " ".join(filter(None, (platform.processor(), platform.system()))),
            "asyncstack": 1, "startTime": times[0] if times else 0, "shutdownTime": None,
            "version": 24, "presymbolicated": True, "markerSchema": [],
            "categories": [
                {"name": "User", "color": options.user_color, "subcategories": ["Other"]},
                {"name": "Kernel", "color": options.kernel_color, "subcategories": ["Other"]}]}
    return {"meta": meta, "libs": [], "threads": [t.to_dict() for t in threads.values()],
            "processes": [], "pausedRanges": []}


class Handler(http.server.BaseHTTPRequestHandler):
    """Answers every request with the profile."""

    def do_GET(self):
        self.send_response(200)
        self.send_header("Access-Control-Allow-Origin", PAGE)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        with open(FILE, "rb") as file:
            self.wfile.write(file.read())
        self.server.answered.set()

    def log_message(self, *arguments):
        pass


def open_page():
    """Serves the file on a free port of this machine until the page has fetched it."""
    server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
    server.answered = threading.Event()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = urllib.parse.quote_plus("http://localhost:%d/%s" % (server.server_port, FILE))
    print("Starting Firefox Profiler on your default browser...")
    if webbrowser.open("%s/from-url/%s" % (PAGE, url)):
        server.answered.wait(60)
        time.sleep(1)
    else:
        print("No browser could be opened: load %s at %s" % (FILE, PAGE))


def trace_end():
    try:
        with open(FILE, "w") as file:
            json.dump(profile(), file, indent=2)
    except OSError as error:
        sys.exit("gecko: cannot write '%s': %s" % (FILE, error.strerror))
    if not options.save_only:
        open_page()
    print("[ perf gecko: Captured and wrote into %s ]" % FILE)


parser = argparse.ArgumentParser(prog=Script.name(), description="Convert a recording to the "
                                 "profile format of profiler.firefox.com")
parser.add_argument("--user-color", default="yellow", choices=COLORS, help="of user functions")
parser.add_argument("--kernel-color", default="orange", choices=COLORS, help="of kernel functions")
parser.add_argument("--save-only", metavar="FILE",
                    help="save the profile in FILE instead of opening the page")
options = parser.parse_args()
FILE = options.save_only or "gecko_profile.json"
