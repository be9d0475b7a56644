/* SPDX-License-Identifier: MIT */
/*
 * Rules from the code around an interrupted instruction (arch/code-frame.h), if they differ from
 * CFI.
 */
#include "arch/arch.h"
#include "arch/code-frame.h"
#include "dwarf/unwind/cfi-rules-internal.h"
#include "dwarf/unwind/frame-rules.h"

/* True if @f starts without a frame. A cold part that the compiler moved away starts with one. */
static bool has_entry(const struct cfi_function *f, const struct arch_convention *c)
{
	const struct unwind_rule *first = &f->rows[0].rule;

	return f->n && !f->rows[0].start && first->cfa_register == c->sp && !first->cfa_offset &&
	       first->ra == UNWIND_SAME && first->fp == UNWIND_SAME && !first->is_signal;
}

/* Finds the frame at @offset, @at bytes from the start of @f, from the code before it. */
static bool frame_from_entry(struct cfi_rules *r, const struct cfi_function *f, uint64_t offset,
			     uint64_t at, struct code_frame *ret)
{
	uint8_t code[CODE_FRAME_SIZE_MAX];

	if (at > sizeof(code) || !has_entry(f, r->arch->convention) ||
	    cfi_rules_code(r, offset - at, code, at) != at)
		return false;
	return r->frames->from_entry(code, at, ret);
}

static size_t cfi_rules_read_code(void *arg, uint64_t offset, void *ret, size_t n)
{
	return cfi_rules_code(arg, offset, ret, n);
}

/*
 * Finds the frame at @offset from the code after it, up to the end of its function @f (NULL:
 * unknown).
 */
static bool frame_from_exit(struct cfi_rules *r, const struct cfi_function *f, uint64_t offset,
			    uint64_t at, struct code_frame *ret)
{
	uint8_t code[CODE_FRAME_SIZE_MAX];
	uint64_t left;
	size_t n;

	if (!f)
		return r->arch->convention->frame_by_walk(cfi_rules_read_code, r, offset, ret);
	left = f->end - f->start - at;
	n = cfi_rules_code(r, offset, code, left < sizeof(code) ? left : sizeof(code));
	return r->frames->from_exit(code, n, ret);
}

static struct unwind_rule cfi_rules_rule_of(const struct code_frame *f,
					    const struct arch_convention *c,
					    const struct unwind_rule *by_cfi)
{
	struct unwind_rule rule = *by_cfi;

	if (f->has_cfa) {
		rule.cfa_register = f->cfa_from_fp ? c->fp : c->sp;
		rule.cfa_offset = f->cfa_offset;
	} else if (rule.cfa_register == UNWIND_NO_REGISTER) {
		rule.cfa_register = c->sp;
		rule.cfa_offset = 0;
	}
	rule.ra_register = c->lr;
	rule.ra = f->ra_is_saved ? UNWIND_AT_CFA : UNWIND_SAME;
	rule.ra_offset = f->ra_is_saved ? f->ra_offset : 0;
	rule.fp = f->fp_is_saved ? UNWIND_AT_CFA : UNWIND_SAME;
	rule.fp_offset = f->fp_is_saved ? f->fp_offset : 0;
	return rule;
}

static bool cfi_rules_is_same(const struct unwind_rule *a, const struct unwind_rule *b)
{
	return a->cfa_register == b->cfa_register && a->cfa_offset == b->cfa_offset &&
	       a->ra_register == b->ra_register && a->ra == b->ra && a->fp == b->fp &&
	       (a->ra != UNWIND_AT_CFA || a->ra_offset == b->ra_offset) &&
	       (a->fp != UNWIND_AT_CFA || a->fp_offset == b->fp_offset);
}

/*
 * True if the frame is already freed before a tail call. In OCaml's CFI the CFA is then the stack
 * pointer, but the return address is still described as saved below it.
 */
static bool cfi_rules_is_gone(const struct unwind_rule *by_cfi, const struct arch_convention *c)
{
	return by_cfi->cfa_register == c->sp && !by_cfi->cfa_offset &&
	       by_cfi->ra == UNWIND_AT_CFA && by_cfi->ra_offset < 0;
}

/*
 * Finds the frame at @offset from the code around it. False: CFI is correct. CFI that counts from
 * the frame pointer is correct as long as the frame pointer is the function's own. CFI with a saved
 * return address is correct, too, even if the frame pointer is set later.
 */
