/* SPDX-License-Identifier: MIT */
#include "view/sched/chain.h"

#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/memory.h"
#include "base/text.h"
#include "session/call-sites.h"
#include "session/consumer.h"
#include "symbol/symbolizer.h"

/* The size of the cache, a power of two. A kernel calls its scheduler from some hundred places. */
#define NAMES 4096

void sched_chain_done(struct sched_chain *c)
{
	call_chain_done(&c->chain);
	free(c->names);
}

static bool is_scheduler(const char *name)
{
	return !strcmp(name, "schedule") || !strcmp(name, "__schedule") ||
	       !strcmp(name, "preempt_schedule");
}

static bool sched_chain_is_hidden(const struct sched_chain *c, const char *name)
{
	return c->hidden ? !strcmp(name, c->hidden) : is_scheduler(name);
}

/*
 * Returns the function of entry @i. For a caller, it is that of the call, which precedes its
 * address.
 */
static const char *sched_chain_find_name(struct sched_chain *c, const struct session_sample *s,
					 size_t i, struct span *ret_span)
{
	const struct chain_entry *e = &c->chain.items[i];
	const struct symbol *sym, *call;
	struct location loc;

	if (!machine_locate_span(c->session, s->sample->pid, e->mode, e->ip, s->time, &loc,
				 ret_span))
		return NULL;
	sym = image_symbol_find(loc.map->image, loc.image_addr);
	if (e->is_return) {
		call = image_symbol_find(loc.map->image, loc.image_addr - 1);
		if (call && call != sym &&
		    call_chain_is_call(&c->chain, c->session, s->sample->pid, s->time, i))
			sym = call;
	}
	return sym ? sym->name : NULL;
}

/* Does the same, with a cache for addresses of the kernel. */
static const char *sched_chain_name_of(struct sched_chain *c, const struct session_sample *s,
				       size_t i)
{
	const struct chain_entry *e = &c->chain.items[i];
	struct sched_chain_name *kept;
	struct span span;

	if (e->mode != ADDRESS_KERNEL)
		return sched_chain_find_name(c, s, i, &span);
	if (!c->names)
		c->names = xcalloc(NAMES, sizeof(*c->names));
	/* Instructions that may follow a call are at least four bytes apart on most machines. */
	kept = &c->names[(e->ip >> 2 ^ e->ip >> 14) % NAMES];
	if (kept->ip != e->ip || kept->is_return != e->is_return || !span_has(&kept->span, s->time))
		*kept = (struct sched_chain_name){ .ip = e->ip, .is_return = e->is_return };
	else
		return kept->name;
	kept->name = sched_chain_find_name(c, s, i, &kept->span);
	return kept->name;
}

bool sched_chain_add(struct sched_chain *c, const struct session_sample *s, struct text *t)
{
	bool is_first = true;

	if (!s->sample->chain.n && !s->sample->stack_size)
		return false;
	call_chain_take(&c->chain, c->session, s->sample, s->time, (size_t)c->max_stack + 2);
	call_chain_mark_unwound(&c->chain, &s->event->attr);
	for (size_t i = 0; i < c->chain.n; i++) {
		const char *name = sched_chain_name_of(c, s, i);

		if (name && sched_chain_is_hidden(c, name))
			continue;
		text_add(t, is_first ? " " : " <- ");
		is_first = false;
		if (name)
			escape_terminal(t, name, strlen(name));
		else
			text_add(t, "[unknown]");
	}
	return true;
}
