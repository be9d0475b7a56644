/* SPDX-License-Identifier: MIT */
#include "tui/fold-set.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define ROW    0x1111
#define OTHER  0x2222
#define BRANCH 0x3333

static void all_is_closed_at_first(void **state)
{
	struct fold_set f = { 0 };

	(void)state;
	assert_false(fold_set_is_open(&f, ROW));
	assert_false(fold_set_branch_is_open(&f, ROW, BRANCH));
	fold_set_done(&f);
}

static void a_row_opens_without_its_branches(void **state)
{
	struct fold_set f = { 0 };

	(void)state;
	fold_set_open(&f, ROW, true);
	assert_true(fold_set_is_open(&f, ROW));
	assert_false(fold_set_is_open(&f, OTHER));
	assert_false(fold_set_branch_is_open(&f, ROW, BRANCH));
	fold_set_open_branch(&f, ROW, BRANCH, true);
	assert_true(fold_set_branch_is_open(&f, ROW, BRANCH));
	assert_false(fold_set_branch_is_open(&f, OTHER, BRANCH));
	fold_set_done(&f);
}

static void branches_stay_open_while_their_row_is_closed(void **state)
{
	struct fold_set f = { 0 };

	(void)state;
	fold_set_open(&f, ROW, true);
	fold_set_open_branch(&f, ROW, BRANCH, true);
	fold_set_open(&f, ROW, false);
	fold_set_open(&f, ROW, true);
	assert_true(fold_set_branch_is_open(&f, ROW, BRANCH));
	fold_set_done(&f);
}

static void a_word_about_a_whole_row_counts_more_than_older_ones(void **state)
{
	struct fold_set f = { 0 };

	(void)state;
	fold_set_open_branch(&f, ROW, BRANCH, false);
	fold_set_deep(&f, ROW, true);
	assert_true(fold_set_is_open(&f, ROW));
	assert_true(fold_set_branch_is_open(&f, ROW, BRANCH));
	fold_set_open_branch(&f, ROW, BRANCH, false);
	assert_false(fold_set_branch_is_open(&f, ROW, BRANCH));
	fold_set_deep(&f, ROW, false);
	fold_set_open(&f, ROW, true);
	assert_false(fold_set_branch_is_open(&f, ROW, BRANCH));
	fold_set_done(&f);
}

static void a_word_about_all_forgets_the_others(void **state)
{
	struct fold_set f = { 0 };

	(void)state;
	fold_set_open(&f, ROW, true);
	fold_set_all(&f, true);
	assert_true(fold_set_is_open(&f, OTHER));
	assert_true(fold_set_branch_is_open(&f, OTHER, BRANCH));
	fold_set_open(&f, OTHER, false);
	assert_false(fold_set_is_open(&f, OTHER));
	assert_true(fold_set_is_open(&f, ROW));
	fold_set_all(&f, false);
	assert_false(fold_set_is_open(&f, ROW));
	fold_set_done(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_is_closed_at_first),
		cmocka_unit_test(a_row_opens_without_its_branches),
		cmocka_unit_test(branches_stay_open_while_their_row_is_closed),
		cmocka_unit_test(a_word_about_a_whole_row_counts_more_than_older_ones),
		cmocka_unit_test(a_word_about_all_forgets_the_others),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
