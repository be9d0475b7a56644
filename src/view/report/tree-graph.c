/* SPDX-License-Identifier: MIT */
/*
 * Call trees as drawings: graph and fractal.
 *
 *             |
 *             ---main
 *                a
 *                |
 *                |--60.00%--b
 *                |          c
 *                |
 *                 --40.00%--d
 *
 * The line above each branch has ten blanks after its stem. There is none above the remainder of a
 * fractal tree, "--0.40%--[...]".
 *
 * If a tree has lines that are too long for the terminal, its levels are narrower. If the levels do
 * not fit either, the number of outer levels replaces their stems, "+2":
 *
 *                |--60.00%--b
 *                |  c
 *                |  |
 *                |  |--30.00%--e
 *                |  |  f
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/escape.h"
#include "view/report/tree-text.h"

#define MARGIN 12 /* columns in front of a tree */

#define STEM         "|          "
#define BLANK        "           "
#define LEVEL        11
#define LEVEL_NARROW 3

/*
 * The minimum columns for names after the stems of a narrow tree, including a value in front of
 * them.
 */
#define NAME_ROOM  36
#define LEVELS_MIN 4

/*
 * The position of a line in the tree: the number of levels of branches above it, and the levels
 * that have further branches, whose stems are drawn. As in Linux's perf there are 32 bits for them,
 * which deeper levels share: below the last branch of a level, stems 32 levels above it are
 * missing, too.
 */
struct report_tree_place {
	size_t margin; /* columns in front of the first level */
	size_t depth;
	uint32_t stems;
};

static uint32_t stem_of(size_t level)
{
	return (uint32_t)1 << level % 32;
}

/* Returns the number of levels at @p without space for their stems. */
static size_t outer_levels(const struct report_tree *t, const struct report_tree_place *p)
{
	size_t taken = p->margin + NAME_ROOM, levels = LEVELS_MIN;

	if (t->o.form.columns > taken + LEVELS_MIN * LEVEL_NARROW)
		levels = (t->o.form.columns - taken) / LEVEL_NARROW;
	return t->level == LEVEL_NARROW && p->depth > levels ? p->depth - levels : 0;
}

/* Writes @n blanks. "+2" in them means that the stems of two levels are missing. */
static size_t report_tree_graph_add_blanks(char *at, size_t n, size_t missing)
{
	char levels[24];
	size_t length = (size_t)snprintf(levels, sizeof(levels), "+%zu ", missing);

	memset(at, ' ', n);
	if (missing && length < n)
		memcpy(at + n - length, levels, length);
	return n;
}

/* Sets t->margin to the beginning of lines at @p. */
static void set_margin(struct report_tree *t, const struct report_tree_place *p)
{
	size_t first = outer_levels(t, p);
	char *at;

	text_clear(&t->margin);
	at = text_room(&t->margin, p->margin + (p->depth - first) * t->level);
	at += report_tree_graph_add_blanks(at, p->margin, first);
	for (size_t i = first; i < p->depth; i++)
		at = mempcpy(at, p->stems & stem_of(i) ? STEM : BLANK, t->level);
	text_filled(&t->margin, at);
}

/* Appends a line: the margin, then @between, then a name. */
static void report_tree_graph_add_line(struct report_tree *t, struct text *out, const char *between,
				       size_t n, const struct frame_name *name)
{
	char *at = text_room(out, t->margin.length + n);
	size_t taken, from;

	at = mempcpy(at, t->margin.chars, t->margin.length);
	at = mempcpy(at, between, n);
	text_filled(out, at);
	taken = t->margin.length + report_columns_visible(between, n);
	from = out->length;
	report_tree_add_name(t, taken, name, out);
	taken += escape_columns(out->chars + from, out->length - from);
	if (taken > t->widest)
		t->widest = taken;
	text_add_char(out, '\n');
}

static void report_tree_graph_add_name(struct report_tree *t, struct text *out,
				       const struct call_node *n, size_t i)
{
	report_tree_graph_add_line(t, out, "", 0, report_tree_label(t, n, i));
}

/*
 * Appends the first line of a branch, or of the remainder. The margin is that of its other lines:
 * the weight replaces the blanks of the last level.
 */
static void report_tree_graph_add_head(struct report_tree *t, struct text *out, struct weight w,
				       uint64_t of, const struct frame_name *name)
{
	char between[REPORT_TREE_VALUE_MAX + 8], *at = between;

	*at++ = '-';
	*at++ = '-';
	at = report_tree_value(t, at, w, of);
	*at++ = '-';
	*at++ = '-';
	t->margin.length -= t->level - 1;
	report_tree_graph_add_line(t, out, between, (size_t)(at - between), name);
	t->margin.length += t->level - 1;
}

