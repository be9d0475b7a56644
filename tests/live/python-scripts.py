#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
Runs the Python scripts that Linux's perf installs through both perfs on the same recordings, and compares their output.

    python-scripts.py PERF ORACLE LIBRARY [SCRIPT...]

PERF runs each script twice: with the modules of LIBRARY, and with its own. The reason is printed for a script that is
not run. If ORACLE crashes in a script, PERF must end by itself.
"""
import contextlib
import os
import re
import sqlite3
import subprocess
import sys

PERF, ORACLE, LIBRARY, *ONLY = sys.argv[1:]
SCRIPTS = LIBRARY + "/scripts/python/"
OWN = os.path.abspath(os.path.join(os.path.dirname(__file__), "../.."))
LOAD = ["/bin/sh", "-c", "for i in 1 2 3; do ls -l /usr/bin > /dev/null; cat /etc/passwd > /dev/null; done"]
FUTEXES = ["python3", "-c", """
import threading
lock = threading.Lock()
def work():
    for i in range(2000):
        with lock: pass
threads = [threading.Thread(target=work) for i in range(4)]
for t in threads: t.start()
for t in threads: t.join()
"""]
PACKETS = ["python3", "-c", """
import socket
a, b = (socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for i in range(2))
b.bind(("127.0.0.1", 0))
for i in range(30):
    a.sendto(b"x" * 100, b.getsockname())
    b.recv(200)
