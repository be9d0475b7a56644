/* SPDX-License-Identifier: MIT */
#include "dwarf/unwind/unwinder.h"

#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "base/memory.h"
#include "dwarf/unwind/dwarf-expression.h"

/* A limit on time: finding a register may take an expression in each frame. */
#define EXPRESSIONS_MAX 256

/*
 * A signal frame is never larger than this, even with all of SVE, SME and AMX in it. It lies right
 * below the stack of the interrupted code, unless the handler has a stack of its own.
 */
#define SIGNAL_FRAME_MAX ((uint64_t)256 << 10)

/* The number of consecutive frames that may be empty. */
#define EMPTY_FRAMES_MAX 4

void unwinder_done(struct unwinder *u)
{
	free(u->passed);
}

void unwinder_begin(struct unwinder *u, const struct arch_convention *convention,
		    const struct unwind_registers *first, const struct unwind_memory *memory)
{
	u->convention = convention;
	u->memory = *memory;
	u->first = first;
	u->now = (struct unwind_frame){
		.pc = first->pc,
		.sp = first->values[convention->sp],
		.fp = first->values[convention->fp],
		.has_sp = first->known >> convention->sp & 1,
		.has_fp = first->known >> convention->fp & 1,
		.is_interrupted = true,
	};
	u->is_beyond = u->is_elsewhere = false;
	u->expressions = 0;
	u->n = 0;
}

/* Reads memory above the copy. Memory below it is no longer part of the stack. */
static bool read_beyond(struct unwinder *u, uint64_t addr, void *to, size_t n)
{
	const struct unwind_memory *m = &u->memory;

	if (addr < m->start)
		return false;
	if (m->read && m->read(m->arg, addr, to, n) >= 0)
		return true;
	u->is_beyond = true;
	return false;
}

static bool unwinder_read_bytes(struct unwinder *u, uint64_t addr, void *to, size_t n)
{
	const struct unwind_memory *m = &u->memory;
	uint64_t at = addr - m->start;

	if (at >= m->size || n > m->size - at)
		return read_beyond(u, addr, to, n);
	memcpy(to, m->stack + at, n);
	return true;
}

/*
 * Reads a word. Inline and of a constant size, because most of the time of unwinding is spent here.
 */
static inline bool read_word(struct unwinder *u, uint64_t addr, uint64_t *ret)
{
	const struct unwind_memory *m = &u->memory;
	uint64_t at = addr - m->start, word;

	if (at >= m->size || m->size - at < sizeof(word)) {
		if (!read_beyond(u, addr, &word, sizeof(word)))
			return false;
	} else {
		memcpy(&word, m->stack + at, sizeof(word));
	}
	*ret = m->swap ? __builtin_bswap64(word) : word;
	return true;
}

/* A frame whose registers an expression needs. */
struct unwinder_asked {
	struct unwinder *u;
	size_t at;
};

static bool register_at(struct unwinder *u, size_t at, uint64_t reg, uint64_t *ret);

static bool asked_register(void *arg, uint64_t reg, uint64_t *ret)
{
	const struct unwinder_asked *a = arg;

	return register_at(a->u, a->at, reg, ret);
}

static bool asked_memory(void *arg, uint64_t addr, unsigned size, uint64_t *ret)
{
	const struct unwinder_asked *a = arg;
	bool swap = a->u->memory.swap, big = (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__) != swap;
	uint8_t bytes[sizeof(uint64_t)] = { 0 };
	uint64_t value = 0;

	if (!size || size > sizeof(bytes) || !unwinder_read_bytes(a->u, addr, bytes, size))
		return false;
	for (unsigned i = 0; i < size; i++)
		value |= (uint64_t)bytes[big ? size - 1 - i : i] << 8 * i;
	*ret = value;
	return true;
}

/* Evaluates an expression of frame @at's rule, with *@first (unless NULL) on the stack. */
static bool unwinder_evaluate(struct unwinder *u, size_t at, const struct unwind_detail *d,
			      const struct cfi_place *p, const uint64_t *first, uint64_t *ret)
{
	struct unwinder_asked a = { u, at };
	const struct expression_env env = { asked_register, asked_memory, &a };
	const struct expression e = { p->expression, p->size, d->swap, d->is_64 };

	return u->expressions++ < EXPRESSIONS_MAX && expression_value(&e, &env, first, ret);
}

static const struct cfi_place *find_saved(const struct unwind_detail *d, uint64_t reg)
{
	for (size_t i = 0; d && i < d->n; i++)
		if (d->items[i].reg == reg)
			return &d->items[i].place;
	return NULL;
}

/* Gives the caller's value of a register, which frame @at saved at @p. */
static bool unwinder_value_at(struct unwinder *u, size_t at, const struct unwind_detail *d,
			      uint64_t cfa, const struct cfi_place *p, uint64_t *ret)
{
	uint64_t addr;

	switch (p->where) {
	case CFI_AT_CFA:
		return read_word(u, cfa + (uint64_t)p->offset, ret);
	case CFI_IS_CFA:
		*ret = cfa + (uint64_t)p->offset;
		return true;
	case CFI_REGISTER:
		return register_at(u, at, p->reg, ret);
	case CFI_AT_EXPRESSION:
		return unwinder_evaluate(u, at, d, p, &cfa, &addr) && read_word(u, addr, ret);
	case CFI_IS_EXPRESSION:
		return unwinder_evaluate(u, at, d, p, &cfa, ret);
	default:
		return false;
	}
}

