/* SPDX-License-Identifier: MIT */
#include "session/recording.h"
#include "printed.h"

#include "profile/record-stats.h"
#include "view/report/stats.h"

static void assert_stats(struct recording *rec, bool skip_empty, const char *wanted)
{
	_cleanup_(session_freep) struct session *s = opened(rec, false);
	_cleanup_(record_stats_freep) struct record_stats *st = record_stats_new(s);
	struct printed p;

	printed_open(&p);
	assert_int_equal(record_stats_gather(st, NULL), 0);
	report_stats_print(s, st, skip_empty, p.out);
	assert_printed(&p, wanted);
}

static void shares_are_of_all_records(void **state)
{
	(void)state;
	_cleanup_(recording_done) struct recording rec = recording_new();

	comm(&rec, 5, 5, "x", 1);
	sampled(&rec, 2, 5, 11);
	sampled(&rec, 2, 5, 12);
	assert_stats(&rec, true,
		     "\n"
		     "Aggregated stats:\n"
		     "           TOTAL events:          3\n"
		     "            COMM events:          1  (33.3%)\n"
		     "          SAMPLE events:          2  (66.7%)\n"
		     "task-clock stats:\n"
		     "          SAMPLE events:          2\n");
}

static void the_whole_has_four_digits(void **state)
{
	(void)state;
	_cleanup_(recording_done) struct recording rec = recording_new();

	sampled(&rec, 1, 5, 11);
	assert_stats(&rec, true,
		     "\n"
		     "Aggregated stats:\n"
		     "           TOTAL events:          1\n"
		     "          SAMPLE events:          1  (100.0%)\n"
		     "cpu-clock stats:\n"
		     "          SAMPLE events:          1\n");
}

static void empty_types_and_events_can_be_shown(void **state)
{
	(void)state;
	_cleanup_(recording_done) struct recording rec = recording_new();
	_cleanup_(session_freep) struct session *s = NULL;
	_cleanup_(record_stats_freep) struct record_stats *st = NULL;
	struct printed p;

	sampled(&rec, 1, 5, 11);
	s = opened(&rec, false);
	st = record_stats_new(s);
	assert_int_equal(record_stats_gather(st, NULL), 0);
	printed_open(&p);
	report_stats_print(s, st, false, p.out);
	assert_int_equal(fflush(p.out), 0);
	assert_non_null(strstr(p.text, "AUX_OUTPUT_HW_ID events:          0  ( 0.0%)\n"));
	assert_non_null(strstr(p.text, "            ATTR events:          0  ( 0.0%)\n"));
	assert_non_null(strstr(p.text, "   FINISHED_INIT events:          0  ( 0.0%)\n"
				       "cpu-clock stats:\n"));
	assert_non_null(strstr(p.text, "task-clock stats:\n"));
	fclose(p.out);
	free(p.text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shares_are_of_all_records),
		cmocka_unit_test(the_whole_has_four_digits),
		cmocka_unit_test(empty_types_and_events_can_be_shown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
