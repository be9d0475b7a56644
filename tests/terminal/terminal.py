# SPDX-License-Identifier: MIT
"""Runs commands in a real terminal: a tmux server of their own, without a window.

    with Terminal(["perf", "report", "-i", data], width=80, height=24) as t:
        t.wait("Samples:")
        t.keys("Down", "Enter")
        t.type("/main")
        t.click(3, 10)
        t.resize(120, 40)
        t.signal(signal.SIGTERM)
        equal(t.end(), -signal.SIGTERM)
        t.check_restored()

Nothing sleeps for a fixed time: the screen is checked until it is as expected or LIMIT_S are over, and the failure
shows the screen. A command that is a string is a line for the shell.
"""
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unicodedata
from pathlib import Path
from typing import NamedTuple

from runner import LAST_BYTES

TOP = Path(__file__).resolve().parent.parent.parent
PERF = os.environ.get("PERF", str(TOP / "build" / "perf"))
BUILD = Path(os.environ.get("BUILD", TOP / "build"))
FIXTURES = Path(os.environ.get("FIXTURES", TOP / "tests" / "fixtures"))
LIMIT_S = 60  # time limit for one answer, on a busy machine, with sanitizers
UTF8, ASCII = "C.UTF-8", "C"
# The terminal settings that a command may change, by tmux's names, with their initial values.
PLAIN = {"alternate_on": "0", "cursor_flag": "1", "mouse_any_flag": "0", "keypad_cursor_flag": "0",
         "keypad_flag": "0", "insert_flag": "0", "wrap_flag": "1"}


class Skip(Exception):
    """The test cannot be done here; the text gives the reason."""


class Gone(AssertionError):
    """The expected screen or state did not come."""


class Cell(NamedTuple):
    char: str  # "": the right half of a wide character
    fg: str  # "": the default; "1", "#rrggbb", ...: as in tmux's styles
    bg: str
    flags: frozenset  # among "bold", "reverse", ...


def has(feature):
    """True if perf was built with the library of this feature."""
    return f"#define HAVE_{feature.upper()} 1" in (BUILD / "config.h").read_text().splitlines()


