/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Samples by data type: the types that the sampled instructions access, and the offsets; and how
 * many instructions have a type that could be found.
 */
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "code/types/access-types.h"
#include "profile/weight.h"

struct annotated_function;
struct annotated_functions;
struct listing_tools;

/* The accesses at one offset of a type. */
struct type_offset {
	uint64_t offset;
	struct weight *weights; /* one for each event */
};

struct weighed_type {
	const struct data_type *type;
	struct weight *totals;     /* one for each event */
	struct type_offset *items; /* sorted by offset */
	size_t n, room;
};

/*
 * The types, sorted by the weight of the first event that has any, heaviest first, then by name in
 * reverse.
 */
struct type_weights {
	struct weighed_type *items;
	size_t n, room;
	size_t n_events;
	struct arena arena;
};

/* Returns the type that samples of event @event at address @k of @f access. */
struct access_type type_of_samples(const struct annotated_functions *all,
				   const struct annotated_function *f, size_t k, size_t event,
				   struct access_types *types);

/* Fills @ret, which is empty, with the types that instructions of @all access. */
void type_weights_make(struct type_weights *ret, const struct annotated_functions *all,
		       struct access_types *types);
void type_weights_done(struct type_weights *t);

/* Returns the weight of the samples of event @event in [@start, @end) of a type. */
struct weight weighed_type_between(const struct weighed_type *t, size_t event, uint64_t start,
				   uint64_t end);

/*
 * The numbers of instructions with a given name that have a type (good) and that have none (bad).
 */
struct type_stat_instruction {
	char *name;
	uint64_t good, bad;
};

/* Counts of instructions. Each instruction counts once for each event, whatever its weight. */
struct type_stats {
	uint64_t by_status[N_ACCESS_STATUS];
	uint64_t followed; /* with a type that was found by following instructions */
	struct {
		struct type_stat_instruction *items;
		size_t n, room;
	} instructions; /* the most frequent first */
};

/*
 * Adds the instructions of @all. If @tools is not NULL, they are disassembled for their names. Call
 * type_stats_settle() after the last one.
 */
void type_stats_add(struct type_stats *s, const struct annotated_functions *all,
		    struct access_types *types, struct listing_tools *tools);
void type_stats_settle(struct type_stats *s);
void type_stats_done(struct type_stats *s);

/*
 * Return how many instructions there are, and how many of these have a type, including stack
 * operations.
 */
uint64_t type_stats_total(const struct type_stats *s);
uint64_t type_stats_good(const struct type_stats *s);
