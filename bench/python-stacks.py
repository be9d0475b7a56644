# SPDX-License-Identifier: MIT
"""Counts the functions on all stacks."""
counts = {}


def process_event(param_dict):
    for entry in param_dict["callchain"]:
        if "sym" in entry:
            name = entry["sym"]["name"]
            counts[name] = counts.get(name, 0) + 1


def trace_end():
    print(len(counts))
