/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What a profile adds up to, as tables: the rows of each event, or of a group of events side by
 * side.
 *
 * What `perf report` prints and what the browser shows are made of the same tables.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/choice.h"
#include "profile/frame-order.h"
#include "profile/report.h"

struct profile;
struct report_group;

/* What is asked for beside what the profile itself was. Texts are borrowed. */
struct report_tables_request {
	enum choice group;       /* events of a group side by side; unsaid: yes, as recorded */
	size_t group_sort_idx;   /* whose weights decide first */
	bool keep_empty;         /* events without samples have tables too */
	const char *symbol_part; /* only functions whose name has this part; or NULL */
	double percent_limit;
	bool absolute; /* shares are of all samples, not of those that filters leave */
	bool with_trees;
	bool callers_first;
	enum frame_order_by same_frames; /* what makes frames of call trees the same */
};

struct report_table {
	struct report_group *group;
	size_t first, n_events;   /* of the session's events */
	struct weight whole;      /* of all events together: for the title */
	const char *const *names; /* of the events */
	bool is_group;            /* recorded as one: {a,b} */
	bool borrows_stacks;      /* has stacks only because --show-ref-call-graph gives it some */
	bool has_stacks;          /* rows have call trees */
};

struct report_tables {
	struct report_options options; /* that all rows were made with */
	struct frame_order order;      /* of frames in call trees */
	struct report_rows **rows;     /* by event */
	size_t n_rows;
	const char **names; /* by event */
	struct report_table *items;
	size_t n;
};

/* Sums up @p, which is settled and outlives the tables. Ends early if @p is stopped. */
void report_tables_init(struct report_tables *ret, const struct profile *p,
			const struct report_tables_request *rq);
void report_tables_done(struct report_tables *t);
