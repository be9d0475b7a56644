/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>

#include "built-elf.h"
#include "elf/file.h"

/* Returns a file with .text and a build-id. */
static struct built_elf *example(void)
{
	static struct built_elf b;

	built_begin(&b);
	built_add(&b, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, "0123456789abcdef", 16);
	built_add_note(&b, ".note.gnu.build-id", "GNU", NT_GNU_BUILD_ID, "\xaa\xbb\xcc", 3);
	built_end(&b, EM_AARCH64, ET_DYN);
	return &b;
}

static struct elf_file *opened(struct built_elf *b)
{
	struct elf_file *f = NULL;

	assert_int_equal(elf_file_open_memory(b->bytes, b->size, &f), 0);
	return f;
}

static void the_header_is_told(void **state)
{
	_cleanup_(elf_file_freep) struct elf_file *f = opened(example());

	(void)state;
	assert_int_equal(elf_file_machine(f), EM_AARCH64);
	assert_int_equal(elf_file_type(f), ET_DYN);
	assert_true(elf_file_is_64(f));
	assert_true(elf_file_has_code(f));
}

static void the_build_id_is_found(void **state)
{
	_cleanup_(elf_file_freep) struct elf_file *f = opened(example());
	struct build_id id;

	(void)state;
	assert_int_equal(elf_file_build_id(f, &id), 0);
	assert_int_equal(id.size, 3);
	assert_memory_equal(id.bytes, "\xaa\xbb\xcc", 3);
}

static void a_link_address_has_an_offset(void **state)
{
	_cleanup_(elf_file_freep) struct elf_file *f = opened(example());
	uint64_t offset = 7;

	(void)state;
	assert_true(elf_file_offset(f, BUILT_BASE + 0x48, 0, &offset));
	assert_int_equal(offset, 0x48);
	assert_false(elf_file_offset(f, BUILT_BASE - 1, 0, &offset));
	assert_false(elf_file_offset(f, BUILT_BASE + 0x100000, 0, &offset));
	assert_int_equal(offset, 0x48);
}

static void an_offset_has_a_link_address(void **state)
{
	_cleanup_(elf_file_freep) struct elf_file *f = opened(example());
	uint64_t addr = 7;

	(void)state;
	assert_false(elf_file_address(f, 0x100000, &addr));
	assert_int_equal(addr, 7);
	assert_true(elf_file_address(f, 0x48, &addr));
	assert_int_equal(addr, BUILT_BASE + 0x48);
}

static void bytes_are_copied_as_far_as_the_file_goes(void **state)
{
	struct built_elf *b = example();
	_cleanup_(elf_file_freep) struct elf_file *f = opened(b);
	uint8_t bytes[8] = "";

	(void)state;
	assert_int_equal(elf_file_read(f, 0, bytes, sizeof(bytes)), sizeof(bytes));
	assert_memory_equal(bytes, ELFMAG, SELFMAG);
	assert_int_equal(elf_file_read(f, b->size - 3, bytes, sizeof(bytes)), 3);
	assert_int_equal(elf_file_read(f, b->size, bytes, sizeof(bytes)), 0);
	assert_int_equal(elf_file_read(f, UINT64_MAX, bytes, sizeof(bytes)), 0);
}

static void outside_of_segments_the_section_decides(void **state)
{
	struct built_elf *b = example();

	(void)state;
	b->sections[1].sh_addr = 0x900000;
	b->n--; /* the names are added again */
	built_end(b, EM_AARCH64, ET_DYN);

	_cleanup_(elf_file_freep) struct elf_file *f = opened(b);
	uint64_t offset;

	assert_true(elf_file_offset(f, 0x900004, 1, &offset));
	assert_int_equal(offset, b->sections[1].sh_offset + 4);
}

static void a_file_of_only_debug_information_has_no_code(void **state)
{
	struct built_elf b;

	(void)state;
	built_begin(&b);
	built_add(&b, ".text", SHT_NOBITS, SHF_ALLOC | SHF_EXECINSTR, NULL, 16);
	built_end(&b, EM_X86_64, ET_DYN);

	_cleanup_(elf_file_freep) struct elf_file *f = opened(&b);

	assert_false(elf_file_has_code(f));
}

