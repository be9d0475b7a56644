/* SPDX-License-Identifier: MIT */
#include "session/stack-unwind.h"

#include <stdlib.h>

#include "arch/arch.h"
#include "arch/registers.h"
#include "base/memory.h"
#include "dwarf/unwind/frame-rules.h"
#include "dwarf/unwind/unwinder.h"
#include "session/internal.h"
#include "session/sample-arch.h"
#include "session/unwind-place.h"
#include "wire/sample.h"

/* A limit that applies in any case, because signal frames could form a circle. */
#define FRAMES_MAX 65536

/* The destinations of the registers of a mask. */
struct register_plan {
	const struct arch *arch;
	uint64_t mask; /* 0: none yet */
	uint64_t known;
	size_t n;
	uint8_t to[64]; /* DWARF's numbers, or PLAN_PC or PLAN_NOWHERE */
};

#define PLAN_PC      (CFI_REGISTERS + 0)
#define PLAN_NOWHERE (CFI_REGISTERS + 1)

struct stack_unwinder {
	struct unwind_places places;
	struct unwinder walk;
	struct unwind_registers first;
	struct sample_arch arch;
	struct register_plan plan;
	stack_read_fn *read;
	void *read_arg;
	bool copy_is_full;
	bool by_record; /* the current frame was found by a frame record */
	struct {
		uint64_t *items;
		size_t n, room;
	} ips;
};

struct stack_unwinder *stack_unwinder_new(void)
{
	return xcalloc(1, sizeof(struct stack_unwinder));
}

void stack_unwinder_free(struct stack_unwinder *u)
{
	if (!u)
		return;
	unwind_places_done(&u->places);
	unwinder_done(&u->walk);
	free(u->ips.items);
	free(u);
}

void stack_unwinder_read_with(struct stack_unwinder *u, stack_read_fn *read, void *arg)
{
	u->read = read;
	u->read_arg = arg;
}

bool stack_unwind_can(const struct sample *sample)
{
	return sample->stack && sample->user_regs.abi;
}

static void plan_registers(struct register_plan *p, const struct arch *arch, uint64_t mask)
{
	unsigned number;

	*p = (struct register_plan){ .arch = arch, .mask = mask };
	for (uint64_t left = mask; left; left &= left - 1) {
		unsigned reg = (unsigned)__builtin_ctzll(left);

		if (reg == arch_register_pc(arch)) {
			p->to[p->n++] = PLAN_PC;
		} else if (arch_register_dwarf(arch, reg, &number)) {
			p->to[p->n++] = (uint8_t)number;
			p->known |= (uint64_t)1 << number;
		} else {
			p->to[p->n++] = PLAN_NOWHERE;
		}
	}
}

/*
 * Takes the registers of @sample by their DWARF numbers. Returns false if there is no program
 * counter.
 */
static bool take_registers(struct stack_unwinder *u, const struct sample *sample,
			   const struct arch *arch)
{
	const struct sample_regs *regs = &sample->user_regs;
	struct register_plan *p = &u->plan;
	bool has_pc = false;

	if (p->mask != regs->mask || p->arch != arch)
		plan_registers(p, arch, regs->mask);
	if (p->n > regs->values.n)
		return false;
	for (size_t i = 0; i < p->n; i++) {
		uint64_t value = words_get(&regs->values, i);

		if (p->to[i] < CFI_REGISTERS) {
			u->first.values[p->to[i]] = value;
		} else if (p->to[i] == PLAN_PC) {
			u->first.pc = value;
			has_pc = true;
		}
	}
	u->first.known = p->known;
	return has_pc;
}

static void stack_unwind_add(struct stack_unwinder *u, uint64_t ip)
{
	if (u->ips.n == u->ips.room)
		u->ips.items = array_reserve(u->ips.items, &u->ips.room, u->ips.n + 1,
					     sizeof(uint64_t));
	u->ips.items[u->ips.n++] = ip;
}

/*
 * Returns the address to show. A caller is shown by an address inside its call; not every frame is
 * a caller.
 */
static uint64_t stack_unwind_shown(const struct unwind_frame *f, const struct unwind_place *p)
{
	return f->is_interrupted || p->rule.is_signal || p->is_entered ? f->pc : f->pc - 1;
}

static bool has_link_register(const struct stack_unwinder *u)
{
	return u->walk.convention->lr != ARCH_NO_REGISTER;
}

/*
 * Returns the place of the new frame. Its return address may be signed (pointer authentication);
 * the signature is then in the bits above the address, whose number depends on the kernel.
 */
