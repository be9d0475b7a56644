/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The boxes of a flame graph, of a profile that is being looked at: without reading it again.
 */
#include <stdbool.h>
#include <stddef.h>

#include "profile/flame-excerpt.h"

struct browse_snapshot;

struct snapshot_flame_request {
	size_t event;              /* of the session's events */
	struct flame_excerpt part; /* only what stands on these; all NULL: everything */
	bool reverse;              /* the innermost function comes first */
	bool by_samples; /* boxes weigh their samples; otherwise their periods, as rows do */
};

/*
 * The boxes of an event of @s. On FLAME_AFTER they have their weight, on FLAME_BEFORE their number
 * of samples. Stacks stand on commands, or processes, if rows are told apart by these. Takes time
 * in proportion to the nodes of the stacks.
 */
struct flame *snapshot_flame(const struct browse_snapshot *s,
			     const struct snapshot_flame_request *rq);

/* What the weights are of: "samples", "ns", or the name of an event. */
const char *snapshot_flame_unit(const struct browse_snapshot *s,
				const struct snapshot_flame_request *rq);
