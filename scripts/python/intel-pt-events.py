# SPDX-License-Identifier: MIT
#
# intel-pt-events: recordings of Intel Processor Trace: branches or instructions, power events, and
# the values of PTWRITE.
#
#   perf script record intel-pt-events -a -e intel_pt/pwr_evt,ptw/ sleep 1
#   perf script report intel-pt-events [--insn-trace | --src-trace] [--all-switch-events]
#
# Instructions are shown by address and function; `perf script --insn-trace --xed` disassembles.

import argparse
import os
import struct
import sys

sys.path.append(os.path.join(os.environ.get("PERF_EXEC_PATH", "."),
                             "scripts/python/Perf-Trace-Util/lib/Perf/Trace"))
import perf_trace_context
import Script
import Source

# Control flow events of the event trace
FLOW = {1: "INTR", 2: "IRET", 3: "SMI", 4: "RSM", 5: "SIPI", 6: "INIT", 7: "VMENTRY", 8: "VMEXIT",
        9: "VMEXIT_INTR", 10: "SHUTDOWN", 12: "UINT", 13: "UIRET"}
FLOW_DATA = {1: "PFA", 2: "VMXQ", 3: "VMXR"}

switches = {}       # cpu: text of the last context switch, printed before the next event


# One function for each kind of event: the raw data as text. perf writes these records itself:
# flags (32 bits), then a payload (64 bits).

def ptwrite(raw):
    flags, payload = struct.unpack_from("<IQ", raw)
    text = payload.to_bytes(8, "little").rstrip(b"\0").decode("ascii", "replace")
    readable = text if text.isascii() and text.isprintable() else ""
    return "IP: %u payload: %#x %s" % (flags & 1, payload, readable)


def cbr(raw):
    """Returns the ratio of the core's clock to the bus clock, now and at most."""
    ratio, _, most, _, khz, _ = struct.unpack_from("<BBBBII", raw)
    percent = (ratio * 1000 / most + 5) / 10 if most else 0
    return "%3u  freq: %4u MHz  (%3u%%)" % (ratio, (khz + 500) / 1000, percent)


def mwait(raw):
    _, payload = struct.unpack_from("<IQ", raw)
    return "hints: %#x extensions: %#x" % (payload & 0xff, payload >> 32 & 3)


def pwre(raw):
    _, payload = struct.unpack_from("<IQ", raw)
    return "hw: %u cstate: %u sub-cstate: %u" % (payload >> 7 & 1, payload >> 12 & 0xf,
                                                 payload >> 8 & 0xf)


def exstop(raw):
    return "IP: %u" % (struct.unpack_from("<I", raw)[0] & 1)


def pwrx(raw):
    _, payload = struct.unpack_from("<IQ", raw)
    return ("deepest cstate: %u last cstate: %u wake reason: %#x"
            % (payload & 0xf, payload >> 4 & 0xf, payload >> 8 & 0xf))


def psb(raw):
    return "offset: %#x" % struct.unpack_from("<IQ", raw)[1]


def evt(raw):
    kind, vector, number = struct.unpack_from("<BBH", raw)
    name = FLOW.get(kind & 0x1f, str(kind & 0x1f))
    text = " cfe: %s IP: %u vector: %u" % (name, kind >> 7, vector)
    for i in range(number):
        what, value = struct.unpack_from("<QQ", raw, 4 + 16 * i)
        text += " %s: %#x" % (FLOW_DATA.get(what & 0x3f, "EVD_%u" % (what & 0x3f)), value)
    return text


def iflag(raw):
    flags = struct.unpack_from("<IQ", raw)[0]
    return "IFLAG: %u->%u %s branch" % (flags & 1 ^ 1, flags & 1, "via" if flags & 2 else "non")


KINDS = {function.__name__: function
         for function in (ptwrite, cbr, mwait, pwre, exstop, pwrx, psb, evt, iflag)}


def place(param):
    """Returns the place of the event, the target of a branch, and the speed of the code."""
    sample = param["sample"]
    text = "%16x %s%s (%s) " % (sample["ip"], Source.unknown(param, "symbol"),
                                Source.offset(param, "symoff"), Source.unknown(param, "dso"))
    if "addr_correlates_sym" in sample:
        text += "=> %x %s%s (%s)" % (sample["addr"], Source.unknown(sample, "addr_symbol"),
                                     Source.offset(sample, "addr_symoff"),
                                     Source.unknown(sample, "addr_dso"))
    if sample.get("cyc_cnt"):
        instructions = sample.get("insn_cnt", 0)
        text += "  IPC: %#.2f (%u/%u)" % (instructions / sample["cyc_cnt"], instructions,
                                          sample["cyc_cnt"])
    return text


def process_event(param):
    sample, name = param["sample"], param["ev_name"]
    if sample["cpu"] in switches:
        print(switches.pop(sample["cpu"]))
    instruction = name.startswith("instructions")
    if options.src_trace and (instruction or name.startswith("branches")):
        source.print(param)
        return
    text = Source.start(param["comm"], sample)
    if instruction:
        # x: the instruction aborted a transaction
        print(text + ("x" if "x" in sample.get("flags", "") else " "), place(param))
        return
    text += "%8s  %21s " % (name, sample.get("flags_disp", ""))
    if name in KINDS:
        text += KINDS[name](param["raw_buf"]) + " "
    print(text + place(param))


def auxtrace_error(typ, code, cpu, pid, tid, ip, ts, msg, cpumode, *machine):
    sample = {"pid": pid, "tid": tid, "cpu": cpu, "time": ts}
    if len(machine) >= 2 and machine[0]:
        sample["machine_pid"], sample["vcpu"] = machine[:2]
    print(Source.start("Trace error", sample) + "error type %u code %u: %s ip 0x%16x"
          % (typ, code, msg, ip))


def context_switch(ts, cpu, pid, tid, np_pid, np_tid, machine_pid, out, out_preempt, *machine):
    where = "" if machine_pid == -1 else "machine PID %d" % machine_pid
    if len(machine) >= 2 and machine[0]:
        where = "machine PID %d VCPU %d" % machine[:2]
    text = ("%16s %5d/%-5d [%03u] %9u.%09u %5d/%-5d %s %s"
            % ("Switch out " if out else "Switch In  ", pid, tid, cpu, ts // 10**9, ts % 10**9,
               np_pid, np_tid, where, "preempt" if out_preempt else ""))
    if options.all_switch_events:
        print(text)
    else:
        switches[cpu] = text


def trace_unhandled(event_name, context, event_fields_dict):
    print(" ".join("%s=%s" % field for field in sorted(event_fields_dict.items())))


def trace_begin():
    global source
    context = perf_trace_context.perf_script_context
    source = Source.SourcePrinter(context)
    if options.insn_trace or options.src_trace:
        print("Intel PT %s Trace" % ("Instruction" if options.insn_trace else "Source"))
        what = "i0nsepwxI"
    else:
        print("Intel PT Branch Trace, Power Events, Event Trace and PTWRITE")
        what = "bepwxI"
    perf_trace_context.perf_set_itrace_options(context, what)


def trace_end():
    print("End")


source = None
parser = argparse.ArgumentParser(prog=Script.name())
parser.add_argument("--insn-trace", action="store_true", help="each instruction")
parser.add_argument("--src-trace", action="store_true", help="each instruction with its source")
parser.add_argument("--all-switch-events", action="store_true",
                    help="also context switches that no event follows")
options = parser.parse_args()
