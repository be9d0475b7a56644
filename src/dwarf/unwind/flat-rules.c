/* SPDX-License-Identifier: MIT */
#include "dwarf/unwind/flat-rules.h"

#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "base/memory.h"
#include "dwarf/unwind/cfi-rules-internal.h"
#include "dwarf/unwind/dwarf-expression.h"
#include "dwarf/unwind/frame-rules.h"

void flat_rules_done(struct flat_rules *r)
{
	free(r->items);
	free(r->slots);
	*r = (struct flat_rules){ 0 };
}

void flat_rows_done(struct flat_rows *r)
{
	free(r->items);
	*r = (struct flat_rows){ 0 };
}

/* Returns a hash. Rules are four words of 32 bits. */
static size_t flat_rules_hash_of(const struct flat_rule *rule)
{
	uint32_t words[sizeof(*rule) / sizeof(uint32_t)];
	uint64_t h = 0;

	memcpy(words, rule, sizeof(words));
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		h = (h ^ words[i]) * 0x9e3779b97f4a7c15u;
	return (size_t)(h >> 32);
}

static void flat_rules_add(struct flat_rules *r, const struct flat_rule *rule)
{
	if (r->n == r->room)
		r->items = array_reserve(r->items, &r->room, r->n + 1, sizeof(r->items[0]));
	r->items[r->n++] = *rule;
}

/* Makes the table for the maximum number of rules: half a megabyte. */
static void flat_rules_begin(struct flat_rules *r)
{
	const struct flat_rule cannot = { .kind = FLAT_CANNOT };

	r->n_slots = (size_t)2 * FLAT_RULES_MAX;
	r->slots = xcalloc(r->n_slots, sizeof(r->slots[0]));
	flat_rules_number(r, &cannot);
}

uint32_t flat_rules_number(struct flat_rules *r, const struct flat_rule *rule)
{
	if (!r->slots)
		flat_rules_begin(r);
	for (size_t at = flat_rules_hash_of(rule);; at++) {
		uint32_t *slot = &r->slots[at & (r->n_slots - 1)];

		if (*slot && !memcmp(&r->items[*slot - 1], rule, sizeof(*rule)))
			return *slot - 1;
		if (*slot)
			continue;
		if (r->n == FLAT_RULES_MAX)
			return 0;
		flat_rules_add(r, rule);
		*slot = (uint32_t)r->n;
		return *slot - 1;
	}
}

/* Replaces the registers and the memory of a program during the analysis of an expression. */
struct trial {
	const struct arch_convention *convention;
	uint64_t sp, fp, pc;
	uint64_t read_at; /* 0: no memory was read */
	bool read_again;
};

/* The contents of memory in a trial: a value that has no other origin. */
#define TRIAL_WORD 0x5a5a1234deadbee8u

static bool trial_register(void *arg, uint64_t reg, uint64_t *ret)
{
	const struct trial *t = arg;
	const struct arch_convention *c = t->convention;

	*ret = reg == c->sp ? t->sp : reg == c->fp ? t->fp : t->pc;
	return reg == c->sp || reg == c->fp || reg == c->pc;
}

static bool trial_memory(void *arg, uint64_t addr, unsigned size, uint64_t *ret)
{
	struct trial *t = arg;

	t->read_again |= t->read_at != 0;
	t->read_at = addr;
	*ret = TRIAL_WORD;
	return size == sizeof(uint64_t);
}

/*
 * The origin of an expression's value: a register plus an offset, or the word there, to which
 * something may be added.
 */
struct flat_rules_source {
	bool is_word, from_fp;
	int32_t offset, added;
};

/* True if @value is an offset from @base that fits. */
static bool flat_rules_is_near(uint64_t value, uint64_t base, int32_t *ret)
{
	int64_t d = (int64_t)(value - base);

	*ret = (int32_t)d;
	return d > -(1 << 28) && d < 1 << 28;
}

/*
 * Evaluates the expression of @p at @addr with invented registers, to find the origin of its value.
 * The stubs of the PLT on x86_64 count from sp, depending on the position of the pc in the stub; a
 * realigned frame has its CFA in memory, or the stack pointer of the caller (OpenSSL's assembly).
 */
static bool try_expression(const struct unwind_detail *d, const struct cfi_place *p,
			   const struct arch_convention *c, uint64_t addr,
			   struct flat_rules_source *ret)
{
	struct trial t = {
		.convention = c, .sp = (uint64_t)1 << 40, .fp = (uint64_t)3 << 40, .pc = addr
	};
	const struct expression_env env = { trial_register, trial_memory, &t };
	const struct expression e = { p->expression, p->size, d->swap, d->is_64 };
	uint64_t value;

