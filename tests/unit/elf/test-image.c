/* SPDX-License-Identifier: MIT */
/* Tests ELF files made in memory. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "built-elf.h"
#include "elf/file.h"
#include "elf/image.h"

static void pieces_become_sections(void **state)
{
	struct elf_piece pieces[] = { { .name = ".one", .size = 3 },
				      { .name = ".none" },
				      { .name = ".two", .size = 5 } };
	_cleanup_(elf_file_freep) struct elf_file *f = NULL;
	struct elf_section s;
	size_t size, index;
	uint8_t *bytes = elf_image_new(pieces, 3, EM_X86_64, &size);

	(void)state;
	memcpy(bytes + pieces[0].offset, "abc", 3);
	memcpy(bytes + pieces[2].offset, "defgh", 5);
	assert_int_equal(elf_file_take_memory(bytes, size, &f), 0);
	assert_int_equal(elf_file_machine(f), EM_X86_64);
	assert_true(elf_file_is_64(f));
	assert_false(elf_file_is_swapped(f));
	index = elf_file_section_find(f, ".two", &s);
	assert_memory_equal(elf_file_section_bytes(f, index, &size), "defgh", 5);
	assert_int_equal(size, 5);
	index = elf_file_section_find(f, ".one", &s);
	assert_memory_equal(elf_file_section_bytes(f, index, &size), "abc", 3);
	assert_true(elf_file_section_find(f, ".none", &s));
	assert_int_equal(s.size, 0);
}

static void no_piece_is_a_file_too(void **state)
{
	_cleanup_(elf_file_freep) struct elf_file *f = NULL;
	struct elf_section s;
	size_t size;
	uint8_t *bytes = elf_image_new(NULL, 0, EM_AARCH64, &size);

	(void)state;
	assert_int_equal(elf_file_take_memory(bytes, size, &f), 0);
	assert_int_equal(elf_file_section_find(f, ".debug_info", &s), 0);
	assert_true(elf_file_section_find(f, ".shstrtab", &s));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pieces_become_sections),
		cmocka_unit_test(no_piece_is_a_file_too),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
