/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What the options for call trees (options/calltree.h) mean to those who make and print them.
 */
#include <stdbool.h>

#include "options/calltree.h"
#include "profile/frame-order.h"
#include "view/report/tree.h"

/* The way that call trees go. */
bool calltree_callers_first(const struct calltree_layout *l, enum choice children);

/* What else decides how they look. */
struct calltree_use {
	const char *sort; /* of rows; or NULL */
	bool callers_first;
	bool branch_history; /* taken branches are part of the stacks */
	bool of_shown;       /* shares are of what filters leave */
};

struct report_tree_options calltree_view(const struct calltree_layout *l,
					 const struct calltree_use *use);

/* What makes frames of call trees the same. */
enum frame_order_by calltree_same_frames(const struct calltree_layout *l, bool branch_history);
