/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A program with one function, f() (00 .. 20), made in memory, whose variables are in all kinds of
 * places:
 *
 *	struct pair { int first; unsigned low : 3 (DWARF 4), high : 5 (DWARF 3);
 *		      union { long number; }; char name[2][4]; struct pair *next; };
 *	enum shape { round { long radius; }, square { struct pair *sides; } }, as Rust has them
 */
#include <dwarf.h>
#include <string.h>

#include "dwarf/debug-info.h"
#include "dwarf/debug-places.h"
#include "elf/built-elf.h"
#include "elf/file.h"

struct entries {
	uint8_t bytes[4096];
	size_t n;
};

static inline void put(struct entries *e, uint64_t value, size_t size)
{
	memcpy(e->bytes + e->n, &value, size);
	e->n += size;
}

static inline void put_text(struct entries *e, const char *text)
{
	memcpy(e->bytes + e->n, text, strlen(text) + 1);
	e->n += strlen(text) + 1;
}

enum {
	V_UNIT = 1,
	V_FUNCTION,
	V_VARIABLE,
	V_PARAMETER,
	V_CONSTANT,
	V_LISTED,
	V_DECLARED,
	V_BASE,
	V_POINTER,
	V_VOID_POINTER,
	V_STRUCT,
	V_UNION,
	V_MEMBER,
	V_BITS,
	V_OLD_BITS,
	V_NAMELESS,
	V_ARRAY,
	V_RANGE,
	V_BLOCK,
	V_VARIANT_PART,
	V_VARIANT,
};

#define V_ABBREV(code, tag, children, ...) code, tag, children, __VA_ARGS__, 0, 0
#define V_NAME                             DW_AT_name, DW_FORM_string
#define V_TYPE                             DW_AT_type, DW_FORM_ref4
#define V_SIZE                             DW_AT_byte_size, DW_FORM_data1
#define V_RANGES                           DW_AT_low_pc, DW_FORM_addr, DW_AT_high_pc, DW_FORM_data4

static const uint8_t variables_abbrevs[] = {
	V_ABBREV(V_UNIT, DW_TAG_compile_unit, 1, V_NAME, V_RANGES),
	V_ABBREV(V_FUNCTION, DW_TAG_subprogram, 1, V_NAME, V_TYPE, V_RANGES, DW_AT_frame_base,
		 DW_FORM_exprloc),
	V_ABBREV(V_VARIABLE, DW_TAG_variable, 0, V_NAME, V_TYPE, DW_AT_location, DW_FORM_exprloc),
	V_ABBREV(V_PARAMETER, DW_TAG_formal_parameter, 0, V_NAME, V_TYPE, DW_AT_location,
		 DW_FORM_exprloc),
	V_ABBREV(V_CONSTANT, DW_TAG_variable, 0, V_NAME, V_TYPE, DW_AT_const_value, DW_FORM_sdata),
	V_ABBREV(V_LISTED, DW_TAG_variable, 0, V_NAME, V_TYPE, DW_AT_location, DW_FORM_sec_offset),
	V_ABBREV(V_DECLARED, DW_TAG_variable, 0, V_NAME, V_TYPE, DW_AT_external,
		 DW_FORM_flag_present, DW_AT_declaration, DW_FORM_flag_present),
	V_ABBREV(V_BASE, DW_TAG_base_type, 0, V_NAME, V_SIZE, DW_AT_encoding, DW_FORM_data1),
	V_ABBREV(V_POINTER, DW_TAG_pointer_type, 0, V_SIZE, V_TYPE),
	V_ABBREV(V_VOID_POINTER, DW_TAG_pointer_type, 0, V_SIZE),
	V_ABBREV(V_STRUCT, DW_TAG_structure_type, 1, V_NAME, V_SIZE),
	V_ABBREV(V_UNION, DW_TAG_union_type, 1, V_SIZE),
	V_ABBREV(V_MEMBER, DW_TAG_member, 0, V_NAME, V_TYPE, DW_AT_data_member_location,
		 DW_FORM_data1),
	V_ABBREV(V_BITS, DW_TAG_member, 0, V_NAME, V_TYPE, DW_AT_bit_size, DW_FORM_data1,
		 DW_AT_data_bit_offset, DW_FORM_data1),
	V_ABBREV(V_OLD_BITS, DW_TAG_member, 0, V_NAME, V_TYPE, V_SIZE, DW_AT_bit_size,
		 DW_FORM_data1, DW_AT_bit_offset, DW_FORM_data1, DW_AT_data_member_location,
		 DW_FORM_data1),
	V_ABBREV(V_NAMELESS, DW_TAG_member, 0, V_TYPE, DW_AT_data_member_location, DW_FORM_data1),
	V_ABBREV(V_ARRAY, DW_TAG_array_type, 1, V_TYPE),
	V_ABBREV(V_RANGE, DW_TAG_subrange_type, 0, DW_AT_upper_bound, DW_FORM_data1),
	V_ABBREV(V_BLOCK, DW_TAG_lexical_block, 1, V_RANGES),
	V_ABBREV(V_VARIANT_PART, DW_TAG_variant_part, 1, DW_AT_discr, DW_FORM_ref4),
	V_ABBREV(V_VARIANT, DW_TAG_variant, 1, DW_AT_discr_value, DW_FORM_data1),
	0,
};

