/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "dwarf/unwind/code-answers.h"
#include "symbol/scratch.h"

#define IDENTITY 5

/* Adds an answer, and others at further offsets, so that the file is worth writing. */
static void add(const char *path, uint64_t offset, enum code_question q, bool answer)
{
	struct code_answers a = { 0 };

	code_answers_open(&a, path, IDENTITY);
	code_answers_add(&a, offset, q, answer);
	for (uint64_t i = 0; i < CODE_ANSWERS_WORTH_KEEPING; i++)
		code_answers_add(&a, offset * 0x10000 + i, CODE_ENDS_HANDLERS, false);
	assert_int_equal(code_answers_write(&a, path, IDENTITY), 0);
	code_answers_done(&a);
}

/* Returns 1 or 0, or -1 if there is no answer. */
static int find(const char *path, uint64_t identity, uint64_t offset, enum code_question q)
{
	struct code_answers a = { 0 };
	bool found, is_known;

	code_answers_open(&a, path, identity);
	is_known = code_answers_find(&a, offset, q, &found);
	code_answers_done(&a);
	return is_known ? found : -1;
}

static void answers_are_found_again(void **state)
{
	_cleanup_(freep) char *path = scratch_path(*state, "x.code");

	add(path, 0x200, CODE_IS_LEAF, true);
	add(path, 0x100, CODE_IS_LEAF, false);
	add(path, 0x300, CODE_ENDS_HANDLERS, true);
	assert_int_equal(find(path, IDENTITY, 0x100, CODE_IS_LEAF), 0);
	assert_int_equal(find(path, IDENTITY, 0x200, CODE_IS_LEAF), 1);
	assert_int_equal(find(path, IDENTITY, 0x300, CODE_ENDS_HANDLERS), 1);
}

static void an_answer_is_of_its_question_alone(void **state)
{
	_cleanup_(freep) char *path = scratch_path(*state, "x.code");

	add(path, 0x200, CODE_IS_LEAF, true);
	assert_int_equal(find(path, IDENTITY, 0x200, CODE_ENDS_HANDLERS), -1);
	assert_int_equal(find(path, IDENTITY, 0x1fc, CODE_IS_LEAF), -1);
	assert_int_equal(find(path, IDENTITY, 0x204, CODE_IS_LEAF), -1);
}

static void answers_about_another_file_are_not_used(void **state)
{
	_cleanup_(freep) char *path = scratch_path(*state, "x.code");

	add(path, 0x200, CODE_IS_LEAF, true);
	assert_int_equal(find(path, IDENTITY + 1, 0x200, CODE_IS_LEAF), -1);
}

static void offsets_that_do_not_fit_are_not_kept(void **state)
{
	_cleanup_(freep) char *path = scratch_path(*state, "x.code");

	add(path, 0x200, CODE_IS_LEAF, true);
	add(path, UINT64_C(1) << 61 | 0x200, CODE_IS_LEAF, false);
	assert_int_equal(find(path, IDENTITY, UINT64_C(1) << 61 | 0x200, CODE_IS_LEAF), -1);
	assert_int_equal(find(path, IDENTITY, 0x200, CODE_IS_LEAF), 1);
}

static void for_a_few_new_ones_nothing_is_written(void **state)
{
	_cleanup_(freep) char *path = scratch_path(*state, "x.code");
	struct code_answers a = { 0 };

	code_answers_add(&a, 0x200, CODE_IS_LEAF, true);
	assert_int_equal(code_answers_write(&a, path, IDENTITY), 0);
	assert_int_not_equal(access(path, F_OK), 0);
	code_answers_done(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(answers_are_found_again, scratch_make,
						scratch_remove),
		cmocka_unit_test_setup_teardown(an_answer_is_of_its_question_alone, scratch_make,
						scratch_remove),
		cmocka_unit_test_setup_teardown(answers_about_another_file_are_not_used,
						scratch_make, scratch_remove),
		cmocka_unit_test_setup_teardown(offsets_that_do_not_fit_are_not_kept, scratch_make,
						scratch_remove),
		cmocka_unit_test_setup_teardown(for_a_few_new_ones_nothing_is_written, scratch_make,
						scratch_remove),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
