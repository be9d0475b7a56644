/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The options that say how stacks are shown: report's -g, -G, --children and --max-stack, for every
 * command that prints call trees. The options for how they are recorded are in opt-callgraph.h.
 */
#include <stdbool.h>
#include <stdint.h>

#include "cli/option.h"
#include "options/value.h"
#include "profile/frame-order.h"
#include "view/report/tree.h"

enum calltree_print {
	CALLTREE_PRINT_DEFAULT, /* the same as GRAPH */
	CALLTREE_PRINT_GRAPH,   /* percentages of everything */
	CALLTREE_PRINT_FLAT,
	CALLTREE_PRINT_FRACTAL, /* percentages are of the parent */
	CALLTREE_PRINT_FOLDED,
	CALLTREE_PRINT_NONE,
};

enum calltree_order {
	CALLTREE_ORDER_DEFAULT, /* callers first with --children, else callees first */
	CALLTREE_ORDER_CALLER,
	CALLTREE_ORDER_CALLEE,
};

struct calltree_layout {
	enum calltree_print print;
	enum calltree_order order;
	enum frame_order_by key;
	enum report_tree_value value;
	bool asked;       /* -g was given */
	bool branch;      /* the last branches count as part of the stack */
	double threshold; /* percent below which a branch is left out */
	/* percent below which a row is left out: --percent-limit, which sets both */
	double row_limit;
	uint64_t limit;     /* entries printed for one row; 0: all */
	bool has_threshold; /* otherwise it is 0.5 */
};

struct calltree_opts {
	struct calltree_layout layout;
	enum choice children;
	uint64_t max_stack;         /* set to a default before parsing: 0 is none */
	const char *ignore_callees; /* a regular expression, or NULL */
};

/* The options over a struct calltree_opts: -g and the variables for its words. */
extern const struct option calltree_layout_options[];

/* These and all other options, with a heading. */
extern const struct option calltree_options[];

/*
 * Parses words and numbers in any order with commas between them ("graph,0.5,caller"). Words may be
 * abbreviated. The first number is the threshold, the second the limit. Settings that @text does
 * not mention stay as they are in *@layout. -EINVAL with *@ret_offset and *@ret_length giving the
 * wrong word; *@layout is then unchanged.
 */
int calltree_parse(const char *text, struct calltree_layout *layout, size_t *ret_offset,
		   size_t *ret_length);
