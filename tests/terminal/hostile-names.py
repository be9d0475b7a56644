#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Names of tasks, images and cgroups that contain control characters do not affect a terminal, whichever command shows
them.

In a file or a pipe they are unchanged, as with Linux's perf.
"""
import os
import pty
import struct
import subprocess
import tempfile
from pathlib import Path

from tap import run, test
from terminal import FIXTURES, PERF

BELL = b"\a"  # perf itself never writes one
COMM, MMAP, MMAP2, KSYMBOL, CGROUP = 3, 1, 10, 17, 19
NAME_AT = {COMM: 16, MMAP: 40, MMAP2: 72, KSYMBOL: 20, CGROUP: 16}
COMMANDS = {
    "report/calls": ["report --stdio", "report --stdio -s comm,dso,sym", "report --stdio --tasks", "report --stdio --mmaps",
                     "report --stdio --hierarchy -s comm,dso", "report -D", "script", "script -D", "script --folded",
                     "script --show-mmap-events --show-task-events", "annotate --stdio", "evlist -v", "buildid-list",
                     "query 'select comm, dso from samples'", "heatmap --stdio"],
    "script/cgroups": ["script -F comm,cgroup", "script --show-cgroup-events"],
    "sched/made": ["sched latency", "sched timehist", "sched map", "sched script"],
    "timehist/tasks": ["sched timehist -s", "sched latency"],
    "lock/contention": ["lock contention", "lock contention -t", "lock contention -l"],
    "lock/classes": ["lock report", "lock info"],
    "kmem/slab": ["kmem stat --caller --alloc"],
    "kwork/runs": ["kwork report", "kwork timehist"],
    "memory/intel": ["c2c report --stdio", "c2c report --sides --functions", "mem report --stdio"],
    "trace/calls": ["trace", "trace -s", "script --folded"],
    "latency/latency": ["latency"],
    "hist/reads": ["hist"],
}


def records(data):
    begin, size = struct.unpack_from("<QQ", data, 40)
    at = begin
    while at < begin + size:
        kind, _, length = struct.unpack_from("<IHH", data, at)
        yield kind, data[at:at + length]
        at += length


def names(data):
    for kind, record in records(data):
        if kind in NAME_AT:
            name = record[NAME_AT[kind]:].split(b"\0")[0].rsplit(b"/", 1)[-1]
            if len(name) > 1 and not name.startswith(b"["):
                yield name


def hostile(path, to):
    data = path.read_bytes()
    for name in sorted(set(names(data)), key=len, reverse=True):
        data = data.replace(name, BELL + name[1:])
    to.write_bytes(data)


def on_terminal(line):
    pid, fd = pty.fork()
    if pid == 0:
        os.execvpe("sh", ["sh", "-c", line], dict(os.environ, TERM="xterm", PERF_PAGER="cat"))
    shown = b""
    try:
        while part := os.read(fd, 1 << 16):
            shown += part
    except OSError:  # the other end is closed
        pass
    os.close(fd)
    os.waitpid(pid, 0)
    return shown


def lines():
    with tempfile.TemporaryDirectory() as folder:
        for fixture, commands in COMMANDS.items():
            data = Path(folder) / "hostile.data"
            hostile(FIXTURES / f"{fixture}.data", data)
            for command in commands:
                verb, _, rest = command.partition(" ")
                if verb in ("sched", "lock", "kmem", "kwork", "c2c", "mem"):
                    word, _, rest = rest.partition(" ")
                    verb += f" {word}"
                yield f"{PERF} {verb} -i {data} {rest}"


@test
def control_characters_of_names_do_not_reach_a_terminal():
    bad = [line for line in lines() if BELL in on_terminal(line)]
    if bad:
        raise AssertionError("\n".join(bad))


@test
def into_a_pipe_names_go_as_they_are():
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "hostile.data"
        hostile(FIXTURES / "report" / "calls.data", data)
        for command in ("report --stdio -s comm", "script -F comm"):
            shown = subprocess.run([PERF, *command.split(), "-i", data], capture_output=True, check=True).stdout
            if BELL not in shown:
                raise AssertionError(f"{command}: {shown}")


run()
