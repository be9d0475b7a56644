/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Samples by address: the data that `perf annotate` shows of functions.
 *
 * Samples are taken in any order by several workers, each into tables of its own, which
 * annotation_settle() merges. Then the functions of an event, or of several that are shown side by
 * side, can be requested. Memory grows with the number of distinct addresses.
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
	bool with_blocks; /* collect blocks of recorded branches, with their cycles */
	bool forgets;     /* the session forgets maps, so they are copied */
};

struct annotation *annotation_new(const struct annotation_options *o);
void annotation_free(struct annotation *a);
DEFINE_FREEP(annotation)

/* Takes samples, in any order. Workers with different numbers may do so at once. */
void annotation_take(struct annotation *a, const struct sample_batch *b);

/* Merges the tables of the workers. No samples may be taken after this. */
void annotation_settle(struct annotation *a);

/*
 * Forgets samples, so that @left of @of are left. With one worker, samples may then be taken even
 * after annotation_settle().
 */
void annotation_fade(struct annotation *a, unsigned left, unsigned of);

/*
 * Returns the weight of all samples of event @index that the filter left, whether or not they are
 * in a function.
 */
struct weight annotation_total(const struct annotation *a, size_t index);

/*
 * Calls @each for the samples of all events that are in no function; it may be called several times
 * for an image.
 */
void annotation_unnamed(const struct annotation *a,
			void (*each)(void *arg, const struct image *im, uint64_t samples),
			void *arg);

/* The code that ran between two branches. Addresses are those of the image's symbols. */
struct annotated_block {
	uint64_t start; /* or BLOCK_START_UNKNOWN (profile/branch-blocks.h) */
	uint64_t end;   /* the address of the branch itself */
	uint64_t cycles, count;
	uint64_t whole_cycles, whole_count; /* sums over the blocks that began at @start */
	unsigned least, most;
};

/* A function that has samples, and where in it they are. */
struct annotated_function {
	struct image *image;
	const struct symbol *sym;
	/* added to its addresses; gives those at run time, in one map */
	uint64_t moved;
	const struct weight *totals;  /* one for each event */
	size_t n;                     /* the number of addresses with samples */
	const uint64_t *addrs;        /* ascending, in the address space of the image's symbols */
	const struct weight *weights; /* for each address, one weight for each event */
	/* The blocks of the first event that has any, sorted by their ends. */
	const struct annotated_block *blocks;
	size_t n_blocks;
};

/* The functions, sorted by the weight of the first event, heaviest first, then by name. */
struct annotated_functions {
	struct annotated_function *items;
	size_t n, room;
	size_t n_events;
	const bool *skids; /* event_skids() of each event; NULL: none does */
	struct arena arena;
};

/* Fills @ret, which is empty, with the functions of the @n events from @first on. */
void annotation_functions(const struct annotation *a, size_t first, size_t n,
			  struct annotated_functions *ret);
void annotated_functions_done(struct annotated_functions *f);

/* Returns the weight of @f in [@start, @end), for event @event of those that @all has. */
struct weight annotated_weight(const struct annotated_functions *all,
			       const struct annotated_function *f, size_t event, uint64_t start,
			       uint64_t end);