/* The offsets of types. */
struct type_entries {
	uint32_t number, character, wide, pair, pair_pointer, union_type, names, void_pointer,
		shape;
};

static inline uint32_t put_base(struct entries *e, const char *name, unsigned size, unsigned code)
{
	uint32_t at = (uint32_t)e->n;

	put(e, V_BASE, 1);
	put_text(e, name);
	put(e, size, 1);
	put(e, code, 1);
	return at;
}

static inline void put_member(struct entries *e, const char *name, uint32_t type, unsigned offset)
{
	put(e, name ? V_MEMBER : V_NAMELESS, 1);
	if (name)
		put_text(e, name);
	put(e, type, 4);
	put(e, offset, 1);
}

static inline void put_variant(struct entries *e, unsigned value, const char *name, uint32_t type)
{
	put(e, V_VARIANT | value << 8, 2);
	put_member(e, name, type, 8);
	put(e, 0, 1);
}

/* Appends an enum whose tag comes right after the variant part. */
static inline void put_shape(struct entries *e, struct type_entries *t)
{
	t->shape = (uint32_t)e->n;
	put(e, V_STRUCT, 1);
	put_text(e, "shape");
	put(e, 16, 1);
	put(e, V_VARIANT_PART, 1);
	put(e, e->n + 4, 4);
	put_member(e, NULL, t->character, 0);
	put_variant(e, 0, "radius", t->wide);
	put_variant(e, 1, "sides", t->pair_pointer);
	put(e, 0, 2); /* variant part, structure */
}

/*
 * Appends the types. The pointer to a structure comes before the structure, so the pointer's number
 * is known.
 */
static inline struct type_entries put_types(struct entries *e)
{
	struct type_entries t = {
		.number = put_base(e, "int", 4, DW_ATE_signed),
		.character = put_base(e, "char", 1, DW_ATE_unsigned_char),
		.wide = put_base(e, "long int", 8, DW_ATE_signed),
	};

	t.void_pointer = (uint32_t)e->n;
	put(e, V_VOID_POINTER, 1);
	put(e, 8, 1);
	t.union_type = (uint32_t)e->n;
	put(e, V_UNION, 1);
	put(e, 8, 1);
	put_member(e, "number", t.wide, 0);
	put(e, 0, 1);
	t.names = (uint32_t)e->n;
	put(e, V_ARRAY, 1);
	put(e, t.character, 4);
	put(e, V_RANGE | 1 << 8, 2);
	put(e, V_RANGE | 3 << 8, 2);
	put(e, 0, 1);
	t.pair_pointer = (uint32_t)e->n;
	t.pair = t.pair_pointer + 6;
	put(e, V_POINTER | 8 << 8, 2);
	put(e, t.pair, 4);
	put(e, V_STRUCT, 1);
	put_text(e, "pair");
	put(e, 32, 1);
	put_member(e, "first", t.number, 0);
	put(e, V_BITS, 1);
	put_text(e, "low");
	put(e, t.number, 4);
	put(e, 3 | 32 << 8, 2);
	put(e, V_OLD_BITS, 1);
	put_text(e, "high");
	put(e, t.number, 4);
	put(e, 4 | 5 << 8 | (32 - 5 - 3) << 16 | 4 << 24, 4);
	put_member(e, NULL, t.union_type, 8);
	put_member(e, "name", t.names, 16);
	put_member(e, "next", t.pair_pointer, 24);
	put(e, 0, 1);
	put_shape(e, &t);
	return t;
}

struct place_expression {
	const char *name;
	uint8_t bytes[16];
	size_t n;
	enum {
		OF_LONG,
		OF_PAIR,
		OF_SHAPE
	} type;
};