	if (!expression_value(&e, &env, NULL, &value) || t.read_again)
		return false;
	ret->is_word = t.read_at;
	ret->added = 0;
	if (ret->is_word && (!flat_rules_is_near(value, TRIAL_WORD, &ret->added) ||
			     ret->added != (int8_t)ret->added))
		return false;
	if (ret->is_word)
		value = t.read_at;
	ret->from_fp = !flat_rules_is_near(value, t.sp, &ret->offset);
	return !ret->from_fp || flat_rules_is_near(value, t.fp, &ret->offset);
}

static bool flat_rules_set_cfa(struct flat_rule *to, const struct unwind_rule *rule,
			       const struct arch_convention *c, uint64_t addr)
{
	const struct unwind_detail *d = rule->detail;
	struct flat_rules_source s;

	to->cfa_offset = rule->cfa_offset;
	to->cfa = rule->cfa_register == c->fp ? FLAT_CFA_FP : FLAT_CFA_SP;
	if (rule->cfa_register == c->sp || rule->cfa_register == c->fp)
		return true;
	if (rule->cfa_register != UNWIND_NO_REGISTER || !d || d->cfa.where != CFI_IS_EXPRESSION ||
	    !try_expression(d, &d->cfa, c, addr, &s))
		return false;
	to->cfa = s.is_word ? (s.from_fp ? FLAT_CFA_AT_FP : FLAT_CFA_AT_SP)
			    : (s.from_fp ? FLAT_CFA_FP : FLAT_CFA_SP);
	to->cfa_offset = s.offset;
	to->cfa_added = (int8_t)s.added;
	return true;
}

static bool set_ra(struct flat_rule *to, const struct unwind_rule *rule,
		   const struct arch_convention *c)
{
	to->ra = rule->ra == UNWIND_AT_CFA ? FLAT_RA_AT_CFA : FLAT_RA_LINK;
	to->ra_offset = rule->ra == UNWIND_AT_CFA ? rule->ra_offset : 0;
	return rule->ra == UNWIND_AT_CFA ||
	       (rule->ra == UNWIND_SAME && c->lr != ARCH_NO_REGISTER && rule->ra_register == c->lr);
}

/* Sets the frame pointer, if the rule's detail describes it. */
static void set_other_fp(struct flat_rule *to, const struct unwind_detail *d,
			 const struct arch_convention *c, uint64_t addr)
{
	const struct cfi_place *p = NULL;
	struct flat_rules_source s;

	for (size_t i = 0; d && i < d->n && !p; i++)
		if (d->items[i].reg == c->fp)
			p = &d->items[i].place;
	if (!p || p->where != CFI_AT_EXPRESSION || !try_expression(d, p, c, addr, &s) ||
	    s.is_word || !s.from_fp)
		return;
	to->fp = FLAT_FP_AT_FP;
	to->fp_offset = s.offset;
}

static void set_fp(struct flat_rule *to, const struct unwind_rule *rule,
		   const struct arch_convention *c, uint64_t addr)
{
	to->fp = FLAT_FP_LOST;
	if (rule->fp == UNWIND_SAME)
		to->fp = FLAT_FP_SAME;
	if (rule->fp == UNWIND_AT_CFA) {
		to->fp = FLAT_FP_AT_CFA;
		to->fp_offset = rule->fp_offset;
	}
	if (rule->fp == UNWIND_OTHER)
		set_other_fp(to, rule->detail, c, addr);
}

struct flat_rule flat_rule_of(const struct unwind_rule *rule, const struct arch *arch,
			      uint64_t addr)
{
	const struct arch_convention *c = arch->convention;
	struct flat_rule to = { .kind = FLAT_FRAME };

	if (rule->is_signal)
		return (struct flat_rule){ .kind = FLAT_SIGNAL };
	if (rule->ra == UNWIND_UNDEFINED)
		return (struct flat_rule){ .kind = FLAT_END };
	if (rule->hides_sp || !flat_rules_set_cfa(&to, rule, c, addr) || !set_ra(&to, rule, c))
		return (struct flat_rule){ .kind = FLAT_CANNOT };
	set_fp(&to, rule, c, addr);
	return to;
}

/* The state of a compilation. */
struct flat_rules_compiling {
	struct cfi_rules *of;
	const struct arch *arch;
	enum flat_table table;
	const struct cfi_function *function; /* the last one found, and the offset of its start */
	uint64_t start, entry_reach;
};

/* A rule and the offset up to which it is valid. */
struct flat_rules_stretch {
	struct flat_rule rule;
	uint64_t until;
};

static uint64_t flat_rules_unit_of(const struct flat_rules_compiling *c)
{
	return c->arch->instruction_size ? c->arch->instruction_size : 1;
}

