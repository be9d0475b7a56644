/* SPDX-License-Identifier: MIT */
/*
 * Call trees as lists of stacks: flat, a paragraph each, and folded, a line each. The heaviest
 * comes first; of equal ones, the reverse of the order in which a walk through the tree, lowest
 * ranks first, comes to where they end.
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "view/report/tree-pen.h"

#define VALUE_MARGIN "           "
#define FRAME_MARGIN "                "

/* A stack: where it ends, and what is above. */
struct listed {
	const struct call_node *node;
	size_t above; /* the place of the parent, plus 1; 0: none */
};

struct listing {
	struct listed *items; /* by walk */
	size_t n, room;
};

static void listing_done(struct listing *l)
{
	free(l->items);
}

static void walk(struct listing *l, const struct call_node *n, size_t above)
{
	for (size_t i = 0; i < n->n_children; i++) {
		*ARRAY_ADD(l) = (struct listed){ .node = &n->children[i], .above = above };
		walk(l, &n->children[i], l->n);
	}
}

static int heaviest_first(const void *a, const void *b, void *listing)
{
	const struct listing *l = listing;
	size_t ia = *(const size_t *)a, ib = *(const size_t *)b;
	uint64_t wa = l->items[ia].node->self.period, wb = l->items[ib].node->self.period;

	if (wa != wb)
		return wa > wb ? -1 : 1;
	return ia > ib ? -1 : ia < ib;
}

/* Appends the frames of the stack that ends at @i, each with @before in front, @after behind. */
static void add_frames(struct report_tree *t, const struct listing *l, size_t i, const char *before,
		       const char *after, struct text *out)
{
	const struct listed *s = &l->items[i];

	if (s->above)
		add_frames(t, l, s->above - 1, before, after, out);
	for (size_t k = 0; k < s->node->n_frames; k++) {
		const struct frame_name *name = report_tree_name(t, s->node->frames[k]);

		text_add(out, before);
		text_add_bytes(out, name->chars, name->length);
		text_add(out, after);
	}
}

static void add_value(struct report_tree *t, struct weight w, struct text *out)
{
	text_filled(out, report_tree_value(t, text_room(out, REPORT_TREE_VALUE_MAX), w, t->whole));
}

/* Linux's perf gives the flat stack the weight of those that go on below it, too. */
static void add_flat(struct report_tree *t, const struct listing *l, size_t i, struct text *out)
{
	text_add(out, VALUE_MARGIN);
	add_value(t, l->items[i].node->total, out);
	text_add_char(out, '\n');
	add_frames(t, l, i, FRAME_MARGIN, "\n", out);
	text_add_char(out, '\n');
}

static void add_folded(struct report_tree *t, const struct listing *l, size_t i, struct text *out)
{
	const char *separator = t->o.separator ? t->o.separator : ";";

	add_value(t, l->items[i].node->self, out);
	text_add_char(out, ' ');
	add_frames(t, l, i, "", separator, out);
	out->length -= strlen(separator);
	text_add_char(out, '\n');
}

void report_tree_list(struct report_tree *t, const struct call_node *root, struct text *out)
{
	_cleanup_(listing_done) struct listing l = { 0 };
	_cleanup_(freep) size_t *sorted = NULL;

	walk(&l, root, 0);
	sorted = xcalloc(l.n + 1, sizeof(*sorted));
	for (size_t i = 0; i < l.n; i++)
		sorted[i] = i;
	qsort_r(sorted, l.n, sizeof(*sorted), heaviest_first, &l);
	for (size_t i = 0; i < l.n && (!t->o.limit || i < t->o.limit); i++) {
		if (l.items[sorted[i]].node->self.period < t->least)
			break;
		if (t->o.print == REPORT_TREE_FLAT)
			add_flat(t, &l, sorted[i], out);
		else
			add_folded(t, &l, sorted[i], out);
	}
}
