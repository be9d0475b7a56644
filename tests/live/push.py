# SPDX-License-Identifier: MIT
"""Pushes to a store that is a file, or to servers that misbehave; see push.sh."""
import os
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time

PERF = os.environ["PERF"]
failures = []


def check(what, good, detail=""):
    if not good:
        failures.append("%s: %s" % (what, str(detail)[:2000]))
    return good


def perf(*words, good=True, **more):
    run = subprocess.run([PERF, *words], capture_output=True, text=True, errors="replace", **more)
    if good:
        check("perf " + " ".join(words), run.returncode == 0, run.stderr)
    return run


def samples(store):
    with sqlite3.connect(store) as db:
        return db.execute("SELECT coalesce(sum(samples), 0) FROM perf_sample").fetchone()[0]


# A program whose events can be counted: this number of calls of getppid(), and a pause after each.
CALLS = "import os, sys, time\nfor _ in range(int(sys.argv[1])):\n os.getppid()\n time.sleep(float(sys.argv[2]))"
EVENT = ["-e", "syscalls:sys_enter_getppid", "-c", "1"]


def calls(n, pause=0):
    return ["--", sys.executable, "-S", "-c", CALLS, str(n), str(pause)]


def test_equal_recordings():
    """Recordings with equal samples in the same minute are different ones; a copy is the same one."""
    for i in range(3):
        perf("record", "-q", "-k", "CLOCK_MONOTONIC", *EVENT, "-o", "equal-%d" % i, *calls(100))
        perf("push", "--to", "sqlite:equal.db", "-i", "equal-%d" % i)
    check("equal recordings", samples("equal.db") == 300, samples("equal.db"))
    with open("equal-1", "rb") as old, open("copy", "wb") as new:
        new.write(old.read())
    run = perf("push", "--to", "sqlite:equal.db", "-i", "copy")
    check("a copy is known", "0 batches sent, 1 known" in run.stderr, run.stderr)
    # Names that are found later do not make it another recording.
    perf("push", "--to", "sqlite:equal.db", "-i", "copy", "--service", "other")
    check("sent again", samples("equal.db") == 300, samples("equal.db"))


def test_every():
    """A call each half second, sent each second: all of them arrive."""
    perf("push", "--to", "sqlite:every.db", "--queue", "every", "--every", "1s", *EVENT, *calls(8, 0.5))
    check("one call after the other", samples("every.db") == 8, samples("every.db"))


def wait_until(what, good, seconds=60):
    end = time.time() + seconds
    while time.time() < end:
        if good():
            return True
        time.sleep(0.05)
    return check("waited in vain", False, what)


class Silent:
    """A server that accepts, reads, and never answers."""

    def __init__(self):
        self.listener = socket.socket()
        self.listener.bind(("127.0.0.1", 0))
        self.listener.listen(8)
        self.port, self.clients = self.listener.getsockname()[1], []
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            client, _ = self.listener.accept()
            self.clients.append(client)
            threading.Thread(target=self.read, args=(client,), daemon=True).start()

    @staticmethod
    def read(client):
        try:
            while client.recv(1 << 16):
                pass
        except OSError:
            pass


def parcels(queue):
    return [os.path.join(at, n) for at, _, names in os.walk(queue) for n in names if n.endswith(".parcel")]


