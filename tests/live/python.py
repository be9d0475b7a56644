# SPDX-License-Identifier: MIT
"""Tests of perf script -s with misbehaving scripts."""
import ctypes
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

PERF = "perf"
wrong = []


def expect(what, got, wanted):
    if got != wanted:
        wrong.append(what)
        print(f"{what}: {got!r}, not {wanted!r}")


def script(text):
    Path("s.py").write_text(text)
    return [PERF, "script", "-q", "-i", "perf.data", "-s", "s.py"]


def run(text, **more):
    return subprocess.run(script(text), capture_output=True, text=True, timeout=120, check=False, **more)


def usual_interrupt():
    """Restores Ctrl-C, which is ignored by a shell's background jobs; tests may run as such jobs."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def interrupted(text, times):
    """Presses Ctrl-C each time the script prints a line, at most @times times."""
    p = subprocess.Popen(script(text), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                         preexec_fn=usual_interrupt)
    for _ in range(times):
        p.stdout.readline()
        p.send_signal(signal.SIGINT)
    out, err = p.communicate(timeout=120)
    return p.returncode, out, err


def check_interrupts():
    loop = ("def process_event(p):\n    print('in', flush=True)\n    while True:\n        x = 1\n"
            "def trace_end():\n    print('end')\n")
    expect("a loop is interrupted, and trace_end() called", interrupted(loop, 1), (0, "end\n", ""))
    stubborn = ("import time\ndef process_event(p):\n    while True:\n        try:\n            print('in', flush=True)\n"
                "            while True:\n                time.sleep(0.1)\n"
                "        except KeyboardInterrupt:\n            pass\n")
    expect("the second Ctrl-C ends it", interrupted(stubborn, 2)[0], -signal.SIGINT)


def check_ends():
    expect("sys.exit(3)", run("import sys\nsys.exit(3)\n").returncode, 3)
    p = run("import sys\ndef process_event(p):\n    sys.exit('enough')\ndef trace_end():\n    print(1)\n")
    expect("sys.exit(text)", (p.returncode, p.stdout, p.stderr), (1, "", "enough\n"))
    p = run("def process_event(p):\n    1 / 0\n")
    expect("a script that throws has status 1", p.returncode, 1)
    expect("and names the event", "the script failed at cpu-clock" in p.stderr, True)
    expect("after the traceback", "ZeroDivisionError" in p.stderr, True)
    p = run("import nosuchmodule\n")
    expect("a module that is not there", (p.returncode, "nosuchmodule" in p.stderr), (1, True))
    p = run("def trace_begin():\n    raise KeyboardInterrupt\n")
    expect("its own KeyboardInterrupt is an error", p.returncode, 1)


def check_output():
    """A closed pipe has the same effect as in a Python program: BrokenPipeError in the script, and no signal."""
    p = subprocess.Popen(script("def process_event(p):\n    while True:\n        print('x' * 100000)\n"),
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    p.stdout.read(1000)
    p.stdout.close()
    err = p.stderr.read()
    expect("a closed pipe", (p.wait(120), "BrokenPipeError" in err), (1, True))
    p = run("import sys\ndef process_event(p):\n    pass\nsys.stdout.close()\n")
    expect("a script that closes its output", p.returncode, 0)
    p = run("def trace_end():\n    print('y' * 20000000)\n")
    expect("much output", (p.returncode, len(p.stdout)), (0, 20000001))


def check_processes():
    p = run("import os, subprocess, threading\nseen = []\n"
            "def process_event(p):\n    seen.append(1)\n"
            "def trace_end():\n"
            "    t = threading.Thread(target=lambda: print('thread', flush=True))\n"
            "    t.start()\n    t.join()\n"
            "    print(subprocess.run(['echo', 'child'], capture_output=True, text=True).stdout, end='', flush=True)\n"
            "    if os.fork() == 0:\n        os._exit(0)\n"
            "    print(os.wait()[1], len(seen) > 0)\n")
    expect("threads and processes", (p.returncode, p.stdout, p.stderr), (0, "thread\nchild\n0 True\n", ""))


def check_environment():
    """Another python3 first in PATH, as in a virtual environment, is not the system's."""
    os.makedirs("bin", exist_ok=True)
    Path("bin/python3").write_text("#!/bin/sh\nexit 9\n")
    os.chmod("bin/python3", 0o755)
    where = dict(os.environ, PATH=os.getcwd() + "/bin:" + os.environ["PATH"])
    p = run("import sys, json, decimal\nprint(sys.prefix)\n", env=where)
    expect("the system's Python", (p.returncode, p.stdout), (0, "/usr\n"))
    Path("beside.py").write_text("answer = 42\n")
    expect("a module beside the script", run("import beside\nprint(beside.answer)\n").stdout, "42\n")


def check_names():
    """Names that are not UTF-8, not text, or Python's own."""
    libc = ctypes.CDLL(None)
    for name in (b"\xff\xfe\x01", b"a\xc3\xa9", b"\xc3", b"", b"{0!r}%s"):
        pid = os.fork()
        if pid == 0:
            libc.prctl(15, name)
            os.execvp(PERF, [PERF, "record", "-q", "-e", "cpu-clock", "-o", "names.data", "--",
                             sys.executable, "-c",
                             "import ctypes, os\nctypes.CDLL(None).prctl(15, " + repr(name) + ")\n"
                             "sum(range(9000000))"])
        os.waitpid(pid, 0)
        Path("n.py").write_text("seen = set()\ndef process_event(p):\n    seen.add(p['comm'])\n"
                                "def trace_end():\n    print(sorted(seen))\n    print(*seen)\n")
        p = subprocess.run([PERF, "script", "-q", "-i", "names.data", "-s", "n.py"], capture_output=True,
                           check=False)
        expect(f"a task called {name!r}", (p.returncode, p.stderr), (0, b""))


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        subprocess.run([PERF, "record", "-q", "-e", "cpu-clock", "-o", "perf.data", "--", sys.executable, "-c",
                        "sum(range(9000000))"], check=True)
        for check in (check_interrupts, check_ends, check_output, check_processes, check_environment, check_names):
            check()
        os.chdir("/")
    sys.exit(1 if wrong else 0)


main()
