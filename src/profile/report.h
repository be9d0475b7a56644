/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The rows of a report: what the samples of an event add up to by its keys.
 *
 * A model: sorted rows with their weights and the nodes of the stacks they came from. No text, no
 * percentages, no columns. Rows of callers (--children) weigh nothing themselves but have a total.
 */
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"
#include "profile/collector.h"

struct workers;

enum weight_mode { /* for overhead_sys and its like */
	MODE_USER,
	MODE_KERNEL,
	MODE_GUEST_USER,
	MODE_GUEST_KERNEL,
	N_WEIGHT_MODES,
};

struct report_row {
	uint32_t context;    /* one of those it came from: the values of the samples' keys */
	uint32_t frame;      /* where its first sample was: the values of the frames' keys */
	uint32_t first_self; /* of the nodes where its samples are: see report_rows.next_self */
	uint32_t first_node; /* of those where it is a caller: see report_rows.next_node */
	struct weight self;
	struct weight total;    /* with what its callees weigh */
	const uint64_t *values; /* of the keys */
	/* For the order of rows with equal totals: the depth of its stacks, and whose the first
	 * sample was, when that came, and which of those that came with it the row was: what was
	 * sampled, then the frames of the stack, the way that call trees go. */
	uint32_t depth, task;
	uint64_t first;
	uint32_t nth;
	uint32_t place;                        /* among all, by what tells rows apart */
	bool is_hidden;                        /* by a filter */
	uint64_t self_by_mode[N_WEIGHT_MODES]; /* periods; with by_mode */
	struct row_sums *sums;                 /* NULL: nobody needs them */
};

/* What rows are sorted by, the largest first; and where those are equal, by the keys in order. */
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

/* What is told of the branches in the stacks of a row's samples. */
enum branch_figure {
	BRANCHES_PREDICTED, /* a share of them */
	BRANCHES_ABORTED,   /* how many of them aborted a transaction */
	BRANCHES_CYCLES,    /* the mean of the cycles up to each of them */
};

struct row_order {
	enum row_order_by by;
	size_t index;
};

struct report_options {
	struct key_env *env;
	const struct key *keys;
	size_t n_keys;
	const struct row_order *order;
	size_t n_order;
	const struct sample_filter *filter; /* for places: rows elsewhere are left out; or NULL */
	const char *part; /* rows whose function's name has no such part are left out; or NULL */
	double percent_limit; /* rows with a smaller share are not shown: report_entry_is_shown() */
	bool absolute;        /* shares are of all samples, not of those that filters leave */
	bool children;
	bool by_mode;
	unsigned needs;     /* enum row_needs: which row.sums there are */
	bool sorts_comms;   /* commands are among the keys of --sort */
	bool mixes_places;  /* filters for places are the collector's: by_place */
	bool in_groups;     /* row.place is wanted */
	bool unsorted;      /* rows may come in any order */
	bool with_trees;    /* call trees are shown below the rows */
	bool callers_first; /* the way that they go */
	/*
	 * Once it is true, making rows ends soon: nobody will look at them, as some are missing or
	 * not sorted. NULL: that does not happen.
	 */
	const atomic_bool *stop;
	struct workers *workers; /* that share the sorting; NULL: the caller alone */
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
	size_t n_hidden;  /* rows behind them that filters leave out: they count in the order */
	uint64_t *values; /* of all keys of all rows */
	/*
	 * The nodes of the tally's stacks that belong to a row, as lists: by node, the next;
	 * STACK_NONE ends it. Those where its samples are; and with children all whose frame is the
	 * row's, be they among the former or not, but none that is apart; callers first, only the
	 * outermost in each stack.
	 */
	uint32_t *next_self, *next_node;
	struct weight shown; /* of samples that filters leave */
	struct weight all;
	struct row_sums *sums; /* of all rows, if anybody needs them; and in all: */
	struct row_sums shown_sums, all_sums;
};

/* The rows of @event, from @tally; both outlive the result, and so does *@o. */
struct report_rows *report_rows_new(const struct report_options *o,
				    const struct session_event *event, const struct tally *tally);
void report_rows_free(struct report_rows *r);
DEFINE_FREEP(report_rows)

/* What shares are of. */
struct weight report_rows_whole(const struct report_rows *r);

/* The same of their sums. */
const struct row_sums *report_rows_whole_sums(const struct report_rows *r);

/* What key_value() wants to know of key @i in @row. */
struct key_cell report_row_cell(const struct report_row *row, size_t i);
