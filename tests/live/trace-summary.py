# SPDX-License-Identifier: MIT
"""Runs `perf trace -s` with a pseudo terminal and checks the output while it counts."""
import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
import time

ROWS, COLUMNS = 24, 80
WAIT_S = 60


def main():
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
    p = subprocess.Popen(["perf", "trace", "-s", "sh", "-c", "echo hello; exec ./load busy"],
                         stdin=slave, stdout=slave, stderr=slave,
                         env=dict(os.environ, TERM="xterm"), start_new_session=True)
    os.close(slave)
    got = b""
    give_up = time.monotonic() + WAIT_S
    ended = False
    while time.monotonic() < give_up:
        if not select.select([master], [], [], 1)[0]:
            continue
        try:
            got += os.read(master, 65536)
        except OSError:  # the terminal is closed
            break
        if not ended and got.count(b"most time first") >= 2:
            os.killpg(p.pid, signal.SIGINT)
            ended = True
    if not ended:
        os.killpg(p.pid, signal.SIGKILL)
    p.wait()
    # The lower half is not scrolled, and is restored.
    assert b"\x1b[1;%dr" % (ROWS // 2) in got, got
    assert got.rindex(b"\x1b[r") > got.rindex(b"most time first"), got
    assert b"hello" in got, got
    assert b" getppid " in got, got
    table = got[got.rindex(b"\x1b[r"):]
    assert b" Summary of events:" in table and b" getppid " in table, got


sys.exit(main())
