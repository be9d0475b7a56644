/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <elf.h>
#include <errno.h>
#include <string.h>

#include "elf/build-id.h"
#include "elf/file.h"

static void text_and_bytes_are_the_same(void **state)
{
	struct build_id id;
	char text[BUILD_ID_TEXT_MAX];

	(void)state;
	assert_int_equal(build_id_parse("00ff10Ab", &id), 0);
	assert_int_equal(id.size, 4);
	assert_memory_equal(id.bytes, "\x00\xff\x10\xab", 4);
	assert_string_equal(build_id_format(&id, text), "00ff10ab");
}

static void what_is_no_build_id_is_refused(void **state)
{
	static const char *const texts[] = {
		"", "a", "abc", "0x12", "12 ", "zz", "000102030405060708090a0b0c0d0e0f1011121314"
	};
	struct build_id id = { .size = 7 };

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		assert_int_equal(build_id_parse(texts[i], &id), -EINVAL);
	assert_int_equal(id.size, 7);
}

static void a_long_one_is_cut(void **state)
{
	struct build_id id = build_id_make("0123456789012345678901234567890123456789", 40);

	(void)state;
	assert_int_equal(id.size, BUILD_ID_SIZE_MAX);
}

static void ids_of_different_length_differ(void **state)
{
	struct build_id a = build_id_make("ab", 2), b = build_id_make("abc", 3),
			none = { .size = 0 };

	(void)state;
	assert_true(build_id_equal(&a, &a));
	assert_false(build_id_equal(&a, &b));
	assert_false(build_id_equal(&a, &none));
}

/* Two notes: one of another owner, of odd length, and the build-id. */
static const struct {
	Elf64_Nhdr first;
	char first_name[8], first_desc[4];
	Elf64_Nhdr second;
	char second_name[4], second_desc[4];
} notes = {
	{ 5, 3, NT_GNU_BUILD_ID }, "Else", "xyz", { 4, 4, NT_GNU_BUILD_ID }, "GNU", "\1\2\3\4",
};

static void it_is_found_among_other_notes(void **state)
{
	struct build_id id;

	(void)state;
	assert_int_equal(build_id_from_notes(&notes, sizeof(notes), &id), 0);
	assert_int_equal(id.size, 4);
	assert_memory_equal(id.bytes, "\1\2\3\4", 4);
}

static void cut_notes_have_none(void **state)
{
	struct build_id id;

	(void)state;
	for (size_t n = 0; n < sizeof(notes); n++)
		assert_int_equal(build_id_from_notes(&notes, n, &id), -ENODATA);
}

static void a_note_that_claims_too_much_is_refused(void **state)
{
	static const uint32_t note[] = { UINT32_MAX, UINT32_MAX, NT_GNU_BUILD_ID, 0x00554e47 };
	struct build_id id;

	(void)state;
	assert_int_equal(build_id_from_notes(note, sizeof(note), &id), -ENODATA);
}

static void a_file_that_is_not_there_is_an_error(void **state)
{
	struct build_id id;
	int r = elf_build_id_read("/no/such/file", &id);

	(void)state;
	assert_true(r == -ENOENT || r == -ENOTSUP);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(text_and_bytes_are_the_same),
		cmocka_unit_test(what_is_no_build_id_is_refused),
		cmocka_unit_test(a_long_one_is_cut),
		cmocka_unit_test(ids_of_different_length_differ),
		cmocka_unit_test(it_is_found_among_other_notes),
		cmocka_unit_test(cut_notes_have_none),
		cmocka_unit_test(a_note_that_claims_too_much_is_refused),
		cmocka_unit_test(a_file_that_is_not_there_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
