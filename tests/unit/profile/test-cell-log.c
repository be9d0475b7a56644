/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/cleanup.h"
#include "profile/cell-log.h"

static void equal_contexts_are_one(void **state)
{
	_cleanup_(cell_log_done) struct cell_log log;
	static const uint64_t here[N_CELL_VALUES] = { [CELL_CPU] = 1, [CELL_PID] = 7 };
	static const uint64_t there[N_CELL_VALUES] = { [CELL_CPU] = 2, [CELL_PID] = 7 };

	(void)state;
	cell_log_init(&log);
	cell_log_add(&log, here, (struct logged_cell){ .time = 1 });
	cell_log_add(&log, here, (struct logged_cell){ .time = 2 });
	cell_log_add(&log, there, (struct logged_cell){ .time = 3 });
	cell_log_add(&log, here, (struct logged_cell){ .time = 4 });
	assert_int_equal(log.n, 4);
	assert_int_equal(log.contexts.n, 2);
	assert_int_equal(log.items[3].context, log.items[0].context);
	assert_int_not_equal(log.items[2].context, log.items[0].context);
	assert_int_equal(log.items[2].time, 3);
}

static void what_is_joined_has_the_numbers_of_its_new_log(void **state)
{
	_cleanup_(cell_log_done) struct cell_log to, from;
	static const uint64_t first[N_CELL_VALUES] = { [CELL_EVENT] = 0, [CELL_PID] = 7 };
	static const uint64_t second[N_CELL_VALUES] = { [CELL_EVENT] = 1, [CELL_PID] = 7 };
	uint32_t of_first[] = { 0, 10 }, of_second[] = { 0, 20 };
	uint32_t *const nodes[] = { of_first, of_second };

	(void)state;
	cell_log_init(&to);
	cell_log_init(&from);
	cell_log_add(&to, second, (struct logged_cell){ .node = 5 });
	cell_log_add(&from, first, (struct logged_cell){ .node = 1, .samples = 2 });
	cell_log_add(&from, second, (struct logged_cell){ .node = 1, .samples = 3 });
	cell_log_join(&to, &from, nodes);
	assert_int_equal(to.n, 3);
	assert_int_equal(to.items[0].node, 5);
	assert_int_equal(to.items[1].node, 10);
	assert_int_equal(to.items[2].node, 20);
	assert_int_equal(to.items[2].samples, 3);
	assert_int_equal(to.items[2].context, to.items[0].context);
	assert_int_equal(contexts_get(&to.contexts, to.items[1].context)[CELL_EVENT], 0);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_contexts_are_one),
		cmocka_unit_test(what_is_joined_has_the_numbers_of_its_new_log),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