def is_running(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def need(feature):
    if not has(feature):
        raise Skip(f"built without {feature}")


class Terminal:
    """A terminal with one command in it, from its creation to close()."""

    def __init__(self, command, width=80, height=24, term="tmux-256color", locale=UTF8, env=None, cwd=None):
        if not shutil.which("tmux"):
            raise Skip("tmux is not installed")
        self.folder = Path(tempfile.mkdtemp(prefix="terminal-"))
        self.stops = 0
        self.pids = []
        argv = ["/bin/sh", "-c", command] if isinstance(command, str) else [str(word) for word in command]
        (self.folder / "command").write_text(json.dumps({"argv": argv, "env": self._environment(term, locale, env)}))
        try:
            self._start(width, height, cwd)
        except BaseException:
            self.close()
            raise

    @staticmethod
    def _environment(term, locale, more):
        """The value None removes a variable."""
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("LC_", "LANG", "TMUX"))}
        kept.pop("NO_COLOR", None)
        kept |= {"TERM": term, "LC_ALL": locale, "HOME": os.environ.get("HOME", "/")}
        kept.setdefault("PERF_CONFIG", "/dev/null")
        return {k: v for k, v in (kept | (more or {})).items() if v is not None}

    def _start(self, width, height, cwd):
        (self.folder / "tmux.conf").write_text(
            "set -g status off\nset -g remain-on-exit on\nset -s exit-empty off\n"
            "set -g default-terminal tmux-256color\n")
        self._tmux("new-session", "-d", "-x", str(width), "-y", str(height), "-c", str(cwd or TOP),
                   sys.executable, str(Path(__file__).with_name("runner.py")), str(self.folder))
        self._tmux("resize-window", "-x", str(width), "-y", str(height))
        self._tmux("pipe-pane", "-O", f"exec cat >'{self.folder}/stream'")
        self._until(lambda: (self.folder / "stream").exists(), "the copy of the output")
        self.pids = [int(pid) for pid in self._tmux("display", "-p", "#{pid} #{pane_pid}").split()]
        (self.folder / "go").touch()
        self.pid = self._read("pid")

    def _tmux(self, *words):
        # A semicolon at the end of a word would end the tmux command.
        words = [word[:-1] + "\\;" if word.endswith(";") else word for word in words]
        command = ["tmux", "-u", "-S", str(self.folder / "socket"), "-f", str(self.folder / "tmux.conf"), *words]
        env = {**os.environ, "LC_ALL": UTF8, "TERM": "dumb", "SHELL": "/bin/sh"}
        env.pop("TMUX", None)
        done = subprocess.run(command, capture_output=True, env=env, stdin=subprocess.DEVNULL, timeout=LIMIT_S,
                              check=False)
        if done.returncode:
            raise Gone(f"tmux {words[0]}: {done.stderr.decode(errors='replace').strip()}")
        return done.stdout.decode(errors="replace")

    def close(self):
        """Ends all processes in it: the command with its children, the runner, tmux."""
        if hasattr(self, "pid"):
            self._kill(-self.pid)
        for pid in reversed(self.pids):
            self._kill(pid)
        for pid in self.pids:
            self._until(lambda pid=pid: not is_running(pid), f"the end of process {pid}")
        shutil.rmtree(self.folder, ignore_errors=True)

    @staticmethod
    def _kill(pid):
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    # --- waiting ----------------------------------------------------------------------------

    def _until(self, condition, what):
        deadline = time.monotonic() + LIMIT_S
        pause = 0.01
        while not (result := condition()):
            if time.monotonic() > deadline:
                raise Gone(f"{what} did not come within {LIMIT_S} s")
            time.sleep(pause)
            pause = min(pause * 1.5, 0.2)
        return result

    def _read(self, name):
        path = self.folder / name
        self._until(path.exists, name)
        return json.loads(path.read_text())

    def until(self, condition, what):
        """Waits until condition(lines of the screen) is true; returns its result."""
        try:
            return self._until(lambda: condition(self.lines()), what)
        except Gone as e:
            raise Gone(f"{e}; the screen:\n{self.framed()}") from None

    def wait(self, *texts):
        """Waits until all of the texts are on the screen; a compiled pattern is searched for in its lines."""
        def there(lines):
            return all(any(t.search(line) for line in lines) if isinstance(t, re.Pattern)
                       else any(t in line for line in lines) for t in texts)
        self.until(there, " and ".join(repr(getattr(t, "pattern", t)) for t in texts))

    def wait_or_end(self, text):
        """Waits for a text, or for the end of the command."""
        self.until(lambda lines: (self.folder / "status").exists() or any(text in line for line in lines),
                   f"{text!r} or the end")

    def wait_gone(self, text):
        self.until(lambda lines: not any(text in line for line in lines), f"a screen without {text!r}")

    # --- the screen ------------------------------------------------------------------------

    def lines(self):
        """Returns the rows as text, without the blanks at their ends."""
        rows = self._tmux("capture-pane", "-p").split("\n")
        return [row.rstrip(" ") for row in rows[:-1]]

    def screen(self):
        return "\n".join(self.lines())

    def framed(self):
        """Returns the screen in a frame, for messages."""
        try:
            return "\n".join(f"|{line}" for line in self.lines())
        except Gone as e:
            return str(e)

    def row(self, text):
        """Returns the number of the first row that has @text; -1: none."""
        return next((y for y, line in enumerate(self.lines()) if text in line), -1)

    def cells(self):
        """Returns the rows as lists of cells. Blank cells at the end of a row are left out."""
        return cells_of(self._tmux("capture-pane", "-p", "-e", "-N"))

    def cursor(self):
        """Returns row and column of the cursor."""
        y, x = self._tmux("display", "-p", "#{cursor_y} #{cursor_x}").split()
        return int(y), int(x)

    def stream(self):
        """Returns all bytes that the command has written to the terminal."""
        return self._copy().partition(LAST_BYTES)[0]

    def _copy(self):
        return (self.folder / "stream").read_bytes()

    # --- input ------------------------------------------------------------------------------

    def keys(self, *names):
        """Presses keys by tmux's names: Down, PPage, NPage, Enter, Escape, BTab, F1, C-c, q, ..."""
        self._tmux("send-keys", "--", *names)

    def type(self, text):
        self._tmux("send-keys", "-l", "--", text)

    def bytes(self, raw):
        """Sends ASCII bytes as a terminal would."""
        self._tmux("send-keys", "-H", *(f"{b:x}" for b in raw))

    def mouse(self, button, y, x, release=True):
        """Presses a button (0: left, 2: right, 64 and 65: the wheel) at a cell, in the SGR encoding."""
        self.bytes(f"\x1b[<{button};{x + 1};{y + 1}M".encode())
        if release and button < 64:
            self.bytes(f"\x1b[<{button};{x + 1};{y + 1}m".encode())

    def click(self, y, x):
        self.mouse(0, y, x)

    def resize(self, width, height):
        self._tmux("resize-window", "-x", str(width), "-y", str(height))

    def signal(self, number):
        os.kill(self.pid, number)

    def hang_up(self):
        """Closes the terminal, like a closed window or a lost connection."""
        self._tmux("kill-session")

    def wait_stopped(self):
        """Waits until the command has stopped, as by Ctrl-Z; checks the settings that the shell would get."""
        got = self._read(f"stopped.{self.stops}")
        self._check(got)

    def go_on(self):
        """Continues the command as fg does. It is in the foreground when this returns."""
        (self.folder / f"continue.{self.stops}").touch()
        self._read(f"continued.{self.stops}")
        self.stops += 1

    # --- its end ----------------------------------------------------------------------------

    def end(self):
        """Waits for the end of the command and of its output; returns its status, or the negative signal."""
        try:
            status, settings = self._read("status")
            if settings is not None:  # tmux may not have copied the last bytes yet
                self._until(lambda: LAST_BYTES in self._copy(), "the last output")
            return status
        except Gone as e:
            raise Gone(f"the end: {e}; the screen:\n{self.framed()}") from None

    def modes(self):
        return dict(zip(PLAIN, self._tmux("display", "-p", " ".join(f"#{{{m}}}" for m in PLAIN)).split()))

    def _check(self, settings):
        before = self._read("before")
        if settings != before:
            raise AssertionError(f"the terminal's settings were {before}, now they are {settings}")
        try:  # tmux may not have read the last bytes yet
            self._until(lambda: self.modes() == PLAIN, "a plain terminal")
        except Gone:
            wrong = {k: v for k, v in self.modes().items() if PLAIN[k] != v}
            raise AssertionError(f"the terminal was left with {wrong}") from None

    def check_restored(self):
        """Checks after the end that the terminal is as it was before."""
        self._check(self._read("status")[1])