/*
 * Gives the value of a register in frame @at: the one that the nearest inner frame saved, or, if
 * none did, the sampled one.
 */
static bool register_at(struct unwinder *u, size_t at, uint64_t reg, uint64_t *ret)
{
	const struct arch_convention *c = u->convention;

	if (reg >= CFI_REGISTERS)
		return false;
	for (; at > 0; at--) {
		const struct unwind_passed *f = &u->passed[at - 1];
		const struct cfi_place *p = find_saved(f->detail, reg);

		if (p && p->where != CFI_SAME)
			return unwinder_value_at(u, at - 1, f->detail, f->cfa, p, ret);
		if (reg == c->sp) {
			*ret = f->cfa;
			return true;
		}
	}
	*ret = u->first->values[reg];
	return u->first->known >> reg & 1;
}

bool unwinder_register(struct unwinder *u, uint64_t reg, uint64_t *ret)
{
	const struct arch_convention *c = u->convention;

	if (reg == c->sp) {
		*ret = u->now.sp;
		return u->now.has_sp;
	}
	if (reg == c->fp) {
		*ret = u->now.fp;
		return u->now.has_fp;
	}
	return register_at(u, u->n, reg, ret);
}

/*
 * Computes the CFA from a frame record. After a step by a frame record the stack pointer may be
 * unknown, because a record may lie anywhere in its frame. But the rule gives the place of the
 * record in the frame, and the frame pointer points to it.
 */
static bool cfa_by_record(const struct unwinder *u, const struct unwind_rule *rule, uint64_t *ret)
{
	if (!u->now.has_fp || rule->fp != UNWIND_AT_CFA)
		return false;
	*ret = u->now.fp - (uint64_t)(int64_t)rule->fp_offset;
	return true;
}

static bool find_cfa(struct unwinder *u, const struct unwind_rule *rule, uint64_t *ret)
{
	const struct arch_convention *c = u->convention;
	uint64_t base;

	if (rule->cfa_register == c->sp && !u->now.has_sp)
		return cfa_by_record(u, rule, ret);
	if (rule->cfa_register == UNWIND_NO_REGISTER)
		return rule->detail && rule->detail->cfa.where == CFI_IS_EXPRESSION &&
		       unwinder_evaluate(u, u->n, rule->detail, &rule->detail->cfa, NULL, ret);
	if (!unwinder_register(u, rule->cfa_register, &base))
		return false;
	*ret = base + (uint64_t)(int64_t)rule->cfa_offset;
	return true;
}

/*
 * True if the CFA is above the current frame. Stacks grow downwards, so callers lie above, unless a
 * signal interrupted another stack.
 */
static bool is_above(const struct unwinder *u, const struct unwind_rule *rule, uint64_t cfa)
{
	return rule->is_signal || cfa >= u->now.sp;
}

/*
 * True if a step makes progress. A frame may be empty: OCaml's caml_c_call keeps its return address
 * in x19. But the number of consecutive empty frames is limited, because two rules could lead to
 * each other forever.
 */
static bool is_progress(const struct unwinder *u, const struct unwind_rule *rule, uint64_t cfa,
			uint64_t pc)
{
	size_t empty = 0;

	if (rule->is_signal || cfa > u->now.sp)
		return true;
	while (empty < u->n && u->passed[u->n - 1 - empty].cfa == cfa)
		empty++;
	return pc != u->now.pc && empty < EMPTY_FRAMES_MAX;
}

/* Finds the caller's value of @reg, from the rule's detail. */
static enum unwind_step unwinder_find_other(struct unwinder *u, const struct unwind_rule *rule,
					    uint64_t cfa, uint8_t reg, uint64_t *ret)
{
	const struct cfi_place *p = find_saved(rule->detail, reg);

	if (!p)
		return UNWIND_NO_RULE;
	return unwinder_value_at(u, u->n, rule->detail, cfa, p, ret) ? UNWIND_STEPPED
								     : UNWIND_NO_MEMORY;
}

static enum unwind_step find_ra(struct unwinder *u, const struct unwind_rule *rule, uint64_t cfa,
				uint64_t *ret)
{
	switch (rule->ra) {
	case UNWIND_AT_CFA:
		return read_word(u, cfa + (uint64_t)(int64_t)rule->ra_offset, ret)
			       ? UNWIND_STEPPED
			       : UNWIND_NO_MEMORY;
	case UNWIND_UNDEFINED:
		return UNWIND_OUTERMOST;
	case UNWIND_SAME:
		/* A call has overwritten the register. */
		if (u->now.is_interrupted && unwinder_register(u, rule->ra_register, ret))
			return UNWIND_STEPPED;
		return UNWIND_NO_RULE;
	default:
		return unwinder_find_other(u, rule, cfa, rule->ra_register, ret);
	}
}

