/* SPDX-License-Identifier: MIT */
#include "dwarf/unwind/cfi-function.h"

#include <stdlib.h>
#include <string.h>

#include "base/bisect.h"
#include "base/memory.h"
#include "dwarf/unwind/cfi-section.h"

const struct unwind_rule unwind_rule_unknown = { .cfa_register = UNWIND_NO_REGISTER,
						 .ra_register = UNWIND_NO_REGISTER };

/* A limit on memory: the functions of the largest interpreters have a few thousand rows. */
#define ROWS_MAX 16384

struct cfi_function_compiling {
	const struct cfi_section *section;
	const struct cfi_fde *fde;
	struct cfi_compiler *to;
	const struct unwind_detail *detail; /* detail of the previous row */
	uint64_t end;                       /* end of the last row */
};

static bool to_offset(int64_t from, int32_t *ret)
{
	*ret = (int32_t)from;
	return *ret == from;
}

static enum unwind_where cfi_function_where(const struct cfi_place *p, int32_t *ret_offset)
{
	switch (p->where) {
	case CFI_UNSAID:
	case CFI_SAME:
		return UNWIND_SAME;
	case CFI_UNDEFINED:
		return UNWIND_UNDEFINED;
	case CFI_AT_CFA:
		return to_offset(p->offset, ret_offset) ? UNWIND_AT_CFA : UNWIND_OTHER;
	default:
		return UNWIND_OTHER;
	}
}

/* Expressions are equal if they are the same bytes of the section. */
static bool place_equal(const struct cfi_place *a, const struct cfi_place *b)
{
	if (a->where != b->where || a->reg != b->reg || a->size != b->size)
		return false;
	if (a->where == CFI_AT_EXPRESSION || a->where == CFI_IS_EXPRESSION)
		return a->expression == b->expression;
	return a->offset == b->offset;
}

static bool detail_is_of(const struct unwind_detail *d, const struct cfi_row *row, size_t n)
{
	if (!d || d->n != n || d->cfa.where == CFI_IS_EXPRESSION ||
	    row->cfa.where == CFI_IS_EXPRESSION)
		return false;
	for (size_t i = 0; i < n; i++)
		if (!place_equal(&d->items[i].place, &row->regs[d->items[i].reg]))
			return false;
	return true;
}

static struct unwind_detail *detail_new(struct cfi_function_compiling *c, const struct cfi_row *row,
					size_t n)
{
	struct unwind_detail *d = arena_alloc(&c->to->arena, sizeof(*d) + n * sizeof(d->items[0]));

	d->swap = c->section->o.swap;
	d->is_64 = c->section->o.is_64;
	if (row->cfa.where == CFI_IS_EXPRESSION)
		d->cfa = row->cfa;
	for (uint64_t said = row->said; said; said &= said - 1) {
		uint8_t reg = (uint8_t)__builtin_ctzll(said);

		d->items[d->n++] = (struct unwind_saved){ .reg = reg, .place = row->regs[reg] };
	}
	return d;
}

/*
 * Returns the detail of a row. The places of saved registers seldom change from row to row; mostly
 * only the CFA does.
 */
static const struct unwind_detail *detail_of(struct cfi_function_compiling *c,
					     const struct cfi_row *row)
{
	size_t n = (size_t)__builtin_popcountll(row->said);

	if (!n && row->cfa.where != CFI_IS_EXPRESSION)
		return NULL;
	if (!detail_is_of(c->detail, row, n))
		c->detail = detail_new(c, row, n);
	return c->detail;
}

/* Returns the rule of @row, without its detail. */
static struct unwind_rule cfi_function_rule_of(const struct cfi_row *row, const struct cfi_cie *cie,
					       unsigned fp_register)
{
	struct unwind_rule rule = unwind_rule_unknown;
	uint64_t ra = cie->ra_register;

	rule.is_signal = cie->is_signal;
	if (row->cfa.where == CFI_REGISTER && to_offset(row->cfa.offset, &rule.cfa_offset))
		rule.cfa_register = row->cfa.reg;
	if (ra < CFI_REGISTERS) {
		rule.ra_register = (uint8_t)ra;
		rule.ra = cfi_function_where(&row->regs[ra], &rule.ra_offset);
	}
	rule.fp = cfi_function_where(&row->regs[fp_register], &rule.fp_offset);
	return rule;
}

static void cfi_function_add_row(void *arg, const struct cfi_row *row)
{
	struct cfi_function_compiling *c = arg;
	struct cfi_function_row *to;

	if (c->to->n == ROWS_MAX)
		return;
	to = ARRAY_ADD(c->to);
	c->end = row->end;
	to->start = (uint32_t)(row->start - c->fde->start);
	to->rule = cfi_function_rule_of(row, &c->fde->cie, c->to->fp_register);
	to->rule.detail = detail_of(c, row);
}

void cfi_compiler_done(struct cfi_compiler *c)
{
	arena_done(&c->arena);
	free(c->items);
}

struct cfi_function *cfi_function_compile(struct cfi_compiler *c, const struct cfi_section *s,
					  size_t number)
{
	struct cfi_function *f = arena_alloc(&c->arena, sizeof(*f));
	struct cfi_function_row *rows;
	struct cfi_function_compiling compiling;
	struct cfi_fde fde;

	if (!cfi_section_fde(s, number, &fde) || fde.end - fde.start > UINT32_MAX)
		return f;
	c->n = 0;
	compiling = (struct cfi_function_compiling){ .section = s, .fde = &fde, .to = c };
	cfi_program_run(s, &fde, cfi_function_add_row, &compiling);
	rows = arena_alloc(&c->arena, c->n * sizeof(rows[0]));
	if (c->n)
		memcpy(rows, c->items, c->n * sizeof(rows[0]));
	f->start = fde.start;
	f->end = c->n ? compiling.end : fde.start;
	f->rows = rows;
	f->n = c->n;
	return f;
}

/*
 * The limit on the bytes of instructions that are run again at each glance; they make fewer than
 * ROWS_MAX rows.
 */
#define GLANCE_MAX 512

struct glance {
	const struct cfi_fde *fde;
	unsigned fp_register;
	uint64_t addr, end;
	struct unwind_rule rule;
};

static void look_at_row(void *arg, const struct cfi_row *row)
{
	struct glance *g = arg;

	g->end = row->end;
	if (g->addr >= row->start && g->addr < row->end)
		g->rule = cfi_function_rule_of(row, &g->fde->cie, g->fp_register);
}

bool cfi_function_glance(const struct cfi_section *s, size_t number, unsigned fp_register,
			 uint64_t addr, struct cfi_function *ret, struct unwind_rule *ret_rule)
{
	struct cfi_fde fde;
	struct glance g = {
		.fde = &fde, .fp_register = fp_register, .addr = addr, .rule = unwind_rule_unknown
	};

	if (!cfi_section_fde(s, number, &fde) || fde.end - fde.start > UINT32_MAX ||
	    fde.program_end - fde.program > GLANCE_MAX)
		return false;
	g.end = fde.start;
	cfi_program_run(s, &fde, look_at_row, &g);
	*ret = (struct cfi_function){ .start = fde.start, .end = g.end };
	*ret_rule = g.rule;
	return true;
}

const struct cfi_function_row *cfi_function_row(const struct cfi_function *f, uint64_t at)
{
	size_t n = BISECT(i, f->n, f->rows[i].start <= at);

	return n ? &f->rows[n - 1] : NULL;
}