static uint64_t flat_rules_link_address(const struct flat_rules_compiling *c, uint64_t offset)
{
	uint64_t addr;

	return elf_file_address(c->of->file, offset, &addr) ? addr : offset;
}

static bool flat_rules_is_sigreturn(const struct flat_rules_compiling *c, uint64_t offset)
{
	uint8_t code[16];
	size_t n = cfi_rules_code(c->of, offset, code, sizeof(code));

	return unwind_is_sigreturn(c->arch->convention, code, n);
}

/*
 * True if the pc is after the last instruction of a signal's return, while the kernel handles it.
 */
static bool is_behind_signal(const struct flat_rules_compiling *c, uint64_t offset)
{
	return c->table == FLAT_RUNNING && offset && cfi_rules_find(c->of, offset - 1)->is_signal;
}

/*
 * Returns the rule for code without information, such as the code that calls main() in musl, which
 * does not return. Where functions keep frame records, one without a return address is the
 * outermost.
 */
static struct flat_rule rule_of_record(const struct flat_rules_compiling *c)
{
	const struct arch_convention *v = c->arch->convention;

	if (c->table != FLAT_CALLERS || !v->code)
		return (struct flat_rule){ .kind = FLAT_CANNOT };
	return (struct flat_rule){ .kind = FLAT_END_RECORD,
				   .ra_offset = v->record.cfa + v->record.ra };
}

/* Returns the rule for code without CFI, at @pc. */
static struct flat_rule rule_of_gap(const struct flat_rules_compiling *c, uint64_t pc)
{
	const struct cfi_place_of_code code = { .offset = pc };
	struct unwind_rule rule;

	if (flat_rules_is_sigreturn(c, pc) || is_behind_signal(c, pc))
		return (struct flat_rule){ .kind = FLAT_SIGNAL };
	if (c->arch->convention->code) {
		rule = cfi_rules_running(c->of, &code, &unwind_rule_unknown);
		/* A call has overwritten a value that was still in a register. */
		if (rule.ra == UNWIND_AT_CFA ||
		    (c->table == FLAT_RUNNING && rule.ra == UNWIND_SAME))
			return flat_rule_of(&rule, c->arch, flat_rules_link_address(c, pc));
	}
	if (cfi_rules_is_entry(c->of, pc))
		return (struct flat_rule){ .kind = FLAT_END_NO_FP };
	return rule_of_record(c);
}

/* True if a function begins at @pc, without a call before it that could return there. */
static bool flat_rules_is_entered(const struct flat_rules_compiling *c, uint64_t pc)
{
	uint8_t code[ARCH_CALL_SIZE_MAX];

	if (!cfi_rules_begins(c->of, pc))
		return false;
	return pc < sizeof(code) ||
	       cfi_rules_code(c->of, pc - sizeof(code), code, sizeof(code)) != sizeof(code) ||
	       !c->arch->convention->ends_call(code, sizeof(code));
}

/*
 * Returns the rule for a function that begins at @pc and was put there as a return address, as
 * makecontext() does. The value that a call would have put into its link register is not known, so
 * it is the outermost function.
 */
static struct flat_rule rule_of_entered(const struct flat_rules_compiling *c, uint64_t pc)
{
	struct cfi_place_of_code code = { .offset = pc };
	const struct cfi_function_row *row;
	struct unwind_rule rule;
	struct flat_rule flat;

	code.function = cfi_rules_function(c->of, pc, &code.at);
	row = cfi_function_row(code.function, code.at);
	rule = row ? row->rule : unwind_rule_unknown;
	if (c->arch->convention->code)
		rule = cfi_rules_running(c->of, &code, &rule);
	flat = flat_rule_of(&rule, c->arch, flat_rules_link_address(c, pc));
	if (flat.kind == FLAT_END || (flat.kind == FLAT_FRAME && flat.ra == FLAT_RA_LINK))
		return (struct flat_rule){ .kind = FLAT_END_ENTERED };
	return flat.kind == FLAT_SIGNAL ? flat : (struct flat_rule){ .kind = FLAT_CANNOT };
}

