/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Samples by address: what `perf annotate` shows of functions.
 *
 * Samples are taken in any order by several workers, each into tables of its own, which
 * annotation_settle() brings together. Then the functions of an event, or of several that are shown
 * side by side, can be asked for. Memory grows with distinct addresses.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "profile/weight.h"

struct annotation;
struct image;
struct sample_batch;
struct sample_filter;
struct session;
struct symbol;
struct topology;

struct annotation_options {
	const struct session *session;
	const struct sample_filter *filter; /* by place; NULL: everything counts */
	const struct topology *topology;    /* only samples of CPUs of @socket; NULL: of all */
	int64_t socket;
	unsigned n_workers;
	bool with_blocks; /* of branches that were recorded, with their cycles */
	bool forgets;     /* the session does, so that maps are copied */
};

struct annotation *annotation_new(const struct annotation_options *o);
void annotation_free(struct annotation *a);
DEFINE_FREEP(annotation)

/* Takes samples, in any order. Workers with different numbers may do so at once. */
void annotation_take(struct annotation *a, const struct sample_batch *b);

/* Brings together what the workers have; nothing may be taken any more. */
void annotation_settle(struct annotation *a);

/*
 * With one worker, samples may be taken after it was settled, and be forgotten: @left of @of are
 * left.
 */
void annotation_fade(struct annotation *a, unsigned left, unsigned of);

/* All samples of event @index that the filter left, whether or not they lie in a function. */
struct weight annotation_total(const struct annotation *a, size_t index);

/* Calls @each for samples of all events that lie in no function; several times for an image. */
void annotation_unnamed(const struct annotation *a,
			void (*each)(void *arg, const struct image *im, uint64_t samples),
			void *arg);

/* What was run between two branches. Addresses are those of the image's symbols. */
struct annotated_block {
	uint64_t start; /* or BLOCK_START_UNKNOWN: profile/branch-blocks.h */
	uint64_t end;   /* of the branch itself */
	uint64_t cycles, count;
	uint64_t whole_cycles, whole_count; /* of those from @start on */
	unsigned least, most;
};

/* A function that has samples, and where in it they are. */
struct annotated_function {
	struct image *image;
	const struct symbol *sym;
	uint64_t moved;               /* added to its addresses: those at run time, of one map */
	const struct weight *totals;  /* one for each event */
	size_t n;                     /* addresses with samples */
	const uint64_t *addrs;        /* ascending, in the space of the image's symbols */
	const struct weight *weights; /* as many for each address as there are events */
	/* Of the first event that has any; by their ends. */
	const struct annotated_block *blocks;
	size_t n_blocks;
};

/* Most weight of the first event first, then by names. */
struct annotated_functions {
	struct annotated_function *items;
	size_t n, room;
	size_t n_events;
	const bool *skids; /* of each event: event_skids(); NULL: none does */
	struct arena arena;
};

/* Of the @n events from @first on. Filled into @ret, which is empty. */
void annotation_functions(const struct annotation *a, size_t first, size_t n,
			  struct annotated_functions *ret);
void annotated_functions_done(struct annotated_functions *f);

/* What of @f lies in [@start, @end), for event @event of those it is of. */
struct weight annotated_weight(const struct annotated_functions *all,
			       const struct annotated_function *f, size_t event, uint64_t start,
			       uint64_t end);
