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

/*
 * Returns the look of call trees. @sort has the sort keys of rows, or is NULL; with
 * @branch_history, taken branches are part of the stacks.
 */
struct report_tree_options calltree_view(const struct calltree_layout *l, const char *sort,
					 bool branch_history);

/* Returns the criterion by which frames of call trees are the same. */
enum frame_order_by calltree_same_frames(const struct calltree_layout *l, bool branch_history);
