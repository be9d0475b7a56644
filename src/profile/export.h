/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A recording as rows of tables that refer to each other by number, for databases and the scripts
 * that write them: events, threads, names, images, symbols, stacks, samples, context switches.
 *
 * A row comes after all rows that it refers to. Numbers begin with 1; 0 stands for nothing. This
 * code knows nothing of Python.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct export;
struct record;
struct session;
struct session_sample;

enum export_table {
	EXPORT_EVSEL,       /* id, name */
	EXPORT_MACHINE,     /* id, pid, root */
	EXPORT_THREAD,      /* id, machine, main thread, pid, tid */
	EXPORT_COMM,        /* id, text, thread, time, is it from an exec? */
	EXPORT_COMM_THREAD, /* id, comm, thread */
	EXPORT_DSO,         /* id, machine, short name, long name, build-id */
	EXPORT_SYMBOL,      /* id, dso, start, end, binding, name */
	EXPORT_BRANCH_TYPE, /* number, name */
	EXPORT_CALL_PATH,   /* id, caller, symbol, address */
	/*
	 * id, evsel, machine, thread, comm, dso, symbol, offset in it, address, time, cpu, then
	 * dso, symbol, offset and address of the data or the branch target; period, weight,
	 * transaction, data source, branch type, in a transaction?, call path, instructions,
	 * cycles, flags
	 */
	EXPORT_SAMPLE,
	EXPORT_CONTEXT_SWITCH, /* id, machine, time, cpu, thread and comm out, the same in, flags */
	EXPORT_TABLES,
};

/* A text, or a number if there is none. */
struct export_value {
	const char *text;
	int64_t number;
};

#define EXPORT_COLUMNS_MAX 25

struct export_options {
	struct session *session;
	bool call_paths;  /* stacks become rows */
	size_t max_stack; /* the maximum number of frames of a stack */
	/* Takes a row. A result other than 0 ends the export, which returns it. */
	int (*row)(void *arg, enum export_table table, const struct export_value *values, size_t n);
	void *arg;
};

struct export *export_new(const struct export_options *o);
void export_free(struct export *x);

/*
 * Calls @each with the number and the name of every kind of branch, until it returns a value other
 * than 0, which is returned.
 */
int export_branch_types(int (*each)(void *arg, unsigned number, const char *name), void *arg);

/* Adds the rows that come first, whatever the recording has. */
int export_begin(struct export *x);

/* Takes a record of the kernel, at @time: COMM and FORK, which are remembered, and SWITCH. */
int export_record(struct export *x, const struct record *r, uint64_t time);

/* Exports a sample. */
int export_sample(struct export *x, const struct session_sample *ss);

/* The row numbers of an export, and the callback that takes its rows. Private to tools/script. */

struct export_rows {
	int (*row)(void *arg, enum export_table table, const struct export_value *values, size_t n);
	void *arg;
	uint64_t last[EXPORT_TABLES]; /* the number of each table's last row */
};

/* Passes on a row unchanged. */
static inline int export_row(struct export_rows *x, enum export_table table,
			     const struct export_value *values, size_t n)
{
	return x->row(x->arg, table, values, n);
}

/* Returns the number that the next row of @table gets. */
static inline uint64_t export_rows_next(const struct export_rows *x, enum export_table table)
{
	return x->last[table] + 1;
}

/*
 * Passes on a row whose first value is set to the next number of its table. *@ret_id has the number
 * before the row is taken.
 */
int export_new_row(struct export_rows *x, enum export_table table,
		   const struct export_value *values, size_t n, uint64_t *ret_id);
