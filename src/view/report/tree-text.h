/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What the ways to print a call tree share: names of frames, weights. Private to
 * view/report/tree*.c.
 */
#include <stddef.h>

#include "base/arena.h"
#include "base/text.h"
#include "profile/call-tree.h"
#include "view/report/tree.h"

struct frames;

struct frame_name {
	const char *chars; /* NULL: not asked for yet */
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
	struct arena arena;       /* of names that are no symbol's */
	struct text label;        /* of report_tree_label() */
	struct frame_name labelled;
	struct text margin; /* what the lines of a branch begin with */
	size_t level;       /* columns of a level of branches */
	size_t widest;      /* columns of the longest line that was drawn */
};

/* What frame @id is called. */
const struct frame_name *report_tree_name(struct report_tree *t, uint32_t id);

/* The same for frame @i of @n, with what is known of branches; good until the next call. */
const struct frame_name *report_tree_label(struct report_tree *t, const struct call_node *n,
					   size_t i);

/* Appends @name in the columns that are left behind the first @taken of a line. */
void report_tree_add_name(const struct report_tree *t, size_t taken, const struct frame_name *name,
			  struct text *out);

/* How many characters of @s move the cursor: colours do not. */
size_t report_columns_visible(const char *s, size_t n);

/* Characters that a value takes at most, with its colour. */
#define REPORT_TREE_VALUE_MAX 40

/* Writes @w as asked for; percentages are of the period @of. Returns the end. */
char *report_tree_value(const struct report_tree *t, char *at, struct weight w, uint64_t of);

/* @root is a tree's; the row weighs @row in all. */
void report_tree_draw(struct report_tree *t, const struct call_node *root, struct weight row,
		      struct text *out);
void report_tree_list(struct report_tree *t, const struct call_tree *tree, struct text *out);
