#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares the results of perf sched with the known behaviour of sched-chains-load.c, in the files of the current
directory.
"""
import json
import sys

MS, ROUNDS = 10**6, 10
DOINGS = "running_ns", "waiting_for_cpu_ns", "sleeping_ns", "unseen_ns"
failed = False


def check(what, got, low, high):
    global failed
    if not low <= got <= high:
        print(f"FAILED: {what}: {got / MS} ms, not {low / MS} to {high / MS}")
        failed = True


def exact(node):
    """Checks that the time of each node is that of its parts, to the nanosecond."""
    parts = sum(node[d] for d in DOINGS) + sum(c["ns"] for c in node["woken_by"])
    check(f"parts of {node['task']}", parts, node["ns"], node["ns"])
    for child in node["woken_by"]:
        exact(child)


def woken_by(node, name):
    for child in node["woken_by"]:
        if child["task"] and child["task"]["name"] == name:
            return child
    sys.exit(f"FAILED: {node['task']} was not woken by {name}: {json.dumps(node, indent=1)[:3000]}")


# Some machines report few of the events on an idle CPU to perf, and hide tasks of their own: then most of the chain is
# not seen. The visible part must be right.
chains = json.load(open("chains.json"))["tasks"]
c = chains[0]["tree"]
exact(c)
path = chains[0]["path"]
check("the path", sum(s["to_ns"] - s["from_ns"] for s in path), c["ns"], c["ns"])
for one, two in zip(path, path[1:]):
    check("steps without gaps", two["from_ns"] - one["to_ns"], 0, 0)
check("chain-c computes", c["running_ns"], MS, ROUNDS * 12 * MS)
b = woken_by(c, "chain-b")
check("chain-b computes", b["running_ns"], MS, ROUNDS * 25 * MS)
a = woken_by(b, "chain-a")
check("chain-a computes", a["running_ns"], MS, ROUNDS * 32 * MS)
# Timers wake it. A task that is hidden at that moment is unknown.
slept = sum(w["ns"] for w in a["woken_by"] if not w["task"] or not w["task"]["name"].startswith("chain"))
check("chain-a sleeps", slept, MS, ROUNDS * 200 * MS)

times = {t["name"]: t for t in json.load(open("times.json"))["tasks"]}
check("the longest sleep of chain-a that is seen whole", times["chain-a"]["sleep"]["max"], 1 * MS, ROUNDS * 200 * MS)
check("all that chain-b computes", times["chain-b"]["run"]["sum_ns"], MS, ROUNDS * 25 * MS)

queue = json.load(open("queue.json"))
whole = queue["end_ns"] - queue["begin_ns"]
check("lengths have all the time", sum(queue["all"]["ns_at_length"]), whole, whole)
# The four times that are computed are at least this part of the time in which one task is runnable.
check("mean length", int(queue["all"]["mean"] * whole), ROUNDS * 4 * MS, 1 << 62)
sys.exit(failed)
