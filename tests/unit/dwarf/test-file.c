/* SPDX-License-Identifier: MIT */
/* Tests opening the debug information of a file. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>

#include "dwarf-open.h"

static struct elf_file *open_built(const struct built_elf *b)
{
	struct elf_file *f;

	assert_int_equal(elf_file_open_memory(b->bytes, b->size, &f), 0);
	return f;
}

static void a_file_without_debug_information_has_none(void **state)
{
	struct built_elf b;
	struct dwarf_file *d = NULL;
	struct elf_file *f;

	(void)state;
	built_begin(&b);
	built_add(&b, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, "0123", 4);
	built_end(&b, EM_AARCH64, ET_DYN);
	f = open_built(&b);
	assert_false(elf_has_dwarf(f));
	assert_int_equal(dwarf_file_open(f, &d), -ENODATA);
	assert_null(d);
}

/* As in a stripped file, the section has a name but no bytes. */
static void a_section_without_bytes_is_no_debug_information(void **state)
{
	struct built_elf b;
	struct elf_file *f;

	(void)state;
	built_begin(&b);
	built_add(&b, ".debug_info", SHT_NOBITS, 0, NULL, 100);
	built_end(&b, EM_AARCH64, ET_DYN);
	f = open_built(&b);
	assert_false(elf_has_dwarf(f));
	elf_file_free(f);
}

static void sections_that_say_nothing_are_an_error_or_no_units(void **state)
{
	struct built_elf b;
	struct dwarf_file *d = NULL;
	struct elf_file *f;

	(void)state;
	built_begin(&b);
	built_add(&b, ".debug_info", SHT_PROGBITS, 0, "\377\377\377\377\377\377\377\377", 8);
	built_end(&b, EM_AARCH64, ET_DYN);
	f = open_built(&b);
	assert_true(elf_has_dwarf(f));
	if (dwarf_file_open(f, &d) < 0)
		return;

	struct dwarf_units *units = dwarf_units_new(d);

	assert_null(dwarf_units_find(units, 0x1000));
	dwarf_units_free(units);
	dwarf_file_free(d);
}

static void what_is_linked_lies_where_it_says(void **state)
{
	struct opened o;

	(void)state;
	dwarf_open_built(&o, &(struct dwarf_change){ .depth = 0 });
	assert_int_equal(dwarf_file_text(o.file), 0);
	dwarf_close_built(&o);
}

/* Kernel modules are not linked: their sections get addresses when they are opened. */
static void the_text_of_a_relocatable_file_gets_an_address(void **state)
{
	struct built_elf b;
	struct dwarf_file *d = NULL;

	(void)state;
	built_begin(&b);
	dwarf_add(&b, &(struct dwarf_change){ .depth = 0 });
	b.sections[1].sh_addr = 0;
	built_add_symbols(&b, SHT_SYMTAB,
			  &(struct built_symbol){ "f", 0, 16, STB_GLOBAL, STT_FUNC, 1, 0 }, 1);
	built_end(&b, EM_AARCH64, ET_REL);
	assert_int_equal(dwarf_file_open(open_built(&b), &d), 0);
	assert_true(dwarf_file_text(d) > 0);
	dwarf_file_free(d);
}

static void a_file_with_shared_parts_goes_with_the_one_that_needs_it(void **state)
{
	struct opened o;
	struct built_elf b;

	(void)state;
	dwarf_open_built(&o, &(struct dwarf_change){ .depth = 0 });
	dwarf_build(&b, &(struct dwarf_change){ .depth = 0 });
	dwarf_file_set_alt(o.file, open_built(&b));
	assert_non_null(dwarf_units_find(o.units, o.text));
	dwarf_close_built(&o);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_without_debug_information_has_none),
		cmocka_unit_test(a_section_without_bytes_is_no_debug_information),
		cmocka_unit_test(sections_that_say_nothing_are_an_error_or_no_units),
		cmocka_unit_test(what_is_linked_lies_where_it_says),
		cmocka_unit_test(the_text_of_a_relocatable_file_gets_an_address),
		cmocka_unit_test(a_file_with_shared_parts_goes_with_the_one_that_needs_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
