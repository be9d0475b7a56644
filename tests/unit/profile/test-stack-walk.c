/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/text.h"
#include "example-stacks.h"
#include "profile/stack-walk.h"

/* Checks the steps from @from on as "b5 c3": functions and their weights. */
static void assert_steps(const struct example_stacks *m, const struct stack_walk *w, size_t from,
			 const char *wanted)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	for (size_t i = from; i < w->steps.n; i++) {
		const struct step *s = &w->steps.items[i];
		const struct frame *f = frames_get(m->env.frames,
						   m->tally.stacks.nodes[s->node].frame);

		text_addf(&t, "%s%s%lu", i > from ? " " : "", f->sym->name, s->weight.period);
	}
	assert_string_equal(t.chars, wanted);
}

static void outward_a_set_shrinks_where_stacks_meet(void **state)
{
	_cleanup_(example_stacks_done) struct example_stacks m;
	_cleanup_(stack_walk_done) struct stack_walk w = { 0 };

	(void)state;
	example_stacks_init(&m);
	example_sample(&m, "abf", 5);
	example_sample(&m, "abfgf", 3);
	example_settle(&m, false);
	stack_walk_init(&w, &m.rows, &m.order, false);
	stack_walk_begin(&w, example_row(&m, "f"));
	assert_steps(&m, &w, 0, "f5 f3");
	stack_walk_on(&w, 0);
	assert_steps(&m, &w, 2, "b5 g3");
	stack_walk_on(&w, 2);
	assert_steps(&m, &w, 4, "a5 f3");
	stack_walk_begin(&w, example_row(&m, "f"));
	assert_steps(&m, &w, 0, "f5 f3");
}

static void steps_that_came_to_one_node_are_merged(void **state)
{
	_cleanup_(example_stacks_done) struct example_stacks m;
	_cleanup_(stack_walk_done) struct stack_walk w = { 0 };

	(void)state;
	example_stacks_init(&m);
	example_sample(&m, "abf", 5);
	example_sample(&m, "abg", 3);
	example_settle(&m, false);
	stack_walk_init(&w, &m.rows, &m.order, false);
	stack_walk_begin(&w, example_row(&m, "fg"));
	stack_walk_on(&w, 0);
	assert_steps(&m, &w, 2, "b5 b3");
	assert_int_equal(stack_walk_sum(&w, 2).period, 8);
	stack_walk_merge(&w, 2);
	assert_steps(&m, &w, 2, "b8");
}

static void inward_own_samples_go_their_own_way(void **state)
{
	_cleanup_(example_stacks_done) struct example_stacks m;
	_cleanup_(stack_walk_done) struct stack_walk w = { 0 };

	(void)state;
	example_stacks_init(&m);
	example_sample(&m, "ab", 5);
	example_sample(&m, "abc", 3);
	example_settle(&m, true);
	m.options.rq.callers_first = true;
	stack_walk_init(&w, &m.rows, &m.order, true);
	stack_walk_begin(&w, example_row(&m, "b"));
	assert_steps(&m, &w, 0, "a5 b3");
	stack_walk_on(&w, 0);
	assert_steps(&m, &w, 2, "b5 c3");
	stack_walk_on(&w, 2);
	assert_steps(&m, &w, 4, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(outward_a_set_shrinks_where_stacks_meet),
		cmocka_unit_test(steps_that_came_to_one_node_are_merged),
		cmocka_unit_test(inward_own_samples_go_their_own_way),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