a.sendto(b"y", ("127.0.0.1", 9))
"""]

# Name of a recording: events, further options, and the load. Tracepoints that a kernel lacks are left out.
CAPTURES = {
    "sched": (["sched:sched_switch", "sched:sched_wakeup", "sched:sched_wakeup_new", "sched:sched_migrate_task"],
              ["-a"], LOAD),
    "syscalls": (["raw_syscalls:sys_enter", "raw_syscalls:sys_exit"], [], LOAD),
    "futexes": (["syscalls:sys_enter_futex", "syscalls:sys_exit_futex"], [], FUTEXES),
    "packets": (["net:net_dev_xmit", "net:net_dev_queue", "net:netif_receive_skb", "net:netif_rx",
                 "skb:consume_skb", "skb:kfree_skb", "skb:skb_copy_datagram_iovec", "napi:napi_poll",
                 "irq:irq_handler_entry", "irq:irq_handler_exit", "irq:softirq_entry", "irq:softirq_exit",
                 "irq:softirq_raise"], ["-a"], PACKETS),
    "drops": (["skb:kfree_skb"], ["-a"], PACKETS),
    "compaction": (["compaction:mm_compaction_begin", "compaction:mm_compaction_end",
                    "compaction:mm_compaction_migratepages", "compaction:mm_compaction_isolate_migratepages",
                    "compaction:mm_compaction_isolate_freepages"], ["-a"], LOAD),
    "memory": (["kmem:kmalloc"], ["-a"], LOAD),
    "interrupts": (["irq:softirq_entry", "irq:softirq_exit"], ["-a"], LOAD),
    "clock": (["cpu-clock"], ["-F", "499"], LOAD),
    # The caller of a stack's innermost user frame is not compared on aarch64: docs/differences/stacks.md.
    "stacks": (["cpu-clock"], ["-F", "499", "-g", "--kernel-callchains"], LOAD),
    # There are no samples, because samples of the whole machine fall on code that the two perfs name differently.
    "switches": (["dummy"], ["-a", "--switch-events"], LOAD),
}

# The run has its own /dev/shm, because a script keeps a database there, to which each run adds.
ALONE = ["unshare", "-m", "sh", "-c", "mount -t tmpfs none /dev/shm && exec \"$@\"", "sh"]

# Script, recording, arguments.
RUNS = [
    ("check-perf-trace", "memory", []),
    ("check-perf-trace", "interrupts", []),
    ("check-perf-trace", "sched", []),
    ("check-perf-trace", "clock", []),
    ("compaction-times", "compaction", []),
    ("event_analyzing_sample", "clock", []),
    ("event_analyzing_sample", "stacks", []),
    ("export-to-sqlite", "switches", ["tables.db", "all"]),
    ("export-to-sqlite", "stacks", ["tables.db", "all", "calls", "callchains"]),
    ("failed-syscalls-by-pid", "syscalls", []),
    ("failed-syscalls-by-pid", "syscalls", ["ls"]),
    ("flamegraph", "stacks", ["--", "-f", "json", "-o", "-"]),
    ("futex-contention", "futexes", []),
    ("gecko", "stacks", ["--", "--save-only", "gecko.json"]),
    ("intel-pt-events", "switches", []),
    ("mem-phys-addr", "clock", []),
    ("net_dropmonitor", "drops", []),
    ("netdev-times", "packets", []),
    ("netdev-times", "packets", ["rx", "debug"]),
    ("netdev-times", "packets", ["tx"]),
    ("stackcollapse", "stacks", []),
    ("stackcollapse", "stacks", ["--", "--include-tid", "--include-pid", "--kernel"]),
    ("stat-cpi", "counts", []),
    ("stat-cpi", "counts-by-cpu", []),
    ("syscall-counts", "syscalls", []),
    ("syscall-counts", "syscalls", ["ls"]),
    ("syscall-counts-by-pid", "syscalls", []),
    ("syscall-counts-by-pid", "syscalls", ["cat"]),
    ("task-analyzer", "sched", []),
    ("task-analyzer", "sched", ["--", "--summary"]),
]
NOT_RUN = {
    "arm-cs-trace-disasm": "needs a hardware trace",
    "export-to-postgresql": "needs a database server",
    "exported-sql-viewer": "is a program with windows, not a script of perf",
    "libxed": "is a module",
    "parallel-perf": "is a program that runs perf",
    "powerpc-hcalls": "needs tracepoints of powerpc",
    "sched-migration": "needs a display",
    "sctop": "prints by the clock",
}

def saved():
    """Returns the files that a script saved in the working directory, as bytes, and removes them."""
    text = b""
    if os.path.exists("gecko.json"):
        text += open("gecko.json", "rb").read()
        os.remove("gecko.json")
    if os.path.exists("tables.db"):
        with contextlib.closing(sqlite3.connect("tables.db")) as tables:
            text += "\n".join(tables.iterdump()).encode()
        os.remove("tables.db")
    return text


def has_event(event):
    system, _, name = event.partition(":")
    return not name or os.path.isdir("/sys/kernel/tracing/events/%s/%s" % (system, name))


def leave_out_programs_of_others(path):
    """Removes the samples in BPF programs, which the other perf may not name."""
    shown = subprocess.run([PERF, "script", "-i", path, "--ns", "-F", "time,ip,sym"], stdout=subprocess.PIPE,
                           stderr=subprocess.DEVNULL, text=True, check=True).stdout
    times, time = [], ""
    for line in shown.splitlines():
        if found := re.fullmatch(r"\s*(\d+)\.(\d+):\s*", line):
            time = found[1] + found[2]
        elif " bpf_prog_" in line:
            times.append(time)
    if times:
        here = os.path.dirname(os.path.abspath(__file__))
        os.rename(path, path + ".whole")
        subprocess.run([here + "/without-registers.py", path + ".whole", path], input="\n".join(times), text=True, check=True)


def record(name):
    """Returns the path of the recording; None: this kernel has none of its events."""
    path = name + ".data"
    if os.path.exists(path):
        return path
    if name.startswith("counts"):
        line = ["stat", "record", "-o", path, "-a", "-I", "50",
                "-e", "cpu-clock/name=cycles/,task-clock/name=instructions/"]
        line += ["-A"] if name == "counts-by-cpu" else []
        load = ["sleep", "0.12"]
    else:
        events, options, load = CAPTURES[name]
        events = [e for e in events if has_event(e)]
        if not events:
            return None
        line = ["record", "-q", "-o", path, *options, "-e", ",".join(events)]
    done = subprocess.run([PERF, *line, "--", *load], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    if done.returncode:
        sys.exit("cannot record %s: %s" % (name, done.stderr.decode(errors="replace")))
    if name == "stacks":
        leave_out_programs_of_others(path)
    return path


def run(perf, script, path, arguments, library=LIBRARY):
    """Returns the status of the script, its output and saved files, and its messages."""
    done = subprocess.run([*ALONE, perf, "script", "-i", path, "-s", SCRIPTS + script + ".py", *arguments],
                          env=dict(os.environ, PERF_EXEC_PATH=library), stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    text = done.stdout
    if script.startswith("export-to"):
        text = re.sub(rb"(?m)^\d{4}-\d\d-\d\d \S+", b"TIME", text)
    text += saved()
    # The text of objects has addresses.
    return done.returncode, re.sub(rb"0x[0-9a-f]{8,}>", b"0x...>", text), done.stderr.decode(errors="replace")


def compare(script, name, arguments):
    """Returns a word for the result, and details if it is a failure."""
    if script == "export-to-sqlite" and subprocess.run(["/usr/bin/python3", "-c", "import PySide2.QtSql"],
                                                       stderr=subprocess.DEVNULL).returncode:
        return "skip", "there is no PySide2"
    path = record(name)
    if not path:
        return "skip", "this kernel has none of its tracepoints"
    theirs, ours = (run(p, script, path, arguments) for p in (ORACLE, PERF))
    own = run(PERF, script, path, arguments, OWN)
    if theirs[0] < 0:
        if ours[0] < 0:
            return "FAIL", "both die: %s" % ours[2][-300:]
        return "ok", "where the other perf dies, ours has status %d" % ours[0]
    if (theirs[0] == 0) != (ours[0] == 0):
        return "FAIL", "status %d, not %d: %s" % (ours[0], theirs[0], ours[2][-500:])
    if ours[0]:
        return "FAIL", "both fail: %s" % ours[2][-500:]
    if theirs[1] != ours[1]:
        open("a", "wb").write(theirs[1])
        open("b", "wb").write(ours[1])
        lines = subprocess.run(["diff", "a", "b"], stdout=subprocess.PIPE).stdout.decode(errors="replace")
        return "FAIL", "the output differs:\n" + lines[:1500]
    if own[:2] != ours[:2]:
        return "FAIL", "it differs with our own modules: " + own[2][-500:]
    return "ok", "%d bytes" % len(ours[1])


def main():
    installed = sorted(f[:-3] for f in os.listdir(SCRIPTS) if f.endswith(".py"))
    known = {r[0] for r in RUNS} | set(NOT_RUN)
    failed = 0
    for script in installed:
        if ONLY and script not in ONLY:
            continue
        if script in NOT_RUN:
            print("skip %s: %s" % (script, NOT_RUN[script]))
        elif script not in known:
            print("skip %s: this test knows nothing of it" % script)
        for name, capture, arguments in RUNS:
            if name != script:
                continue
            word, what = compare(script, capture, arguments)
            print("%s %s: %s" % (word, " ".join([script, capture, *arguments]), what), flush=True)
            failed += word == "FAIL"
    sys.exit(failed > 0)


main()
