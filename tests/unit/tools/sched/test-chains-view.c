/* SPDX-License-Identifier: MIT */
#include "wake-story.h"

#include "tools/sched/wake-path-model.h"
#include "base/cleanup.h"
#include "view/printed.h"
#include "tools/sched/chains-view.h"

static void the_tree_is_indented(void **state)
{
	_cleanup_(wakes_done) struct wakes w = { 0 };
	_cleanup_(wake_path_done) struct wake_path p;
	struct printed out;

	(void)state;
	wake_story(&w);
	wake_path_make(&w, 2, 0, 100 * US, 2, true, &p);
	printed_open(&out);
	chains_print_tree(out.out, &w, &p);
	assert_printed(&out, "        msec           task, and what it waited for\n"
			     "       0.100  100.00%  prev[3]\n"
			     "       0.040   40.00%    running\n"
			     "       0.010   10.00%    waiting for a CPU\n"
			     "       0.050   50.00%    asleep until woken by prev[2], 1 time\n"
			     "       0.015   15.00%      running\n"
			     "       0.005    5.00%      waiting for a CPU\n"
			     "       0.030   30.00%      asleep until woken by prev[1], 1 time\n"
			     "       0.015   15.00%        running\n"
			     "       0.005    5.00%        waiting for a CPU\n"
			     "       0.010   10.00%        sleeping\n");
}

static void steps_and_edges_have_lines(void **state)
{
	_cleanup_(wakes_done) struct wakes w = { 0 };
	_cleanup_(wake_path_done) struct wake_path p;
	struct printed out;

	(void)state;
	wake_story(&w);
	wake_path_make(&w, 0, 0, 30 * US, 8, true, &p);
	printed_open(&out);
	chains_print_steps(out.out, &w, &p);
	assert_printed(&out,
		       "             from          msec\n"
		       "         0.000000         0.020  prev[1] sleeping, woken by an interrupt\n"
		       "         0.000020         0.005  prev[1] waiting for a CPU\n"
		       "         0.000025         0.005  prev[1] running\n");
	printed_open(&out);
	chains_print_edges(out.out, &w);
	assert_printed(&out, "  slept msec     count  task                        woken by\n"
			     "       0.050         1  prev[3]                     prev[2]\n"
			     "       0.040         1  prev[2]                     prev[1]\n"
			     "       0.020         1  prev[1]                     an interrupt\n");
}

static void json_has_the_same(void **state)
{
	_cleanup_(wakes_done) struct wakes w = { 0 };
	_cleanup_(wake_path_done) struct wake_path p;
	struct printed out;

	(void)state;
	wake_story(&w);
	wake_path_make(&w, 0, 20 * US, 30 * US, 8, false, &p);
	printed_open(&out);
	chains_print_paths_json(out.out, &w, &p, 1);
	assert_printed(&out, "{\n\t\"tasks\": [\n\t\t{\n\t\t\t\"tree\": {\n"
			     "\t\t\t\t\"task\": {\"name\": \"prev\", \"tid\": 1},\n"
			     "\t\t\t\t\"count\": 1,\n\t\t\t\t\"ns\": 10000,\n"
			     "\t\t\t\t\"running_ns\": 5000,\n"
			     "\t\t\t\t\"waiting_for_cpu_ns\": 5000,\n"
			     "\t\t\t\t\"sleeping_ns\": 0,\n\t\t\t\t\"unseen_ns\": 0,\n"
			     "\t\t\t\t\"woken_by\": []\n\t\t\t},\n\t\t\t\"path\": []\n"
			     "\t\t}\n\t]\n}\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_tree_is_indented),
		cmocka_unit_test(steps_and_edges_have_lines),
		cmocka_unit_test(json_has_the_same),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