FLAGS = {"1": "bold", "2": "dim", "3": "italics", "4": "underscore", "5": "blink", "7": "reverse", "8": "hidden"}
SGR = re.compile(r"\x1b\[([0-9;:]*)m|(\x0e|\x0f)|(.)", re.S)


def apply_sgr(look, words):
    fg, bg, flags = look
    words = iter(words.replace(":", ";").split(";"))
    for word in words:
        code = int(word or 0)
        if code == 0:
            fg, bg, flags = "", "", frozenset()
        elif word in FLAGS:
            flags |= {FLAGS[word]}
        elif code in (38, 48):
            if next(words) == "5":
                colour = next(words)
            else:
                colour = "#" + "".join(f"{int(next(words)):02x}" for _ in range(3))
            fg, bg = (colour, bg) if code == 38 else (fg, colour)
        elif 30 <= code <= 37 or 90 <= code <= 97:
            fg = str(code - 30 if code < 90 else code - 82)
        elif 40 <= code <= 47 or 100 <= code <= 107:
            bg = str(code - 40 if code < 100 else code - 92)
        elif code == 39:
            fg = ""
        elif code == 49:
            bg = ""
    return fg, bg, flags


def cells_of(text):
    """Returns the cells of the output of `capture-pane -e`; attributes continue from row to row."""
    rows, look = [[]], ("", "", frozenset())
    for m in SGR.finditer(text):
        if m[1] is not None:
            look = apply_sgr(look, m[1])
        elif m[3] == "\n":
            rows.append([])
        elif m[3] and unicodedata.combining(m[3]) and rows[-1]:
            last = rows[-1].pop()
            rows[-1].append(last._replace(char=last.char + m[3]))
        elif m[3]:
            rows[-1].append(Cell(m[3], *look))
            if unicodedata.east_asian_width(m[3]) in "WF":
                rows[-1].append(Cell("", *look))
    return rows[:-1]
