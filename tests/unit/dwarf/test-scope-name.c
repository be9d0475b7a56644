/* SPDX-License-Identifier: MIT */
/* Tests that functions are named after the scopes around their declaration. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "dwarf-open.h"

enum {
	UNIT = 1,
	SPACE,
	UNNAMED_SPACE,
	CLASS,
	LAMBDA,
	DECLARED,
	PARAMETER,
	SELF,
	BASE,
	REFERENCE,
	FUNCTION,
	INLINED,
	BLOCK,
};

static const uint8_t abbrevs[] = {
	DWARF_ABBREV(UNIT, DW_TAG_compile_unit, 1, DW_AT_language, DW_FORM_data1, DW_AT_low_pc,
		     DW_FORM_addr, DW_AT_high_pc, DW_FORM_data4),
	DWARF_ABBREV(SPACE, DW_TAG_namespace, 1, DW_AT_name, DW_FORM_string),
	DWARF_ABBREV(UNNAMED_SPACE, DW_TAG_namespace, 1, DW_AT_decl_line, DW_FORM_data1),
	DWARF_ABBREV(CLASS, DW_TAG_class_type, 1, DW_AT_name, DW_FORM_string),
	DWARF_ABBREV(LAMBDA, DW_TAG_structure_type, 1, DW_AT_byte_size, DW_FORM_data1),
	DWARF_ABBREV(DECLARED, DW_TAG_subprogram, 1, DW_AT_name, DW_FORM_string, DW_AT_inline,
		     DW_FORM_data1),
	DWARF_ABBREV(PARAMETER, DW_TAG_formal_parameter, 0, DW_AT_type, DW_FORM_ref4),
	DWARF_ABBREV(SELF, DW_TAG_formal_parameter, 0, DW_AT_type, DW_FORM_ref4, DW_AT_artificial,
		     DW_FORM_flag),
	DWARF_ABBREV(BASE, DW_TAG_base_type, 0, DW_AT_name, DW_FORM_string),
	DWARF_ABBREV(REFERENCE, DW_TAG_reference_type, 0, DW_AT_type, DW_FORM_ref4),
	DWARF_ABBREV(FUNCTION, DW_TAG_subprogram, 1, DW_AT_name, DW_FORM_string, DW_AT_low_pc,
		     DW_FORM_addr, DW_AT_high_pc, DW_FORM_data4),
	DWARF_ABBREV(INLINED, DW_TAG_inlined_subroutine, 0, DW_AT_abstract_origin, DW_FORM_ref4,
		     DW_AT_low_pc, DW_FORM_addr, DW_AT_high_pc, DW_FORM_data4),
	DWARF_ABBREV(BLOCK, DW_TAG_lexical_block, 1, DW_AT_decl_line, DW_FORM_data1),
	0,
};

static void put_named(struct dwarf_bytes *b, uint8_t abbrev, const char *name)
{
	dwarf_put(b, abbrev, 1);
	dwarf_text(b, name);
}

/* Appends a function without code that takes an object and @type. Returns its offset. */
static uint64_t put_declared(struct dwarf_bytes *b, const char *name, uint64_t type)
{
	uint64_t at = b->n;

	put_named(b, DECLARED, name);
	dwarf_put(b, DW_INL_inlined, 1);
	dwarf_put(b, SELF, 1);
	dwarf_put(b, type, 4);
	dwarf_put(b, 1, 1);
	dwarf_put(b, PARAMETER, 1);
	dwarf_put(b, type, 4);
	dwarf_put(b, 0, 1);
	return at;
}

static uint64_t put_lambda(struct dwarf_bytes *b, uint64_t type)
{
	uint64_t at;

	dwarf_put(b, LAMBDA, 1);
	dwarf_put(b, 8, 1);
	at = put_declared(b, "operator()", type);
	dwarf_put(b, 0, 1);
	return at;
}

static void put_inlined(struct dwarf_bytes *b, uint64_t origin, uint64_t at)
{
	dwarf_put(b, INLINED, 1);
	dwarf_put(b, origin, 4);
	dwarf_put(b, at, 8);
	dwarf_put(b, 4, 4);
}

/*
 * namespace ns { namespace { class box { each() }; work() { lambda(), lambda(), lambda() } } }: all
 * functions are inlined into work(), four bytes each.
 */
