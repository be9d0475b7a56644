# SPDX-License-Identifier: MIT
#
# Script: functions that the bundled scripts share. Importing it also makes printing safe: a closed
# pipe ends the script quietly, and characters that a terminal cannot show or would obey are
# escaped. Any user can give a program a name that clears your screen.
#
# Tracepoints. A function named SYSTEM__EVENT gets the fields of its tracepoint by position, and
# these change from kernel to kernel. With on() a function gets them by name instead:
#
#     import Script
#
#     @Script.on("sched:sched_wakeup")
#     def woken(event):
#         print(event["common_comm"], "wakes", event["comm"])
#
#     trace_unhandled = Script.dispatch
#
# An event is a dictionary: the fields of the tracepoint as /sys/kernel/tracing/events/*/*/format
# names them, and common_cpu, common_s, common_ns, common_pid, common_comm, common_callchain.

import errno
import os
import signal
import sys
import time

try:
    import perf_trace_context
except ImportError:
    perf_trace_context = None       # outside of perf, for example in a test

try:
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
except ValueError:
    pass                            # not in the main thread, so there is an error message
sys.stdout.reconfigure(errors="backslashreplace")
raw_stdout = sys.stdout             # for control codes of the script itself


class _Escaping:
    """Standard output that escapes control codes, except newlines and tabs."""

    CODES = {code: "\\x%02x" % code for code in (*range(9), *range(11, 32), 127)}

    def write(self, text):
        return raw_stdout.write(text.translate(self.CODES))

    def __getattr__(self, name):
        return getattr(raw_stdout, name)


sys.stdout = _Escaping()

_handlers = {}      # sched__sched_wakeup: function
unhandled = {}      # events without a function: their number


def on(*events):
    """Decorator: the function is called with each of these tracepoints ("system:event")."""
    def add(function):
        for event in events:
            _handlers[event.replace(":", "__")] = function
        return function
    return add


def dispatch(name, context, event):
    """Assign this to trace_unhandled: passes an event to the function that on() named for it."""
    handler = _handlers.get(name)
    if handler:
        handler(event)
    else:
        unhandled[name] = unhandled.get(name, 0) + 1


def dispatch_sample(name, context, event, sample):
    """Does the same for functions with two arguments: the event, and the sample as process_event()
    gets it (process id, registers, call chain ...). Slower than dispatch()."""
    handler = _handlers.get(name)
    if handler:
        handler(event, sample)
    else:
        unhandled[name] = unhandled.get(name, 0) + 1


def print_unhandled():
    """Prints a table of the events without a function, if there were any."""
    if not unhandled:
        return
    print("\nunhandled events:\n")
    print("%-40s  %10s" % ("event", "count"))
    print("%-40s  %10s" % ("-" * 40, "-" * 11))
    for name in sorted(unhandled):
        print("%-40s  %10d" % (name.replace("__", "::", 1), unhandled[name]))


def time_ns(event):
    """Returns the time of a tracepoint."""
    return event["common_s"] * 1000000000 + event["common_ns"]


def syscall_name(number):
    """Returns the name of a system call on the machine of the recording, its number if unknown."""
    try:
        name = perf_trace_context.syscall_name(number)
    except (AttributeError, TypeError, ValueError):
        name = None
    return name if name else str(number)


def error_name(number):
    """Returns ENOENT for -2."""
    return errno.errorcode.get(abs(number), "Unknown %d errno" % number)


def by_count(counts):
    """Returns the items of a dictionary of counts, greatest first, equal ones by key."""
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def name():
    """Returns the script's name, for its messages."""
    return os.path.basename(sys.argv[0]) if sys.argv else "script"


def arguments(usage, most):
    """Returns the words after the script's name; ends with the usage if there are too many."""
    if len(sys.argv) - 1 > most:
        sys.exit("usage: perf script report " + usage)
    return sys.argv[1:]


def task_filter(word):
    """Returns a function of thread id and command name that is true for wanted tasks: a number is a
    thread id, another word a command name, None means all."""
    if word is None:
        return lambda tid, comm: True
    try:
        number = int(word)
    except ValueError:
        return lambda tid, comm: comm == word
    return lambda tid, comm: tid == number


class Refresh:
    """Calls a function at intervals while events come in, for scripts like top."""

    def __init__(self, seconds, function):
        self.seconds = seconds
        self.function = function
        self.next = time.monotonic() + seconds

    def check(self):
        """Call this with each event."""
        if time.monotonic() >= self.next:
            clear_screen()
            self.function()
            sys.stdout.flush()
            self.next = time.monotonic() + self.seconds


def clear_screen():
    """Empties a terminal; a file or a pipe gets no such codes."""
    if raw_stdout.isatty():
        raw_stdout.write("\x1b[H\x1b[2J")


def interval(word, usage):
    """Returns the seconds between two refreshes, as the user wrote them."""
    try:
        seconds = float(word)
    except ValueError:
        seconds = 0
    if not seconds > 0:
        sys.exit("'%s' is not a number of seconds above 0\nusage: perf script report %s"
                 % (word, usage))
    return seconds
