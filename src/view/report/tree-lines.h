/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The call tree below a row as lines that can be folded, for browsers:
 *
 *	   - main
 *	      - 99.43% mid
 *	           leaf
 *	        0.54% other
 *
 * A branch has a value unless it is the only one and equal to its parent. Its first line, and the
 * last of its frames, fold the lines after them. Flat and folded trees are lists, which do not
 * fold.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "profile/call-tree.h"

struct report_row;
struct report_tree;

/* The maximum number of lines of one tree. Nobody can read more. */
#define TREE_LINES_MAX 100000

struct tree_line {
	const struct call_node *node; /* NULL: a line of a list */
	size_t frame;                 /* the node's frame; in a list: the offset of its text */
	size_t length;                /* the length of that text */
	uint32_t column;              /* the column of the sign */
	bool has_value;               /* a value precedes the name */
	char sign;                    /* '+', '-'; ' ': it does not fold anything */
	uint64_t id; /* identifies the place in the tree: unchanged when the tree is made again */
	uint64_t of; /* the period that is 100 percent */
};

struct tree_lines {
	struct tree_line *items;
	size_t n, room;
	struct text list; /* for flat and folded trees */
};

#define TREE_LINES_EMPTY                                                                           \
	{                                                                                          \
		.list = TEXT_EMPTY                                                                 \
	}

void tree_lines_done(struct tree_lines *l);

/* The source of the open/closed state. */
struct tree_folding {
	bool (*is_open)(void *arg, uint64_t id);
	void *arg;
};

/* Makes @ret the tree of @row, which must be released with call_tree_done(). */
void report_tree_grow(struct report_tree *t, const struct report_row *row, struct call_tree *ret);

/* Makes *@ret, which may be empty or in use, the lines of @tree, which is the tree of @row. */
void report_tree_fold(struct report_tree *t, const struct call_tree *tree,
		      const struct report_row *row, const struct tree_folding *f,
		      struct tree_lines *ret);

/* Appends the text of @l, one of @lines, with blanks up to its column. */
void report_tree_line_text(struct report_tree *t, const struct tree_lines *lines,
			   const struct tree_line *l, struct text *out);

/* Appends the plain name of the frame, for menus, and nothing for a line of a list. */
void report_tree_line_name(struct report_tree *t, const struct tree_line *l, struct text *out);
