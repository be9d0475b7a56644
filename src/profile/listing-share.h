/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The shares of the lines of a listing, in percent of the whole: for instructions, and for lines of
 * source.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "profile/weight.h"

struct listing;
struct listing_line;

/* The whole to which a share relates. */
enum annotate_base {
	ANNOTATE_LOCAL_PERIOD,  /* the function's period */
	ANNOTATE_GLOBAL_PERIOD, /* the event's period */
	ANNOTATE_LOCAL_HITS,
	ANNOTATE_GLOBAL_HITS,
};

struct listing_whole {
	enum annotate_base base;
	size_t n_events;
	const struct weight *totals; /* the weight of all samples of each event */
};

/* Lines with shares up to this, in percent, may be left out. */
#define SHARE_SMALL 0.5

/* Returns the share of @line for event @event. */
double listing_share(const struct listing *l, const struct listing_line *line, size_t event,
		     const struct listing_whole *of);

/* True if the line's share of any event is more than may be left out. */
bool listing_line_is_heavy(const struct listing *l, const struct listing_line *line,
			   const struct listing_whole *of);

/* A line of source from which instructions with samples come. */
struct source_share {
	const char *place;      /* "a.c:3", or SOURCE_UNKNOWN for all unknown lines */
	const double *percents; /* one for each event */
	double most;            /* the largest of these percents */
};

struct source_shares {
	struct source_share *items; /* the largest first */
	size_t n, room;
	struct arena arena;
};

/* Sums up the instructions of @l by line, with the full paths of files if @full_paths. */
void source_shares_init(struct source_shares *ret, const struct listing *l,
			const struct listing_whole *of, bool full_paths);
void source_shares_done(struct source_shares *s);
