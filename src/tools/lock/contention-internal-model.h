/* SPDX-License-Identifier: MIT */
#pragma once
/* The internals of tools/lock/contention-model.h, shared by its source files. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/u64-map.h"
#include "session/call-chain.h"
#include "tools/lock/caller-model.h"
#include "tools/lock/contention-model.h"
#include "tools/lock/event-model.h"
#include "tools/lock/filter-model.h"
#include "tools/lock/rows-model.h"
#include "tools/lock/sequences-model.h"

struct session;
struct session_sample;

struct lock_contention {
	struct lock_contention_options o;
	struct session *session; /* the session that feeds it; NULL: none */
	struct lock_events events;
	struct lock_rows rows;
	struct lock_sequences sequences;
	struct lock_failures failures;
	uint64_t n_open;
	/* Made when the first wait arrives, because the names are not known before. */
	bool is_settled;
	struct lock_code code;
	struct lock_filter filter;
	/* The stack of the event that is being processed. */
	struct call_chain chain;
	struct {
		uint64_t *items;
		size_t n, room;
	} stack;
	struct u64_map threads; /* used with keep_threads */
	uint32_t *thread_list;
};

/* Prepares everything that needs the names of functions. */
void lock_contention_settle(struct lock_contention *m);

/* Returns the row of @w, which is made if there is none. */
struct lock_entry *lock_contention_row(struct lock_contention *m, const struct lock_waits *w);

/* Returns the key of that row. */
uint64_t lock_contention_key(const struct lock_contention *m, const struct lock_waits *w);

/* Processes @e, the event of sample @s. */
void lock_contention_take(struct lock_contention *m, const struct lock_event *e,
			  const struct session_sample *s);
