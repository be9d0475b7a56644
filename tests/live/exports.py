# SPDX-License-Identifier: MIT
"""Reads back the output of `perf data convert`, format by format, and compares it with its JSON."""
import collections
import gzip
import json
import os
import re
import subprocess
import sys

PERF = os.environ["PERF"]
FIXTURES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../fixtures")
failures = []

# Each recording, and the place of its programs.
RECORDINGS = {
    "stacks": ("report/calls.data", "report/symfs"),
    "events": ("report/events.data", "report/symfs"),
    "callers": ("lines/calls.data", "lines/symfs"),
    "kernel": ("report/system.data", None),
    "inlines": ("lines/unwound.data", "lines/symfs"),
    "probes": ("dwarf/aarch64/stacks.data", "dwarf/aarch64/symfs"),
    "tracepoints": ("sched/made.data", None),
}


def check(what, condition, more=""):
    if not condition:
        failures.append(f"{what}: {more}"[:2000])


def same(what, ours, reference):
    if ours == reference:
        return
    extra = (ours - reference) if isinstance(ours, collections.Counter) else ours
    lacks = (reference - ours) if isinstance(ours, collections.Counter) else reference
    failures.append(f"{what}: has {str(extra)[:600]}, lacks {str(lacks)[:600]}")


def convert(recording, *words, to=None):
    data, symfs = RECORDINGS[recording] if recording in RECORDINGS else (recording, None)
    command = [PERF, "data", "convert", "-f", "-i", os.path.join(FIXTURES, data), *words]
    if symfs:
        command += ["--symfs", os.path.join(FIXTURES, symfs)]
    run = subprocess.run(command, capture_output=True)
    if run.returncode:
        failures.append(f"{' '.join(command)}: {run.stderr.decode()}")
    return run.stdout


def frame_name(frame):
    return frame.get("symbol", "?")


def script_samples(recording):
    """Returns the samples as `perf script` prints them, with inlined functions."""
    data, symfs = RECORDINGS[recording]
    text = subprocess.run([PERF, "script", "-f", "-i", os.path.join(FIXTURES, data), "--symfs",
                           os.path.join(FIXTURES, symfs), "--ns", "-F",
                           "comm,pid,tid,time,period,event,ip,sym"], capture_output=True, text=True)
    samples = []
    for block in text.stdout.rstrip().split("\n\n"):
        head, *frames = block.splitlines()
        comm, pid, tid, seconds, ns, period, event = re.fullmatch(
            r"(\S+) +(\d+)/(\d+) +(\d+)\.(\d+): +(\d+) (.*): *", head).groups()
        names = [line.split(None, 1)[1].removesuffix(" (inlined)") for line in frames]
        samples.append({"event": event, "comm": comm, "pid": int(pid), "tid": int(tid),
                        "timestamp": int(seconds + ns), "period": int(period),
                        "callchain": [{"symbol": "?" if n == "[unknown]" else n} for n in names]})
    return samples


class Reference:
    """The samples of --to-json --all, or of `perf script`, because JSON has no inlined functions."""

    def __init__(self, recording):
        if recording == "inlines":
            self.samples = script_samples(recording)
            return
        self.samples = json.loads(convert(recording, "--all", "--to-json", "-"))["samples"]

    def counts(self, key):
        counts = collections.Counter()
        for s in self.samples:
            counts[key(s)] += 1
        return counts

    def periods(self, key):
        counts = collections.Counter()
        for s in self.samples:
            counts[key(s)] += s["period"]
        return counts

    @staticmethod
    def stack(sample):
        return tuple(frame_name(f) for f in sample["callchain"])


# Protocol buffers.

