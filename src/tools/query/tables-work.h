/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The tables of a recording: their names and columns.
 *
 * `samples` contains every sample. Each tracepoint has a table of its own, with its fields as
 * columns. The others are about events, tasks, stacks and the records between samples. A field of a
 * tracepoint keeps its name; a column of samples with the same name becomes `sample_NAME` there.
 */
#include <stdbool.h>
#include <stddef.h>

struct session;

enum query_table_kind {
	QUERY_TABLE_SAMPLES, /* samples of all events, or of a tracepoint */
	QUERY_TABLE_EVENTS,
	QUERY_TABLE_TASKS,
	QUERY_TABLE_STACKS,
	QUERY_TABLE_STACK_FRAMES,
	QUERY_TABLE_FRAMES,
	/* Tables of records: */
	QUERY_TABLE_COMMS,
	QUERY_TABLE_MMAPS,
	QUERY_TABLE_FORKS,
	QUERY_TABLE_EXITS,
	QUERY_TABLE_LOST,
	QUERY_TABLE_SWITCHES,
	QUERY_TABLE_THROTTLES,
};

struct query_column {
	char *name;
	char *field; /* a sample's field: its name in profile/sample-table.h */
	bool is_text;
	bool is_hidden; /* not part of `*` */
	bool is_always; /* every row has a value */
};

struct query_table {
	char *name;
	const char *about; /* a constant; NULL for a tracepoint */
	char *event;       /* "sched:sched_switch"; NULL: not a tracepoint */
	enum query_table_kind kind;
	struct query_column *columns;
	size_t n_columns, room;
	bool *events; /* by index; NULL: all */
	size_t n_events;
};

struct query_tables {
	struct query_table *items;
	size_t n, room;
};

/* Fills *@ret with the tables of @s. All events of @s must be known. */
void query_tables_make(struct query_tables *ret, const struct session *s);
void query_tables_done(struct query_tables *c);

/* Finds a table by name, ignoring case. Returns NULL if there is none. */
const struct query_table *query_tables_find(const struct query_tables *c, const char *name);
