/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/text.h"
#include "profile/call-tree.h"
#include "profile/example-stacks.h"

/* A node as "names self/total(children)". */
static void add_node(const struct example_stacks *m, const struct call_node *n, struct text *t)
{
	for (size_t i = 0; i < n->n_frames; i++) {
		const struct frame *f = frames_get(m->env.frames, n->frames[i]);

		if (f->sym)
			text_add(t, f->sym->name);
		else
			text_addf(t, "%lu", frame_address(f));
	}
	text_addf(t, " %lu/%lu", n->self.period, n->total.period);
	if (!n->n_children)
		return;
	text_add_char(t, '(');
	for (size_t i = 0; i < n->n_children; i++) {
		text_add(t, i ? ", " : "");
		add_node(m, &n->children[i], t);
	}
	text_add_char(t, ')');
}

static void assert_tree(struct example_stacks *m, struct call_tree_options o, const char *row,
			const char *wanted)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;
	_cleanup_(call_tree_builder_freep) struct call_tree_builder *b = NULL;
	_cleanup_(call_tree_done) struct call_tree first, second;

	o.order = &m->order;
	o.whole = m->tally.total.period;
	m->options.callers_first = o.callers_first;
	b = call_tree_builder_new(&o, &m->rows);
	/* Twice: the builder has nothing left of the first, which stays as it is. */
	call_tree_init(&first, b, example_row(m, row));
	call_tree_init(&second, b, example_row(m, row));
	add_node(m, &first.root, &t);
	assert_string_equal(t.chars, wanted);
	text_clear(&t);
	add_node(m, &second.root, &t);
	assert_string_equal(t.chars, wanted);
}

static const struct call_tree_options outward = { 0 }, inward = { .callers_first = true };

static void stacks_part_outward_from_what_was_sampled(void **state)
{
	_cleanup_(example_stacks_done) struct example_stacks m;

	(void)state;
	example_stacks_init(&m);
	example_sample(&m, "abf", 5);
	example_sample(&m, "acf", 3);
	example_sample(&m, "abg", 1);
	example_settle(&m, false);
	assert_tree(&m, outward, "f", " 0/8(f 0/8(ba 5/5, ca 3/3))");
	assert_tree(&m, outward, "g", " 0/1(gba 1/1)");
	assert_tree(&m, outward, "fg", " 0/9(f 0/8(ba 5/5, ca 3/3), gba 1/1)");
}

static void callers_first_only_the_rows_own_stacks_are_followed(void **state)
{
	_cleanup_(example_stacks_done) struct example_stacks m;

	(void)state;
	example_stacks_init(&m);
	example_sample(&m, "abf", 5);
	example_sample(&m, "acf", 3);
	example_sample(&m, "abg", 1);
	example_sample(&m, "ab", 1);
	example_settle(&m, false);
	assert_tree(&m, inward, "f", " 0/8(a 0/8(bf 5/5, cf 3/3))");
	assert_tree(&m, inward, "b", " 0/1(ab 1/1)");
}

/* The stack of a sample that is the row's own is a whole one, that of its callees begins with it.
 */
static void a_callers_tree_begins_with_it_but_for_its_own_samples(void **state)
{
	_cleanup_(example_stacks_done) struct example_stacks m;

	(void)state;
	example_stacks_init(&m);
	example_sample(&m, "abc", 5);
	example_sample(&m, "abd", 3);
	example_sample(&m, "ab", 2);
	example_settle(&m, true);
	assert_tree(&m, inward, "b", " 0/10(b 0/8(c 5/5, d 3/3), ab 2/2)");
	assert_tree(&m, outward, "b", " 0/10(ba 10/10)");
	assert_tree(&m, inward, "a", " 0/10(ab 2/10(c 5/5, d 3/3))");
}

static void a_recursion_counts_once(void **state)
{
	_cleanup_(example_stacks_done) struct example_stacks m;

	(void)state;
	example_stacks_init(&m);
	example_sample(&m, "abcbcd", 5);
	example_sample(&m, "abcb", 3);
	example_settle(&m, true);
	assert_tree(&m, inward, "b", " 0/8(bcbcd 5/5, abcb 3/3)");
	assert_tree(&m, outward, "b", " 0/8(bcba 8/8)");
	assert_tree(&m, outward, "c", " 0/8(cb 0/8(cba 5/5, a 3/3))");
	assert_tree(&m, inward, "c", " 0/8(cb 3/8(cd 5/5))");
}

static void rows_of_several_functions_take_each_stack_once(void **state)
{
	_cleanup_(example_stacks_done) struct example_stacks m;

	(void)state;
	example_stacks_init(&m);
	example_sample(&m, "aBcDe", 5);
	example_sample(&m, "aBcD", 3);
	example_settle(&m, true);
	assert_tree(&m, inward, "BD", " 0/8(BcDe 5/5, aBcD 3/3)");
	assert_tree(&m, outward, "BD", " 0/8(DcBa 8/8)");
}

