/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Stacks made by hand, and the rows of their functions.
 *
 * Functions have names of one letter and are in alphabetical order; capitals are in another image,
 * which comes later. Digits are unknown addresses: '7' is 0x7.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <ctype.h>
#include <stdlib.h>

#include "profile/frame-order.h"
#include "profile/report.h"
#include "symbol/symbol.h"

struct example_stacks {
	char names[128][2];
	struct symbol symbols[128];
	struct map maps[2];
	char images[2];
	char inlined; /* the function that is inlined */
	struct key_env env;
	struct report_options options;
	struct tally tally;
	struct frame_order order;
	struct report_rows rows;
	struct report_row row;
};

static inline uint32_t example_frame(struct example_stacks *m, char name)
{
	unsigned i = (unsigned char)name;
	struct location loc = { .addr = i, .image_addr = i };

	if (isdigit(name)) {
		loc.addr = loc.image_addr = i - '0';
	} else {
		m->names[i][0] = name;
		m->symbols[i] = (struct symbol){ .start = i,
						 .end = i + 1,
						 .name = m->names[i],
						 .is_inlined = name == m->inlined };
		loc.map = &m->maps[!!isupper(name)];
		loc.sym = &m->symbols[i];
	}
	return frames_add(m->env.frames, &loc, ADDRESS_USER, FRAME_OF_STACK);
}

static inline void example_stacks_init(struct example_stacks *m)
{
	*m = (struct example_stacks){ 0 };
	m->env.frames = frames_new(false);
	for (size_t i = 0; i < 2; i++)
		m->maps[i].image = (struct image *)(void *)&m->images[i];
	example_frame(m, 'a');
	example_frame(m, 'A');
}

/*
 * Adds a sample with @stack, the outermost first. The part behind a '+' was sampled apart from the
 * stack.
 */
static inline void example_sample(struct example_stacks *m, const char *stack, uint64_t period)
{
	struct stacks *s = &m->tally.stacks;
	uint32_t node = stacks_root(s, 0);

	for (; *stack && *stack != '+'; stack++)
		node = stacks_child(s, node, example_frame(m, *stack));
	if (*stack == '+')
		node = stacks_apart(s, node, example_frame(m, stack[1]));
	weight_add(&s->weights[node].self, (struct weight){ period, 1 });
	weight_add(&m->tally.total, (struct weight){ period, 1 });
}

/* Ends the samples. @children: callers have rows. */
static inline void example_settle(struct example_stacks *m, bool children)
{
	stacks_settle(&m->tally.stacks);
	frame_order_init(&m->order, m->env.frames, NULL, false);
	m->options = (struct report_options){ .env = &m->env, .children = children };
	m->rows = (struct report_rows){
		.options = &m->options,
		.tally = &m->tally,
		.next_self = calloc(m->tally.stacks.n, sizeof(uint32_t)),
		.next_node = calloc(m->tally.stacks.n, sizeof(uint32_t)),
		.shown = m->tally.total,
		.all = m->tally.total,
	};
}

static inline bool example_is_of(struct example_stacks *m, uint32_t node, const char *names)
{
	const struct stacks *s = &m->tally.stacks;
	bool is = false;

	for (const char *c = names; *c && !stacks_is_root(s, node); c++)
		is |= s->nodes[node].frame == example_frame(m, *c);
	return is;
}

static inline bool example_is_outermost(struct example_stacks *m, uint32_t node, const char *names)
{
	const struct stack_node *nodes = m->tally.stacks.nodes;

	while ((node = nodes[node].parent) != STACK_NONE)
		if (example_is_of(m, node, names))
			return false;
	return true;
}

/* Returns the row of the functions @names: of one, or of all that are in an image. */
static inline const struct report_row *example_row(struct example_stacks *m, const char *names)
{
	const struct stacks *s = &m->tally.stacks;

	m->row = (struct report_row){ .first_self = STACK_NONE, .first_node = STACK_NONE };
	for (uint32_t i = (uint32_t)s->n; i-- > 0;) {
		bool is_outermost;

		if (!example_is_of(m, i, names))
			continue;
		if (s->weights[i].self.samples) {
			m->rows.next_self[i] = m->row.first_self;
			m->row.first_self = i;
			weight_add(&m->row.self, s->weights[i].self);
		}
		if (!m->options.children)
			continue;
		is_outermost = example_is_outermost(m, i, names);
		if (is_outermost)
			weight_add(&m->row.total, s->weights[i].total);
		if (!s->apart[i] && (is_outermost || !m->options.rq.callers_first)) {
			m->rows.next_node[i] = m->row.first_node;
			m->row.first_node = i;
		}
	}
	return &m->row;
}

static inline void example_stacks_done(struct example_stacks *m)
{
	frame_order_done(&m->order);
	frames_free(m->env.frames);
	stacks_done(&m->tally.stacks);
	free(m->rows.next_self);
	free(m->rows.next_node);
}
