/* SPDX-License-Identifier: MIT */
/* Packed debug sections. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <zlib.h>

#include "base/cleanup.h"
#include "dwarf/file.h"
#include "elf/built-elf.h"
#include "elf/file.h"

static const char text[] = "debug information, debug information, debug information";

/* False statements of a file about its packed section. */
struct lie {
	uint32_t how;
	uint64_t size;
	size_t cut; /* number of bytes that are missing */
};

static size_t pack(const struct lie *l, uint8_t *to, size_t room)
{
	Elf64_Chdr h = { .ch_type = l->how ? l->how : ELFCOMPRESS_ZLIB,
			 .ch_size = l->size ? l->size : sizeof(text),
			 .ch_addralign = 1 };
	unsigned long n = room - sizeof(h);

	memcpy(to, &h, sizeof(h));
	assert_int_equal(compress(to + sizeof(h), &n, (const uint8_t *)text, sizeof(text)), Z_OK);
	return sizeof(h) + n - l->cut;
}

static struct elf_file *open_packed(struct built_elf *b, const struct lie *l, uint16_t type)
{
	uint8_t packed[512];
	struct elf_file *f;

	built_begin(b);
	built_add(b, ".debug_info", SHT_PROGBITS, SHF_COMPRESSED, packed,
		  pack(l, packed, sizeof(packed)));
	built_add(b, ".debug_abbrev", SHT_PROGBITS, 0, "plain", 5);
	built_add(b, ".debug_loclists", SHT_PROGBITS, 0, "of no use", 9);
	built_end(b, EM_AARCH64, type);
	assert_int_equal(elf_file_open_memory(b->bytes, b->size, &f), 0);
	return f;
}

static void sections_that_lines_need_are_unpacked(void **state)
{
	struct built_elf b;
	_cleanup_(elf_file_freep) struct elf_file *unpacked = NULL;
	struct elf_file *f = open_packed(&b, &(struct lie){ .how = 0 }, ET_DYN);
	struct elf_section s;
	size_t size = 0, index;

	(void)state;
	assert_int_equal(elf_unpack_dwarf(f, DWARF_FOR_LINES, &unpacked), 0);
	elf_file_free(f);
	index = elf_file_section_find(unpacked, ".debug_info", &s);
	assert_false(s.flags & SHF_COMPRESSED);
	assert_memory_equal(elf_file_section_bytes(unpacked, index, &size), text, sizeof(text));
	assert_int_equal(size, sizeof(text));
	index = elf_file_section_find(unpacked, ".debug_abbrev", &s);
	assert_memory_equal(elf_file_section_bytes(unpacked, index, &size), "plain", 5);
	assert_int_equal(elf_file_section_find(unpacked, ".debug_loclists", &s), 0);
	assert_int_equal(elf_file_machine(unpacked), EM_AARCH64);
}

static void for_variables_more_of_them_are(void **state)
{
	struct built_elf b;
	_cleanup_(elf_file_freep) struct elf_file *unpacked = NULL;
	struct elf_file *f = open_packed(&b, &(struct lie){ .how = 0 }, ET_DYN);
	struct elf_section s;
	size_t size = 0, index;

	(void)state;
	assert_int_equal(elf_unpack_dwarf(f, DWARF_FOR_VARIABLES, &unpacked), 0);
	elf_file_free(f);
	index = elf_file_section_find(unpacked, ".debug_loclists", &s);
	assert_int_not_equal(index, 0);
	assert_memory_equal(elf_file_section_bytes(unpacked, index, &size), "of no use", 9);
	assert_int_not_equal(elf_file_section_find(unpacked, ".debug_info", &s), 0);
}

static void a_file_with_nothing_packed_stays_as_it_is(void **state)
{
	struct built_elf b;
	struct elf_file *f, *unpacked = NULL;

	(void)state;
	built_begin(&b);
	built_add(&b, ".debug_info", SHT_PROGBITS, 0, text, sizeof(text));
	built_end(&b, EM_AARCH64, ET_DYN);
	assert_int_equal(elf_file_open_memory(b.bytes, b.size, &f), 0);
	assert_int_equal(elf_unpack_dwarf(f, DWARF_FOR_LINES, &unpacked), -ENODATA);
	assert_null(unpacked);
	elf_file_free(f);
}

static void what_is_damaged_is_refused(void **state)
{
	static const struct lie lies[] = {
		{ .size = 1 },          { .size = sizeof(text) + 1 }, { .size = 1 << 20 },
		{ .size = UINT64_MAX }, { .size = 1ull << 40 },       { .cut = 1 },
		{ .cut = 20 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(lies); i++) {
		struct built_elf b;
		struct elf_file *f = open_packed(&b, &lies[i], ET_DYN), *unpacked = NULL;

		assert_int_equal(elf_unpack_dwarf(f, DWARF_FOR_LINES, &unpacked), -EBADMSG);
		assert_null(unpacked);
		elf_file_free(f);
	}
}

static void what_we_do_not_know_is_left_to_others(void **state)
{
	struct built_elf b;
	struct elf_file *unpacked = NULL, *f = open_packed(&b, &(struct lie){ .how = 77 }, ET_DYN);

	(void)state;
	assert_int_equal(elf_unpack_dwarf(f, DWARF_FOR_LINES, &unpacked), -ENOTSUP);
	elf_file_free(f);
	/* Sections of a relocatable file must be relocated. */
	f = open_packed(&b, &(struct lie){ .how = 0 }, ET_REL);
	assert_int_equal(elf_unpack_dwarf(f, DWARF_FOR_LINES, &unpacked), -ENOTSUP);
	elf_file_free(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sections_that_lines_need_are_unpacked),
		cmocka_unit_test(for_variables_more_of_them_are),
		cmocka_unit_test(a_file_with_nothing_packed_stays_as_it_is),
		cmocka_unit_test(what_is_damaged_is_refused),
		cmocka_unit_test(what_we_do_not_know_is_left_to_others),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
