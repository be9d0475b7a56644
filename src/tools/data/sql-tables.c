/* SPDX-License-Identifier: MIT */
#include "tools/data/sql-tables.h"

#include <stdbool.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/text.h"

/* The tables. Columns are integers of 64 bits, unless "text" follows. */
static const struct {
	const char *name, *columns;
} tables[EXPORT_TABLES] = {
	[EXPORT_EVSEL] = { "selected_events", "id,name text" },
	[EXPORT_MACHINE] = { "machines", "id,pid,root_dir text" },
	[EXPORT_THREAD] = { "threads", "id,machine_id,process_id,pid,tid" },
	[EXPORT_COMM] = { "comms", "id,comm text,c_thread_id,c_time,exec_flag" },
	[EXPORT_COMM_THREAD] = { "comm_threads", "id,comm_id,thread_id" },
	[EXPORT_DSO] = { "dsos", "id,machine_id,short_name text,long_name text,build_id text" },
	[EXPORT_SYMBOL] = { "symbols", "id,dso_id,sym_start,sym_end,binding,name text" },
	[EXPORT_BRANCH_TYPE] = { "branch_types", "id,name text" },
	[EXPORT_CALL_PATH] = { "call_paths", "id,parent_id,symbol_id,ip" },
	[EXPORT_SAMPLE] = { "samples",
			    "id,evsel_id,machine_id,thread_id,comm_id,dso_id,symbol_id,sym_offset,"
			    "ip,time,cpu,to_dso_id,to_symbol_id,to_sym_offset,to_ip,period,weight,"
			    "transaction_,data_src,branch_type,in_tx,call_path_id,insn_count,"
			    "cyc_count,flags" },
	[EXPORT_CONTEXT_SWITCH] = { "context_switches",
				    "id,machine_id,time,cpu,thread_out_id,comm_out_id,"
				    "thread_in_id,comm_in_id,flags" },
};

#define IPC                                                                                        \
	"CASE WHEN cyc_count = 0 THEN 0.0 ELSE"                                                    \
	" ROUND(CAST(insn_count AS DECIMAL) / cyc_count, 2) END AS \"IPC\""

