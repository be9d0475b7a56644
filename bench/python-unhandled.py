# SPDX-License-Identifier: MIT
"""Counts events whose fields come as a dictionary."""
counts = {}


def trace_unhandled(event_name, context, event_fields_dict):
    counts[event_name] = counts.get(event_name, 0) + 1


def trace_end():
    print(counts)
