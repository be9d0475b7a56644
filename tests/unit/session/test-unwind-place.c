/* SPDX-License-Identifier: MIT */
#include "leaf-program.h"

#include "arch/arch.h"
#include "session/unwind-place.h"

/* A session that has the program mapped from 100 on. */
struct stage {
	struct leaf_program leaf;
	struct unwind_places places;
};

static int set_up(void **state)
{
	static struct stage g;

	memset(&g, 0, sizeof(g));
	leaf_program_map(&g.leaf, ".eh_frame", 100);
	mmaps(&g.leaf.rec, LEAF_PID, LEAF_BASE + 0x100000, 0x1000, "//anon", 100);
	leaf_program_open(&g.leaf);
	*state = &g;
	return 0;
}

static int tear_down(void **state)
{
	struct stage *g = *state;

	unwind_places_done(&g->places);
	leaf_program_done(&g->leaf);
	return 0;
}

static void begin(struct stage *g, uint64_t time)
{
	unwind_places_begin(&g->places, g->leaf.session, &arch_aarch64, LEAF_PID, time);
}

static void code_has_a_rule(void **state)
{
	struct stage *g = *state;
	const struct unwind_place *p;

	begin(g, 200);
	p = unwind_place_find(&g->places, g->leaf.text + LEAF_CALLS + 4, false);
	assert_int_equal(p->kind, PLACE_FILE);
	assert_int_equal(p->rule.ra, UNWIND_AT_CFA);
	assert_ptr_equal(p, unwind_place_find(&g->places, g->leaf.text + LEAF_CALLS + 4, false));
	/* The place behind a call differs from the place where code is about to run. */
	p = unwind_place_find(&g->places, g->leaf.text + LEAF_LEAF, true);
	assert_int_equal(p->rule.ra, UNWIND_SAME);
	p = unwind_place_find(&g->places, g->leaf.text + LEAF_LEAF, false);
	assert_int_equal(p->rule.ra, UNWIND_SAME);
	assert_int_equal(p->rule.cfa_offset, 0);
}

static void what_lies_where_depends_on_the_time(void **state)
{
	struct stage *g = *state;

	begin(g, 200);
	assert_int_equal(unwind_place_find(&g->places, g->leaf.text, true)->kind, PLACE_FILE);
	begin(g, 50);
	assert_int_equal(unwind_place_find(&g->places, g->leaf.text, true)->kind, PLACE_NOWHERE);
	begin(g, 200);
	assert_int_equal(unwind_place_find(&g->places, g->leaf.text, true)->kind, PLACE_FILE);
}

/* Each of the two evicts the other from the table of maps. */
static void memory_does_not_grow_with_samples(void **state)
{
	struct stage *g = *state;

	for (unsigned i = 0; i < 100000; i++) {
		begin(g, i % 2 ? 200 : 50);
		assert_int_equal(
			unwind_places_follow_call(&g->places, g->leaf.text + LEAF_CALLS + 4),
			i % 2);
	}
	assert_in_range(g->places.times.n, 1, 20000);
	assert_in_range(g->places.n_spaces, 1, 20000);
}

static void jit_code_has_no_rule(void **state)
{
	struct stage *g = *state;
	const struct unwind_place *p;

	begin(g, 200);
	p = unwind_place_find(&g->places, LEAF_BASE + 0x100010, true);
	assert_int_equal(p->kind, PLACE_OTHER);
	assert_int_equal(p->rule.cfa_register, UNWIND_NO_REGISTER);
	assert_int_equal(unwind_place_find(&g->places, 0x10, true)->kind, PLACE_NOWHERE);
}

static void calls_return_behind_themselves(void **state)
{
	struct stage *g = *state;

	begin(g, 200);
	assert_true(unwind_places_follow_call(&g->places, g->leaf.text + LEAF_CALLS + 4));
	assert_false(unwind_places_follow_call(&g->places, g->leaf.text + LEAF_CALLS + 8));
	assert_true(unwind_places_follow_call(&g->places, LEAF_BASE + 0x100010)); /* who knows */
	assert_false(unwind_places_follow_call(&g->places, 0x10));
}

static void a_function_that_is_returned_to_was_not_calling(void **state)
{
	struct stage *g = *state;
	const struct unwind_place *p;

	begin(g, 200);
	p = unwind_place_find(&g->places, g->leaf.text + LEAF_CALLER, false);
	assert_true(p->is_entered);
	assert_int_equal(p->rule.ra, UNWIND_SAME);
	assert_false(
		unwind_place_find(&g->places, g->leaf.text + LEAF_CALLS + 4, false)->is_entered);
	assert_false(unwind_place_find(&g->places, g->leaf.text + LEAF_CALLER, true)->is_entered);
}

/* The system call that returns from a handler is the last instruction of its code. */
static void behind_a_signals_return_it_is_still_going_on(void **state)
{
	struct stage *g = *state;

	begin(g, 200);
	assert_true(unwind_place_find(&g->places, g->leaf.text + LEAF_PAST, true)->rule.is_signal);
	assert_false(
		unwind_place_find(&g->places, g->leaf.text + LEAF_PAST + 4, true)->rule.is_signal);
	assert_false(unwind_place_find(&g->places, g->leaf.text + LEAF_STUB, true)->rule.is_signal);
}

static void without_names_no_two_places_are_in_one_function(void **state)
{
	struct stage *g = *state;

	begin(g, 200);
	assert_false(unwind_places_same_function(&g->places, g->leaf.text, g->leaf.text + 4));
	assert_false(unwind_places_same_function(&g->places, 1, 2));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
		TEST(code_has_a_rule),
		TEST(what_lies_where_depends_on_the_time),
		TEST(memory_does_not_grow_with_samples),
		TEST(jit_code_has_no_rule),
		TEST(calls_return_behind_themselves),
		TEST(a_function_that_is_returned_to_was_not_calling),
		TEST(behind_a_signals_return_it_is_still_going_on),
		TEST(without_names_no_two_places_are_in_one_function),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
