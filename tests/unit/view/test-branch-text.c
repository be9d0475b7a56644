/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "profile/branch-note.h"
#include "view/branch-text.h"
#include "wire/branch.h"

static void says(struct branch_note n, const char *expected)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	branch_note_text(&n, &t);
	assert_string_equal(t.length ? t.chars : "", expected);
}

static void kinds_have_the_kernels_names(void **state)
{
	(void)state;
	assert_string_equal(branch_kind_text(BRANCH_UNKNOWN), "");
	assert_string_equal(branch_kind_text(4), "CALL");
	assert_string_equal(branch_kind_text(BRANCH_NEWER), "FAULT_ALGN");
	assert_string_equal(branch_kind_text(BRANCH_NEWER + 15), "");
	assert_string_equal(branch_kind_text(1000), "");
}

static void a_place_that_branches_went_to(void **state)
{
	(void)state;
	says((struct branch_note){ .to = 3, .predicted = 3, .kinds = 1 << 4 }, " (CALL)");
	says(
		(struct branch_note){
			.to = 3, .predicted = 2, .aborted = 1, .kinds = 1 << 4 | 1 << 5 },
		" (CALL IND_CALL predicted:66.7% abort:33.3%)");
	says((struct branch_note){ .to = 1,
				   .predicted = 1,
				   .kinds = 1 << 1 | 1 << 2,
				   .ways = WENT_BACKWARD | CROSSED_2M },
	     " (COND_BWD UNCOND CROSS_2M)");
}

static void a_place_that_branches_came_from(void **state)
{
	(void)state;
	says((struct branch_note){ .from = 3, .cycles = 41 }, " (cycles:13)");
	says((struct branch_note){ .from = 3, .cycles = 2 }, "");
	says(
		(struct branch_note){
			.from = 1, .cycles = 4, .loops = 2, .iterations = 6, .loop_cycles = 60 },
		" (cycles:4 iter:3 avg_cycles:10)");
}

static void a_place_of_the_stack(void **state)
{
	(void)state;
	says((struct branch_note){ .callers = 1 }, " (calltrace)");
	says((struct branch_note){ 0 }, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kinds_have_the_kernels_names),
		cmocka_unit_test(a_place_that_branches_went_to),
		cmocka_unit_test(a_place_that_branches_came_from),
		cmocka_unit_test(a_place_of_the_stack),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