static void put_info(struct dwarf_bytes *b, uint64_t text, uint8_t language, size_t cut)
{
	uint64_t base, reference, inlined[4];

	dwarf_put(b, 0, 4);
	dwarf_put(b, 4, 2);
	dwarf_put(b, 0, 4);
	dwarf_put(b, 8, 1);
	dwarf_put(b, UNIT, 1);
	dwarf_put(b, language, 1);
	dwarf_put(b, text, 8);
	dwarf_put(b, 0x80, 4);
	base = b->n;
	put_named(b, BASE, "long unsigned int");
	reference = b->n;
	dwarf_put(b, REFERENCE, 1);
	dwarf_put(b, base, 4);
	put_named(b, SPACE, "ns");
	dwarf_put(b, UNNAMED_SPACE, 1);
	dwarf_put(b, 1, 1);
	put_named(b, CLASS, "box");
	inlined[0] = put_declared(b, "each<int>", base);
	dwarf_put(b, 0, 1);
	put_named(b, FUNCTION, "work");
	dwarf_put(b, text, 8);
	dwarf_put(b, 0x40, 4);
	inlined[1] = put_lambda(b, base);
	dwarf_put(b, BLOCK, 1);
	dwarf_put(b, 1, 1);
	inlined[2] = put_lambda(b, reference);
	inlined[3] = put_lambda(b, base);
	dwarf_put(b, 0, 1);
	for (size_t i = 0; i < 4; i++)
		put_inlined(b, inlined[i], text + 4 * i);
	dwarf_put(b, 0, 4);
	dwarf_close(b, 0);
	b->n -= cut;
}

static void open_info(struct opened *o, uint8_t language, size_t cut)
{
	struct dwarf_bytes info = { .n = 0 };
	uint8_t code[256] = { 0 };
	struct elf_file *f;

	built_begin(&o->elf);
	built_add(&o->elf, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, code, sizeof(code));
	o->text = dwarf_text_addr(&o->elf);
	put_info(&info, o->text, language, cut);
	built_add(&o->elf, ".debug_abbrev", SHT_PROGBITS, 0, abbrevs, sizeof(abbrevs));
	built_add(&o->elf, ".debug_info", SHT_PROGBITS, 0, info.bytes, info.n);
	built_end(&o->elf, EM_AARCH64, ET_DYN);
	assert_int_equal(elf_file_open_memory(o->elf.bytes, o->elf.size, &f), 0);
	assert_int_equal(dwarf_file_open(f, &o->file), 0);
	o->units = dwarf_units_new(o->file);
}

static const char *name_at(struct opened *o, uint64_t offset)
{
	struct dwarf_unit *u = dwarf_units_find(o->units, o->text + offset);
	struct dwarf_scope *s = u ? dwarf_unit_scope(u, o->text + offset) : NULL;

	return s ? dwarf_scope_name(s) : NULL;
}

static void a_function_has_the_names_of_its_scopes(void **state)
{
	struct opened o;

	(void)state;
	open_info(&o, DW_LANG_C_plus_plus_14, 0);
	assert_string_equal(name_at(&o, 0), "ns::(anonymous namespace)::box::each<int>");
	assert_string_equal(name_at(&o, 0x20), "ns::(anonymous namespace)::work");
	assert_ptr_equal(name_at(&o, 0x20), name_at(&o, 0x30));
	dwarf_close_built(&o);
}

static void lambdas_are_told_apart_by_parameters_and_numbers(void **state)
{
	struct opened o;

	(void)state;
	open_info(&o, DW_LANG_C_plus_plus_14, 0);
	assert_string_equal(
		name_at(&o, 4),
		"ns::(anonymous namespace)::work::{lambda(unsigned long)#1}::operator()");
	assert_string_equal(
		name_at(&o, 8),
		"ns::(anonymous namespace)::work::{lambda(unsigned long&)#1}::operator()");
	assert_string_equal(
		name_at(&o, 12),
		"ns::(anonymous namespace)::work::{lambda(unsigned long)#2}::operator()");
	dwarf_close_built(&o);
}

static void a_language_without_scopes_has_plain_names(void **state)
{
	struct opened o;

	(void)state;
	open_info(&o, DW_LANG_C99, 0);
	assert_string_equal(name_at(&o, 0), "each<int>");
	assert_string_equal(name_at(&o, 4), "operator()");
	dwarf_close_built(&o);
}

/* The only requirement for a damaged rest is that reading ends. */
static void damaged_entries_have_some_name_or_none(void **state)
{
	(void)state;
	for (size_t cut = 1; cut < 250; cut++) {
		struct opened o;

		open_info(&o, DW_LANG_C_plus_plus_14, cut);
		for (uint64_t at = 0; o.units && at < 0x40; at += 4) {
			const char *name = name_at(&o, at);

			assert_true(!name || *name);
		}
		dwarf_close_built(&o);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_function_has_the_names_of_its_scopes),
		cmocka_unit_test(lambdas_are_told_apart_by_parameters_and_numbers),
		cmocka_unit_test(a_language_without_scopes_has_plain_names),
		cmocka_unit_test(damaged_entries_have_some_name_or_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
