/* SPDX-License-Identifier: MIT */
/* Tests split units in a package. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>

#include "dwarf-elf.h"
#include "dwarf/package.h"
#include "elf/file.h"

#define ID UINT64_C(0x1122334455667788)

/* Ways to damage the index, and the unit that is looked up. */
struct package_change {
	uint32_t version;
	uint32_t columns, units, slots; /* 0: unchanged */
	uint32_t offset, size;          /* of .debug_info of the second unit; 0: unchanged */
	uint32_t string;                /* its offset; 0: unchanged */
	size_t cut;                     /* number of bytes of the index that are missing */
};

/*
 * Makes two units of three sections. The first four bytes of each section belong to the first unit,
 * the rest to the second.
 */
static void put_index(struct dwarf_bytes *b, const struct package_change *c)
{
	static const uint32_t kinds[] = { 1, 3, 6 };

	dwarf_put(b, c->version ? c->version : 5, 4);
	dwarf_put(b, c->columns ? c->columns : 3, 4);
	dwarf_put(b, c->units ? c->units : 2, 4);
	dwarf_put(b, c->slots ? c->slots : 4, 4);
	dwarf_put(b, 0, 8);
	dwarf_put(b, ID, 8);
	dwarf_put(b, ID + 1, 8);
	dwarf_put(b, 0, 8);
	dwarf_put(b, 0, 4);
	dwarf_put(b, 2, 4);
	dwarf_put(b, 1, 4);
	dwarf_put(b, 0, 4);
	for (size_t i = 0; i < 3; i++)
		dwarf_put(b, kinds[i], 4);
	for (size_t i = 0; i < 3; i++)
		dwarf_put(b, 0, 4);
	dwarf_put(b, c->offset ? c->offset : 4, 4);
	dwarf_put(b, 4, 4);
	dwarf_put(b, 4, 4);
	for (size_t i = 0; i < 3; i++)
		dwarf_put(b, 4, 4);
	dwarf_put(b, c->size ? c->size : 4, 4);
	dwarf_put(b, 4, 4);
	dwarf_put(b, 12, 4);
}

static void build_package(struct built_elf *b, const struct package_change *c)
{
	struct dwarf_bytes index = { .n = 0 }, offsets = { .n = 0 };

	put_index(&index, c);
	dwarf_put(&offsets, 0, 4); /* of the first unit, which is not looked up */
	dwarf_put(&offsets, 8, 4);
	dwarf_put(&offsets, 5, 4);
	dwarf_put(&offsets, c->string ? c->string : 6, 4);
	built_begin(b);
	built_add(b, ".debug_info.dwo", SHT_PROGBITS, 0, "aaaaINFO", 8);
	built_add(b, ".debug_abbrev.dwo", SHT_PROGBITS, 0, "aaaaABBR", 8);
	built_add(b, ".debug_str_offsets.dwo", SHT_PROGBITS, 0, offsets.bytes, offsets.n);
	built_add(b, ".debug_str.dwo", SHT_PROGBITS, 0, "other\0mine", 11);
	built_add(b, ".debug_cu_index", SHT_PROGBITS, 0, index.bytes, index.n - c->cut);
	built_end(b, EM_AARCH64, ET_DYN);
}

static void build_program(struct built_elf *b)
{
	built_begin(b);
	built_add(b, ".debug_addr", SHT_PROGBITS, 0, "headerADDRESSES", 15);
	built_end(b, EM_AARCH64, ET_DYN);
}

static int take(const struct package_change *c, uint64_t id, struct elf_file **ret)
{
	struct built_elf package, program;
	_cleanup_(elf_file_freep) struct elf_file *p = NULL, *q = NULL;
	const struct dwarf_skeleton s = { .id = id, .addr_base = 6 };
	uint8_t *bytes;
	size_t size;

	build_package(&package, c);
	build_program(&program);
	assert_int_equal(elf_file_open_memory(package.bytes, package.size, &p), 0);
	assert_int_equal(elf_file_open_memory(program.bytes, program.size, &q), 0);

	int r = dwarf_package_unit(p, q, &s, &bytes, &size);

	return r < 0 ? r : elf_file_take_memory(bytes, size, ret);
}

static void assert_section(struct elf_file *f, const char *name, const char *expected, size_t n)
{
	struct elf_section s;
	size_t index = elf_file_section_find(f, name, &s), size = 0;
	const uint8_t *bytes = index ? elf_file_section_bytes(f, index, &size) : NULL;

	assert_int_equal(size, n);
	assert_memory_equal(bytes, expected, n);
}

static void a_unit_is_what_the_index_says_and_the_addresses_of_the_program(void **state)
{
	_cleanup_(elf_file_freep) struct elf_file *f = NULL;

	(void)state;
	assert_int_equal(take(&(struct package_change){ .version = 0 }, ID, &f), 0);
	assert_int_equal(elf_file_machine(f), EM_AARCH64);
	assert_section(f, ".debug_info", "INFO", 4);
	assert_section(f, ".debug_abbrev", "ABBR", 4);
	assert_section(f, ".debug_addr", "ADDRESSES", 9);
}

static void only_its_own_strings_come_along(void **state)
{
	_cleanup_(elf_file_freep) struct elf_file *f = NULL;

	(void)state;
	assert_int_equal(take(&(struct package_change){ .version = 0 }, ID, &f), 0);
	assert_section(f, ".debug_str", "\0mine", 6);
	assert_section(f, ".debug_str_offsets", "\10\0\0\0\5\0\0\0\1\0\0\0", 12);
}

static void a_string_that_lies_outside_is_empty(void **state)
{
	_cleanup_(elf_file_freep) struct elf_file *f = NULL;

	(void)state;
	assert_int_equal(take(&(struct package_change){ .string = 1000 }, ID, &f), 0);
	assert_section(f, ".debug_str", "", 1);
}

static void an_id_that_is_not_there_is_not_found(void **state)
{
	struct elf_file *f = NULL;

	(void)state;
	assert_int_equal(take(&(struct package_change){ .version = 0 }, 77, &f), -ENODATA);
	assert_null(f);
}

static void an_index_that_makes_no_sense_is_refused(void **state)
{
	static const struct package_change changes[] = {
		{ .columns = UINT32_MAX },
		{ .columns = 17 },
		{ .units = UINT32_MAX },
		{ .units = 1000 },
		{ .slots = 1000 },
		{ .slots = UINT32_MAX },
		{ .offset = 100 },
		{ .offset = UINT32_MAX },
		{ .size = 5 },
		{ .size = UINT32_MAX },
		{ .cut = 1 },
		{ .cut = 100 },
		{ .cut = 120 },
	};
	struct elf_file *f = NULL;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(changes); i++)
		assert_int_equal(take(&changes[i], ID, &f), -EBADMSG);
}

static void another_version_is_not_understood(void **state)
{
	struct elf_file *f = NULL;

	(void)state;
	assert_int_equal(take(&(struct package_change){ .version = 2 }, ID, &f), -ENOTSUP);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_unit_is_what_the_index_says_and_the_addresses_of_the_program),
		cmocka_unit_test(only_its_own_strings_come_along),
		cmocka_unit_test(a_string_that_lies_outside_is_empty),
		cmocka_unit_test(an_id_that_is_not_there_is_not_found),
		cmocka_unit_test(an_index_that_makes_no_sense_is_refused),
		cmocka_unit_test(another_version_is_not_understood),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