static bool find_frame(struct cfi_rules *r, const struct cfi_place_of_code *code,
		       const struct unwind_rule *by_cfi, struct code_frame *ret)
{
	const struct arch_convention *c = r->arch->convention;
	const struct cfi_function *f = code->function;
	uint64_t offset = code->offset, at = code->at;

	if (cfi_rules_is_gone(by_cfi, c)) {
		*ret = (struct code_frame){ .has_cfa = true };
		return true;
	}
	if (by_cfi->cfa_register == c->fp)
		return frame_from_exit(r, f, offset, at, ret) && !ret->fp_is_saved;
	if (by_cfi->cfa_register != c->sp && by_cfi->cfa_register != UNWIND_NO_REGISTER)
		return false;
	return (f && frame_from_entry(r, f, offset, at, ret)) ||
	       (frame_from_exit(r, f, offset, at, ret) &&
		!(ret->is_being_built && by_cfi->ra == UNWIND_AT_CFA));
}

static bool is_misaligned(const struct arch *a, uint64_t offset)
{
	return a->instruction_size && offset % a->instruction_size;
}

/* Gives the rule for @code from its instructions. False: it is @by_cfi. */
static bool cfi_rules_differs(struct cfi_rules *r, const struct cfi_place_of_code *code,
			      const struct unwind_rule *by_cfi, struct unwind_rule *ret)
{
	struct code_frame frame;

	if ((code->function && !r->frames) || by_cfi->is_signal || by_cfi->ra == UNWIND_UNDEFINED ||
	    is_misaligned(r->arch, code->offset) || !find_frame(r, code, by_cfi, &frame))
		return false;
	*ret = cfi_rules_rule_of(&frame, r->arch->convention, by_cfi);
	return !cfi_rules_is_same(ret, by_cfi);
}

struct unwind_rule cfi_rules_running(struct cfi_rules *r, const struct cfi_place_of_code *code,
				     const struct unwind_rule *by_cfi)
{
	struct unwind_rule rule;

	return r->frames && cfi_rules_differs(r, code, by_cfi, &rule) ? rule : *by_cfi;
}

uint64_t cfi_rules_entry_reach(struct cfi_rules *r, const struct cfi_function *f, uint64_t offset)
{
	uint8_t code[CODE_FRAME_SIZE_MAX];
	uint64_t size = f->end - f->start;
	size_t n;

	if (!r->frames || !has_entry(f, r->arch->convention))
		return 0;
	n = cfi_rules_code(r, offset, code, size < sizeof(code) ? size : sizeof(code));
	return r->frames->entry_reach(code, n);
}

/* The amount of code in which the end of a rule's range is searched at a time. */
#define STRETCH_WINDOW ((size_t)2 * CODE_FRAME_SIZE_MAX)

/* Reads the code at @place, up to the end of its function. */
static size_t read_stretch(struct cfi_rules *r, const struct cfi_place_of_code *place, uint8_t *ret)
{
	uint64_t left = place->function->end - place->function->start - place->at;

	return cfi_rules_code(r, place->offset, ret, left < STRETCH_WINDOW ? left : STRETCH_WINDOW);
}

uint64_t cfi_rules_running_stretch(struct cfi_rules *r, const struct cfi_place_of_code *place,
				   uint64_t entry_reach, struct unwind_rule *rule)
{
	const struct arch_convention *c = r->arch->convention;
	bool is_near_entry = rule->cfa_register != c->fp && place->at <= entry_reach;
	uint8_t code[STRETCH_WINDOW];
	struct code_frame frame;
	uint64_t same, end;
	size_t n;

	if (!r->frames || rule->is_signal || rule->ra == UNWIND_UNDEFINED)
		return UINT64_MAX;
	if (is_misaligned(r->arch, place->offset))
		return 1;
	n = read_stretch(r, place, code);
	same = is_near_entry || cfi_rules_is_gone(rule, c) ? 0 : r->frames->exit_silence(code, n);
	if (same)
		return same;
	same = r->arch->instruction_size ? r->arch->instruction_size : 1;
	/* The first place for which the code before it shows nothing. */
	end = is_near_entry ? entry_reach - place->at + same : UINT64_MAX;
	if (!find_frame(r, place, rule, &frame))
		return same;
	*rule = cfi_rules_rule_of(&frame, c, rule);
	same += r->frames->idle(code, n);
	return same < end ? same : end;
}

/* True if code without CFI is followed. */
static bool follows_code(const struct cfi_rules *r)
{
	return r->arch && r->arch->convention && r->arch->convention->frame_by_walk;
}

