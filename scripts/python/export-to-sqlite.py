# SPDX-License-Identifier: MIT
#
# export-to-sqlite: a recording as a SQLite database.
#
#   perf script record export-to-sqlite PROGRAM
#   perf script report export-to-sqlite FILE [columns] [calls] [callchains]
#
#   columns     'all', or 'branches': without columns that a trace of branches does not fill
#   calls       also tables of calls and of call paths (needs a trace of branches)
#   callchains  also a table of call paths, from the stacks of samples
#
#   sqlite3 FILE 'select symbol, count(*) from samples_view group by symbol order by 2 desc'

import os
import sqlite3
import sys

sys.path.append(os.path.join(os.environ.get("PERF_EXEC_PATH", "."),
                             "scripts/python/Perf-Trace-Util/lib/Perf/Trace"))
import Export
import Script

USAGE = ("Usage is: export-to-sqlite.py <database name> [<columns>] [<calls>] [<callchains>]\n"
         "where:  columns            'all' or 'branches'\n"
         "        calls              'calls' => create calls and call_paths table\n"
         "        callchains         'callchains' => create call_paths table")
ROWS_AT_ONCE = 10000

words = Script.arguments("export-to-sqlite <database name> [columns] [calls] [callchains]", most=4)
if (not words or words[1:2] not in ([], ["all"], ["branches"])
        or set(words[2:]) - {"calls", "callchains"}):
    sys.exit(USAGE)
if os.path.exists(words[0]):
    sys.exit("export-to-sqlite: %s already exists" % words[0])

# perf reads these three.
perf_db_export_mode = True
perf_db_export_calls = "calls" in words[2:]
perf_db_export_callchains = "callchains" in words[2:]

unhandled = [0]
waiting = {}        # table: rows that are not written yet


def insert(table, row):
    rows = waiting.setdefault(table, [])
    rows.append(row)
    if len(rows) >= ROWS_AT_ONCE:
        flush(table)


def flush(table):
    rows = waiting.pop(table)
    database.executemany("INSERT INTO %s VALUES (%s)" % (table, ", ".join("?" * len(rows[0]))),
                         rows)


def trace_begin():
    Export.progress("Writing records...")
    exporter.add_unknown()


def trace_end():
    for table in list(waiting):
        flush(table)
    if perf_db_export_calls:
        Export.progress("Adding indexes")
        database.execute("CREATE INDEX pcpid_idx ON calls (parent_call_path_id)")
        database.execute("CREATE INDEX pid_idx ON calls (parent_id)")
        database.execute("ALTER TABLE comms ADD has_calls boolean")
        database.execute("UPDATE comms SET has_calls = 1"
                         " WHERE id IN (SELECT DISTINCT comm_id FROM calls)")
    Export.progress("Dropping unused tables")
    empty = exporter.empty()
    for table in empty:
        database.execute("DROP TABLE " + table)
    for statement in schema.create_views("printf('%%x', %s)", empty):
        database.execute(statement)
    database.commit()
    database.close()
    if unhandled[0]:
        Export.progress("Warning: %d unhandled events" % unhandled[0])
    Export.progress("Done")


def trace_unhandled(event_name, context, event_fields_dict):
    unhandled[0] += 1


Export.progress("Creating database ...")
schema = Export.Schema((words + ["all"])[1], perf_db_export_calls, perf_db_export_callchains)
exporter = Export.Exporter(schema, insert)
globals().update(exporter.callbacks())
try:
    database = sqlite3.connect(words[0])
    database.execute("PRAGMA journal_mode = OFF")
    for statement in schema.create():
        database.execute(statement.replace("(id bigint", "(id integer PRIMARY KEY"))
except sqlite3.Error as error:
    sys.exit("export-to-sqlite: cannot create '%s': %s" % (words[0], error))
