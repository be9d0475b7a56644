# SPDX-License-Identifier: MIT
"""usage: syscall-tables.py DATA EVENTS: see syscall-tables.sh."""
import importlib.machinery
import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

data, events = map(Path, sys.argv[1:])
loader = importlib.machinery.SourceFileLoader("generate", str(data / "generate"))
loader_spec = importlib.util.spec_from_loader("generate", loader)
generate = importlib.util.module_from_spec(loader_spec)
sys.dont_write_bytecode = True
loader.exec_module(generate)

# Names of calls in the kernel that differ from the names in programs.
KERNEL_NAMES = {"newstat": "stat", "newlstat": "lstat", "newfstat": "fstat", "newuname": "uname",
                "umount": "umount2", "sendfile64": "sendfile", "fadvise64_64": "fadvise64",
                "arm64_personality": "personality"}
# For the kernel these are whole registers, out of which it takes an int.
NARROW = {("ptrace", "pid"), *((c, "fd") for c in ("mmap", "readv", "writev", "preadv", "preadv2",
                                                   "pwritev", "pwritev2"))}
INTS = re.compile(r"(const )?(int|unsigned( int)?|[pug]id_t|umode_t|__[us]32|u32|clockid_t|timer_t|"
                  r"mqd_t|key_t|key_serial_t|qid_t|rwf_t|enum \w+)$")
problems = []


def numbers_of_headers():
    text = subprocess.run([os.environ.get("CC", "cc"), "-E", "-dM", "-"], text=True, check=True,
                          input="#include <asm/unistd.h>\n", capture_output=True).stdout
    return {n: int(v) for n, v in re.findall(r"#define __NR_(\w+) (\d+)\s", text)}


def fields_of(path):
    """Returns (type, name) of each argument."""
    found = re.findall(r"field:(.*?)\s*(\w+);\s", path.read_text())
    return [(t, n) for t, n in found
            if n != "__syscall_nr" and not n.startswith("common_") and "__data_loc" not in t]


def compare(name, fields, args):
    ours = [a["name"] for a in args]
    if ours != [n for _, n in fields]:
        problems.append(f"{name}: we have {ours}, the kernel {[n for _, n in fields]}")
        return
    for (ctype, _), arg in zip(fields, args):
        width = 4 if INTS.match(ctype) or (name, arg["name"]) in NARROW else 8
        if arg["bytes"] != width:
            problems.append(f"{name}: {arg['name']} has {arg['bytes']} bytes and is '{ctype}'")


def main():
    abi = os.uname().machine
    if abi not in ("x86_64", "aarch64"):
        sys.exit(77)
    values = generate.Values([data / "values.tsv", data / "ioctls.tsv"])
    calls = generate.Calls(data / "calls.txt", values,
                           generate.Structs(data / "structs.tsv", values))
    numbers = generate.numbers_of(data / "numbers.tsv")[abi]
    for name, nr in numbers_of_headers().items():
        if name not in ("syscalls", "arch_specific_syscall") and numbers.get(name) != nr:
            problems.append(f"{name} is {nr} in <asm/unistd.h>")
    compared = 0
    for folder in sorted(events.glob("sys_enter_*")):
        name = folder.name.removeprefix("sys_enter_")
        name = KERNEL_NAMES.get(name, name)
        if name in numbers:
            compare(name, fields_of(folder / "format"), calls.call(name, abi)[0])
            compared += 1
        elif name != "ni_syscall":
            problems.append(f"the kernel has '{name}', which is not in numbers.tsv")
    print("\n".join(problems) or f"{compared} calls agree")
    sys.exit(bool(problems))


main()
