/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "tools/kwork/kwork-model.h"
#include "tools/kwork/timehist-view.h"

static const struct kwork_item item = { .class = KWORK_SOFTIRQ, .id = 7, .name = (char *)"SCHED" };

static void assert_line_of(bool narrow, struct kwork_run run, const char *expected)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	run.item = &item;
	kwork_timehist_add(&t, narrow, &run);
	assert_string_equal(t.chars, expected);
}

static void assert_line(struct kwork_run run, const char *expected)
{
	assert_line_of(false, run, expected);
}

static void a_run_fits_a_narrow_terminal(void **state)
{
	(void)state;
	assert_true(kwork_timehist_is_narrow(80));
	assert_false(kwork_timehist_is_narrow(102));
	assert_false(kwork_timehist_is_narrow(0));
	assert_line_of(true,
		       (struct kwork_run){ .raised = UINT64_C(37919602862000),
					   .begin = UINT64_C(37919602867000),
					   .end = UINT64_C(37919602869999) },
		       " 37919.602867  37919.602869 [0000] (s)SCHED:7                 0.003     "
		       "0.005\n");
	assert_line_of(true, (struct kwork_run){ .begin = 1000, .end = 1000 },
		       "     0.000001      0.000001 [0000] (s)SCHED:7                 0.000\n");
}

static void a_run_has_its_delay_and_stack(void **state)
{
	(void)state;
	assert_line((struct kwork_run){ .raised = UINT64_C(37919602862000),
					.begin = UINT64_C(37919602867000),
					.end = UINT64_C(37919602869999) },
		    "      37919.602867       37919.602869  [0000]  (s)SCHED:7             "
		    "              0.003       0.005 \n");
	assert_line((struct kwork_run){ .begin = 0, .end = UINT64_MAX },
		    "          0.000000  18446744073.709551  [0000]  (s)SCHED:7             "
		    "         18446744073709.551             \n");
	assert_line((struct kwork_run){ .begin = 1000, .end = 1000, .stack = "  a <- b" },
		    "          0.000001           0.000001  [0000]  (s)SCHED:7             "
		    "              0.000               a <- b\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_run_fits_a_narrow_terminal),
		cmocka_unit_test(a_run_has_its_delay_and_stack),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
