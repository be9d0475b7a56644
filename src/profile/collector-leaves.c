/* SPDX-License-Identifier: MIT */
/* Adds samples that were counted without their stacks to those with stacks. */
#include "profile/collector-worker.h"

static bool collector_leaves_is_chosen(const struct collector_options *o, uint32_t frame)
{
	return !o->chosen || frame >= o->n_chosen || o->chosen[frame];
}

static void tally_add_leaves(struct tally *to, const struct tally *from,
			     const struct collector_options *o)
{
	const struct stacks *s = &from->stacks;

	for (uint32_t i = 0; i < s->n; i++) {
		const struct stack_weight *w = &s->weights[i];
		uint32_t context, node;

		if (!w->self.samples || stacks_is_root(s, i) ||
		    collector_leaves_is_chosen(o, s->nodes[i].frame))
			continue;
		context = contexts_add(
			&to->contexts,
			contexts_get(&from->contexts, s->nodes[s->nodes[i].parent].frame));
		node = stacks_apart(&to->stacks, stacks_root(&to->stacks, context),
				    s->nodes[i].frame);
		stack_weight_add(&to->stacks.weights[node], w->self, w->first, w->first_task);
		weight_add(&to->total, w->self);
	}
}

void collector_add_leaves(struct collector *to, const struct collector *from)
{
	size_t n = from->workers[0].n_tallies;

	collector_reserve(&to->workers[0], n);
	for (size_t i = 0; i < n; i++)
		tally_add_leaves(&to->workers[0].tallies[i], &from->workers[0].tallies[i],
				 &to->options);
}
