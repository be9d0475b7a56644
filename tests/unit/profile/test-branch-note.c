/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/cleanup.h"
#include "profile/branch-note.h"
#include "wire/branch.h"
#include "wire/sample.h"

static void arrivals_tell_how_they_went(void **state)
{
	struct branch_note n = { 0 };

	(void)state;
	branch_note_arrival(&n, &(struct branch){ 0x10, 0x400010, BRANCH_PREDICTED | 4 << 20 });
	branch_note_arrival(&n, &(struct branch){ 0x20, 0x10, BRANCH_ABORT | 1 << 20 });
	branch_note_arrival(&n, &(struct branch){ 0x20, 0x10, 0 });
	assert_int_equal(n.to, 3);
	assert_int_equal(n.predicted, 1);
	assert_int_equal(n.aborted, 1);
	assert_int_equal(n.kinds, 1 << 4 | 1 << 1);
	assert_int_equal(n.ways, CROSSED_2M | WENT_BACKWARD);
}

static void notes_add_up(void **state)
{
	struct branch_note a = { .kinds = 2, .to = 1, .cycles = 5, .callers = 1 };
	const struct branch_note b = { .kinds = 4, .ways = CROSSED_4K, .to = 2, .cycles = 6 };

	(void)state;
	branch_note_merge(&a, &b);
	assert_int_equal(a.kinds, 6);
	assert_int_equal(a.ways, CROSSED_4K);
	assert_int_equal(a.to, 3);
	assert_int_equal(a.cycles, 11);
	assert_int_equal(a.callers, 1);
}

static void notes_are_made_when_they_are_asked_for(void **state)
{
	_cleanup_(branch_notes_done) struct branch_notes n = { 0 };

	(void)state;
	branch_notes_at(&n, 100)->to = 7;
	assert_int_equal(branch_notes_at(&n, 3)->to, 0);
	assert_int_equal(branch_notes_at(&n, 100)->to, 7);
	assert_int_equal(n.n, 101);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(arrivals_tell_how_they_went),
		cmocka_unit_test(notes_add_up),
		cmocka_unit_test(notes_are_made_when_they_are_asked_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
