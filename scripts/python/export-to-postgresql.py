# SPDX-License-Identifier: MIT
#
# export-to-postgresql: a recording as a PostgreSQL database.
#
#   perf script record export-to-postgresql PROGRAM
#   perf script report export-to-postgresql NAME [columns] [calls] [callchains]
#
#   columns     'all', or 'branches': without columns that a trace of branches does not fill
#   calls       also tables of calls and of call paths (needs a trace of branches)
#   callchains  also a table of call paths, from the stacks of samples
#
# The tables are first written as text files for PostgreSQL's COPY into the folder NAME-perf-data,
# with a load.sql that reads them. createdb and psql then make the database; where they are missing
# the folder stays, and can be loaded on another machine:
#
#   createdb NAME && cd NAME-perf-data && psql -d NAME -f load.sql

import os
import shutil
import subprocess
import sys

sys.path.append(os.path.join(os.environ.get("PERF_EXEC_PATH", "."),
                             "scripts/python/Perf-Trace-Util/lib/Perf/Trace"))
import Export
import Script

USAGE = ("Usage is: export-to-postgresql.py <database name> [<columns>] [<calls>] [<callchains>]\n"
         "where:  columns            'all' or 'branches'\n"
         "        calls              'calls' => create calls and call_paths table\n"
         "        callchains         'callchains' => create call_paths table")
# COPY's text format: tabs between columns, and these are escaped. PostgreSQL has no NUL in texts.
ESCAPES = str.maketrans({"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r", "\0": None})

words = Script.arguments("export-to-postgresql <database name> [columns] [calls] [callchains]", most=4)
if (not words or words[1:2] not in ([], ["all"], ["branches"])
        or set(words[2:]) - {"calls", "callchains"}):
    sys.exit(USAGE)

# perf reads these three.
perf_db_export_mode = True
perf_db_export_calls = "calls" in words[2:]
perf_db_export_callchains = "callchains" in words[2:]

folder = words[0] + "-perf-data"
files = {}          # table: its file
unhandled = [0]


def insert(table, row):
    files[table].write("\t".join(str(value).translate(ESCAPES) for value in row) + "\n")


def trace_begin():
    Export.progress("Writing to intermediate files...")
    exporter.add_unknown()


def statements():
    empty = exporter.empty()
    yield "BEGIN"
    yield from schema.create()
    for table in schema.columns:
        yield "\\copy %s FROM '%s.copy'" % (table, table)
    for table in empty:
        yield "DROP TABLE %s" % table
    for table in schema.columns:
        if table not in empty:
            yield "ALTER TABLE %s ADD PRIMARY KEY (id)" % table
    if perf_db_export_calls:
        yield "CREATE INDEX pcpid_idx ON calls (parent_call_path_id)"
        yield "CREATE INDEX pid_idx ON calls (parent_id)"
        yield "ALTER TABLE comms ADD has_calls boolean"
        yield "UPDATE comms SET has_calls = TRUE WHERE id IN (SELECT DISTINCT comm_id FROM calls)"
    yield from schema.create_views("to_hex(%s)", empty)
    yield "COMMIT"


def load():
    """Loads the tables; returns True if the database was made."""
    if not shutil.which("psql") or not shutil.which("createdb"):
        print("psql or createdb is missing (package postgresql-client). To make the database:")
        return False
    Export.progress("Creating database...")
    return (subprocess.call(["createdb", words[0]]) == 0 and
            subprocess.call(["psql", "-q", "-v", "ON_ERROR_STOP=1", "-d", words[0],
                             "-f", "load.sql"], cwd=folder) == 0)


def trace_end():
    for file in files.values():
        file.close()
    with open(os.path.join(folder, "load.sql"), "w") as script:
        for statement in statements():
            # A command of psql is a line, one of SQL ends with a semicolon.
            script.write(statement + ("\n" if statement.startswith("\\") else ";\n"))
    if unhandled[0]:
        Export.progress("Warning: %d unhandled events" % unhandled[0])
    if load():
        shutil.rmtree(folder)
        Export.progress("Done")
    else:
        print("  createdb %s && cd %s && psql -d %s -f load.sql" % (words[0], folder, words[0]))


def trace_unhandled(event_name, context, event_fields_dict):
    unhandled[0] += 1


schema = Export.Schema((words + ["all"])[1], perf_db_export_calls, perf_db_export_callchains)
exporter = Export.Exporter(schema, insert)
globals().update(exporter.callbacks())
try:
    os.mkdir(folder)
    for name in schema.columns:
        files[name] = open(os.path.join(folder, name + ".copy"), "w", encoding="utf-8",
                           errors="backslashreplace")
except OSError as error:
    sys.exit("export-to-postgresql: cannot create '%s': %s" % (folder, error.strerror))
