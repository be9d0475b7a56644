/* SPDX-License-Identifier: MIT */
#include "sched-story.h"

#include "tools/sched/timehist-model.h"
#include "view/printed.h"
#include "tools/sched/timehist-summary-view.h"

static void tasks_stand_in_the_order_of_linux_perf(void **state)
{
	static const uint32_t tids[] = { 300, 5, 261 };
	const struct timehist_options o = { 0 };
	_cleanup_(timehist_freep) struct timehist *t = timehist_new(&o);
	struct printed out;

	(void)state;
	for (uint32_t i = 0; i < 3; i++) {
		struct sched_event e = story_switch(100 + 10 * i, 0, tids[i], 1, tids[(i + 1) % 3]);

		timehist_take(t, &e);
	}
	printed_open(&out);
	timehist_print_summary(out.out, t,
			       &(struct timehist_summary_style){ .n_cpus = 1, .name_width = 8 });
	assert_printed(
		&out,
		"\nRuntime summary\n"
		"    comm  parent   sched-in     run-time    min-run     avg-run     max-run  "
		"stddev  migrations\n"
		"                    (count)       (msec)     (msec)      (msec)      (msec)       "
		"%\n"
		"----------------------------------------------------------------------------------"
		"-"
		"----------------------------------\n"
		"   :5[5]      -1          1        0.010      0.010       0.010       0.010    "
		"0.00 "
		"      0\n"
		":261[261]      -1          1        0.010      0.010       0.010       0.010    "
		"0.00       0\n"
		":300[300]      -1          1        0.000      0.000       0.000       0.000    "
		"0.00       0\n"
		"\nTerminated tasks:\n<no terminated tasks>\n"
		"\nIdle stats:\n    CPU  0 idle entire time window\n"
		"\n    Total number of unique tasks: 3\n"
		"Total number of context switches: 3\n"
		"           Total run time (msec):  0.020 \n"
		"    Total scheduling time (msec):  0.020  (x 1)\n");
}

static void migrations_are_left_out_where_they_have_no_room(void **state)
{
	const struct timehist_options o = { 0 };
	_cleanup_(timehist_freep) struct timehist *t = timehist_new(&o);
	struct sched_event e = story_switch(100, 0, 5, 1, 300);
	static const char says[] = "Migrations are shown on a wider terminal";
	struct timehist_summary_style style = { .n_cpus = 1, .name_width = 30, .columns = 80 };

	(void)state;
	timehist_take(t, &e);
	for (unsigned narrow = 0; narrow < 2; narrow++) {
		struct printed out;

		style.columns = narrow ? 60 : 80;
		printed_open(&out);
		timehist_print_summary(out.out, t, &style);
		assert_int_equal(fflush(out.out), 0);
		assert_int_equal(!strstr(out.text, "  migrations\n"), narrow);
		assert_int_equal(!!strstr(out.text, says), narrow);
		fclose(out.out);
		free(out.text);
	}
}

static void an_empty_model_has_an_empty_summary(void **state)
{
	const struct timehist_options o = { .idle = true };
	_cleanup_(timehist_freep) struct timehist *t = timehist_new(&o);
	struct printed out;

	(void)state;
	printed_open(&out);
	timehist_print_summary(out.out, t,
			       &(struct timehist_summary_style){ .idle = true, .state = true });
	assert_int_equal(fflush(out.out), 0);
	assert_non_null(strstr(out.text, "<no still running tasks>"));
	fclose(out.out);
	free(out.text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tasks_stand_in_the_order_of_linux_perf),
		cmocka_unit_test(migrations_are_left_out_where_they_have_no_room),
		cmocka_unit_test(an_empty_model_has_an_empty_summary),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
