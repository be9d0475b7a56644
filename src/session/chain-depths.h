/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The depths of the call chains of a recording, to know which of them the kernel may have cut.
 *
 * The kernel ends a chain when it has perf_event_attr.sample_max_stack frames; where that is 0, at
 * kernel.perf_event_max_stack of the recorded machine, which no recording tells. Frames of kernel
 * and user count together, the marks between them do not.
 */
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"

struct chain_depths;
struct session;
struct session_event;
struct words;

/* kernel.perf_event_max_stack, unless an administrator changed it. Lesser depths do not count. */
#define CHAIN_DEPTH_DEFAULT 127

/* The chains of one event. All zero: none of them has CHAIN_DEPTH_DEFAULT frames. */
struct chain_depth {
	size_t frames; /* of its deepest chains, */
	uint64_t n;    /* of which there are so many */
};

struct chain_depths *chain_depths_new(void);
void chain_depths_free(struct chain_depths *d);
DEFINE_FREEP(chain_depths)

/* The number of frames of the chain @c. */
size_t chain_depth_of(const struct words *c);

/* Adds a chain of @frames frames, CHAIN_DEPTH_DEFAULT or more, of the event with index @event. */
void chain_depths_add(struct chain_depths *d, size_t event, size_t frames);

/* Adds the number of samples that have a chain, of any depth. Any thread may, as above. */
void chain_depths_add_stacks(struct chain_depths *d, uint64_t n);

uint64_t chain_depths_stacks(const struct chain_depths *d);
struct chain_depth chain_depths_of(const struct chain_depths *d, size_t event);
