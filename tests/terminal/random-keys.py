#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random keys never crash or hang a browser, and no sequence in a name reaches the terminal.

KEYS=10000 presses this number for each command, SEED=2 other keys.
"""
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
import recording
from pressed import Pressed, Wrong, begin, finish, press_random
from tap import run, test
from terminal import FIXTURES, PERF, Skip, UTF8, need

KEYS = int(os.environ.get("KEYS", "400"))
SEED = int(os.environ.get("SEED", "1"))


def environment(home, locale=UTF8):
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("LC_", "LANG", "NO_COLOR"))}
    kept.update(TERM="xterm-256color", LC_ALL=locale, HOME=home, PERF_CONFIG="/dev/null", PAGER="cat")
    for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS"):  # their messages are not for the terminal
        kept[name] = ":".join(filter(None, (kept.get(name), f"log_path={home}/sanitizer")))
    return kept


def complaints(home):
    """Returns the messages of sanitizers."""
    return "\n".join(path.read_text(errors="replace")[:6000] for path in sorted(Path(home).glob("sanitizer.*")))


def press(words, statuses=(0,), keys=KEYS, seed=SEED, locale=UTF8, forbidden=recording.FORBIDDEN):
    need("ncurses")
    with tempfile.TemporaryDirectory(prefix="keys-") as home:
        env = environment(home, locale)
        try:
            press_random(lambda: Pressed([str(w) for w in words], env, home, forbidden), keys, seed, statuses)
        except Wrong as e:
            raise Wrong(f"{words}: {e}\n{complaints(home)}") from None
        if complaints(home):
            raise Wrong(f"{words}: {complaints(home)}")


@test
def reports_survive_random_keys():
    press([PERF, "report", "-i", FIXTURES / "report" / "calls.data", "--symfs", FIXTURES / "report" / "symfs"])
    press([PERF, "report", "-i", FIXTURES / "report" / "system.data", "--kallsyms",
           FIXTURES / "report" / "kallsyms"], seed=SEED + 1)


@test
def buttons_without_a_meaning_keep_nobody_waiting():
    need("ncurses")
    rng = random.Random(SEED)
    with tempfile.TemporaryDirectory(prefix="keys-") as home:
        p = begin(lambda: Pressed([PERF, "report", "-i", str(FIXTURES / "report" / "calls.data")],
                                  environment(home), home), rng)
        for button in (1, 2, 66):
            p.press(f"\x1b[<{button};5;3M".encode())
            p.settle()
            p.answers(rng)
        finish(p, rng, (0,))
        p.close()


@test
def several_events_survive_random_keys():
    press([PERF, "report", "-i", FIXTURES / "report" / "events.data", "--symfs", FIXTURES / "report" / "symfs"])
    press([PERF, "report", "-i", FIXTURES / "report" / "group.data", "--group", "--hierarchy", "-s", "comm,dso,sym"],
          seed=SEED + 1)


@test
def reports_survive_random_keys_in_the_c_locale():
    press([PERF, "report", "-i", FIXTURES / "report" / "calls.data", "--hierarchy"], locale="C")


@test
def code_survives_random_keys():
    press([PERF, "annotate", "-i", FIXTURES / "report" / "calls.data", "--symfs", FIXTURES / "report" / "symfs"])


@test
def hostile_names_do_nothing_to_the_terminal():
    with tempfile.TemporaryDirectory(prefix="hostile-") as folder:
        path = os.path.join(folder, "perf.data")
        recording.write(path)
        press([PERF, "report", "-i", path])
        press([PERF, "report", "-i", path, "-s", "pid,comm,dso,sym", "--hierarchy"], seed=SEED + 1)
        press([PERF, "report", "-i", path, "-s", "dso", "--no-children"], seed=SEED + 2, locale="C")


@test
def top_survives_random_keys():
    if subprocess.run([PERF, "stat", "-a", "-e", "cpu-clock", "true"], capture_output=True, check=False).returncode:
        raise Skip("no events can be counted here")
    press([PERF, "top", "-d", "1", "-e", "cpu-clock"], keys=KEYS // 4)


@test
def the_list_of_events_survives_random_keys():
    # Output into a pipe: lines are printed, and there is no browser.
    press(["/bin/sh", "-c", f"{PERF} list -i | cat >/dev/null"])


run()
