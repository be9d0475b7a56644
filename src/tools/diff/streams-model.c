/* SPDX-License-Identifier: MIT */
#include "tools/diff/streams-model.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "profile/collector.h"
#include "profile/frames.h"
#include "symbol/source.h"
#include "symbol/symbol.h"

/* A node at which branches end, with its weight. */
struct diff_streams_candidate {
	uint32_t node;
	struct weight weight;
	uint64_t cycles;
	uint64_t first;
};

/* Returns the node at which the branches end. What was sampled after them is no branch. */
static uint32_t streams_end_of(const struct stacks *s, uint32_t node)
{
	return s->apart[node] ? s->nodes[node].parent : node;
}

static struct diff_streams_candidate *streams_sum_up(const struct tally *t, uint64_t *ret_whole)
{
	const struct stacks *s = &t->stacks;
	struct diff_streams_candidate *all = xcalloc(s->n + 1, sizeof(*all));
	uint64_t whole = 0;

	for (uint32_t i = 0; i < s->n && i < t->branch_sums.n; i++) {
		const struct stack_weight *w = &s->weights[i];
		struct diff_streams_candidate *c = &all[streams_end_of(s, i)];

		if (!t->branch_sums.items[i].n)
			continue;
		if (!c->weight.samples || w->first < c->first)
			c->first = w->first;
		c->node = streams_end_of(s, i);
		weight_add(&c->weight, w->self);
		c->cycles += t->branch_sums.items[i].cycles;
		whole += w->self.period;
	}
	*ret_whole = whole;
	return all;
}

static int compare_candidates(const void *x, const void *y)
{
	const struct diff_streams_candidate *a = x, *b = y;

	if (a->weight.period != b->weight.period)
		return a->weight.period > b->weight.period ? -1 : 1;
	return a->first < b->first ? -1 : a->first > b->first;
}

static bool is_branch(const struct tally *t, uint32_t node)
{
	const struct branch_note *n = node < t->notes.n ? &t->notes.items[node] : NULL;

	return n && (n->to || n->from) && t->stacks.nodes[node].parent != STACK_NONE;
}

static struct stream stream_of(const struct tally *t, const struct diff_streams_candidate *c)
{
	struct stream s = { .period = c->weight.period, .cycles = c->cycles / c->weight.samples };
	size_t room = 0;

	for (uint32_t i = c->node; i != STACK_NONE && is_branch(t, i);
	     i = t->stacks.nodes[i].parent) {
		s.frames = array_reserve(s.frames, &room, s.n + 1, sizeof(*s.frames));
		s.frames[s.n++] = t->stacks.nodes[i].frame;
	}
	return s;
}

void streams_find(struct streams *s, const struct tally *t)
{
	_cleanup_(freep) struct diff_streams_candidate *all = streams_sum_up(t, &s->whole);

	s->n = 0;
	qsort(all, t->stacks.n, sizeof(*all), compare_candidates);
	for (size_t i = 0; i < t->stacks.n && s->n < STREAMS_MAX && all[i].weight.samples; i++)
		s->items[s->n++] = stream_of(t, &all[i]);
}

void streams_done(struct streams *s)
{
	for (size_t i = 0; i < s->n; i++)
		free(s->items[i].frames);
	s->n = 0;
}

static bool streams_is_same_place(const struct frame *a, const struct frame *b)
{
	struct source_line x = { 0 }, y = { 0 };
	bool has_x, has_y;

	if (!a->sym || !b->sym)
		return !a->sym && !b->sym && a->ip == b->ip;
	if (strcmp(a->sym->name, b->sym->name) != 0)
		return false;
	has_x = frame_source_line(a, &x) && x.file;
	has_y = frame_source_line(b, &y) && y.file;
	if (has_x && has_y)
		return x.line == y.line && !strcmp(x.file, y.file);
	return has_x == has_y && a->addr - a->sym->start == b->addr - b->sym->start;
}

static bool is_same_stream(const struct stream *a, const struct stream *b, const struct frames *f)
{
	for (size_t i = 0; i < a->n && a->n == b->n; i++)
		if (a->frames[i] != b->frames[i] &&
		    !streams_is_same_place(frames_get(f, a->frames[i]),
					   frames_get(f, b->frames[i])))
			return false;
	return a->n == b->n;
}

void streams_match(const struct streams *a, const struct streams *b, const struct frames *frames,
		   size_t ret[STREAMS_MAX])
{
	bool taken[STREAMS_MAX] = { false };

	for (size_t i = 0; i < a->n; i++) {
		ret[i] = STREAM_NONE;
		for (size_t k = 0; k < b->n && ret[i] == STREAM_NONE; k++)
			if (!taken[k] && is_same_stream(&a->items[i], &b->items[k], frames))
				ret[i] = k;
		if (ret[i] != STREAM_NONE)
			taken[ret[i]] = true;
	}
}
