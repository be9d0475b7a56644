# SPDX-License-Identifier: MIT
#
# Export: the tables of a recording in a database, for export-to-sqlite and export-to-postgresql.
#
# If perf_db_export_mode is set, perf calls NAME_table(row ...) of the script with each new event,
# thread, symbol and sample, and a row refers to others by their id. Id 0 means unknown.

import datetime
import re
import struct

# Columns are big integers unless a type follows them.
TABLES = {
    "selected_events": "id, name text",
    "machines": "id, pid, root_dir text",
    "threads": "id, machine_id, process_id, pid, tid",
    "comms": "id, comm text, c_thread_id, c_time, exec_flag",
    "comm_threads": "id, comm_id, thread_id",
    "dsos": "id, machine_id, short_name text, long_name text, build_id text",
    "symbols": "id, dso_id, sym_start, sym_end, binding, name text",
    "branch_types": "id, name text",
    "samples": "id, evsel_id, machine_id, thread_id, comm_id, dso_id, symbol_id, sym_offset, ip,"
               " time, cpu, to_dso_id, to_symbol_id, to_sym_offset, to_ip, period, weight,"
               " transaction_, data_src, branch_type, in_tx, call_path_id, insn_count, cyc_count,"
               " flags",
    "call_paths": "id, parent_id, symbol_id, ip",
    "calls": "id, thread_id, comm_id, call_path_id, call_time, return_time, branch_count, call_id,"
             " return_id, parent_call_path_id, flags, parent_id, insn_count, cyc_count",
    "ptwrite": "id, payload, exact_ip",
    "cbr": "id, cbr, mhz, percent",
    "mwait": "id, hints, extensions",
    "pwre": "id, cstate, subcstate, hw",
    "exstop": "id, exact_ip",
    "pwrx": "id, deepest_cstate, last_cstate, wake_reason",
    "context_switches": "id, machine_id, time, cpu, thread_out_id, comm_out_id, thread_in_id,"
                        " comm_in_id, flags",
}
NOT_FOR_BRANCHES = ("period", "weight", "transaction_", "data_src")
OPTIONAL = ("ptwrite", "cbr", "mwait", "pwre", "exstop", "pwrx", "context_switches")

IPC = ("CASE WHEN cyc_count = 0 THEN 0.0 ELSE"
       " ROUND(CAST(insn_count AS DECIMAL) / cyc_count, 2) END AS \"IPC\"")
