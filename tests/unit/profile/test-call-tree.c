/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/text.h"
#include "example-stacks.h"
#include "profile/branch-note.h"
#include "profile/call-tree.h"

/* Appends a node as "names self/total(children)". */
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
	m->options.rq.callers_first = o.callers_first;
	b = call_tree_builder_new(&o, &m->rows);
	/*
	 * The tree is built twice: the builder keeps nothing of the first tree, which does not
	 * change.
	 */
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

/*
 * The stack of the row's own samples is whole; that of samples of its callees begins with the row.
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

/* The threshold of 0.7 percent of 1000 is 6: 6.99... is cut off, as in Linux's perf. */
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

		m.options.rq.callers_first = callers_first;
		call_tree_init(&tree, b, example_row(&m, "b"));
		for (size_t i = 0; i < 1000; i++)
			n = &n->children[0];
		assert_int_equal(n->total.period, 1);
		assert_int_equal(n->n_children, 0);
	}
}

static void stacks_that_meet_again_are_one_branch(void **state)
{
	_cleanup_(example_stacks_done) struct example_stacks m;

	(void)state;
	example_stacks_init(&m);
	example_sample(&m, "abf", 5);
	example_sample(&m, "acf", 3);
	example_sample(&m, "dbf", 2);
	example_sample(&m, "ecf", 2);
	example_settle(&m, false);
	assert_tree(&m, outward, "f", " 0/12(f 0/12(b 0/7(a 5/5, d 2/2), c 0/5(a 3/3, e 2/2)))");
	assert_tree(&m, (struct call_tree_options){ .threshold = 0.5 }, "f",
		    " 0/12(f 0/12(b 0/7))");
}

static void a_light_branch_between_others_is_left_out(void **state)
{
	_cleanup_(example_stacks_done) struct example_stacks m;

	(void)state;
	example_stacks_init(&m);
	example_sample(&m, "abf", 40);
	example_sample(&m, "acf", 1);
	example_sample(&m, "adf", 30);
	example_sample(&m, "ebf", 29);
	example_settle(&m, false);
	assert_tree(&m, (struct call_tree_options){ .threshold = 0.02 }, "f",
		    " 0/100(f 0/100(b 0/69(a 40/40, e 29/29), da 30/30))");
}

static void a_row_that_weighs_the_threshold_has_a_tree(void **state)
{
	_cleanup_(example_stacks_done) struct example_stacks m;

	(void)state;
	example_stacks_init(&m);
	example_sample(&m, "af", 50);
	example_sample(&m, "ag", 49);
	example_sample(&m, "h", 1);
	example_settle(&m, false);
	assert_tree(&m, (struct call_tree_options){ .threshold = 0.5 }, "f", " 0/50(fa 50/50)");
	assert_tree(&m, (struct call_tree_options){ .threshold = 0.5 }, "g", " 0/0");
}

static void with_callers_the_total_of_a_row_counts(void **state)
{
	_cleanup_(example_stacks_done) struct example_stacks m;

	(void)state;
	example_stacks_init(&m);
	example_sample(&m, "af", 60);
	example_sample(&m, "a", 40);
	example_settle(&m, true);
	assert_tree(&m, (struct call_tree_options){ .threshold = 0.5, .callers_first = true }, "a",
		    " 0/100(a 40/100(f 60/60))");
	assert_tree(&m, (struct call_tree_options){ .threshold = 0.7, .callers_first = true }, "a",
		    " 0/100(a 40/100)");
	assert_tree(&m, (struct call_tree_options){ .threshold = 0.7 }, "f", " 0/0");
}

static void the_least_weight_is_of_everything_or_of_the_parent(void **state)
{
	struct call_tree_options o = { .threshold = 0.25, .whole = 1001 };

	(void)state;
	assert_int_equal(call_tree_least(&o, 10), 250);
	o.relative = true;
	assert_int_equal(call_tree_least(&o, 10), 3);
	assert_int_equal(call_tree_least(&o, 12), 3);
	o.threshold = 2;
	assert_true(call_tree_least(&o, UINT64_MAX) == UINT64_MAX);
}

