/* SPDX-License-Identifier: MIT */
#include "profile/weighed.h"

#include <stdlib.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "profile/flame-frame.h"
#include "profile/frames.h"
#include "profile/profile.h"
#include "session/session.h"

const struct session_event **weighed_events(const struct profile *p, size_t *ret_n)
{
	size_t n = session_event_count(p->session);
	const struct session_event **events = xcalloc(n + 1, sizeof(*events));

	*ret_n = 0;
	for (size_t i = 0; i < n; i++)
		if (collector_tally(p->collector, i)->total.samples)
			events[(*ret_n)++] = session_event(p->session, i);
	return events;
}

const char *weighed_unit(const struct session_event *e)
{
	return attr_is_clock(&e->attr) ? "nanoseconds" : "count";
}

struct weighed_state {
	struct profile *profile;
	struct code_table *code;
	unsigned wanted;
	struct label_values labels;
	uint32_t context; /* the context of these labels */
	struct {
		uint32_t *items;
		size_t n, room;
	} places;
	void (*each)(void *arg, const struct weighed_stack *s);
	void *arg;
};

/* Returns the context of the root of each node; CODE_NONE: its samples do not count. */
static uint32_t *contexts_of_nodes(const struct profile *p, const struct tally *t)
{
	const struct stacks *s = &t->stacks;
	uint32_t *of = xmalloc((s->n + 1) * sizeof(*of));

	for (uint32_t i = 0; i < s->n; i++) {
		const struct stack_node *n = &s->nodes[i];

		if (n->parent != STACK_NONE)
			of[i] = of[n->parent];
		else
			of[i] = export_is_left_out(p, t, n->frame) ? CODE_NONE : n->frame;
	}
	return of;
}

static void weighed_walk(struct weighed_state *w, const struct stacks *s, uint32_t node)
{
	w->places.n = 0;
	while (node != STACK_NONE) {
		uint32_t place = code_table_location(w->code, s, node, &node);

		*ARRAY_ADD(&w->places) = place;
	}
}

static bool weighed_counts(const struct weighed_state *w, const struct stacks *s, uint32_t node)
{
	return s->weights[node].self.samples && !stacks_is_root(s, node) &&
	       flame_frame_passes(frames_get(w->profile->env.frames, s->nodes[node].frame),
				  w->profile->filter, NULL);
}

static void take_labels(struct weighed_state *w, const struct tally *t, uint32_t context)
{
	if (w->context == context)
		return;
	w->context = context;
	label_values_get(&w->labels, w->profile, t, context, w->wanted);
}

static int weighed_compare_first(const void *a, const void *b, void *arg)
{
	const struct stack_weight *weights = arg;
	uint64_t x = weights[*(const uint32_t *)a].first, y = weights[*(const uint32_t *)b].first;

	return x < y ? -1 : x > y;
}

/*
 * Returns the nodes that have a weight, sorted by the time of their first sample. Their numbers
 * depend on which thread took which samples.
 */
static uint32_t *weighed_sort_nodes(const struct weighed_state *w, const struct stacks *s,
				    const uint32_t *context, size_t *ret_n)
{
	uint32_t *nodes = xmalloc((s->n + 1) * sizeof(*nodes));

	*ret_n = 0;
	for (uint32_t i = 0; i < s->n; i++)
		if (context[i] != CODE_NONE && weighed_counts(w, s, i))
			nodes[(*ret_n)++] = i;
	qsort_r(nodes, *ret_n, sizeof(*nodes), weighed_compare_first, s->weights);
	return nodes;
}

static void weighed_add_tally(struct weighed_state *w, const struct tally *t, size_t event)
{
	const struct stacks *s = &t->stacks;
	size_t n;
	_cleanup_(freep) uint32_t *context = contexts_of_nodes(w->profile, t);
	_cleanup_(freep) uint32_t *nodes = weighed_sort_nodes(w, s, context, &n);

	w->context = CODE_NONE;
	for (size_t k = 0; k < n; k++) {
		uint32_t i = nodes[k];

		take_labels(w, t, context[i]);
		weighed_walk(w, s, code_sampled_node(s, i));
		w->each(w->arg, &(struct weighed_stack){ .event = event,
							 .places = w->places.items,
							 .n_places = w->places.n,
							 .weight = s->weights[i].self,
							 .labels = &w->labels });
	}
}

void weighed_for_each(struct profile *p, unsigned labels, struct code_table *code,
		      void (*each)(void *arg, const struct weighed_stack *s), void *arg)
{
	struct weighed_state w = { .profile = p,
				   .code = code,
				   .wanted = labels,
				   .labels = { .scratch = { TEXT_EMPTY, TEXT_EMPTY } },
				   .each = each,
				   .arg = arg };
	size_t n;
	_cleanup_(freep) const struct session_event **events = weighed_events(p, &n);

	for (size_t i = 0; i < n; i++)
		weighed_add_tally(&w, collector_tally(p->collector, events[i]->index), i);
	label_values_done(&w.labels);
	free(w.places.items);
}