static const struct unwind_place *stack_unwind_arrive(struct stack_unwinder *u)
{
	const uint8_t *bits = u->walk.convention->address_bits;
	struct unwind_frame *f = &u->walk.now;
	uint64_t pc = f->pc;
	const struct unwind_place *p = unwind_place_find(&u->places, pc, f->is_interrupted);

	if (p->kind != PLACE_NOWHERE || f->is_interrupted)
		return p;
	for (; *bits; bits++) {
		f->pc = pc & UINT64_MAX >> (64 - *bits);
		p = unwind_place_find(&u->places, f->pc, false);
		if (p->kind != PLACE_NOWHERE)
			return p;
	}
	f->pc = pc;
	return p;
}

/* True if @p, the new place, is directly after a call, or is where signal handlers return to. */
static bool is_returned_to(struct stack_unwinder *u, const struct unwind_place *p)
{
	return p->rule.is_signal || unwind_places_follow_call(&u->places, u->walk.now.pc);
}

/* Tries a guessed rule, and keeps the result only if it leads directly after a call. */
static bool try_rule(struct stack_unwinder *u, const struct unwind_rule *rule)
{
	struct unwind_frame before = u->walk.now;

	if (unwinder_step(&u->walk, rule) != UNWIND_STEPPED)
		return false;
	if (is_returned_to(u, stack_unwind_arrive(u))) {
		u->by_record = false;
		return true;
	}
	unwinder_step_back(&u->walk, &before);
	return false;
}

/* True if the frame record points to one further up. The outermost record does not. */
static bool stack_unwind_leads_on(const struct unwind_frame *to, const struct unwind_frame *from)
{
	return !to->fp || to->fp > from->fp;
}

/*
 * Steps by the frame record at the frame pointer, if one of its halves is plausible. Interpreters
 * jump with return addresses of their own, so there need not be a call; and callers may use the
 * frame pointer's register for something else.
 */
static bool try_record(struct stack_unwinder *u)
{
	struct unwinder *w = &u->walk;
	const struct unwind_rule rule = unwind_rule_by_record(w->convention);
	struct unwind_frame before = w->now;

	if (unwinder_step(w, &rule) != UNWIND_STEPPED)
		return false;
	if (stack_unwind_arrive(u)->kind != PLACE_NOWHERE &&
	    (stack_unwind_leads_on(&w->now, &before) ||
	     unwind_places_follow_call(&u->places, w->now.pc))) {
		u->by_record = true;
		return true;
	}
	unwinder_step_back(w, &before);
	return false;
}

/*
 * Tries the link register. Once a function has called another, the link register holds an address
 * in the function itself.
 */
static bool try_link_register(struct stack_unwinder *u)
{
	struct unwinder *w = &u->walk;
	const struct unwind_rule rule = unwind_rule_by_link_register(w->convention);
	uint64_t lr;

	return w->now.is_interrupted && unwinder_register(w, w->convention->lr, &lr) &&
	       !unwind_places_same_function(&u->places, w->now.pc, lr - 1) && try_rule(u, &rule);
}

static bool try_stack(struct stack_unwinder *u, size_t words)
{
	for (size_t i = 0; u->walk.now.is_interrupted && i < words; i++) {
		const struct unwind_rule rule = unwind_rule_by_stack(u->walk.convention, i);

		if (try_rule(u, &rule))
			return true;
	}
	return false;
}

/*
 * Guesses by registers on machines with a link register, where both the frame record and the link
 * register may hold the caller. If they are equal, the function has stored its record and called
 * nothing since. If they differ, it has called something since, or it has no record of its own; the
 * latter only if the link register leads into another function.
 */
static bool guess_by_registers(struct stack_unwinder *u)
{
	struct unwinder *w = &u->walk;
	struct unwind_frame before = w->now;
	uint64_t by_register;

	if (!try_link_register(u))
		return try_record(u);
	by_register = w->now.pc;
	unwinder_step_back(w, &before);
	if (!try_record(u))
		return try_link_register(u);
	if (w->now.pc == by_register ||
	    !unwind_places_other_function(&u->places, before.pc, by_register - 1))
		return true;
	unwinder_step_back(w, &before);
	return try_link_register(u);
}

/*
 * Guesses the caller of code without a rule. JIT compilers keep frame pointers; hand-written
 * functions in files often have no frame; linkers' stubs push up to two words.
 */
static bool stack_unwind_guess(struct stack_unwinder *u, enum place_kind kind)
{
	if (has_link_register(u))
		return guess_by_registers(u);
	if (kind == PLACE_FILE)
		return try_stack(u, 3) || try_record(u);
	return try_record(u) || try_stack(u, 1);
}

