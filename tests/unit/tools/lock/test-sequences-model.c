/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/cleanup.h"
#include "tools/lock/sequences-model.h"

static void set(struct lock_sequences *s, uint32_t tid, uint64_t addr, enum lock_state state)
{
	lock_sequence_set(s, lock_sequence_get(s, tid, addr), state, addr);
}

static void what_was_set_is_found(void **state)
{
	_cleanup_(lock_sequences_done) struct lock_sequences s = { 0 };

	(void)state;
	assert_int_equal(lock_sequence_get(&s, 1, 2)->state, LOCK_STATE_NONE);
	set(&s, 1, 2, LOCK_STATE_ACQUIRED);
	set(&s, 2, 2, LOCK_STATE_CONTENDED);
	assert_int_equal(lock_sequence_get(&s, 1, 2)->state, LOCK_STATE_ACQUIRED);
	assert_int_equal(lock_sequence_get(&s, 2, 2)->state, LOCK_STATE_CONTENDED);
	assert_int_equal(lock_sequence_get(&s, 2, 2)->time, 2);
	assert_int_equal(lock_sequence_get(&s, 2, 1)->state, LOCK_STATE_NONE);
	assert_int_equal(s.n, 2);
}

static void questions_take_no_room(void **state)
{
	_cleanup_(lock_sequences_done) struct lock_sequences s = { 0 };

	(void)state;
	for (uint64_t i = 0; i < 100000; i++)
		lock_sequence_get(&s, 1, i);
	assert_int_equal(s.n, 0);
	assert_true(s.room < 1000);
}

/* Removing moves entries that were put behind: all others must still be found. */
static void what_remains_is_found_after_removals(void **state)
{
	_cleanup_(lock_sequences_done) struct lock_sequences s = { 0 };

	(void)state;
	for (uint64_t i = 0; i < 5000; i++)
		set(&s, (uint32_t)(i % 7), i, LOCK_STATE_ACQUIRED);
	for (uint64_t i = 0; i < 5000; i += 3)
		set(&s, (uint32_t)(i % 7), i, LOCK_STATE_NONE);
	for (uint64_t i = 0; i < 5000; i++)
		assert_int_equal(lock_sequence_get(&s, (uint32_t)(i % 7), i)->state,
				 i % 3 ? LOCK_STATE_ACQUIRED : LOCK_STATE_NONE);
	assert_int_equal(s.n, 5000 - 1667);
}

static void nothing_can_be_removed_twice(void **state)
{
	_cleanup_(lock_sequences_done) struct lock_sequences s = { 0 };

	(void)state;
	set(&s, 1, 2, LOCK_STATE_ACQUIRED);
	set(&s, 1, 2, LOCK_STATE_NONE);
	set(&s, 1, 2, LOCK_STATE_NONE);
	assert_int_equal(s.n, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_set_is_found),
		cmocka_unit_test(questions_take_no_room),
		cmocka_unit_test(what_remains_is_found_after_removals),
		cmocka_unit_test(nothing_can_be_removed_twice),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
