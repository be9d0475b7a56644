/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The rows of a report: the sums of an event's samples by its keys.
 *
 * This is a model: sorted rows with their weights and the nodes of the stacks they came from,
 * without text, percentages and columns. Rows of callers (--children) have no weight of their own
 * but a total.
 */
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"
#include "profile/collector.h"

struct workers;

enum weight_mode { /* for overhead_sys and similar figures */
	MODE_USER,
	MODE_KERNEL,
	MODE_GUEST_USER,
	MODE_GUEST_KERNEL,
	N_WEIGHT_MODES,
};

struct report_row {
	uint32_t context;    /* one of its contexts: the values of the samples' keys */
	uint32_t frame;      /* the frame of its first sample: the values of the frames' keys */
	uint32_t first_self; /* first node with its samples: see report_rows.next_self */
	uint32_t first_node; /* first node where it is a caller: see report_rows.next_node */
	struct weight self;
	struct weight total;    /* including the weight of its callees */
	const uint64_t *values; /* the values of the keys */
	/*
	 * These decide the order of rows with equal totals: the depth of its stacks; the task of
	 * its first sample; the time of that sample; and which of the rows that came with that
	 * sample it was. The rows of a sample are counted from the sampled function, then the
	 * frames of the stack, in the direction of call trees.
	 */
	uint32_t depth, task;
	uint64_t first;
	uint32_t nth;
	/* among all rows, by the values that tell them apart */
	uint32_t place;
	bool is_hidden;                        /* hidden by a filter */
	uint64_t self_by_mode[N_WEIGHT_MODES]; /* periods; with by_mode */
	struct row_sums *sums;                 /* NULL: not needed */
};

/*
 * The values by which rows are sorted, the largest first. Rows for which they are equal are sorted
 * by the keys in order.
 */
enum row_order_by {
	ROW_BY_KEY, /* @index is the key */
	ROW_BY_TOTAL,
	ROW_BY_SELF,
	ROW_BY_SELF_MODE, /* @index is an enum weight_mode */
	ROW_BY_SAMPLES,
	ROW_BY_PERIOD,
	ROW_BY_WEIGHT, /* the mean of weight @index of samples, from 0 */
	ROW_BY_LATENCY,
	ROW_BY_LATENCY_TOTAL,
	ROW_BY_BRANCHES, /* @index is an enum branch_figure; nothing is sorted by it */
};

/* The figures of the branches in the stacks of a row's samples. */
enum branch_figure {
	BRANCHES_PREDICTED, /* the share of predicted branches */
	BRANCHES_ABORTED,   /* the number of branches that aborted a transaction */
	BRANCHES_CYCLES,    /* the mean of the cycles up to each branch */
};

struct row_order {
	enum row_order_by by;
	size_t index;
};

/* The request for rows and their shares. Texts are borrowed. */
struct rows_request {
	const char *symbol_part; /* a part that functions' names must contain; or NULL */
	double percent_limit;    /* rows with less are not shown: report_entry_is_shown() */
	bool absolute;           /* shares are of all samples, not just of filtered ones */
	bool with_trees;         /* call trees are shown below the rows */
	bool callers_first;      /* call trees begin with the callers */
};

struct report_options {
	struct rows_request rq;
	struct key_env *env;
	const struct key *keys;
	size_t n_keys;
	const struct row_order *order;
	size_t n_order;
	const struct sample_filter *filter; /* for places: rows at others are left out; or NULL */
	bool children;
	bool by_mode;
	unsigned needs;    /* enum row_needs: which members of row.sums exist */
	bool sorts_comms;  /* commands are among the keys of --sort */
	bool mixes_places; /* the collector filters places: by_place */
	bool in_groups;    /* row.place is wanted */
	bool unsorted;     /* rows may come in any order */
	/*
	 * Once it is true, making rows ends soon. The result must not be used then, because rows
	 * may be missing or unsorted. NULL: making rows is never stopped.
	 */
	const atomic_bool *stop;
	struct workers *workers; /* workers that share the sorting; NULL: only the caller sorts */
};

static inline bool report_is_stopped(const struct report_options *o)
{
	return o->stop && atomic_load_explicit(o->stop, memory_order_relaxed);
}

struct report_rows {
	const struct report_options *options;
	const struct session_event *event;
	const struct tally *tally;
	struct report_row *rows; /* sorted, unless that was not wanted */
	size_t n;
	size_t n_hidden;  /* rows after these that filters leave out: they matter for the order */
	uint64_t *values; /* the values of all keys of all rows */
	/*
	 * The nodes of the tally's stacks that belong to a row, as lists: by node, the next node;
	 * STACK_NONE ends the list. next_self has the nodes with the row's samples. next_node, with
	 * children, has all nodes whose frame is the row's, whether or not they are among the
	 * former, except those that are apart; callers first, it has only the outermost node of
	 * each stack.
	 */
	uint32_t *next_self, *next_node;
	struct weight shown; /* the weight of samples that filters leave */
	struct weight all;
	struct row_sums *sums; /* over all rows, if needed; and over all samples: */
	struct row_sums shown_sums, all_sums;
};

/* Makes the rows of @event, from @tally. Both must outlive the result, and so must *@o. */
struct report_rows *report_rows_new(const struct report_options *o,
				    const struct session_event *event, const struct tally *tally);
void report_rows_free(struct report_rows *r);
DEFINE_FREEP(report_rows)

/* Returns the whole to which shares relate. */
struct weight report_rows_whole(const struct report_rows *r);

/* Returns the same whole for the rows' sums. */
const struct row_sums *report_rows_whole_sums(const struct report_rows *r);

/* Returns the cell of key @i in @row, as key_value() needs it. */
struct key_cell report_row_cell(const struct report_row *row, size_t i);
