/* SPDX-License-Identifier: MIT */
#include "tools/timechart/stacks-model.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/text.h"
#include "base/u64-map.h"
#include "profile/collector.h"
#include "profile/flame-frame.h"
#include "profile/frames.h"
#include "session/consumer.h"
#include "symbol/symbol.h"
#include "tools/timechart/timechart-model.h"

void chart_stacks_init(struct chart_stacks *s)
{
	*s = (struct chart_stacks){ 0 };
	contexts_init(&s->placed, 2);
}

void chart_stacks_done(struct chart_stacks *s)
{
	contexts_done(&s->placed);
	free(s->node_of);
	free(s->hints);
	free(s->nodes.items);
	free(s->names.items);
	intern_done(&s->texts);
}

uint32_t chart_stacks_place(struct chart_stacks *s, struct collector *collector,
			    const struct session_sample *sample)
{
	bool left_out;
	uint32_t node = collector_place(collector, sample, &left_out);
	const uint64_t values[] = { sample->event->index, node };

	return node == STACK_NONE ? LANE_NONE : contexts_add(&s->placed, values);
}

struct timechart_stacks_naming {
	struct chart_stacks *s;
	const struct frames *frames;
	struct u64_map names; /* by frame: 1 + index in names */
	struct u64_map nodes; /* by event and node: 1 + index in nodes */
	struct text text;
};

static uint32_t chart_stacks_name_of(struct timechart_stacks_naming *n, uint32_t frame)
{
	uintptr_t found = (uintptr_t)u64_map_find(&n->names, frame);

	if (found)
		return (uint32_t)(found - 1);
	text_clear(&n->text);
	flame_frame_name(frames_get(n->frames, frame), &n->text);
	*ARRAY_ADD(&n->s->names) = intern_text(&n->s->texts, n->text.chars);
	u64_map_put(&n->names, frame, (void *)(uintptr_t)n->s->names.n);
	return (uint32_t)(n->s->names.n - 1);
}

/*
 * Returns the node of @i, with its callers made first. Roots, and samples outside of the stack,
 * have none.
 */
static uint32_t chart_stacks_node_of(struct timechart_stacks_naming *n, const struct stacks *stacks,
				     uint32_t event, uint32_t i)
{
	uint64_t key = (uint64_t)event << 32 | i;
	uintptr_t found;
	uint32_t parent;

	if (stacks_is_root(stacks, i))
		return LANE_NONE;
	found = (uintptr_t)u64_map_find(&n->nodes, key);
	if (found)
		return (uint32_t)(found - 1);
	parent = chart_stacks_node_of(n, stacks, event, stacks->nodes[i].parent);
	if (stacks->apart[i] && parent != LANE_NONE)
		return parent;
	*ARRAY_ADD(&n->s->nodes) = (struct chart_stack_node){
		parent, chart_stacks_name_of(n, stacks->nodes[i].frame)
	};
	u64_map_put(&n->nodes, key, (void *)(uintptr_t)n->s->nodes.n);
	return (uint32_t)(n->s->nodes.n - 1);
}

/* Returns the reason of a wait, according to the functions from the innermost outwards. */
static enum wait_hint chart_stacks_hint_of(const struct timechart_stacks_naming *n,
					   const struct stacks *stacks, uint32_t i)
{
	enum wait_hint hint = WAIT_HINT_NONE;

	for (; !stacks_is_root(stacks, i); i = stacks->nodes[i].parent) {
		const struct frame *f = frames_get(n->frames, stacks->nodes[i].frame);
		enum wait_hint outer = f->sym ? wait_hint_of(f->sym->name,
							     flame_frame_is_of_kernel(f))
					      : WAIT_HINT_NONE;

		if (!wait_hint_refine(&hint, outer))
			break;
	}
	return hint;
}

static void name_stack(struct timechart_stacks_naming *n, const struct collector *collector,
		       uint32_t number)
{
	const uint64_t *values = contexts_get(&n->s->placed, number);
	const struct stacks *stacks = &collector_tally(collector, values[0])->stacks;

	if (n->s->node_of[number] != LANE_NONE)
		return;
	n->s->node_of[number] = chart_stacks_node_of(n, stacks, (uint32_t)values[0],
						     (uint32_t)values[1]);
	n->s->hints[number] = chart_stacks_hint_of(n, stacks, (uint32_t)values[1]);
}

void chart_stacks_name(struct chart_stacks *s, const struct chart *c,
		       const struct collector *collector, const struct frames *frames)
{
	struct timechart_stacks_naming n = { .s = s, .frames = frames, .text = TEXT_EMPTY };

	s->node_of = xcalloc(s->placed.n + 1, sizeof(*s->node_of));
	s->hints = xcalloc(s->placed.n + 1, sizeof(*s->hints));
	for (size_t i = 0; i < s->placed.n; i++)
		s->node_of[i] = LANE_NONE;
	for (size_t i = 0; i < c->lanes.n; i++)
		for (size_t k = 0; k < c->lanes.items[i].n; k++) {
			const struct lane_piece *p = &c->lanes.items[i].items[k];

			if (p->fold == LANE_NONE && p->mark.stack < s->placed.n)
				name_stack(&n, collector, p->mark.stack);
		}
	u64_map_done(&n.names);
	u64_map_done(&n.nodes);
	text_done(&n.text);
}

static void find_io_in(const struct chart_stacks *s, struct lane *lane)
{
	for (size_t i = 0; i < lane->n; i++) {
		struct lane_piece *p = &lane->items[i];
		uint64_t ns = lane_piece_end(lane, i) - p->start;

		if (p->fold != LANE_NONE || p->mark.state != CHART_BLOCKED ||
		    p->mark.stack >= s->placed.n || s->hints[p->mark.stack] != WAIT_HINT_IO)
			continue;
		p->mark.state = CHART_IO_WAIT;
		lane->ns[CHART_BLOCKED] -= ns;
		lane->ns[CHART_IO_WAIT] += ns;
	}
}

void chart_stacks_find_io(const struct chart_stacks *s, struct chart *c)
{
	for (size_t i = 0; i < c->tasks.n; i++)
		find_io_in(s, &c->lanes.items[c->tasks.items[i].lane]);
}
