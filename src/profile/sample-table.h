/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Samples as columns: one array for each field, for programs that compute over all samples at once.
 *
 *	sample_table_maker_new()	once the events are known
 *	sample_table_take()		batches in any order, by several workers at once
 *	sample_table_settle()		rows in order of time; those of equal time as in the file
 *
 * Numbers are plain arrays. Names (comm, event, symbol, ...) are codes into a list of distinct
 * texts, in order of their first row. Stacks are lists: an array of items, and the index at which
 * each row's items begin. The layouts are those of the Arrow columnar format. The result does not
 * depend on which worker took which samples, and it may outlive the session.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"

struct diag;
struct sample_batch;
struct sample_filter;
struct sample_table_maker;
struct stack_numbers;
struct session;
struct workers;

enum sample_column_type {
	SAMPLE_COLUMN_U64,
	SAMPLE_COLUMN_I64,
	SAMPLE_COLUMN_I32,
	SAMPLE_COLUMN_NAME,       /* int32_t codes; -1: none */
	SAMPLE_COLUMN_LIST_U64,   /* uint64_t items */
	SAMPLE_COLUMN_LIST_NAMES, /* int32_t codes */
};

/* Texts in valid UTF-8, one after the other; other bytes were replaced by \xNN. */
struct sample_names {
	char *bytes;
	int32_t *offsets; /* n + 1 offsets */
	size_t n;
};

struct sample_column {
	char *name;
	enum sample_column_type type;
	void *values;     /* one for each row; for lists: the items */
	size_t n_values;  /* for lists: the number of items; otherwise that of rows */
	int64_t *offsets; /* for lists: where a row's items begin; one more than rows */
	/*
	 * For rows: a set bit means that there is a value. NULL: there always is. Lists have none.
	 */
	uint8_t *valid;
	size_t n_null;
	/* For items of lists of names: the same. */
	uint8_t *items_valid;
	size_t n_items_null;
	struct sample_names names; /* for names and lists of names */
};

struct sample_table {
	struct sample_column *columns;
	size_t n_columns;
	size_t n_rows;
	unsigned refs; /* atomic */
};

/*
 * sample_table_ref() and sample_table_unref() count users, from any thread; the last unref releases
 * the table. unref accepts NULL.
 */
struct sample_table *sample_table_ref(struct sample_table *t);
void sample_table_unref(struct sample_table *t);

/* Returns the column with the name @name; NULL: none. */
const struct sample_column *sample_table_find(const struct sample_table *t, const char *name);

/* Returns the text of code @i, which is not NUL-terminated, and its length. */
const char *sample_names_get(const struct sample_names *names, size_t i, size_t *ret_length);

/* Returns the size of an item of @type in bytes: 4 or 8. */
size_t sample_column_width(enum sample_column_type type);
bool sample_column_is_list(enum sample_column_type type);
bool sample_column_has_names(enum sample_column_type type);

/* Returns the names of the fields that every recording may have, from 0 on; NULL after the last. */
const char *sample_table_field(size_t i);

/* The samples that become rows, chosen by their own data; all zero: every sample. */
struct sample_selection {
	const bool *events; /* by index; NULL: all events */
	size_t n_events;
	bool by_time, by_cpu, by_pid, by_tid;
	int64_t from_ns, to_ns; /* both ends are included */
	uint32_t cpu, pid, tid;
};

/*
 * The options for a table. With `for_queries`, a field ".NAME" is that of a tracepoint, whatever
 * fields samples have, and arrays of numbers are texts in JSON, "[1,2]". It also adds two fields:
 * "mode" ("user", "kernel", ...) and "stack_id", the numbers of @stacks.
 */
struct sample_table_options {
	const struct session *session;
	const char *const *fields; /* fields of samples, or of tracepoints */
	size_t n_fields;
	const struct sample_filter *filter; /* by task, name and place; NULL: everything */
	size_t max_stack;
	unsigned n_workers;
	bool for_queries;
	struct sample_selection only;
	const struct stack_numbers *stacks; /* settled before the table is; NULL: no stack_id */
};

/*
 * Makes a maker of tables. -EINVAL with @diag: a field is unknown, or is not of one kind in all
 * events. Texts of @o are copied, the rest is borrowed until the end.
 */
int sample_table_maker_new(const struct sample_table_options *o, struct sample_table_maker **ret,
			   struct diag *diag);
void sample_table_maker_free(struct sample_table_maker *m);
DEFINE_FREEP(sample_table_maker)

/* Takes samples. Workers with different numbers may do so at once. */
void sample_table_take(struct sample_table_maker *m, const struct sample_batch *b);

/* Does the same, with the nodes that stack_numbers_take() returned for these samples. */
void sample_table_take_stacks(struct sample_table_maker *m, const struct sample_batch *b,
			      const uint32_t *nodes);

/*
 * Makes the table after all samples were taken. @w, or NULL, share the work. The maker's data is
 * released in the process.
 */
struct sample_table *sample_table_settle(struct sample_table_maker *m, struct workers *w);
