# SPDX-License-Identifier: MIT
#
# Core: functions that turn the numbers of tracepoint fields into words.
#
# A script begins with `from Core import *`. perf then finds the four define_*() functions in the
# script and calls them, once for each tracepoint, with the words of the tracepoint's print format
# (__print_flags and __print_symbolic). flag_str() and symbol_str() look them up again.

from collections import defaultdict


def autodict():
    """Returns a dictionary that creates the dictionaries below it on access."""
    return defaultdict(autodict)


flag_fields = autodict()        # [event][field] = {'delim': '|', 'values': {1: 'NAME'}}
symbolic_fields = autodict()    # [event][field] = {'values': {1: 'NAME'}}


def define_flag_field(event_name, field_name, delim):
    flag_fields[event_name][field_name]['delim'] = delim


def define_flag_value(event_name, field_name, value, field_str):
    flag_fields[event_name][field_name]['values'][value] = field_str


def define_symbolic_field(event_name, field_name):
    """perf announces the field; its values follow one by one."""


def define_symbolic_value(event_name, field_name, value, field_str):
    symbolic_fields[event_name][field_name]['values'][value] = field_str


def _names_of_bits(values, value):
    """Returns the names of the bits that are set in value, smallest first; for 0, the name of 0."""
    if not value:
        return [values[0]] if 0 in values else []
    names = []
    for bits in sorted(values):
        if bits and value & bits == bits:
            names.append(values[bits])
            value &= ~bits
    return names


def flag_str(event_name, field_name, value):
    """Returns the set flags of a field as text, for example 'GFP_KERNEL | __GFP_ZERO'."""
    field = flag_fields[event_name][field_name]
    if not field:
        return ""
    delim = field['delim']
    return (" " + delim + " " if delim else "").join(_names_of_bits(field['values'], value))


def symbol_str(event_name, field_name, value):
    """Returns the name of a field's value, or an empty text."""
    field = symbolic_fields[event_name][field_name]
    return field['values'].get(value, "") if field else ""


# Bits of common_flags, see include/linux/trace_events.h.
trace_flags = {
    0x00: "NONE",
    0x01: "IRQS_OFF",
    0x02: "IRQS_NOSUPPORT",
    0x04: "NEED_RESCHED",
    0x08: "HARDIRQ",
    0x10: "SOFTIRQ",
}


def trace_flag_str(value):
    """Returns the set bits of common_flags as text."""
    return " | ".join(_names_of_bits(trace_flags, value))


def taskState(state):
    """Returns the letter of prev_state of sched_switch."""
    return {0: "R", 1: "S", 2: "D", 64: "DEAD"}.get(state, "Unknown")


class EventHeaders:
    """The fields that every tracepoint has."""

    def __init__(self, common_cpu, common_secs, common_nsecs,
                 common_pid, common_comm, common_callchain):
        self.cpu = common_cpu
        self.secs = common_secs
        self.nsecs = common_nsecs
        self.pid = common_pid
        self.comm = common_comm
        self.callchain = common_callchain

    def ts(self):
        """Returns nanoseconds."""
        return self.secs * 1000000000 + self.nsecs

    def ts_format(self):
        """Returns seconds and microseconds; the microseconds are not padded."""
        return "%d.%d" % (self.secs, self.nsecs // 1000)
