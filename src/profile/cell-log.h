/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Samples with their times, in the order in which a collector took them: what the trie of
 * profile/stacks.h does not keep.
 *
 * Who a sample is of, on which CPU and of which event, is a number for each distinct combination;
 * so an entry is 32 bytes. Each worker of a collector has a log; collector_settle() joins them.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/contexts.h"

/* What samples have in common: the numbers of a tuple in cell_log.contexts. */
enum cell_value {
	CELL_EVENT,
	CELL_CPU,
	CELL_PID,
	CELL_TID,
	CELL_COMM,   /* a const char *, as the session has it */
	CELL_CGROUP, /* its id; 0: none recorded */
	N_CELL_VALUES,
};

struct logged_cell {
	uint64_t time; /* 0: none */
	uint64_t period;
	uint32_t node;    /* of the stacks of the event */
	uint32_t place;   /* the address that was sampled, as a frame of the table of places */
	uint32_t context; /* of cell_log.contexts */
	uint32_t samples;
};

struct cell_log {
	struct logged_cell *items;
	size_t n, room;
	struct contexts contexts;
	/* Of the entry before: most samples have the same context. */
	uint64_t last[N_CELL_VALUES];
	uint32_t last_context;
	bool has_last;
};

void cell_log_init(struct cell_log *log);
void cell_log_done(struct cell_log *log);

/* Adds a sample of the context with these values; @cell has everything else. */
void cell_log_add(struct cell_log *log, const uint64_t values[N_CELL_VALUES],
		  struct logged_cell cell);

/*
 * Moves all of @from, which is released, behind what is here. @nodes[event] says for each node of
 * there which one it is here.
 */
void cell_log_join(struct cell_log *log, struct cell_log *from, uint32_t *const *nodes);
