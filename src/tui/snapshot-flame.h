/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Makes the boxes of a flame graph from a profile that is being viewed, without reading it again.
 */
#include <stdbool.h>
#include <stddef.h>

#include "profile/flame-excerpt.h"

struct browse_snapshot;

struct snapshot_flame_request {
	size_t event;              /* among the session's events */
	struct flame_excerpt part; /* only boxes above these; all NULL: everything */
	bool reverse;              /* the innermost function comes first */
	bool by_samples;           /* weights are samples; else periods, as in rows */
};

/*
 * Makes the boxes of an event of @s. On FLAME_AFTER they have their weight, on FLAME_BEFORE their
 * number of samples. The roots of stacks are commands, or processes, if rows are separated by
 * these. The time is proportional to the nodes of the stacks.
 */
struct flame *snapshot_flame(const struct browse_snapshot *s,
			     const struct snapshot_flame_request *rq);

/* Returns the unit of the weights: "samples", "ns", or the name of an event. */
const char *snapshot_flame_unit(const struct browse_snapshot *s,
				const struct snapshot_flame_request *rq);
