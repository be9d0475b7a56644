# SPDX-License-Identifier: MIT
"""Runs one command in a terminal, as a shell with job control does, and reports to terminal.py.

    runner.py FOLDER

FOLDER/command has the arguments and the environment as JSON. The command starts once FOLDER/go exists. Its states are
in these files, each written completely before it gets its name:

    pid         of the command
    before      the settings of the terminal before it started
    stopped.N   the settings when it was stopped the N-th time; it goes on once FOLDER/continue.N is there
    continued.N it was told to go on, in the foreground
    status      how it ended (negative: the signal), and the settings after that
"""
import json
import os
import signal
import sys
import termios
import time
from pathlib import Path

sys.dont_write_bytecode = True
LAST_BYTES = b"\x1b]9999;end\x07"  # written after the command's own output; terminals ignore an unknown number


def tell(folder, name, what):
    new = folder / f".{name}"
    new.write_text(json.dumps(what))
    new.rename(folder / name)


def settings():
    """Returns the settings of `stty -a`, without the sizes of the window and of reads."""
    iflag, oflag, cflag, lflag, _, _, chars = termios.tcgetattr(0)
    return [iflag, oflag, cflag, lflag, [c.decode("latin-1") if isinstance(c, bytes) else c for c in chars]]


def await_file(path):
    while not path.exists():
        time.sleep(0.01)


def start(argv, env):
    pid = os.fork()
    if pid:
        return pid
    os.setpgid(0, 0)
    os.tcsetpgrp(0, os.getpid())
    for number in (signal.SIGTTOU, signal.SIGINT, signal.SIGQUIT, signal.SIGTSTP, signal.SIGHUP, signal.SIGPIPE):
        signal.signal(number, signal.SIG_DFL)
    try:
        os.execvpe(argv[0], argv, env)
    except OSError as e:
        print(f"{argv[0]}: {e}")
    os._exit(127)


def hang_up(pid):
    try:
        os.killpg(pid, signal.SIGHUP)
    except ProcessLookupError:
        pass  # the command has ended


def take_back():
    try:
        os.tcsetpgrp(0, os.getpgrp())
    except OSError:
        pass  # the terminal is gone


def main(folder):
    await_file(folder / "go")
    command = json.loads((folder / "command").read_text())
    for number in (signal.SIGTTOU, signal.SIGINT, signal.SIGQUIT, signal.SIGTSTP, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    tell(folder, "before", settings())
    pid = start(command["argv"], command["env"])
    # The kernel reports the end of a terminal only to the shell, which tells its jobs.
    signal.signal(signal.SIGHUP, lambda *_: hang_up(pid))
    tell(folder, "pid", pid)
    times = 0
    while True:
        _, status = os.waitpid(pid, os.WUNTRACED)
        take_back()
        if not os.WIFSTOPPED(status):
            break
        tell(folder, f"stopped.{times}", settings())
        await_file(folder / f"continue.{times}")
        os.tcsetpgrp(0, pid)
        os.killpg(pid, signal.SIGCONT)
        tell(folder, f"continued.{times}", pid)
        times += 1
    try:
        after = settings()
        os.write(1, LAST_BYTES)
        tell(folder, "status", [os.waitstatus_to_exitcode(status), after])
    except (termios.error, OSError):  # the terminal is gone
        tell(folder, "status", [os.waitstatus_to_exitcode(status), None])
    while folder.exists():
        time.sleep(1)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
