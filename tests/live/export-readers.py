# SPDX-License-Identifier: MIT
"""Runs the programs that read the formats of `perf data convert` on its output.

Each is tried where it is installed, or, if only npm's registry has it, where that can be reached. speedscope is among
the tests in a browser.
"""
import collections
import contextlib
import gzip
import json
import os
import re
import shutil
import signal
import subprocess
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import exports
import npm
from exports import Reference, check, convert, hidden, same

HERE = os.path.dirname(os.path.abspath(__file__))
GO_SCHEMA = "/usr/share/gocode/src/github.com/google/pprof/proto"


class Missing(Exception):
    """The reader is not here; the text says which, and why."""


def need(program, package):
    if not shutil.which(program):
        raise Missing(f"{program} (package {package})")


def need_package(name):
    need("node", "nodejs")
    try:
        return npm.package(name, ".")
    except npm.Unavailable as e:
        raise Missing(e) from None


def run(what, command, **more):
    """Returns the output of a command; fails if the command fails."""
    result = subprocess.run(command, capture_output=True, **more)
    check(what, result.returncode == 0, f"{command}: {result.stderr.decode()}")
    return result.stdout.decode()


def write(path, data):
    with open(path, "wb") as file:
        file.write(data)


def decode(message, folder, schema, data):
    """Returns the text of a message. The schema must know all its fields, with the same types."""
    need("protoc", "protobuf-compiler")
    text = run(f"protoc: {schema}", ["protoc", "--decode", message, "-I", folder, schema], input=data)
    unknown = re.search(r"^\s*\d+[:{ ].*", text, re.M)
    check(f"protoc: {schema}: unknown fields", text and not unknown, unknown and unknown.group())
    return text


def by_protoc():
    """Checks that the published schema knows every field."""
    if not os.path.isdir(GO_SCHEMA):
        raise Missing("profile.proto (package golang-github-google-pprof-dev)")
    decode("perftools.profiles.Profile", GO_SCHEMA, "profile.proto",
           gzip.decompress(convert("stacks", "--to-pprof", "-")))


def by_protoc_perfetto():
    for recording in ("stacks", "events", "kernel", "inlines", "sched/made.data"):
        text = decode("perfetto.protos.Trace", f"{HERE}/schemas", "perfetto.proto",
                      convert(recording, "--to-perfetto", "-"))
        reference = Reference(recording)
        check("protoc: Perfetto: samples", text.count("perf_sample {") == len(reference.samples), recording)
        check("protoc: Perfetto: CPUs", "cpu_mode: MODE_" in text, recording)
        same("protoc: Perfetto: switches", "sched_switch {" in text, recording == "sched/made.data")
        same("protoc: Perfetto: tracepoints", "type: TYPE_INSTANT" in text, recording == "sched/made.data")


def by_protoc_otlp():
    for recording in ("stacks", "events", "kernel", "inlines"):
        text = decode("opentelemetry.proto.profiles.v1development.ProfilesData", f"{HERE}/schemas",
                      "otlp-profiles.proto",
                      convert(recording, "--to-otlp", "-", "--lines", "--labels", "comm,pid,tid,cpu"))
        n = len({s["event"] for s in Reference(recording).samples})
        check("protoc: OTLP: profiles", text.count("sample_type {") == 2 * n, recording)
        check("protoc: OTLP: hosts", 'key: "host.name"' in text or recording != "kernel", recording)


def by_go_pprof():
    need("go", "golang-go")
    reference = Reference("stacks")
    write("stacks.pb.gz", convert("stacks", "--to-pprof", "-"))
    text = run("go tool pprof", ["go", "tool", "pprof", "-top", "-sample_index=samples",
                                 "-nodefraction=0", "stacks.pb.gz"])
    rows = {}
    for line in text.splitlines():
        words = line.split()
        if len(words) >= 6 and words[1].endswith("%"):
            rows[" ".join(words[5:])] = int(words[0])
    counts = reference.counts(lambda s: reference.stack(s)[0])
    same("go tool pprof: samples by function", {n: c for n, c in rows.items() if c},
         {n: c for n, c in counts.items() if n != "?"})


