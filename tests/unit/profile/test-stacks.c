/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/cleanup.h"
#include "profile/stacks.h"

#define WHEN 100
#define TASK 7

/* A sample of @frames, the outermost first, below the root of @context; its node. */
static uint32_t sample(struct stacks *s, uint32_t context, const char *frames, uint64_t period)
{
	uint32_t node = stacks_root(s, context);

	for (; *frames; frames++)
		node = stacks_child(s, node, (uint32_t)*frames);
	stack_weight_add(&s->weights[node], (struct weight){ period, 1 }, WHEN, TASK);
	return node;
}

static void equal_stacks_are_one_node(void **state)
{
	_cleanup_(stacks_done) struct stacks s = { 0 };
	uint32_t node = sample(&s, 0, "abc", 10);

	(void)state;
	assert_int_equal(sample(&s, 0, "abc", 5), node);
	assert_int_equal(s.n, 4);
	assert_int_equal(s.weights[node].self.period, 15);
	assert_int_equal(s.weights[node].self.samples, 2);
}

static void contexts_have_roots_of_their_own(void **state)
{
	_cleanup_(stacks_done) struct stacks s = { 0 };

	(void)state;
	assert_int_not_equal(sample(&s, 0, "a", 1), sample(&s, 1, "a", 1));
	assert_true(stacks_is_root(&s, stacks_root(&s, 1)));
	assert_int_equal(s.nodes[stacks_root(&s, 1)].frame, 1);
	assert_int_equal(s.n, 4);
}

static void what_was_sampled_apart_is_not_the_caller_of_the_same_name(void **state)
{
	_cleanup_(stacks_done) struct stacks s = { 0 };
	uint32_t root = stacks_root(&s, 0), child = stacks_child(&s, root, 'a'),
		 apart = stacks_apart(&s, root, 'a');

	(void)state;
	assert_int_not_equal(child, apart);
	assert_int_equal(stacks_apart(&s, root, 'a'), apart);
	assert_true(s.apart[apart]);
	assert_false(s.apart[child]);
}

static void totals_are_of_all_below(void **state)
{
	_cleanup_(stacks_done) struct stacks s = { 0 };
	uint32_t deep = sample(&s, 0, "abc", 1), middle = sample(&s, 0, "ab", 10),
		 other = sample(&s, 0, "ad", 100), outer;

	(void)state;
	stacks_settle(&s);
	outer = s.nodes[middle].parent;
	assert_int_equal(s.weights[deep].total.period, 1);
	assert_int_equal(s.weights[middle].total.period, 11);
	assert_int_equal(s.weights[middle].self.period, 10);
	assert_int_equal(s.weights[outer].total.period, 111);
	assert_int_equal(s.weights[outer].total.samples, 3);
	assert_int_equal(s.nodes[outer].child, middle);
	assert_int_equal(s.nodes[middle].next, other);
	assert_int_equal(s.nodes[other].next, STACK_NONE);
	assert_true(s.nodes[outer].parent < outer && outer < middle && middle < other);
}

static void merging_finds_the_same_stacks(void **state)
{
	_cleanup_(stacks_done) struct stacks to = { 0 }, from = { 0 };
	static const uint32_t contexts[] = { 1, 0 }; /* theirs to ours */
	uint32_t ours = sample(&to, 0, "ab", 1), apart;

	(void)state;
	sample(&from, 1, "ab", 10);
	sample(&from, 0, "ab", 100);
	apart = stacks_apart(&from, sample(&from, 1, "a", 1000), 'x');
	stack_weight_add(&from.weights[apart], (struct weight){ 10000, 1 }, WHEN - 1, 8);
	free(stacks_merge(&to, &from, contexts));
	stacks_settle(&to);
	assert_int_equal(to.weights[ours].self.period, 11);
	assert_int_equal(to.weights[to.nodes[ours].parent].total.period, 11011);
	assert_int_equal(to.n, 7);
	assert_true(to.apart[to.n - 1] || to.apart[to.n - 2] || to.apart[to.n - 3]);
}

static void the_first_sample_is_remembered_in_whatever_order_they_come(void **state)
{
	_cleanup_(stacks_done) struct stacks s = { 0 }, from = { 0 };
	static const uint32_t contexts[] = { 0 };
	uint32_t node = sample(&s, 0, "a", 1), there = sample(&from, 0, "a", 1);
	_cleanup_(freep) uint32_t *here = NULL;

	(void)state;
	stack_weight_add(&s.weights[node], (struct weight){ 1, 1 }, WHEN + 1, 8);
	assert_int_equal(s.weights[node].first, WHEN);
	assert_int_equal(s.weights[node].first_task, TASK);
	stack_weight_add(&from.weights[there], (struct weight){ 1, 1 }, WHEN - 1, 9);
	here = stacks_merge(&s, &from, contexts);
	assert_int_equal(here[there], node);
	assert_int_equal(s.weights[node].first, WHEN - 1);
	assert_int_equal(s.weights[node].first_task, 9);
}

static void many_nodes_are_all_found_again(void **state)
{
	_cleanup_(stacks_done) struct stacks s = { 0 };
	uint32_t root = stacks_root(&s, 0);

	(void)state;
	for (uint32_t i = 0; i < 10000; i++)
		assert_int_equal(stacks_child(&s, root, i), i + 1);
	for (uint32_t i = 0; i < 10000; i++)
		assert_int_equal(stacks_child(&s, root, i), i + 1);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_stacks_are_one_node),
		cmocka_unit_test(contexts_have_roots_of_their_own),
		cmocka_unit_test(what_was_sampled_apart_is_not_the_caller_of_the_same_name),
		cmocka_unit_test(totals_are_of_all_below),
		cmocka_unit_test(merging_finds_the_same_stacks),
		cmocka_unit_test(the_first_sample_is_remembered_in_whatever_order_they_come),
		cmocka_unit_test(many_nodes_are_all_found_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
