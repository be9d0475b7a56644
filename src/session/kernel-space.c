/* SPDX-License-Identifier: MIT */
#include "session/kernel-space.h"

#include "session/machine.h"
#include "session/space.h"
#include "session/span.h"

void kernel_space_init(struct kernel_space *k, struct arena *a)
{
	*k = (struct kernel_space){ .modules = space_new(a), .jit = space_new(a) };
}

void kernel_space_done(struct kernel_space *k)
{
	space_done(k->modules);
	space_done(k->jit);
}

static void find_text_end(struct kernel_space *k)
{
	if (!k->text)
		return;

	uint64_t end = k->text->end > k->text->start ? k->text->end : UINT64_MAX;

	k->text_limit = space_next_start(k->modules, k->text->start, UINT64_MAX);
	k->text_end = k->text_limit < end ? k->text_limit : end;
}

void kernel_space_copy(struct kernel_space *to, const struct kernel_space *from,
		       struct space_copying *c)
{
	*to = *from;
	to->modules = space_copy(c, from->modules);
	to->jit = space_copy(c, from->jit);
	to->text = from->text ? c->map(c->arg, from->text) : NULL;
}

void kernel_space_text(struct kernel_space *k, const struct map *text)
{
	k->text = text;
	find_text_end(k);
}

void kernel_space_module(struct kernel_space *k, struct arena *a, const struct map *m,
			 struct moment at)
{
	space_lay(k->modules, a, m->start, m->end, m, at);
	find_text_end(k);
}

void kernel_space_made(struct kernel_space *k, struct arena *a, uint64_t start, uint64_t end,
		       const struct map *m, struct moment at)
{
	space_lay(k->jit, a, start, end, m, at);
}

const struct map *kernel_space_find(const struct kernel_space *k, uint64_t addr, struct moment at,
				    struct span *span)
{
	const struct map *m = space_find_span(k->modules, addr, at, span);

	if (!m)
		m = space_find_span(k->jit, addr, at, span);
	if (m)
		return m;
	if (!k->text || addr < k->text->start || addr >= k->text_end) {
		span_within(span, addr, addr + 1);
		return NULL;
	}
	span_within(span, k->text->start, k->text_end);
	return k->text;
}

const struct map *kernel_space_behind_text(const struct kernel_space *k, uint64_t addr)
{
	return k->text && addr >= k->text_end && addr < k->text_limit ? k->text : NULL;
}