/* Returns the rule for code at @at in the function @f, whose offset is @offset. */
static struct flat_rules_stretch stretch_of_function(const struct flat_rules_compiling *c,
						     const struct cfi_function *f, uint64_t offset,
						     uint64_t at)
{
	const struct cfi_function_row *row = cfi_function_row(f, at);
	const struct cfi_place_of_code code = { f, offset, at };
	uint64_t end = f->end - f->start, same = UINT64_MAX;
	struct unwind_rule rule = row ? row->rule : unwind_rule_unknown;

	if (row && row + 1 < f->rows + f->n && row[1].start < end)
		end = row[1].start;
	if (c->table == FLAT_RUNNING && c->arch->convention->code)
		same = cfi_rules_running_stretch(c->of, &code, c->entry_reach, &rule);
	/* The value of an expression may depend on the pc. */
	if (rule.cfa_register == UNWIND_NO_REGISTER)
		same = flat_rules_unit_of(c);
	if (same < end - at)
		end = at + same;
	return (struct flat_rules_stretch){ flat_rule_of(&rule, c->arch, f->start + at),
					    offset - at + end };
}

/* Returns the function at @offset; mostly it is the last one that was found. */
static const struct cfi_function *flat_rules_function_at(struct flat_rules_compiling *c,
							 uint64_t offset, uint64_t *ret)
{
	uint64_t at = offset - c->start;

	if (!c->function || at >= c->function->end - c->function->start) {
		c->function = cfi_rules_function(c->of, offset, &at);
		c->start = offset - at;
		c->entry_reach = c->function && c->table == FLAT_RUNNING
					 ? cfi_rules_entry_reach(c->of, c->function, c->start)
					 : 0;
	}
	*ret = at;
	return c->function;
}

/* Returns the first instruction at @pc or after it: calls return to nothing else. */
static uint64_t instruction_from(const struct flat_rules_compiling *c, uint64_t pc)
{
	uint64_t unit = flat_rules_unit_of(c);

	return (pc + unit - 1) / unit * unit;
}

static struct flat_rules_stretch stretch_at(struct flat_rules_compiling *c, uint64_t pc)
{
	bool is_caller = c->table == FLAT_CALLERS;
	const struct cfi_function *f;
	uint64_t at, offset;
	struct flat_rules_stretch s;

	if (is_caller)
		pc = instruction_from(c, pc);
	offset = is_caller ? pc - 1 : pc;
	if (is_caller && !pc)
		return (struct flat_rules_stretch){ { .kind = FLAT_CANNOT }, pc + 1 };
	if (is_caller && flat_rules_is_entered(c, pc))
		return (struct flat_rules_stretch){ rule_of_entered(c, pc), pc + 1 };
	f = flat_rules_function_at(c, offset, &at);
	if (!f)
		return (struct flat_rules_stretch){ rule_of_gap(c, pc),
						    pc + flat_rules_unit_of(c) };
	s = stretch_of_function(c, f, offset, at);
	/*
	 * The last call of a function may return to the start of the next one, which is a case of
	 * its own.
	 */
	if (is_caller && (s.until != c->start + (f->end - f->start) || pc == s.until))
		s.until++;
	return s;
}

static void flat_rules_add_row(struct flat_rows *to, uint64_t at, uint32_t rule)
{
	if (to->n && FLAT_ROW_RULE(to->items[to->n - 1]) == rule)
		return;
	if (to->n == to->room)
		to->items = array_reserve(to->items, &to->room, to->n + 1, sizeof(to->items[0]));
	to->items[to->n++] = FLAT_ROW(at, rule);
}

/* Gives the start and end of @range within @chunk. */
static void flat_rules_clip(const struct flat_range *range, uint64_t chunk, uint64_t *ret_pc,
			    uint64_t *ret_end)
{
	uint64_t start = chunk * FLAT_CHUNK_SIZE, end = start + FLAT_CHUNK_SIZE;

	*ret_pc = range->start > start ? range->start : start;
	*ret_end = range->end < end ? range->end : end;
}

void flat_chunk_compile(struct cfi_rules *of, enum flat_table t, uint64_t chunk,
			const struct flat_range *range, struct flat_rules *rules,
			struct flat_rows *ret)
{
	struct flat_rules_compiling c = { of, cfi_rules_arch(of), t, NULL, 0, 0 };
	uint64_t start = chunk * FLAT_CHUNK_SIZE, end, pc;

	ret->n = 0;
	flat_rules_clip(range, chunk, &pc, &end);
	if (!c.arch || !c.arch->convention || !of->file)
		pc = end;
	if (pc > start)
		flat_rules_add_row(ret, 0, 0);
	while (pc < end && ret->n <= FLAT_CHUNK_ROWS_MAX - 2) {
		struct flat_rules_stretch s = stretch_at(&c, pc);

		flat_rules_add_row(ret, pc - start, flat_rules_number(rules, &s.rule));
		pc = s.until > pc ? s.until : pc + 1;
	}
	if (pc < end)
		ret->n = 0;
	if (!ret->n || end < start + FLAT_CHUNK_SIZE)
		flat_rules_add_row(ret, ret->n ? end - start : 0, 0);
}
