/* SPDX-License-Identifier: MIT */
#include "session/call-chain.h"

#include <stdlib.h>

#include "arch/arch.h"
#include "base/memory.h"
#include "dwarf/unwind/cfi-rules.h"
#include "session/call-sites.h"
#include "session/image-rules.h"
#include "session/internal.h"
#include "session/machine.h"
#include "session/stack-unwind.h"
#include "symbol/symbolizer.h"

void call_chain_done(struct call_chain *c)
{
	free(c->items);
	free(c->merged.items);
	leaf_memo_done(&c->memo);
	call_memo_done(&c->calls);
	stack_unwinder_free(c->unwinder);
	*c = (struct call_chain){ 0 };
}

bool call_chain_marker(uint64_t marker, enum address_mode *ret)
{
	switch (marker) {
	case PERF_CONTEXT_HV:
		*ret = ADDRESS_HYPERVISOR;
		return true;
	case PERF_CONTEXT_KERNEL:
		*ret = ADDRESS_KERNEL;
		return true;
	case PERF_CONTEXT_USER:
	case PERF_CONTEXT_USER_DEFERRED:
		*ret = ADDRESS_USER;
		return true;
	case PERF_CONTEXT_GUEST_KERNEL:
		*ret = ADDRESS_GUEST_KERNEL;
		return true;
	case PERF_CONTEXT_GUEST_USER:
		*ret = ADDRESS_GUEST_USER;
		return true;
	default:
		return false;
	}
}

static void call_chain_add(struct call_chain *c, uint64_t ip, enum address_mode mode)
{
	c->items[c->n++] = (struct chain_entry){ .ip = ip, .mode = mode };
}

/* Unwinds the user's part of the stack, if the kernel did not. */
static void add_unwound(struct call_chain *c, const struct session *s, const struct sample *sample,
			uint64_t time, size_t max)
{
	struct unwound u;

	if (!c->unwinder)
		c->unwinder = stack_unwinder_new();
	u = stack_unwind(c->unwinder, s, sample, time, max);
	c->items = array_reserve(c->items, &c->room, c->n + u.n, sizeof(*c->items));
	for (size_t i = 0; i < u.n; i++)
		call_chain_add(c, u.ips[i], ADDRESS_USER);
}

static void call_chain_add_cookie(struct call_chain *c, uint64_t cookie)
{
	call_chain_add(c, cookie, ADDRESS_UNKNOWN);
	c->items[c->n - 1].is_cookie = true;
}

static void session_call_chain_take(struct call_chain *c, const struct session *s,
				    const struct sample *sample, uint64_t time, size_t max)
{
	enum address_mode mode = address_mode_of(sample->misc);
	const struct words *chain = &sample->chain;
	bool seen_user = false;

	c->items = array_reserve(c->items, &c->room, chain->n + 1, sizeof(*c->items));
	c->n = 0;
	c->memo.span = SPAN_ALWAYS;
	for (size_t i = 0, n = 0; i < chain->n && n < max; i++) {
		uint64_t ip = words_get(chain, i);

		if (ip >= PERF_CONTEXT_MAX) {
			if (!call_chain_marker(ip, &mode))
				break;
			if (ip == PERF_CONTEXT_USER_DEFERRED && ++i < chain->n)
				call_chain_add_cookie(c, words_get(chain, i));
			continue;
		}
		call_chain_add(c, ip, mode);
		c->items[c->n - 1].is_return = c->n > 1 && c->items[c->n - 2].mode == mode;
		n++;
		if (mode != ADDRESS_USER || seen_user)
			continue;
		seen_user = true;
		if (n < max && leaf_caller(s, &c->memo, sample, i, time, &ip))
			call_chain_add(c, ip, mode);
		else if (leaf_next_is_callees(s, &c->memo, sample, i, time))
			i++;
	}
	if (!seen_user && stack_unwind_can(sample) && s->with_symbols)
		add_unwound(c, s, sample, time, max);
}

/*
 * Returns the chain up to its marker, followed by the deferred part for the cookie after it, if
 * that has come.
 */