/* True if the frame pointer points to a record of zeroes. */
static bool has_empty_record(struct stack_unwinder *u)
{
	struct unwinder *w = &u->walk;
	const struct unwind_rule rule = unwind_rule_by_record(w->convention);
	struct unwind_frame before = w->now, next;

	if (unwinder_step(w, &rule) != UNWIND_STEPPED)
		return false;
	next = w->now;
	unwinder_step_back(w, &before);
	return !next.pc && !next.fp;
}

/*
 * True if the frame records show that the frame at @p is the outermost. A frame pointer of 0 alone
 * does not: code without frame pointers keeps the 0 with which a process begins.
 */
static bool ends_records(struct stack_unwinder *u, const struct unwind_place *p)
{
	const struct unwind_frame *f = &u->walk.now;

	if (p->kind == PLACE_GONE || !f->has_fp)
		return false;
	return f->fp ? has_empty_record(u) : p->is_entry || u->by_record;
}

/* A frame pointer that is further away than this points to no frame. */
#define FRAME_MAX ((uint64_t)8 << 20)

/* The smallest page size: a smaller frame has no page that its function has not touched. */
#define PAGE_MIN 4096

/*
 * True if the frame at @p, or the one before, may have pages that were never written to. The kernel
 * copies a stack up to the first page that does not exist.
 */
static bool may_be_untouched(const struct unwinder *w, const struct unwind_place *p)
{
	const struct unwind_rule *rule = &p->rule;
	uint64_t size = w->now.sp - w->memory.start - w->memory.size;

	if (size && size < FRAME_MAX)
		return true;
	if (rule->cfa_register == w->convention->sp)
		size = (uint64_t)(int64_t)rule->cfa_offset;
	else if (rule->cfa_register == w->convention->fp && w->now.has_fp)
		size = w->now.fp + (uint64_t)(int64_t)rule->cfa_offset - w->now.sp;
	else
		return false;
	return size > PAGE_MIN && size < FRAME_MAX;
}

/*
 * Returns why the copy ended. A copy that is not full ended with the stack itself, or before a page
 * that does not exist.
 */
static enum unwind_end why_beyond(const struct stack_unwinder *u, const struct unwind_place *p)
{
	if (u->copy_is_full)
		return UNWIND_CUT;
	return may_be_untouched(&u->walk, p) ? UNWIND_UNTOUCHED : UNWIND_LOST;
}

/* Returns why unwinding ended at @p, whose rule failed, or which has no rule. */
static enum unwind_end why_lost(const struct stack_unwinder *u, const struct unwind_place *p)
{
	const struct unwinder *w = &u->walk;
	bool is_unknown = p->rule.cfa_register == UNWIND_NO_REGISTER && !p->rule.detail;

	if (w->is_elsewhere)
		return UNWIND_OTHER_STACK;
	if (w->is_beyond && (!is_unknown || w->now.fp - w->now.sp < FRAME_MAX))
		return why_beyond(u, p);
	if (p->kind == PLACE_GONE || p->kind == PLACE_NOWHERE)
		return UNWIND_NO_FILE;
	return is_unknown ? UNWIND_NO_CFI : UNWIND_LOST;
}

/* Continues with a guess. */
static enum unwind_end step_by_guess(struct stack_unwinder *u)
{
	const struct unwind_frame *f = &u->walk.now;
	/* This is a copy, because the cache may drop its entry in the meantime. */
	const struct unwind_place p = *unwind_place_find(&u->places, f->pc, f->is_interrupted);

	if (stack_unwind_guess(u, p.kind))
		return UNWIND_NONE;
	return ends_records(u, &p) ? UNWIND_ROOT : why_lost(u, &p);
}

/* Steps from *@p to its caller. UNWIND_NONE: *@p is the new place. */
static enum unwind_end step_to_caller(struct stack_unwinder *u, const struct unwind_place **p)
{
	struct unwinder *w = &u->walk;
	struct unwind_frame before = w->now;
	bool is_entered = (*p)->is_entered, is_by_code = (*p)->is_by_code;
	bool returns_nowhere = false, by_record = u->by_record;
	enum unwind_end end;

