/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Common parts of the ways to print a call tree: names of frames, weights. Private to
 * view/report/tree*.c.
 */
#include <stddef.h>

#include "base/arena.h"
#include "base/text.h"
#include "profile/call-tree.h"
#include "view/report/tree.h"

struct frames;

struct frame_name {
	const char *chars; /* NULL: not requested so far */
	size_t length;
};

struct report_tree {
	struct report_tree_options o;
	const struct report_rows *rows;
	struct call_tree_options how;
	struct call_tree_builder *builder;
	uint64_t whole; /* the period that is 100 percent */
	const struct frames *frames;
	struct frame_name *names; /* by frame */
	struct arena arena;       /* for names that differ from symbols */
	struct text label;        /* the result of report_tree_label() */
	struct frame_name labelled;
	struct text margin; /* the beginning of a branch's lines */
	size_t level;       /* the width of a level of branches */
	size_t widest;      /* the width of the longest line drawn so far */
};

/* Returns the name of frame @id. */
const struct frame_name *report_tree_name(struct report_tree *t, uint32_t id);

/*
 * Returns the same for frame @i of @n, with the data about branches. It is valid until the next
 * call.
 */
const struct frame_name *report_tree_label(struct report_tree *t, const struct call_node *n,
					   size_t i);

/* Appends @name in the columns that are left after the first @taken columns of a line. */
void report_tree_add_name(const struct report_tree *t, size_t taken, const struct frame_name *name,
			  struct text *out);

/* Returns the number of characters of @s that move the cursor; colours do not. */
size_t report_columns_visible(const char *s, size_t n);

/* The maximum number of characters of a value, with its colour. */
#define REPORT_TREE_VALUE_MAX 40

/* Writes @w in the requested form; percentages are of the period @of. Returns the end. */
char *report_tree_value(const struct report_tree *t, char *at, struct weight w, uint64_t of);

/* Draws the tree with the root @root. The total weight of the row is @row. */
void report_tree_draw(struct report_tree *t, const struct call_node *root, struct weight row,
		      struct text *out);
void report_tree_list(struct report_tree *t, const struct call_tree *tree, struct text *out);
