/* SPDX-License-Identifier: MIT */
#include "tools/data/stack-table.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

void stack_table_init(struct stack_table *t, const struct frames *frames, bool with_lines)
{
	*t = (struct stack_table){ 0 };
	code_table_init(&t->code, frames, with_lines);
	contexts_init(&t->items, 2);
}

void stack_table_done(struct stack_table *t)
{
	code_table_done(&t->code);
	contexts_done(&t->items);
	for (size_t i = 0; i < t->n_memos; i++)
		free(t->memos[i].of_node);
	free(t->memos);
	free(t->nodes.items);
}

/* The memo of @event, with room for @n nodes. */
static struct stack_memo *memo_of(struct stack_table *t, size_t event, size_t n)
{
	struct stack_memo *m;

	if (event >= t->n_memos) {
		t->memos = xrealloc(t->memos, (event + 1) * sizeof(*t->memos));
		memset(t->memos + t->n_memos, 0, (event + 1 - t->n_memos) * sizeof(*t->memos));
		t->n_memos = event + 1;
	}
	m = &t->memos[event];
	if (n > m->n) {
		size_t room = n + n / 2;

		m->of_node = xrealloc(m->of_node, room * sizeof(*m->of_node));
		memset(m->of_node + m->n, 0, (room - m->n) * sizeof(*m->of_node));
		m->n = room;
	}
	return m;
}

uint32_t stack_table_add(struct stack_table *t, size_t event, const struct stacks *s, uint32_t node)
{
	struct stack_memo *m = memo_of(t, event, s->n);
	uint32_t at = code_sampled_node(s, node), stack = 0;

	/* Outwards, up to what is known; then inwards. */
	t->nodes.n = 0;
	while (at != STACK_NONE && !m->of_node[at]) {
		*ARRAY_ADD(&t->nodes) = at;
		code_table_location(&t->code, s, at, &at);
	}
	if (at != STACK_NONE)
		stack = m->of_node[at];
	while (t->nodes.n) {
		uint32_t caller, here = t->nodes.items[--t->nodes.n];
		const uint64_t key[] = { stack, code_table_location(&t->code, s, here, &caller) };

		stack = contexts_add(&t->items, key) + 1;
		m->of_node[here] = stack;
	}
	return stack ? stack - 1 : CODE_NONE;
}

uint32_t stack_caller(const struct stack_table *t, uint32_t stack)
{
	uint64_t caller = contexts_get(&t->items, stack)[0];

	return caller ? (uint32_t)(caller - 1) : CODE_NONE;
}

uint32_t stack_location(const struct stack_table *t, uint32_t stack)
{
	return (uint32_t)contexts_get(&t->items, stack)[1];
}
