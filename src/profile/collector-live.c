/* SPDX-License-Identifier: MIT */
/* Collectors that run without end: their tallies are copied, fade, and drop what has faded. */
#include <string.h>

#include "base/memory.h"
#include "profile/collector-worker.h"
#include "session/session.h"

static void contexts_copy(struct contexts *ret, const struct contexts *from)
{
	size_t n = from->n * from->width;

	*ret = (struct contexts){ .n = from->n, .room = n + 1, .width = from->width };
	ret->values = xcalloc(n + 1, sizeof(*ret->values));
	if (n)
		memcpy(ret->values, from->values, n * sizeof(*ret->values));
}

static void tally_copy(struct tally *ret, const struct tally *from)
{
	*ret = (struct tally){
		.total = from->total,
		.n_negative = from->n_negative,
		.n_without = from->n_without,
		.branches = from->branches,
	};
	contexts_copy(&ret->contexts, &from->contexts);
	stacks_copy(&ret->stacks, &from->stacks);
	stacks_settle(&ret->stacks);
}

struct collector *collector_copy(struct collector *c)
{
	struct collector_worker *from = &c->workers[0];
	struct collector *copy = xcalloc(1, sizeof(*copy));
	struct collector_worker *to;

	/* There may have been no sample yet. */
	collector_reserve(from, session_event_count(c->options.env->session));
	copy->options = c->options;
	copy->options.n_workers = 1;
	copy->options.places = NULL;
	copy->workers = to = xcalloc(1, sizeof(*to));
	to->options = &copy->options;
	to->n_tallies = from->n_tallies;
	to->tallies = xcalloc(from->n_tallies + 1, sizeof(*to->tallies));
	to->memos = xcalloc(from->n_tallies + 1, sizeof(*to->memos));
	for (size_t i = 0; i < from->n_tallies; i++)
		tally_copy(&to->tallies[i], &from->tallies[i]);
	return copy;
}

size_t collector_fade(struct collector *c, unsigned left, unsigned of, size_t *ret_nodes)
{
	struct collector_worker *w = &c->workers[0];
	size_t n = 0, nodes = 0;

	for (size_t i = 0; i < w->n_tallies; i++) {
		struct tally *t = &w->tallies[i];

		n += stacks_fade(&t->stacks, left, of, &c->random, &t->total);
		nodes += t->stacks.n;
	}
	*ret_nodes = nodes;
	return n;
}

/* The state of copying a tally into another collector. */
struct carrying {
	struct collector *to;
	const struct collector *from;
	uint32_t *frames; /* by frame of the source: target frame + 1; 0: not copied yet */
	uint64_t *values;
};

static uint32_t carry_frame(struct carrying *c, uint32_t frame)
{
	if (frame == FRAME_NONE)
		return frame;
	if (!c->frames[frame])
		c->frames[frame] = 1 + frames_take(c->to->options.env->frames,
						   frames_get(c->from->options.env->frames, frame));
	return c->frames[frame] - 1;
}

/* Returns the root of a context in the target. Values are shared except for frames. */
static uint32_t carry_root(struct carrying *c, struct tally *to, const struct tally *from,
			   uint32_t context)
{
	const struct collector_options *o = &c->from->options;

	memcpy(c->values, contexts_get(&from->contexts, context),
	       from->contexts.width * sizeof(*c->values));
	for (size_t i = 0; i < o->n_keys; i++)
		if (o->keys[i].type->of_sample && o->keys[i].type->flags & KEY_IS_FRAME)
			c->values[i] = carry_frame(c, (uint32_t)c->values[i]);
	return stacks_root(&to->stacks, contexts_add(&to->contexts, c->values));
}

static void carry_node(struct carrying *c, struct tally *to, const struct tally *from, size_t i,
		       uint32_t *nodes)
{
	const struct stack_node *n = &from->stacks.nodes[i];
	const struct stack_weight *w = &from->stacks.weights[i];

	if (n->parent == STACK_NONE)
		nodes[i] = carry_root(c, to, from, n->frame);
	else if (from->stacks.apart[i])
		nodes[i] = stacks_apart(&to->stacks, nodes[n->parent], carry_frame(c, n->frame));
	else
		nodes[i] = stacks_child(&to->stacks, nodes[n->parent], carry_frame(c, n->frame));
	if (w->self.samples)
		stack_weight_add(&to->stacks.weights[nodes[i]], w->self, w->first, w->first_task);
}

/* Finds the nodes that have a weight, or that have such nodes below them. */
static uint8_t *find_needed(const struct stacks *s)
{
	uint8_t *needed = xcalloc(s->n + 1, 1);

	for (size_t i = s->n; i-- > 0;) {
		needed[i] |= s->weights[i].self.samples > 0;
		if (needed[i] && s->nodes[i].parent != STACK_NONE)
			needed[s->nodes[i].parent] = 1;
	}
	return needed;
}

static void carry_tally(struct carrying *c, struct tally *to, const struct tally *from)
{
	_cleanup_(freep) uint8_t *needed = find_needed(&from->stacks);
	_cleanup_(freep) uint32_t *nodes = xcalloc(from->stacks.n + 1, sizeof(*nodes));

	for (size_t i = 0; i < from->stacks.n; i++)
		if (needed[i])
			carry_node(c, to, from, i, nodes);
	to->total = from->total;
	to->n_negative = from->n_negative;
	to->n_without = from->n_without;
	to->branches = from->branches;
}

void collector_carry(struct collector *to, const struct collector *from)
{
	const struct collector_worker *w = &from->workers[0];
	size_t n = frames_count(from->options.env->frames);
	_cleanup_(freep) uint32_t *frames = xcalloc(n + 1, sizeof(*frames));
	_cleanup_(freep)
		uint64_t *values = xcalloc(from->options.n_keys + N_HIDDEN, sizeof(*values));
	struct carrying c = { .to = to, .from = from, .frames = frames, .values = values };

	collector_reserve(&to->workers[0], w->n_tallies);
	to->random = from->random;
	for (size_t i = 0; i < w->n_tallies; i++)
		carry_tally(&c, &to->workers[0].tallies[i], &w->tallies[i]);
}
