/* SPDX-License-Identifier: MIT */
#include "session/call-sites.h"

#include <stdlib.h>

#include "arch/arch.h"
#include "base/memory.h"
#include "dwarf/unwind/cfi-rules.h"
#include "session/call-chain.h"
#include "session/image-rules.h"
#include "session/internal.h"
#include "symbol/symbolizer.h"
#include "wire/attr.h"

bool stacks_are_unwound(const struct attr *attr)
{
	return attr->sample_type & PERF_SAMPLE_STACK_USER || attr->exclude_callchain_user;
}

enum inlines inlines_of(enum inlines which, const struct attr *attr)
{
	return which == INLINES_UNWOUND && !stacks_are_unwound(attr) ? INLINES_NONE : which;
}

void call_chain_mark_unwound(struct call_chain *c, const struct attr *attr)
{
	if (!stacks_are_unwound(attr))
		return;
	for (size_t i = 0; i < c->n; i++)
		c->items[i].is_return &= c->items[i].mode != ADDRESS_USER;
}

static const struct arch_convention *convention_of(const struct cfi_rules *rules)
{
	const struct arch *a = rules ? cfi_rules_arch(rules) : NULL;

	return a ? a->convention : NULL;
}

bool location_ends_handlers(const struct session *s, const struct location *loc)
{
	struct image *im = loc->map ? loc->map->image : NULL;
	struct cfi_rules *rules;

	if (!im || (image_kind(im) != IMAGE_VDSO && image_kind(im) != IMAGE_USER))
		return false;
	rules = image_rules_get(s->image_rules, im, NULL);
	return rules && cfi_rules_ends_handlers(rules, loc->image_addr);
}

/* True if there is a call directly before @ip of @pid. */
static bool follows_call(const struct session *s, uint32_t pid, uint64_t ip, uint64_t time)
{
	uint8_t code[ARCH_CALL_SIZE_MAX];
	const struct arch_convention *c;
	struct cfi_rules *rules;
	struct location loc;

	if (!machine_locate(s, pid, ADDRESS_USER, ip - 1, time, &loc) ||
	    image_kind(loc.map->image) != IMAGE_USER)
		return false;
	rules = image_rules_get(s->image_rules, loc.map->image, NULL);
	c = convention_of(rules);
	return c && loc.image_addr + 1 >= sizeof(code) &&
	       cfi_rules_code(rules, loc.image_addr + 1 - sizeof(code), code, sizeof(code)) ==
		       sizeof(code) &&
	       c->ends_call(code, sizeof(code));
}

#define PLACES 1024 /* a power of two */

/*
 * A cached answer: whether the code after the entry @ip was interrupted. It is not a caller then.
 */
struct call_place {
	uint64_t ip;
	struct span span;
	uint64_t generation; /* the machine's generation */
	uint32_t pid;
	uint8_t mode;
	bool is_known, interrupts;
};

void call_memo_done(struct call_memo *m)
{
	free(m->places);
	m->places = NULL;
}

static bool call_sites_ask(const struct session *s, const struct call_place *p, uint64_t time,
			   struct span *ret_span)
{
	struct location loc;

	if (p->mode == ADDRESS_USER)
		return machine_locate_span(s, p->pid, p->mode, p->ip, time, &loc, ret_span) &&
		       location_ends_handlers(s, &loc);
	return machine_resolve_span(s, p->pid, p->mode, p->ip, time, &loc, ret_span) && loc.sym &&
	       arch_is_exception_entry(loc.sym->name);
}

static bool call_sites_interrupts(struct call_memo *m, const struct session *s, uint32_t pid,
				  const struct chain_entry *e, uint64_t time)
{
	struct call_place *p;

	if (!m->places)
		m->places = xcalloc(PLACES, sizeof(*m->places));
	p = &m->places[(e->ip >> 2 ^ e->ip >> 12 ^ pid) & (PLACES - 1)];
	if (p->is_known && p->ip == e->ip && p->pid == pid && p->mode == e->mode &&
	    span_has(&p->span, time) && p->generation == machine_generation(s))
		return p->interrupts;
	*p = (struct call_place){ .ip = e->ip,
				  .generation = machine_generation(s),
				  .pid = pid,
				  .mode = (uint8_t)e->mode,
				  .is_known = true };
	p->interrupts = call_sites_ask(s, p, time, &p->span);
	return p->interrupts;
}

bool call_chain_is_call(struct call_chain *c, const struct session *s, uint32_t pid, uint64_t time,
			size_t i)
{
	const struct chain_entry *e = &c->items[i];

	if (!e->is_return || !e->ip)
		return false;
	if (!s->with_symbols)
		return true;
	/* A kernel frame after an exception is a caller like any other. */
	if (e->mode == ADDRESS_USER && call_sites_interrupts(&c->calls, s, pid, e, time))
		return false;
	if (!i || !call_sites_interrupts(&c->calls, s, pid, e - 1, time))
		return true;
	return e->mode == ADDRESS_USER && follows_call(s, pid, e->ip, time);
}

void call_chain_enter_calls(struct call_chain *c, const struct session *s, uint32_t pid,
			    uint64_t time)
{
	/* The loop begins at the outermost entry, because each check looks at the entry before. */
	for (size_t i = c->n; i-- > 0;) {
		struct chain_entry *e = &c->items[i];

		if (call_chain_is_call(c, s, pid, time, i))
			e->ip--;
		e->is_return = false;
	}
}
