/* SPDX-License-Identifier: MIT */
#include "dwarf/die-table.h"

#include <dwarf.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/cursor.h"
#include "base/memory.h"

/* This many codes may be skipped, whatever the size of the table. */
#define CODES_FREE 4096

/* Sizes that depend on the unit, instead of a number of bytes. */
enum {
	SIZE_ADDRESS = 0x80,
	SIZE_OFFSET,
	SIZE_REFERENCE, /* a reference into the section: an address before DWARF 3 */
};

/* The step that skips each form. STEP_END: it has a fixed size. */
static const struct {
	uint8_t size;
	uint8_t kind;
	bool is_known;
} forms[] = {
#define FIXED(form, bytes) [form] = { bytes, STEP_END, true }
#define OPEN(form, kind)   [form] = { 0, kind, true }
	FIXED(DW_FORM_addr, SIZE_ADDRESS),
	FIXED(DW_FORM_data1, 1),
	FIXED(DW_FORM_data2, 2),
	FIXED(DW_FORM_data4, 4),
	FIXED(DW_FORM_data8, 8),
	FIXED(DW_FORM_data16, 16),
	FIXED(DW_FORM_flag, 1),
	FIXED(DW_FORM_flag_present, 0),
	FIXED(DW_FORM_implicit_const, 0),
	FIXED(DW_FORM_strp, SIZE_OFFSET),
	FIXED(DW_FORM_line_strp, SIZE_OFFSET),
	FIXED(DW_FORM_strp_sup, SIZE_OFFSET),
	FIXED(DW_FORM_sec_offset, SIZE_OFFSET),
	FIXED(DW_FORM_ref_addr, SIZE_REFERENCE),
	FIXED(DW_FORM_ref1, 1),
	FIXED(DW_FORM_ref2, 2),
	FIXED(DW_FORM_ref4, 4),
	FIXED(DW_FORM_ref8, 8),
	FIXED(DW_FORM_ref_sup4, 4),
	FIXED(DW_FORM_ref_sup8, 8),
	FIXED(DW_FORM_ref_sig8, 8),
	FIXED(DW_FORM_strx1, 1),
	FIXED(DW_FORM_strx2, 2),
	FIXED(DW_FORM_strx3, 3),
	FIXED(DW_FORM_strx4, 4),
	FIXED(DW_FORM_addrx1, 1),
	FIXED(DW_FORM_addrx2, 2),
	FIXED(DW_FORM_addrx3, 3),
	FIXED(DW_FORM_addrx4, 4),
	OPEN(DW_FORM_udata, STEP_LEB),
	OPEN(DW_FORM_sdata, STEP_LEB),
	OPEN(DW_FORM_ref_udata, STEP_LEB),
	OPEN(DW_FORM_strx, STEP_LEB),
	OPEN(DW_FORM_addrx, STEP_LEB),
	OPEN(DW_FORM_loclistx, STEP_LEB),
	OPEN(DW_FORM_rnglistx, STEP_LEB),
	OPEN(DW_FORM_string, STEP_TEXT),
	OPEN(DW_FORM_block1, STEP_BLOCK1),
	OPEN(DW_FORM_block2, STEP_BLOCK2),
	OPEN(DW_FORM_block4, STEP_BLOCK4),
	OPEN(DW_FORM_block, STEP_BLOCK_LEB),
	OPEN(DW_FORM_exprloc, STEP_BLOCK_LEB),
	OPEN(DW_FORM_indirect, STEP_INDIRECT),
};

void die_table_done(struct die_table *t)
{
	free(t->abbrevs.items);
	free(t->steps.items);
	free(t->attributes.items);
}

size_t die_table_memory(const struct die_table *t)
{
	return t->abbrevs.room * sizeof(t->abbrevs.items[0]) +
	       t->steps.room * sizeof(t->steps.items[0]) +
	       t->attributes.room * sizeof(t->attributes.items[0]);
}

static uint32_t die_table_size_of(uint8_t size, const struct die_unit *u)
{
	switch (size) {
	case SIZE_ADDRESS:
		return u->address_size;
	case SIZE_OFFSET:
		return u->offset_size;
	case SIZE_REFERENCE:
		return u->version < 3 ? u->address_size : u->offset_size;
	default:
		return size;
	}
}

