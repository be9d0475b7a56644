/* SPDX-License-Identifier: MIT */
#include "tools/trace/slowest-model.h"

#include <stdlib.h>

#include "base/memory.h"

struct trace_slowest {
	struct trace_slow_call *items; /* a heap, in which the fastest call is the first */
	size_t n, room;
	uint64_t added;
};

struct trace_slowest *trace_slowest_new(size_t n)
{
	struct trace_slowest *s = xcalloc(1, sizeof(*s));

	s->room = n;
	s->items = xcalloc(n + 1, sizeof(*s->items));
	return s;
}

void trace_slowest_free(struct trace_slowest *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->n; i++)
		free(s->items[i].text);
	free(s->items);
	free(s);
}

bool trace_slowest_wants(const struct trace_slowest *s, uint64_t ns)
{
	return s->n < s->room || (s->n && ns > s->items[0].ns);
}

/* True if @a is removed before @b. Among equal ones the later is removed first. */
static bool goes_before(const struct trace_slow_call *a, const struct trace_slow_call *b)
{
	return a->ns != b->ns ? a->ns < b->ns : a->order > b->order;
}

static void trace_slowest_swap(struct trace_slow_call *a, struct trace_slow_call *b)
{
	struct trace_slow_call kept = *a;

	*a = *b;
	*b = kept;
}

static void sift_up(struct trace_slowest *s, size_t i)
{
	for (; i && goes_before(&s->items[i], &s->items[(i - 1) / 2]); i = (i - 1) / 2)
		trace_slowest_swap(&s->items[i], &s->items[(i - 1) / 2]);
}

static void trace_slowest_sift_down(struct trace_slowest *s)
{
	size_t i = 0;

	for (;;) {
		size_t first = i;

		for (size_t child = 2 * i + 1; child <= 2 * i + 2 && child < s->n; child++)
			if (goes_before(&s->items[child], &s->items[first]))
				first = child;
		if (first == i)
			return;
		trace_slowest_swap(&s->items[i], &s->items[first]);
		i = first;
	}
}

void trace_slowest_add(struct trace_slowest *s, uint64_t ns, char *text)
{
	const struct trace_slow_call new = { ns, s->added++, text };

	if (s->n < s->room) {
		s->items[s->n] = new;
		sift_up(s, s->n++);
		return;
	}
	free(s->items[0].text);
	s->items[0] = new;
	trace_slowest_sift_down(s);
}

static int trace_slowest_compare(const void *a, const void *b)
{
	return goes_before(a, b) ? 1 : -1;
}

const struct trace_slow_call *trace_slowest_list(struct trace_slowest *s, size_t *ret_n)
{
	qsort(s->items, s->n, sizeof(*s->items), trace_slowest_compare);
	*ret_n = s->n;
	return s->items;
}
