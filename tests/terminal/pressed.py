# SPDX-License-Identifier: MIT
"""Presses random keys in a command in a bare pseudo terminal, and checks every byte of its output.

A screen of tmux shows a terminal's view of the output; here the output itself is checked. It may contain only what
ncurses writes by the terminal's description. So a sequence that came out of a name is noticed, whatever its effect.
"""
import fcntl
import os
import random
import re
import select
import signal
import struct
import termios
import time

ANSWER_S = 60  # time limit for an answer to a new size: sanitizers, busy machines
SIZES = ((24, 80), (5, 20), (80, 300), (1, 1), (30, 100), (2, 40), (50, 7), (40, 132))
BATCH = 40  # keys between two checks that it still answers

# Sequences that terminals send.
SPECIAL = ["\x1b[A", "\x1b[B", "\x1b[C", "\x1b[D", "\x1bOA", "\x1bOB", "\x1bOC", "\x1bOD", "\x1b[5~", "\x1b[6~",
           "\x1b[H", "\x1b[F", "\x1bOH", "\x1bOF", "\x1b[3~", "\x1b[Z", "\x1bOP", "\x1bOQ", "\x1b[15~", "\x1b[24~",
           "\x1b", "\r", "\t", "\x7f", " ", "\x0c", "\x06"]
LETTERS = "abcdefghijklmnoprstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/?+-*.,:;<>=!#%&()[]{}|~^$@_'\"\\`"
INVALID = [b"\xff", b"\xc3", b"\xe2\x82", b"\x9b31m", b"\xf5\x80\x80\x80", b"\x1b[", b"\x1b[<0;1", b"\x1b[999;999R",
           b"\x00", b"\x1b[<99999;99999;99999M", "é".encode(), "漢".encode(), b"\x1bX", b"\x1b]0;x\x07"]
LEAVING = ["q", "\x03"]  # pressed rarely, because they leave the current view
SETTLE_S = 0.2  # without output: the next key must not go to a command that a key has ended

# The sequences that ncurses writes for the terminal xterm-256color.
SEQUENCES = re.compile(
    rb"\x1b(?:\[[?>!]?[0-9;]*[ABCDGHJKLMPSTXZ@`bcdfghlmnprt]|[()][0B]|[78=>MHcDE])")
SHIFTS = b"\x0e\x0f"


class Wrong(AssertionError):
    """The command crashed, hangs, or wrote forbidden bytes."""


def random_key(rng):
    kind = rng.random()
    if kind < 0.42:
        return rng.choice(LETTERS).encode()
    if kind < 0.86:
        return rng.choice(SPECIAL).encode()
    if kind < 0.94:
        button = rng.choice((0, 0, 0, 1, 2, 32, 64, 65))
        y, x = rng.randrange(1, 40), rng.randrange(1, 120)
        press = f"\x1b[<{button};{x};{y}M"
        return (press + (f"\x1b[<{button};{x};{y}m" if rng.random() < 0.8 else "")).encode()
    if kind < 0.985:
        return rng.choice(INVALID)
    return rng.choice(LEAVING).encode()


class Output:
    """The output, checked as it comes."""

    def __init__(self, forbidden):
        self.forbidden = forbidden
        self.rest = b""
        self.tail = b""  # the end of the checked bytes, for words that lie across two pieces
        self.bytes = 0
        self.modes = set()  # private modes that are on

    def take(self, piece, last=False):
        self.bytes += len(piece)
        seen = self.tail + piece
        for word in self.forbidden:
            if word in seen:
                raise Wrong(f"{word!r} was written: ...{seen[max(0, seen.index(word) - 80):][:200]!r}")
        self.tail = seen[-64:]
        data, at = self.rest + piece, 0
        while at < len(data):
            if data[at] == 0x1b:
                m = SEQUENCES.match(data, at)
                if not m and len(data) - at < 32 and not last:
                    break  # the rest of the sequence comes later
                if not m:
                    raise Wrong(f"no sequence of ncurses: {data[max(0, at - 60):at + 40]!r}")
                self._mode(m[0])
                at = m.end()
                continue
            if data[at] < 0x20 and data[at] not in b"\r\n\b\t" + SHIFTS:
                raise Wrong(f"a control character: {data[max(0, at - 60):at + 40]!r}")
            if data[at] == 0xc2 and at + 1 < len(data) and data[at + 1] < 0xa0:
                raise Wrong(f"a control character (C1): {data[max(0, at - 60):at + 40]!r}")
            at += 1
        self.rest = data[at:]

    def _mode(self, sequence):
        m = re.fullmatch(rb"\x1b\[\?([0-9;]+)([hl])", sequence)
        for number in m[1].split(b";") if m else ():
            (self.modes.add if m[2] == b"h" else self.modes.discard)(int(number))

    def check_left(self):
        """Checks that the alternate screen, the mouse and the keypad are off, and the cursor is shown."""
        left = self.modes & {1, 47, 1000, 1002, 1003, 1006, 1047, 1049}
        if left or 25 not in self.modes | {25}:
            raise Wrong(f"the terminal is left in the modes {left}")