static void the_whole_can_be_changed(void **state)
{
	_cleanup_(example_stacks_done) struct example_stacks m;
	_cleanup_(call_tree_builder_freep) struct call_tree_builder *b = NULL;
	struct call_tree tree;

	(void)state;
	example_stacks_init(&m);
	example_sample(&m, "af", 50);
	example_settle(&m, false);
	b = call_tree_builder_new(
		&(struct call_tree_options){ .order = &m.order, .threshold = 0.5, .whole = 50 },
		&m.rows);
	call_tree_init(&tree, b, example_row(&m, "f"));
	assert_int_equal(tree.root.n_children, 1);
	call_tree_done(&tree);
	call_tree_builder_set_whole(b, 102);
	call_tree_init(&tree, b, example_row(&m, "f"));
	assert_int_equal(tree.root.n_children, 0);
	call_tree_done(&tree);
	call_tree_builder_free(NULL);
}

/* Each node except the last has a note: the notes of the nodes of a frame are added up. */
static void the_notes_of_nodes_add_up(void **state)
{
	struct branch_note items[8] = { { .to = 0 } };
	struct branch_notes notes = { .items = items };
	_cleanup_(example_stacks_done) struct example_stacks m;
	_cleanup_(call_tree_builder_freep) struct call_tree_builder *b = NULL;
	_cleanup_(call_tree_done) struct call_tree tree;
	const struct call_node *f;

	(void)state;
	example_stacks_init(&m);
	example_sample(&m, "af", 5);
	example_sample(&m, "bf", 3);
	example_settle(&m, false);
	assert_int_equal(m.tally.stacks.n, 5);
	for (size_t i = 0; i < 8; i++)
		items[i].to = 1u << i;
	notes.n = m.tally.stacks.n - 1;
	b = call_tree_builder_new(&(struct call_tree_options){ .order = &m.order, .notes = &notes },
				  &m.rows);
	call_tree_init(&tree, b, example_row(&m, "f"));
	assert_int_equal(tree.root.n_children, 1);
	f = &tree.root.children[0];
	assert_int_equal(f->n_frames, 1);
	assert_int_equal(f->n_children, 2);
	/* Nodes: the root, a, f, b, f. The last has no note. */
	assert_int_equal(f->notes[0].to, 1 << 2);
	assert_int_equal(f->children[0].notes[0].to, 1 << 1);
	assert_int_equal(f->children[1].notes[0].to, 1 << 3);
	notes.n++;

	_cleanup_(call_tree_done) struct call_tree again;

	call_tree_init(&again, b, example_row(&m, "f"));
	assert_int_equal(again.root.children[0].notes[0].to, 1 << 2 | 1 << 4);
}

static void without_notes_there_are_none(void **state)
{
	_cleanup_(example_stacks_done) struct example_stacks m;
	_cleanup_(call_tree_builder_freep) struct call_tree_builder *b = NULL;
	_cleanup_(call_tree_done) struct call_tree tree;

	(void)state;
	example_stacks_init(&m);
	example_sample(&m, "af", 5);
	example_settle(&m, false);
	b = call_tree_builder_new(&(struct call_tree_options){ .order = &m.order }, &m.rows);
	call_tree_init(&tree, b, example_row(&m, "f"));
	assert_null(tree.root.children[0].notes);
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
		cmocka_unit_test(stacks_that_meet_again_are_one_branch),
		cmocka_unit_test(a_light_branch_between_others_is_left_out),
		cmocka_unit_test(a_row_that_weighs_the_threshold_has_a_tree),
		cmocka_unit_test(with_callers_the_total_of_a_row_counts),
		cmocka_unit_test(the_least_weight_is_of_everything_or_of_the_parent),
		cmocka_unit_test(the_whole_can_be_changed),
		cmocka_unit_test(the_notes_of_nodes_add_up),
		cmocka_unit_test(without_notes_there_are_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
