/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The sums of a profile, as tables: the rows of each event, or of a group of events side by side.
 *
 * `perf report` and the browser show the same tables.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/choice.h"
#include "profile/frame-order.h"
#include "profile/report.h"

struct profile;
struct report_group;

/* The options for the tables, in addition to the profile's own request. Texts are borrowed. */
struct report_tables_request {
	struct rows_request rows;
	enum choice group;       /* events of a group side by side; unset: yes, as recorded */
	uint64_t group_sort_idx; /* the event whose weights decide first */
	bool keep_empty;         /* events without samples have tables too */
	/* the criterion by which frames of call trees are the same */
	enum frame_order_by same_frames;
};

struct report_table {
	struct report_group *group;
	size_t first, n_events;   /* indexes of the session's events */
	struct weight whole;      /* the weight of all events together: for the title */
	const char *const *names; /* the names of the events */
	bool is_group;            /* recorded as a group: {a,b} */
	bool borrows_stacks;      /* has stacks only through --show-ref-call-graph */
	bool has_stacks;          /* rows have call trees */
};

struct report_tables {
	struct report_options options; /* the options of all rows */
	struct frame_order order;      /* the order of frames in call trees */
	struct report_rows **rows;     /* indexed by event */
	size_t n_rows;
	const char **names; /* indexed by event */
	struct report_table *items;
	size_t n;
};

/* Sums up @p, which is settled and must outlive the tables. Ends early if @p is stopped. */
void report_tables_init(struct report_tables *ret, const struct profile *p,
			const struct report_tables_request *rq);
void report_tables_done(struct report_tables *t);
