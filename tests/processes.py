# SPDX-License-Identifier: MIT
"""Runs the command of a test in a session of its own, with a time limit, and leaves no process running.

The limit is in seconds of a quiet machine as fast as the one on which the limit was chosen. If processes wait for a
CPU, or the CPU is slower, a second counts for less (Pace).
"""
import concurrent.futures
import functools
import os
import select
import signal
import subprocess
import threading
import time
from pathlib import Path
from typing import NamedTuple

MARK = "PERF_TEST_MARK"  # an environment variable of a test, with a value unique to that test
LIMIT_S = 300  # on a quiet machine the longest test takes a third of it, under sanitizers
GRACE_S = 10  # the time that killed processes have to disappear
STOP = threading.Event()  # set: every running test is ended, as if its time were over
SPIN = 1_000_000
SPIN_S = 0.033  # CPU time of SPIN steps on the machine on which LIMIT_S was chosen


class Outcome(NamedTuple):
    status: int | None  # None: not finished within the limit
    out: bytes
    err: bytes
    left: list  # a line for each process still running at the end; with a timeout, their stacks


class Pace:
    """The length of a real second of this machine, in seconds of the quiet one."""

    @staticmethod
    @functools.cache
    def cpu_share():
        """Returns the speed of the CPU, below 1 on a slower one. Measured in CPU time, so that load does not count
        twice.
        """
        begin = time.thread_time()
        for _ in range(SPIN):
            pass
        return min(1, SPIN_S / (time.thread_time() - begin))

    @staticmethod
    def now(loadavg="/proc/loadavg"):
        """Returns the present pace: the CPUs are shared by the tasks that are running or waiting for a CPU."""
        runnable = int(Path(loadavg).read_text().split()[3].partition("/")[0])
        return Pace.cpu_share() * min(1, os.cpu_count() / max(runnable, 1))


def wait(process, limit):
    """Returns the status of @process, or None when the limit is over or all tests are to stop."""
    ended = select.poll()
    with open(os.pidfd_open(process.pid), "rb", buffering=0) as handle:
        ended.register(handle, select.POLLIN)
        while limit > 0 and not STOP.is_set():
            if ended.poll(1000 * min(1, limit)):
                return process.wait()
            limit -= Pace.now()
    return None


def sessions():
    """Returns the session of every process, as {pid: session}."""
    found = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                found[int(name)] = os.getsid(int(name))
            except OSError:
                pass  # the process has ended
    return found


def describe(entry):
    words = (entry / "cmdline").read_bytes().rstrip(b"\0").split(b"\0")
    return f"{entry.name}: {b' '.join(words).decode(errors='replace')[:200]}"


def belongs(entry, leader, mark):
    """True if that entry of /proc belongs to the session, or has left it and still bears the mark."""
    if (entry / "stat").read_text(errors="replace").rpartition(")")[2].split()[0] in "ZX":
        return False
    if os.getsid(int(entry.name)) == leader:
        return True
    return mark is not None and f"{MARK}={mark}".encode() in (entry / "environ").read_bytes().split(b"\0")


def running(leader, mark, before=frozenset()):
    """Returns the processes of a test as {pid: description}. No process joins a session that existed @before the
    test."""
    found = {}
    for pid, session in sessions().items():
        if session in before:
            continue
        entry = Path("/proc", str(pid))
        try:
            if belongs(entry, leader, mark):
                found[pid] = describe(entry)
        except OSError:
            pass  # the process has ended, or is another user's
    return found


def backtrace(pid):
    """Returns the stacks of a process from gdb, to show why it hangs; empty without gdb."""
    try:
        text = subprocess.run(["gdb", "-q", "-batch", "-nx", "-p", str(pid), "-ex", "thread apply all bt"], timeout=60,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace").stdout
    except (OSError, subprocess.TimeoutExpired):
        return []
    return [f"  {pid}: {line[:160]}" for line in text.splitlines() if line.startswith(("#", "Thread"))][:40]


def kill_all(*test):
    """Kills the processes, and those that they start meanwhile. Returns the descriptions of all that were there."""
    killed = {}
    until = time.monotonic() + GRACE_S
    while (found := running(*test)) and time.monotonic() < until:
        killed = found | killed
        for pid in found:
            try:
                os.kill(pid, signal.SIGKILL)
            except OSError:
                pass  # the process has ended
        time.sleep(0.01)
    return list(killed.values())


def end(done, *test):
    """Ends the remaining processes of a test. After a finished test, processes may take a moment to exit."""
    until = time.monotonic() + GRACE_S
    while done and time.monotonic() < until:
        if not running(*test):
            return []
        time.sleep(0.05)
    return kill_all(*test)


def run(command, env, cwd, shell=False, limit=LIMIT_S):
    """Runs @command and returns its Outcome."""
    mark = env.get(MARK)
    before = frozenset(sessions().values())
    # The output is read while the command runs, and to the end only when all writers have ended.
    with subprocess.Popen(command, shell=shell, env=env, cwd=cwd, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          start_new_session=True) as test, \
         concurrent.futures.ThreadPoolExecutor(2) as readers:
        out, err = (readers.submit(stream.read) for stream in (test.stdout, test.stderr))
        status, left, stacks = None, [], []
        try:
            status = wait(test, limit)
            if status is None and not STOP.is_set():
                stacks = [line for pid in running(test.pid, mark, before) for line in backtrace(pid)]
        finally:
            left = end(status is not None, test.pid, mark, before)
        return Outcome(status, out.result(), err.result(), left + stacks)