def by_trace_viewer():
    """Uses the importer of chrome://tracing."""
    folder = os.path.abspath(need_package("traceviewer"))

    def read(recording):
        write("trace.json", convert(recording, "--to-chrome", "-"))
        found = json.loads(run("trace viewer", ["node", f"{HERE}/trace-viewer.js", folder,
                                                "trace.json"]).rstrip().rpartition("\n")[2])
        check(f"trace viewer: {recording}", not found["warnings"], found["warnings"])
        return found

    for recording in ("events", "inlines", "kernel"):
        reference = Reference(recording)
        first = min(s["timestamp"] for s in reference.samples)
        same(f"trace viewer: {recording}", collections.Counter(
            (event, pid, tid, time, weight, tuple(map(hidden, stack)))
            for event, pid, tid, time, weight, stack in read(recording)["samples"]), reference.counts(
            lambda s: (s["event"], s["pid"], s["tid"], s["timestamp"] - first, s["period"],
                       Reference.stack(s))))
    switches = read("sched/made.data")
    reference = Reference("sched/made.data")
    same("trace viewer: whose samples", collections.Counter(tuple(s[1:3]) for s in switches["samples"]),
         reference.counts(lambda s: (s["pid"], s["tid"])))
    check("trace viewer: CPUs", any(s[:2] == ["CPUs", "CPU 1"] and s[4] > 0 for s in switches["slices"]),
          switches["slices"])
    path = exports.hostile_recording()
    same("trace viewer: hostile", collections.Counter(
        {tuple(s[5]): s[4] for s in read(path)["samples"]}), exports.hostile_counts("replace"))


def call_tree(node, way=()):
    """Returns (stack, weight of itself) of all nodes of a call tree of the Firefox Profiler."""
    for child in node["children"]:
        stack = (child["name"], *way)
        yield stack, child["selfSamples"]
        yield from call_tree(child, stack)


def is_clock(event):
    return event.startswith(("cpu-clock", "task-clock"))


def load(program, path):
    """Loads a profile into the Firefox Profiler's daemon, which must be ready in half a second."""
    for _ in range(20):
        result = subprocess.run([*program, "load", path], capture_output=True, text=True)
        late = re.search(r'run "kill (\d+)"', result.stderr)
        if not late:
            check("Firefox Profiler", result.returncode == 0, result.stderr)
            return
        with contextlib.suppress(ProcessLookupError):
            os.kill(int(late.group(1)), signal.SIGKILL)
    raise Missing("the Firefox Profiler: its daemon does not start in time on this busy machine")


def by_firefox_profiler():
    program = [shutil.which("node") or "node",
               f"{need_package('@firefox-devtools/profiler-cli')}/dist/profiler-cli.js"]

    def ask(*words):
        return json.loads(run("Firefox Profiler", [*program, *words, "--json"]))

    def weights(path):
        """Returns weights by process, thread, kind of event, and stack."""
        found = collections.Counter()
        load(program, path)
        try:
            for t in ask("thread", "list")["threads"]:
                tree = ask("thread", "samples-top-down", "--thread", t["threadHandle"],
                           "--include-idle", "--max-lines", "100000")
                is_time = tree["weightType"] == "tracing-ms"
                for stack, weight in call_tree(tree["regularCallTree"]):
                    if weight:
                        found[t["pid"], t["tid"], is_time, stack] += round(
                            weight * 1e6 if is_time else weight)
        finally:
            run("Firefox Profiler", [*program, "stop"])
        return found

    for recording in ("events", "inlines"):
        reference = Reference(recording)
        write("profile.json", convert(recording, "--to-firefox", "-"))
        found = collections.Counter()
        for (pid, tid, is_time, stack), weight in weights("profile.json").items():
            found[pid, tid, is_time, tuple(map(hidden, stack))] += weight
        same(f"Firefox Profiler: {recording}", found, reference.periods(
            lambda s: (str(s["pid"]), s["tid"], is_clock(s["event"]), Reference.stack(s))))
    write("profile.json", convert(exports.hostile_recording(), "--to-firefox", "-"))
    same("Firefox Profiler: hostile", collections.Counter(
        {key[3]: weight for key, weight in weights("profile.json").items()}),
        exports.hostile_counts("replace"))