static void what_was_sampled_apart_from_its_stack_is_not_in_the_tree(void **state)
{
	_cleanup_(example_stacks_done) struct example_stacks m;

	(void)state;
	example_stacks_init(&m);
	example_sample(&m, "ab+x", 5);
	example_sample(&m, "+x", 3);
	example_settle(&m, true);
	assert_tree(&m, outward, "x", " 0/5(ba 5/5)");
	assert_tree(&m, inward, "x", " 0/5(ab 5/5)");
	assert_tree(&m, inward, "a", " 0/5(ab 5/5)");
}

static void a_stack_that_ends_divides_a_run_even_if_it_weighs_nothing(void **state)
{
	_cleanup_(example_stacks_done) struct example_stacks m;

	(void)state;
	example_stacks_init(&m);
	example_sample(&m, "abf", 5);
	example_sample(&m, "bf", 0);
	example_settle(&m, false);
	assert_tree(&m, outward, "f", " 0/5(fb 0/5(a 5/5))");
}

static void equal_branches_stand_in_the_reverse_order_of_their_places(void **state)
{
	_cleanup_(example_stacks_done) struct example_stacks m;

	(void)state;
	example_stacks_init(&m);
	example_sample(&m, "bf", 1);
	example_sample(&m, "Bf", 1);
	example_sample(&m, "7f", 1);
	example_sample(&m, "cf", 1);
	example_sample(&m, "8f", 1);
	example_settle(&m, false);
	assert_tree(&m, outward, "f", " 0/5(f 0/5(B 1/1, c 1/1, b 1/1, 8 1/1, 7 1/1))");
	assert_tree(&m, (struct call_tree_options){ .by_rank = true }, "f",
		    " 0/5(f 0/5(7 1/1, 8 1/1, b 1/1, c 1/1, B 1/1))");
}

/* Of 1000 and 0.7 percent, 6 are enough: 6.99... is cut off, as in Linux's perf. */
static void the_threshold_is_cut_to_a_whole_period(void **state)
{
	_cleanup_(example_stacks_done) struct example_stacks m;

	(void)state;
	example_stacks_init(&m);
	example_sample(&m, "bf", 989);
	example_sample(&m, "cf", 6);
	example_sample(&m, "df", 5);
	example_settle(&m, false);
	assert_tree(&m, (struct call_tree_options){ .threshold = 0.7 / 100 }, "f",
		    " 0/1000(f 0/1000(b 989/989, c 6/6))");
}

static void a_relative_threshold_is_of_the_branches_that_part_there(void **state)
{
	_cleanup_(example_stacks_done) struct example_stacks m;

	(void)state;
	example_stacks_init(&m);
	example_sample(&m, "f", 900);
	example_sample(&m, "bf", 80);
	example_sample(&m, "cf", 20);
	example_settle(&m, false);
	assert_tree(&m, (struct call_tree_options){ .threshold = 0.2, .relative = true }, "f",
		    " 0/1000(f 900/1000(b 80/80, c 20/20))");
	assert_tree(&m, (struct call_tree_options){ .threshold = 0.2 }, "f", " 0/1000(f 900/1000)");
}

static void stacks_of_a_thousand_frames_are_no_trouble(void **state)
{
	_cleanup_(example_stacks_done) struct example_stacks m;
	char stack[2001] = "";

	(void)state;
	memset(stack, 'b', sizeof(stack) - 1);
	example_stacks_init(&m);
	for (size_t i = 0; i < sizeof(stack) - 1; i += 2)
		example_sample(&m, &stack[i], 1);
	example_settle(&m, true);
	for (int callers_first = 0; callers_first < 2; callers_first++) {
		_cleanup_(call_tree_builder_freep) struct call_tree_builder *b =
			call_tree_builder_new(
				&(struct call_tree_options){ .order = &m.order,
							     .callers_first = callers_first },
				&m.rows);
		_cleanup_(call_tree_done) struct call_tree tree;
		const struct call_node *n = &tree.root;

		m.options.callers_first = callers_first;
		call_tree_init(&tree, b, example_row(&m, "b"));
		for (size_t i = 0; i < 1000; i++)
			n = &n->children[0];
		assert_int_equal(n->total.period, 1);
		assert_int_equal(n->n_children, 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stacks_part_outward_from_what_was_sampled),
		cmocka_unit_test(callers_first_only_the_rows_own_stacks_are_followed),
		cmocka_unit_test(a_callers_tree_begins_with_it_but_for_its_own_samples),
		cmocka_unit_test(a_recursion_counts_once),
		cmocka_unit_test(rows_of_several_functions_take_each_stack_once),
		cmocka_unit_test(what_was_sampled_apart_from_its_stack_is_not_in_the_tree),
		cmocka_unit_test(a_stack_that_ends_divides_a_run_even_if_it_weighs_nothing),
		cmocka_unit_test(equal_branches_stand_in_the_reverse_order_of_their_places),
		cmocka_unit_test(the_threshold_is_cut_to_a_whole_period),
		cmocka_unit_test(a_relative_threshold_is_of_the_branches_that_part_there),
		cmocka_unit_test(stacks_of_a_thousand_frames_are_no_trouble),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