def test_silent():
    """A signal ends a push whose store never answers; the recorded data waits in the queue."""
    for scheme in ("clickhouse", "postgresql", "otlp+http"):
        server, queue = Silent(), "silent-" + scheme.split("+")[0]
        url = "%s://127.0.0.1:%d/%s" % (scheme, server.port, "" if "+" in scheme else "x")
        push = subprocess.Popen([PERF, "push", "--to", url, "--queue", queue, "--every", "1s", *EVENT, *calls(1000, 0.1)],
                                stderr=subprocess.PIPE, text=True)
        # The library of the database may be missing.
        wait_until("a client of " + scheme, lambda: server.clients or push.poll() is not None)
        if push.poll() is not None:
            text = push.stderr.read()
            check(scheme, "needs" in text or "without" in text, text)
            continue
        time.sleep(0.3)
        begin = time.time()
        push.send_signal(signal.SIGTERM)
        text = push.communicate()[1]
        check("%s: ends at once" % scheme, time.time() - begin < 20, time.time() - begin)
        check("%s: the parcels wait" % scheme, parcels(queue) and "Nothing is lost" in text, text)
        # The parcels are complete: another push sends them.
        folder = os.path.dirname(parcels(queue)[0])
        target = os.path.join(queue, next_queue(queue))
        os.makedirs(os.path.dirname(target), exist_ok=True)
        n = len(parcels(queue))
        if os.path.isdir(target):
            for parcel in parcels(queue):
                os.rename(parcel, os.path.join(target, os.path.basename(parcel)))
        else:
            os.rename(folder, target)
        perf("push", "--to", "sqlite:%s.db" % queue, "--queue", queue, "-i", "probe")
        check("%s: %d parcels are sent" % (scheme, n), not parcels(queue) and samples(queue + ".db") > 1)


def next_queue(queue):
    """Returns the name of the folder that holds parcels for the SQLite store of that name."""
    probe = queue + "-probe"
    os.mkdir(queue + ".db")
    perf("push", "--to", "sqlite:%s.db" % queue, "--queue", probe, "--wait", "0s", "-i", "probe", good=False)
    os.rmdir(queue + ".db")
    return os.listdir(probe)[0]


def test_killed():
    """A killed push does not harm its program."""
    script = "import os\nopen('pid', 'w').write(str(os.getpid()))\n" + CALLS
    push = subprocess.Popen([PERF, "push", "--to", "sqlite:program.db", "--queue", "program", "--every", "1s", *EVENT, "--",
                             sys.executable, "-S", "-c", script, "300", "0.1"], stderr=subprocess.DEVNULL)
    wait_until("a push", lambda: os.path.exists("program.db"))
    push.kill()
    push.wait()
    time.sleep(1)
    with open("pid") as file:
        pid = int(file.read())
    check("the program lives", os.path.exists("/proc/%d/stat" % pid))
    os.kill(pid, signal.SIGKILL)


def test_repeated():
    """The data of a killed push is sent by the next one, once."""
    words = ["push", "--to", "sqlite:killed.db", "--queue", "killed", "--every", "1s", *EVENT, "-a"]
    push = subprocess.Popen([PERF, *words], stderr=subprocess.DEVNULL)
    wait_until("a recording", lambda: os.path.isdir("killed") and any(n.startswith("perf.data") for _, _, names in os.walk("killed")
                                                                      for n in names))
    time.sleep(0.5)
    # Other programs of the machine may make the same call, so this one is identified by its name.
    os.symlink(sys.executable, "the-caller")
    for _ in range(3):
        subprocess.run(["./the-caller", *calls(50)[2:]], check=True)
        time.sleep(0.4)
    push.kill()
    push.wait()
    push = subprocess.Popen([PERF, *words], stderr=subprocess.DEVNULL)
    wait_until("all calls", lambda: counted("killed.db", "the-caller") >= 150)
    push.send_signal(signal.SIGTERM)
    push.wait()
    n = counted("killed.db", "the-caller")
    check("all calls are there once", n == 150, n)


def counted(path, comm):
    """Returns the number of samples of @comm in the store @path, which may not exist yet."""
    try:
        with sqlite3.connect("file:%s?mode=ro" % path, uri=True) as db:
            return db.execute("SELECT sum(samples) FROM perf_sample JOIN perf_source ON id = source WHERE comm = ?",
                              (comm,)).fetchone()[0] or 0
    except sqlite3.OperationalError:
        return 0


def main():
    run = perf("record", "-q", *EVENT, "-o", "probe", *calls(1), good=False)
    if run.returncode:
        print("calls cannot be counted here:", run.stderr.strip().splitlines()[:1])
        sys.exit(77)
    for test in (test_equal_recordings, test_every, test_silent, test_killed, test_repeated):
        test()
    for f in failures:
        print(f)
    sys.exit(1 if failures else 0)


main()
