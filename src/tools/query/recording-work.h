/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A recording whose rows are read when a statement needs them.
 *
 * While a statement is being prepared, recording_want() collects the columns that it uses of each
 * table, and the range of samples that it needs. recording_rows() then reads all of that in one
 * pass. Rows that were read are kept for later statements, if they contain enough for them.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"
#include "tools/query/tables-work.h"

struct diag;
struct notes;
struct recording;
struct rows;
struct session;
struct stack_numbers;

/* The source of a recording. */
struct recording_source {
	/*
	 * Opens the source. It is called again for each reading of a stream. All sessions share a
	 * symbolizer. Returns a negative errno with @diag.
	 */
	int (*open)(void *arg, struct session **ret, struct diag *diag);
	void *arg;
	size_t max_stack;
};

/*
 * Opens the source and reads its side-band, after which all events are known. Errors are those of
 * reading.
 */
int recording_open(const struct recording_source *source, struct recording **ret,
		   struct diag *diag);
void recording_free(struct recording *r);
DEFINE_FREEP(recording)

const struct query_tables *recording_tables(const struct recording *r);
struct session *recording_session(const struct recording *r);

/* The samples that a statement needs, as far as its conditions are constants. */
struct wanted_rows {
	bool by_time, by_cpu, by_pid, by_tid;
	int64_t from_ns, to_ns; /* both are included */
	uint32_t cpu, pid, tid;
	char event[128]; /* "": any */
};

/* Begins a new statement. */
void recording_begin(struct recording *r);

/*
 * Requests @columns of table @table: a bit for each column, the last bit for all columns from 63
 * on. If conditions differ from those of earlier calls, all samples are read that meet either.
 */
void recording_want(struct recording *r, size_t table, uint64_t columns,
		    const struct wanted_rows *only);

/* Returns the number of rows of the table, or an estimate if it was not read yet. */
size_t recording_estimate(const struct recording *r, size_t table);

/*
 * Reads the table's rows, with all requested columns. They belong to @r, and are valid until
 * recording_begin().
 */
int recording_rows(struct recording *r, size_t table, struct rows **ret, struct diag *diag);

/* Returns the stacks, if a column with their numbers was read, or NULL. */
const struct stack_numbers *recording_stacks(const struct recording *r);
