/* SPDX-License-Identifier: MIT */
/*
 * Prints call trees as lists of stacks: flat ones as a paragraph each, folded ones as a line each.
 */
#include <string.h>

#include "base/cleanup.h"
#include "profile/call-list.h"
#include "view/report/tree-text.h"

#define VALUE_MARGIN "           "
#define FRAME_MARGIN "                "

/* Appends the frames of @s, each with @before in front and @after after it. */
static void report_tree_list_add_frames(struct report_tree *t, const struct call_stack *s,
					const char *before, const char *after, struct text *out)
{
	if (s->above)
		report_tree_list_add_frames(t, s->above, before, after, out);
	for (size_t k = 0; k < s->node->n_frames; k++) {
		const struct frame_name *name = report_tree_name(t, s->node->frames[k]);

		text_add(out, before);
		text_add_bytes(out, name->chars, name->length);
		text_add(out, after);
	}
}

static void report_tree_list_add_value(struct report_tree *t, struct weight w, struct text *out)
{
	text_filled(out, report_tree_value(t, text_room(out, REPORT_TREE_VALUE_MAX), w, t->whole));
}

/*
 * Adds a flat stack. As in Linux's perf, its weight includes that of the stacks that continue below
 * it.
 */
static void add_flat(struct report_tree *t, const struct call_stack *s, struct text *out)
{
	text_add(out, VALUE_MARGIN);
	report_tree_list_add_value(t, s->node->total, out);
	text_add_char(out, '\n');
	report_tree_list_add_frames(t, s, FRAME_MARGIN, "\n", out);
	text_add_char(out, '\n');
}

static void add_folded(struct report_tree *t, const struct call_stack *s, struct text *out)
{
	const char *separator = t->o.form.separator ? t->o.form.separator : ";";

	report_tree_list_add_value(t, s->node->self, out);
	text_add_char(out, ' ');
	report_tree_list_add_frames(t, s, "", separator, out);
	out->length -= strlen(separator);
	text_add_char(out, '\n');
}

void report_tree_list(struct report_tree *t, const struct call_tree *tree, struct text *out)
{
	_cleanup_(call_list_done) struct call_list l;

	call_list_init(&l, tree, &t->how);
	for (size_t i = 0; i < l.n && (!t->o.limit || i < t->o.limit); i++)
		if (t->o.print == REPORT_TREE_FLAT)
			add_flat(t, l.items[i], out);
		else
			add_folded(t, l.items[i], out);
}