bool die_form_step(uint64_t form, const struct die_unit *u, struct die_step *ret)
{
	switch (form) {
	case DW_FORM_GNU_ref_alt:
	case DW_FORM_GNU_strp_alt:
		*ret = (struct die_step){ u->offset_size, STEP_END };
		return true;
	case DW_FORM_GNU_str_index:
	case DW_FORM_GNU_addr_index:
		*ret = (struct die_step){ 0, STEP_LEB };
		return true;
	default:
		if (form >= ARRAY_SIZE(forms) || !forms[form].is_known)
			return false;
		*ret = (struct die_step){ die_table_size_of(forms[form].size, u),
					  forms[form].kind };
		return true;
	}
}

static uint8_t roles_of(uint64_t tag)
{
	switch (tag) {
	case DW_TAG_compile_unit:
	case DW_TAG_partial_unit:
	case DW_TAG_skeleton_unit:
		return DIE_UNIT;
	case DW_TAG_subprogram:
		return DIE_FUNCTION;
	case DW_TAG_inlined_subroutine:
		return DIE_INLINED;
	case DW_TAG_variable:
		return DIE_VARIABLE;
	default:
		return 0;
	}
}

static uint8_t jump_of(uint64_t tag)
{
	switch (tag) {
	case DW_TAG_enumeration_type:
	case DW_TAG_array_type:
	case DW_TAG_subroutine_type:
		return DIE_JUMP_TYPE;
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
	case DW_TAG_class_type:
		return DIE_JUMP_RECORD;
	case DW_TAG_subprogram:
		return DIE_JUMP_FUNCTION;
	default:
		return 0;
	}
}

static bool is_far(uint64_t form)
{
	switch (form) {
	case DW_FORM_ref1:
	case DW_FORM_ref2:
	case DW_FORM_ref4:
	case DW_FORM_ref8:
	case DW_FORM_ref_udata:
		return false;
	default:
		return true;
	}
}

/* Adds a step of @kind, preceded by the @fixed bytes of fixed size so far. */
static void die_table_add_step(struct die_table *t, uint32_t *fixed, enum die_step_kind kind)
{
	*ARRAY_ADD(&t->steps) = (struct die_step){ *fixed, kind };
	*fixed = 0;
}

/* Adds one attribute; @fixed bytes of fixed size before it have no step yet. */
static bool die_table_add_attribute(struct die_table *t, struct die_abbrev *a,
				    struct die_attribute *x, uint32_t *fixed)
{
	if (!die_form_step(x->form, t->unit, &x->step))
		return false;
	if (a->roles)
		*ARRAY_ADD(&t->attributes) = *x;
	a->n_attributes += a->roles != 0;
	if (a->roles & DIE_INLINED && x->name == DW_AT_abstract_origin && is_far(x->form))
		a->roles |= DIE_INLINED_CROSS;
	if (x->name == DW_AT_sibling && x->form == DW_FORM_ref4 && a->jump) {
		die_table_add_step(t, fixed, STEP_SIBLING);
		return true;
	}
	*fixed += x->step.fixed;
	if (x->step.kind != STEP_END)
		die_table_add_step(t, fixed, x->step.kind);
	return true;
}

/* Adds attributes up to the pair of zeros. Names of more than 16 bits are ignored. */
static bool add_attributes(struct die_table *t, struct die_abbrev *a, struct cursor *c)
{
	uint32_t fixed = 0;

	for (;;) {
		uint64_t name = cursor_uleb128(c), form = cursor_uleb128(c);
		struct die_attribute x = {
			.name = name > UINT16_MAX ? 0 : (uint16_t)name,
			.form = (uint16_t)form,
		};

		if (c->bad || form > UINT16_MAX)
			return false;
		if (!name && !form)
			break;
		if (form == DW_FORM_implicit_const)
			x.constant = cursor_sleb128(c);
		if (!die_table_add_attribute(t, a, &x, &fixed))
			return false;
	}
	die_table_add_step(t, &fixed, STEP_END);
	return true;
}

