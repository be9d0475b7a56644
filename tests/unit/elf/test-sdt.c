/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>

#include "base/text.h"
#include "built-elf.h"
#include "elf/file.h"
#include "elf/sdt.h"

#define STRINGS "prov\0name\0008@x0"

struct description {
	uint64_t pc, base, semaphore;
	char strings[sizeof(STRINGS)];
} __attribute__((packed));

static void collect(const struct sdt_note *n, void *arg)
{
	text_addf(arg, "%s:%s %s %x %x\n", n->provider, n->name, n->arguments, (unsigned)n->offset,
		  (unsigned)n->semaphore);
}

/*
 * Checks the markers of a file with this note; @move is the distance that prelink moved the file
 * after linking.
 */
static void assert_shows(const struct description *d, uint32_t size, uint64_t move,
			 const char *expected)
{
	struct text seen = TEXT_EMPTY;
	struct description note = *d;
	struct built_elf b;

	built_begin(&b);

	size_t base = built_add(&b, ".stapsdt.base", SHT_PROGBITS, SHF_ALLOC, "x", 1);

	note.base = b.sections[base].sh_addr - move;
	built_add_note(&b, ".note.stapsdt", "stapsdt", 3, &note, size);
	built_end(&b, EM_AARCH64, ET_DYN);

	_cleanup_(elf_file_freep) struct elf_file *f = NULL;

	assert_int_equal(elf_file_open_memory(b.bytes, b.size, &f), 0);
	assert_int_equal(elf_sdt_for_each(f, collect, &seen), 0);
	assert_string_equal(seen.chars, expected);
	text_done(&seen);
}

static void a_probe_is_told_with_its_offsets(void **state)
{
	static const struct description d = { BUILT_BASE + 0x44, 0, BUILT_BASE + 0x50, STRINGS };

	(void)state;
	assert_shows(&d, sizeof(d), 0, "prov:name 8@x0 44 50\n");
}

static void no_semaphore_stays_none(void **state)
{
	static const struct description d = { BUILT_BASE + 0x44, 0, 0, STRINGS };

	(void)state;
	assert_shows(&d, sizeof(d), 0x10, "prov:name 8@x0 54 0\n");
}

static void a_file_that_was_moved_is_corrected(void **state)
{
	static const struct description d = { 0x1044, 0, 0x1050, STRINGS };

	(void)state;
	assert_shows(&d, sizeof(d), BUILT_BASE - 0x1000, "prov:name 8@x0 44 50\n");
}

static void a_note_without_all_its_strings_is_skipped(void **state)
{
	static const struct description d = { BUILT_BASE + 0x44, 0, 0, STRINGS };

	(void)state;
	for (uint32_t n = 0; n < sizeof(d); n++)
		assert_shows(&d, n, 0, "");
}

static void an_address_outside_of_the_file_is_skipped(void **state)
{
	static const struct description d = { 0x12345678, 0, 0, STRINGS };

	(void)state;
	assert_shows(&d, sizeof(d), 0, "");
}

static void a_file_without_the_section_has_none(void **state)
{
	struct text seen = TEXT_EMPTY;
	struct built_elf b;

	(void)state;
	built_begin(&b);
	built_end(&b, EM_AARCH64, ET_DYN);

	_cleanup_(elf_file_freep) struct elf_file *f = NULL;

	assert_int_equal(elf_file_open_memory(b.bytes, b.size, &f), 0);
	assert_int_equal(elf_sdt_for_each(f, collect, &seen), -ENODATA);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_probe_is_told_with_its_offsets),
		cmocka_unit_test(no_semaphore_stays_none),
		cmocka_unit_test(a_file_that_was_moved_is_corrected),
		cmocka_unit_test(a_note_without_all_its_strings_is_skipped),
		cmocka_unit_test(an_address_outside_of_the_file_is_skipped),
		cmocka_unit_test(a_file_without_the_section_has_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
