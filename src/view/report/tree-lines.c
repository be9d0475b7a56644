/* SPDX-License-Identifier: MIT */
#include "view/report/tree-lines.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "profile/report.h"
#include "view/report/tree-text.h"

/* The indentation of each level, in columns. */
#define LEVEL 3

/* The lines in construction. */
struct folder {
	struct report_tree *tree;
	const struct tree_folding *folding;
	struct tree_lines *lines;
};

void tree_lines_done(struct tree_lines *l)
{
	free(l->items);
	text_done(&l->list);
	*l = (struct tree_lines)TREE_LINES_EMPTY;
}

void report_tree_grow(struct report_tree *t, const struct report_row *row, struct call_tree *ret)
{
	call_tree_init(ret, t->builder, row);
}

static uint64_t id_below(struct report_tree *t, uint64_t above, uint32_t frame)
{
	const struct frame_name *name = report_tree_name(t, frame);
	uint64_t seed = hash_seed();

	return hash_u64(seed, above ^ hash_bytes(seed, name->chars, name->length));
}

static struct tree_line *report_tree_lines_add_line(struct folder *f, const struct call_node *n,
						    size_t frame, size_t level, uint64_t id)
{
	struct tree_line *l = ARRAY_ADD(f->lines);

	l->node = n;
	l->frame = frame;
	l->column = (uint32_t)(level * LEVEL);
	l->sign = ' ';
	l->id = id;
	return l;
}

/* Gives the line a sign. True if the lines after it are visible. */
static bool fold_here(const struct folder *f, struct tree_line *l)
{
	bool is_open = f->folding->is_open(f->folding->arg, l->id);

	l->sign = is_open ? '-' : '+';
	return is_open;
}

static void report_tree_lines_add_branches(struct folder *f, const struct call_node *n, uint64_t of,
					   size_t level, uint64_t above);

/* Adds a branch. If it is the only branch of a row, the row folds it. */
static void report_tree_lines_add_branch(struct folder *f, const struct call_node *n, uint64_t of,
					 bool has_value, bool is_alone, size_t level,
					 uint64_t above)
{
	uint64_t id = above;

	for (size_t i = 0; i < n->n_frames; i++) {
		bool is_last = i + 1 == n->n_frames;
		struct tree_line *l;

		if (f->lines->n >= TREE_LINES_MAX)
			return;
		/* The frames after the value are below the name. */
		level += has_value && i == 1;
		id = id_below(f->tree, id, n->frames[i]);
		l = report_tree_lines_add_line(f, n, i, level, id);
		l->has_value = has_value && i == 0;
		l->of = of;
		if ((is_last ? n->n_children > 0 : l->has_value && !is_alone) && !fold_here(f, l))
			return;
	}
	report_tree_lines_add_branches(f, n, n->total.period - n->self.period, level + 1, id);
}

/* Adds the branches of @n, which are parts of @of, a period. */
static void report_tree_lines_add_branches(struct folder *f, const struct call_node *n, uint64_t of,
					   size_t level, uint64_t above)
{
	const struct report_tree_options *o = &f->tree->o;
	bool is_fractal = o->print == REPORT_TREE_FRACTAL;
	size_t shown = o->limit && o->limit < n->n_children ? o->limit : n->n_children;
	bool is_all = n->n_children == 1 && n->children->total.period == of;

	for (size_t i = 0; i < shown; i++)
		report_tree_lines_add_branch(f, &n->children[i], is_fractal ? of : f->tree->whole,
					     !is_all, level == 1 && n->n_children == 1, level,
					     above);
}

/* Adds flat and folded trees: each line of their text. */
static void report_tree_lines_add_list(struct report_tree *t, const struct call_tree *tree,
				       struct tree_lines *ret)
{
	const char *at, *end;

	report_tree_list(t, tree, &ret->list);
	for (at = ret->list.chars; (end = strchr(at, '\n')) && ret->n < TREE_LINES_MAX;
	     at = end + 1) {
		struct tree_line *l;

		if (end == at)
			continue;
		l = ARRAY_ADD(ret);
		l->frame = (size_t)(at - ret->list.chars);
		l->length = (size_t)(end - at);
		l->sign = ' ';
	}
}

void report_tree_fold(struct report_tree *t, const struct call_tree *tree,
		      const struct report_row *row, const struct tree_folding *folding,
		      struct tree_lines *ret)
{
	struct folder f = { .tree = t, .folding = folding, .lines = ret };
	struct weight w = t->rows->options->children ? row->total : row->self;

	ret->n = 0;
	text_clear(&ret->list);
	if (t->o.print == REPORT_TREE_FLAT || t->o.print == REPORT_TREE_FOLDED)
		report_tree_lines_add_list(t, tree, ret);
	else
		report_tree_lines_add_branches(&f, &tree->root, w.period, 1, 0);
}

void report_tree_line_text(struct report_tree *t, const struct tree_lines *lines,
			   const struct tree_line *l, struct text *out)
{
	const struct frame_name *name;

	if (!l->node) {
		text_add_bytes(out, lines->list.chars + l->frame, l->length);
		return;
	}
	size_t from = out->length;

	text_pad(out, out->length, l->column, 0, ' ');
	text_add_char(out, l->sign);
	text_add_char(out, ' ');
	if (l->has_value) {
		char *at = text_room(out, REPORT_TREE_VALUE_MAX + 1);

		at = report_tree_value(t, at, l->node->total, l->of);
		*at++ = ' ';
		text_filled(out, at);
	}
	name = report_tree_label(t, l->node, l->frame);
	report_tree_add_name(t, report_columns_visible(out->chars + from, out->length - from), name,
			     out);
}

void report_tree_line_name(struct report_tree *t, const struct tree_line *l, struct text *out)
{
	const struct frame_name *name;

	if (!l->node)
		return;
	name = report_tree_name(t, l->node->frames[l->frame]);
	text_add_bytes(out, name->chars, name->length);
}
