# SPDX-License-Identifier: MIT
#
# stackcollapse: one line for each different call stack, for scripts and flame graph tools:
#
#   sh;main;evaltree;evalcommand 17
#
#   perf script record stackcollapse -a -g sleep 10
#   perf script report stackcollapse [options] > stacks.folded

import argparse
import os
import sys

sys.path.append(os.path.join(os.environ.get("PERF_EXEC_PATH", "."),
                             "scripts/python/Perf-Trace-Util/lib/Perf/Trace"))
import Script

stacks = {}         # line: number of samples


def tidy_java(symbol):
    """Returns org/mozilla/MemberBox:.init for
    Lorg/mozilla/MemberBox;.<init>(Ljava/lang/Object;)V"""
    symbol = symbol.replace("<", "").replace(">", "")
    if symbol.startswith("L") and "/" in symbol:
        symbol = symbol[1:]
    return symbol.split("(", 1)[0]


def frame(symbol, dso):
    text = (symbol or "[unknown]").replace(";", ":")
    if options.tidy_java:
        text = tidy_java(text)
    if options.kernel and dso == "[kernel.kallsyms]":
        text += "_[k]"
    return text


def root(param):
    """Returns the first frame: the program, and the other requested parts."""
    text = param["comm"].replace(" ", "_")
    ids = []
    if options.include_pid:
        ids.append(str(param["sample"]["pid"]))
    if options.include_tid:
        ids.append(str(param["sample"]["tid"]))
    return text + ("-" + "/".join(ids) if ids else "")


def process_event(param):
    # The innermost frame comes first.
    if "callchain" in param:
        stack = [frame(entry.get("sym", {}).get("name"), entry.get("dso"))
                 for entry in param["callchain"]]
    else:
        stack = [frame(param.get("symbol"), param.get("dso"))]
    if options.comm:
        stack.append(root(param))
    line = ";".join(reversed(stack))
    stacks[line] = stacks.get(line, 0) + 1


def trace_unhandled(event_name, context, event_fields_dict, param):
    """Tracepoints have stacks like any other event."""
    process_event(param)


def trace_end():
    for line in sorted(stacks):
        print("%s %d" % (line, stacks[line]))


parser = argparse.ArgumentParser(prog=Script.name(), allow_abbrev=False)
parser.add_argument("--include-tid", action="store_true", help="include thread id in stack")
parser.add_argument("--include-pid", action="store_true", help="include process id in stack")
parser.add_argument("--no-comm", dest="comm", action="store_false",
                    help="do not separate stacks according to comm")
parser.add_argument("--tidy-java", action="store_true", help="beautify Java signatures")
parser.add_argument("--kernel", action="store_true",
                    help="annotate kernel functions with _[k]")
options = parser.parse_args()
if not options.comm and (options.include_tid or options.include_pid):
    parser.error("--include-tid and --include-pid cannot be used with --no-comm")