static void the_bytes_of_a_section_are_lent(void **state)
{
	_cleanup_(elf_file_freep) struct elf_file *f = opened(example());
	struct elf_section s;
	size_t size, index = elf_file_section_find(f, ".text", &s);

	(void)state;
	assert_int_equal(index, 1);
	assert_memory_equal(elf_file_section_bytes(f, index, &size), "0123456789abcdef", 16);
	assert_int_equal(size, 16);
	assert_true(elf_file_has_bytes(f, &s));
	s.type = SHT_NOBITS;
	assert_false(elf_file_has_bytes(f, &s));
	assert_int_equal(elf_file_section_find(f, ".nothing", &s), 0);
	assert_null(elf_file_section_bytes(f, 99, &size));
}

static void a_section_beyond_the_file_has_no_bytes(void **state)
{
	struct built_elf *b = example();
	struct elf_section s;
	size_t size;

	(void)state;
	b->sections[1].sh_size = 1 << 30;
	b->n--;
	built_end(b, EM_AARCH64, ET_DYN);

	_cleanup_(elf_file_freep) struct elf_file *f = opened(b);

	assert_int_equal(elf_file_section_find(f, ".text", &s), 1);
	assert_null(elf_file_section_bytes(f, 1, &size));
	assert_false(elf_file_has_bytes(f, &s));
}

static void what_is_no_elf_file_is_refused(void **state)
{
	struct elf_file *f = NULL;

	(void)state;
	assert_int_equal(elf_file_open_memory("#!/bin/sh\n", 10, &f), -ENOEXEC);
	assert_int_equal(elf_file_open_memory(example()->bytes, 20, &f), -ENOEXEC);
	assert_null(f);
}

/* Stores @b, opens it mapped, and removes it again. */
static struct elf_file *opened_mapped(const struct built_elf *b)
{
	char path[] = "/tmp/test-elf-file-XXXXXX";
	struct elf_file *f = NULL;
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	close(fd);
	assert_true(built_store(b, path));
	assert_int_equal(elf_file_open_mapped(path, &f), 0);
	unlink(path);
	return f;
}

static void a_mapped_file_reads_like_any_and_again_when_it_was_dropped(void **state)
{
	_cleanup_(elf_file_freep) struct elf_file *f = opened_mapped(example());
	struct elf_section s;
	size_t size = 0, index = elf_file_section_find(f, ".text", &s);
	char copy[4];

	(void)state;
	assert_memory_equal(elf_file_section_bytes(f, index, &size), "0123456789abcdef", 16);
	elf_file_drop(f);
	assert_memory_equal(elf_file_section_bytes(f, index, &size), "0123456789abcdef", 16);
	assert_int_equal(elf_file_read(f, s.offset + 4, copy, sizeof(copy)), sizeof(copy));
	assert_memory_equal(copy, "4567", 4);
}

/* libelf would write into the headers of packed sections. */
static void a_file_with_packed_sections_is_not_mapped(void **state)
{
	struct built_elf b;
	struct elf_section s;
	size_t size = 0;

	(void)state;
	built_begin(&b);
	built_add(&b, ".debug_info", SHT_PROGBITS, SHF_COMPRESSED, "packed", 6);
	built_end(&b, EM_AARCH64, ET_DYN);

	_cleanup_(elf_file_freep) struct elf_file *f = opened_mapped(&b);
	size_t index = elf_file_section_find(f, ".debug_info", &s);

	elf_file_drop(f);
	assert_memory_equal(elf_file_section_bytes(f, index, &size), "packed", 6);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_header_is_told),
		cmocka_unit_test(the_build_id_is_found),
		cmocka_unit_test(a_link_address_has_an_offset),
		cmocka_unit_test(an_offset_has_a_link_address),
		cmocka_unit_test(bytes_are_copied_as_far_as_the_file_goes),
		cmocka_unit_test(outside_of_segments_the_section_decides),
		cmocka_unit_test(a_file_of_only_debug_information_has_no_code),
		cmocka_unit_test(the_bytes_of_a_section_are_lent),
		cmocka_unit_test(a_section_beyond_the_file_has_no_bytes),
		cmocka_unit_test(what_is_no_elf_file_is_refused),
		cmocka_unit_test(a_mapped_file_reads_like_any_and_again_when_it_was_dropped),
		cmocka_unit_test(a_file_with_packed_sections_is_not_mapped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
