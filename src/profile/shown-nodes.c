/* SPDX-License-Identifier: MIT */
#include "profile/shown-nodes.h"

#include "base/memory.h"
#include "profile/collector.h"
#include "base/contexts.h"
#include "profile/frames.h"
#include "session/machine.h"
#include "session/sample-filter.h"

static bool passes_image(const struct frames *frames, uint32_t frame, const struct sample_filter *f)
{
	const struct location loc = { .map = frames_get(frames, frame)->map };

	return sample_filter_passes_image(f, &loc);
}

bool *shown_nodes(const struct tally *t, size_t n_keys, const struct frames *frames,
		  const struct sample_filter *filter)
{
	const struct stack_node *nodes = t->stacks.nodes;
	size_t n = t->stacks.n;
	bool *passes = xcalloc(n + 1, sizeof(*passes));

	/* Parents come first, so it is known already whether their root passes. */
	for (size_t i = 0; i < n; i++)
		passes[i] = nodes[i].parent == STACK_NONE
				    ? !contexts_get(&t->contexts,
						    nodes[i].frame)[n_keys + HIDDEN_LEFT_OUT]
				    : passes[nodes[i].parent];
	for (size_t i = 0; filter && sample_filter_has_images(filter) && i < n; i++)
		if (passes[i] && nodes[i].parent != STACK_NONE)
			passes[i] = passes_image(frames, nodes[i].frame, filter);
	return passes;
}
