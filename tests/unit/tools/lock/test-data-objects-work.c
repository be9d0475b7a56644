/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "config.h"
#include "elf/built-elf.h"
#include "symbol/scratch.h"
#include "symbol/symbolizer.h"
#include "tools/lock/data-objects-work.h"

/* The address where the tests have the program's first byte mapped. */
#define START 0x7f0000000000

static void add_symbols(struct built_elf *b, uint32_t type)
{
	const struct built_symbol symbols[] = {
		{ "hot_lock", BUILT_BASE + 0x9000, 40, STB_LOCAL, STT_OBJECT, 1, STV_DEFAULT },
		{ "no_size", BUILT_BASE + 0x9100, 0, STB_GLOBAL, STT_OBJECT, 1, STV_DEFAULT },
		{ "wraps", UINT64_MAX - 7, 64, STB_GLOBAL, STT_OBJECT, 1, STV_DEFAULT },
		{ "function", BUILT_BASE + 0x9200, 64, STB_GLOBAL, STT_FUNC, 1, STV_DEFAULT },
	};

	built_add_symbols(b, type, symbols, 4);
}

static struct data_objects *load(const char *dir, struct symbolizer *s, uint32_t type)
{
	_cleanup_(freep) char *path = scratch_path(dir, "bin/program");
	struct built_elf b;

	built_begin(&b);
	built_add(&b, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, "0123456789abcdef", 16);
	if (type)
		add_symbols(&b, type);
	built_end(&b, EM_AARCH64, ET_DYN);
	assert_true(built_store(&b, path));
	return data_objects_load(symbolizer_image(
		s, &(struct image_key){ .kind = IMAGE_USER, .name = "/bin/program" }));
}

static const char *name_at(struct data_objects *o, uint64_t addr)
{
	uint64_t link;
	const struct symbol *sym = data_objects_find(o, START, 0, START + addr, &link);

	return sym ? sym->name : "-";
}

static void a_variable_behind_the_end_of_the_file_has_a_name(void **state)
{
	static const uint32_t tables[] = { SHT_SYMTAB, SHT_DYNSYM };
	const struct symbolizer_options options = { .symfs = *state };

	for (size_t i = 0; i < 2; i++) {
		_cleanup_(symbolizer_freep) struct symbolizer *s = symbolizer_new(&options);
		_cleanup_(data_objects_freep) struct data_objects *o = load(*state, s, tables[i]);
		uint64_t link;

		assert_string_equal(name_at(o, 0x9000), "hot_lock");
		assert_string_equal(name_at(o, 0x9027), "hot_lock");
		assert_string_equal(name_at(o, 0x9028), "-");
		assert_string_equal(name_at(o, 0x8fff), "-");
		assert_non_null(data_objects_find(o, START, 0, START + 0x9010, &link));
		assert_int_equal(link, BUILT_BASE + 0x9010);
	}
}

static void functions_and_what_has_no_size_are_no_variables(void **state)
{
	const struct symbolizer_options options = { .symfs = *state };
	_cleanup_(symbolizer_freep) struct symbolizer *s = symbolizer_new(&options);
	_cleanup_(data_objects_freep) struct data_objects *o = load(*state, s, SHT_SYMTAB);

	assert_string_equal(name_at(o, 0x9100), "-");
	assert_string_equal(name_at(o, 0x9210), "-");
	assert_string_equal(name_at(o, UINT64_MAX - 4), "-");
}

static void what_cannot_be_read_has_none(void **state)
{
	const struct symbolizer_options options = { .symfs = *state };
	_cleanup_(symbolizer_freep) struct symbolizer *s = symbolizer_new(&options);
	_cleanup_(data_objects_freep) struct data_objects *stripped = load(*state, s, 0);
	_cleanup_(data_objects_freep) struct data_objects *missing = data_objects_load(
		symbolizer_image(s,
				 &(struct image_key){ .kind = IMAGE_USER, .name = "/bin/none" }));
	uint64_t link;

	assert_string_equal(name_at(stripped, 0x9000), "-");
	assert_string_equal(name_at(missing, 0x9000), "-");
	/* An offset that is not loaded determines no addresses. */
	assert_null(data_objects_find(stripped, START, 1 << 30, START, &link));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_variable_behind_the_end_of_the_file_has_a_name,
						scratch_make, scratch_remove),
		cmocka_unit_test_setup_teardown(functions_and_what_has_no_size_are_no_variables,
						scratch_make, scratch_remove),
		cmocka_unit_test_setup_teardown(what_cannot_be_read_has_none, scratch_make,
						scratch_remove),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