/* Returns the rule for the code at @offset from its instructions, or @by_cfi. */
static const struct unwind_rule *ask_code(struct cfi_rules *r, uint64_t offset,
					  const struct unwind_rule *by_cfi)
{
	struct cfi_place_of_code code = { .offset = offset };
	struct unwind_rule rule, *copy;

	code.function = cfi_rules_function(r, offset, &code.at);
	if (!cfi_rules_differs(r, &code, by_cfi, &rule))
		return by_cfi;
	pthread_mutex_lock(&r->lock);
	copy = arena_alloc(&r->compiler.arena, sizeof(*copy));
	*copy = rule;
	pthread_mutex_unlock(&r->lock);
	return copy;
}

/* Remembers @value for @offset, unless another thread has done so. Returns the remembered value. */
static void *cfi_rules_remember(struct cfi_rules *r, struct shared_map *m, uint64_t offset,
				void *value)
{
	void *known;

	pthread_mutex_lock(&r->lock);
	known = shared_map_find(m, offset);
	if (!known)
		shared_map_put(m, offset, value);
	pthread_mutex_unlock(&r->lock);
	return known ? known : value;
}

const struct unwind_rule *cfi_rules_find_running(struct cfi_rules *r, uint64_t offset)
{
	const struct unwind_rule *rule;

	if (!r->frames) {
		rule = cfi_rules_find(r, offset);
		if (rule != &unwind_rule_unknown || !follows_code(r))
			return rule;
	}
	rule = shared_map_find(&r->running, offset);
	if (rule)
		return rule;
	rule = ask_code(r, offset, cfi_rules_find(r, offset));
	/* The map's values are not const, but this one is never changed. */
	return cfi_rules_remember(r, &r->running, offset, (void *)rule);
}

static enum callee_record callee_record(struct cfi_rules *r, uint64_t offset)
{
	uint8_t code[CALLEE_RECORD_SIZE];

	if (offset < sizeof(code) ||
	    cfi_rules_code(r, offset - sizeof(code), code, sizeof(code)) != sizeof(code))
		return CALLEE_RECORD_NONE;
	return r->frames->callee_record(code, sizeof(code));
}

bool cfi_rules_has_callee_record(struct cfi_rules *r, uint64_t offset)
{
	return r->frames && callee_record(r, offset) == CALLEE_RECORD_IN_USE;
}

#define NO  ((void *)(uintptr_t)1)
#define YES ((void *)(uintptr_t)2)

static bool ask_whether_leaf(struct cfi_rules *r, uint64_t offset)
{
	struct code_frame frame;
	struct cfi_function f;
	struct unwind_rule rule;
	uint64_t at;
	bool found = cfi_rules_glance(r, offset, &f, &at, &rule);

	if (rule.is_signal || rule.ra == UNWIND_UNDEFINED)
		return false;
	if (rule.ra == UNWIND_SAME && rule.ra_register == r->arch->convention->lr &&
	    rule.fp == UNWIND_SAME)
		return true;
	return frame_from_exit(r, found ? &f : NULL, offset, at, &frame) && !frame.ra_is_saved &&
	       !frame.fp_is_saved && callee_record(r, offset) == CALLEE_RECORD_NONE;
}

/* Returns the answer to @q about @offset: one kept in the file or in @m, or else that of @ask. */
static bool cfi_rules_answer(struct cfi_rules *r, struct shared_map *m, enum code_question q,
			     uint64_t offset, bool (*ask)(struct cfi_rules *, uint64_t))
{
	bool found;
	void *known;

	if (code_answers_find(&r->answers, offset, q, &found))
		return found;
	known = shared_map_find(m, offset);
	if (known)
		return known == YES;
	found = ask(r, offset);
	pthread_mutex_lock(&r->lock);
	if (!shared_map_find(m, offset)) {
		shared_map_put(m, offset, found ? YES : NO);
		code_answers_add(&r->answers, offset, q, found);
	}
	pthread_mutex_unlock(&r->lock);
	return found;
}

bool cfi_rules_is_leaf(struct cfi_rules *r, uint64_t offset)
{
	return r->frames && cfi_rules_answer(r, &r->leaves, CODE_IS_LEAF, offset, ask_whether_leaf);
}

static bool ask_whether_handlers_end(struct cfi_rules *r, uint64_t offset)
{
	uint8_t code[16];

	return cfi_rules_is_signal(r, offset) ||
	       unwind_is_sigreturn(r->arch->convention, code,
				   cfi_rules_code(r, offset, code, sizeof(code)));
}

bool cfi_rules_ends_handlers(struct cfi_rules *r, uint64_t offset)
{
	return r->arch && r->arch->convention &&
	       cfi_rules_answer(r, &r->ends, CODE_ENDS_HANDLERS, offset, ask_whether_handlers_end);
}