# Views for readers: names instead of ids. HEX(x) stands for the database's own function.
VIEWS = {
    "machines": "SELECT id, pid, root_dir, CASE WHEN id = 0 THEN 'unknown' WHEN pid = -1 THEN"
                " 'host' ELSE 'guest' END AS host_or_guest FROM machines",
    "dsos": "SELECT d.id, machine_id, host_or_guest, short_name, long_name, build_id FROM dsos d"
            " LEFT JOIN machines_view m ON m.id = machine_id",
    "symbols": "SELECT s.id, name, short_name AS dso, dso_id, sym_start, sym_end, CASE binding"
               " WHEN 0 THEN 'local' WHEN 1 THEN 'global' ELSE 'weak' END AS binding"
               " FROM symbols s LEFT JOIN dsos d ON d.id = dso_id",
    "threads": "SELECT t.id, machine_id, host_or_guest, process_id, t.pid, tid FROM threads t"
               " LEFT JOIN machines_view m ON m.id = machine_id",
    "comm_threads": "SELECT comm_id, comm AS command, thread_id, pid, tid FROM comm_threads c"
                    " LEFT JOIN comms ON comms.id = comm_id"
                    " LEFT JOIN threads t ON t.id = thread_id",
    "call_paths": "SELECT c.id, HEX(c.ip) AS ip, c.symbol_id, cs.name AS symbol, cs.dso_id,"
                  " cs.dso AS dso_short_name, c.parent_id, HEX(p.ip) AS parent_ip,"
                  " p.symbol_id AS parent_symbol_id, ps.name AS parent_symbol,"
                  " ps.dso_id AS parent_dso_id, ps.dso AS parent_dso_short_name FROM call_paths c"
                  " JOIN call_paths p ON p.id = c.parent_id"
                  " LEFT JOIN symbols_view cs ON cs.id = c.symbol_id"
                  " LEFT JOIN symbols_view ps ON ps.id = p.symbol_id",
    "calls": "SELECT c.id, c.thread_id, t.pid, t.tid, comm AS command, call_path_id, HEX(p.ip) AS"
             " ip, p.symbol_id, s.name AS symbol, call_time, return_time,"
             " return_time - call_time AS elapsed_time, branch_count, insn_count, cyc_count, "
             + IPC + ", call_id, return_id, CASE c.flags WHEN 0 THEN '' WHEN 1 THEN 'no call'"
             " WHEN 2 THEN 'no return' WHEN 3 THEN 'no call/return' WHEN 6 THEN 'jump'"
             " ELSE CAST(c.flags AS TEXT) END AS flags, parent_call_path_id, c.parent_id"
             " FROM calls c JOIN call_paths p ON p.id = call_path_id"
             " LEFT JOIN threads t ON t.id = c.thread_id LEFT JOIN comms ON comms.id = c.comm_id"
             " LEFT JOIN symbols s ON s.id = p.symbol_id",
    "samples": "SELECT s.id, time, cpu, t.pid, t.tid, comm AS command, e.name AS event, HEX(s.ip)"
               " AS ip_hex, f.name AS symbol, sym_offset, d.short_name AS dso_short_name,"
               " HEX(to_ip) AS to_ip_hex, tf.name AS to_symbol, to_sym_offset,"
               " td.short_name AS to_dso_short_name, b.name AS branch_type_name, in_tx,"
               " insn_count, cyc_count, " + IPC + ", flags FROM samples s"
               " LEFT JOIN threads t ON t.id = s.thread_id LEFT JOIN comms ON comms.id = comm_id"
               " LEFT JOIN selected_events e ON e.id = evsel_id"
               " LEFT JOIN symbols f ON f.id = symbol_id LEFT JOIN dsos d ON d.id = s.dso_id"
               " LEFT JOIN symbols tf ON tf.id = to_symbol_id"
               " LEFT JOIN dsos td ON td.id = to_dso_id"
               " LEFT JOIN branch_types b ON b.id = branch_type",
    "context_switches": "SELECT c.id, c.machine_id, c.time, c.cpu, o.pid AS pid_out,"
                        " o.tid AS tid_out, oc.comm AS comm_out, i.pid AS pid_in, i.tid AS tid_in,"
                        " ic.comm AS comm_in, CASE c.flags WHEN 0 THEN 'in' WHEN 1 THEN 'out'"
                        " WHEN 3 THEN 'out preempt' ELSE CAST(c.flags AS TEXT) END AS flags"
                        " FROM context_switches c JOIN threads o ON o.id = thread_out_id"
                        " JOIN threads i ON i.id = thread_in_id"
                        " JOIN comms oc ON oc.id = comm_out_id JOIN comms ic ON ic.id = comm_in_id",
}
# Intel PT's own events: their columns beside time and CPU
for _name in ("ptwrite", "cbr", "mwait", "pwre", "exstop", "pwrx"):
    _columns = ", ".join("%s.%s" % (_name, column) for column in TABLES[_name].split(", ")[1:])
    VIEWS[_name] = ("SELECT samples.id, time, cpu, %s FROM %s JOIN samples ON samples.id = %s.id"
                    % (_columns, _name, _name))


def progress(text):
    print(datetime.datetime.today(), text, flush=True)