static struct words call_chain_merge(struct call_chain *c, const struct session *s,
				     const struct sample *sample, size_t mark)
{
	const struct deferred_chain *rest = deferred_chains_find(
		&s->machine.deferred, sample->tid, words_get(&sample->chain, mark + 1));

	c->merged.n = 0;
	for (size_t i = 0; i < mark; i++)
		*ARRAY_ADD(&c->merged) = words_get(&sample->chain, i);
	*ARRAY_ADD(&c->merged) = PERF_CONTEXT_USER;
	for (size_t i = 0; rest && i < rest->n; i++)
		*ARRAY_ADD(&c->merged) = rest->ips[i];
	return (struct words){ .bytes = (const uint8_t *)c->merged.items, .n = c->merged.n };
}

/* Sets a flag. The cast is allowed because this flag is not part of the session's state. */
static void mark_taken(const struct session *s)
{
	atomic_bool *taken = &((struct session *)s)->takes_chains;

	if (!atomic_load_explicit(taken, memory_order_relaxed))
		atomic_store_explicit(taken, true, memory_order_relaxed);
}

void call_chain_take(struct call_chain *c, const struct session *s, const struct sample *sample,
		     uint64_t time, size_t max)
{
	size_t mark;

	if (max >= CHAIN_DEPTH_DEFAULT)
		mark_taken(s);
	if (s->events.defers && !s->keeps_cookies && deferred_chain_mark(&sample->chain, &mark)) {
		struct sample whole = *sample;

		whole.chain = call_chain_merge(c, s, sample, mark);
		session_call_chain_take(c, s, &whole, time, max);
	} else {
		session_call_chain_take(c, s, sample, time, max);
	}
}

/* Returns the machine of @sample; NULL: it is unknown, or has no link register. */
static const struct arch *leaf_caller_arch_of(const struct session *s, struct leaf_memo *m,
					      const struct sample *sample)
{
	const struct arch *a = sample_arch_find(&m->arch, s, sample->user_regs.mask);

	return a && a->registers && a->convention && a->registers->lr != ARCH_NO_REGISTER ? a
											  : NULL;
}

#define PLACES 2048 /* a power of two */

/* The facts about code that are looked up; each is looked up when it is first needed. */
enum code_fact {
	IS_IN_LR = 1 << 0,          /* the return address is in the link register */
	HAS_CALLEE_RECORD = 1 << 1, /* the result of cfi_rules_has_callee_record() */
	ENDS_HANDLERS = 1 << 2,     /* the result of location_ends_handlers() */
};

/* The known facts about the code at an address of @pid. */
struct leaf_place {
	struct location loc;
	struct span span;
	uint64_t generation; /* the machine's generation */
	uint32_t pid;
	bool is_known;
	uint8_t asked, facts; /* bits of enum code_fact */
};

void leaf_memo_done(struct leaf_memo *m)
{
	free(m->places);
}

static struct leaf_place *leaf_caller_find_place(const struct session *s, struct leaf_memo *m,
						 uint32_t pid, uint64_t addr, uint64_t time)
{
	struct leaf_place *p;

	if (!m->places)
		m->places = xcalloc(PLACES, sizeof(*m->places));
	p = &m->places[(addr >> 2 ^ addr >> 12 ^ pid) & (PLACES - 1)];
	if (p->is_known && p->loc.addr == addr && p->pid == pid && span_has(&p->span, time) &&
	    p->generation == machine_generation(s))
		return p;
	*p = (struct leaf_place){ .pid = pid,
				  .generation = machine_generation(s),
				  .is_known = true };
	machine_locate_span(s, pid, ADDRESS_USER, addr, time, &p->loc, &p->span);
	return p;
}

static struct leaf_place *leaf_caller_place_at(const struct session *s, struct leaf_memo *m,
					       uint32_t pid, uint64_t addr, uint64_t time)
{
	struct leaf_place *p = leaf_caller_find_place(s, m, pid, addr, time);

	span_since(&m->span, p->span.from);
	span_before(&m->span, p->span.until);
	return p;
}