static void add_stem(struct report_tree *t, struct text *out)
{
	static const struct frame_name nothing = { "", 0 };

	report_tree_graph_add_line(t, out, "", 0, &nothing);
}

/* Returns the number of branches of @n that are drawn. */
static size_t n_drawn(const struct report_tree *t, const struct call_node *n)
{
	return t->o.limit && t->o.limit < n->n_children ? t->o.limit : n->n_children;
}

/*
 * Appends the last line, for the rest @left. Its samples are only those of branches, but its
 * periods are those of all.
 */
static void report_tree_graph_add_rest(struct report_tree *t, struct text *out,
				       const struct call_node *n, struct weight left, uint64_t of)
{
	static const struct frame_name rest = { "[...]", 5 };

	left.samples = n->total.samples - n->self.samples;
	for (size_t i = 0; i < n_drawn(t, n); i++)
		left.samples -= n->children[i].total.samples;
	if (t->o.value != REPORT_TREE_COUNT || left.samples)
		report_tree_graph_add_head(t, out, left, of, &rest);
}

static void draw_children(struct report_tree *t, const struct call_node *n, uint64_t of,
			  struct report_tree_place p, struct text *out);

/* Draws the branch @n. @p is the position of its lines. */
static void draw_branch(struct report_tree *t, const struct call_node *n, uint64_t of,
			const struct report_tree_place *p, struct text *out)
{
	set_margin(t, p);
	report_tree_graph_add_head(t, out, n->total, of, report_tree_label(t, n, 0));
	for (size_t i = 1; i < n->n_frames; i++)
		report_tree_graph_add_name(t, out, n, i);
	draw_children(t, n, n->total.period - n->self.period, *p, out);
}

/*
 * Draws the branches below @n, whose lines are at @p. In fractal trees they are parts of @of, a
 * period, and the rest of that has the last line, if there is any other line.
 */
static void draw_children(struct report_tree *t, const struct call_node *n, uint64_t of,
			  struct report_tree_place p, struct text *out)
{
	bool is_fractal = t->o.print == REPORT_TREE_FRACTAL;
	uint64_t whole = is_fractal ? of : t->whole, left = of;
	struct report_tree_place last = p;

	last.depth = ++p.depth;
	last.stems &= ~stem_of(p.depth - 1);
	p.stems |= stem_of(p.depth - 1);
	for (size_t i = 0; i < n_drawn(t, n); i++) {
		bool is_last = i + 1 == n->n_children;

		left -= n->children[i].total.period;
		set_margin(t, &p);
		add_stem(t, out);
		draw_branch(t, &n->children[i], whole,
			    is_last && !(is_fractal && left) ? &last : &p, out);
	}
	if (is_fractal && left && left != of) {
		set_margin(t, &last);
		report_tree_graph_add_rest(t, out, n, (struct weight){ .period = left }, whole);
	}
}

/* Draws a tree with one root, which stands for the whole row, a period. */
static void draw_root(struct report_tree *t, const struct call_node *n, uint64_t row,
		      struct text *out)
{
	static const struct frame_name bar = { "|", 1 };
	struct report_tree_place p = { .margin = MARGIN };
	size_t first = t->o.without_first, end = n->n_frames;

	if (t->o.limit && t->o.limit < end - first)
		end = first + t->o.limit;
	if (first < end) {
		set_margin(t, &p);
		report_tree_graph_add_line(t, out, "", 0, &bar);
		report_tree_graph_add_line(t, out, "---", 3, report_tree_label(t, n, first));
		p.margin += 3;
		set_margin(t, &p);
		for (size_t i = first + 1; i < end; i++)
			report_tree_graph_add_name(t, out, n, i);
	}
	draw_children(t, n, row, p, out);
}

static void report_tree_graph_draw(struct report_tree *t, const struct call_node *root,
				   struct weight row, size_t level, struct text *out)
{
	t->level = level;
	t->widest = 0;
	if (root->n_children == 1 && root->children->total.period == row.period)
		draw_root(t, root->children, row.period, out);
	else
		draw_children(t, root, row.period, (struct report_tree_place){ .margin = MARGIN },
			      out);
}

void report_tree_draw(struct report_tree *t, const struct call_node *root, struct weight row,
		      struct text *out)
{
	size_t length = out->length;

	report_tree_graph_draw(t, root, row, LEVEL, out);
	if (t->o.form.columns && t->widest > t->o.form.columns) {
		text_filled(out, out->chars + length);
		report_tree_graph_draw(t, root, row, LEVEL_NARROW, out);
	}
	if (out->length > length)
		text_add_char(out, '\n');
}
