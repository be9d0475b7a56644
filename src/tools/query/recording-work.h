/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A recording whose rows are read when a statement asks for them.
 *
 * While a statement is being prepared, recording_want() collects which columns of which tables it
 * uses, and which samples are enough. recording_rows() then reads all of that in one pass. What was
 * read is kept for later statements, if it is enough for them.
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

/* Where a recording comes from. */
struct recording_source {
	/*
	 * Opens it; called again for each reading of a stream. All sessions share a symbolizer. A
	 * negative errno with @diag.
	 */
	int (*open)(void *arg, struct session **ret, struct diag *diag);
	void *arg;
	size_t max_stack;
};

/* Opens it and reads its side-band, after which all events are known. Errors: those of reading. */
int recording_open(const struct recording_source *source, struct recording **ret,
		   struct diag *diag);
void recording_free(struct recording *r);
DEFINE_FREEP(recording)

const struct query_tables *recording_tables(const struct recording *r);
struct session *recording_session(const struct recording *r);

/* What samples a statement can do with, as far as its conditions are constants. */
struct wanted_rows {
	bool by_time, by_cpu, by_pid, by_tid;
	int64_t from_ns, to_ns; /* both belong to it */
	uint32_t cpu, pid, tid;
	char event[128]; /* "": any */
};

/* A new statement begins. */
void recording_begin(struct recording *r);

/*
 * It uses those columns of table @table: a bit for each, the last for all from 63 on. Where
 * conditions differ from those of calls before, all samples are read that meet either.
 */
void recording_want(struct recording *r, size_t table, uint64_t columns,
		    const struct wanted_rows *only);

/* How many rows the table has, roughly if it was not read yet. */
size_t recording_estimate(const struct recording *r, size_t table);

/* Its rows, with all columns that were wanted; they belong to @r, until recording_begin(). */
int recording_rows(struct recording *r, size_t table, struct rows **ret, struct diag *diag);

/* The stacks, if a column with their numbers was read; or NULL. */
const struct stack_numbers *recording_stacks(const struct recording *r);
