/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "tools/timechart/stacks-model.h"
#include "tools/timechart/timechart-model.h"

static void stacks_that_no_piece_has_get_no_names(void **state)
{
	static const uint64_t placed[] = { 0, 7 };
	struct chart_stacks s;
	struct chart c;

	(void)state;
	chart_init(&c, &(struct chart_options){ 0 });
	chart_finish(&c);
	chart_stacks_init(&s);
	assert_int_equal(contexts_add(&s.placed, placed), 0);
	chart_stacks_name(&s, &c, NULL, NULL);
	assert_int_equal(s.node_of[0], LANE_NONE);
	assert_int_equal(s.nodes.n + s.names.n, 0);
	chart_stacks_done(&s);
	chart_done(&c);
}

static void a_piece_may_have_a_number_that_is_no_stack(void **state)
{
	static const struct lane_mark mark = { .state = CHART_SLEEPING, .stack = 12345 };
	struct chart_stacks s;
	struct chart c;

	(void)state;
	chart_init(&c, &(struct chart_options){ 0 });
	lanes_set(&c.lanes, lanes_add(&c.lanes), 10, &mark);
	chart_finish(&c);
	chart_stacks_init(&s);
	chart_stacks_name(&s, &c, NULL, NULL);
	assert_int_equal(s.nodes.n, 0);
	chart_stacks_done(&s);
	chart_done(&c);
}

static void blocked_threads_may_wait_for_io(void **state)
{
	static const uint64_t placed[] = { 0, 7 };
	enum wait_hint hint = WAIT_HINT_IO;
	struct lane_mark mark = { .state = CHART_BLOCKED };
	struct chart_stacks s;
	struct chart c;
	const struct lane *lane;

	(void)state;
	chart_init(&c, &(struct chart_options){ 0 });
	chart_stacks_init(&s);
	contexts_add(&s.placed, placed);
	lanes_set(&c.lanes, chart_task_at(&c, 5)->lane, 10, &mark);
	mark.stack = LANE_NONE;
	lanes_set(&c.lanes, c.tasks.items[0].lane, 30, &mark);
	lanes_finish(&c.lanes, 40);
	s.hints = &hint;
	chart_stacks_find_io(&s, &c);
	lane = &c.lanes.items[c.tasks.items[0].lane];
	assert_int_equal(lane->ns[CHART_IO_WAIT], 20);
	assert_int_equal(lane->ns[CHART_BLOCKED], 10);
	s.hints = NULL;
	chart_stacks_done(&s);
	chart_done(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stacks_that_no_piece_has_get_no_names),
		cmocka_unit_test(blocked_threads_may_wait_for_io),
		cmocka_unit_test(a_piece_may_have_a_number_that_is_no_stack),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
