# SPDX-License-Identifier: MIT
#
# event_analyzing_sample: samples of any event in a database, with the results of SQL queries:
# counts by program, symbol and library, and the latency of loads if the hardware reports it.
#
#   perf script record event_analyzing_sample -a sleep 10
#   perf script report event_analyzing_sample [database file]
#
# Without a file the database is in memory. With one it stays for queries of your own:
#   sqlite3 FILE "select symbol, count(*) from gen_events where comm = 'sh' group by symbol"

import os
import sqlite3
import sys

sys.path.append(os.path.join(os.environ.get("PERF_EXEC_PATH", "."),
                             "scripts/python/Perf-Trace-Util/lib/Perf/Trace"))
import EventClass
import Script

MAX_INTEGER = 0x7fffffffffffffff     # SQLite's limit


def trace_begin():
    print("In trace_begin:\n")
    database.execute("drop table if exists gen_events")
    database.execute("drop table if exists pebs_ll")
    database.execute("create table gen_events (name text, symbol text, comm text, dso text)")
    database.execute("create table pebs_ll (name text, symbol text, comm text, dso text,"
                     " flags integer, ip integer, status integer, dse integer, dla integer,"
                     " lat integer)")


def process_event(param):
    event = EventClass.create_event(param["ev_name"], param["comm"],
                                    param.get("dso", "Unknown_dso"),
                                    param.get("symbol", "Unknown_symbol"), param["raw_buf"])
    row = [event.name, event.symbol, event.comm, event.dso]
    if event.ev_type == EventClass.EVTYPE_GENERIC:
        database.execute("insert into gen_events values (?, ?, ?, ?)", row)
    elif event.ev_type == EventClass.EVTYPE_PEBS_LL:
        numbers = [event.flags, event.ip, event.status, event.dse, event.dla, event.lat]
        row += [number & MAX_INTEGER for number in numbers]
        database.execute("insert into pebs_ll values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", row)


def trace_unhandled(event_name, context, event_fields_dict):
    """Prints tracepoints as they come."""
    print(" ".join("%s=%s" % field for field in sorted(event_fields_dict.items())))


def bar(number):
    """Returns one # for each doubling."""
    return "#" * number.bit_length()


def print_histogram(table, column, width, order="count(*) desc, 1"):
    line = 26 + width if width < 40 else 74
    print("\n%*s %8s %16s\n%s" % (width, column_title(column), "number", "histogram", "=" * line))
    query = "select %s, count(*) from %s group by 1 order by %s" % (column, table, order)
    for value, number in database.execute(query):
        print("%*s %8d     %s" % (width, value, number, bar(number)))


def column_title(column):
    return "latency" if column == "lat" else column


def count_rows(table):
    (count,) = database.execute("select count(*) from " + table).fetchone()
    print("There is %d records in %s table" % (count, table))
    return count


def trace_end():
    print("In trace_end:\n")
    if count_rows("gen_events"):
        print("Statistics about the general events grouped by thread/symbol/dso: \n")
        print_histogram("gen_events", "comm", 16)
        print_histogram("gen_events", "symbol", 32)
        print_histogram("gen_events", "dso", 40)
    if count_rows("pebs_ll"):
        print("Statistics about the PEBS Load Latency events grouped by"
              " thread/symbol/dse/latency: \n")
        print_histogram("pebs_ll", "comm", 16)
        print_histogram("pebs_ll", "symbol", 32)
        print_histogram("pebs_ll", "dse", 32)
        print_histogram("pebs_ll", "lat", 32, order="1")
    database.commit()
    database.close()


words = Script.arguments("event_analyzing_sample [database file]", most=1)
try:
    database = sqlite3.connect(words[0] if words else ":memory:")
except sqlite3.Error as error:
    sys.exit("event_analyzing_sample: cannot open '%s': %s" % (words[0], error))
