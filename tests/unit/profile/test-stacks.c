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

/* Adds a sample of @frames, the outermost first, below the root of @context. Returns its node. */
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

static void fading_forgets_a_share_of_the_samples_however_thin(void **state)
{
	_cleanup_(stacks_done) struct stacks s = { 0 };
	uint64_t random = 1, left = 80000;
	struct weight total;
	size_t n = 0;

	(void)state;
	for (uint32_t i = 0; i < 40000; i++) {
		uint32_t node = stacks_child(&s, stacks_root(&s, 0), i);

		/* Each node has one sample: a sample is removed or kept as a whole. */
		stack_weight_add(&s.weights[node], (struct weight){ 250, 1 }, WHEN, TASK);
	}
	sample(&s, 1, "a", 0);
	s.weights[s.n - 1].self = (struct weight){ 40000 * 250, 40000 };
	for (unsigned i = 0; i < 4; i++) {
		n = stacks_fade(&s, 7, 8, &random, &total);
		left = left * 7 / 8;
		assert_in_range(total.samples, left - left / 50, left + left / 50);
		assert_int_equal(total.period, total.samples * 250);
		assert_in_range(s.weights[s.n - 1].self.samples, left / 2 - 20, left / 2 + 20);
	}
	assert_in_range(n, left / 2 - left / 25, left / 2 + left / 25);
}

static void zeroing_forgets_everything(void **state)
{
	_cleanup_(stacks_done) struct stacks s = { 0 };
	uint64_t random = 1;
	struct weight total;

	(void)state;
	sample(&s, 0, "ab", UINT64_MAX / 2);
	assert_int_equal(stacks_fade(&s, 8, 8, &random, &total), 1);
	assert_int_equal(total.period, UINT64_MAX / 2);
	assert_int_equal(stacks_fade(&s, 0, 8, &random, &total), 0);
	assert_int_equal(total.samples, 0);
	assert_int_equal(total.period, 0);
}

static void a_copy_can_be_settled_while_the_original_goes_on(void **state)
{
	_cleanup_(stacks_done) struct stacks s = { 0 }, copy = { 0 }, none = { 0 };
	uint32_t node = sample(&s, 0, "ab", 10);

	(void)state;
	stacks_copy(&copy, &s);
	stacks_settle(&copy);
	assert_int_equal(sample(&s, 0, "ab", 5), node);
	assert_int_equal(copy.weights[0].total.period, 10);
	assert_int_equal(s.weights[node].self.period, 15);
	stacks_copy(&none, &(struct stacks){ 0 });
	stacks_settle(&none);
	assert_int_equal(none.n, 0);
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
		cmocka_unit_test(fading_forgets_a_share_of_the_samples_however_thin),
		cmocka_unit_test(zeroing_forgets_everything),
		cmocka_unit_test(a_copy_can_be_settled_while_the_original_goes_on),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
