/* SPDX-License-Identifier: MIT */
#include "tools/kmem/page-callers-model.h"

#include <string.h>

#include "base/cleanup.h"
#include "session/consumer.h"
#include "session/machine.h"
#include "symbol/symbol.h"

#define NO  ((void *)1)
#define YES ((void *)2)

void page_callers_done(struct page_callers *c)
{
	u64_map_done(&c->is_allocator);
}

static bool kmem_page_callers_begins(const char *name, const char *with)
{
	return !strncmp(name, with, strlen(with));
}

static bool kmem_page_callers_ends(const char *name, const char *with)
{
	size_t n = strlen(name), m = strlen(with);

	return n >= m && !strcmp(name + n - m, with);
}

bool page_allocator_is(const char *name)
{
	const char *bare = name;

	for (int i = 0; i < 2 && *bare == '_'; i++)
		bare++;
	return kmem_page_callers_begins(bare, "alloc_page") ||
	       kmem_page_callers_begins(bare, "get_free_page") ||
	       kmem_page_callers_begins(bare, "get_zeroed_page") ||
	       kmem_page_callers_ends(name, "_noprof");
}

/*
 * True for a function between the tracepoint and its handler. A stack may begin with such
 * functions.
 */
static bool is_tracing(const char *name)
{
	return kmem_page_callers_begins(name, "__traceiter_") ||
	       kmem_page_callers_begins(name, "perf_trace_") ||
	       kmem_page_callers_begins(name, "bpf_") || kmem_page_callers_begins(name, "__bpf_") ||
	       kmem_page_callers_begins(name, "trace_");
}

static void *kmem_page_callers_look_up(const struct session *session, uint64_t addr, uint64_t time)
{
	struct location l;

	if (!machine_resolve(session, 0, ADDRESS_KERNEL, addr, time, &l) || !l.sym)
		return NO;
	return page_allocator_is(l.sym->name) || is_tracing(l.sym->name) ? YES : NO;
}

static bool is_allocator(struct page_callers *c, const struct session *session, uint64_t addr,
			 uint64_t time)
{
	void *answer = u64_map_find(&c->is_allocator, addr);

	if (!answer) {
		answer = kmem_page_callers_look_up(session, addr, time);
		u64_map_put(&c->is_allocator, addr, answer);
	}
	return answer == YES;
}

uint64_t page_callers_find(struct page_callers *c, const struct session *session,
			   const struct session_sample *s)
{
	const struct words *chain = &s->sample->chain;

	for (size_t i = 0; i < chain->n; i++) {
		uint64_t addr = words_get(chain, i);

		/* Markers separate the kernel's part from the user's part. */
		if (addr < PERF_CONTEXT_MAX && !is_allocator(c, session, addr, s->time))
			return addr;
	}
	return s->sample->ip;
}

uint64_t page_caller_of_frames(const uint64_t *frames, size_t n,
			       const char *(*name)(void *arg, uint64_t addr), void *arg)
{
	uint64_t without_allocator = 0;
	bool is_inside = false;

	for (size_t i = 0; i < n && frames[i]; i++) {
		const char *function = name(arg, frames[i]);

		if (function && page_allocator_is(function))
			is_inside = true;
		else if (is_inside)
			return frames[i];
		else if (!without_allocator && function && !is_tracing(function))
			without_allocator = frames[i];
	}
	return without_allocator;
}