	switch (unwinder_step(w, &(*p)->rule)) {
	case UNWIND_OUTERMOST:
		return UNWIND_ROOT;
	case UNWIND_NO_MEMORY:
		if (!is_entered)
			return why_lost(u, *p);
		break;
	case UNWIND_STEPPED:
		returns_nowhere = !w->now.pc;
		if (returns_nowhere && !is_by_code)
			return UNWIND_ROOT;
		*p = stack_unwind_arrive(u);
		u->by_record = false;
		if ((*p)->kind != PLACE_NOWHERE && (!is_by_code || is_returned_to(u, *p)))
			return UNWIND_NONE;
		u->by_record = by_record;
		unwinder_step_back(w, &before);
		break;
	case UNWIND_NO_RULE:
		break;
	}
	/* The function was not called, so it is the outermost. */
	if (is_entered)
		return UNWIND_ROOT;
	end = step_by_guess(u);
	if (end == UNWIND_NONE)
		*p = stack_unwind_arrive(u);
	return end != UNWIND_NONE && returns_nowhere ? UNWIND_ROOT : end;
}

static enum unwind_end stack_unwind_walk(struct stack_unwinder *u, size_t max)
{
	const struct unwind_place *p = stack_unwind_arrive(u);
	enum unwind_end end;

	stack_unwind_add(u, u->walk.now.pc);
	for (;;) {
		enum place_kind kind = p->kind;

		end = step_to_caller(u, &p);
		/* No thread begins in JIT code, so an end there means that unwinding went wrong. */
		if (end == UNWIND_ROOT && kind == PLACE_OTHER)
			return UNWIND_NO_CFI;
		if (end != UNWIND_NONE)
			return end;
		if (u->ips.n >= max || u->ips.n == FRAMES_MAX)
			return UNWIND_MAX;
		stack_unwind_add(u, stack_unwind_shown(&u->walk.now, p));
	}
}

/* Returns the copied memory. Without the stack pointer, the address of the copy is unknown. */
static struct unwind_memory memory_of(const struct stack_unwinder *u, const struct sample *sample,
				      uint8_t sp)
{
	uint64_t size = sample->stack_dyn_size;
	bool has_sp = u->first.known >> sp & 1;

	if (size > sample->stack_size)
		size = sample->stack_size;
	return (struct unwind_memory){
		.stack = sample->stack,
		.start = has_sp ? u->first.values[sp] : UINT64_MAX,
		.size = has_sp ? size : 0,
		.swap = sample->user_regs.values.swap,
		.read = u->read,
		.arg = u->read_arg,
	};
}

/*
 * Counts a stack. The cast is allowed because it is for counts, which have a lock and are not part
 * of the session's state.
 */
static void stack_unwind_count(const struct session *s, enum unwind_end end)
{
	struct unwind_tally *t = &((struct session *)s)->unwound;

	atomic_fetch_add_explicit(&t->stacks, 1, memory_order_relaxed);
	atomic_fetch_add_explicit(&t->ended[end], 1, memory_order_relaxed);
}

struct unwind_counts session_unwind_counts(const struct session *s)
{
	struct unwind_counts c = s->unwound_before;

	c.stacks += s->unwound.stacks;
	for (size_t i = 0; i < UNWIND_ENDS; i++)
		c.ended[i] += s->unwound.ended[i];
	return c;
}

void unwind_counts_add(struct unwind_counts *c, enum unwind_end end)
{
	if (end == UNWIND_NONE)
		return;
	c->stacks++;
	c->ended[end]++;
}

struct unwound stack_unwind(struct stack_unwinder *u, const struct session *s,
			    const struct sample *sample, uint64_t time, size_t max)
{
	const struct arch *arch = sample_arch_find(&u->arch, s, sample->user_regs.mask);
	const struct arch_convention *c = arch ? arch->convention : NULL;
	enum unwind_end end;

	if (!stack_unwind_can(sample) || !sample_regs_are_64(&sample->user_regs) || !c || !max ||
	    !take_registers(u, sample, arch))
		return (struct unwound){ .end = UNWIND_NONE };

	struct unwind_memory memory = memory_of(u, sample, c->sp);

	u->ips.n = 0;
	u->by_record = false;
	unwind_places_begin(&u->places, s, arch, sample->pid, time);
	unwinder_begin(&u->walk, c, &u->first, &memory);
	u->copy_is_full = memory.size == sample->stack_size;
	end = stack_unwind_walk(u, max);
	if (!memory.size && (end == UNWIND_LOST || end == UNWIND_UNTOUCHED) && u->walk.is_beyond)
		end = UNWIND_NONE;
	if (end != UNWIND_NONE)
		stack_unwind_count(s, end == UNWIND_MAX && max < UNWIND_REPORTED_MAX ? UNWIND_ROOT
										     : end);
	return (struct unwound){ .ips = u->ips.items, .n = u->ips.n, .end = end };
}
