/* SPDX-License-Identifier: MIT */
#include "session/leaf-caller.h"

#include <stdlib.h>

#include "arch/arch.h"
#include "base/memory.h"
#include "dwarf/unwind/cfi-rules.h"
#include "session/call-sites.h"
#include "session/image-rules.h"
#include "session/internal.h"
#include "session/machine.h"
#include "symbol/symbolizer.h"

/* The machine of @sample; NULL: it is unknown, or has no link register. */
static const struct arch *leaf_caller_arch_of(const struct session *s, struct leaf_memo *m,
					      const struct sample *sample)
{
	const struct arch *a = sample_arch_find(&m->arch, s, sample->user_regs.mask);

	return a && a->registers && a->convention && a->registers->lr != ARCH_NO_REGISTER ? a
											  : NULL;
}

#define PLACES 2048 /* a power of two */

/* What is asked about code; each is looked up when it is asked for the first time. */
enum code_fact {
	IS_IN_LR = 1 << 0,          /* the return address is in the link register */
	HAS_CALLEE_RECORD = 1 << 1, /* cfi_rules_has_callee_record() */
	ENDS_HANDLERS = 1 << 2,     /* location_ends_handlers() */
};

/* What is known of the code at an address of @pid. */
struct leaf_place {
	struct location loc;
	struct span span;
	uint64_t generation; /* of the machine */
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
 * An address inside the call that returns to @lr. The return address may be signed (pointer
 * authentication): then the signature is in the bits above the address, whose number depends on
 * the kernel. The return address of a signal handler belongs to no call.
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
	 * unwound stack has the address in the call already. Right behind a call, the link
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
	/* Right before the call, which is one instruction, or right behind it. */
	if (!arch || (next != pc + arch->instruction_size && next != pc))
		return false;
	return sample_reg(&sample->user_regs, arch->registers->lr, &lr) &&
	       leaf_caller_has(s, arch, leaf_caller_place_at(s, m, sample->pid, pc, time),
			       HAS_CALLEE_RECORD);
}
