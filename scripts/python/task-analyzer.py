# SPDX-License-Identifier: MIT
#
# task-analyzer: each run of a task: its start and end, its CPU, its length, and the time since the
# previous run; and a summary for each task.
#
#   perf script record task-analyzer -a sleep 10
#   perf script report task-analyzer [options]

import argparse
import os
import string
import sys
from decimal import Decimal

sys.path.append(os.path.join(os.environ.get("PERF_EXEC_PATH", "."),
                             "scripts/python/Perf-Trace-Util/lib/Perf/Trace"))
import Script

COLORS = {"grey": "\033[90m", "red": "\033[91m", "green": "\033[92m", "yellow": "\033[93m",
          "blue": "\033[94m", "violet": "\033[95m", "reset": "\033[0m"}
# Columns of the list: title, width
COLUMNS = [("Switched-In", 17), ("Switched-Out", 17), ("CPU", 3), ("PID", 8), ("TID", 8),
           ("Comm", 16), ("Runtime", 10), ("Time Out-In", 15), ("Time Out-Out", 15),
           ("Time In-In", 15), ("Time In-Out", 15)]


class Run:
    """A task on a CPU. Times are seconds: Decimal keeps nanoseconds that a float would lose."""

    def __init__(self, tid, comm, cpu, time_in):
        self.tid = tid
        self.comm = comm
        self.cpu = cpu
        self.pid = None
        self.time_in = time_in
        self.time_out = None

    def runtime(self):
        return (self.time_out - self.time_in) * unit

    def since(self, last):
        """Computes Out-In, Out-Out, In-In and In-Out: from the end or start of the last run of the
        task to the start or end of this one."""
        if last is None:
            return [-1, -1, -1, -1]
        start, end = self.time_in * unit, self.time_out * unit
        last_start, last_end = last.time_in * unit, last.time_out * unit
        return [start - last_end, end - last_end, start - last_start, end - last_start]


running = {}        # (tid, cpu): Run
last_runs = {}      # tid: its last Run
all_runs = {}       # tid: all runs, for the summary


@Script.on("sched:sched_switch")
def switched(event, sample):
    time = Decimal(Script.time_ns(event)) / Decimal(10**9)
    if not low <= time <= high:
        return
    ended = running.pop((event["prev_pid"], event["common_cpu"]), None)
    if ended:
        ended.time_out = time
        ended.pid = int(sample["sample"]["pid"])
        finished(ended)
    tid = event["next_pid"]
    if tid != 0:
        comm = "".join(c for c in event["next_comm"] if c in string.printable)
        running.setdefault((tid, event["common_cpu"]),
                           Run(tid, renames.get(tid, comm), event["common_cpu"], time))


def finished(run):
    if not options.summary_only and is_shown(run):
        print_run(run)
    last_runs[run.tid] = run
    if with_summary:
        all_runs.setdefault(run.tid, []).append(run)


def is_shown(run):
    if options.filter_tasks:
        return not {str(run.tid), run.comm} & set(options.filter_tasks.split(","))
    if options.limit_to_tasks:
        return bool({str(run.tid), run.comm} & set(options.limit_to_tasks.split(",")))
    return True


def cell(value, width, decimals=None):
    """Formats a cell: text to the right, numbers with this number of decimals; without padding in a
    CSV file.
    """
    width = 0 if is_csv else max(width, 0)
    if decimals is None:
        return "%*s" % (width, value)
    return "{:{}.{}f}".format(value, width, decimals)


def print_run(run):
    times = run.since(last_runs.get(run.tid))[:4 if options.extended_times else 1]
    color = color_of(highlights.get(str(run.tid)) or highlights.get(run.comm))
    grey = color_of("grey" if run.pid == run.tid else None)     # a process without threads
    cells = [cell(run.time_in, 17, at_decimals), cell(run.time_out, 17, at_decimals),
             cell(run.cpu, 3), cell(run.pid, 8), grey + cell(run.tid, 8) + reset(grey),
             color + cell(run.comm, 16), cell(run.runtime(), 10, decimals)]
    cells += [cell(time, 15, decimals) for time in times]
    run_file.write(color + separator.join(cells) + reset(color) + "\n")