/* Adds an empty abbreviation for @code; skipped codes before it stay unused. */
static struct die_abbrev *die_table_add_code(struct die_table *t, uint64_t code)
{
	while (t->abbrevs.n <= code)
		(void)ARRAY_ADD(&t->abbrevs);
	return &t->abbrevs.items[code];
}

/* True if all entries with this abbreviation are declarations. */
static bool is_declaration(const struct die_table *t, const struct die_abbrev *a)
{
	bool is_one = false;

	for (size_t i = a->attributes; i < t->attributes.n; i++) {
		const struct die_attribute *x = &t->attributes.items[i];

		if (x->name == DW_AT_low_pc || x->name == DW_AT_ranges)
			return false;
		is_one |= x->name == DW_AT_declaration && x->form == DW_FORM_flag_present;
	}
	return is_one;
}

static bool add_abbrev(struct die_table *t, uint64_t code, struct cursor *c)
{
	uint64_t tag = cursor_uleb128(c);
	bool has_children = cursor_u8(c);
	struct die_abbrev a = {
		.is_there = true,
		.roles = roles_of(tag),
		.jump = has_children ? jump_of(tag) : 0,
		.steps = (uint32_t)t->steps.n,
		.attributes = (uint32_t)t->attributes.n,
	};

	if (!add_attributes(t, &a, c))
		return false;
	if (a.roles & DIE_FUNCTION && is_declaration(t, &a))
		a.roles = DIE_DECLARATION;
	*die_table_add_code(t, code) = a;
	return true;
}

/*
 * True if a code fits into the table, which is indexed by code. Codes count from 1, and each
 * abbreviation takes at least five bytes; codes may be skipped as long as the table stays in
 * proportion to those bytes.
 */
static bool code_is_near(uint64_t code, const struct die_file *f, size_t bytes)
{
	return code < f->abbrev.size && code <= CODES_FREE + bytes / 4;
}

/* Compiles up to the abbreviation for @last; 0, which ends the list: all. */
static bool dwarf_die_table_compile(struct die_table *t, const struct die_file *f,
				    const struct die_unit *u, uint64_t last)
{
	struct cursor c = cursor_over(f->abbrev.at, f->abbrev.size, f->swap);
	const uint8_t *start;

	if (!f->abbrev.at)
		return false;
	cursor_bytes(&c, u->abbrevs);
	start = c.at;
	for (;;) {
		uint64_t code = cursor_uleb128(&c);

		if (c.bad || !code)
			break;
		if (!code_is_near(code, f, (size_t)(c.at - start)) || !add_abbrev(t, code, &c)) {
			c.bad = true;
			break;
		}
		if (code == last)
			break;
	}
	t->work += (uint64_t)(c.at - start);
	return !c.bad;
}

/* True if @t already has the abbreviations of @u, because units may share them. */
static bool has_those_of(const struct die_table *t, const struct die_file *f,
			 const struct die_unit *u)
{
	return t->file == f && t->like.abbrevs == u->abbrevs && t->like.version == u->version &&
	       t->like.address_size == u->address_size && t->like.offset_size == u->offset_size;
}

/* Compiles @t for @u up to @last. An incomplete table is not shared. */
static bool compile_anew(struct die_table *t, const struct die_file *f, const struct die_unit *u,
			 uint64_t last)
{
	bool is_sound;

	t->abbrevs.n = t->steps.n = t->attributes.n = 0;
	is_sound = dwarf_die_table_compile(t, f, u, last);
	t->file = is_sound && !last ? f : NULL;
	t->like = *u;
	return is_sound;
}

bool die_table_compile(struct die_table *t, const struct die_file *f, const struct die_unit *u)
{
	t->unit = u;
	return has_those_of(t, f, u) || compile_anew(t, f, u, 0);
}

bool die_table_compile_until(struct die_table *t, const struct die_file *f,
			     const struct die_unit *u, uint64_t code)
{
	t->unit = u;
	return code && (has_those_of(t, f, u) || compile_anew(t, f, u, code)) &&
	       die_table_find(t, code);
}
