/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/text.h"
#include "timechart-sample.h"

static void the_data_names_threads_rows_and_columns(void **state)
{
	struct timechart_sample s;
	struct text t = TEXT_EMPTY;

	(void)state;
	timechart_sample_make(&s);
	timechart_data_add(&t, &s.picture);
	assert_non_null(strstr(t.chars, "\"start\":\"5000000000\",\"length\":40000000"));
	assert_non_null(strstr(t.chars, "\"rows\":[0,1],\"drawn\":2,\"cpus\":[0]"));
	/*
	 * There are a CPU with two lanes of power states, and two threads, one of them with calls.
	 */
	assert_non_null(strstr(t.chars, "[\"lane.kind\",6]"));
	assert_non_null(strstr(t.chars, "\"data\":\""));
	text_done(&t);
	timechart_sample_done(&s);
}

static void hostile_names_are_escaped(void **state)
{
	struct timechart_sample s;
	struct text t = TEXT_EMPTY;

	(void)state;
	timechart_sample_make(&s);
	timechart_data_add(&t, &s.picture);
	assert_null(strchr(t.chars, '\x1b'));
	assert_null(strchr(t.chars, '\xff'));
	text_done(&t);
	timechart_sample_done(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_data_names_threads_rows_and_columns),
		cmocka_unit_test(hostile_names_are_escaped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
