/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Samples with their times, in the order in which a collector took them: the data that the trie of
 * profile/stacks.h does not keep.
 *
 * The task, the CPU and the event of a sample are one number for each distinct combination, so an
 * entry takes 32 bytes. Entries are in blocks, so that a log grows, is joined to another and used
 * up without a copy of it. Each worker of a collector has a log; collector_settle() joins the logs.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/contexts.h"

/* The values that samples have in common: the numbers of a tuple in cell_log.contexts. */
enum cell_value {
	CELL_EVENT,
	CELL_CPU,
	CELL_PID,
	CELL_TID,
	CELL_COMM,   /* a const char * of the session */
	CELL_CGROUP, /* the cgroup's id; 0: none recorded */
	N_CELL_VALUES,
};

struct logged_cell {
	uint64_t time; /* 0: none */
	uint64_t period;
	uint32_t node;    /* a node of the event's stacks */
	uint32_t place;   /* the sampled address, as a frame of the table of places */
	uint32_t context; /* a number in cell_log.contexts */
	uint32_t samples;
};

#define CELL_LOG_BLOCK 8192

struct cell_log {
	struct logged_cell **blocks; /* of CELL_LOG_BLOCK entries; NULL: used up */
	size_t n, blocks_room;
	struct contexts contexts;
	/* The values of the entry before, because most samples have the same context. */
	uint64_t last[N_CELL_VALUES];
	uint32_t last_context;
	bool has_last;
};

void cell_log_init(struct cell_log *log);
void cell_log_done(struct cell_log *log);

/* Adds a sample of the context with these values; @cell has all other data. */
void cell_log_add(struct cell_log *log, const uint64_t values[N_CELL_VALUES],
		  struct logged_cell cell);

/* Returns entry @i. */
const struct logged_cell *cell_log_get(const struct cell_log *log, size_t i);

/*
 * Returns entry @i, and releases what is before it. To be called for entries in order, the last
 * time that they are needed.
 */
const struct logged_cell *cell_log_use_up(struct cell_log *log, size_t i);

/*
 * Moves all entries of @from, which is released, to the end of @log. @nodes[event] maps each node
 * of @from's stacks to a node of @log's.
 */
void cell_log_join(struct cell_log *log, struct cell_log *from, uint32_t *const *nodes);
