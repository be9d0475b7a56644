/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "profile/example-stacks.h"
#include "view/report/tree-lines.h"
#include "view/report/tree.h"

/* Makes three callers of f: b with 60, c with 30 and d with 10; b has callers itself. */
static void make_callers(struct example_stacks *m)
{
	example_stacks_init(m);
	example_sample(m, "aabf", 40);
	example_sample(m, "acbf", 20);
	example_sample(m, "acf", 30);
	example_sample(m, "adf", 10);
	example_settle(m, false);
}

static bool always(void *arg, uint64_t id)
{
	(void)arg, (void)id;
	return true;
}

static bool never(void *arg, uint64_t id)
{
	(void)arg, (void)id;
	return false;
}

/* True for the one node that is open. */
static bool only(void *arg, uint64_t id)
{
	return id == *(const uint64_t *)arg;
}

static void assert_lines(struct example_stacks *m, struct report_tree_options o, const char *names,
			 const struct tree_folding *f, const char *wanted)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;
	_cleanup_(tree_lines_done) struct tree_lines lines = TREE_LINES_EMPTY;
	_cleanup_(call_tree_done) struct call_tree tree = { 0 };
	_cleanup_(report_tree_freep) struct report_tree *rt = NULL;

	o.order = &m->order;
	rt = report_tree_new(&o, &m->rows);
	report_tree_grow(rt, example_row(m, names), &tree);
	report_tree_fold(rt, &tree, example_row(m, names), f, &lines);
	for (size_t i = 0; i < lines.n; i++) {
		report_tree_line_text(rt, &lines, &lines.items[i], &t);
		text_add_char(&t, '\n');
	}
	assert_string_equal(t.chars, wanted);
}

static void an_open_tree_has_all_branches(void **state)
{
	_cleanup_(example_stacks_done) struct example_stacks m;

	(void)state;
	make_callers(&m);
	assert_lines(&m, (struct report_tree_options){ .threshold = 0.5 }, "f",
		     &(struct tree_folding){ .is_open = always },
		     "   - f\n"
		     "      - 60.00% b\n"
		     "         - 40.00% a\n"
		     "              a\n"
		     "         - 20.00% c\n"
		     "              a\n"
		     "      - 30.00% c\n"
		     "           a\n"
		     "      - 10.00% d\n"
		     "           a\n");
}

static void a_closed_tree_ends_where_stacks_part(void **state)
{
	_cleanup_(example_stacks_done) struct example_stacks m;

	(void)state;
	make_callers(&m);
	assert_lines(&m, (struct report_tree_options){ .threshold = 0.5 }, "f",
		     &(struct tree_folding){ .is_open = never }, "   + f\n");
}

static void a_branch_opens_by_its_number(void **state)
{
	_cleanup_(example_stacks_done) struct example_stacks m;
	_cleanup_(tree_lines_done) struct tree_lines lines = TREE_LINES_EMPTY;
	_cleanup_(call_tree_done) struct call_tree tree = { 0 };
	_cleanup_(report_tree_freep) struct report_tree *rt = NULL;
	struct report_tree_options o = { .threshold = 0.5 };
	uint64_t id;

	(void)state;
	make_callers(&m);
	o.order = &m.order;
	rt = report_tree_new(&o, &m.rows);
	report_tree_grow(rt, example_row(&m, "f"), &tree);
	report_tree_fold(rt, &tree, example_row(&m, "f"),
			 &(struct tree_folding){ .is_open = never }, &lines);
	assert_int_equal(lines.n, 1);
	id = lines.items[0].id;
	assert_lines(&m, (struct report_tree_options){ .threshold = 0.5 }, "f",
		     &(struct tree_folding){ .is_open = only, .arg = &id },
		     "   - f\n"
		     "      + 60.00% b\n"
		     "      + 30.00% c\n"
		     "      + 10.00% d\n");
}

static void a_fractal_tree_tells_shares_of_the_branch_above(void **state)
{
	_cleanup_(example_stacks_done) struct example_stacks m;

	(void)state;
	make_callers(&m);
	assert_lines(&m,
		     (struct report_tree_options){ .print = REPORT_TREE_FRACTAL, .threshold = 20 },
		     "f", &(struct tree_folding){ .is_open = always },
		     "   - f\n"
		     "      - 60.00% b\n"
		     "         - 66.67% a\n"
		     "              a\n"
		     "         - 33.33% c\n"
		     "              a\n"
		     "      - 30.00% c\n"
		     "           a\n");
}

static void an_only_branch_that_is_all_has_no_share(void **state)
{
	_cleanup_(example_stacks_done) struct example_stacks m;

	(void)state;
	example_stacks_init(&m);
	example_sample(&m, "abf", 7);
	example_settle(&m, false);
	assert_lines(&m, (struct report_tree_options){ .threshold = 0.5 }, "f",
		     &(struct tree_folding){ .is_open = never },
		     "     f\n"
		     "     b\n"
		     "     a\n");
}

static void folded_stacks_are_a_list(void **state)
{
	_cleanup_(example_stacks_done) struct example_stacks m;

	(void)state;
	example_stacks_init(&m);
	example_sample(&m, "abf", 7);
	example_settle(&m, false);
	assert_lines(&m,
		     (struct report_tree_options){ .print = REPORT_TREE_FOLDED, .threshold = 0.5 },
		     "f", &(struct tree_folding){ .is_open = never }, "100.00% f;b;a\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_open_tree_has_all_branches),
		cmocka_unit_test(a_closed_tree_ends_where_stacks_part),
		cmocka_unit_test(a_branch_opens_by_its_number),
		cmocka_unit_test(a_fractal_tree_tells_shares_of_the_branch_above),
		cmocka_unit_test(an_only_branch_that_is_all_has_no_share),
		cmocka_unit_test(folded_stacks_are_a_list),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