def print_title():
    columns = COLUMNS if options.extended_times else COLUMNS[:8]
    run_file.write(separator.join(cell(*column) for column in columns) + "\n")


def color_of(name):
    return COLORS[name] if name and with_color else ""


def reset(color):
    return COLORS["reset"] if color else ""


# The summary: a table whose columns are as wide as their widest value. Times of one unit are stored
# with more digits than are printed; "cut" is the number of digits that the width leaves out.

def summary_row(tid, runs):
    times = [run.runtime() for run in runs]
    middle = sorted(times)[(len(times) - 1) // 2:len(times) // 2 + 1]
    row = [runs[-1].pid, tid, runs[-1].comm, len(runs), round(sum(times), 3),
           round(sum(times) / len(times), 3), round(sum(middle) / len(middle), 3),
           min(times), max(times), runs[times.index(max(times))].time_in]
    if options.summary_extended:
        longest, at = [-1, -1, -1, -1], -1
        for last, run in zip(runs, runs[1:]):
            since = run.since(last)
            if since[0] > longest[0]:
                at = run.time_in
            longest = [max(pair) for pair in zip(longest, since)]
        row += [longest[0], at] + longest[1:]
    return row


def summary_columns():
    """Returns (title, text that sets the least width, digits cut, decimals or None, is it grey)"""
    columns = [(title, title, 0, None, False) for title in ("PID", "TID", "Comm", "Runs")]
    columns += [(title, title, 0, decimals, False) for title in ("Accumulated", "Mean", "Median")]
    columns += [(title, title, at_decimals, decimals, False) for title in ("Min", "Max")]
    columns += [("Max At", "Max At", decimals, at_decimals, True)]
    if options.summary_extended:
        columns += [("Out-In", "Out-In", at_decimals, decimals, False),
                    ("Max At", "At", decimals, at_decimals, True)]
        columns += [(title, title, at_decimals, decimals, False)
                    for title in ("Out-Out", "In-In", "In-Out")]
    return columns


def print_summary():
    rows = [summary_row(tid, all_runs[tid]) for tid in sorted(all_runs)]
    columns = summary_columns()
    full = [max([len(column[1])] + [len(str(row[i])) for row in rows])
            for i, column in enumerate(columns)]
    widths = [max([width - column[2]] + [len(cell(row[i], 0, column[3])) for row in rows])
              for i, (width, column) in enumerate(zip(full, columns))]
    if not options.csv_summary:
        print("\nSummary")
        groups = [("Task Information", sum(full[:3])),
                  ("Runtime Information", sum(full[3:10]) - 2 * at_decimals),
                  ("Max Inter Task Times", sum(full[10:]) - 4 * at_decimals)]
        shown = groups if options.summary_extended else groups[:2]
        summary_file.write("".join(" {:^{}}".format(t, max(w, 0)) for t, w in shown) + "\n")
    grey = color_of("grey")
    titles = [cell(column[0], width) for column, width in zip(columns, widths)]
    summary_file.write(separator.join(grey + title + reset(grey) if column[4] else title
                                      for title, column in zip(titles, columns)) + "\n")
    for row in rows:
        cells = []
        for value, width, column in zip(row, widths, columns):
            text = cell(value, width, column[3])
            cells.append(grey + text + reset(grey) if column[4] else text)
        if grey and row[3] == 1:        # nothing to compare: the statistics are grey
            cells[5], cells[9] = grey + cells[5], cells[9] + reset(grey)
        summary_file.write(separator.join(cells) + "\n")


def trace_begin():
    if not options.summary_only:
        print_title()


def trace_end():
    if with_summary:
        print_summary()
    for file in (run_file, summary_file):
        if file is not Script.raw_stdout:
            file.close()


def parse_arguments():
    parser = argparse.ArgumentParser(prog=Script.name(), description="Analyze tasks behavior")
    flag, value = parser.add_argument, parser.add_argument
    value("--time-limit", default="", metavar="FROM:TO", help="only this span, in seconds; either "
          "end may be left out")
    flag("--summary", action="store_true", help="a summary of the tasks after the list")
    flag("--summary-only", action="store_true", help="the summary without the list")
    flag("--summary-extended", action="store_true",
         help="a summary with the longest times between two runs")
    flag("--ns", action="store_true", help="times in nanoseconds")
    flag("--ms", action="store_true", help="times in milliseconds")
    flag("--extended-times", action="store_true", help="all times between a run and the last one")
    value("--filter-tasks", metavar="TASKS", help="leave out: 1337,/sbin/init")
    value("--limit-to-tasks", metavar="TASKS", help="show only: 1337,/sbin/init")
    value("--highlight-tasks", default="", metavar="TASKS", help="colour them: 1:red,mutt:yellow; "
          "colours: red, grey, yellow, blue, violet, green")
    value("--rename-comms-by-tids", default="", metavar="NAMES", help="1337:my-python-app")
    value("--stdio-color", default="auto", choices=["always", "never", "auto"])
    value("--csv", default="", metavar="FILE", help="write the list to FILE")
    value("--csv-summary", default="", metavar="FILE", help="write the summary to FILE")
    return parser.parse_args()


def check_arguments():
    o = options
    if o.limit_to_tasks and o.filter_tasks:
        sys.exit("Error: Filter and Limit at the same time active.")
    if o.extended_times and o.summary_only:
        sys.exit("Error: Summary only and extended times active.")
    if o.time_limit and ":" not in o.time_limit:
        sys.exit("Error: No bound set for time limit. Please set bound by ':' e.g :123.")
    if o.time_limit and (o.summary or o.summary_only or o.summary_extended):
        sys.exit("Error: Cannot set time limit and print summary")
    if o.csv_summary and o.csv == o.csv_summary:
        sys.exit("Error: Chosen files for csv and csv summary are the same")
    if o.csv and (o.summary_extended or o.summary) and not o.csv_summary:
        sys.exit("Error: No file chosen to write summary to. Choose with --csv-summary <file>")
    if o.csv and o.summary_only:
        sys.exit("Error: --csv and --summary-only: nothing would be written to the csv file.")


def open_csv(name, what):
    if not name:
        return Script.raw_stdout    # names are clean, and colours are intended
    print("generating %s at %s" % (what, name))
    try:
        return open(name, "w")
    except OSError as error:
        sys.exit("Error: cannot write '%s': %s" % (name, error.strerror))


def number(text, missing):
    try:
        return Decimal(text) if text else missing
    except ArithmeticError:
        sys.exit("Error: '%s' is not a time in seconds" % text)


def pairs(text, missing):
    """Returns {"a": "b"} for "a:b"."""
    words = [word.split(":", 1) for word in text.split(",") if word]
    return {word[0]: word[1] if len(word) > 1 else missing for word in words}


options = parse_arguments()
check_arguments()
if options.csv_summary and not options.csv:
    options.summary_only = True
with_summary = (options.summary or options.summary_only or options.summary_extended
                or bool(options.csv_summary))
low, high = [number(text, missing) for text, missing in
             zip((options.time_limit or ":").split(":", 1), (Decimal(0), Decimal("Infinity")))]
renames = {int(tid): name for tid, name in pairs(options.rename_comms_by_tids, "").items()
           if tid.isdigit() and name}
highlights = {task: color.lower() for task, color in pairs(options.highlight_tasks, "red").items()}
if set(highlights.values()) - set(COLORS):
    sys.exit("Error: Color not defined, please choose from grey,red,green,yellow,blue,violet")
unit = Decimal(10**9 if options.ns else 10**3 if options.ms else 10**6)
decimals, at_decimals = (0, 9) if options.ns else (3, 6)
is_csv = bool(options.csv or options.csv_summary)
separator = ";" if is_csv else " "
run_file = open_csv(options.csv, "csv")
summary_file = open_csv(options.csv_summary, "csv summary")
with_color = not is_csv and (options.stdio_color == "always" or
                             (options.stdio_color == "auto" and sys.stdout.isatty()))
trace_unhandled = Script.dispatch_sample
