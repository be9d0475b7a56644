/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The meaning of the call-tree options (options/calltree.h) for the code that makes and prints call
 * trees.
 */
#include <stdbool.h>

#include "options/calltree.h"
#include "profile/frame-order.h"
#include "view/report/tree.h"

/* True if call trees begin with the callers. */
bool calltree_callers_first(const struct calltree_layout *l, enum choice children);

/* The other settings that decide how call trees look. */
struct calltree_use {
	const char *sort; /* the sort keys of rows; or NULL */
	bool callers_first;
	bool branch_history; /* taken branches are part of the stacks */
	bool of_shown;       /* percentages are of the samples that filters leave */
};

struct report_tree_options calltree_view(const struct calltree_layout *l,
					 const struct calltree_use *use);

/* Returns the criterion by which frames of call trees are the same. */
enum frame_order_by calltree_same_frames(const struct calltree_layout *l, bool branch_history);
