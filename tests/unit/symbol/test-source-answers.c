/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "scratch.h"
#include "symbol/source-answers.h"

#define IDENTITY 5

static const struct answer_frame two[] = { { "inner", "a.h", 3 }, { "outer", "a.c", 20 } };
static const struct answer_frame bare[] = { { NULL, NULL, 0 } };

static const struct source_answer known[] = {
	{ 0x300, 0x200, 0x400, two, 2 },
	{ 0x100, 0, 0, bare, 1 },
	{ .link = 0x200 },
};

static void write_some(const char *path, size_t from, size_t n)
{
	struct source_answers a = { 0 };

	source_answers_open(&a, path, IDENTITY);
	for (size_t i = from; i < from + n; i++)
		source_answers_add(&a, &known[i]);
	assert_int_equal(source_answers_write(&a, path, IDENTITY), 0);
	source_answers_done(&a);
}

static void assert_text(const char *a, const char *b)
{
	assert_int_equal(a != NULL, b != NULL);
	if (a)
		assert_string_equal(a, b);
}

static void assert_knows(const char *path, size_t from, size_t n)
{
	struct source_answers a = { 0 };
	struct source_answer found;

	source_answers_open(&a, path, IDENTITY);
	for (size_t i = from; i < from + n; i++) {
		assert_true(source_answers_find(&a, known[i].link, &found));
		assert_int_equal(found.start, known[i].start);
		assert_int_equal(found.end, known[i].end);
		assert_int_equal(found.n, known[i].n);
		for (size_t k = 0; k < found.n; k++) {
			assert_text(found.frames[k].name, known[i].frames[k].name);
			assert_text(found.frames[k].file, known[i].frames[k].file);
			assert_int_equal(found.frames[k].line, known[i].frames[k].line);
		}
	}
	assert_false(source_answers_find(&a, 0x250, &found));
	source_answers_done(&a);
}

static void answers_are_found_again(void **state)
{
	_cleanup_(freep) char *path = scratch_path(*state, "x.frames");

	write_some(path, 0, 3);
	assert_knows(path, 0, 3);
}

static void new_ones_come_to_those_that_were_kept(void **state)
{
	_cleanup_(freep) char *path = scratch_path(*state, "x.frames");

	write_some(path, 0, 1);
	write_some(path, 1, 2);
	assert_knows(path, 0, 3);
}

static void without_new_ones_nothing_is_written(void **state)
{
	_cleanup_(freep) char *path = scratch_path(*state, "x.frames");

	write_some(path, 0, 0);
	assert_int_not_equal(access(path, F_OK), 0);
}

/* True if a file with this header and these rows has an answer for @link. */
static bool finds(const char *dir, const uint64_t *words, size_t n, uint64_t link)
{
	_cleanup_(freep) char *path = scratch_path(dir, "x.frames");
	struct source_answers a = { 0 };
	struct source_answer found;
	bool is_found;

	assert_int_equal(sealed_file_write(path, SOURCE_ANSWERS_KIND, IDENTITY, words, n), 0);
	source_answers_open(&a, path, IDENTITY);
	is_found = source_answers_find(&a, link, &found);
	source_answers_done(&a);
	return is_found;
}

/*
 * Makes a valid file: a header, a row of one frame, that frame with its text at 1, and 4 bytes of
 * text.
 */
static void sound(uint64_t w[9])
{
	const uint64_t words[] = { 1, 1, 4, 0x10, 0, 0, UINT64_C(1) << 32, 1, 0 };

	memcpy(w, words, sizeof(words));
}

static void numbers_that_do_not_fit_are_refused(void **state)
{
	uint64_t w[9];

	sound(w);
	assert_true(finds(*state, w, sizeof(w), 0x10));
	assert_false(finds(*state, w, sizeof(w) - 1, 0x10));
	assert_false(finds(*state, w, 16, 0x10));
	for (size_t i = 0; i < 3; i++) {
		sound(w);
		w[i] = UINT64_MAX;
		assert_false(finds(*state, w, sizeof(w), 0x10));
	}
	sound(w);
	w[8] = UINT64_C(1) << 56; /* the text has no end */
	assert_false(finds(*state, w, sizeof(w), 0x10));
}

static void frames_outside_of_the_file_are_no_answer(void **state)
{
	uint64_t w[9];

	sound(w);
	w[6] |= 1; /* the row begins with the second frame of one */
	assert_false(finds(*state, w, sizeof(w), 0x10));
	w[6] = UINT64_C(0xffffffff) << 32;
	assert_false(finds(*state, w, sizeof(w), 0x10));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(answers_are_found_again, scratch_make,
						scratch_remove),
		cmocka_unit_test_setup_teardown(new_ones_come_to_those_that_were_kept, scratch_make,
						scratch_remove),
		cmocka_unit_test_setup_teardown(without_new_ones_nothing_is_written, scratch_make,
						scratch_remove),
		cmocka_unit_test_setup_teardown(numbers_that_do_not_fit_are_refused, scratch_make,
						scratch_remove),
		cmocka_unit_test_setup_teardown(frames_outside_of_the_file_are_no_answer,
						scratch_make, scratch_remove),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
