/* SPDX-License-Identifier: MIT */
#include "dwarf/unwind/cfi-program.h"

#include <string.h>

#include "base/cleanup.h"
#include "base/cursor.h"
#include "dwarf/unwind/cfi-section.h"

/* DW_CFA_*; the first three have an operand in their lower six bits. */
enum {
	CFA_ADVANCE_LOC = 0x40,
	CFA_OFFSET = 0x80,
	CFA_RESTORE = 0xc0,

	CFA_NOP = 0x00,
	CFA_SET_LOC = 0x01,
	CFA_ADVANCE_LOC1 = 0x02,
	CFA_ADVANCE_LOC2 = 0x03,
	CFA_ADVANCE_LOC4 = 0x04,
	CFA_OFFSET_EXTENDED = 0x05,
	CFA_RESTORE_EXTENDED = 0x06,
	CFA_UNDEFINED = 0x07,
	CFA_SAME_VALUE = 0x08,
	CFA_REGISTER = 0x09,
	CFA_REMEMBER_STATE = 0x0a,
	CFA_RESTORE_STATE = 0x0b,
	CFA_DEF_CFA = 0x0c,
	CFA_DEF_CFA_REGISTER = 0x0d,
	CFA_DEF_CFA_OFFSET = 0x0e,
	CFA_DEF_CFA_EXPRESSION = 0x0f,
	CFA_EXPRESSION = 0x10,
	CFA_OFFSET_EXTENDED_SF = 0x11,
	CFA_DEF_CFA_SF = 0x12,
	CFA_DEF_CFA_OFFSET_SF = 0x13,
	CFA_VAL_OFFSET = 0x14,
	CFA_VAL_OFFSET_SF = 0x15,
	CFA_VAL_EXPRESSION = 0x16,
	CFA_AARCH64_NEGATE_RA_STATE_WITH_PC = 0x2c,
	CFA_AARCH64_NEGATE_RA_STATE = 0x2d,
	CFA_GNU_ARGS_SIZE = 0x2e,
	CFA_GNU_NEGATIVE_OFFSET_EXTENDED = 0x2f,
};

/* Compilers need a depth of 1; an entry that saves more rows is damaged. */
#define REMEMBERED_MAX 8

struct cfi_program_run {
	const struct cfi_section *section;
	const struct cfi_fde *fde;
	cfi_row_fn *fn;
	void *arg;
	struct cursor c;
	struct cfi_row row,
		initial; /* the current row, and the row that the CIE's instructions left */
	struct cfi_row remembered[REMEMBERED_MAX];
	size_t n_remembered;
};

static void cfi_program_set(struct cfi_program_run *r, uint64_t reg, struct cfi_place p)
{
	if (reg >= CFI_REGISTERS)
		return;
	r->row.regs[reg] = p;
	r->row.said |= (uint64_t)1 << reg;
}

static void set_at(struct cfi_program_run *r, uint64_t reg, enum cfi_where where, int64_t offset)
{
	cfi_program_set(r, reg, (struct cfi_place){ .where = where, .offset = offset });
}

static int64_t cfi_program_factored(const struct cfi_program_run *r, uint64_t n)
{
	return (int64_t)(n * (uint64_t)r->fde->cie.data_align);
}

static void set_factored(struct cfi_program_run *r, uint64_t reg, enum cfi_where where, uint64_t n)
{
	set_at(r, reg, where, cfi_program_factored(r, n));
}

static void cfi_program_restore(struct cfi_program_run *r, uint64_t reg)
{
	uint64_t bit = (uint64_t)1 << reg % 64;

	if (reg >= CFI_REGISTERS)
		return;
	r->row.regs[reg] = r->initial.regs[reg];
	r->row.said = (r->row.said & ~bit) | (r->initial.said & bit);
}

static void cfi_program_set_cfa(struct cfi_program_run *r, uint64_t reg, int64_t offset)
{
	r->row.cfa = (struct cfi_place){ .where = reg < CFI_REGISTERS ? CFI_REGISTER : CFI_UNSAID,
					 .reg = (uint8_t)reg,
					 .offset = offset };
}

static struct cfi_place cfi_program_take_expression(struct cfi_program_run *r, enum cfi_where where)
{
	uint64_t size = cursor_uleb128(&r->c);
	const uint8_t *bytes = cursor_bytes(&r->c, size);

