/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "profile/example-code.h"
#include "tools/data/timeline.h"

struct fixture {
	struct frames *frames;
	struct stacks cycles, faults; /* two events */
	struct stack_table table;
};

static void fixture_init(struct fixture *f)
{
	*f = (struct fixture){ .frames = frames_new(true) };
	stack_table_init(&f->table, f->frames, false);
}

static void fixture_done(struct fixture *f)
{
	stack_table_done(&f->table);
	stacks_done(&f->cycles);
	stacks_done(&f->faults);
	frames_free(f->frames);
}

/* Adds main() at @map, which calls f(). Returns the node of f(). */
static uint32_t add_call(struct fixture *f, struct stacks *s, size_t map)
{
	uint32_t caller = stacks_child(s, stacks_root(s, 0),
				       add_frame(f->frames, map, 0x1110, &main_function));

	return stacks_child(s, caller, add_frame(f->frames, LIBRARY, 0x110, &library_function));
}

static void a_stack_has_the_number_of_its_caller_which_is_smaller(void **state)
{
	_cleanup_(fixture_done) struct fixture f;
	uint32_t stack, caller;

	(void)state;
	fixture_init(&f);
	stack = stack_table_add(&f.table, 0, &f.cycles, add_call(&f, &f.cycles, PROGRAM));
	caller = stack_caller(&f.table, stack);
	assert_true(caller < stack);
	assert_int_equal(stack_caller(&f.table, caller), CODE_NONE);
	assert_int_not_equal(stack_location(&f.table, stack), stack_location(&f.table, caller));
	assert_int_equal(f.table.items.n, 2);
}

static void events_and_processes_share_stacks(void **state)
{
	_cleanup_(fixture_done) struct fixture f;
	uint32_t stack;

	(void)state;
	fixture_init(&f);
	stack = stack_table_add(&f.table, 0, &f.cycles, add_call(&f, &f.cycles, PROGRAM));
	assert_int_equal(
		stack_table_add(&f.table, 0, &f.cycles, add_call(&f, &f.cycles, PROGRAM_ELSEWHERE)),
		stack);
	assert_int_equal(stack_table_add(&f.table, 3, &f.faults, add_call(&f, &f.faults, PROGRAM)),
			 stack);
	assert_int_equal(f.table.items.n, 2);
}

static void a_root_is_no_stack(void **state)
{
	_cleanup_(fixture_done) struct fixture f;

	(void)state;
	fixture_init(&f);
	assert_int_equal(stack_table_add(&f.table, 0, &f.cycles, stacks_root(&f.cycles, 0)),
			 CODE_NONE);
}

static void what_was_sampled_apart_counts_for_the_stack(void **state)
{
	_cleanup_(fixture_done) struct fixture f;
	uint32_t node, apart, alone;

	(void)state;
	fixture_init(&f);
	node = add_call(&f, &f.cycles, PROGRAM);
	apart = stacks_apart(&f.cycles, node, add_frame(f.frames, LIBRARY, 0x900, NULL));
	assert_int_equal(stack_table_add(&f.table, 0, &f.cycles, apart),
			 stack_table_add(&f.table, 0, &f.cycles, node));
	alone = stacks_apart(&f.cycles, stacks_root(&f.cycles, 0),
			     add_frame(f.frames, LIBRARY, 0x900, NULL));
	assert_int_not_equal(stack_table_add(&f.table, 0, &f.cycles, alone), CODE_NONE);
}

static void deep_stacks_need_no_deep_calls(void **state)
{
	_cleanup_(fixture_done) struct fixture f;
	uint32_t node, stack;

	(void)state;
	fixture_init(&f);
	node = stacks_root(&f.cycles, 0);
	for (uint64_t i = 0; i < 200000; i++)
		node = stacks_child(&f.cycles, node, add_frame(f.frames, LIBRARY, 4 * i, NULL));
	stack = stack_table_add(&f.table, 0, &f.cycles, node);
	assert_int_equal(stack, 199999);
	assert_int_equal(stack_caller(&f.table, stack), 199998);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_stack_has_the_number_of_its_caller_which_is_smaller),
		cmocka_unit_test(events_and_processes_share_stacks),
		cmocka_unit_test(a_root_is_no_stack),
		cmocka_unit_test(what_was_sampled_apart_counts_for_the_stack),
		cmocka_unit_test(deep_stacks_need_no_deep_calls),
	};

	return cmocka_run_group_tests(tests, make_code, release_code);
}
