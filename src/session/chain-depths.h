/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The depths of the call chains of a recording, which show which of them the kernel may have cut.
 *
 * The kernel ends a chain when it has perf_event_attr.sample_max_stack frames. If that is 0, it
 * ends the chain at kernel.perf_event_max_stack of the recorded machine, which is not in the
 * recording. Frames of kernel and user count together, the markers between them do not.
 */
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"

struct chain_depths;
struct session;
struct session_event;
struct words;

/*
 * kernel.perf_event_max_stack, unless an administrator changed it. Smaller depths are not counted.
 */
#define CHAIN_DEPTH_DEFAULT 127

/* The depths of the chains of one event. All zero: none of them has CHAIN_DEPTH_DEFAULT frames. */
struct chain_depth {
	size_t frames; /* number of frames of its deepest chains, */
	uint64_t n;    /* number of these chains */
};

struct chain_depths *chain_depths_new(void);
void chain_depths_free(struct chain_depths *d);
DEFINE_FREEP(chain_depths)

/* Returns the number of frames of the chain @c. */
size_t chain_depth_of(const struct words *c);

/* Adds a chain of @frames frames, CHAIN_DEPTH_DEFAULT or more, of the event with index @event. */
void chain_depths_add(struct chain_depths *d, size_t event, size_t frames);

/*
 * Adds the number of samples that have a chain, of any depth. As above, any thread may call this.
 */
void chain_depths_add_stacks(struct chain_depths *d, uint64_t n);

uint64_t chain_depths_stacks(const struct chain_depths *d);
struct chain_depth chain_depths_of(const struct chain_depths *d, size_t event);