static bool find_fp(struct unwinder *u, const struct unwind_rule *rule, uint64_t cfa, uint64_t *ret)
{
	switch (rule->fp) {
	case UNWIND_AT_CFA:
		return read_word(u, cfa + (uint64_t)(int64_t)rule->fp_offset, ret);
	case UNWIND_SAME:
		*ret = u->now.fp;
		return u->now.has_fp;
	case UNWIND_UNDEFINED:
		return false;
	default:
		return unwinder_find_other(u, rule, cfa, u->convention->fp, ret) == UNWIND_STEPPED;
	}
}

static inline void unwinder_pass(struct unwinder *u, const struct unwind_rule *rule, uint64_t cfa)
{
	if (u->n == u->room)
		u->passed = array_reserve(u->passed, &u->room, u->n + 1, sizeof(u->passed[0]));
	u->passed[u->n++] = (struct unwind_passed){ rule->detail, cfa };
}

/*
 * Finds the caller's stack pointer. It is the CFA, with two exceptions. The rule of a signal frame
 * gives its place. And aarch64's PLT0 pushes the return address for the dynamic linker's resolver,
 * whose CFI does not count it: then the return address lies at or above the CFA.
 */
static bool find_sp(struct unwinder *u, const struct unwind_rule *rule, uint64_t cfa, uint64_t *ret)
{
	const struct cfi_place *p = rule->is_signal ? find_saved(rule->detail, u->convention->sp)
						    : NULL;

	*ret = cfa;
	if (p)
		return unwinder_value_at(u, u->n, rule->detail, cfa, p, ret);
	if (!rule->is_signal && rule->ra == UNWIND_AT_CFA && rule->ra_offset >= 0)
		*ret = cfa + (uint64_t)rule->ra_offset + sizeof(uint64_t);
	return true;
}

/*
 * Handles the common case: the CFA is counted from sp or fp, and registers were saved in memory or
 * not changed. False: another case, or it fails; @u is unchanged.
 */
static inline bool step_common(struct unwinder *u, const struct unwind_rule *rule)
{
	const struct arch_convention *c = u->convention;
	struct unwind_frame next = u->now;
	uint64_t cfa = (uint64_t)(int64_t)rule->cfa_offset;

	if (rule->cfa_register == c->sp && u->now.has_sp)
		cfa += u->now.sp;
	else if (rule->cfa_register == c->fp && u->now.has_fp)
		cfa += u->now.fp;
	else
		return false;
	if (rule->ra != UNWIND_AT_CFA || rule->ra_offset >= 0 || rule->is_signal ||
	    cfa <= u->now.sp)
		return false;
	if (!read_word(u, cfa + (uint64_t)(int64_t)rule->ra_offset, &next.pc))
		return false;
	if (rule->fp == UNWIND_AT_CFA
		    ? !read_word(u, cfa + (uint64_t)(int64_t)rule->fp_offset, &next.fp)
		    : rule->fp != UNWIND_SAME)
		return false;
	next.sp = cfa;
	next.has_sp = !rule->hides_sp;
	next.has_fp |= rule->fp == UNWIND_AT_CFA;
	next.is_interrupted = false;
	u->now = next;
	unwinder_pass(u, rule, cfa);
	return true;
}

static enum unwind_step step_any(struct unwinder *u, const struct unwind_rule *rule)
{
	struct unwind_frame next = { .is_interrupted = rule->is_signal };
	uint64_t from = u->now.sp, cfa;
	enum unwind_step step;

	u->is_beyond = false;
	if (rule->ra == UNWIND_UNDEFINED)
		return UNWIND_OUTERMOST;
	if (!find_cfa(u, rule, &cfa))
		return u->is_beyond ? UNWIND_NO_MEMORY : UNWIND_NO_RULE;
	if (!is_above(u, rule, cfa))
		return UNWIND_NO_RULE;
	step = find_ra(u, rule, cfa, &next.pc);
	if (step != UNWIND_STEPPED)
		return step;
	if (!is_progress(u, rule, cfa, next.pc))
		return UNWIND_NO_RULE;
	next.has_fp = find_fp(u, rule, cfa, &next.fp);
	next.has_sp = find_sp(u, rule, cfa, &next.sp) && !rule->hides_sp;
	unwinder_pass(u, rule, cfa);
	u->now = next;
	/*
	 * The handler has a stack of its own; the interrupted one may have changed since the
	 * sample. The CFA does not show this: that of x86_64's signal frames is the interrupted sp.
	 */
	if (rule->is_signal && next.sp - u->memory.start >= u->memory.size) {
		u->memory.read = NULL;
		u->is_elsewhere = next.sp - from > SIGNAL_FRAME_MAX;
	}
	return UNWIND_STEPPED;
}

enum unwind_step unwinder_step(struct unwinder *u, const struct unwind_rule *rule)
{
	return step_common(u, rule) ? UNWIND_STEPPED : step_any(u, rule);
}

void unwinder_step_back(struct unwinder *u, const struct unwind_frame *frame)
{
	u->now = *frame;
	u->n--;
}