static bool leaf_caller_ask(const struct session *s, const struct arch *arch,
			    const struct location *loc, enum code_fact fact)
{
	struct cfi_rules *rules;

	if (fact == ENDS_HANDLERS)
		return location_ends_handlers(s, loc);
	rules = loc->map ? image_rules_get(s->image_rules, loc->map->image, arch) : NULL;
	if (fact == HAS_CALLEE_RECORD)
		return rules && cfi_rules_has_callee_record(rules, loc->image_addr);
	return rules && cfi_rules_is_leaf(rules, loc->image_addr);
}

static bool leaf_caller_has(const struct session *s, const struct arch *arch, struct leaf_place *p,
			    enum code_fact fact)
{
	if (!(p->asked & fact)) {
		p->asked |= (uint8_t)fact;
		p->facts |= leaf_caller_ask(s, arch, &p->loc, fact) ? (uint8_t)fact : 0;
	}
	return p->facts & fact;
}

static bool leaf_caller_find_call(const struct session *s, struct leaf_memo *m,
				  const struct arch *arch, uint32_t pid, uint64_t lr, uint64_t time,
				  uint64_t *ret)
{
	struct leaf_place *p = leaf_caller_place_at(s, m, pid, lr, time);

	if (!p->loc.map)
		return false;
	*ret = leaf_caller_has(s, arch, p, ENDS_HANDLERS) ? lr : lr - 1;
	return true;
}

/*
 * Finds an address inside the call that returns to @lr. The return address may be signed (pointer
 * authentication); the signature is then in the bits above the address, whose number depends on the
 * kernel. The return address of a signal handler belongs to no call.
 */
static bool call_before(const struct session *s, struct leaf_memo *m, const struct arch *arch,
			uint32_t pid, uint64_t lr, uint64_t time, uint64_t *ret)
{
	const uint8_t *bits = arch->convention->address_bits;
	bool found = leaf_caller_find_call(s, m, arch, pid, lr, time, ret);

	for (; *bits && !found; bits++)
		found = leaf_caller_find_call(s, m, arch, pid, lr & UINT64_MAX >> (64 - *bits),
					      time, ret);
	return found;
}

bool leaf_caller(const struct session *s, struct leaf_memo *m, const struct sample *sample,
		 size_t i, uint64_t time, uint64_t *ret)
{
	uint64_t lr, call, pc = words_get(&sample->chain, i);
	const struct arch *arch;

	if (!s->with_symbols || !sample_regs_are_64(&sample->user_regs))
		return false;
	arch = leaf_caller_arch_of(s, m, sample);
	if (!arch || !sample_reg(&sample->user_regs, arch->registers->lr, &lr))
		return false;
	/*
	 * No caller is missing if the frame record has the same address, which is so for nearly
	 * half of all samples. Without a frame record, it is unknown whether there is a caller. An
	 * unwound stack has the address in the call already. Directly after a call, the link
	 * register holds that call's return address.
	 */
	if (i + 1 >= sample->chain.n || words_get(&sample->chain, i + 1) == lr || lr == pc)
		return false;
	if (!leaf_caller_has(s, arch, leaf_caller_place_at(s, m, sample->pid, pc, time),
			     IS_IN_LR) ||
	    !call_before(s, m, arch, sample->pid, lr, time, &call) ||
	    call == words_get(&sample->chain, i + 1))
		return false;
	*ret = call;
	return true;
}

bool leaf_next_is_callees(const struct session *s, struct leaf_memo *m, const struct sample *sample,
			  size_t i, uint64_t time)
{
	uint64_t lr, next, pc = words_get(&sample->chain, i);
	const struct arch *arch;

	if (!s->with_symbols || i + 1 >= sample->chain.n)
		return false;
	arch = leaf_caller_arch_of(s, m, sample);
	next = words_get(&sample->chain, i + 1);
	/*
	 * The program counter must be directly before the call, which is one instruction, or
	 * directly after it.
	 */
	if (!arch || (next != pc + arch->instruction_size && next != pc))
		return false;
	return sample_reg(&sample->user_regs, arch->registers->lr, &lr) &&
	       leaf_caller_has(s, arch, leaf_caller_place_at(s, m, sample->pid, pc, time),
			       HAS_CALLEE_RECORD);
}
