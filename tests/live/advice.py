# SPDX-License-Identifier: MIT
"""The commands that messages suggest must exist, and take the options shown.

Reads the string literals of the sources, which contain messages and hints. For each `perf COMMAND --option` in them,
the command and the option must be known; packages must be known to apt; settings of the kernel must exist.
"""
import re
import subprocess
import sys
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent.parent
LITERAL = r'"(?:[^"\\\n]|\\.)*"'
TEXTS = re.compile(rf'{LITERAL}(?:\s*(?:PRI[a-zA-Z0-9]+\s*)?{LITERAL})*')
PERF = re.compile(r"\bperf ([a-z][a-z0-9-]*)((?: [^ ;.,:()'\"|]+)*)")
APT = re.compile(r"\bapt install ([a-z0-9.+-]+)")
SYSCTL = re.compile(r"\bsysctl (?:-w )?([a-z_]+(?:\.[a-z_]+)+)=")
# Names from another distribution, and from a kernel that the message itself asks for.
ELSEWHERE = ("ubuntu-dbgsym-keyring", "kernel.sched_schedstats")
FORWARDED = {("lock", "--user")}  # perf lock record takes it from the arguments for perf record
# Commands that may have subcommands.
FAMILIES = ("sched", "lock", "kmem", "kwork", "kvm", "mem", "c2c", "timechart", "daemon", "data", "bench", "ftrace",
            "script", "trace", "stat", "probe", "test", "help", "list", "iostat", "archive")


def texts():
    for path in sorted(TOP.glob("src/**/*.c")):
        source = re.sub(r"/\*.*?\*/", " ", path.read_text(), flags=re.S)
        for found in TEXTS.finditer(source):
            parts = re.findall(LITERAL, found.group())
            text = "".join(p[1:-1] for p in parts)
            if " " in text:
                yield path.relative_to(TOP), text


def perf(*words):
    return subprocess.run(["perf", *words], capture_output=True, text=True).stdout.split()


def known_options(command, cache={}):
    if command not in cache:
        cache[command] = set(perf(*command.split(), "--list-opts"))
    return cache[command]


def options_of(command, subcommand):
    known = known_options(command)
    return known | known_options(f"{command} {subcommand}") if subcommand else known


def check_perf(text, commands, subcommands):
    """Returns what is wrong with the command lines of perf in @text."""
    for command, rest in PERF.findall(text):
        words = rest.split()
        if command not in commands:
            # "perf itself", "perf events": prose, unless it looks like a command line.
            if words and words[0].startswith("-"):
                yield f"there is no perf {command}"
            continue
        subcommand = words[0] if words and words[0] in subcommands.get(command, ()) else None
        known = options_of(command, subcommand)
        for word in words:
            if word == "--":
                break
            name = word.split("=")[0]
            if re.fullmatch(r"--[a-z][a-z0-9-]+", name) and name not in known and \
                    (command, name) not in FORWARDED and name != "--help" and "--no-" not in name:
                yield f"perf {command} has no option {name}"


def known_packages(names):
    if subprocess.run(["sh", "-c", "command -v apt-cache"], capture_output=True).returncode:
        return None
    shown = subprocess.run(["apt-cache", "policy", *names], capture_output=True, text=True).stdout
    known, name = set(), None
    for line in shown.splitlines():
        if line and line[0] != " ":
            name = line.rstrip(":")
        elif "Candidate:" in line and "(none)" not in line:
            known.add(name)
    return known


def main():
    commands = set(perf("--list-cmds"))
    subcommands = {c: perf(c, "--list-cmds") for c in commands if c in FAMILIES}
    wrong, packages, seen = [], {}, 0
    for path, text in texts():
        seen += len(PERF.findall(text))
        wrong += [f"{path}: {what}: {text}" for what in check_perf(text, commands, subcommands)]
        for name in APT.findall(text):
            if not name.endswith(("-", ".")):
                packages.setdefault(name, path)
        for key in SYSCTL.findall(text):
            if key not in ELSEWHERE and not Path("/proc/sys", key.replace(".", "/")).exists():
                wrong.append(f"{path}: there is no setting {key}: {text}")
    known = known_packages(sorted(packages))
    if known:
        wrong += [f"{packages[p]}: there is no package {p}" for p in sorted(set(packages) - known - set(ELSEWHERE))]
    print("\n".join(wrong))
    print(f"{seen} command lines of perf, {len(packages)} packages")
    if seen < 100:
        sys.exit("FAILED: the messages were not found")
    sys.exit(1 if wrong else 0)


main()
