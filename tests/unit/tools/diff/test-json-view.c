/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "diff-sample.h"
#include "profile/threshold.h"
#include "tools/diff/json-view.h"
#include "tools/diff/repeats-model.h"
#include "view/printed.h"

static void rows_have_their_keys_and_figures(void **state)
{
	static const char *const names[] = { "a.data", "b.data" };
	const struct diff_repeats_options o = {
		.names = names, .n_sides = 2, .side_of = (size_t[]){ 0, 1 }, .unit = "", .order = 1
	};
	_cleanup_(diff_sample_done) struct diff_sample s;
	_cleanup_(diff_repeats_freep) struct diff_repeats *r = NULL;
	struct threshold_results none = { 0 };
	struct printed p;

	(void)state;
	diff_sample_init(&s, 2);
	s.diff = diff_new(&s.options, s.sides, 2);
	r = diff_repeats_new(s.diff, &o);
	diff_repeats_correct(r, &o);
	printed_open(&p);
	diff_json_print(
		p.out, &s.plan,
		&(struct diff_json_event){ .name = "cyc\"les", .repeats = r, .limits = &none }, 1);
	assert_int_equal(fclose(p.out), 0);
	assert_non_null(strstr(p.text, "\"event\": \"cyc\\\"les\""));
	assert_non_null(strstr(p.text, "\"who\": \"sh\""));
	assert_non_null(strstr(p.text, "\"basis\": \"too-few-runs\""));
	assert_non_null(strstr(p.text, "\"name\": \"total\""));
	assert_non_null(strstr(p.text, "\"correction\": "));
	assert_non_null(strstr(p.text, "\"failed\": 0"));
	free(p.text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_have_their_keys_and_figures),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