class Pressed:
    """A command in a pseudo terminal."""

    def __init__(self, argv, env, cwd, forbidden=()):
        self.output = Output(forbidden)
        self.fd, self.slave = os.openpty()  # the slave stays open, because the settings are read after the end
        self._be_quiet()
        self.before = termios.tcgetattr(self.slave)
        self.pid = os.fork()
        if not self.pid:
            self._become(argv, env, cwd)
        self.size = None
        self.status = None
        self.history = []  # the last keys, for a report

    def _be_quiet(self):
        """Keys for a command that has just ended are not written to the terminal, and are no signals."""
        settings = termios.tcgetattr(self.slave)
        settings[3] &= ~(termios.ECHO | termios.ISIG)
        termios.tcsetattr(self.slave, termios.TCSANOW, settings)

    def has_begun(self):
        """True if the command reads keys one by one."""
        return not termios.tcgetattr(self.slave)[3] & termios.ICANON

    def _become(self, argv, env, cwd):
        try:
            os.setsid()
            fcntl.ioctl(self.slave, termios.TIOCSCTTY, 0)
            for fd in range(3):
                os.dup2(self.slave, fd)
            os.chdir(cwd)
            os.execvpe(argv[0], argv, env)
        finally:
            os._exit(127)

    def close(self):
        if self.status is None:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        os.close(self.fd)
        os.close(self.slave)

    def read(self, seconds):
        """Reads the output that arrives within that time; returns whether there was some."""
        if not select.select([self.fd], [], [], seconds)[0]:
            return False
        piece = os.read(self.fd, 1 << 16)
        self.output.take(piece)
        return bool(piece)

    def ended(self):
        if self.status is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.status = os.waitstatus_to_exitcode(status)
                while self.read(0):
                    pass
        return self.status is not None

    def press(self, key):
        self.history = (self.history + [key])[-3 * BATCH:]
        while key and not self.ended():
            readable, writable, _ = select.select([self.fd], [self.fd], [], ANSWER_S)
            if readable:
                self.read(0)
            elif writable:
                key = key[os.write(self.fd, key):]
            else:
                raise Wrong("it takes no more input")

    def press_some(self, rng, n):
        """Presses up to @n keys, fewer if the command ends. Returns how many."""
        for i in range(n):
            if self.ended():
                return i
            key = random_key(rng)
            self.press(key)
            if key.decode("latin-1") in LEAVING:
                self.settle()
        return n

    def settle(self):
        while not self.ended() and self.read(SETTLE_S):
            pass

    def resize(self, size):
        self.size = size
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", *size, 0, 0))

    def answers(self, rng):
        """True if the command draws on another size of the terminal; False: it has ended."""
        while self.read(0):
            pass
        before, deadline = self.output.bytes, time.monotonic() + ANSWER_S
        self.resize(rng.choice([s for s in SIZES if s != self.size]))
        while not self.ended():
            self.read(0.1)
            if self.output.bytes > before:
                return True
            if time.monotonic() > deadline:
                raise Wrong(f"no answer within {ANSWER_S} s; the last keys: {self.history}")
        return False

    def interrupted_while_leaving(self):
        """True if the terminal was restored before the last key, so that Ctrl-C was a signal."""
        return self.status == -signal.SIGINT and b"\x03" in self.history[-1]

    def check_end(self, statuses):
        if self.status not in statuses and not self.interrupted_while_leaving():
            raise Wrong(f"it ended with {self.status}; the last keys: {self.history}; "
                        f"at the end: {self.output.tail!r}")
        self.output.take(b"", last=True)
        self.output.check_left()
        after = termios.tcgetattr(self.slave)
        if after != self.before:
            raise Wrong(f"the settings of the terminal were {self.before}, now they are {after}")


def begin(start, rng):
    p = start()
    p.resize(rng.choice(SIZES))
    deadline = time.monotonic() + ANSWER_S
    while not p.has_begun() and not p.ended():
        p.read(0.05)
        if time.monotonic() > deadline:
            raise Wrong("it does not begin to draw")
    return p


def finish(p, rng, statuses):
    """Leaves all open views until the command ends."""
    deadline = time.monotonic() + ANSWER_S
    while not p.ended():
        p.press(rng.choice((b"\x1b", b"q", b"\x03", b"n", b"q", b"\r")))
        p.settle()
        if time.monotonic() > deadline:
            raise Wrong(f"it is not left by q, Escape and Ctrl-C; the last keys: {p.history}")
    p.check_end(statuses)


def press_random(start, n, seed, statuses=(0,)):
    """Presses @n keys; a command that they end is started again. Returns how often it was started."""
    rng = random.Random(seed)
    pressed, starts = 0, 0
    while pressed < n:
        p = begin(start, rng)
        starts += 1
        try:
            if p.ended():
                raise Wrong(f"no browser came; status {p.status}: {p.output.tail!r}")
            while pressed < n and not p.ended():
                pressed += p.press_some(rng, min(BATCH, n - pressed))
                p.answers(rng)
            finish(p, rng, statuses)
        finally:
            p.close()
    return starts
