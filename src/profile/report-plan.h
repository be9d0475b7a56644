/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What a report shows: its keys, its columns and what its rows are sorted by.
 *
 * Made of what the user asked for (--sort, --fields, -n, ...) before anything is collected. A
 * column is a figure or a key. Pure data: text is the views' affair.
 *
 * The columns are the usual figures, those of --fields that begins with '+', and the keys of
 * --sort; or just what --fields says and then the keys of --sort. Rows are sorted by --sort, from
 * left to right, and then by the other columns; unless --fields stands alone or --sort names an
 * overhead itself, the overhead comes first. A hierarchy has a level for each key of --sort, or for
 * several in braces: '{comm,dso},sym'.
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
	size_t key;                  /* which one */
	const char *title;
};

struct report_columns {
	struct report_column *items;
	size_t n, room;
};

struct report_plan {
	struct keys keys;
	char *sort;                    /* what --sort says, complete */
	struct report_columns columns; /* of a hierarchy: the figures, which stand in front */
	struct report_columns *levels; /* of a hierarchy, from the outermost; NULL: it is none */
	size_t n_levels, levels_room;
	struct row_order *order; /* of rows */
	size_t n_order, order_room;
	bool children;      /* callers have rows */
	bool sorts_comms;   /* commands are among the keys of --sort */
	bool mixes_places;  /* a row may have samples of several images and functions */
	bool by_mode;       /* weights are wanted by mode */
	unsigned needs;     /* enum row_needs: and by what else */
	unsigned key_flags; /* enum key_flags, of all keys */
};

/* Whether shares of wall-clock time are shown among the usual figures. */
enum latency_columns {
	LATENCY_NONE,
	LATENCY_AUTO,   /* beside, if the recording was made for it and threads ran side by side */
	LATENCY_BESIDE, /* behind those of CPU time */
	LATENCY_FIRST,  /* before them; rows are sorted by it */
};

/* What was asked for. */
struct report_request {
	const char *sort, *fields; /* NULL: the default */
	/* mem and snoop of @fields are breakdowns, as beside op, cache, memory or dtlb; else keys.
	 */
	bool memory_fields;
	enum report_mode mode;
	enum latency_columns latency;
	bool children; /* wanted, and there are stacks */
	bool hierarchy;
	bool parent; /* callers are looked for, and shown behind the other keys */
	bool nr_samples, total_period, cpu_utilization; /* -n, ... */
	bool guests;          /* those have columns of their own in cpu_utilization */
	bool plain_functions; /* no instructions per cycle beside functions that were asked for */
	/* A filter leaves one command, image or function: its column is not shown beside others. */
	bool one_comm, one_dso, one_symbol;
};

/*
 * Plans @r. -EINVAL with the mistake marked. @env must have its session, whose tracepoints' fields
 * are keys too.
 */
int report_plan_make(const struct report_request *r, const struct key_env *env,
		     struct report_plan *ret, struct diag *diag);
void report_plan_done(struct report_plan *p);

/* Removes the figures of wall-clock time that LATENCY_BESIDE has added. */
void report_plan_drop_latency(struct report_plan *p);

/* Whether a key of this name is among those of @p. */
bool report_plan_has_key(const struct report_plan *p, const char *name);
