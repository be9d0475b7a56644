/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "count/stat.h"
#include "tools/stat/text-view.h"

static void assert_elapsed(const struct stat_table *table, bool list_runs, const char *wanted)
{
	struct text t = TEXT_EMPTY;

	stat_elapsed_add(&t, table, list_runs);
	assert_string_equal(t.chars, wanted);
	text_done(&t);
}

static void one_run_has_nanoseconds_and_what_the_command_used(void **state)
{
	struct stat_table t = { .runs = 1, .elapsed_s = 1.5, .user_s = 0.7, .system_s = 0.25 };

	(void)state;
	assert_elapsed(&t, true, "       1.500000000 seconds time elapsed\n\n");
	t.has_rusage = true;
	assert_elapsed(&t, false,
		       "       1.500000000 seconds time elapsed\n\n"
		       "       0.700000000 seconds user\n       0.250000000 seconds sys\n\n\n");
}

/* The cases "elapsed digits ..." of perf 6.1. */
static void the_error_has_three_digits(void **state)
{
	static const struct {
		double mean, error;
		const char *text;
	} cases[] = {
		{ 0.001, 0.00000577350269,
		  "        0.00100000 +- 0.00000577 seconds time elapsed  ( +-  0.58% )\n\n" },
		{ 1.000000001, 0.000000000577,
		  "    1.000000001000 +- 0.000000000577 seconds time elapsed  ( +-  0.00% )\n\n" },
		{ 107, 96.65574,
		  "            107.00 +- 96.66 seconds time elapsed  ( +- 90.33% )\n\n" },
		{ 12.349012234, 0.02833,
		  "           12.3490 +- 0.0283 seconds time elapsed  ( +-  0.23% )\n\n" },
		{ 123461.789, 5,
		  "         123461.79 +- 5.00 seconds time elapsed  ( +-  0.00% )\n\n" },
		{ 1, 0.1, "             1.000 +- 0.100 seconds time elapsed  ( +- 10.00% )\n\n" },
		{ 0.002, 0.001,
		  "           0.00200 +- 0.00100 seconds time elapsed  ( +- 50.00% )\n\n" },
		{ 1, 0, "               1.0 +- 0.0 seconds time elapsed\n\n" },
		{ 0, 0, "               0.0 +- 0.0 seconds time elapsed\n\n" },
		{ 1, 1e-17,
		  "    1.000000000000 +- 0.000000000000 seconds time elapsed  ( +-  0.00% )\n\n" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct stat_table t = { .runs = 3,
					      .elapsed_s = cases[i].mean,
					      .elapsed_error_s = cases[i].error };

		assert_elapsed(&t, false, cases[i].text);
	}
}

static void runs_are_listed_with_their_distance_from_the_mean(void **state)
{
	const double times[] = { 5.189, 5.189, 5.186, 5.663, 6.186 };
	const struct stat_table t = {
		.runs = 5, .elapsed_s = 5.4826, .elapsed_error_s = 0.198239, .run_times_s = times
	};

	(void)state;
	assert_elapsed(&t, true,
		       "             # Table of individual measurements:\n"
		       "             5.189 (-0.294) ##\n"
		       "             5.189 (-0.294) ##\n"
		       "             5.186 (-0.297) ##\n"
		       "             5.663 (+0.180) #\n"
		       "             6.186 (+0.703) ###\n"
		       "\n"
		       "             # Final result:\n"
		       "             5.483 +- 0.198 seconds time elapsed  ( +-  3.62% )\n\n");
}

/* perf 6.1 has no limit, and prints thousands of characters. */
static void a_bar_has_an_end(void **state)
{
	const double times[] = { 0, 1, 37 };
	const struct stat_table t = {
		.runs = 3, .elapsed_s = 19, .elapsed_error_s = 13.79, .run_times_s = times
	};

	(void)state;
	assert_elapsed(
		&t, true,
		"             # Table of individual measurements:\n"
		"              0.00 (-19.00) ##################################################\n"
		"              1.00 (-18.00) ##################################################\n"
		"             37.00 (+18.00) ##########\n"
		"\n"
		"             # Final result:\n"
		"             19.00 +- 13.79 seconds time elapsed  ( +- 72.58% )\n\n");
}

static void noise_is_silent_only_if_there_is_none(void **state)
{
	struct text t = TEXT_EMPTY;

	(void)state;
	stat_noise_add(&t, 0);
	assert_string_equal(t.chars, "");
	stat_noise_add(&t, 1e-9);
	assert_string_equal(t.chars, "  ( +-  0.00% )");
	text_done(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_run_has_nanoseconds_and_what_the_command_used),
		cmocka_unit_test(the_error_has_three_digits),
		cmocka_unit_test(runs_are_listed_with_their_distance_from_the_mean),
		cmocka_unit_test(a_bar_has_an_end),
		cmocka_unit_test(noise_is_silent_only_if_there_is_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