	return (struct cfi_place){ .where = where,
				   .size = bytes ? (uint32_t)size : 0,
				   .expression = bytes };
}

/* Ends the row at @addr and begins the next one there. Going backwards is damage. */
static void advance_to(struct cfi_program_run *r, uint64_t addr)
{
	if (addr < r->row.start) {
		r->c.bad = true;
		return;
	}
	if (addr == r->row.start)
		return;
	r->row.end = addr < r->fde->end ? addr : r->fde->end;
	if (r->row.start < r->row.end)
		r->fn(r->arg, &r->row);
	r->row.start = addr;
}

static void cfi_program_advance(struct cfi_program_run *r, uint64_t n)
{
	uint64_t by = n * r->fde->cie.code_align;

	advance_to(r, by <= UINT64_MAX - r->row.start ? r->row.start + by : UINT64_MAX);
}

static void cfi_program_remember(struct cfi_program_run *r)
{
	if (r->n_remembered == REMEMBERED_MAX)
		r->c.bad = true;
	else
		r->remembered[r->n_remembered++] = r->row;
}

static void cfi_program_recall(struct cfi_program_run *r)
{
	uint64_t start = r->row.start;

	if (!r->n_remembered) {
		r->c.bad = true;
		return;
	}
	r->row = r->remembered[--r->n_remembered];
	r->row.start = start;
}

/* Runs the instructions that set the place of a register. */
static void take_register(struct cfi_program_run *r, uint8_t op)
{
	struct cursor *c = &r->c;
	uint64_t reg = cursor_uleb128(c);

	switch (op) {
	case CFA_OFFSET_EXTENDED:
		set_factored(r, reg, CFI_AT_CFA, cursor_uleb128(c));
		break;
	case CFA_OFFSET_EXTENDED_SF:
		set_factored(r, reg, CFI_AT_CFA, (uint64_t)cursor_sleb128(c));
		break;
	case CFA_GNU_NEGATIVE_OFFSET_EXTENDED:
		set_factored(r, reg, CFI_AT_CFA, -cursor_uleb128(c));
		break;
	case CFA_VAL_OFFSET:
		set_factored(r, reg, CFI_IS_CFA, cursor_uleb128(c));
		break;
	case CFA_VAL_OFFSET_SF:
		set_factored(r, reg, CFI_IS_CFA, (uint64_t)cursor_sleb128(c));
		break;
	case CFA_RESTORE_EXTENDED:
		cfi_program_restore(r, reg);
		break;
	case CFA_UNDEFINED:
		set_at(r, reg, CFI_UNDEFINED, 0);
		break;
	case CFA_SAME_VALUE:
		set_at(r, reg, CFI_SAME, 0);
		break;
	case CFA_REGISTER: {
		uint64_t other = cursor_uleb128(c);

		cfi_program_set(r, reg,
				(struct cfi_place){ .where = other < CFI_REGISTERS ? CFI_REGISTER
										   : CFI_UNDEFINED,
						    .reg = (uint8_t)other });
		break;
	}
	case CFA_EXPRESSION:
		cfi_program_set(r, reg, cfi_program_take_expression(r, CFI_AT_EXPRESSION));
		break;
	case CFA_VAL_EXPRESSION:
		cfi_program_set(r, reg, cfi_program_take_expression(r, CFI_IS_EXPRESSION));
		break;
	}
}

/* Runs the instructions that define the CFA. */
static void take_cfa(struct cfi_program_run *r, uint8_t op)
{
	struct cursor *c = &r->c;
	uint64_t reg;

	switch (op) {
	case CFA_DEF_CFA:
		reg = cursor_uleb128(c);
		cfi_program_set_cfa(r, reg, (int64_t)cursor_uleb128(c));
		break;
	case CFA_DEF_CFA_SF:
		reg = cursor_uleb128(c);
		cfi_program_set_cfa(r, reg, cfi_program_factored(r, (uint64_t)cursor_sleb128(c)));
		break;
	case CFA_DEF_CFA_REGISTER:
		cfi_program_set_cfa(r, cursor_uleb128(c),
				    r->row.cfa.where == CFI_REGISTER ? r->row.cfa.offset : 0);
		break;
	case CFA_DEF_CFA_OFFSET:
		r->row.cfa.offset = (int64_t)cursor_uleb128(c);
		c->bad |= r->row.cfa.where != CFI_REGISTER;
		break;
	case CFA_DEF_CFA_OFFSET_SF:
		r->row.cfa.offset = cfi_program_factored(r, (uint64_t)cursor_sleb128(c));
		c->bad |= r->row.cfa.where != CFI_REGISTER;
		break;
	case CFA_DEF_CFA_EXPRESSION:
		r->row.cfa = cfi_program_take_expression(r, CFI_IS_EXPRESSION);
		break;
	}
}