def fields(message):
    """Returns the fields of a message: a list of values by number; bytes, or numbers."""
    found, at = collections.defaultdict(list), 0

    def varint():
        nonlocal at
        value = shift = 0
        while True:
            byte = message[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    while at < len(message):
        tag = varint()
        if tag & 7 == 0:
            value = varint()
        elif tag & 7 == 1:
            value, at = int.from_bytes(message[at:at + 8], "little"), at + 8
        else:
            assert tag & 7 == 2, tag
            n = varint()
            value, at = message[at:at + n], at + n
            assert at <= len(message)
        found[tag >> 3].append(value)
    return found


def packed(parts):
    numbers = []
    for part in parts:
        value = shift = 0
        for byte in part:
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                numbers.append(value)
                value = shift = 0
    return numbers


def one(message, field, default=0):
    return message[field][0] if message[field] else default


class Pprof:
    def __init__(self, data):
        top = fields(gzip.decompress(data))
        self.texts = [t.decode() for t in top[6]]
        self.types = [tuple(self.texts[one(fields(t), k)] for k in (1, 2)) for t in top[1]]
        self.mappings = {one(m, 1): m for m in map(fields, top[3])}
        self.functions = {one(f, 1): self.texts[one(f, 2)] for f in map(fields, top[5])}
        self.locations = {one(x, 1): x for x in map(fields, top[4])}
        self.samples = [fields(s) for s in top[2]]

    def names(self, location):
        lines = [fields(x) for x in self.locations[location][4]]
        return [self.functions[one(x, 1)] for x in lines] or ["?"]

    def stack(self, sample):
        return tuple(n for x in packed(sample[1]) for n in self.names(x))

    def labels(self, sample):
        found = {}
        for label in map(fields, sample[3]):
            found[self.texts[one(label, 1)]] = self.texts[one(label, 2)] or one(label, 3)
        return found


def test_pprof(recording, reference):
    profile = Pprof(convert(recording, "--to-pprof", "-", "--labels", "comm,pid,tid"))
    events = {name for name, _ in profile.types[1::2]}
    names = [name for name, _ in profile.types[1::2]]
    counts, periods = collections.Counter(), collections.Counter()
    same("pprof: events", events, {s["event"] for s in reference.samples})
    for s in profile.samples:
        labels = profile.labels(s)
        for i, event in enumerate(names):
            samples, period = packed(s[2])[2 * i:2 * i + 2]
            key = event, labels["comm"], labels["pid"], labels["tid"], profile.stack(s)
            if samples:
                counts[key] += samples
                periods[key] += period
    key = lambda s: (s["event"], s["comm"], s["pid"], s["tid"], reference.stack(s))
    same(f"pprof: {recording}: samples", counts, reference.counts(key))
    same(f"pprof: {recording}: periods", periods, reference.periods(key))


def test_pprof_inlines():
    """Inlined functions are lines of one location; the mapping says that there are some."""
    profile = Pprof(convert("lines/unwound.data", "--to-pprof", "-", "--lines", "--symfs",
                            os.path.join(FIXTURES, "lines/symfs")))
    most = max(len(profile.names(x)) for x in profile.locations)
    check("pprof: inlined functions", most > 1)
    check("pprof: mapping", any(one(m, 10) and one(m, 9) and one(m, 7)
                                for m in profile.mappings.values()))


# Text and JSON.

def by_task(s):
    return s["event"], s["pid"], s["tid"], Reference.stack(s)


def hidden(name):
    """True for addresses, which stand where JSON has no symbol."""
    return "?" if re.fullmatch("0x[0-9a-f]+", name) else name


def test_folded(recording, reference):
    lines = convert(recording, "--to-folded", "-").decode().splitlines()
    several = len({s["event"] for s in reference.samples}) > 1
    counts = collections.Counter()
    for line in lines:
        words = line.rpartition(" ")[0].split(";")
        names = ["?" if re.fullmatch(r"\[.*\]", n) else n for n in words[2 if several else 1:]]
        counts[words[0] if several else "", words[1 if several else 0],
               tuple(reversed(names))] += int(line.rpartition(" ")[2])
    same(f"folded: {recording}", counts, reference.counts(
        lambda s: (s["event"].replace(" ", "_") if several else "", s["comm"], reference.stack(s))))


def test_speedscope(recording, reference):
    document = json.loads(convert(recording, "--to-speedscope", "-"))
    check("speedscope: schema", document["$schema"].endswith("file-format-schema.json"))
    frames = [hidden(f["name"]) for f in document["shared"]["frames"]]
    weights = collections.Counter()
    for p in document["profiles"]:
        comm, _, event = p["name"].partition(": ")
        pid, tid = comm.rpartition(" ")[2].split("/")
        check("speedscope: sums", sum(p["weights"]) == p["endValue"] - p["startValue"])
        check("speedscope: lengths", len(p["weights"]) == len(p["samples"]))
        for stack, weight in zip(p["samples"], p["weights"]):
            weights[event, int(pid), int(tid),
                    tuple(frames[f] for f in reversed(stack))] += weight
    same(f"speedscope: {recording}", weights, reference.periods(by_task))


def test_chrome(recording, reference):
    document = json.loads(convert(recording, "--to-chrome", "-"))
    frames = document["stackFrames"]
    tids = {e["tid"]: e["pid"] for e in document["traceEvents"] if e["name"] == "thread_name"}

    def stack(number):
        names = []
        while number is not None:
            names.append(hidden(frames[number]["name"]))
            number = frames[number].get("parent")
        return tuple(names)

    samples = [(s["name"], tids[s["tid"]], s["tid"], round(s["ts"] * 1000), stack(s.get("sf")))
               for s in document["samples"]]
    same(f"chrome: {recording}", collections.Counter(samples), reference.counts(
        lambda s: (s["event"], s["pid"], s["tid"], s["timestamp"], reference.stack(s))))


class Firefox:
    """A processed profile, whose tables must be consistent."""

    def __init__(self, data):
        self.document = json.loads(data)
        self.threads = self.document["threads"]
        for t in self.threads:
            for name in ("samples", "markers", "stackTable", "frameTable", "funcTable",
                         "resourceTable", "nativeSymbols"):
                table = t[name]
                for column, values in table.items():
                    if isinstance(values, list):
                        check(f"firefox: {name}.{column}", len(values) == table["length"])
            for i, prefix in enumerate(t["stackTable"]["prefix"]):
                check("firefox: callers come first", prefix is None or prefix < i)
            for m in t["markers"]["category"]:
                check("firefox: category", m < len(self.document["meta"]["categories"]))

    @staticmethod
    def stack(t, number):
        names = []
        while number is not None:
            function = t["frameTable"]["func"][t["stackTable"]["frame"][number]]
            names.append(hidden(t["stringArray"][t["funcTable"]["name"][function]]))
            number = t["stackTable"]["prefix"][number]
        return tuple(names)


def test_firefox(recording, reference):
    profile = Firefox(convert(recording, "--to-firefox", "-"))
    first = min(s["timestamp"] for s in reference.samples)
    samples = collections.Counter()
    for t in profile.threads:
        for stack, time in zip(t["samples"]["stack"], t["samples"]["time"]):
            samples[int(t["pid"]), t["tid"], round(time * 1e6), profile.stack(t, stack)] += 1
    same(f"firefox: {recording}", samples, reference.counts(
        lambda s: (s["pid"], s["tid"], s["timestamp"] - first, reference.stack(s))))


def test_firefox_switches():
    """Tracepoints are markers; switches are times off the CPU, and lanes of CPUs."""
    profile = Firefox(convert("sched/made.data", "--to-firefox", "-"))
    names = collections.Counter()
    for t in profile.threads:
        for name, start, end in zip(t["markers"]["name"], t["markers"]["startTime"],
                                    t["markers"]["endTime"]):
            names[t["stringArray"][name]] += 1
            check("firefox: marker", end is None or end >= start)
    check("firefox: tracepoints", names["sched:sched_switch"] > 0, names)
    check("firefox: off CPU", names["Off CPU"] > 0, names)
    for profile in profile, Firefox(convert("intel-pt/pt.data", "--to-firefox", "-")):
        check("firefox: CPUs", any(t["pid"] == "CPUs" and t["markers"]["length"]
                                   for t in profile.threads))


class Perfetto:
    def __init__(self, data):
        self.packets = [fields(p) for p in fields(data)[1]]
        self.interned = collections.defaultdict(lambda: collections.defaultdict(dict))
        self.samples, self.switches, self.instants, self.names = [], [], [], {}
        self.counters = collections.Counter()
        for p in self.packets:
            self.take(p)

    def take(self, p):
        sequence = one(p, 10)
        tables = self.interned[sequence]
        for interned in map(fields, p[12]):
            for field, entries in interned.items():
                for e in map(fields, entries):
                    check("perfetto: numbers are told once", one(e, 1) not in tables[field])
                    tables[field][one(e, 1)] = e
        for defaults in map(fields, p[59]):
            timebase = fields(fields(defaults[12][0])[1][0])
            self.names[sequence] = timebase[10][0].decode()
        for s in map(fields, p[66]):
            # The current value of the CPU's counter.
            period = one(s, 6) - self.counters[sequence, one(s, 1)]
            self.counters[sequence, one(s, 1)] = one(s, 6)
            self.samples.append((self.names[sequence], one(s, 2), one(s, 3), one(p, 8),
                                 self.stack(tables, one(s, 4)), period))
        for bundle in map(fields, p[1]):
            for event in map(fields, bundle[2]):
                switch = fields(event[4][0])
                self.switches.append((one(bundle, 1), one(event, 1), one(switch, 2),
                                      one(switch, 6)))
        for e in map(fields, p[11]):
            self.instants.append((one(p, 8), one(e, 23).decode()))

    @staticmethod
    def stack(tables, number):
        names = []
        for frame in tables[7][number][2] if number else []:
            function = one(tables[6][frame], 2)
            mapping = one(tables[6][frame], 3)
            check("perfetto: mapping", not mapping or mapping in tables[19])
            build_id = one(tables[16][one(tables[19][mapping], 2)], 2, b"") if mapping else b""
            check("perfetto: build-id", len(build_id) in (0, 20), build_id)
            names.append(one(tables[5][function], 2).decode() if function else "?")
        return tuple(reversed(names))


def test_perfetto(recording, reference):
    trace = Perfetto(convert(recording, "--to-perfetto", "-"))
    same(f"perfetto: {recording}", collections.Counter(trace.samples),
         reference.counts(lambda s: (s["event"], s["pid"], s["tid"], s["timestamp"],
                                     reference.stack(s), s["period"])))


def test_perfetto_switches():
    trace = Perfetto(convert("sched/made.data", "--to-perfetto", "-"))
    events = json.loads(convert("sched/made.data", "--all", "--to-json", "-"))["samples"]
    recorded = {(e["cpu"], e["timestamp"], e["fields"]["prev_pid"], e["fields"]["next_pid"])
                for e in events if e["event"] == "sched:sched_switch"}
    same("perfetto: switches", set(trace.switches) & recorded, recorded)
    check("perfetto: instants", len(trace.instants) == len(events))


class Otlp:
    def __init__(self, data):
        top = fields(data)
        self.tables = fields(top[2][0])
        self.texts = [t.decode() for t in self.tables[5]]
        self.profiles = []
        for scope in map(fields, fields(top[1][0])[2]):
            self.profiles += [fields(p) for p in scope[2]]
        for table in (1, 2, 3, 4, 6, 7):
            check("OTLP: the first is empty", self.tables[table][0] == b"")
        check("OTLP: the first text is empty", self.tables[5][0] == b"")
        for table in (1, 2, 3, 5, 6, 7):
            check("OTLP: no two are the same",
                  len(set(self.tables[table])) == len(self.tables[table]), table)
        used = self.used()
        for table in used:
            same(f"OTLP: each of table {table} is referred to, and is there",
                 used[table] | {0}, set(range(len(self.tables[table]))))

    def used(self):
        """Checks references between the tables and returns the places that are referred to."""
        used = {table: set() for table in (1, 2, 3, 5, 6, 7)}
        for p in self.profiles:
            for kind in map(fields, p[1] + p[5]):
                used[5] |= {one(kind, 1), one(kind, 2)}
            for s in map(fields, p[2]):
                used[7].add(one(s, 1))
                used[6] |= set(packed(s[2]))
        for stack in map(fields, self.tables[7]):
            used[2] |= set(packed(stack[1]))
        for location in map(fields, self.tables[2]):
            used[1].add(one(location, 1))
            used[3] |= {one(fields(line), 1) for line in location[3]}
            used[6] |= set(packed(location[4]))
        for mapping in map(fields, self.tables[1]):
            used[5].add(one(mapping, 4))
            used[6] |= set(packed(mapping[5]))
        for function in map(fields, self.tables[3]):
            used[5] |= {one(function, field) for field in (1, 2, 3)}
        for attribute in map(fields, self.tables[6]):
            used[5] |= {one(attribute, 1), one(attribute, 3)}
        return used

    def names(self, location):
        lines = [fields(x) for x in fields(self.tables[2][location])[3]]
        functions = [fields(self.tables[3][one(x, 1)]) for x in lines]
        return [self.texts[one(f, 1)] for f in functions] or ["?"]

    def stack(self, sample):
        stack = fields(self.tables[7][one(sample, 1)])
        return tuple(n for x in packed(stack[1]) for n in self.names(x))

    def attributes(self, sample):
        found = {}
        for number in packed(sample[2]):
            a = fields(self.tables[6][number])
            value = fields(a[2][0])
            found[self.texts[one(a, 1)]] = value[1][0].decode() if value[1] else one(value, 3)
        return found


def test_otlp(recording, reference):
    data = Otlp(convert(recording, "--to-otlp", "-", "--labels", "comm,pid,tid"))
    periods = collections.Counter()
    n_samples = 0
    for p in data.profiles:
        name = data.texts[one(fields(p[1][0]), 1)]
        for s in map(fields, p[2]):
            value = packed(s[4])[0]
            if name == "samples":
                n_samples += value
                continue
            a = data.attributes(s)
            periods[name, a["thread.name"], a["process.pid"], a["thread.id"],
                    # A frame without a place has a name, because an entry without fields would mean none.
                    tuple("?" if n == "[unknown]" else n for n in data.stack(s))] += value
    same(f"OTLP: {recording}", periods, reference.periods(
        lambda s: (s["event"], s["comm"], s["pid"], s["tid"], reference.stack(s))))
    same("OTLP: samples", n_samples, len(reference.samples))


# Databases.

SAMPLES = ("SELECT e.name, t.pid, t.tid, c.comm, s.time, s.period, s.call_path_id FROM samples s"
           " JOIN selected_events e ON e.id = s.evsel_id JOIN threads t ON t.id = s.thread_id"
           " JOIN comms c ON c.id = s.comm_id WHERE s.id > 0")
PATHS = ("SELECT p.id, p.parent_id, p.symbol_id, s.name FROM call_paths p"
         " JOIN symbols s ON s.id = p.symbol_id")


def compare_rows(what, samples, paths, reference):
    path = {int(r[0]): r for r in paths}

    def stack(number):
        names = []
        while number:
            row = path[number]
            names.append(row[3] if int(row[2]) else "?")
            number = int(row[1])
        return tuple(names)

    same(what, collections.Counter((r[0], int(r[1]), int(r[2]), r[3], int(r[4]), int(r[5]),
                                    stack(int(r[6]))) for r in samples),
         reference.counts(lambda s: (s["event"], s["pid"], s["tid"], s["comm"], s["timestamp"],
                                     s["period"], reference.stack(s))))


def test_sqlite(recording, reference):
    import sqlite3
    convert(recording, "--to-sqlite", f"{recording}.db")
    database = sqlite3.connect(f"{recording}.db")
    compare_rows(f"SQLite: {recording}", database.execute(SAMPLES).fetchall(),
                 database.execute(PATHS).fetchall(), reference)
    for (view,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'view'").fetchall():
        database.execute(f"SELECT * FROM {view}").fetchall()
    database.close()


# Names with a special meaning in a format.

# Names are never cut: one has 10,000 letters.
HOSTILE = [b"a'\"\\", b"line\nend\ttab\rreturn", b"\x01\x1b[31m\x7f", b"\xff\xfe\xc3(",
           b"</script><img src=hostile>", b"semi;colon and blank", "\u2028\u00e9\U0001f600".encode(),
           b"n" * 10000, b"'); DROP TABLE samples; --", b"\\.", b"\\N", b"$$", b"%s%n", b"[unknown]"]


def field(number, value):
    def varint(n):
        return bytes([n & 127 | 128]) + varint(n >> 7) if n > 127 else bytes([n])

    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    return varint(number << 3 | 2) + varint(len(value)) + value


def hostile_recording(folder="."):
    """Returns the path of a pprof profile in which function N has N + 1 samples, called by the first."""
    n = range(1, len(HOSTILE) + 1)
    texts = [b"", b"samples", b"count", *HOSTILE]
    parts = [field(1, field(1, 1) + field(2, 2))]
    parts += [field(2, field(1, i) + field(1, 1) + field(2, i)) for i in n]
    parts += [field(4, field(1, i) + field(4, field(1, i))) for i in n]
    parts += [field(5, field(1, i) + field(2, i + 2)) for i in n]
    parts += [field(6, t) for t in texts]
    path = os.path.abspath(os.path.join(folder, "hostile.pb.gz"))
    with gzip.open(path, "wb") as file:
        file.write(b"".join(parts))
    return path


def hostile_counts(errors="backslashreplace"):
    """Returns weights by stack. Bytes that are not UTF-8 are \\xNN, or U+FFFD in JSON: "replace"."""
    names = [name.decode(errors=errors) for name in HOSTILE]
    return collections.Counter({(name, names[0]): i + 1 for i, name in enumerate(names)})


def test_hostile_functions():
    """Tests names of functions with quotes, line ends, markup, SQL and bytes that are not UTF-8."""
    import sqlite3
    path = hostile_recording()
    counts = hostile_counts()
    profile = Pprof(convert(path, "--to-pprof", "-"))
    same("hostile: pprof", collections.Counter(
        {profile.stack(s): packed(s[2])[0] for s in profile.samples}), counts)
    data = Otlp(convert(path, "--to-otlp", "-"))
    same("hostile: OTLP", collections.Counter(
        {data.stack(s): packed(s[4])[0] for s in map(fields, data.profiles[0][2])}), counts)
    trace = Perfetto(convert(path, "--to-perfetto", "-"))
    same("hostile: Perfetto", collections.Counter({s[4]: s[5] for s in trace.samples}), counts)
    convert(path, "-f", "--to-sqlite", "hostile.db")
    database = sqlite3.connect("hostile.db")
    paths = {r[0]: r for r in database.execute(PATHS)}
    same("hostile: SQLite", collections.Counter(
        {(paths[c][3], paths[paths[c][1]][3]): period for period, c in
         database.execute("SELECT period, call_path_id FROM samples")}), counts)
    database.close()
    counts = hostile_counts("replace")
    document = json.loads(convert(path, "--to-speedscope", "-"))
    names = [f["name"] for f in document["shared"]["frames"]]
    lane = document["profiles"][0]
    same("hostile: speedscope", collections.Counter(
        {tuple(names[f] for f in reversed(s)): w for s, w in zip(lane["samples"], lane["weights"])}),
         counts)
    thread = Firefox(convert(path, "--to-firefox", "-")).threads[0]
    same("hostile: Firefox", collections.Counter(
        {Firefox.stack(thread, s): w
         for s, w in zip(thread["samples"]["stack"], thread["samples"]["weight"])}), counts)
    lines = convert(path, "--to-folded", "-").decode().splitlines()
    check("hostile: folded", len(lines) == len(HOSTILE) and all(x.count(";") == 2 for x in lines), lines)


def test_hostile_commands():
    """Quotes, line ends and bytes that are not UTF-8 in names of commands do not break formats."""
    name = b"a'\"\\\n\t\xff"
    with open(os.path.join(FIXTURES, "report/calls.data"), "rb") as file:
        data = file.read()
    hostile = data.replace(b"helper\0\0", name + b"\0")
    check("hostile: the name is there", hostile != data)
    with open("hostile.data", "wb") as file:
        file.write(hostile)
    path = os.path.abspath("hostile.data")
    for word in ("speedscope", "chrome", "firefox"):
        json.loads(convert(path, f"--to-{word}", "-").decode())
    Pprof(convert(path, "--to-pprof", "-", "--labels", "comm"))
    Otlp(convert(path, "--to-otlp", "-", "--labels", "comm"))
    Perfetto(convert(path, "--to-perfetto", "-"))
    convert(path, "--to-folded", "-").decode()
    rows = convert(path, "--to-postgresql", "-").decode().split("COPY comms")[1].split("\\.\n")[0]
    check("hostile: rows", all(len(r.split("\t")) == 5 for r in rows.splitlines()[1:]), rows)
    import sqlite3
    convert(path, "--to-sqlite", "hostile-comms.db")
    names = [r[0] for r in sqlite3.connect("hostile-comms.db").execute("SELECT comm FROM comms")]
    check("hostile: a name", "a'\"\\\n\t\\xff" in names, names)


def main():
    for recording in RECORDINGS:
        reference = Reference(recording)
        for test in (test_pprof, test_folded, test_speedscope, test_chrome, test_perfetto, test_otlp,
                     test_sqlite):
            test(recording, reference)
        # Tracepoints are markers in that format.
        if recording not in ("probes", "tracepoints"):
            test_firefox(recording, reference)
    test_pprof_inlines()
    test_firefox_switches()
    test_perfetto_switches()
    test_hostile_functions()
    test_hostile_commands()
    for f in failures:
        print(f)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
