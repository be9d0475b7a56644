# SPDX-License-Identifier: MIT
#
# Source: lines of an instruction trace: task, time, function and source line. For scripts that
# print recordings of Intel PT or Arm CoreSight.

import perf_trace_context


def unknown(param, field):
    """Returns a field that exists only if perf found it."""
    return param.get(field, "[unknown]")


def offset(param, field):
    return "+%#x" % param[field] if field in param else ""


def start(comm, sample, cpu_digits=3):
    """Returns the first columns of a line."""
    time = sample["time"]
    text = "%16s %5u/%-5u [%0*u] %9u.%09u  " % (comm, sample["pid"], sample["tid"], cpu_digits,
                                              sample["cpu"], time // 10**9, time % 10**9)
    if "machine_pid" in sample:
        text = "VM:%5d VCPU:%03d " % (sample["machine_pid"], sample.get("vcpu", -1)) + text
    return text


class SourcePrinter:
    """Prints a line for each sample; the file and line only where they change."""

    def __init__(self, context, cpu_digits=3):
        self.context = context
        self.cpu_digits = cpu_digits
        self.place = (None, None)       # file, line
        self.dso = None

    def print(self, param, more=""):
        """more: a further column before the source line."""
        sample, dso = param["sample"], unknown(param, "dso")
        if "symbol" in param:
            where = param["symbol"] + offset(param, "symoff")
        else:
            where = ("%x" % sample["ip"]).rjust(16)
        text = start(param["comm"], sample, self.cpu_digits) + where.ljust(40) + more
        print(text, self._source(dso))

    def _source(self, dso):
        name, line, source = perf_trace_context.perf_sample_srccode(self.context)
        same, self.place = (name, line) == self.place, (name, line)
        if not name:
            changed, self.dso = dso != self.dso, dso
            return dso if changed else ""
        self.dso = None
        if same:
            return ""
        short = "..." + name[-37:] + " " if len(name) > 40 else name.ljust(41)
        return short + str(line).rjust(4) + " " + (source or "<source not found>")
