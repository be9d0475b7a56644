/* SPDX-License-Identifier: MIT */
#include "options/calltree-view.h"

#include <string.h>

#define DEFAULT_THRESHOLD 0.5

bool calltree_callers_first(const struct calltree_layout *l, enum choice children)
{
	return l->order == CALLTREE_ORDER_DEFAULT ? children != CHOICE_NO
						  : l->order == CALLTREE_ORDER_CALLER;
}

struct report_tree_options calltree_view(const struct calltree_layout *l, const char *sort,
					 bool branch_history)
{
	static const enum report_tree_print prints[] = {
		[CALLTREE_PRINT_DEFAULT] = REPORT_TREE_GRAPH,
		[CALLTREE_PRINT_GRAPH] = REPORT_TREE_GRAPH,
		[CALLTREE_PRINT_FLAT] = REPORT_TREE_FLAT,
		[CALLTREE_PRINT_FRACTAL] = REPORT_TREE_FRACTAL,
		[CALLTREE_PRINT_FOLDED] = REPORT_TREE_FOLDED,
		[CALLTREE_PRINT_NONE] = REPORT_TREE_GRAPH,
	};

	return (struct report_tree_options){
		.print = prints[l->print],
		.value = l->value,
		.threshold = l->has_threshold ? l->threshold : DEFAULT_THRESHOLD,
		.limit = l->limit,
		.without_first = sort && !strncmp(sort, "sym", 3),
		.lines = l->key != FRAMES_BY_FUNCTION || branch_history,
		.offsets = l->key == FRAMES_BY_ADDRESS || branch_history,
		.notes = branch_history,
	};
}

enum frame_order_by calltree_same_frames(const struct calltree_layout *l, bool branch_history)
{
	return branch_history ? FRAMES_BY_ADDRESS : l->key;
}