def by_postgresql():
    """Uses one server for everything, because starting it takes seconds."""
    need("pg_virtualenv", "postgresql")
    queries = {"samples": exports.SAMPLES, "paths": exports.PATHS}
    recordings = {"stacks": "stacks", "hostile": exports.hostile_recording()}
    script = "set -e\n"
    for name, recording in recordings.items():
        write(f"{name}.sql", convert(recording, "--to-postgresql", "-"))
        script += f"createdb {name}; psql -q -v ON_ERROR_STOP=1 -d {name} -f {name}.sql\n"
        for table, query in queries.items():
            script += f"psql -d {name} -c \"COPY ({query}) TO STDOUT\" >{name}-{table}.tsv\n"
        script += f"psql -d {name} -At -c 'SELECT count(*) FROM samples_view'\n"
    result = subprocess.run(["pg_virtualenv", "-t", "sh", "-c", script], capture_output=True, text=True)
    if result.returncode and "ERROR" not in result.stderr:
        raise Missing("a PostgreSQL server that starts (%s)" % result.stderr.strip()[-200:])
    check("PostgreSQL", result.returncode == 0, result.stderr)

    def rows(name, table):
        escapes = {"\\\\": "\\", "\\n": "\n", "\\t": "\t", "\\r": "\r", "\\b": "\b", "\\f": "\f", "\\v": "\v"}
        with open(f"{name}-{table}.tsv", newline="\n") as file:
            return [[re.sub(r"\\.", lambda m: escapes[m.group()], word)
                     for word in line.rstrip("\n").split("\t")] for line in file]

    exports.compare_rows("PostgreSQL", rows("stacks", "samples"), rows("stacks", "paths"),
                         Reference("stacks"))
    paths = {r[0]: r for r in rows("hostile", "paths")}
    same("PostgreSQL: hostile", collections.Counter(
        {(paths[r[6]][3], paths[paths[r[6]][1]][3]): int(r[5]) for r in rows("hostile", "samples")}),
        exports.hostile_counts())


def by_babeltrace():
    need("babeltrace2", "babeltrace2")

    def read(recording, *options):
        """Returns (time, name, CPU, fields) of each event."""
        convert(recording, *options, "--to-ctf", "ctf/trace")
        text = run("babeltrace2", ["babeltrace2", "--clock-seconds", "--no-delta", "ctf/trace"])
        events = []
        for line in text.splitlines():
            time, name, cpu, fields = re.fullmatch(
                r"\[([\d.]+)\] (\S.*?): \{ cpu_id = (\d+) \}, \{ (.*) \}", line).groups()
            values = re.findall(r'(\w+) = (\[ .*? \]|"(?:\\.|[^"\\])*"|-?\w+)', fields)
            events.append((int(time.replace(".", "")), name, int(cpu), dict(values)))
        return events

    def addresses(chain):
        return tuple(int(x, 16) for x in re.findall(r"= (0x\w+)", chain or ""))

    for recording in ("stacks", "events", "kernel", "tracepoints"):
        reference = Reference(recording)
        events = read(recording)
        same(f"babeltrace: {recording}", collections.Counter(
            (time, name, int(f["perf_pid"]), int(f["perf_tid"]), int(f["perf_ip"], 16))
            for time, name, _, f in events), reference.counts(
            lambda s: (s["timestamp"], s["event"], s["pid"], s["tid"],
                       int(s["callchain"][0]["ip"], 16))))
    chains = [addresses(f.get("perf_callchain")) for _, _, _, f in read("stacks")]
    check("babeltrace: stacks", all(len(c) > 2 for c in chains), chains[:3])
    samples = json.loads(convert("sched/made.data", "--all", "--to-json", "-"))["samples"]
    events = read("sched/made.data", "--all")
    same("babeltrace: fields", collections.Counter(
        (time, name, cpu, int(f["next_pid"]), int(f["prev_prio"])) for time, name, cpu, f in events
        if name == "sched:sched_switch"), collections.Counter(
        (s["timestamp"], s["event"], s["cpu"], s["fields"]["next_pid"], s["fields"]["prev_prio"])
        for s in samples if s["event"] == "sched:sched_switch"))
    names = collections.Counter(name for _, name, _, _ in read("events", "--all"))
    times = [time for time, *_ in read("waits/untimed.data")]
    check("babeltrace: sums of waits", len(times) == 8 and max(times) == 2300000000, times)
    check("babeltrace: records", all(names[f"perf_{n}"] for n in ("comm", "fork", "exit", "mmap2")), names)


def main():
    readers = (by_protoc, by_protoc_perfetto, by_protoc_otlp, by_go_pprof, by_trace_viewer, by_firefox_profiler, by_postgresql,
               by_babeltrace)
    missing = []
    for reader in readers:
        try:
            reader()
        except Missing as e:
            missing.append(str(e))
    for line in exports.failures:
        print(line)
    for line in missing:
        print("not tried:", line)
    sys.exit(1 if exports.failures else 77 if len(missing) == len(readers) else 0)


main()
