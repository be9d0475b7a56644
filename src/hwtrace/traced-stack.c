/* SPDX-License-Identifier: MIT */
#include "hwtrace/traced-stack.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "hwtrace/decoder.h"

/*
 * Code that differs from the code that ran may recurse endlessly: the outer half is then dropped.
 */
#define DEPTH_MAX 65536

void traced_stack_init(struct traced_stack *s, size_t last_max)
{
	*s = (struct traced_stack){ .last_max = last_max };
	if (last_max)
		s->last = xcalloc(last_max, sizeof(s->last[0]));
}

void traced_stack_done(struct traced_stack *s)
{
	free(s->items);
	free(s->last);
}

void traced_stack_clear(struct traced_stack *s)
{
	s->n = 0;
}

static void traced_stack_push(struct traced_stack *s, uint64_t addr)
{
	if (s->n == DEPTH_MAX) {
		memmove(s->items, s->items + DEPTH_MAX / 2, DEPTH_MAX / 2 * sizeof(s->items[0]));
		s->n = DEPTH_MAX / 2;
	}
	*ARRAY_ADD(s) = addr;
}

/* Pops the stack up to @addr. A function may return past its callers: longjmp, exceptions. */
static void pop_to(struct traced_stack *s, uint64_t addr)
{
	for (size_t i = s->n; i > 0; i--)
		if (s->items[i - 1] == addr) {
			s->n = i - 1;
			return;
		}
}

static void traced_stack_remember(struct traced_stack *s, uint64_t from, uint64_t to)
{
	if (!s->last_max)
		return;
	s->last[s->at_last][0] = from;
	s->last[s->at_last][1] = to;
	s->at_last = (s->at_last + 1) % s->last_max;
	if (s->n_last < s->last_max)
		s->n_last++;
}

void traced_stack_branch(struct traced_stack *s, uint64_t from, uint64_t to, size_t length,
			 uint32_t flags)
{
	/* The program continues later at an interrupted instruction. */
	uint64_t back = flags & AUX_FLAG_ASYNC ? from : from + length;

	traced_stack_remember(s, from, to);
	if (flags & (AUX_FLAG_TRACE_BEGIN | AUX_FLAG_TRACE_END))
		return;
	/* A call of the next instruction only gets its own address. */
	if ((flags & AUX_FLAG_CALL) && to != back)
		traced_stack_push(s, back);
	else if (flags & AUX_FLAG_RETURN)
		pop_to(s, to);
}

static bool traced_stack_is_kernel(uint64_t addr)
{
	return addr >> 63;
}

size_t traced_stack_chain(const struct traced_stack *s, uint64_t ip, uint64_t *ret, size_t max)
{
	bool kernel = !traced_stack_is_kernel(ip);
	size_t n = 0;

	for (size_t i = s->n + 1; i > 0 && n < max; i--) {
		uint64_t addr = i > s->n ? ip : s->items[i - 1];

		if (traced_stack_is_kernel(addr) != kernel) {
			kernel = traced_stack_is_kernel(addr);
			ret[n++] = kernel ? PERF_CONTEXT_KERNEL : PERF_CONTEXT_USER;
		}
		if (n < max)
			ret[n++] = addr;
	}
	return n;
}

size_t traced_stack_last(const struct traced_stack *s, uint64_t *ret)
{
	for (size_t i = 0; i < s->n_last; i++) {
		size_t at = (s->at_last + s->last_max - 1 - i) % s->last_max;

		ret[3 * i] = s->last[at][0];
		ret[3 * i + 1] = s->last[at][1];
		ret[3 * i + 2] = 0;
	}
	return s->n_last;
}
