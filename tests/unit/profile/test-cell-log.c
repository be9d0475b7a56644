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
	assert_int_equal(cell_log_get(&log, 3)->context, cell_log_get(&log, 0)->context);
	assert_int_not_equal(cell_log_get(&log, 2)->context, cell_log_get(&log, 0)->context);
	assert_int_equal(cell_log_get(&log, 2)->time, 3);
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
	assert_int_equal(cell_log_get(&to, 0)->node, 5);
	assert_int_equal(cell_log_get(&to, 1)->node, 10);
	assert_int_equal(cell_log_get(&to, 2)->node, 20);
	assert_int_equal(cell_log_get(&to, 2)->samples, 3);
	assert_int_equal(cell_log_get(&to, 2)->context, cell_log_get(&to, 0)->context);
	assert_int_equal(contexts_get(&to.contexts, cell_log_get(&to, 1)->context)[CELL_EVENT], 0);
}

static void a_log_of_many_blocks_is_joined_and_used_up(void **state)
{
	_cleanup_(cell_log_done) struct cell_log to, from;
	static const uint64_t values[N_CELL_VALUES] = { [CELL_EVENT] = 0 };
	static uint32_t same[2 * CELL_LOG_BLOCK + 1];
	uint32_t *const nodes[] = { same };

	(void)state;
	cell_log_init(&to);
	cell_log_init(&from);
	for (uint32_t i = 0; i < 2 * CELL_LOG_BLOCK + 1; i++) {
		same[i] = i;
		cell_log_add(i < 3 ? &to : &from, values, (struct logged_cell){ .node = i });
	}
	cell_log_join(&to, &from, nodes);
	assert_int_equal(from.n, 0);
	assert_int_equal(to.n, 2 * CELL_LOG_BLOCK + 1);
	for (uint32_t i = 0; i < to.n; i++)
		assert_int_equal(cell_log_get(&to, i)->node, i);
	for (uint32_t i = 0; i < to.n; i++)
		assert_int_equal(cell_log_use_up(&to, i)->node, i);
	assert_null(to.blocks[0]);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_contexts_are_one),
		cmocka_unit_test(a_log_of_many_blocks_is_joined_and_used_up),
		cmocka_unit_test(what_is_joined_has_the_numbers_of_its_new_log),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
