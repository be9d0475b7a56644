/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "tools/test/checks/checks.h"
#include "tools/test/checks/kit.h"

static void numbers_and_parts_are_found(void **state)
{
	struct text t = { .chars = (char *)"  12.50%  [.] leaf\n   3  page-faults\n",
			  .length = 40 };

	(void)state;
	assert_true(kit_number_before(&t, "[.] leaf") == 12.5);
	assert_true(kit_number_before(&t, "page-faults") == 3);
	assert_true(kit_number_before(&t, "nothing") == -1);
	assert_int_equal(kit_count(&t, "\n"), 2);
	assert_int_equal(kit_count(&t, "x"), 0);
}

static void programs_run_and_their_output_is_kept(void **state)
{
	char reason[SELFTEST_REASON_MAX] = "";
	struct selftest_run t = { .out = tmpfile(), .perf = "/bin/echo", .reason = reason };
	_cleanup_(text_done) struct text out = TEXT_EMPTY;

	(void)state;
	assert_int_equal(RUN(&t, &out, "sh", "-c", "echo out; echo err >&2; exit 3"), 3);
	assert_string_equal(out.chars, "out\n");
	assert_int_equal(PERF(&t, &out, "a", "b"), 0);
	assert_string_equal(out.chars, "a b\n");
	assert_int_equal(RUN(&t, &out, "sh", "-c", "kill -9 $$"), 128 + 9);
	assert_true(RUN(&t, &out, "/nonexistent/program") < 0);
	fclose(t.out);
}

static void a_skip_has_the_sentence_and_the_cure(void **state)
{
	char reason[SELFTEST_REASON_MAX] = "";
	struct selftest_run t = { .out = tmpfile(), .reason = reason };
	struct diag d = { .message = (char *)"no way", .hint = (char *)"do this\nor that" };

	(void)state;
	assert_int_equal(kit_skip_diag(&t, &d), SELFTEST_SKIP);
	assert_string_equal(reason, "no way; do this");
	fclose(t.out);
}

static void every_test_has_a_name_and_says_what_a_failure_means(void **state)
{
	(void)state;
	for (const struct selftest *const *c = all_checks; *c; c++) {
		assert_true((*c)->name && *(*c)->name);
		assert_true((*c)->why && *(*c)->why);
		assert_true(((*c)->run == NULL) != ((*c)->cases == NULL));
		for (const struct selftest *const *other = all_checks; other < c; other++)
			assert_string_not_equal((*c)->name, (*other)->name);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_and_parts_are_found),
		cmocka_unit_test(programs_run_and_their_output_is_kept),
		cmocka_unit_test(a_skip_has_the_sentence_and_the_cure),
		cmocka_unit_test(every_test_has_a_name_and_says_what_a_failure_means),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
