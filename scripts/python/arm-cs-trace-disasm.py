# SPDX-License-Identifier: MIT
#
# arm-cs-trace-disasm: the instructions that Arm CoreSight traced, with their source lines.
#
#   perf record -e cs_etm/@tmc_etr0/u PROGRAM
#   perf script --itrace=b -s arm-cs-trace-disasm.py -- [-d [OBJDUMP]] [-k VMLINUX] [-v]
#
# Between two branches the CPU went straight on: from the target of the first one up to the next.
# The program files come from the build-id cache, so that they are those of the recording.

import argparse
import os
import platform
import subprocess
import sys

sys.path.append(os.path.join(os.environ.get("PERF_EXEC_PATH", "."),
                             "scripts/python/Perf-Trace-Util/lib/Perf/Trace"))
import perf_trace_context
import Script
import Source

CACHE_MAX = 65536
VMLINUX = ["/usr/lib/debug/boot/vmlinux-%s.debug", "/usr/lib/debug/lib/modules/%s/vmlinux",
           "/lib/modules/%s/build/vmlinux", "/usr/lib/debug/boot/vmlinux-%s", "/boot/vmlinux-%s"]

targets = {}        # cpu: the target of its last branch
texts = {}          # (file, from, to): lines of objdump
samples = [0]       # their number


def kernel_file():
    if options.vmlinux:
        return options.vmlinux
    found = [name % platform.release() for name in VMLINUX]
    return next((name for name in found if os.access(name, os.R_OK)), "[kernel.kallsyms]")


def program_file(param):
    dso = param["dso"]
    if dso in ("[kernel.kallsyms]", "vmlinux"):
        return kernel_file()
    cache = os.environ.get("PERF_BUILDID_DIR", os.path.expanduser("~/.debug"))
    file = "vdso" if dso == "[vdso]" else "elf"
    return "/".join([cache, dso.strip("/"), Source.unknown(param, "dso_bid"), file])


def disassemble(file, first, last):
    if len(texts) > CACHE_MAX:
        texts.clear()
    if (file, first, last) not in texts:
        command = [options.objdump, "-d", "-z", "--start-address=%#x" % first,
                   "--stop-address=%#x" % last, file]
        try:
            output = subprocess.check_output(command).decode("utf-8", "backslashreplace")
        except (OSError, subprocess.CalledProcessError) as error:
            sys.exit("arm-cs-trace-disasm: %s" % error)
        texts[file, first, last] = [line for line in output.split("\n") if is_code(line)]
    return texts[file, first, last]


def is_code(line):
    """`  401000:  d503201f  nop` and `0000000000401000 <main>:`."""
    address = line.strip().split(" ")[0].split("\t")[0]
    is_address = address and all(c in "0123456789abcdefABCDEF" for c in address.rstrip(":"))
    return bool(is_address and (address.endswith(":") or line.rstrip().endswith(":")))


def print_code(param, first, last):
    start = param["dso_map_start"]
    # Addresses in the kernel and in programs at a fixed place equal those in their files.
    if param["dso"] == "[kernel.kallsyms]" or start == 0x400000:
        shift = 0
    else:
        shift = param.get("map_pgoff", 0) - start
    file = program_file(param)
    if not os.path.exists(file):
        print("Failed to find dso %s for address range [ 0x%x .. 0x%x ]"
              % (param["dso"], first, last))
        return
    for line in disassemble(file, first + shift, last + shift):
        print("\t" + line)


def print_branch(param, first, last):
    dso, start, end = param["dso"], param["dso_map_start"], param["dso_map_end"]
    for name, address in (("Start", first), ("Stop", last)):
        if not start <= address <= end:
            print("%s address 0x%x is out of range [ 0x%x .. 0x%x ] for dso %s"
                  % (name, address, start, end, dso))
            return
    if options.objdump:
        print_code(param, first, last)
    source.print(param)


def process_event(param):
    sample, name = param["sample"], param["ev_name"]
    index, samples[0] = samples[0], samples[0] + 1
    if not is_wanted(sample["time"], index):
        return
    if options.verbose:
        print("Event type: %s" % name)
        print("Sample = { cpu: %04d addr: 0x%016x phys_addr: 0x%016x ip: 0x%016x pid: %d tid: %d"
              " period: %d time: %d index: %d}"
              % (sample["cpu"], sample["addr"], sample["phys_addr"], sample["ip"], sample["pid"],
                 sample["tid"], sample["period"], sample["time"], index))
    cpu = sample["cpu"]
    if cpu not in targets:
        targets[cpu] = sample["addr"]
        return
    if "dso" not in param:
        return
    if "dso_map_start" not in param or "dso_map_end" not in param:
        print("Failed to find valid dso map for dso %s" % param["dso"])
    elif name.startswith("instructions"):
        source.print(param)
    elif name.startswith("branches"):
        first, targets[cpu] = targets[cpu], sample["addr"]
        if first:
            print_branch(param, first, sample["ip"] + 4)
        elif options.verbose and sample["ip"] == 0:
            print("CPU%d: CS_ETM_TRACE_ON packet is inserted" % cpu)


def is_wanted(time, index):
    return ((options.start_time or 0) <= time <= (options.stop_time or time) and
            (options.start_sample or 0) <= index <= (options.stop_sample or index))


def trace_unhandled(event_name, context, event_fields_dict):
    print(" ".join("%s=%s" % field for field in sorted(event_fields_dict.items())))


def trace_begin():
    global source
    source = Source.SourcePrinter(perf_trace_context.perf_script_context, cpu_digits=4)
    print("ARM CoreSight Trace Data Assembler Dump")


def trace_end():
    print("End")


source = None
parser = argparse.ArgumentParser(prog=Script.name())
parser.add_argument("-k", "--vmlinux", help="vmlinux or kcore of the recorded kernel")
parser.add_argument("-d", "--objdump", nargs="?", const="objdump",
                    help="show the instructions, with this objdump")
parser.add_argument("-v", "--verbose", action="store_true", help="show each sample")
for option, text in (("--start-time", "from this time"), ("--stop-time", "up to this time"),
                     ("--start-sample", "from this sample"), ("--stop-sample", "up to this one")):
    parser.add_argument(option, type=int, help=text + ", see -v")
options = parser.parse_args()
