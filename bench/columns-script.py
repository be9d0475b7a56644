# SPDX-License-Identifier: MIT
# The usual way to get columns in programs for Linux's perf: a list for each field, filled by a
# callback.
columns = {}


def process_event(event):
    sample = event["sample"]
    for name, value in (("time", sample["time"]), ("cpu", sample["cpu"]), ("pid", sample["pid"]),
                        ("tid", sample["tid"]), ("period", sample["period"]), ("ip", sample["ip"]),
                        ("comm", event["comm"]), ("event", event["ev_name"]),
                        ("symbol", event.get("symbol")), ("dso", event.get("dso"))):
        columns.setdefault(name, []).append(value)


def trace_unhandled(name, context, fields, event):  # perf calls this for tracepoints
    process_event(dict(event, ev_name=name))
