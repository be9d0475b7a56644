/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The plan of a report: its keys, its columns and the order of its rows.
 *
 * It is made from the user's options (--sort, --fields, -n, ...) before anything is collected. A
 * column is a figure or a key. Pure data: the views make the text.
 *
 * The columns are the default figures, those of --fields if that begins with '+', and the keys of
 * --sort; or else just those of --fields followed by the keys of --sort. Rows are sorted by --sort,
 * from left to right, and then by the other columns; unless --fields stands alone or --sort names
 * an overhead itself, the overhead comes first. A hierarchy has a level for each key of --sort, or
 * for several keys in braces: '{comm,dso},sym'.
 */
#include <stdbool.h>
#include <stddef.h>

#include "profile/figures.h"
#include "profile/keys.h"
#include "profile/report-mode.h"
#include "profile/report.h"

struct diag;

struct report_column {
	const struct figure *figure; /* NULL: a key */
	size_t key;                  /* without a figure: the key's index */
	const char *title;
};

struct report_columns {
	struct report_column *items;
	size_t n, room;
};

struct report_plan {
	struct keys keys;
	char *sort;                    /* the complete text of --sort */
	struct report_columns columns; /* in a hierarchy: only the figures, which come first */
	struct report_columns *levels; /* levels of a hierarchy, outermost first; NULL: none */
	size_t n_levels, levels_room;
	struct row_order *order; /* the criteria by which rows are sorted */
	size_t n_order, order_room;
	bool children;      /* callers have rows */
	bool sorts_comms;   /* commands are among the keys of --sort */
	bool mixes_places;  /* a row may have samples of several images and functions */
	bool by_mode;       /* weights are needed by mode */
	unsigned needs;     /* enum row_needs: what else weights are needed by */
	unsigned key_flags; /* enum key_flags, of all keys */
};

/* Whether shares of wall-clock time are shown among the default figures. */
enum latency_columns {
	LATENCY_NONE,
	LATENCY_AUTO,   /* like BESIDE, if recorded for it and threads ran side by side */
	LATENCY_BESIDE, /* after those of CPU time */
	LATENCY_FIRST,  /* before those; rows are sorted by them */
};

/* The columns and rows that the user requested. */
struct report_request {
	const char *sort, *fields; /* NULL: the default */
	/*
	 * mem and snoop of @fields are breakdowns, as they are beside op, cache, memory or dtlb;
	 * otherwise they are keys.
	 */
	bool memory_fields;
	enum report_mode mode;
	enum latency_columns latency;
	bool children; /* requested, and there are stacks */
	bool hierarchy;
	bool parent; /* callers are searched, and shown after the other keys */
	bool nr_samples, total_period, cpu_utilization; /* -n, ... */
	bool guests;          /* guests have their own columns in cpu_utilization */
	bool plain_functions; /* no instructions per cycle beside requested functions */
	/*
	 * A filter leaves only one command, image or function, so its column is not shown beside
	 * others.
	 */
	bool one_comm, one_dso, one_symbol;
};

/*
 * Plans @r. -EINVAL with the mistake marked. @env must have its session, because the fields of its
 * tracepoints are keys too.
 */
int report_plan_make(const struct report_request *r, const struct key_env *env,
		     struct report_plan *ret, struct diag *diag);
void report_plan_done(struct report_plan *p);

/* Removes the figures of wall-clock time that LATENCY_BESIDE has added. */
void report_plan_drop_latency(struct report_plan *p);

/* True if @p has a key of this name. */
bool report_plan_has_key(const struct report_plan *p, const char *name);