/* The views, which have names instead of ids. HEX(x) stands for the database's own function. */
static const struct {
	const char *name, *query;
} views[] = {
	{ "machines", "SELECT id, pid, root_dir, CASE WHEN id = 0 THEN 'unknown' WHEN pid = -1 THEN"
		      " 'host' ELSE 'guest' END AS host_or_guest FROM machines" },
	{ "dsos", "SELECT d.id, machine_id, host_or_guest, short_name, long_name, build_id"
		  " FROM dsos d LEFT JOIN machines_view m ON m.id = machine_id" },
	{ "symbols", "SELECT s.id, name, short_name AS dso, dso_id, sym_start, sym_end,"
		     " CASE binding WHEN 0 THEN 'local' WHEN 1 THEN 'global' ELSE 'weak' END"
		     " AS binding FROM symbols s LEFT JOIN dsos d ON d.id = dso_id" },
	{ "threads", "SELECT t.id, machine_id, host_or_guest, process_id, t.pid, tid"
		     " FROM threads t LEFT JOIN machines_view m ON m.id = machine_id" },
	{ "comm_threads", "SELECT comm_id, comm AS command, thread_id, pid, tid"
			  " FROM comm_threads c LEFT JOIN comms ON comms.id = comm_id"
			  " LEFT JOIN threads t ON t.id = thread_id" },
	{ "call_paths",
	  "SELECT c.id, HEX(c.ip) AS ip, c.symbol_id, cs.name AS symbol, cs.dso_id,"
	  " cs.dso AS dso_short_name, c.parent_id, HEX(p.ip) AS parent_ip,"
	  " p.symbol_id AS parent_symbol_id, ps.name AS parent_symbol, ps.dso_id AS parent_dso_id,"
	  " ps.dso AS parent_dso_short_name FROM call_paths c"
	  " LEFT JOIN call_paths p ON p.id = c.parent_id"
	  " LEFT JOIN symbols_view cs ON cs.id = c.symbol_id"
	  " LEFT JOIN symbols_view ps ON ps.id = p.symbol_id" },
	{ "samples",
	  "SELECT s.id, time, cpu, t.pid, t.tid, comm AS command, e.name AS event, HEX(s.ip)"
	  " AS ip_hex, f.name AS symbol, sym_offset, d.short_name AS dso_short_name,"
	  " HEX(to_ip) AS to_ip_hex, tf.name AS to_symbol, to_sym_offset,"
	  " td.short_name AS to_dso_short_name, b.name AS branch_type_name, in_tx, insn_count,"
	  " cyc_count, " IPC ", flags, period, call_path_id FROM samples s"
	  " LEFT JOIN threads t ON t.id = s.thread_id LEFT JOIN comms ON comms.id = comm_id"
	  " LEFT JOIN selected_events e ON e.id = evsel_id"
	  " LEFT JOIN symbols f ON f.id = symbol_id LEFT JOIN dsos d ON d.id = s.dso_id"
	  " LEFT JOIN symbols tf ON tf.id = to_symbol_id LEFT JOIN dsos td ON td.id = to_dso_id"
	  " LEFT JOIN branch_types b ON b.id = branch_type" },
	{ "context_switches",
	  "SELECT c.id, c.machine_id, c.time, c.cpu, o.pid AS pid_out, o.tid AS tid_out,"
	  " oc.comm AS comm_out, i.pid AS pid_in, i.tid AS tid_in, ic.comm AS comm_in,"
	  " CASE c.flags WHEN 0 THEN 'in' WHEN 1 THEN 'out' WHEN 3 THEN 'out preempt'"
	  " ELSE CAST(c.flags AS TEXT) END AS flags FROM context_switches c"
	  " JOIN threads o ON o.id = thread_out_id JOIN threads i ON i.id = thread_in_id"
	  " JOIN comms oc ON oc.id = comm_out_id JOIN comms ic ON ic.id = comm_in_id" },
};

const char *sql_table_name(enum export_table t)
{
	return tables[t].name;
}

size_t sql_table_columns(enum export_table t)
{
	size_t n = 1;

	for (const char *s = tables[t].columns; (s = strchr(s, ',')); s++)
		n++;
	return n;
}

bool sql_table_has_texts(enum export_table t)
{
	return strstr(tables[t].columns, " text");
}

void sql_add_table(struct text *out, enum export_table t, enum sql_dialect d)
{
	text_addf(out, "CREATE TABLE %s (", tables[t].name);
	for (const char *s = tables[t].columns; *s;) {
		size_t n = strcspn(s, ",");
		bool is_text = n > 5 && !strncmp(s + n - 5, " text", 5);
		bool is_id = n == 2 && !strncmp(s, "id", 2);

		text_add_bytes(out, s, n);
		if (is_id)
			text_add(out,
				 d == SQL_SQLITE ? " integer PRIMARY KEY" : " bigint PRIMARY KEY");
		else if (!is_text)
			text_add(out, " bigint");
		s += n;
		if (*s) {
			text_add(out, ", ");
			s++;
		}
	}
	text_add_char(out, ')');
}

void sql_add_view(struct text *out, size_t i, enum sql_dialect d)
{
	const char *at = views[i].query, *hex;

	text_addf(out, "CREATE VIEW %s_view AS ", views[i].name);
	for (; (hex = strstr(at, "HEX(")); at = hex + 4) {
		text_add_bytes(out, at, (size_t)(hex - at));
		text_add(out, d == SQL_SQLITE ? "printf('%x', " : "to_hex(");
	}
	text_add(out, at);
}

size_t sql_views(void)
{
	return ARRAY_SIZE(views);
}
