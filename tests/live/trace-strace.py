#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
trace-strace.py OURS THEIRS: compares the lines of `perf trace` with those of `strace -f` that watched the same
processes at the same time. For each task the same calls must come in the same order, with the same results; names of
files must be the same where both show them.

Prints the differences, and ends with 1 if there are any.
"""
import re
import sys

OURS = re.compile(r"^ *(?:[\d.]+|\?) \( *(?:[\d.]+ ms)? *\): (?P<comm>.*?)/(?P<tid>\d+) +"
                  r"(?P<continued>\.\.\. \[continued\]: )?(?P<name>\w+)\((?P<args>.*)$")
THEIRS = re.compile(r"^(?P<tid>\d+) +(?:(?P<resumed><\.\.\. (?P<rname>\w+) resumed>)|(?P<name>\w+)\()(?P<rest>.*)$")


def call_name(name):
    """Returns the name of a call. strace has the number of an unknown call in hexadecimal."""
    return "syscall_%d" % int(name[8:], 0) if name.startswith("syscall_") else name


def first_word(result):
    """Returns the number, and the name of an error: "-1 ENOENT"."""
    m = re.match(r"(-?\d+|0x[0-9a-f]+|\?)(?: (E[A-Z0-9]+))?", result)
    if not m:
        return result
    return m.group(1) + (" " + m.group(2) if m.group(2) else "")


class Call:
    def __init__(self, name, args):
        self.name, self.args, self.result = name, args, None

    def __repr__(self):
        return "%s(%s) = %s" % (self.name, self.args, self.result)


def read_ours(path):
    tasks, open_calls = {}, {}
    for line in open(path, errors="replace"):
        m = OURS.match(line.rstrip("\n"))
        if not m:
            continue
        tid, rest = int(m["tid"]), m["args"]
        if m["continued"]:
            call = open_calls.pop(tid, None)
            if call is None:  # the call began elsewhere: a new task, or exec by a thread
                continue
        else:
            call = Call(call_name(m["name"]), rest)
            tasks.setdefault(tid, []).append(call)
        # The last ") = " belongs to the result, unless the call only begins.
        cut = rest.rfind(") ")
        tail = rest[cut + 1:].strip() if cut >= 0 else ""
        if tail.startswith("= "):
            call.result = first_word(tail[2:])
            if not m["continued"]:
                call.args = rest[:cut]
        else:
            open_calls[tid] = call
    return tasks


def read_theirs(path):
    tasks, open_calls = {}, {}
    for line in open(path, errors="replace"):
        m = THEIRS.match(line.rstrip("\n"))
        if not m:
            continue
        tid, rest = int(m["tid"]), m["rest"]
        if m["resumed"]:
            call = open_calls.pop(tid, None)
            if call is None:
                continue
            call.args += rest
        else:
            call = Call(call_name(m["name"]), rest)
            tasks.setdefault(tid, []).append(call)
        if rest.endswith("<unfinished ...>"):
            open_calls[tid] = call
            continue
        r = re.search(r"\) += (.*)$", rest)
        if r:
            call.result = first_word(r.group(1))
    return tasks


PATHS = {"openat", "newfstatat", "execve", "readlinkat", "faccessat", "faccessat2", "statx", "unlinkat",
         "mkdirat", "chdir", "symlinkat", "renameat", "renameat2", "statfs", "open", "stat", "access",
         "readlink", "unlink", "mkdir", "rmdir"}


def strings(text):
    return re.findall(r'"([^"\\]*)"', text)


def compare(tid, ours, theirs, errors):
    # Before it runs the program, strace's child makes calls that strace does not show.
    while ours and theirs and ours[0].name != theirs[0].name:
        ours.pop(0)
    for i, (a, b) in enumerate(zip(ours, theirs)):
        where = "task %d, call %d:\n  ours   %s\n  strace %s" % (tid, i, a, b)
        if a.name != b.name:
            errors.append("another call: " + where)
            return
        if a.result != b.result and not str(b.result).startswith(("None", "?")) and a.name != "fcntl":
            errors.append("another result: " + where)
        if a.name in PATHS and "\\" not in b.args:
            ours_paths, theirs_paths = strings(a.args), strings(b.args)
            if theirs_paths[:1] != ours_paths[:1] and not b.args.startswith('""'):
                errors.append("another path: " + where)
    if len(ours) < len(theirs):
        errors.append("task %d: %d calls are missing, the first: %s" %
                      (tid, len(theirs) - len(ours), theirs[len(ours)]))
    # A call whose end strace cannot see is not repeated in its list; a call beyond that is an error.
    if len(ours) > len(theirs):
        errors.append("task %d: %d calls too many, the first: %s" %
                      (tid, len(ours) - len(theirs), ours[len(theirs)]))


def main():
    ours, theirs = read_ours(sys.argv[1]), read_theirs(sys.argv[2])
    errors = []
    for tid in theirs:
        compare(tid, ours.get(tid, []), theirs[tid], errors)
    total = sum(len(c) for c in theirs.values())
    for e in errors[:int(sys.argv[3]) if len(sys.argv) > 3 else 20]:
        print(e)
    print("%d tasks, %d calls, %d differences" % (len(theirs), total, len(errors)))
    return 1 if errors or not total else 0


sys.exit(main())