static inline void put_variable(struct entries *e, unsigned kind, const char *name, uint32_t type,
				const uint8_t *bytes, size_t n)
{
	put(e, kind, 1);
	put_text(e, name);
	put(e, type, 4);
	put(e, n, 1);
	memcpy(e->bytes + e->n, bytes, n);
	e->n += n;
}

struct opened_variables {
	struct built_elf elf;
	struct debug_info *info;
	struct debug_place place;
	struct type_entries types;
};

static inline void put_function(struct entries *e, const struct type_entries *t, uint64_t text,
				const struct place_expression *extra, size_t n_extra)
{
	static const uint8_t in_x0[] = { DW_OP_reg0 }, at_16[] = { DW_OP_fbreg, 16 };
	static const uint8_t in_x1[] = { DW_OP_reg1 }, at_32[] = { DW_OP_fbreg, 32 };
	const uint32_t type_of[] = { t->wide, t->pair, t->shape };

	put(e, V_FUNCTION, 1);
	put_text(e, "f");
	put(e, t->pair_pointer, 4);
	put(e, text, 8);
	put(e, 0x20, 4);
	put(e, 2 | DW_OP_breg31 << 8, 3); /* the frame base is sp + 0 */
	put_variable(e, V_PARAMETER, "p", t->pair_pointer, in_x0, sizeof(in_x0));
	put_variable(e, V_VARIABLE, "n", t->number, at_16, sizeof(at_16));
	put_variable(e, V_VARIABLE, "s", t->pair, at_32, sizeof(at_32));
	put(e, V_CONSTANT, 1);
	put_text(e, "fixed");
	put(e, t->number, 4);
	put(e, 0x7d, 1); /* -3 */
	put(e, V_LISTED, 1);
	put_text(e, "late");
	put(e, t->number, 4);
	put(e, 0, 4);
	for (size_t i = 0; i < n_extra; i++)
		put_variable(e, V_VARIABLE, extra[i].name, type_of[extra[i].type], extra[i].bytes,
			     extra[i].n);
	put(e, V_BLOCK, 1);
	put(e, text + 0x10, 8);
	put(e, 8, 4);
	put_variable(e, V_VARIABLE, "n", t->wide, in_x1, sizeof(in_x1));
	put(e, 0, 2); /* block, function */
}

/* "late" is in x2 from 08 to 10, relative to the beginning of the unit. */
static inline size_t put_list(uint8_t *ret)
{
	struct entries e = { .n = 0 };

	put(&e, 8, 8);
	put(&e, 0x10, 8);
	put(&e, 1 | DW_OP_reg2 << 16, 3);
	put(&e, 0, 8);
	put(&e, 0, 8);
	memcpy(ret, e.bytes, e.n);
	return e.n;
}

static inline void variables_open(struct opened_variables *o, const struct place_expression *extra,
				  size_t n_extra)
{
	struct entries e = { .n = 0 };
	uint8_t list[64], code[0x20] = { 0 };
	struct elf_file *f;

	built_begin(&o->elf);

	size_t section = built_add(&o->elf, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, code,
				   sizeof(code));
	uint64_t text = o->elf.sections[section].sh_addr;

	put(&e, 0, 4);
	put(&e, 4, 2);
	put(&e, 0, 4);
	put(&e, 8, 1);
	put(&e, V_UNIT, 1);
	put_text(&e, "a.c");
	put(&e, text, 8);
	put(&e, 0x20, 4);
	o->types = put_types(&e);
	o->place = (struct debug_place){ .addr = text, .start = text, .name = "f" };
	o->place.scope = o->place.function = e.n;
	put_function(&e, &o->types, text, extra, n_extra);
	put(&e, V_DECLARED, 1);
	put_text(&e, "elsewhere");
	put(&e, o->types.number, 4);
	put(&e, 0, 1);

	uint32_t length = (uint32_t)e.n - 4;

	memcpy(e.bytes, &length, 4);
	built_add(&o->elf, ".debug_info", SHT_PROGBITS, 0, e.bytes, e.n);
	built_add(&o->elf, ".debug_abbrev", SHT_PROGBITS, 0, variables_abbrevs,
		  sizeof(variables_abbrevs));
	built_add(&o->elf, ".debug_loc", SHT_PROGBITS, 0, list, put_list(list));
	built_end(&o->elf, EM_AARCH64, ET_DYN);
	assert_int_equal(elf_file_open_memory(o->elf.bytes, o->elf.size, &f), 0);
	assert_int_equal(debug_info_open(f, NULL, &o->info), 0);
}