static void cfi_program_take_plain(struct cfi_program_run *r, uint8_t op)
{
	struct cursor *c = &r->c;

	switch (op) {
	case CFA_NOP:
	case CFA_AARCH64_NEGATE_RA_STATE:
	case CFA_AARCH64_NEGATE_RA_STATE_WITH_PC:
		break; /* ignored: the address itself shows whether it is signed */
	case CFA_SET_LOC:
		advance_to(r, cfi_section_address(r->section, c, r->fde->cie.encoding));
		break;
	case CFA_ADVANCE_LOC1:
		cfi_program_advance(r, cursor_u8(c));
		break;
	case CFA_ADVANCE_LOC2:
		cfi_program_advance(r, cursor_u16(c));
		break;
	case CFA_ADVANCE_LOC4:
		cfi_program_advance(r, cursor_u32(c));
		break;
	case CFA_REMEMBER_STATE:
		cfi_program_remember(r);
		break;
	case CFA_RESTORE_STATE:
		cfi_program_recall(r);
		break;
	case CFA_GNU_ARGS_SIZE:
		cursor_uleb128(c);
		break;
	default:
		c->bad = true;
	}
}

static void take_instruction(struct cfi_program_run *r)
{
	uint8_t op = cursor_u8(&r->c), low = op & 0x3f;

	switch (op & 0xc0) {
	case CFA_ADVANCE_LOC:
		cfi_program_advance(r, low);
		return;
	case CFA_OFFSET:
		set_factored(r, low, CFI_AT_CFA, cursor_uleb128(&r->c));
		return;
	case CFA_RESTORE:
		cfi_program_restore(r, low);
		return;
	}
	switch (op) {
	case CFA_OFFSET_EXTENDED ... CFA_REGISTER:
	case CFA_EXPRESSION ... CFA_OFFSET_EXTENDED_SF:
	case CFA_VAL_OFFSET ... CFA_VAL_EXPRESSION:
	case CFA_GNU_NEGATIVE_OFFSET_EXTENDED:
		take_register(r, op);
		break;
	case CFA_DEF_CFA ... CFA_DEF_CFA_EXPRESSION:
	case CFA_DEF_CFA_SF ... CFA_DEF_CFA_OFFSET_SF:
		take_cfa(r, op);
		break;
	default:
		cfi_program_take_plain(r, op);
	}
}

/* Runs the instructions at [@from, @to). False: they are damaged. */
static bool dwarf_cfi_program_run(struct cfi_program_run *r, const uint8_t *from, const uint8_t *to)
{
	r->c = cursor_over(from, (size_t)(to - from), r->section->o.swap);
	while (cursor_left(&r->c) && !r->c.bad && r->row.start < r->fde->end)
		take_instruction(r);
	return !r->c.bad;
}

void cfi_program_run(const struct cfi_section *s, const struct cfi_fde *fde, cfi_row_fn *fn,
		     void *arg)
{
	struct cfi_program_run r;

	r.section = s;
	r.fde = fde;
	r.fn = fn;
	r.arg = arg;
	r.n_remembered = 0;
	memset(&r.row, 0, sizeof(r.row));
	memset(&r.initial, 0, sizeof(r.initial));
	r.row.start = fde->start;
	if (!dwarf_cfi_program_run(&r, fde->cie.program, fde->cie.end))
		return;
	/* A CIE describes no code, so one that advances is damaged. */
	if (r.row.start != fde->start)
		return;
	r.initial = r.row;
	if (dwarf_cfi_program_run(&r, fde->program, fde->program_end))
		advance_to(&r, fde->end);
}
