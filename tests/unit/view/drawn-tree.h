/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The text of call trees over stacks made by hand.
 */
#include "base/text.h"
#include "profile/example-stacks.h"
#include "view/report/tree.h"

/* Compares the tree below the row of @names with @wanted. */
static inline void assert_drawn(struct example_stacks *m, struct report_tree_options o,
				const char *names, const char *wanted)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;
	_cleanup_(report_tree_freep) struct report_tree *tree = NULL;

	o.order = &m->order;
	tree = report_tree_new(&o, &m->rows);
	report_tree_print(tree, example_row(m, names), &t);
	assert_string_equal(t.chars, wanted);
}
