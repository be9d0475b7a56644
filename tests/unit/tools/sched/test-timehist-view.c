/* SPDX-License-Identifier: MIT */
#include "sched-story.h"

#include "tools/sched/timehist-model.h"
#include "view/printed.h"
#include "tools/sched/timehist-view.h"

static const struct timehist_task sh = { .comm = "sh", .tid = 5, .pid = 5 };
static const struct timehist_task worker = { .comm = "worker", .tid = 7, .pid = 6, .index = 1 };

static void rows(struct timehist_style style, const char *wanted)
{
	struct sched_event e = story_switch(1, 1, 5, 1, 9);
	const struct timehist_row left = { .kind = TIMEHIST_SWITCH,
					   .time_ns = 1500000123456,
					   .cpu = 1,
					   .task = &sh,
					   .wait_ns = 1234567,
					   .delay_ns = 99999,
					   .run_ns = 100000 * UINT64_C(1000000),
					   .state = 'S',
					   .event = &e };
	struct timehist_row woke = {
		.kind = TIMEHIST_WAKEUP, .task = &sh, .other = &worker, .event = &e
	};
	struct timehist_lines l;
	struct printed out;

	printed_open(&out);
	timehist_lines_init(&l, &style, out.out);
	timehist_print_row(&l, &left);
	timehist_print_row(&l, &woke);
	woke.kind = TIMEHIST_MIGRATION;
	timehist_print_row(&l, &woke);
	assert_int_equal(timehist_lines_flush(&l), 0);
	timehist_lines_done(&l);
	assert_printed(&out, wanted);
}

static void times_are_cut_to_microseconds(void **state)
{
	(void)state;
	rows((struct timehist_style){ 0 },
	     "    1500.000123 [0001]  sh[5]                               1.234      0.099  "
	     "100000.000 \n");
}

static void all_columns(void **state)
{
	(void)state;
	rows((struct timehist_style){ .cpu_visual = true,
				      .n_cpus = 2,
				      .wakeups = true,
				      .migrations = true,
				      .next = true,
				      .state = true,
				      .prio = true,
				      .pre_migrations = true },
	     "    1500.000123 [0001]   s   sh[5]                           120           1.234   "
	     "   0.099  100000.000      0.000      S  next: next[9]                 \n"
	     "       0.000000 [0000]       sh[5]                                                  "
	     "          awakened: worker[7/6]\n"
	     "       0.000000 [0000]   m     sh[5]                                                "
	     "            migrated: worker[7/6] cpu 0 => 0\n");
}

static void lost_events_have_a_line(void **state)
{
	struct timehist_lines l;
	struct printed out;

	(void)state;
	printed_open(&out);
	timehist_lines_init(&l, &(struct timehist_style){ 0 }, out.out);
	timehist_print_lost(&l, 2000000001000, 3, 12);
	timehist_lines_flush(&l);
	timehist_lines_done(&l);
	assert_printed(&out, "    2000.000001 lost 12 events on cpu 3\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(times_are_cut_to_microseconds),
		cmocka_unit_test(all_columns),
		cmocka_unit_test(lost_events_have_a_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