class Schema:
    """The tables to export, for the words of the command line."""

    def __init__(self, columns, calls, callchains):
        self.columns = {name: [column.split() for column in text.split(", ")]
                        for name, text in TABLES.items()}
        if columns == "branches":
            self.columns["samples"] = [column for column in self.columns["samples"]
                                       if column[0] not in NOT_FOR_BRANCHES]
        if not calls:
            del self.columns["calls"]
        if not calls and not callchains:
            del self.columns["call_paths"]
        self.branches = columns == "branches"

    def create(self, integer="bigint"):
        """Returns the statements that create the tables."""
        for name, columns in self.columns.items():
            types = ["%s %s" % (c[0], c[1] if len(c) > 1 else integer) for c in columns]
            yield "CREATE TABLE %s (%s)" % (name, ", ".join(types))

    def create_views(self, hexadecimal, without=()):
        """Returns the statements that create the views, except for tables without rows. hexadecimal
        is the database's way to print a number, as in "to_hex(%s)"."""
        for name, query in VIEWS.items():
            if name in self.columns and name not in without:
                query = re.sub(r"HEX\((.*?)\)", lambda m: hexadecimal % m.group(1), query)
                yield "CREATE VIEW %s_view AS %s" % (name, query)


class Exporter:
    """Takes the rows from perf and passes them to insert(table, row), with the table's number of
    columns."""

    def __init__(self, schema, insert):
        self.schema = schema
        self.insert = insert
        self.rows = dict.fromkeys(schema.columns, 0)

    def add(self, table, row):
        columns = self.schema.columns.get(table)
        if columns is None:
            return
        row = list(row)
        if table == "samples" and self.schema.branches:
            row = row[:15] + row[19:]
        row = (row + [0] * len(columns))[:len(columns)]
        self.insert(table, [value if len(column) > 1 else signed(value)
                            for value, column in zip(row, columns)])
        self.rows[table] += 1

    def add_unknown(self):
        """Adds the rows with id 0."""
        self.add("selected_events", (0, "unknown"))
        self.add("machines", (0, 0, "unknown"))
        self.add("threads", (0, 0, 0, -1, -1))
        self.add("comms", (0, "unknown", 0, 0, 0))
        self.add("dsos", (0, 0, "unknown", "unknown", ""))
        self.add("symbols", (0, 0, 0, 0, 0, "unknown"))
        for table in ("samples", "call_paths", "calls"):
            self.add(table, (0,))

    def empty(self):
        return [name for name in OPTIONAL if not self.rows[name]]

    def callbacks(self):
        """Returns the functions that perf calls, by name."""
        tables = {"evsel": "selected_events", "machine": "machines", "thread": "threads",
                  "comm": "comms", "comm_thread": "comm_threads", "dso": "dsos",
                  "symbol": "symbols", "branch_type": "branch_types", "sample": "samples",
                  "call_path": "call_paths", "call_return": "calls",
                  "context_switch": "context_switches"}
        functions = {name + "_table": lambda *row, table=table: self.add(table, row)
                     for name, table in tables.items()}
        functions["synth_data"] = self.add_synthetic
        return functions

    def add_synthetic(self, id, config, raw, *more):
        """Adds events of Intel PT: flags, then a payload."""
        if config == 5:
            ratio, _, most, _, khz, _ = struct.unpack_from("<BBBBII", raw)
            percent = (ratio * 1000 // most + 5) // 10 if most else 0
            self.add("cbr", (id, ratio, (khz + 500) // 1000, percent))
            return
        flags, payload = struct.unpack_from("<IQ", bytes(raw) + bytes(8))
        if config == 0:
            self.add("ptwrite", (id, payload, flags & 1))
        elif config == 1:
            self.add("mwait", (id, payload & 0xff, payload >> 32 & 3))
        elif config == 2:
            self.add("pwre", (id, payload >> 12 & 0xf, payload >> 8 & 0xf, payload >> 7 & 1))
        elif config == 3:
            self.add("exstop", (id, flags & 1))
        elif config == 4:
            self.add("pwrx", (id, payload & 0xf, payload >> 4 & 0xf, payload >> 8 & 0xf))


def signed(value):
    """Databases have 64-bit integers with a sign: kernel addresses become negative."""
    value = int(value)
    return value - (1 << 64) if value >= 1 << 63 else value
