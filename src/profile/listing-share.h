/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What the lines of a listing are of the whole, in percent: instructions, and lines of source.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "profile/weight.h"

struct listing;
struct listing_line;

/* What a share is of. */
enum annotate_base {
	ANNOTATE_LOCAL_PERIOD,  /* of the function */
	ANNOTATE_GLOBAL_PERIOD, /* of the event */
	ANNOTATE_LOCAL_HITS,
	ANNOTATE_GLOBAL_HITS,
};

struct listing_whole {
	enum annotate_base base;
	size_t n_events;
	const struct weight *totals; /* of all samples of each event */
};

/* Shares up to that, in percent, may be left out. */
#define SHARE_SMALL 0.5

/* The share that @line has of event @event. */
double listing_share(const struct listing *l, const struct listing_line *line, size_t event,
		     const struct listing_whole *of);

/* Whether it has more of any event than may be left out. */
bool listing_line_is_heavy(const struct listing *l, const struct listing_line *line,
			   const struct listing_whole *of);

/* A line of source that instructions with samples come from. */
struct source_share {
	const char *place;      /* "a.c:3", or SOURCE_UNKNOWN for all that are not known */
	const double *percents; /* one for each event */
	double most;            /* of these */
};

struct source_shares {
	struct source_share *items; /* the largest first */
	size_t n, room;
	struct arena arena;
};

/* Sums up the instructions of @l by line, with the whole paths of files if @full_paths. */
void source_shares_init(struct source_shares *ret, const struct listing *l,
			const struct listing_whole *of, bool full_paths);
void source_shares_done(struct source_shares *s);
