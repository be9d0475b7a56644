/* SPDX-License-Identifier: MIT */
#include "session/recording.h"
#include "printed.h"

#include "view/report/dump.h"

static void assert_dump(struct recording *rec, const char *wanted)
{
	_cleanup_(session_freep) struct session *s = opened(rec, true);
	struct report_dump_options o = { .skip_empty = true };
	struct printed p;

	printed_open(&p);
	o.out = p.out;
	assert_int_equal(report_dump_print(s, &o, NULL), 0);
	assert_int_equal(fflush(p.out), 0);
	assert_non_null(strstr(p.text, wanted));
	fclose(p.out);
	free(p.text);
}

static void samples_have_their_place_and_the_end_its_figures(void **state)
{
	(void)state;
	_cleanup_(recording_done) struct recording rec = recording_new();

	comm(&rec, 5, 5, "x", 1);
	sampled(&rec, 2, 5, 11);
	assert_dump(&rec, " ... thread: x:5\n"
			  " ...... dso: <not found>\n"
			  "\n"
			  "Aggregated stats:\n"
			  "           TOTAL events:          2\n");
}

static void what_a_report_has_no_use_for_is_marked(void **state)
{
	(void)state;
	_cleanup_(recording_done) struct recording rec = recording_new();

	add(&rec, (struct record){ .header.type = PERF_RECORD_THROTTLE }, 1);
	assert_dump(&rec, "PERF_RECORD_THROTTLE: unhandled!\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(samples_have_their_place_and_the_end_its_figures),
		cmocka_unit_test(what_a_report_has_no_use_for_is_marked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
